// What is lit is what is listed as legal; taps, numbers and keys send its texts, and nothing else.
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Settings } from "../../../src/board/contract";
import { choices, recent, wayTo } from "../../../src/games/flip-and-slide/choices";
import { Selection } from "../../../src/games/flip-and-slide/selection.svelte";
import type { View } from "../../../src/games/flip-and-slide/types";
import { BLUE, HAT, LEGAL, OPEN, POT, RED, SHUT, jumping, view } from "./views";

const send = vi.fn();
let settings: Settings;

function select(shown: View, legal: readonly string[]): Selection {
    return new Selection(() => ({ view: shown, choices: choices(shown, legal), settings, send }));
}

beforeEach(() => {
    send.mockClear();
    settings = { letters: false, keys: true, confirm: true, sound: false, still: true };
});

describe("choices", () => {
    test("are what is both in the view and listed as legal", () => {
        const may = choices(view(), ["F-1,0", "S0,0>1,1"]);
        expect([...may.flips]).toEqual([1]);
        expect([...may.slides]).toEqual([[0, ["1,1"]]]);
    });
    test("are none when nothing is legal, whatever the view shows", () => {
        const may = choices(view(), []);
        expect([may.flips.size, may.slides.size, may.places.length, may.jumps.length]).toEqual([0, 0, 0, 0]);
    });
    test("a way follows the reach backwards", () => {
        expect(wayTo(RED, "0,2")).toEqual(["0,0", "1,0", "1,1", "0,2"]);
        expect(wayTo(RED, "7,7")).toEqual([]);
    });
});

describe("recent moves", () => {
    const moves = [
        [0, "F-1,0"],
        [1, "S0,0>1,0"],
        [1, "S1,0>1,1"],
        [2, "F-1,1"],
    ].map(([seat, text]) => ({ seat: seat as number, text: text as string, at: null }));
    test("are the opponents' since the player's last one, and a watcher's the last player's", () => {
        expect(recent(moves, 0, false)).toEqual({ changed: ["1,1", "-1,1"], left: ["0,0"] });
        expect(recent(moves, -1, false)).toEqual({ changed: ["-1,1"], left: [] });
    });
    test("are none after the player's own move, unless nothing moves on the screen", () => {
        expect(recent(moves.slice(0, 3), 1, false)).toEqual({ changed: [], left: [] });
        expect(recent(moves.slice(0, 3), 1, true)).toEqual({ changed: ["1,1"], left: ["1,0"] });
    });
});

