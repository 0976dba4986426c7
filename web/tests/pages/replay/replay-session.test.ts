// @vitest-environment happy-dom
// A replay: the moment in the address, whose view it is, playing on its own, and chapters.
import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api, ApiError } from "../../../src/client/api";
import { Client } from "../../../src/client/context";
import { loadGame } from "../../../src/client/games";
import { ReplaySession } from "../../../src/pages/replay/replay-session.svelte";
import type { Frame, GameInfo, Replay, TableInfo } from "../../../src/wire/types";
import { lost, turned, view } from "../../games/rainbow/views";
import { withEffects } from "../../support/effects.svelte";

const client = new Client();
const PLIES = 5;
const table = (changes: Partial<TableInfo> = {}): TableInfo =>
    ({
        id: "t1",
        game: "toy",
        status: "finished",
        ply: PLIES,
        your_seats: [],
        seats: [{ name: "Ada" }, { name: "Mira" }],
        options: {},
        result: { reason: "done", winners: [0] },
        ...changes,
    }) as unknown as TableInfo;

const frame = (ply: number, eyes: unknown): Frame => ({
    ply,
    turn: [ply % 2],
    scores: [0, 0],
    view: { ply, eyes } as never,
    text: { drawing: "", description: `move ${ply}` } as never,
});

let replaySession: ReplaySession;
let destroy: () => void = () => {};
const replay = vi.spyOn(api, "replay");

async function settle(): Promise<void> {
    for (let i = 0; i < 5; i++) {
        await vi.advanceTimersByTimeAsync(0);
        flushSync();
    }
}
async function open(query = "", changes: Partial<TableInfo> = {}): Promise<void> {
    vi.spyOn(api, "table").mockResolvedValue(table(changes));
    history.replaceState(null, "", `/t/t1/replay${query}`);
    ({ value: replaySession, destroy } = withEffects(() => new ReplaySession(client, "t1")));
    flushSync();
    await settle();
}

beforeEach(() => {
    vi.useFakeTimers();
    client.app.games = [{ id: "toy", title: "Toy" } as unknown as GameInfo];
    replay.mockReset();
    replay.mockImplementation((_id, eyes) =>
        Promise.resolve({
            frames: Array.from({ length: PLIES + 1 }, (_, ply) => frame(ply, eyes)),
            moves: Array.from({ length: PLIES }, (_, at) => ({ seat: at % 2, text: `m${at + 1}`, at: null })),
        } as unknown as Replay),
    );
});
afterEach(() => {
    destroy();
    vi.useRealTimers();
});

test("it opens at the moment and the view of the address, and no later than the end", async () => {
    await open("?move=3&as=1");
    expect([replaySession.ply, replaySession.viewpoint, replaySession.seat]).toEqual([3, 1, 1]);
    expect(replaySession.view).toEqual({ ply: 3, eyes: 1 });
    destroy();
    await open("?move=99&as=7");
    expect([replaySession.ply, replaySession.viewpoint]).toEqual([PLIES, "watcher"]);
    expect(replaySession.result?.reason).toBe("done");
});

test("a player sees it from their own seat unless the address says otherwise", async () => {
    await open("", { your_seats: [1] });
    expect(replaySession.viewpoint).toBe(1);
    destroy();
    await open("?as=watcher", { your_seats: [1] });
    expect(replaySession.viewpoint).toBe("watcher");
});

test("a step forward can be animated, a step back or another view cannot", async () => {
    await open();
    replaySession.go(1);
    flushSync();
    expect(replaySession.before).toEqual({ ply: 0, eyes: "watcher" });
    replaySession.go(0);
    flushSync();
    expect(replaySession.before).toBeNull();
    replaySession.see(0);
    await settle();
    expect([replaySession.view, replaySession.before]).toEqual([{ ply: 0, eyes: 0 }, null]);
});

test("nothing of one view is shown while another is loaded", async () => {
    await open("?move=2&as=0");
    replay.mockReturnValue(new Promise(() => {}));
    replaySession.see(1);
    await settle();
    expect(replaySession.frames).toEqual([]);
    expect(replaySession.lines).toEqual([]);
});

test("it plays to the end, stops there, and starts over when played again", async () => {
    await open("?move=3");
    replaySession.play();
    flushSync();
    for (const ply of [4, 5]) {
        await vi.advanceTimersByTimeAsync(1100);
        flushSync();
        expect(replaySession.ply).toBe(ply);
    }
    await settle();
    expect(replaySession.playing).toBe(false);
    replaySession.play();
    flushSync();
    expect([replaySession.ply, replaySession.playing]).toEqual([0, true]);
    replaySession.go(2);
    await vi.advanceTimersByTimeAsync(5000);
    flushSync();
    expect([replaySession.ply, replaySession.playing]).toEqual([2, false]);
});

test("double speed takes half the time", async () => {
    await open();
    replaySession.speed = 2;
    replaySession.play();
    flushSync();
    await vi.advanceTimersByTimeAsync(550);
    expect(replaySession.ply).toBe(1);
});

test("the address follows the moment once it stays", async () => {
    await open();
    replaySession.go(4);
    flushSync();
    await vi.advanceTimersByTimeAsync(300);
    expect(location.search).toBe("?move=4&as=watcher");
});

test("a game that goes on has no frames, and one that does not exist is gone", async () => {
    await open("", { status: "playing" });
    expect([replaySession.table?.status, replaySession.frames]).toEqual(["playing", []]);
    expect(replay).not.toHaveBeenCalled();
    destroy();
    const problem = { key: "no-table", text: "", parameters: {}, rule: null };
    vi.spyOn(api, "table").mockRejectedValue(new ApiError(problem, 404));
    ({ value: replaySession, destroy } = withEffects(() => new ReplaySession(client, "t1")));
    await settle();
    expect(replaySession.gone).toBe(true);
});

test("frames that did not come are asked for again after a failure", async () => {
    replay.mockRejectedValueOnce(new Error("offline"));
    await open();
    expect(replaySession.trouble).toBeInstanceOf(Error);
    replaySession.go(1);
    await settle();
    expect(replay).toHaveBeenCalledTimes(2);
    expect(replaySession.view).toEqual({ ply: 1, eyes: "watcher" });
});

test("a move that ends a round belongs to it, and the next round begins after it", async () => {
    await loadGame("rainbow"); // so that the session has it in a tick
    const views = [view(), turned, lost, view({ round: 2 }), view({ round: 2 }), view({ round: 2 })];
    replay.mockResolvedValue({
        frames: views.map((shown, ply) => ({ ...frame(ply, "watcher"), view: shown as never })),
        moves: views.slice(1).map(() => ({ seat: 0, text: "E", at: null })),
    } as unknown as Replay);
    await open("", { game: "rainbow" });
    expect(replaySession.chapters).toEqual([
        { ply: 0, title: "Round 1" },
        { ply: 2, title: "Round 2" },
    ]);
    const shown = [0, 2, 3].map((ply) => {
        replaySession.go(ply);
        flushSync();
        return replaySession.chapter;
    });
    expect(shown).toEqual(["Round 1", "Round 1", "Round 2"]);
});
