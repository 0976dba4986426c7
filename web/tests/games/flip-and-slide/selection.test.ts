// What is lit is what is listed as legal; taps, numbers and keys send its texts, and nothing else.
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Settings } from "../../../src/board/contract";
import { choices, wayTo } from "../../../src/games/flip-and-slide/choices";
import { Hand } from "../../../src/games/flip-and-slide/selection.svelte";
import type { View } from "../../../src/games/flip-and-slide/types";
import { BLUE, HAT, LEGAL, OPEN, POT, RED, SHUT, jumping, view } from "./views";

const send = vi.fn();
let settings: Settings;

function hand(shown: View, legal: readonly string[]): Hand {
    return new Hand(() => ({ view: shown, choices: choices(shown, legal), settings, send }));
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

describe("taps", () => {
    test("a tile is picked and its cells are lit; a lit cell slides it", () => {
        const held = hand(view(), LEGAL);
        held.tap(RED.cell, true);
        expect(held.picked).toBe(RED.tile);
        expect(held.lit).toEqual(["1,0", "1,1", "0,2"]);
        held.tap("0,2", true);
        expect(send).toHaveBeenCalledExactlyOnceWith("S0,0>0,2");
    });
    test("a clover is lifted first, and flipped by a second tap", () => {
        const held = hand(view(), LEGAL);
        held.tap(OPEN.cell, false);
        expect(send).not.toHaveBeenCalled();
        held.tap(OPEN.cell, false);
        expect(send).toHaveBeenCalledExactlyOnceWith("F-1,0");
    });
    test("by the setting one tap is enough", () => {
        settings.confirm = false;
        hand(view(), LEGAL).tap(OPEN.cell, true);
        expect(send).toHaveBeenCalledExactlyOnceWith("F-1,0");
    });
    test("empty ground puts back", () => {
        const held = hand(view(), LEGAL);
        held.tap(RED.cell, true);
        held.tap("9,9", true);
        expect(held.picked).toBeNull();
        expect(send).not.toHaveBeenCalled();
    });
    test.each([
        [BLUE, "slide-barred"],
        [POT, "slide-splits"],
        [HAT, "slide-other-player"],
        [SHUT, "slide-clover"],
    ])("a tile that may not move says why", (tile, key) => {
        const held = hand(view(), LEGAL);
        held.tap(tile.cell, true);
        expect(held.why).toEqual({ key, tile: tile.tile });
        expect(send).not.toHaveBeenCalled();
    });
    test("nothing is lit and nothing is sent while it is another's turn", () => {
        const held = hand(view({ turn: 1 }), []);
        for (const { cell } of [RED, OPEN, BLUE]) held.tap(cell, false);
        expect(held.lit).toEqual([]);
        expect(send).not.toHaveBeenCalled();
    });
    test("a finger is asked twice where to place; a mouse, which aims before, is not", () => {
        const placing = view({ phase: "place", places: ["1,0", "2,0"], actions_left: 0 });
        const finger = hand(placing, ["@1,0", "@2,0"]);
        finger.tap("1,0", true);
        expect([finger.aimed, send.mock.calls.length]).toEqual(["1,0", 0]);
        finger.tap("1,0", true);
        hand(placing, ["@1,0", "@2,0"]).tap("2,0", false);
        expect(send.mock.calls).toEqual([["@1,0"], ["@2,0"]]);
    });
    test("alone, jumps are lit in the order of their numbers", () => {
        const held = hand(jumping(), ["J0,-1", "J1,1"]);
        expect(held.lit).toEqual(["1,1", "0,-1"]);
        held.tap("0,-1", false);
        expect(send).toHaveBeenCalledExactlyOnceWith("J0,-1");
    });
});

describe("keys", () => {
    test("next goes round what may act, by place", () => {
        const held = hand(view(), LEGAL);
        const seen = [1, 2, 3].map(() => {
            held.next(1);
            return held.cursor;
        });
        expect(seen).toEqual([OPEN.cell, RED.cell, OPEN.cell]);
        held.next(-1);
        expect(held.cursor).toBe(RED.cell);
    });
    test("arrows go among the lit cells once a tile is picked, and aim", () => {
        const held = hand(view(), LEGAL);
        held.stand(RED.cell);
        held.tap(RED.cell, false);
        held.arrow("ArrowRight");
        expect(held.aimed).toBe("1,0");
        held.arrow("ArrowDown");
        expect(held.aimed).toBe("1,1");
        expect(held.way).toEqual(["0,0", "1,0", "1,1"]);
        held.confirm();
        expect(send).toHaveBeenCalledExactlyOnceWith("S0,0>1,1");
    });
});
