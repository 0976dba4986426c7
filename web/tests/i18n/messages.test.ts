// Messages: places, plurals, choices, nested.
import { describe, expect, test } from "vitest";
import { fill } from "../../src/i18n/format";

describe("a message", () => {
    test.each([
        ["Pass the device to {name}", { name: "Mira" }, "Pass the device to Mira"],
        ["{count, plural, =0 {none} one {# card} other {# cards}}", { count: 0 }, "none"],
        ["{count, plural, =0 {none} one {# card} other {# cards}}", { count: 1 }, "1 card"],
        ["{count, plural, =0 {none} one {# card} other {# cards}}", { count: 1200 }, "1,200 cards"],
        [
            "{who, select, you {You resigned.} other {{name} resigned.}}",
            { who: "x", name: "Jonas" },
            "Jonas resigned.",
        ],
        ["a {missing} place", {}, "a {missing} place"],
        ["# is only a number in a plural", {}, "# is only a number in a plural"],
    ])("%s", (message, parameters, said) => {
        expect(fill(message, parameters, "en")).toBe(said);
    });

    test("counts as its language does", () => {
        const message = "{n, plural, one {один} few {несколько} other {много}}";
        expect([1, 3, 5].map((n) => fill(message, { n }, "ru"))).toEqual(["один", "несколько", "много"]);
    });
});
