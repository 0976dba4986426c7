// @vitest-environment happy-dom
// The board lights what is listed as legal, sends it by button and key, holds a round that ended, and forgets what is hidden.
import { createRawSnippet, flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { BoardProps } from "../../../src/board/contract";
import Board from "../../../src/games/rainbow/Board.svelte";
import type { View } from "../../../src/games/rainbow/types";
import { Props } from "./props.svelte";
import { last, lost, names, played, say, turned, view } from "./views";

let props: Props<BoardProps<View>>;
let board: object;
const send = vi.fn();
const rule = vi.fn();
const goOn = vi.fn();
const sound = vi.fn();

function showBoard(changes: Partial<BoardProps<View>> = {}): void {
    props = new Props<BoardProps<View>>({
        view: view(),
        before: null,
        seat: 0,
        legal: [],
        names,
        send,
        moves: [],
        refused: null,
        result: null,
        settings: { letters: false, keys: true, confirm: true, sound: false, still: true },
        seats: [],
        width: "L",
        prompt: createRawSnippet(() => ({ render: () => "<p>asked</p>" })),
        say,
        options: {},
        openRule: rule,
        goOn,
        sound,
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
const name = (node: HTMLElement | undefined): string | null => node?.getAttribute("aria-label") ?? null;
const mine = (): HTMLElement[] => all(".mine button");
const row = (): HTMLElement[] => all(".row .piece button");
const place = (): HTMLElement | undefined => all(".row .place.next")[0];
const able = (nodes: HTMLElement[]): boolean[] =>
    nodes.map((node) => node.getAttribute("aria-disabled") !== "true");
const press = (key: string): void => {
    window.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
    flushSync();
};
const button = (name: string): HTMLElement => {
    const found = all("button").find(
        (node) => node.textContent?.includes(name) || node.getAttribute("aria-label") === name,
    );
    if (!found) throw new Error(`no button ${name}`);
    return found;
};
const click = (node: HTMLElement | undefined): void => {
    node?.click();
    flushSync();
};

beforeEach(() => {
    vi.useFakeTimers();
    for (const one of [send, rule, goOn, sound]) one.mockReset();
});
afterEach(async () => {
    await unmount(board);
    vi.useRealTimers();
});

describe("legal moves", () => {
    test("light the cards they play and turn over", () => {
        showBoard({ view: played, legal: ["F1", "E"] });
        expect(able(mine())).toEqual([false, false]);
        expect(able(row())).toEqual([true]);
        expect(name(row()[0])).toBe("Row 1, orange. Turn it over. Just came up.");
    });
    test("of nobody light nothing, and a press is answered by the server", () => {
        showBoard({ view: view({ turn: 1 }), legal: [] });
        expect(able(mine())).toEqual([false, false, false]);
        expect(able(all(".actions button"))).toEqual([false, false, false]);
        press("1");
        press("s");
        press("e");
        press("f");
        expect(send.mock.calls).toEqual([["S1"], ["S1"], ["E"], ["F1"]]);
    });
    test("that turn nothing over leave the key F to be answered by the server", () => {
        showBoard({ legal: ["S1", "B1"] });
        press("f");
        expect(send.mock.calls).toEqual([["F1"]]);
    });
    test("are made by buttons: pick, then as seen or blind", () => {
        showBoard({ legal: ["S1", "S2", "S3", "B1", "B2", "B3"] });
        expect(able(all(".actions button"))).toEqual([false, false, false]);
        click(mine()[2]);
        expect(name(mine()[2])).toBe("Your card 3, violet toward you, other side hidden. Selected.");
        click(button("Play as violet"));
        click(button("Play the hidden side"));
        expect(send.mock.calls).toEqual([["S3"], ["B3"]]);
    });
    test("are made by keys", () => {
        showBoard({ legal: ["S1", "S2", "S3", "B1", "B2", "B3"] });
        for (const key of ["2", "s", "3", "b"]) press(key);
        expect(send.mock.calls).toEqual([["S2"], ["B3"]]);
    });
    test("turn over by F and a number, and end by E", async () => {
        showBoard({ view: played, legal: ["F1", "E"] });
        for (const key of ["f", "1", "e"]) press(key);
        expect(send.mock.calls).toEqual([["F1"], ["E"]]);
        await change({ settings: { ...props.all.settings, keys: false } });
        press("e");
        expect(send).toHaveBeenCalledTimes(2);
    });
    test("are taken back by Escape", () => {
        showBoard({ legal: ["S1", "B1"] });
        press("1");
        press("Escape");
        press("s");
        expect(send).not.toHaveBeenCalled();
    });
    test("turn over on touch only when tapped twice", () => {
        showBoard({ view: played, legal: ["F1", "E"] });
        const tap = (): void => {
            row()[0]?.dispatchEvent(new PointerEvent("pointerdown", { pointerType: "touch", bubbles: true }));
            click(row()[0]);
        };
        tap();
        expect(send).not.toHaveBeenCalled();
        tap();
        expect(send).toHaveBeenCalledWith("F1");
    });
});

describe("a round that ended", () => {
    test("is held, told with its rule and its pair ringed, and then the row is gone", async () => {
        showBoard({ view: turned, legal: ["S2", "S3", "B2", "B3", "E"] });
        await change({ view: lost, before: turned, legal: ["S1", "B1"] });
        expect(row()).toHaveLength(2);
        expect(all(".ringed")).toHaveLength(2);
        expect(document.body.textContent).toContain("Red came up, but red is already in the row");
        expect(document.body.textContent).toContain("RB-15");
        expect(able(mine())).toEqual([false]);
        expect(sound.mock.calls).toEqual([["clash"]]);
        click(button("RB-15"));
        expect(rule).toHaveBeenCalledWith("RB-15");
        expect(goOn).not.toHaveBeenCalled();
        await vi.advanceTimersByTimeAsync(60_000);
        flushSync();
        expect(row()).toHaveLength(2);
        expect(document.body.textContent).toContain("RB-15");
        click(button("Go on"));
        await vi.advanceTimersByTimeAsync(0);
        flushSync();
        expect(row()).toHaveLength(0);
        expect(able(mine())).toEqual([true, false, false]);
        expect(document.body.textContent).not.toContain("RB-15");
    });
    test("goes on by itself in a replay", async () => {
        showBoard({ view: turned, readOnly: true });
        await change({ view: lost, before: turned });
        expect(all(".ringed")).toHaveLength(2);
        await vi.advanceTimersByTimeAsync(1400);
        flushSync();
        expect(all(".row .piece")).toHaveLength(0);
    });
    test("goes on at any key, which does nothing else", async () => {
        showBoard({ view: turned });
        await change({ view: lost, before: turned, legal: ["S1", "B1", "E"] });
        press("e");
        await vi.advanceTimersByTimeAsync(0);
        flushSync();
        expect(row()).toHaveLength(0);
        expect(goOn).toHaveBeenCalledTimes(1);
        expect(send).not.toHaveBeenCalled();
    });
});

describe("nothing hidden is in the page", () => {
    const orange = /orange|#DD800A/i;
    const page = (): string => {
        const copy = document.body.cloneNode(true) as HTMLElement;
        copy.querySelectorAll(".place svg").forEach((arch) => arch.remove());
        return copy.innerHTML;
    };

    test("after a card was turned over", async () => {
        showBoard({ view: played });
        expect(orange.test(page())).toBe(true);
        await change({ view: turned, before: played });
        expect(orange.test(page())).toBe(false);
    });
    test("after the other seat took the device", async () => {
        showBoard({ view: view() });
        const theirs = view({
            viewer: 1,
            hands: view().hands.map((hand) => hand.map((card) => card && { ...card, face: "Y" })),
            next: "Y",
        });
        await change({ view: theirs, before: null, seat: 1 });
        const labels = all("[aria-label]").map(name).join();
        expect(labels).not.toMatch(/orange|violet|light|shade|indigo|red/);
        expect(labels).toMatch(/yellow/);
    });
    test("for a watcher, who may do nothing", () => {
        const hands = view().hands.map((hand) => hand.map((card) => card && { ...card, face: "?" }));
        showBoard({ view: view({ viewer: -1, hands, next: null }), seat: -1 });
        expect(all(".mine button, .actions button")).toHaveLength(0);
        expect(all(".theirs [role=img]").map(name)).toEqual([
            "Mira’s card 1, hidden.",
            "Mira’s card 2, hidden.",
            "Mira’s card 3, hidden.",
        ]);
    });
});

test("a change keeps a ring where nothing moves", async () => {
    showBoard({ view: played });
    await change({ view: turned, before: played });
    expect(all(".row .fresh")).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1200);
    flushSync();
    expect(all(".fresh")).toHaveLength(0);
});

test("a refused card stays picked", async () => {
    showBoard({ legal: ["S1", "B1"] });
    press("1");
    await change({ refused: { key: "turn-over-first", text: "", parameters: {}, rule: "RB-9", move: "S1" } });
    expect(mine()[0]?.getAttribute("aria-pressed")).toBe("true");
});

test("the next place plays the picked card, or asks for one", () => {
    showBoard({ legal: ["S1", "B1"] });
    click(place());
    expect(send).not.toHaveBeenCalled();
    expect(document.body.textContent).toContain("Choose one of your cards first.");
    press("1");
    expect(document.body.textContent).not.toContain("Choose one of your cards first.");
    click(place());
    expect(send.mock.calls).toEqual([["S1"]]);
});

test("the end of a turn is asked for, legal or not", () => {
    showBoard({ legal: ["S1", "B1"] });
    click(button("End turn"));
    expect(send.mock.calls).toEqual([["E"]]);
});

test("a card of the row that may not be turned over is answered too", () => {
    showBoard({ view: turned, legal: ["S2", "B2", "E"] });
    click(row()[0]);
    expect(send.mock.calls).toEqual([["F1"]]);
});

test("the last move of the opponent stays marked after the end of their turn", () => {
    const moves = ["S2", "F1", "E"].map((text) => ({ seat: 1, text, at: null }));
    const row = [{ card: 50, face: "G" }];
    showBoard({ view: view({ row, last: last({ seat: 1, move: "E", place: null, face: null }) }), moves });
    expect(all(".row .tag")).toHaveLength(1);
});

test("nothing can be pressed in a replay", () => {
    showBoard({ view: played, readOnly: true });
    expect(all(".row button, .actions button")).toHaveLength(0);
});
