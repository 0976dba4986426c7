// Rainbow Road in words: what is asked, what happened, what a seat may hear.
import { describe, expect, test } from "vitest";
import {
    describePosition,
    prompt,
    heading,
    ending,
    plateLine,
    logLineFromText,
    spotWords,
    logLine,
} from "../../../src/games/rainbow-road/text";
import { last, names, playLegal, rainLegal, rainWalk, say, toPlay, view } from "./views";
import { context } from "../../support/context";

describe("what is asked", () => {
    test("of the one who plays a card", () => {
        expect(prompt(context({ view: toPlay, seat: 0, legal: playLegal, say, names }))).toEqual({
            title: "Play a card to an empty spot",
            detail: "Jonas played a 7. The sign under each card shows which fairy you’d move.",
        });
        const owed = { ...toPlay, places: ["a1"], owed: "a1" };
        expect(prompt(context({ view: owed, seat: 0, legal: ["P1a1"], say, names })).title).toBe(
            "Play a card to a1",
        );
        const full = { ...toPlay, places: ["a2", "a4"] };
        expect(prompt(context({ view: full, seat: 0, legal: ["P1a2"], say, names })).title).toBe(
            "Replace one of your cards",
        );
    });
    test("of the one who leads, by the weather", () => {
        const ring = view().ring.map((spot) => ({ ...spot, marker: null }));
        const lead = { ...toPlay, ring, weather: "rainy" as const };
        expect(prompt(context({ view: lead, seat: 0, legal: playLegal, say, names })).detail).toBe(
            "The higher card moves Rain, the lower one Sunny.",
        );
    });
    test("of the one who walks", () => {
        expect(prompt(context({ view: view(), seat: 0, legal: rainLegal, say, names }))).toEqual({
            title: "Walk the Rain Fairy down",
            detail: "Choose a lit card to walk there. Each card must be equal or lower.",
        });
        const stuck = view({ walk: { ...rainWalk, reach: [], points: 2 } });
        expect(prompt(context({ view: stuck, seat: 0, legal: ["stop", "jump+"], say, names })).detail).toBe(
            "2 points so far. There’s no card to walk to. Play a prank, or stop.",
        );
    });
    test("RR-28 of those who wait, the same whatever the mover holds", () => {
        const other = (walk: typeof rainWalk) =>
            prompt(context({ view: view({ viewer: 1, walk }), seat: 1, legal: [], say, names }));
        expect(other(rainWalk)).toEqual(other({ ...rainWalk, reach: [], prank_hops: [] }));
        expect(other(rainWalk).title).toBe("Ada is moving the Rain Fairy.");
    });
});

describe("the story", () => {
    test("tells a card, and who moves which fairy", () => {
        const after = view({
            last: last({
                seat: 1,
                move: "P7b3",
                fairy: null,
                spots: ["b3"],
                card: { card: 6, number: 7 },
                out: { card: 3, number: 2 },
                movers: { sunny: 1, rain: 0 },
            }),
        });
        expect(logLine(null, after, context({ names, say }))).toBe(
            "Jonas played <violet>**7** to b3; <orange>**2** went to the discards. Jonas moves Sunny, you Rain.",
        );
    });
    test("tells a walk once, when it ends, and the round with it", () => {
        const hopped = view({ last: last({ spots: ["b4", "b3"], points: 1 }) });
        expect(logLine(view(), hopped, context({ names, say }))).toBeNull();
        const walked = view({ walk: { ...rainWalk, points: 3 } });
        const ended = view({
            round: 2,
            weather: "rainy",
            turn: 1,
            walk: null,
            last: last({ move: "stop", ended: true, round_end: { round: 1, gains: [3, 1], starter: 1 } }),
        });
        expect(logLine(walked, ended, context({ names, say }))).toBe(
            "You walked Rain all the way round to b4: **+3**. " +
                "Round 1: you +3, Jonas +1. It starts to rain. Jonas starts round 2.",
        );
    });
    test.each([
        [last({ move: "jump+", spots: ["b4", "a2"], points: 1 }), "You jumped Rain from b4 to a2: **+1**."],
        [
            last({ move: "skip-", spots: ["b4", "b3", "b2"], points: 1 }),
            "You skipped Rain from b4 over b3 to b2: **+1**.",
        ],
        [last({ move: "exchange:a2,b2", spots: ["a2", "b2"] }), "You swapped the cards on a2 and b2."],
        [
            last({ move: "trash:a2", spots: ["a2"], out: { card: 1, number: 3 } }),
            "You trashed <yellow>**3** on a2. The next card there fills the gap.",
        ],
        [last({ move: "teleport:a2", spots: ["b4", "a2"] }), "You teleported Rain from b4 to a2."],
        [
            last({
                move: "recycle:1>b3",
                spots: ["b3"],
                card: { card: 9, number: 1 },
                out: { card: 6, number: 7 },
            }),
            "You brought <red>**1** back to b3; <violet>**7** went to the discards.",
        ],
    ])("tells a prank (%#)", (what, told) => {
        expect(logLine(view(), view({ last: what }), context({ names, say }))).toBe(told);
    });
    test("tells what only the text of a move says", () => {
        const tell = (text: string): string =>
            logLineFromText({ seat: 1, text, at: null }, context({ names, say, seat: 0 }));
        expect(tell("P5b1")).toBe("Jonas played <blue>**5** to b1.");
        expect(tell("recycle:7>a3")).toBe("Jonas played Recycle.");
        expect(tell("+")).toBe("");
    });
});

