// Views of a first round, as the server sends them: seat 0 has played a 6, seat 1 a 7.
import en from "../../../src/games/rainbow-road/messages/en.json";
import type { Say } from "../../../src/board/contract";
import { fill } from "../../../src/i18n/format";
import type { Last, Spot, View, Walk } from "../../../src/games/rainbow-road/types";

export const names = ["Ada", "Jonas"];
export const say: Say = (key, parameters = {}) =>
    fill((en as Record<string, string>)[key] ?? `no message ${key}`, parameters, "en");

const at = (spot: string, card = 0, number = 0, more: Partial<Spot> = {}): Spot => ({
    spot,
    card: number > 0 ? { card, number } : null,
    fairy: null,
    marker: null,
    ...more,
});

/** RR-13 The Rain Fairy on b4 descends: round by + to b2 over the empty spots, by - to b3. */
export const rainWalk: Walk = {
    fairy: "rain",
    seat: 0,
    origin: "b4",
    way: null,
    points: 0,
    reach: [
        { spot: "b3", hops: ["-"], points: 1 },
        { spot: "b2", hops: ["-", "-"], points: 2 },
        { spot: "a4", hops: ["-", "-", "-"], points: 3 },
    ],
    prank_hops: [
        { move: "jump+", spot: "a2", points: 1 },
        { move: "jump-", spot: "b3", points: 1 },
    ],
    pranked: false,
    forced: false,
};

export function view(changes: Partial<View> = {}): View {
    return {
        viewer: 0,
        round: 1,
        weather: "sunny",
        weathers: ["sunny", "rainy", "sunny", "rainy", "sunny", "rainy", "sunny", "rainy"],
        climbs: "sunny",
        phase: "rain",
        turn: 0,
        movers: { sunny: 1, rain: 0 },
        ring: [
            at("a1"),
            at("a2", 1, 3),
            at("a3", 5, 6, { fairy: "sunny", marker: 0 }),
            at("a4", 2, 5),
            at("a5"),
            at("b1"),
            at("b2", 3, 2),
            at("b3", 6, 7, { marker: 1 }),
            at("b4", 4, 7, { fairy: "rain" }),
            at("b5"),
        ],
        places: [],
        owed: null,
        choices: [],
        walk: rainWalk,
        hands: [
            { count: 7, numbers: [1, 1, 2, 3, 4, 5, 7] },
            { count: 7, numbers: null },
        ],
        pranks: [
            { count: 2, held: ["exchange", "jump"], used: [] },
            { count: 2, held: null, used: [] },
        ],
        discards: [],
        scores: [0, 1],
        gains: [[0, 1]],
        last: null,
        result: null,
        ...changes,
    };
}

export const rainLegal = [
    "stop",
    "-",
    "jump+",
    "jump-",
    "exchange:a2,a4",
    "exchange:a2,b2",
    "exchange:a4,b2",
];

/** Seat 0 is to play a card; the other has played a 7. */
export const toPlay = view({
    phase: "play",
    movers: null,
    walk: null,
    places: ["a1", "a5"],
    choices: [
        { number: 1, moves: "rain" },
        { number: 2, moves: "rain" },
        { number: 7, moves: "rain" },
    ],
    hands: [
        { count: 4, numbers: [1, 1, 2, 7] },
        { count: 7, numbers: null },
    ],
});
export const playLegal = ["P1a1", "P1a5", "P2a1", "P2a5", "P7a1", "P7a5"];

export function last(changes: Partial<Last>): Last {
    return {
        seat: 0,
        move: "-",
        fairy: "rain",
        spots: [],
        points: 0,
        card: null,
        out: null,
        movers: null,
        ended: false,
        round_end: null,
        ...changes,
    };
}
