// @vitest-environment happy-dom
// What the seats say at the end of a game: a draw is a draw at a table, in a replay and in a lesson.
import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { api } from "../../src/client/api";
import { Client } from "../../src/client/context";
import { LessonSession } from "../../src/pages/lesson/lesson-session.svelte";
import { ReplaySession } from "../../src/pages/replay/replay-session.svelte";
import { TableSession } from "../../src/pages/table/table-session.svelte";
import { outcome } from "../../src/stage/seats";
import type { StageSession } from "../../src/stage/stage-session.svelte";
import type { GameInfo, Lesson, LessonAnswer, Replay, Result, TableInfo } from "../../src/wire/types";
import { withEffects } from "../support/effects.svelte";
import { Socket } from "../support/socket";

const client = new Client();
const result = (winners: number[]): Result => ({ reason: "done", scores: [3, 3], winners, seat: null });
const position = { ply: 0, turn: [], scores: [3, 3], view: {}, text: null };
let destroy = (): void => {};

beforeEach(() => {
    vi.stubGlobal("WebSocket", Socket);
    client.app.games = [{ id: "toy", title: "Toy", lesson: true } as unknown as GameInfo];
});
afterEach(() => {
    destroy();
    Socket.all = [];
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
});

const table = (end: Result): TableInfo =>
    ({
        id: "t1",
        game: "toy",
        status: "finished",
        ply: 0,
        your_seats: [0],
        seats: ["Ada", "Mira"].map((name) => ({ name, kind: "person", connected: true })),
        options: {},
        result: end,
    }) as unknown as TableInfo;

const open = {
    table(end: Result): StageSession {
        const session = new TableSession(client, "t1");
        const socket = Socket.all[0]!;
        socket.open();
        socket.say({ type: "table", now: Date.now(), table: table(end) } as never);
        const views = [{ seat: 0, view: {}, legal: [], text: null }];
        const more = { move: null, views, clock: null, begins: null, result: end, history: [] };
        socket.say({ type: "update", now: Date.now(), ...position, ...more } as never);
        return session;
    },
    replay(end: Result): StageSession {
        vi.spyOn(api, "table").mockResolvedValue(table(end));
        vi.spyOn(api, "replay").mockResolvedValue({ frames: [position], moves: [] } as unknown as Replay);
        return new ReplaySession(client, "t1");
    },
    lesson(end: Result): StageSession {
        const step = { id: "one", kind: "step", seat: 0, options: {}, title: "", text: "", turns: [] };
        const lesson = { about: "", names: ["Mira"], steps: [step] } as unknown as Lesson;
        const frames = [{ ...position, legal: [], result: end }];
        const answer = {
            verdict: "begun",
            turn: 0,
            moves: [],
            frames,
            say: null,
            shown: null,
            refusal: null,
        };
        vi.spyOn(api, "lesson").mockResolvedValue(lesson);
        vi.spyOn(api, "tryStep").mockResolvedValue(answer as unknown as LessonAnswer);
        return new LessonSession(client, "toy");
    },
};

describe.each(["table", "replay", "lesson"] as const)("at the end of a %s", (kind) => {
    test.each([
        [
            [0, 1],
            ["drawn", "drawn"],
            ["draw", "draw"],
        ],
        [[], ["drawn", "drawn"], ["draw", "draw"]],
        [[1], ["lost", "won"], ["lost", "won"]],
    ])("that %j won, the seats say so", async (winners, results, lines) => {
        const made = withEffects(() => open[kind](result(winners)));
        destroy = made.destroy;
        await vi.waitFor(() => {
            flushSync();
            expect(made.value.plates.map((plate) => plate.result)).toEqual(results);
        });
        expect(made.value.plates.map((plate) => plate.line)).toEqual(lines);
    });
});

test("of three, a seat that is no winner of a draw has lost", () => {
    expect([0, 1, 2].map((seat) => outcome(result([0, 1]), seat))).toEqual(["drawn", "drawn", "lost"]);
});

describe("a player who does not move for long", () => {
    const DAY = 86_400_000;
    const line = (seat: object, more: object = {}): string | undefined => {
        const made = withEffects(() => new TableSession(client, "t1"));
        destroy = made.destroy;
        const socket = Socket.all[0]!;
        socket.open();
        const seats = [
            { name: "Ada", kind: "person", connected: true },
            { name: "Mira", kind: "person", connected: false, ...seat },
        ];
        const playing = { ...table(result([])), status: "playing", seats, result: null, ...more };
        socket.say({ type: "table", now: Date.now(), table: playing } as never);
        const views = [{ seat: 0, view: {}, legal: [], text: null }];
        const update = { ...position, turn: [1], move: null, views, begins: null, result: null, history: [] };
        const clock = { left: [1000, 5000], running: 1, at: Date.now(), paused_until: Date.now() + DAY };
        socket.say({ type: "update", now: Date.now(), ...update, clock } as never);
        flushSync();
        expect(made.value.clock(1)?.pausedUntil).toBeGreaterThan(Date.now());
        return made.value.plates[1]?.line;
    };

    test("is on holiday until a day", () => {
        expect(line({ away_until: Date.UTC(2199, 0, 15, 12) })).toMatch(/^on holiday until Jan 15$/);
        destroy();
        Socket.all = [];
        expect(line({ away_until: Date.now() - DAY }, { updated: Date.now() })).toBe("to move");
    });

    test("is away for days", () => {
        expect(line({}, { updated: Date.now() - 3.5 * DAY })).toBe("away for 3 days");
        destroy();
        Socket.all = [];
        expect(line({}, { updated: Date.now() - 1.5 * DAY })).toBe("to move");
        destroy();
        Socket.all = [];
        expect(line({ connected: true }, { updated: Date.now() - 3.5 * DAY })).toBe("to move");
    });
});
