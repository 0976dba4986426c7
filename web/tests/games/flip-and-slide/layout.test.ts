// The board's layout follows its box, and the camera leaves free what is covered.
import { describe, expect, it } from "vitest";
import { layoutFor } from "../../../src/games/flip-and-slide/layout";

describe("the layout", () => {
    it("follows the box and the window", () => {
        expect(layoutFor({ width: 374, height: 600 }, "S", false).shape).toBe("narrow");
        expect(layoutFor({ width: 724, height: 300 }, "S", false).shape).toBe("low");
        expect(layoutFor({ width: 752, height: 900 }, "M", false).shape).toBe("medium");
        expect(layoutFor({ width: 1040, height: 580 }, "L", false).shape).toBe("wide");
    });

    it("has the seats of a wide patch in a column or in a row, and the camera keeps clear of them", () => {
        const column = layoutFor({ width: 1040, height: 580 }, "L", false);
        const row = layoutFor({ width: 1040, height: 900 }, "L", false);
        expect([column.column, row.column]).toEqual([true, false]);
        expect(column.insets.left).toBeGreaterThan(row.insets.left);
        expect(row.insets.top).toBeGreaterThan(column.insets.top);
    });

    it("leaves more room for the status of a puzzle", () => {
        const box = { width: 1040, height: 900 };
        expect(layoutFor(box, "L", true).column).toBe(true);
        expect(layoutFor(box, "L", true).insets.left).toBeGreaterThan(276);
    });

    it("shows runs beside the seats where no panel shows them", () => {
        expect(layoutFor({ width: 1040, height: 580 }, "L", false).run).toBe(0);
        expect(layoutFor({ width: 374, height: 600 }, "S", false).run).toBeGreaterThan(0);
    });
});
