// @vitest-environment happy-dom
// The page of a table: whose view is asked for and shown, the curtain of a shared device, refusals, the lost connection.
import { cleanup, render, screen } from "@testing-library/svelte";
import { flushSync } from "svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { loadGame } from "../../../src/client/games";
import { CLIENT, Client } from "../../../src/client/context";
import TablePage from "../../../src/pages/table/TablePage.svelte";
import type { GameInfo, TableInfo, Update } from "../../../src/wire/types";
import { view as rainbow } from "../../games/rainbow/views";
import { Socket } from "../../support/socket";

const client = new Client();
const NAMES = ["Ada", "Jonas"];
const LEGAL = ["S1", "S2", "S3", "B1", "B2", "B3"];

const table = (changes: Partial<TableInfo> = {}): TableInfo =>
    ({
        id: "t1",
        game: "rainbow",
        status: "playing",
        ply: 0,
        your_seats: [0],
        seats: NAMES.map((name, seat) => ({
            seat,
            name,
            kind: "person",
            present: true,
            ready: true,
            rematch: false,
        })),
        options: {},
        clock: { kind: "none" },
        result: null,
        next: null,
        seed: null,
        hints: false,
        proof: null,
        commitment: "00",
        is_owner: true,
        public: false,
        rated: false,
        ...changes,
    }) as unknown as TableInfo;

/** An update as the server sends it for these seats; hidden cards of the others are "?". */
function update(ply: number, turn: number, seats: number[], changes: Partial<Update> = {}): Update {
    return {
        type: "update",
        ply,
        now: Date.now(),
        move: ply ? { seat: 1 - turn, text: "E", at: null } : null,
        turn: [turn],
        scores: [0, 0],
        views: seats.map((seat) => ({
            seat,
            view: rainbow({ viewer: seat, turn, next: seat < 0 ? null : "G" }) as never,
            legal: seat === turn ? LEGAL : [],
            text: null,
        })),
        clock: null,
        begins: null,
        result: null,
        history: null,
        ...changes,
    } as Update;
}

const socket = (): Socket => Socket.all.at(-1) as Socket;
const looks = (): unknown[] =>
    socket()
        .of("select-views")
        .map((message) => (message as { seats: number[] }).seats);
const moves = (): { id: string; text: string }[] => socket().of("move") as { id: string; text: string }[];

async function settle(ms = 0): Promise<void> {
    for (let i = 0; i < 5; i++) {
        await vi.advanceTimersByTimeAsync(i ? 0 : ms);
        flushSync();
    }
}
async function open(changes: Partial<TableInfo> = {}): Promise<void> {
    render(TablePage, { props: { id: "t1" }, context: new Map([[CLIENT, client]]) });
    socket().open();
    socket().say({ type: "table", table: table(changes) } as never);
    await settle();
}
const press = async (key: string, target: EventTarget = document.body): Promise<void> => {
    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    await settle();
};
const curtain = (): string | null =>
    screen.queryByRole("heading", { name: /Pass the device to/ })?.textContent ?? null;
const cards = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(".mine button")];
const enabled = (): HTMLElement[] => cards().filter((card) => card.getAttribute("aria-disabled") !== "true");

beforeAll(async () => {
    await loadGame("rainbow"); // so that a page has it in a tick
}, 60_000);
beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("WebSocket", Socket);
    vi.stubGlobal("fetch", () => Promise.reject(new Error("offline")));
    client.app.games = [
        {
            id: "rainbow",
            title: "Rainbow",
            simultaneous: false,
            options: [],
            levels: [],
        } as unknown as GameInfo,
    ];
});
afterEach(() => {
    cleanup();
    Socket.all = [];
    vi.useRealTimers();
    vi.unstubAllGlobals();
});

describe("a player", () => {
    beforeEach(async () => {
        await open();
        socket().say(update(0, 0, [0], { history: [] }));
        await settle();
    });

    test("looks through their own seat, and may play", () => {
        expect(looks()).toEqual([[0]]);
        expect(enabled()).toHaveLength(3);
        expect(curtain()).toBeNull();
    });

    test("cannot make a second move before the first is answered", async () => {
        for (const key of ["1", "s", "2", "s"]) await press(key);
        expect(moves().map(({ text }) => text)).toEqual(["S1"]);
        expect(enabled()).toHaveLength(0);
    });

    test("reads why a move was refused, with its rule, until the next move", async () => {
        for (const key of ["1", "s"]) await press(key);
        const id = moves()[0]?.id ?? "";
        const refusal = {
            key: "play-first",
            text: "Play a card before you end your turn.",
            parameters: {},
            rule: "RB-12",
        };
        socket().say({ type: "refused", id, legal: LEGAL, ...refusal } as never);
        await settle();
        const note = document.querySelector(".warning");
        expect(note?.textContent).toContain("RB-12");
        expect(enabled()).toHaveLength(3);
        await press("b"); // the card is still picked
        expect(document.querySelector(".warning")).toBeNull();
        expect(moves().at(-1)?.text).toBe("B1");
    });

    test("sees the connection lost and mended, and the move sent again", async () => {
        for (const key of ["1", "s"]) await press(key);
        const first = moves()[0];
        socket().onclose();
        await settle();
        expect(document.querySelector(".band")?.textContent).toContain("Connection lost.");
        expect(cards()).toHaveLength(3);
        await settle(300);
        socket().open();
        await settle();
        expect(document.querySelector(".band")?.textContent).toContain("Back online. Nothing was lost.");
        expect(moves()).toEqual([first]);
    });
});

