// Views of a short game, as the server sends them: a row of three, then red comes up twice.
import en from "../../../src/games/rainbow/messages/en.json";
import type { Say } from "../../../src/board/contract";
import { fill } from "../../../src/i18n/format";
import type { Last, View } from "../../../src/games/rainbow/types";

export const names = ["Ada", "Mira"];
export const say: Say = (key, parameters = {}) =>
    fill((en as Record<string, string>)[key] ?? `no message ${key}`, parameters, "en");

export function view(changes: Partial<View> = {}): View {
    return {
        viewer: 0,
        round: 1,
        turn: 0,
        played: 0,
        may_turn_over: false,
        may_play: true,
        may_end: false,
        row: [],
        hands: [
            [
                { card: 0, face: "O" },
                { card: 1, face: "W" },
                { card: 2, face: "V" },
            ],
            [
                { card: 56, face: "K" },
                { card: 55, face: "I" },
                { card: 54, face: "R" },
            ],
        ],
        deck: 51,
        next: "G",
        piles: [0, 0],
        last: null,
        ...changes,
    };
}

export function last(changes: Partial<Last>): Last {
    return { seat: 0, move: "S1", place: 0, face: "O", end: null, round_end: null, drawn: 0, ...changes };
}

/** Ada's first card lies as seen. */
export const played = view({
    played: 1,
    may_turn_over: true,
    may_play: false,
    may_end: true,
    row: [{ card: 0, face: "O" }],
    hands: [[null, { card: 1, face: "W" }, { card: 2, face: "V" }], view().hands[1]!],
    last: last({}),
});

/** She turned it over: orange is hidden now. */
export const turned = view({
    ...played,
    may_turn_over: false,
    may_play: true,
    row: [{ card: 0, face: "R" }],
    last: last({ move: "F1", face: "R" }),
});

/** Then she played her third card blind, and red came up again: Mira takes two cards. */
export const lost = view({
    round: 2,
    hands: [
        [
            { card: 3, face: "G" },
            { card: 1, face: "W" },
            { card: 4, face: "B" },
        ],
        view().hands[1]!,
    ],
    deck: 49,
    next: "Y",
    piles: [0, 2],
    last: last({
        move: "B3",
        place: 1,
        face: "R",
        end: "clash",
        drawn: 2,
        round_end: {
            row: [
                { card: 0, face: "R" },
                { card: 2, face: "R" },
            ],
            taker: 1,
            clashes_with: 0,
        },
    }),
});