describe("what is heard", () => {
    test("of a spot", () => {
        expect(spotWords(view().ring[2]!, 0, names, say)).toBe("a3, six. Sunny Fairy here. Your marker.");
        expect(spotWords(view().ring[0]!, 0, names, say)).toBe("a1, empty.");
    });
    test("of the position: one's own hand and pranks, and only numbers of the other's", () => {
        const told = describePosition(context({ view: view(), seat: 0, names, say }));
        expect(told).toContain("Your hand: one, one, two, three, four, five, seven.");
        expect(told).toContain("Your pranks: Exchange, Jump.");
        expect(told).toContain("Jonas: 7 cards, 2 pranks.");
        expect(told).toContain("You can walk to b3 for 1, b2 for 2, a4 for 3.");
    });
    test("by a watcher: counts only", () => {
        const watched = view({
            viewer: -1,
            hands: [
                { count: 7, numbers: null },
                { count: 7, numbers: null },
            ],
            pranks: [
                { count: 2, held: null, used: [] },
                { count: 1, held: null, used: ["trash"] },
            ],
        });
        const told = describePosition(context({ view: watched, seat: -1, names, say }));
        expect(told).toContain("Ada: 7 cards, 2 pranks. Jonas: 7 cards, 1 prank.");
        expect(told).not.toContain("Your");
    });
});

test("plates say what their seats do", () => {
    expect(plateLine(view(), 0, say)).toBe("moving Rain");
    expect(plateLine(view(), 1, say)).toBe("moved Sunny, +1");
    expect(plateLine(toPlay, 0, say)).toBe("choosing a card");
    expect(plateLine(toPlay, 1, say)).toBe("played a 7");
});

test("the heading is of the round of the newest line: a move that ended a round stands under that round", () => {
    const ended = last({ move: "stop", ended: true, round_end: { round: 1, gains: [3, 1], starter: 1 } });
    expect(heading(context({ view: view({ round: 2, last: ended }), names, say }))).toEqual({
        title: "Round 1 of 8",
        detail: "Round 1: you +3, Jonas +1.",
    });
});

test("the chapter tells the last round's gains", () => {
    const second = view({
        round: 2,
        gains: [
            [3, 1],
            [0, 0],
        ],
    });
    expect(heading(context({ view: second, names, say }))).toEqual({
        title: "Round 2 of 8",
        detail: "Last round: you +3, Jonas +1.",
    });
});

test.each([
    ["points" as const, "After eight rounds, the most points win."],
    ["last" as const, "The points are tied, so the last round decides."],
    ["sunny" as const, "The last round is tied, too, so the player who moved Sunny in it wins."],
])("RR-12 the ending tells what decided: %s", (decided_by, text) => {
    const over = view({ result: { winner: 0, decided_by } });
    const result = { reason: "rounds", scores: [9, 9], winners: [0], seat: null };
    expect(ending(result, context({ view: over, names, say }))).toEqual({ text, rule: "RR-12" });
});

test("every message that words ask for is in the catalogue", () => {
    const texts = [
        describePosition(context({ view: toPlay, seat: 0, names, say })),
        prompt(context({ view: view({ turn: null, phase: "over" }), seat: 0, legal: [], say, names })).title,
    ];
    expect(texts.join(" ")).not.toContain("no message");
});
