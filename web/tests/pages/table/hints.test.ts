// @vitest-environment happy-dom
// Hints are offered to whoever may act, told once, and gone with the position they were for.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Context } from "../../../src/board/contract";
import { api, ApiError } from "../../../src/client/api";
import { Hints, odds } from "../../../src/pages/table/hints.svelte";
import type { TableSession } from "../../../src/pages/table/table-session.svelte";
import { Props } from "../../games/rainbow/props.svelte";

function sit(changes: Record<string, unknown> = {}) {
    return new Props({
        id: "t1",
        seat: 0,
        mine: [0] as number[],
        turn: [0] as number[],
        simultaneous: false,
        curtainFor: null as number | null,
        table: { hints: true },
        live: { state: "open", shown: { ply: 4 }, log: [] as { ply: number; move: { seat: number } }[] },
        legal: ["S1", "E"],
        view: { row: 1 },
        names: ["Ada", "Mira"],
        gameSay: (key: string) => key,
        module: { hintText: (text: string, { view }: Context) => `do ${text} on ${view.row}` },
        client: { announcer: { now: () => {} } },
        context() {
            return this;
        },
        ...changes,
    }).all;
}
const told = (ply: number) => ({
    ply,
    moves: [
        { text: "S1", chance: 0.62 },
        { text: "E", chance: 0.4 },
    ],
});
let fake: ReturnType<typeof sit>;
let hints: Hints;
const createHints = (changes: Record<string, unknown> = {}): void => {
    fake = sit(changes);
    hints = new Hints(fake as unknown as TableSession);
};

beforeEach(() => createHints());
afterEach(() => void vi.restoreAllMocks());

test("they are offered only where the table has them, to whoever looks and may act", () => {
    expect(hints.offered).toBe(true);
    fake.turn = [1];
    expect(hints.offered).toBe(false);
    fake.turn = [0];
    fake.table = { hints: false };
    expect(hints.offered).toBe(false);
    createHints({ curtainFor: 0 });
    expect(hints.offered).toBe(false);
    createHints({ simultaneous: true, mine: [0, 1] });
    expect(hints.offered).toBe(false);
});

test("the best is marked, then the one that is chosen, until the table moves on", async () => {
    vi.spyOn(api, "hint").mockResolvedValue(told(4));
    await hints.toggle();
    expect(hints.moves.map(({ words }) => words)).toEqual(["do S1 on 1", "do E on 1"]);
    expect(hints.marked).toBe("S1");
    hints.choose(1);
    expect(hints.marked).toBe("E");
    fake.live.shown = { ply: 5 };
    expect(hints.moves).toEqual([]);
    expect(hints.marked).toBeNull();
});

test("what comes for other eyes, or after it was put away, is not shown", async () => {
    vi.spyOn(api, "hint").mockResolvedValue(told(4));
    await hints.toggle();
    fake.seat = 1;
    fake.mine = [0, 1];
    fake.turn = [1];
    expect(hints.moves).toEqual([]);
    createHints();
    const late = hints.toggle();
    hints.dismiss();
    await late;
    expect(hints.moves).toEqual([]);
    expect(hints.asking).toBe(false);
});

test("in a race they outlast the others' moves, as long as they mean the same", async () => {
    createHints({ simultaneous: true });
    vi.spyOn(api, "hint").mockResolvedValue(told(4));
    await hints.toggle();
    fake.live.shown = { ply: 5 };
    fake.live.log = [{ ply: 5, move: { seat: 1 } }];
    expect(hints.moves).toHaveLength(2);
    fake.legal = ["E"];
    expect(hints.moves.map(({ text }) => text)).toEqual(["E"]);
    fake.view = { row: 2 };
    expect(hints.moves).toEqual([]);
    fake.view = { row: 1 };
    fake.live.log = [...fake.live.log, { ply: 6, move: { seat: 0 } }];
    expect(hints.moves).toEqual([]);
});

test("what goes wrong is a warning", async () => {
    const problem = { key: "no-answer", text: "none", parameters: {}, rule: null };
    vi.spyOn(api, "hint").mockRejectedValue(new ApiError(problem, 503));
    await hints.toggle();
    expect(hints.trouble).toBe("No bot is free right now. Try again.");
    expect(hints.moves).toEqual([]);
});

test("chances as people read them", () => {
    expect([0.624, 0.999, 0.001, 1, 0, null].map(odds)).toEqual([
        "62\u00a0%",
        "99\u00a0%",
        "1\u00a0%",
        "100\u00a0%",
        "0\u00a0%",
        "the only move",
    ]);
});
