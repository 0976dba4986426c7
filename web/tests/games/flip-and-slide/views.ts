// A small patch to test with: red may slide, two clovers of which one may be flipped, blue is barred, and both players' tiles.
import { fill } from "../../../src/i18n/format";
import en from "../../../src/games/flip-and-slide/messages/en.json";
import type { Say } from "../../../src/board/contract";
import type { Tile, View } from "../../../src/games/flip-and-slide/types";

export const names = ["Ada", "Ines"];
export const say: Say = (key, parameters = {}) =>
    fill((en as Record<string, string>)[key] ?? key, parameters, "en");

export function tile(changes: Partial<Tile> & Pick<Tile, "tile" | "cell">): Tile {
    return {
        face: "?",
        seat: null,
        may_flip: false,
        barred: false,
        reach: {},
        fixed: "slide-clover",
        ...changes,
    };
}

export const RED = tile({
    tile: 0,
    cell: "0,0",
    face: "R",
    fixed: null,
    reach: { "1,0": "0,0", "1,1": "1,0", "0,2": "1,1" },
});
export const OPEN = tile({ tile: 1, cell: "-1,0", may_flip: true });
export const SHUT = tile({ tile: 2, cell: "-1,1" });
export const BLUE = tile({ tile: 3, cell: "0,1", face: "B", barred: true, fixed: "slide-barred" });
export const POT = tile({ tile: 4, cell: "-2,1", face: null, seat: 0, fixed: "slide-splits" });
export const HAT = tile({ tile: 5, cell: "-1,2", face: null, seat: 1, fixed: "slide-other-player" });

export function view(changes: Partial<View> = {}): View {
    return {
        viewer: 0,
        phase: "act",
        turn: 0,
        turn_number: 3,
        turn_limit: 200,
        actions_left: 2,
        stood: 1,
        tiles: [RED, OPEN, SHUT, BLUE, POT, HAT],
        places: [],
        jumps: [],
        previous: null,
        barred_by: 1,
        runs: [[0], []],
        hidden: { R: 2, O: 3, Y: 3, G: 3, B: 2, I: 3, V: 1 },
        clovers: 17,
        winner: null,
        reason: null,
        last: null,
        ...changes,
    };
}

export const LEGAL = ["F-1,0", "S0,0>1,0", "S0,0>1,1", "S0,0>0,2"];

/** Alone: the pot must jump. */
export function jumping(): View {
    return view({
        phase: "jump",
        runs: [[0]],
        barred_by: null,
        previous: "-3,1",
        tiles: [RED, OPEN, SHUT, { ...BLUE, barred: false, fixed: null }, POT],
        jumps: [
            { cell: "1,1", over: [2, 3] },
            { cell: "0,-1", over: [1] },
        ],
    });
}