describe("taps", () => {
    test("a tile is picked and its cells are lit; a lit cell slides it", () => {
        const selection = select(view(), LEGAL);
        selection.tap(RED.cell, true);
        expect(selection.picked).toBe(RED.tile);
        expect(selection.lit).toEqual(["1,0", "1,1", "0,2"]);
        selection.tap("0,2", true);
        expect(send).toHaveBeenCalledExactlyOnceWith("S0,0>0,2");
    });
    test("a clover is lifted first, and flipped by a second tap", () => {
        const selection = select(view(), LEGAL);
        selection.tap(OPEN.cell, false);
        expect(send).not.toHaveBeenCalled();
        selection.tap(OPEN.cell, false);
        expect(send).toHaveBeenCalledExactlyOnceWith("F-1,0");
    });
    test("by the setting one tap is enough", () => {
        settings.confirm = false;
        select(view(), LEGAL).tap(OPEN.cell, true);
        expect(send).toHaveBeenCalledExactlyOnceWith("F-1,0");
    });
    test("empty ground puts back", () => {
        const selection = select(view(), LEGAL);
        selection.tap(RED.cell, true);
        selection.tap("9,9", true);
        expect(selection.picked).toBeNull();
        expect(send).not.toHaveBeenCalled();
    });
    test.each([
        [BLUE, "S0,1>0,1"],
        [POT, "S-2,1>-2,1"],
        [HAT, "S-1,2>-1,2"],
        [SHUT, "F-1,1"],
    ])("a tile that cannot be moved is tried, so that the refusal says why", (tile, text) => {
        const selection = select(view(), LEGAL);
        selection.tap(RED.cell, true);
        selection.tap(tile.cell, true);
        expect(send).toHaveBeenCalledExactlyOnceWith(text);
        expect(selection.picked).toBe(RED.tile);
    });
    test("a cell at the patch that is out of reach is tried, and the tile stays picked", () => {
        const selection = select(view(), LEGAL);
        selection.tap(RED.cell, true);
        selection.tap("0,-1", true);
        expect(send).toHaveBeenCalledExactlyOnceWith("S0,0>0,-1");
        expect(selection.picked).toBe(RED.tile);
    });
    test("a jump back is tried", () => {
        select(jumping(), ["J1,1"]).tap("-3,1", true);
        expect(send).toHaveBeenCalledExactlyOnceWith("J-3,1");
    });
    test("a dropped tile goes to a lit cell, is tried at the patch, and returns from elsewhere", () => {
        const selection = select(view(), LEGAL);
        selection.pick(RED);
        expect(["1,1", "0,1", "9,9", RED.cell].map((cell) => selection.drop(cell))).toEqual([
            true,
            true,
            false,
            false,
        ]);
        expect(send.mock.calls).toEqual([["S0,0>1,1"], ["S0,0>0,1"]]);
    });
    test("a tile stays picked while its move is sent, and not in the next position", () => {
        let [shown, legal]: [View, readonly string[]] = [view(), LEGAL];
        const selection = new Selection(() => ({
            view: shown,
            choices: choices(shown, legal),
            settings,
            send,
        }));
        selection.tap(RED.cell, true);
        legal = [];
        expect([selection.picked, selection.lit.length]).toEqual([RED.tile, 0]);
        legal = LEGAL;
        expect(selection.lit).toHaveLength(3);
        shown = view();
        expect(selection.picked).toBeNull();
    });
    test("a button confirms what was chosen by a tap, not what the pointer is over", () => {
        const placing = view({ phase: "place", places: ["1,0"], actions_left: 0 });
        const selection = select(placing, ["@1,0"]);
        selection.aim("1,0");
        expect([selection.aimed, selection.chosen]).toEqual(["1,0", false]);
        selection.aim(null);
        selection.tap("1,0", true);
        expect(selection.chosen).toBe(true);
    });
    test("while it is another's turn nothing is lit, and every press is tried, so that the refusal says so", () => {
        const selection = select(view({ turn: 1 }), []);
        for (const { cell } of [RED, OPEN]) selection.tap(cell, false);
        selection.next(1);
        expect(selection.lit).toEqual([]);
        expect(send.mock.calls).toEqual([["S0,0>0,0"], ["F-1,0"], ["F-1,0"]]);
    });
    test.each([
        ["a move is under way", view()],
        ["a watcher presses", view({ viewer: -1 })],
        ["the game is over", view({ turn: null })],
    ])("nothing is sent while %s", (_, shown) => {
        const selection = select(shown, []);
        for (const { cell } of [RED, OPEN, BLUE]) selection.tap(cell, false);
        expect(send).not.toHaveBeenCalled();
    });
    test("a finger is asked twice where to place; a mouse, which aims before, is not", () => {
        const placing = view({ phase: "place", places: ["1,0", "2,0"], actions_left: 0 });
        const finger = select(placing, ["@1,0", "@2,0"]);
        finger.tap("1,0", true);
        expect([finger.aimed, send.mock.calls.length]).toEqual(["1,0", 0]);
        finger.tap("1,0", true);
        select(placing, ["@1,0", "@2,0"]).tap("2,0", false);
        expect(send.mock.calls).toEqual([["@1,0"], ["@2,0"]]);
    });
    test("alone, jumps are lit in the order of their numbers", () => {
        const selection = select(jumping(), ["J0,-1", "J1,1"]);
        expect(selection.lit).toEqual(["1,1", "0,-1"]);
        selection.tap("0,-1", false);
        expect(send).toHaveBeenCalledExactlyOnceWith("J0,-1");
    });
});

describe("keys", () => {
    test("next goes round what may act, by place", () => {
        const selection = select(view(), LEGAL);
        const seen = [1, 2, 3].map(() => {
            selection.next(1);
            return selection.cursor;
        });
        expect(seen).toEqual([OPEN.cell, RED.cell, OPEN.cell]);
        selection.next(-1);
        expect(selection.cursor).toBe(RED.cell);
    });
    test("arrows go among the lit cells once a tile is picked, and aim", () => {
        const selection = select(view(), LEGAL);
        selection.focus(RED.cell);
        selection.tap(RED.cell, false);
        selection.arrow("ArrowRight");
        expect(selection.aimed).toBe("1,0");
        selection.arrow("ArrowDown");
        expect(selection.aimed).toBe("1,1");
        expect(selection.way).toEqual(["0,0", "1,0", "1,1"]);
        selection.confirm();
        expect(send).toHaveBeenCalledExactlyOnceWith("S0,0>1,1");
    });
});
