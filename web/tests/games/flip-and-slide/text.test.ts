// Flip & Slide in words.
import { describe, expect, test } from "vitest";
import { choices } from "../../../src/games/flip-and-slide/choices";
import { spotLabels, tileLabels } from "../../../src/games/flip-and-slide/labels";
import {
    describePosition,
    prompt,
    ending,
    logLineFromText,
    logLine,
} from "../../../src/games/flip-and-slide/text";
import type { Last } from "../../../src/games/flip-and-slide/types";
import { BLUE, LEGAL, OPEN, RED, jumping, names, say, view } from "./views";
import { context } from "../../support/context";

const last = (changes: Partial<Last>): Last => ({
    seat: 1,
    move: "F-1,0",
    kind: "flip",
    tile: 1,
    face: "Y",
    way: ["-1,0"],
    empty_turns: [],
    ...changes,
});

describe("what is asked", () => {
    test("of the one to act, with what is barred and by whom", () => {
        const { title, detail } = prompt(context({ view: view(), seat: 0, legal: LEGAL, say, names }));
        expect(title).toBe("Flip a clover or slide a tile");
        expect(detail).toBe("You have two actions. Barred this turn: blue, just slid by Ines.");
    });
    test("of the others: to wait", () => {
        expect(
            prompt(context({ view: view({ turn: 1, viewer: 0 }), seat: 0, legal: [], say, names })).title,
        ).toBe("Ines is flipping or sliding.");
    });
    test("alone: first a step, then the jump", () => {
        expect(prompt(context({ view: jumping(), seat: 0, legal: ["J1,1"], say, names })).title).toBe(
            "Now your pot must jump",
        );
    });
    test("a position that stood twice is told of", () => {
        expect(
            prompt(context({ view: view({ stood: 2 }), seat: 0, legal: LEGAL, say, names })).detail,
        ).toContain("Second time");
    });
});

describe("what happened", () => {
    test.each([
        [last({}), "Ines flipped a clover: <yellow>**yellow**."],
        [
            last({ seat: 0, kind: "slide", tile: 0, face: "R", way: ["0,0", "1,0", "1,1"] }),
            "You slid <red>**red** 2 spaces.",
        ],
        [last({ kind: "slide", tile: 5, face: null, way: ["0,0", "1,0"] }), "Ines slid the hat one space."],
        [last({ kind: "place", tile: 5, face: null }), "Ines placed the hat."],
        [
            last({ seat: 0, kind: "jump", tile: 4, face: null, way: ["0,0", "1,-1", "2,-2"] }),
            "Your pot jumped over one tile to the upper right.",
        ],
        [
            last({ empty_turns: [0] }),
            "Ines flipped a clover: <yellow>**yellow**. You had no move and lost the turn.",
        ],
    ])("%#", (move, words) =>
        expect(logLine(null, view({ last: move }), context({ names, say }))).toBe(words),
    );

    test("retold, no colour is told", () => {
        expect(logLineFromText({ seat: 1, text: "F-1,0", at: null }, context({ names, say, seat: 0 }))).toBe(
            "Ines flipped a clover.",
        );
    });
    test("the end has its reason and its rule", () => {
        const over = view({ reason: "rainbow", winner: 1, turn: null, phase: "over", last: last({}) });
        const result = { reason: "rainbow", scores: [0, 1], winners: [1], seat: null };
        expect(ending(result, context({ view: over, names, say }))).toEqual({
            text: "A whole rainbow touches Ines’s hat.",
            rule: "FS-13",
        });
    });
});

describe("what a screen reader hears", () => {
    const heard = { view: view(), names, say };
    const may = choices(view(), LEGAL);
    test("of tiles: place, neighbours and what they can do", () => {
        const labels = tileLabels(heard, may);
        expect(labels.get(RED.tile)).toBe(
            "Red, row 1, place 2. Touches blue and 2 clovers. Can slide to 3 cells.",
        );
        expect(labels.get(OPEN.tile)).toContain("Can be flipped.");
        expect(labels.get(BLUE.tile)).toContain("Barred: Ines slid it last turn.");
    });
    test("of cells in reach", () => {
        expect(spotLabels(heard, may, RED).get("1,1")).toBe(
            "Slide here: to the right of row 2, place 3, touches blue, 2 spaces away.",
        );
    });
    test("of jumps", () => {
        const alone = { view: jumping(), names, say };
        const labels = spotLabels(alone, choices(jumping(), ["J1,1", "J0,-1"]), null);
        expect(labels.get("1,1")).toBe("Jump 1, over 2 tiles, to the right.");
        expect(labels.get("0,-1")).toBe("Jump 2, over one tile, to the upper right.");
    });
    test("of the position: rows, runs, hidden colours", () => {
        const told = describePosition(context({ view: view(), seat: 0, names, say }));
        expect(told).toContain("Row 1: clover, red.");
        expect(told).toContain("Your longest run: red, 1 of 7.");
        expect(told).toContain("17 clovers hide 2 red, 3 orange");
    });
});
