// @vitest-environment happy-dom
// A replay: the moment in the address, whose view it is, playing on its own, and chapters.
import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api, Trouble } from "../../src/app/api";
import { house } from "../../src/app/house.svelte";
import { Replaying } from "../../src/app/replay/replaying.svelte";
import type { Frame, GameInfo, Replay, TableInfo } from "../../src/app/wire";
import { withEffects } from "./effects.svelte";

const PLIES = 5;
const table = (changes: Partial<TableInfo> = {}): TableInfo =>
    ({
        id: "t1",
        game: "garland",
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

let replaying: Replaying;
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
    ({ value: replaying, destroy } = withEffects(() => new Replaying("t1")));
    flushSync();
    await settle();
}

beforeEach(() => {
    vi.useFakeTimers();
    house.games = [{ id: "garland", title: "Garland" } as unknown as GameInfo];
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
    expect([replaying.ply, replaying.eyes, replaying.seat]).toEqual([3, 1, 1]);
    expect(replaying.view).toEqual({ ply: 3, eyes: 1 });
    destroy();
    await open("?move=99&as=7");
    expect([replaying.ply, replaying.eyes]).toEqual([PLIES, "watcher"]);
    expect(replaying.result?.reason).toBe("done");
});

test("a player sees it from their own seat unless the address says otherwise", async () => {
    await open("", { your_seats: [1] });
    expect(replaying.eyes).toBe(1);
    destroy();
    await open("?as=watcher", { your_seats: [1] });
    expect(replaying.eyes).toBe("watcher");
});

test("a step forward can be animated, a step back or another view cannot", async () => {
    await open();
    replaying.go(1);
    flushSync();
    expect(replaying.before).toEqual({ ply: 0, eyes: "watcher" });
    replaying.go(0);
    flushSync();
    expect(replaying.before).toBeNull();
    replaying.see(0);
    await settle();
    expect([replaying.view, replaying.before]).toEqual([{ ply: 0, eyes: 0 }, null]);
});

test("nothing of one view is shown while another is loaded", async () => {
    await open("?move=2&as=0");
    replay.mockReturnValue(new Promise(() => {}));
    replaying.see(1);
    await settle();
    expect(replaying.frames).toEqual([]);
    expect(replaying.told).toEqual([]);
});

test("it plays to the end, stops there, and starts over when played again", async () => {
    await open("?move=3");
    replaying.play();
    flushSync();
    for (const ply of [4, 5]) {
        await vi.advanceTimersByTimeAsync(1100);
        flushSync();
        expect(replaying.ply).toBe(ply);
    }
    await settle();
    expect(replaying.playing).toBe(false);
    replaying.play();
    flushSync();
    expect([replaying.ply, replaying.playing]).toEqual([0, true]);
    replaying.go(2);
    await vi.advanceTimersByTimeAsync(5000);
    flushSync();
    expect([replaying.ply, replaying.playing]).toEqual([2, false]);
});

test("double speed takes half the time", async () => {
    await open();
    replaying.speed = 2;
    replaying.play();
    flushSync();
    await vi.advanceTimersByTimeAsync(550);
    expect(replaying.ply).toBe(1);
});

test("the address follows the moment once it stays", async () => {
    await open();
    replaying.go(4);
    flushSync();
    await vi.advanceTimersByTimeAsync(300);
    expect(location.search).toBe("?move=4&as=watcher");
});

test("a game that goes on has no frames, and one that does not exist is gone", async () => {
    await open("", { status: "playing" });
    expect([replaying.table?.status, replaying.frames]).toEqual(["playing", []]);
    expect(replay).not.toHaveBeenCalled();
    destroy();
    const problem = { key: "no-table", text: "", parameters: {}, rule: null };
    vi.spyOn(api, "table").mockRejectedValue(new Trouble(problem, 404));
    ({ value: replaying, destroy } = withEffects(() => new Replaying("t1")));
    await settle();
    expect(replaying.gone).toBe(true);
});

test("frames that did not arrive are asked for again after a failure", async () => {
    replay.mockRejectedValueOnce(new Error("offline"));
    await open();
    expect(replaying.trouble).toBeInstanceOf(Error);
    replaying.go(1);
    await settle();
    expect(replay).toHaveBeenCalledTimes(2);
    expect(replaying.view).toEqual({ ply: 1, eyes: "watcher" });
});
