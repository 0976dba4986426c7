// @vitest-environment happy-dom
// The board acts on press and key, shows it at once, lights nothing, and keeps faces out of the page until they may be seen.
import { createRawSnippet, flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fill } from "../../../src/i18n/format";
import type { Answer, BoardProps, Say } from "../../../src/board/contract";
import Board from "../../../src/games/nimble/Board.svelte";
import en from "../../../src/games/nimble/messages/en.json";
import type { View } from "../../../src/games/nimble/types";
import { reactive } from "./props.svelte";
import { FakeTable } from "./table";

const say: Say = (key, parameters = {}) =>
    fill((en as Record<string, string>)[key] ?? `no message ${key}`, parameters, "en");
const names = ["Ada", "Kofi"];

let table: FakeTable;
let props: ReturnType<typeof reactive>;
let board: object;
let asked: { text: string; seat: number | undefined; answer(answer: Answer): void }[];

function showBoard(changes: Partial<BoardProps<View>> = {}): void {
    props = reactive({
        view: table.view(0),
        before: null,
        seat: 0,
        legal: [],
        names,
        send: (text, seat) => new Promise((answer) => asked.push({ text, seat, answer })),
        moves: table.moves,
        refused: null,
        result: null,
        settings: { letters: false, keys: true, confirm: true, sound: false, still: true },
        seats: [],
        views: undefined,
        width: "L",
        prompt: createRawSnippet(() => ({ render: () => "<p>asked</p>" })),
        say,
        startsAt: null,
        sound: () => {},
        openRule: () => {},
        ...changes,
    } as BoardProps<View>);
    board = mount(Board, { target: document.body, props: props.all });
    flushSync();
}

/** The server makes what was asked last, and tells it. */
async function answer(): Promise<void> {
    const last = asked.shift();
    if (!last) throw new Error("nothing was asked");
    const why = table.play(last.seat ?? 0, last.text);
    if (why === null) props.change({ view: table.view(0), moves: table.moves });
    flushSync();
    const refusal = { key: why ?? "", text: "", parameters: {}, rule: "NB-7", move: last.text };
    last.answer(why === null ? { done: true, ply: table.moves.length } : { done: false, refusal });
    await vi.advanceTimersByTimeAsync(0);
    flushSync();
}

const all = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)];
const named = (selector: string): (string | null)[] =>
    all(selector).map((node) => node.getAttribute("aria-label"));
const press = (key: string, more: KeyboardEventInit = {}): boolean => {
    const fresh = document.body.dispatchEvent(
        new KeyboardEvent("keydown", { key, cancelable: true, bubbles: true, ...more }),
    );
    flushSync();
    return fresh;
};
const touch = (node: HTMLElement | undefined): void => {
    node?.dispatchEvent(new PointerEvent("pointerdown", { button: 0, bubbles: true }));
    flushSync();
};

beforeEach(() => {
    vi.useFakeTimers();
    document.body.replaceChildren();
    asked = [];
    table = new FakeTable(2, 7, "referee");
});
afterEach(async () => {
    await unmount(board);
    vi.useRealTimers();
});

