// The board's layout follows the shape of its box and the number of players on the device.
import { describe, expect, it } from "vitest";
import { isDesk, layoutOf, sidesOf } from "../../../src/games/nimble/layout";

describe("the layout of one player", () => {
    it("follows the shape of the box", () => {
        expect(layoutOf({ width: 390, height: 560 }, "S", 1, false)).toBe("tall");
        expect(layoutOf({ width: 740, height: 300 }, "S", 1, false)).toBe("low");
        expect(layoutOf({ width: 1040, height: 820 }, "L", 1, false)).toBe("desk");
    });

    it("follows the window until the box is measured", () => {
        expect(layoutOf({ width: 0, height: 0 }, "L", 1, false)).toBe("desk");
        expect(layoutOf({ width: 0, height: 0 }, "S", 1, false)).toBe("tall");
    });
});

describe("the layout of several players", () => {
    it("has them at the ends of a tablet, side by side at a desk, and beside the stacks in a low box", () => {
        expect(layoutOf({ width: 740, height: 940 }, "M", 2, false)).toBe("ends");
        expect(layoutOf({ width: 1040, height: 820 }, "L", 2, false)).toBe("halves");
        expect(layoutOf({ width: 740, height: 300 }, "S", 2, false)).toBe("flanks");
    });

    it("deals them out to the two sides of the table", () => {
        expect(sidesOf("ends", [0, 1, 2])).toEqual([[0, 2], [1]]);
        expect(sidesOf("flanks", [3, 4])).toEqual([[3], [4]]);
        expect(sidesOf("halves", [0, 1])).toEqual([[0, 1]]);
    });

    it("shows keys at a desk", () => {
        expect((["desk", "halves", "tall", "low", "ends", "flanks"] as const).filter(isDesk)).toEqual([
            "desk",
            "halves",
        ]);
    });
});
