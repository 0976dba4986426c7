// Nimble in words, and what a race leaves behind.
import { describe, expect, test } from "vitest";
import { fill } from "../../../src/i18n/format";
import type { Say } from "../../../src/board/contract";
import { moveOfKey } from "../../../src/games/nimble/keys";
import en from "../../../src/games/nimble/messages/en.json";
import { paces, places, score, secondComers } from "../../../src/games/nimble/statistics";
import {
    clock,
    describePosition,
    ending,
    logLine,
    logLineFromText,
    prompt,
} from "../../../src/games/nimble/text";
import type { Card, View } from "../../../src/games/nimble/types";
import { FakeTable } from "./table";
import { context } from "../../support/context";

const say: Say = (key, parameters = {}) =>
    fill((en as Record<string, string>)[key] ?? `no message ${key}`, parameters, "en");
const names = ["Ada", "Kofi"];
const card = (frame: string, circle: string, owner = 0): Card => ({ card: owner * 30, owner, frame, circle });

function placed(theirs: Card | null): { before: View; after: View } {
    const table = new FakeTable(2, 1);
    const before = table.view(0);
    const player = before.players[1];
    if (player) player.top = theirs;
    const last = { seat: 0, move: "p2", card: card("M", "E"), stack: 2, covered: card("A", "M") };
    return { before, after: { ...before, last } };
}

describe("the story", () => {
    test("tells placements, and who was second", () => {
        const plain = placed(null);
        expect(logLine(plain.before, plain.after, context({ names, say }))).toBe(
            "You placed **Moby-Dick** on stack 2.",
        );
        const race = placed(card("M", "Q", 1));
        expect(logLine(race.before, race.after, context({ names, say }))).toBe(
            "You beat Kofi to stack 2: **Moby-Dick**.",
        );
        expect(secondComers(race.before, race.after)).toEqual([1]);
    });
    test("leaves out flips", () => {
        const table = new FakeTable(2, 1);
        const before = table.view(0);
        table.play(0, "f");
        expect(logLine(before, table.view(0), context({ names, say }))).toBeNull();
    });
    test.each([
        ["p2", "Kofi placed a card on stack 2."],
        ["t", "Kofi turned the pile over."],
        ["f", ""],
    ])("tells of %s, made before the page was opened: %s", (text, line) => {
        expect(logLineFromText({ seat: 1, text, at: 0 }, context({ names, say }))).toBe(line);
    });
});

test("what is asked never tells what fits", () => {
    const view = new FakeTable(2, 1, "referee").view(0);
    expect(prompt(context({ view, seat: 0, legal: ["f"], say }))).toEqual(
        prompt(context({ view, seat: 0, legal: ["f", "p1", "p2", "p3", "b"], say })),
    );
});

test("the position aloud", () => {
    const view = new FakeTable(2, 1).view(0);
    expect(describePosition(context({ view, seat: 0, names, say }))).toMatch(
        /^1 wants .+, 2 wants .+, 3 wants .+\. Your pile is empty\. 28 cards in your set, 0 on your pile\. Kofi: 29 cards left\.$/,
    );
});

test("the ending: out, and who was struck", () => {
    const view = new FakeTable(2, 1).view(0);
    const player = view.players[1];
    if (player) player.left = 1;
    const over = {
        reason: "out" as const,
        winners: [0],
        places: [1, 2],
        disqualified: [1],
        mistakes: [],
        stacks: [],
    };
    const result = { reason: "out", scores: [20, 1], winners: [0], seat: null };
    expect(ending(result, context({ view: { ...view, result: over }, names, say }))).toEqual({
        text: "Kofi has only one card left. Kofi placed a card that doesn’t fit.",
        rule: "NB-16",
    });
});

describe("what is left behind", () => {
    test("each player's pace, from what is left and what was placed", () => {
        const view = new FakeTable(2, 1).view(0);
        const moves = [
            { seat: 0, text: "f", at: 300 },
            { seat: 0, text: "p1", at: 900 },
            { seat: 1, text: "p2", at: 1200 },
            { seat: 0, text: "p1", at: 1500 },
        ];
        const [ada] = paces(view, moves);
        expect(ada).toEqual([
            { at: 0, left: 30 },
            { at: 900, left: 29 },
            { at: 1500, left: 28 },
        ]);
    });
    test("races won and lost", () => {
        const runs = [
            { at: 1, winner: 0, losers: [1] },
            { at: 2, winner: 1, losers: [0, 2] },
        ];
        expect(score(runs, 0)).toEqual({ won: 1, lost: 1 });
        expect(score(runs, 2)).toEqual({ won: 0, lost: 1 });
    });
    test("places by cards left; equal counts share", () => {
        expect(places(new FakeTable(3, 1).view(0))).toEqual([1, 1, 1]);
        expect(places(new FakeTable(2, 1).view(0))).toEqual([1, 2]);
    });
});

describe("keys", () => {
    test("of one player", () => {
        expect(moveOfKey(" ", "Space", 1)).toEqual({ player: 0, move: "f" });
        expect(["1", "J", "2", "k", "3", "l"].map((key) => moveOfKey(key, "", 1)?.move)).toEqual([
            "p1",
            "p1",
            "p2",
            "p2",
            "p3",
            "p3",
        ]);
        expect(moveOfKey("&", "Digit1", 1)?.move).toBe("p1");
        expect(moveOfKey("x", "KeyX", 1)).toBeNull();
    });
    test("of two, from two sides", () => {
        expect([..."aqwesd"].map((key) => moveOfKey(key, "", 2))).toEqual(
            ["f", "p1", "p2", "p3", "b", "t"].map((move) => ({ player: 0, move })),
        );
        expect([..."luiokj"].map((key) => moveOfKey(key, "", 2))).toEqual(
            ["f", "p1", "p2", "p3", "b", "t"].map((move) => ({ player: 1, move })),
        );
        expect(moveOfKey(" ", "Space", 2)).toBeNull();
    });
});

test("minutes and seconds", () => expect([0, 9999, 84_000].map(clock)).toEqual(["0:00", "0:09", "1:24"]));

test("the pace of a player", () => {
    const line = (placed: number): string =>
        say("after.pace.line", { who: "you", name: "", left: 30 - placed, placed, pace: 2.5 });
    expect(line(0)).toBe("You: 30 cards left, none placed.");
    expect(line(29)).toBe("You: 1 card left, 29 placed, one every 2.5 s.");
});