describe("one player", () => {
    test("flips by key, by press and by button, on press, and sees it at once", async () => {
        showBoard();
        press(" ");
        expect(asked.map(({ text }) => text)).toEqual(["f"]);
        expect(named(".hand button")[0]).toBe("Your set, 27 cards. Flip");
        expect(named(".hand button")[1]).toBe("Your pile, 1 card: coming up. Take back");
        await answer();
        expect(named(".hand button")[1]).toMatch(/^Your pile, 1 card: .+, wants .+\. Take back$/);
        touch(all("[data-set]")[0]);
        touch(all(".flip")[0]);
        expect(asked.map(({ text }) => text)).toEqual(["f", "f"]);
    });
    test("a press that is followed by its click counts once, a click alone counts too", () => {
        showBoard();
        const flip = all(".flip")[0];
        touch(flip);
        flip?.click();
        expect(asked).toHaveLength(1);
        flip?.click();
        expect(asked).toHaveLength(2);
    });
    test("places by digit, letter and press, with the height seen; a key held down counts once", async () => {
        showBoard();
        press(" ");
        press(" ", { repeat: true });
        expect(asked).toHaveLength(1);
        await answer();
        press("2");
        expect(asked.map(({ text }) => text)).toEqual(["p2/1"]);
        expect(named(".hand button")[1]).toBe("Your pile is empty");
        expect(all('[data-stack="2"]')[0]?.textContent).toContain("2 high");
    });
    test("a refused card comes back, with a flag that names the rule", async () => {
        showBoard();
        press(" ");
        await answer();
        const wrong = table.stacks.findIndex((cards) => cards[0]?.circle !== table.pile(0)[0]?.frame);
        press(["j", "k", "l"][wrong] ?? "");
        await answer();
        expect(named(".hand button")[1]).toMatch(/^Your pile, 1 card/);
        expect(all(".stack .flag").map((node) => node.textContent?.trim())).toEqual([
            "Doesn’t fit. Card back.NB-7",
        ]);
        await vi.advanceTimersByTimeAsync(3000);
        flushSync();
        expect(all(".stack .flag")).toEqual([]);
    });
    test("a tap on the pile says how its card is used, and on an empty pile why nothing happens", async () => {
        showBoard();
        const tapPile = (): void => {
            for (const type of ["pointerdown", "pointerup", "click"])
                all(".hand button")[1]?.dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0 }));
            flushSync();
        };
        tapPile();
        expect(asked.map(({ text }) => text)).toEqual(["b"]);
        await answer();
        expect(all(".warning")[0]?.textContent).toContain(say("refused.pile-empty"));
        press(" ");
        await answer();
        tapPile();
        expect(asked).toEqual([]);
        expect(all(".warning")[0]?.textContent).toContain(say("pile.tapped"));
    });
    test("a press that can do nothing is answered with the server's reason", async () => {
        showBoard();
        press("b");
        expect(asked.map(({ text }) => text)).toEqual(["b"]);
        press("b"); // one question at a time
        expect(asked).toHaveLength(1);
        await answer();
        expect(all(".warning")[0]?.textContent).toContain(say("refused.pile-empty"));
        press(" ");
        expect(all(".warning")).toEqual([]);
    });
    test("is never shown what fits: legal moves change nothing on the board", async () => {
        showBoard();
        press(" ");
        await answer();
        const before = document.body.innerHTML;
        props.change({ legal: ["f", "p1", "p3", "b"] });
        flushSync();
        expect(document.body.innerHTML).toBe(before);
    });
    test("keys that are not the race's are left to the page; single keys can be switched off", () => {
        showBoard();
        expect(press("?")).toBe(true);
        expect(press("l")).toBe(false);
        asked = [];
        props.change({ settings: { ...props.all.settings, keys: false } });
        flushSync();
        expect(press(" ")).toBe(true);
        expect(asked).toEqual([]);
    });
});

describe("before the start", () => {
    test("the stacks lie face down, nothing can be done, and no face is in the page", async () => {
        showBoard({ startsAt: Date.now() + 2500 });
        expect(named(".shelf button")).toEqual([
            "Stack 1, face down",
            "Stack 2, face down",
            "Stack 3, face down",
        ]);
        expect(all(".countdown")[0]?.textContent?.trim()).toBe("3");
        press(" ");
        expect(asked).toEqual([]);
        await vi.advanceTimersByTimeAsync(2600);
        flushSync();
        expect(named(".shelf button")[0]).toMatch(/^Stack 1, wants .+, 1 high$/);
        press(" ");
        expect(asked).toHaveLength(1);
    });
});

describe("two at one keyboard", () => {
    test("each has a side", () => {
        showBoard({ views: [0, 1].map((seat) => ({ seat, view: table.view(seat), legal: [] })) });
        for (const key of ["a", "l"]) press(key);
        expect(asked.map(({ text, seat }) => [seat, text])).toEqual([
            [0, "f"],
            [1, "f"],
        ]);
        expect(all("section.seat")).toHaveLength(2);
        expect(all(".far")).toHaveLength(0);
    });
    test("on a tablet each has an end, the far one turned", () => {
        showBoard({ width: "M", views: [0, 1].map((seat) => ({ seat, view: table.view(seat), legal: [] })) });
        expect(all("section.seat").map((node) => node.dataset["angle"])).toEqual(["0", "180"]);
    });
});

test("other eyes forget what these did", () => {
    showBoard();
    press(" ");
    expect(named(".hand button")[1]).toContain("coming up");
    props.change({ seat: 1, view: table.view(1) });
    flushSync();
    expect(named(".hand button")[1]).toBe("Your pile is empty");
    expect(all(`[data-zone^="pile"] .card`)).toEqual([]);
});

test("a watcher sees the race and can do nothing", () => {
    showBoard({ seat: -1, view: table.view(-1) });
    expect(all(".hand")).toEqual([]);
    touch(all(".shelf button")[0]);
    press(" ");
    expect(asked).toEqual([]);
});
