// The board's pieces fit the box that it is given, whatever the size of the text.
import { describe, expect, it } from "vitest";
import { CARD, layoutFor } from "../../../src/games/rainbow/layout";

const measured = { prompt: 80, actions: 56, seat: 54 };
const rowWidth = ({ row, gap }: { row: number; gap: number }): number => 6 * row + 5 * gap;

describe("the layout", () => {
    it("is below each other on a phone, with a column at a desk and in a low window", () => {
        expect(layoutFor({ width: 344, height: 500, ...measured }).arrangement).toBe("tall");
        expect(layoutFor({ width: 1040, height: 820, ...measured }).arrangement).toBe("wide");
        expect(layoutFor({ width: 724, height: 300, ...measured }).arrangement).toBe("low");
    });

    it.each([1, 1.5, 2])("has a row that fits a phone with text of %f times the size", (text) => {
        const layout = layoutFor({ width: 344, height: 720, ...measured }, text);
        expect(rowWidth(layout)).toBeLessThanOrEqual(344);
        expect(layout.row).toBeGreaterThanOrEqual(40);
        expect(layout.row * CARD).toBeLessThan(720 / 4);
    });

    it("has cards that a finger can press, however low the box is", () => {
        const { row, mine } = layoutFor({ width: 344, height: 300, ...measured });
        expect([row, mine]).toEqual([40, 44]);
    });
});
