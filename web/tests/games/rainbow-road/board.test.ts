// @vitest-environment happy-dom
// The board lights what is listed as legal, sends it by tap and key, and keeps nothing of one seat for another.
import { createRawSnippet, flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { BoardProps } from "../../../src/board/contract";
import Board from "../../../src/games/rainbow-road/Board.svelte";
import type { View } from "../../../src/games/rainbow-road/types";
import { Props } from "../rainbow/props.svelte";
import { last, names, playLegal, rainLegal, rainWalk, say, toPlay, view } from "./views";

let props: Props<BoardProps<View>>;
let board: object;
const send = vi.fn();

function showBoard(changes: Partial<BoardProps<View>> = {}): void {
    props = new Props<BoardProps<View>>({
        view: view(),
        before: null,
        seat: 0,
        legal: [],
        names,
        send,
        moves: [],
        options: {},
        openRule: vi.fn(),
        goOn: vi.fn(),
        sound: vi.fn(),
        refused: null,
        result: null,
        settings: { letters: false, keys: true, confirm: true, sound: false, still: true },
        seats: [],
        width: "L",
        prompt: createRawSnippet(() => ({ render: () => "<p>asked</p>" })),
        say,
        startsAt: null,
        ...changes,
    });
    board = mount(Board, { target: document.body, props: props.all });
    flushSync();
}
async function change(changes: Partial<BoardProps<View>>): Promise<void> {
    Object.assign(props.all, changes);
    flushSync();
    await vi.advanceTimersByTimeAsync(0);
    flushSync();
}

const all = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)];
const spot = (name: string): HTMLElement => all(`[data-spot=${name}]`)[0]!;
const lit = (): string[] => all("[data-spot].lit").map((node) => node.dataset["spot"] ?? "");
const click = (node: HTMLElement | undefined): void => {
    node?.click();
    flushSync();
};
const press = (key: string): void => {
    window.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
    flushSync();
};
function pressAll(): void {
    click(spot("a3"));
    click(all(".hand button")[0]);
    click(all("[data-prank=jump]")[0]);
    press("p");
    press("x");
}
const button = (text: string): HTMLElement | undefined =>
    all("button").find((node) => node.textContent?.includes(text));

beforeEach(() => {
    vi.useFakeTimers();
    send.mockReset();
});
afterEach(async () => {
    await unmount(board);
    vi.useRealTimers();
});

describe("playing a card", () => {
    test("a card, then a spot; the spots light once a card is picked", () => {
        showBoard({ view: toPlay, legal: playLegal });
        expect(lit()).toEqual([]);
        click(all(".hand button")[0]);
        expect(lit()).toEqual(["a1", "a5"]);
        expect(spot("a1").getAttribute("aria-label")).toBe("a1, empty. Play the one here.");
        click(spot("a5"));
        expect(send.mock.calls).toEqual([["P1a5"]]);
    });
    test("by its digit and the button of a spot", () => {
        showBoard({ view: toPlay, legal: playLegal });
        press("7");
        click(button("7 to a1"));
        expect(send).toHaveBeenLastCalledWith("P7a1");
    });
    test("a spot that is not lit is asked for all the same: the answer says why", () => {
        showBoard({ view: toPlay, legal: playLegal });
        press("2");
        click(spot("a2"));
        expect(send).toHaveBeenLastCalledWith("P2a2");
    });
    test("a refusal keeps the card picked", async () => {
        showBoard({ view: toPlay, legal: playLegal });
        press("2");
        click(spot("a2"));
        await change({
            refused: { key: "fill-empty", text: "", parameters: {}, rule: "RR-7", move: "P2a2" },
        });
        expect(lit()).toEqual(["a1", "a5"]);
        click(spot("a1"));
        expect(send).toHaveBeenLastCalledWith("P2a1");
    });
    test("a spot without a card picked is answered: the fairies cannot walk yet", () => {
        showBoard({ view: toPlay, legal: playLegal });
        click(spot("a3"));
        expect(send.mock.calls).toEqual([["+"]]);
    });
    test.each([
        ["a move is under way", toPlay],
        ["a watcher presses", view({ viewer: -1, turn: 1 })],
        ["the game is over", view({ turn: null, phase: "over", walk: null })],
    ])("nothing is sent while %s", (_, shown) => {
        showBoard({ view: shown, seat: shown.viewer, legal: [] });
        pressAll();
        expect(send).not.toHaveBeenCalled();
    });
    test("while it is another's turn every press is tried: the answer says so", () => {
        showBoard({ view: { ...toPlay, turn: 1 }, legal: [] });
        pressAll();
        expect(send.mock.calls).toEqual([["+"], ["P1a1"], ["jump+"], ["exchange:a1,a2"], ["stop"]]);
    });
    test("pressing where the other player's fairy stands is answered too", () => {
        showBoard({ view: view({ turn: 1, walk: { ...rainWalk, seat: 1 } }), legal: [] });
        click(spot("b4"));
        expect(send.mock.calls).toEqual([["+"]]);
    });
    test("the keys of pranks and of stopping are answered while a card is to be played", () => {
        showBoard({ view: toPlay, legal: playLegal });
        press("p");
        press("x");
        expect(send.mock.calls).toEqual([["exchange:a1,a2"], ["stop"]]);
    });
    test("says which fairy each number would let you move", () => {
        showBoard({ view: toPlay, legal: playLegal });
        expect(all(".hand button").map((node) => node.getAttribute("aria-label"))).toEqual([
            "one, 2 cards. Lets you move Rain.",
            "two, one card. Lets you move Rain.",
            "seven, one card. Lets you move Rain.",
        ]);
    });
});

