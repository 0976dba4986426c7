// @vitest-environment happy-dom
// A table over a line that breaks: moves count once, only the eyes we asked for are shown, changes come one by one.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LiveTable } from "../../src/client/live-table.svelte";
import { entropyCommitment } from "../../src/client/proof";
import { storedDeal } from "../../src/client/storage";
import type { Update } from "../../src/wire/types";
import { Socket } from "../support/socket";

const line = (): Socket => Socket.all.at(-1) as Socket;

function update(ply: number, changes: Partial<Update> = {}): Update {
    return {
        type: "update",
        ply,
        now: Date.now(),
        move: ply ? { seat: 0, text: `m${ply}`, at: null } : null,
        turn: [0],
        scores: [0, 0],
        views: [{ seat: 0, view: { ply } as never, legal: ["a", "b"], text: null }],
        clock: null,
        begins: null,
        result: null,
        history: null,
        ...changes,
    };
}

let live: LiveTable;

beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("WebSocket", Socket);
    vi.stubGlobal("fetch", () => Promise.reject(new Error("offline")));
    live = new LiveTable("amber-otter-41");
    line().open();
    live.selectViews([0], false);
    line().say(update(0, { history: [] }));
});
afterEach(() => {
    live.end();
    Socket.all = [];
    vi.useRealTimers();
    vi.unstubAllGlobals();
});

describe("a page", () => {
    const visible = (): boolean[] =>
        line()
            .of("visible")
            .map((message) => "visible" in message && message.visible);
    const show = (hidden: boolean): void => {
        vi.spyOn(document, "hidden", "get").mockReturnValue(hidden);
        document.dispatchEvent(new Event("visibilitychange"));
    };
    afterEach(() => void vi.restoreAllMocks());

    test("reports whether it is shown, also after a lost connection", () => {
        expect(visible()).toEqual([true]);
        show(true);
        expect(visible()).toEqual([true, false]);
        line().onclose();
        vi.advanceTimersByTime(60_000);
        line().open();
        expect(visible()).toEqual([false]);
        show(false);
        expect(visible()).toEqual([false, true]);
        live.end();
        show(true);
        expect(visible()).toEqual([false, true]);
    });
});

describe("a move", () => {
    test("blocks others until it is done and shown", () => {
        live.move(0, "a");
        live.move(0, "b");
        const [move] = line().of("move") as { id: string }[];
        expect(line().of("move")).toHaveLength(1);
        line().say({ type: "accepted", id: move?.id ?? "", ply: 0 });
        expect(live.moving).toBe("a");
        line().say(update(1));
        expect(live.moving).toBeNull();
    });

    test("is slow after a second without an answer, and until there is one", () => {
        live.move(0, "a");
        expect(live.slow).toBe(false);
        vi.advanceTimersByTime(1000);
        expect(live.slow).toBe(true);
        line().say({ type: "accepted", id: (line().of("move")[0] as { id: string }).id, ply: 0 });
        expect(live.slow).toBe(false);
    });

    test("is not slow in a race where each answer comes in time, though there is always one under way", () => {
        live.simultaneous = () => true;
        void live.move(0, "m0");
        for (let ply = 0; ply < 5; ply++) {
            vi.advanceTimersByTime(400);
            void live.move(0, `m${ply + 1}`);
            line().say({ type: "accepted", id: (line().of("move")[ply] as { id: string }).id, ply });
            expect(live.slow).toBe(false);
        }
        expect(live.sending).toBe(false);
        vi.advanceTimersByTime(1000);
        expect(live.sending).toBe(true);
        line().say({ type: "accepted", id: (line().of("move")[5] as { id: string }).id, ply: 5 });
        expect(live.sending).toBe(false);
    });

    test("is not what is being sent while another request is slow", () => {
        live.resign(0);
        vi.advanceTimersByTime(1000);
        expect([live.slow, live.sending]).toEqual([true, false]);
    });

    test("finds a connection lost that does not answer", () => {
        line().say({ type: "table", now: Date.now(), table: { id: "amber-otter-41" } as never });
        live.move(0, "a");
        vi.advanceTimersByTime(5000);
        expect(live.state).toBe("lost");
    });

    test("is sent again under its id after the line was lost, and only until it is answered", () => {
        live.move(0, "a");
        const first = line().of("move")[0];
        line().onclose();
        expect(live.shown?.ply).toBe(0);
        vi.advanceTimersByTime(300);
        line().open();
        expect(line().of("select-views")).toHaveLength(1);
        expect(line().of("move")).toEqual([first]);
        line().say({ type: "accepted", id: (first as { id: string }).id, ply: 0 });
        line().onclose();
        vi.advanceTimersByTime(300);
        line().open();
        expect(line().of("move")).toEqual([]);
    });

    test("that is refused can be made differently", () => {
        live.move(0, "a");
        const [move] = line().of("move") as { id: string }[];
        line().say({
            type: "refused",
            id: move?.id ?? "",
            key: "no",
            text: "No.",
            parameters: { slot: 2 } as never,
            rule: "RB-10",
            legal: [],
        });
        expect(live.refused).toMatchObject({ move: "a", rule: "RB-10", parameters: { slot: 2 } });
        live.move(0, "b");
        expect(live.refused).toBeNull();
        expect(line().of("move")).toHaveLength(2);
    });
});

