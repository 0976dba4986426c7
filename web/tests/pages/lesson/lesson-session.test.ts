// @vitest-environment happy-dom
// A lesson: what is asked, what a right, a wrong and a refused move lead to, and which steps are kept as learnt.
import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api } from "../../../src/client/api";
import { Client } from "../../../src/client/context";
import { LessonSession } from "../../../src/pages/lesson/lesson-session.svelte";
import type { GameInfo, Lesson, LessonAnswer, LessonFrame, LessonTurn } from "../../../src/wire/types";
import { withEffects } from "../../support/effects.svelte";

const client = new Client();
const GAME = "toy"; // a game without a board of its own: it is played on the generic table

const turn = (ask: string): LessonTurn => ({
    ask,
    right: `right: ${ask}`,
    wrong: { low: "Too low." },
    hint: null,
    offer: [],
    mark: false,
});
const lesson = {
    about: "",
    names: ["Mira"],
    steps: [
        {
            id: "one",
            kind: "step",
            seat: 0,
            options: {},
            title: "One",
            text: "",
            turns: [turn("2?"), turn("1?")],
        },
        { id: "two", kind: "win", seat: 0, options: {}, title: "Two", text: "", turns: [turn("3?")] },
    ],
} as unknown as Lesson;

const frame = (ply: number): LessonFrame => ({
    ply,
    turn: [0],
    scores: [0, 0],
    view: { ply } as never,
    legal: ["1", "2"],
    result: null,
    text: null,
});
const moved = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ seat: 0, text: `${at}`, at: null }));
function answer(verdict: LessonAnswer["verdict"], changes: Partial<LessonAnswer> = {}): LessonAnswer {
    return {
        verdict,
        turn: 0,
        moves: [],
        frames: [frame(0)],
        say: null,
        shown: "2",
        refusal: null,
        ...changes,
    };
}

let lessonSession: LessonSession;
let destroy: () => void;
const tryStep = vi.spyOn(api, "tryStep");

async function settle(): Promise<void> {
    for (let i = 0; i < 5; i++) {
        await vi.advanceTimersByTimeAsync(0);
        flushSync();
    }
}
async function send(text: string, reply: LessonAnswer): Promise<void> {
    tryStep.mockResolvedValueOnce(reply);
    void lessonSession.send(text);
    await settle();
    await vi.advanceTimersByTimeAsync(3000);
    flushSync();
}

async function begin(): Promise<void> {
    tryStep.mockResolvedValue(answer("begun"));
    ({ value: lessonSession, destroy } = withEffects(() => new LessonSession(client, GAME)));
    flushSync();
    await settle();
}

beforeEach(async () => {
    vi.useFakeTimers();
    localStorage.clear();
    client.app.games = [{ id: GAME, title: "Toy", lesson: true } as unknown as GameInfo];
    vi.spyOn(api, "lesson").mockResolvedValue(lesson);
    tryStep.mockReset();
    await begin();
});
afterEach(() => {
    destroy();
    vi.useRealTimers();
});

test("it begins with the first question, and its legal moves", () => {
    expect([lessonSession.at, lessonSession.turnIndex, lessonSession.phase]).toEqual([0, 0, "asked"]);
    expect(lessonSession.asks?.ask).toBe("2?");
    expect(lessonSession.legal).toEqual(["1", "2"]);
});

test("while a move is judged, no other is taken", async () => {
    tryStep.mockReset();
    tryStep.mockReturnValue(new Promise(() => {}));
    void lessonSession.send("2");
    void lessonSession.send("1");
    await settle();
    expect(tryStep).toHaveBeenCalledTimes(1);
    expect([lessonSession.phase, lessonSession.legal]).toEqual(["shown", []]);
});

test("a right move leads to the next question, which is judged after it", async () => {
    await send("2", answer("right", { turn: 1, moves: moved(2), frames: [frame(1), frame(2)], shown: "1" }));
    expect(lessonSession.said).toMatchObject({ kind: "right", text: "right: 2?" });
    expect([lessonSession.turnIndex, lessonSession.asks?.ask, lessonSession.phase]).toEqual([
        1,
        "1?",
        "asked",
    ]);
    expect(lessonSession.shown?.frame.ply).toBe(2);
    await send("1", answer("right", { turn: 1, moves: moved(3), frames: [frame(3)], shown: null }));
    expect(tryStep.mock.lastCall?.[2].moves).toEqual(["2", "1"]);
    expect(lessonSession.phase).toBe("done");
    expect(lessonSession.learnt).toEqual(["one"]);
});

test("a wrong move is shown and explained, and taken back by trying again", async () => {
    await send("1", answer("wrong", { say: "low", moves: moved(1), frames: [frame(1)], shown: null }));
    expect([lessonSession.phase, lessonSession.legal]).toEqual(["wrong", []]);
    expect(lessonSession.said).toMatchObject({ kind: "wrong", text: "Too low." });
    expect(lessonSession.shown?.frame.ply).toBe(1);
    lessonSession.again();
    flushSync();
    expect([lessonSession.phase, lessonSession.said, lessonSession.shown?.frame.ply]).toEqual([
        "asked",
        null,
        0,
    ]);
    expect(lessonSession.learnt).toEqual([]);
});

test("a refused move leaves the question, and names its rule", async () => {
    const refusal = { key: "no", text: "You can’t play it now.", parameters: {}, rule: "DU-1" };
    await send("5", answer("refused", { frames: [], refusal }));
    expect(lessonSession.phase).toBe("asked");
    expect(lessonSession.said).toEqual({ kind: "refused", text: "You can’t play it now.", rule: "DU-1" });
    expect(lessonSession.refused).toMatchObject({ move: "5", rule: "DU-1" });
    await send("2", answer("right", { turn: 1, moves: moved(1), frames: [frame(1)], shown: "1" }));
    expect(lessonSession.refused).toBeNull();
});

test("a move that did not reach the server can be made again", async () => {
    tryStep.mockRejectedValueOnce(new Error("offline"));
    void lessonSession.send("2");
    await settle();
    expect([lessonSession.phase, lessonSession.trouble instanceof Error]).toEqual(["asked", true]);
});

test("steps that were learnt are kept, and the lesson goes on after them", async () => {
    lessonSession.go(1);
    flushSync();
    await settle();
    await send("3", answer("right", { frames: [frame(1)], moves: moved(1), shown: null }));
    expect(lessonSession.learnt).toEqual(["two"]);
    destroy();
    await begin();
    expect([lessonSession.learnt, lessonSession.step?.id]).toEqual([["two"], "one"]);
    expect(lessonSession.count(lessonSession.steps[1]!)).toEqual({ number: 1, of: 1 });
});

test("the answer to a step that was left is ignored", async () => {
    let reply!: (answer: LessonAnswer) => void;
    tryStep.mockReturnValueOnce(new Promise((resolve) => (reply = resolve)));
    void lessonSession.send("2");
    lessonSession.go(1);
    flushSync();
    await settle();
    reply(answer("right", { turn: 1, shown: null }));
    await settle();
    expect([lessonSession.step?.id, lessonSession.phase, lessonSession.said]).toEqual(["two", "asked", null]);
});