describe("walking", () => {
    const hopped = view({
        walk: { ...rainWalk, points: 1, way: "-", reach: [{ spot: "b2", hops: ["-"], points: 1 }] },
    });

    test("one tap on a lit card walks there, a hop for each view", async () => {
        showBoard({ legal: rainLegal });
        expect(lit()).toEqual(["a4", "b2", "b3"]);
        expect(spot("a4").getAttribute("aria-label")).toBe("a4, five. 3 points if you walk here.");
        click(spot("b2"));
        expect(send.mock.calls).toEqual([["-"]]);
        await change({ legal: [] });
        await change({ view: hopped, legal: ["stop", "-"] });
        expect(send.mock.calls).toEqual([["-"], ["-"]]);
        await change({ view: view({ walk: { ...rainWalk, points: 2, way: "-" } }), legal: ["stop", "-"] });
        expect(send).toHaveBeenCalledTimes(2);
    });
    test("Esc and a refusal stop it", async () => {
        showBoard({ legal: rainLegal });
        click(spot("a4"));
        press("Escape");
        await change({ view: hopped, legal: ["stop", "-"] });
        expect(send).toHaveBeenCalledTimes(1);
        click(spot("b2"));
        expect(send).toHaveBeenCalledTimes(2);
        await change({ refused: { key: "stale", text: "", parameters: {}, rule: null, move: "-" } });
        await change({ view: view(), legal: rainLegal });
        expect(send).toHaveBeenCalledTimes(2);
    });
    test("a card that cannot be reached is answered, and no legal hop is made for it", () => {
        showBoard({ legal: rainLegal });
        click(spot("b5"));
        expect(send.mock.calls).toEqual([["+"]]);
        click(spot("a5"));
        click(spot("b1"));
        expect(send.mock.calls).toEqual([["+"]]);
        expect(document.body.textContent).toContain("b1 in this move");
    });
    test("a card of the hand is asked for while a fairy walks", () => {
        showBoard({ legal: rainLegal });
        click(all(".hand button")[0]);
        expect(send.mock.calls).toEqual([["P1a1"]]);
    });
    test("the spots of another's moves stay marked until the viewer moves", async () => {
        const recent = (): string[] => all("[data-spot].recent").map((node) => node.dataset["spot"] ?? "");
        const mine = view({ last: last({ seat: 0, move: "stop" }) });
        showBoard({ view: mine });
        const hop = view({ last: last({ seat: 1, spots: ["a3", "a4"] }) });
        await change({ before: mine, view: hop });
        await change({
            before: hop,
            view: view({ last: last({ seat: 1, move: "stop" }) }),
            legal: rainLegal,
        });
        expect(recent()).toEqual(["a3", "a4"]);
        await change({ before: hop, view: view({ last: last({ seat: 0, spots: ["b3"] }) }) });
        expect(recent()).toEqual([]);
    });
    test("Enter walks to the card that brings most and stops there", async () => {
        showBoard({ legal: rainLegal });
        expect(button("Walk to a4 and stop")).toBeDefined();
        press("Enter");
        await change({ view: view({ walk: { ...rainWalk, points: 1 } }), legal: ["stop", "-"] });
        await change({ view: view({ walk: { ...rainWalk, points: 2 } }), legal: ["stop", "-"] });
        await change({ view: view({ walk: { ...rainWalk, points: 3 } }), legal: ["stop", "+"] });
        expect(send.mock.calls.flat()).toEqual(["-", "-", "-", "stop"]);
    });
    test("RR-28 Stop keeps its place, also while a hop is under way and when nothing else is left", async () => {
        showBoard({ legal: rainLegal });
        const stop = button("Stop here");
        click(spot("b2"));
        await change({ legal: [] });
        expect(button("Stop here")).toBe(stop);
        await change({
            view: view({ walk: { ...rainWalk, reach: [], prank_hops: [], points: 2 } }),
            legal: ["stop"],
        });
        expect(button("Stop here")).toBe(stop);
        await vi.advanceTimersByTimeAsync(60_000);
        expect(send).not.toHaveBeenCalledWith("stop");
        press("x");
        expect(send).toHaveBeenLastCalledWith("stop");
    });
    test("RR-28 a stop that everybody sees is forced is sent", async () => {
        showBoard({
            view: view({ walk: { ...rainWalk, reach: [], prank_hops: [], forced: true } }),
            legal: ["stop"],
        });
        await vi.advanceTimersByTimeAsync(2000);
        expect(send.mock.calls).toEqual([["stop"]]);
    });
});

