// @vitest-environment happy-dom
// What Rainbow says, and what it keeps to itself.
import { describe, expect, test } from "vitest";
import { scenes } from "../../../src/games/rainbow/scenes";
import {
    describePosition,
    prompt,
    ending,
    heading,
    eventWords,
    logLineFromText,
    logLine,
} from "../../../src/games/rainbow/text";
import { last, lost, names, played, say, turned, view } from "./views";
import { context } from "../../support/context";

const asked = (of = view(), seat = 0): string =>
    prompt(context({ view: of, seat, legal: [], say, names })).title;

describe("what is asked", () => {
    test("RB-8 a card, at the beginning", () => {
        expect(asked()).toBe("Your turn: play a card");
    });
    test("RB-9 before the first card one of the row may turn over", () => {
        const asks = prompt(
            context({
                view: view({ row: [{ card: 9, face: "G" }], may_turn_over: true }),
                seat: 0,
                legal: [],
                say,
                names,
            }),
        );
        expect(asks.title).toBe("Play a card, or turn one over first");
        expect(asks.detail).toBe("Row: green. You can turn one of them over before your first card.");
    });
    test("RB-10 after a card, turning over; after that, a card", () => {
        expect(asked(played)).toBe("Turn a card over, or end your turn");
        expect(asked(turned)).toBe("Play another card, or end your turn");
    });
    test("others and watchers are told who is asked", () => {
        expect(asked(view({ viewer: 1 }), 1)).toBe("Ada is choosing a card.");
        expect(asked(view({ viewer: -1 }), -1)).toBe("Ada is choosing a card.");
    });
    test("nothing, when it is over", () => {
        expect(asked(view({ turn: null }))).toBe("The game is over");
    });
});

describe("the log", () => {
    test("names the face that came up, with its swatch", () => {
        expect(logLine(view(), played, context({ names, say, view: played }))).toBe(
            "You played card 1: <orange>**orange**.",
        );
    });
    test("forgets a face once it is hidden", () => {
        const told = logLine(view(), played, context({ names, say, view: turned }));
        expect(told).toBe("You played card 1.");
    });
    test("remembers it where the table has the memory aid", () => {
        const aided = view({ ...turned, row: [{ card: 0, face: "R", under: "O" }] });
        expect(logLine(view(), played, context({ names, say, view: aided }))).toContain("<orange>**orange**");
    });
    test("RB-15 says why a round was lost, and forgets the colour with the next move", () => {
        expect(logLine(turned, lost, context({ names, say, view: lost }))).toBe(
            "You played card 3 blind: <red>**red**. Card 1 already shows it: you lose the round. Mira takes 2 cards.",
        );
        const later = view({ ...lost, last: last({ move: "S1", face: "G" }), row: [{ card: 3, face: "G" }] });
        expect(logLine(turned, lost, context({ names, say, view: later }))).not.toMatch(/red/);
    });
    test("says the same to the other one, with names", () => {
        const theirs = { ...lost, viewer: 1 };
        expect(logLine(null, theirs, context({ names, say, view: theirs }))).toMatch(
            /^Ada played card 3 blind: .*Ada loses.*You take 2 cards\.$/,
        );
    });
    test("tells moves it has only the text of, without a face", () => {
        expect(
            logLineFromText(
                { seat: 1, text: "F2", at: null },
                context({ names, say, seat: 0, view: view() }),
            ),
        ).toBe("Mira turned over card 2 of the row.");
        expect(
            logLineFromText({ seat: 0, text: "E", at: null }, context({ names, say, seat: 0, view: view() })),
        ).toBe("You ended your turn.");
    });
    test("tells the face of a card that lies open now, from the moves alone", () => {
        const moves = ["S1", "F1", "E", "B2", "F1"].map((text, i) => ({
            seat: i < 3 ? 1 : 0,
            text,
            at: null,
        }));
        const row = [
            { card: 50, face: "O" },
            { card: 2, face: "V" },
        ];
        const lines = moves.map((move) =>
            logLineFromText(move, context({ names, say, seat: 0, moves, view: view({ row }) })),
        );
        expect(lines.map((line) => /<(\w+)>/.exec(line)?.[1] ?? null)).toEqual([
            "orange",
            null,
            null,
            "violet",
            "orange",
        ]);
    });
    test("is headed by the round of its newest line", () => {
        expect(heading(context({ view: lost, names, say })).title).toBe("Round 1");
        expect(heading(context({ view: view({ round: 2 }), names, say })).title).toBe("Round 2");
    });
});

test("a screen reader hears the row, the hands, the deck and the piles", () => {
    expect(describePosition(context({ view: turned, seat: 0, names, say }))).toBe(
        "Row, 1 of 6: red. Your cards: no card, light, violet. Mira’s cards: shade, indigo, red. " +
            "51 cards left in the deck. Your next card shows green. You have won 0 cards. Mira has won 0 cards.",
    );
});

describe("a round that ended", () => {
    test("is shown as it lay, before the view that is past it", () => {
        const [event, after] = scenes(turned, lost);
        expect(event?.row.map((card) => card.face)).toEqual(["R", "R"]);
        expect(event?.hands[0]).toEqual([null, { card: 1, face: "W" }, null]);
        expect(event?.piles).toEqual([0, 0]);
        expect(event?.event).toMatchObject({
            end: "clash",
            place: 1,
            clashesWith: 0,
            taker: 1,
            count: 2,
            to: 2,
        });
        expect(after?.row).toEqual([]);
        expect(after?.event).toBeNull();
    });
    test("is not shown through other eyes", () => {
        expect(scenes({ ...turned, viewer: 1 }, lost)).toHaveLength(1);
        expect(scenes(null, lost)).toHaveLength(1);
    });
    test("is told with its rule", () => {
        const event = scenes(turned, lost)[0]!.event!;
        expect(eventWords(event, 0, names, say)).toEqual({
            title: "Red came up, but red is already in the row",
            text: "Your blind card ends the round. Mira takes both cards. You start the next round.",
            rule: "RB-15",
            score: "Mira 0 → 2",
        });
    });
});

test("RB-21 the end is told with its rule", () => {
    const result = { reason: "deck", scores: [30, 21], winners: [0], seat: null };
    expect(ending(result, context({ view: lost, names, say }))).toEqual({
        text: "The deck ran out.",
        rule: "RB-21",
    });
});