describe("what is shown", () => {
    test("comes one change after the other, and is told in order", () => {
        line().say(update(1));
        line().say(update(2));
        line().say(update(3));
        expect([live.shown?.ply, live.queued]).toEqual([1, 2]);
        vi.advanceTimersByTime(320);
        expect([live.shown?.ply, live.before?.ply, live.queued]).toEqual([2, 1, 1]);
        vi.advanceTimersByTime(320);
        expect(live.shown?.ply).toBe(3);
        expect(live.log.map((told) => told.move.text)).toEqual(["m1", "m2", "m3"]);
    });

    test("settles when it was looked at for as long as it wants, or when somebody goes on", () => {
        live.displayTime = () => 1400;
        line().say(update(1));
        expect(live.settled).toBe(false);
        vi.advanceTimersByTime(1400);
        expect(live.settled).toBe(true);
        line().say(update(2));
        line().say(update(3));
        live.goOn();
        expect(live.settled).toBe(true);
        vi.advanceTimersByTime(0);
        expect([live.shown?.ply, live.settled, live.queued]).toEqual([3, false, 0]);
    });

    test("is never seen through eyes that were closed since", () => {
        live.selectViews([], false);
        line().say(update(1));
        expect(live.shown?.ply).toBe(0);
        const watcher = [{ seat: -1, view: {} as never, legal: [], text: null }];
        line().say(update(1, { views: watcher, history: [{ seat: 0, text: "m1", at: null }] }));
        expect(live.shown?.views[0]?.seat).toBe(-1);
        expect(live.before).toBeNull();
    });

    test("has nothing to animate from where nobody moved", () => {
        line().say(update(1));
        line().say(update(1, { move: null, result: { reason: "resigned" } as never }));
        vi.advanceTimersByTime(320);
        expect([live.shown?.result?.reason, live.before, live.settled]).toEqual(["resigned", null, true]);
    });

    test("keeps after a reconnection what was told before it", () => {
        line().say(update(1));
        const history = [1, 2].map((ply) => ({ seat: 0, text: `m${ply}`, at: null }));
        line().say(update(2, { history }));
        expect(live.log.map((told) => told.seen.size)).toEqual([1, 0]);
    });
});

test("a line that is silent for too long is dropped and taken up again", () => {
    const before = Socket.all.length;
    vi.advanceTimersByTime(8_000);
    expect(live.state).toBe("connecting"); // no table was told yet
    vi.advanceTimersByTime(300);
    expect(Socket.all.length).toBe(before + 1);
});

test("a device that goes offline has lost its connection at once", () => {
    line().say({ type: "table", now: Date.now(), table: { id: "amber-otter-41" } as never });
    expect(live.state).toBe("open");
    dispatchEvent(new Event("offline"));
    expect(live.state).toBe("lost");
});

describe("a deal", () => {
    const seats = [{ kind: "person" }, { kind: "person" }];
    const waiting = { status: "waiting", commitment: "c0", your_seats: [0], seats, commitments: null };
    const hear = (changes: object): void =>
        line().say({ type: "table", now: Date.now(), table: { ...waiting, ...changes } as never });
    const committed = (): string => (line().of("commit")[0] as { commitment: string }).commitment;
    afterEach(() => localStorage.clear());

    test("reveals our entropy only after the commitments of all are published, with ours among them", () => {
        hear({});
        live.ready();
        hear({ commitments: ["another", "foreign"] });
        expect(line().of("ready")).toEqual([]);
        hear({ commitments: [committed(), "foreign"] });
        hear({ commitments: [committed(), "foreign"] });
        const deal = storedDeal("amber-otter-41");
        expect(line().of("ready")).toMatchObject([{ entropy: deal?.entropy }]);
        expect(deal?.commitments).toEqual([committed(), "foreign"]);
        expect(entropyCommitment(deal?.entropy ?? "")).toBe(committed());
    });

    test("goes on after a reload, with the commitments that were kept", () => {
        hear({});
        live.ready();
        const commitment = committed();
        const reload = (): void => {
            live.end();
            live = new LiveTable("amber-otter-41");
            line().open();
        };
        reload();
        hear({ commitments: [commitment, "foreign"] });
        expect(line().of("ready")).toHaveLength(1);
        reload();
        hear({ commitments: [commitment, "chosen-later"] });
        expect(line().of("ready")).toEqual([]);
        hear({ commitments: [commitment, "foreign"] });
        expect(line().of("ready")).toHaveLength(1);
    });

    test("does not reveal anything to a server that changed its commitment", () => {
        hear({});
        live.ready();
        hear({ commitment: "c1", commitments: [committed(), "foreign"] });
        expect(line().of("ready")).toEqual([]);
    });

    test("of a single player needs no commitment", () => {
        hear({ seats: [{ kind: "person" }, { kind: "bot" }] });
        live.ready();
        expect(line().of("commit")).toEqual([]);
        expect(line().of("ready")).toHaveLength(1);
        expect(storedDeal("amber-otter-41")?.commitments).toHaveLength(1);
    });
});