describe("pranks", () => {
    test("light only their targets; exchange takes two", () => {
        showBoard({ legal: rainLegal });
        click(all("[data-prank=exchange]")[0]);
        expect(lit()).toEqual(["a2", "a4", "b2"]);
        click(spot("b2"));
        expect(spot("b2").getAttribute("aria-label")).toContain("Chosen.");
        click(spot("a2"));
        expect(send.mock.calls).toEqual([["exchange:a2,b2"]]);
    });
    test("a card that a prank cannot take is asked for: the answer says why, and the prank stays picked", () => {
        showBoard({ legal: rainLegal });
        click(all("[data-prank=exchange]")[0]);
        click(spot("a3"));
        expect(send.mock.calls).toEqual([["exchange:a2,a3"]]);
        expect(all("[data-prank=exchange]")[0]?.getAttribute("aria-pressed")).toBe("true");
    });
    test("P goes from one to the next and back to none", () => {
        showBoard({ legal: rainLegal });
        const picked = (): string[] =>
            all("[data-prank][aria-pressed=true]").map((node) => node.dataset["prank"] ?? "");
        press("p");
        expect(picked()).toEqual(["jump"]);
        press("p");
        expect(picked()).toEqual(["exchange"]);
        press("p");
        expect(picked()).toEqual([]);
    });
    test("recycle offers each number of the discards once, then the card it replaces", () => {
        const discards = [
            { card: 8, number: 2 },
            { card: 7, number: 2 },
            { card: 9, number: 5 },
        ];
        const pranks: View["pranks"] = [
            { count: 1, held: ["recycle"], used: ["jump"] },
            { count: 2, held: null, used: [] },
        ];
        showBoard({ view: view({ discards, pranks }), legal: ["stop", "recycle:2>b3", "recycle:5>b3"] });
        click(all("[data-prank=recycle]")[0]);
        const offered = all(".discards li button");
        expect(offered.map((node) => node.getAttribute("aria-label"))).toEqual([
            "two: bring it back.",
            "five: bring it back.",
        ]);
        click(offered[1]);
        click(spot("b3"));
        expect(send.mock.calls).toEqual([["recycle:5>b3"]]);
    });
    test("one that cannot be played now is asked for, and lights nothing", () => {
        showBoard({ view: toPlay, legal: playLegal });
        click(all("[data-prank=jump]")[0]);
        expect(send.mock.calls).toEqual([["jump+"]]);
        expect(lit()).toEqual([]);
        expect(all("[data-prank=jump]")[0]?.getAttribute("aria-disabled")).toBe("true");
    });
});

describe("secrets", () => {
    const theirs = view({
        viewer: 1,
        hands: [
            { count: 7, numbers: null },
            { count: 2, numbers: [4, 6] },
        ],
        pranks: [
            { count: 2, held: null, used: [] },
            { count: 2, held: ["skip", "trash"], used: [] },
        ],
        walk: { ...rainWalk, prank_hops: [] },
    });

    test("nothing of one seat is left when another looks", async () => {
        showBoard({ legal: rainLegal });
        press("p");
        await change({ view: theirs, before: null, seat: 1, legal: [] });
        const page = document.body.innerHTML;
        expect(page).not.toMatch(/Exchange|Jump|jump|exchange/);
        expect(lit()).toEqual([]);
        expect(all(".hand button").map((node) => node.getAttribute("aria-label")?.split(",")[0])).toEqual([
            "four",
            "six",
        ]);
    });
    test("a watcher sees counts only", () => {
        const unseen = view({
            viewer: -1,
            hands: [
                { count: 7, numbers: null },
                { count: 7, numbers: null },
            ],
            pranks: [
                { count: 2, held: null, used: [] },
                { count: 2, held: null, used: [] },
            ],
            walk: { ...rainWalk, prank_hops: [] },
        });
        showBoard({ view: unseen, seat: -1 });
        expect(all("[role=img]").map((node) => node.getAttribute("aria-label"))).toEqual([
            "Jonas: 7 cards, 2 pranks.",
            "Ada: 7 cards, 2 pranks.",
        ]);
        expect(all(".actions, [data-prank]")).toEqual([]);
    });
});