test("a watcher may do nothing", async () => {
    await open({ your_seats: [] });
    socket().say(update(0, 0, [-1], { history: [] }));
    await settle();
    expect(looks()).toEqual([[]]);
    expect(document.querySelectorAll(".mine button, .actions button")).toHaveLength(0);
    for (const key of ["1", "s", "e"]) await press(key);
    expect(moves()).toEqual([]);
});

describe("on a shared device", () => {
    beforeEach(async () => {
        await open({ your_seats: [0, 1] });
        socket().say(update(0, 0, [-1], { history: [] }));
        await settle();
    });
    async function openCurtain(): Promise<void> {
        const button = screen.getByRole("button", { name: /hold to look/ });
        await press("Enter", button);
        await press("Enter", button);
    }

    test("nobody's view is asked for, and nothing but the curtain is in the page", () => {
        expect(looks()).toEqual([[]]);
        expect(curtain()).toBe("Pass the device to Ada");
        expect(document.querySelector(".board, .log, li, [aria-label], [role=img]")).toBeNull();
    });

    test("the board comes when the view of the player has come, not before", async () => {
        await openCurtain();
        expect(looks()).toEqual([[], [0]]);
        expect(curtain()).toBe("Pass the device to Ada");
        socket().say(update(0, 0, [0], { history: [] }));
        await settle();
        expect(curtain()).toBeNull();
        expect(enabled()).toHaveLength(3);
    });

    test("the curtain falls a while after the turn, or at once when the device is handed over", async () => {
        for (const wait of [true, false]) {
            await openCurtain();
            socket().say(update(0, 0, [0], { history: [] }));
            await settle();
            socket().say(update(1, 1, [0]));
            await settle();
            expect(curtain()).toBeNull();
            if (wait) await settle(1800 + 420);
            else screen.getByRole("button", { name: "Pass the device now" }).click();
            await settle();
            expect(curtain()).toBe("Pass the device to Jonas");
            expect(looks().at(-1)).toEqual([]);
            expect(document.querySelector(".board, .log, li")).toBeNull();
            socket().say(update(0, 0, [-1], { history: [] })); // for the second round
            await settle();
        }
    });

    test("the next player does not read that the one before was too late", async () => {
        await openCurtain();
        socket().say(update(0, 0, [0], { history: [] }));
        await settle();
        socket().say(update(1, 1, [0]));
        await settle(1000); // what is shown is settled, and the curtain has not fallen
        await press("e");
        const refusal = { key: "not-your-turn", text: "", parameters: {}, rule: "G-1" };
        socket().say({ type: "refused", id: moves().at(-1)?.id ?? "", legal: [], ...refusal } as never);
        await settle();
        expect(document.querySelector(".warning")?.textContent).toContain("It’s not your turn.");
        screen.getByRole("button", { name: "Pass the device now" }).click();
        await settle();
        await openCurtain();
        socket().say(update(1, 1, [1], { move: null, history: [] }));
        await settle();
        expect(curtain()).toBeNull();
        expect(document.querySelector(".warning")).toBeNull();
    });

    test("a view that was on its way for the player before is not shown to the next", async () => {
        await openCurtain();
        socket().say(update(0, 0, [0], { history: [] }));
        socket().say(update(1, 1, [0]));
        await settle();
        screen.getByRole("button", { name: "Pass the device now" }).click();
        await settle();
        socket().say(update(2, 1, [0]));
        await settle(5000);
        expect(curtain()).toBe("Pass the device to Jonas");
        await openCurtain();
        socket().say(update(2, 1, [0]));
        await settle();
        expect(curtain()).toBe("Pass the device to Jonas");
        socket().say(update(2, 1, [1], { history: [] }));
        await settle();
        expect(curtain()).toBeNull();
    });
});

describe("a rematch", () => {
    const agreed = (next: string | null): Partial<TableInfo> => ({
        status: "finished",
        next,
        seats: table().seats.map((seat) => ({ ...seat, rematch: true })),
    });
    beforeEach(() => history.replaceState(null, "", "/t/t1"));

    test("agreed while the user looks takes the place of the table in the history", async () => {
        const entries = history.length;
        await open(agreed(null));
        socket().say({ type: "table", table: table(agreed("t2")) } as never);
        await settle();
        expect(location.pathname).toBe("/t/t2");
        expect(history.length).toBe(entries);
    });

    test("agreed before leaves the user at the finished game", async () => {
        await open(agreed("t2"));
        expect(location.pathname).toBe("/t/t1");
    });
});
