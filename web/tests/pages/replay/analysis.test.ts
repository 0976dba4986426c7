// @vitest-environment happy-dom
// The story of a game: asked for, looked after until it is there, shown with its turning points, which lead to their moments.
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { path, time } from "../../../src/pages/replay/analysis/figures";
import Story from "../../../src/pages/replay/analysis/Analysis.svelte";
import { gameMessages } from "../../../src/i18n/messages.svelte";
import type { Analysis, AnalysisReport as Told } from "../../../src/wire/types";
import nimble from "../../../src/games/nimble/messages/en.json";
import { cardName } from "../../../src/games/nimble/text";
import rainbow from "../../../src/games/rainbow/messages/en.json";

const TURNS: Told = {
    version: 1,
    scores: [
        [0, 0],
        [0, 2],
        [3, 2],
    ],
    times: null,
    level: "master",
    simulations: 2000,
    hidden: true,
    chances: [
        [0.5, 0.5],
        [0.6, 0.4],
        [1, 0],
    ],
    moves: [
        { seat: 0, move: "B1", best: null, forced: false, choice: 0, luck: 0.1 },
        { seat: 1, move: "E", best: "F2", forced: false, choice: -0.3, luck: -0.1 },
    ],
    turning: [
        { ply: 0, kind: "luck" },
        { ply: 1, kind: "choice" },
    ],
    sums: [
        { start: 0.5, choice: 0, others: 0.3, luck: 0.2, outside: 0, end: 1 },
        { start: 0.5, choice: -0.3, others: 0, luck: -0.2, outside: 0, end: 0 },
    ],
    race_report: null,
};
const RACE: Told = {
    ...TURNS,
    level: null,
    chances: null,
    moves: [],
    turning: [],
    sums: [],
    times: [500, 61_500],
    race_report: {
        facts: [{ key: "pace", unit: "", values: [12, 9.5], about: "moves a minute" }],
        moments: [
            {
                ply: 1,
                at: 61_500,
                seat: 0,
                key: "race-lost",
                parameters: { card: "MQ", stack: 1, winner: 1 },
                about: "in English",
            },
        ],
    },
};

let shown: object | null = null;
let answers: Analysis[] = [];
const asked: string[] = [];
const onjump = vi.fn();

function answer(changes: Partial<Analysis>): Analysis {
    return { state: "none", done: 0, of: 0, report: null, ...changes };
}

async function renderPage(messages: Record<string, string>): Promise<void> {
    shown = mount(Story, {
        target: document.body,
        props: {
            id: "some-table",
            ply: 0,
            seat: 0,
            names: ["Ada", "Bo"],
            gameSay: gameMessages("", { en: messages }),
            cardName: (code: string) => cardName(code, gameMessages("", { en: messages })),
            line: (ply: number) => `told ${ply}`,
            retell: (seat: number, text: string) => `${seat} in words ${text}`,
            onjump,
        },
    });
    await settle();
}

async function settle(ms = 0): Promise<void> {
    flushSync();
    await vi.advanceTimersByTimeAsync(ms);
    flushSync();
}

const text = (): string => document.body.textContent?.replace(/\s+/g, " ") ?? "";
const button = (words: string): HTMLElement | undefined =>
    [...document.querySelectorAll("button")].find((one) => one.textContent?.includes(words));

beforeEach(() => {
    vi.useFakeTimers();
    asked.length = 0;
    vi.stubGlobal("fetch", async (address: string, { method }: { method: string }) => {
        asked.push(`${method} ${address}`);
        const next = answers.length > 1 ? answers.shift() : answers[0];
        return new Response(JSON.stringify(next), { status: 200 });
    });
});
afterEach(async () => {
    if (shown) await unmount(shown);
    shown = null;
    document.body.replaceChildren();
    onjump.mockReset();
    vi.unstubAllGlobals();
    vi.useRealTimers();
});

describe("a story", () => {
    test("is begun on request, shows how far it is, and appears", async () => {
        answers = [
            answer({ state: "none" }),
            answer({ state: "running", of: 3 }),
            answer({ state: "running", done: 2, of: 3 }),
            answer({ state: "done", report: TURNS }),
        ];
        await renderPage(rainbow);
        expect(asked).toEqual(["GET /api/tables/some-table/analysis"]);
        button("Analyse game")?.click();
        await settle();
        expect(asked.at(-1)).toBe("POST /api/tables/some-table/analysis");
        await settle(1000);
        expect(text()).toContain("2 of 3 positions");
        expect(document.querySelector("progress")?.value).toBe(2);
        await settle(1000);
        expect(document.querySelector("progress")).toBeNull();
        expect(text()).toContain("Turning points");
        const before = asked.length;
        await settle(5000);
        expect(asked.length).toBe(before);
    });

    test("that the server forgot is begun anew", async () => {
        answers = [
            answer({ state: "running", of: 3 }),
            answer({ state: "none" }),
            answer({ state: "running", of: 3 }),
        ];
        await renderPage(rainbow);
        await settle(1000);
        expect(asked.at(-1)).toBe("POST /api/tables/some-table/analysis");
    });

    test("leads to its turning points and says what was better", async () => {
        answers = [answer({ state: "done", report: TURNS })];
        await renderPage(rainbow);
        expect(text()).toContain(
            "Move 2: told 2 Bo: 40 % → 0 %. Choice −30 %. Luck −10 %. Better: 1 in words F2",
        );
        button("told 2")?.click();
        expect(onjump).toHaveBeenCalledWith(2);
        expect(document.querySelectorAll(".mark")).toHaveLength(2);
    });

    test("adds up in a table, and its curves are a table too", async () => {
        answers = [answer({ state: "done", report: TURNS })];
        await renderPage(rainbow);
        const cells = [...document.querySelectorAll("tbody tr")].map((row) =>
            [...row.querySelectorAll("th, td")].map((cell) => cell.textContent?.trim()),
        );
        expect(cells[0]).toEqual(["Ada", "50 %", "–", "+30 %", "+20 %", "100 %"]);
        expect(cells[1]).toEqual(["Bo", "50 %", "−30 %", "–", "−20 %", "0 %"]);
        const details = document.querySelector("details");
        if (details) details.open = true;
        details?.dispatchEvent(new Event("toggle"));
        await settle();
        expect(details?.querySelectorAll("tbody tr")).toHaveLength(3);
    });

    test("of a race is written in the game's words, with the names of cards", async () => {
        answers = [answer({ state: "done", report: RACE })];
        await renderPage(nimble);
        expect(text()).toContain("Moves per minute129.5");
        expect(text()).toContain("1:01.5 Ada had Moby-Dick for stack 1, but Bo got there first.");
        expect(text()).not.toContain("Turning points");
        button("Moby-Dick")?.click();
        expect(onjump).toHaveBeenCalledWith(2);
    });
});

test("a line goes from ply to ply, or in steps", () => {
    const box = { width: 100, height: 10, least: 0, most: 1 };
    expect(path([0, 1, 0.5], [0, 1, 2], box, false)).toBe("M0.0 10.0L50.0 0.0L100.0 5.0");
    expect(path([0, 1], [0, 4], box, true)).toBe("M0.0 10.0H100.0V0.0");
});

test("times are minutes and seconds", () => {
    expect(time(61_540)).toBe("1:01.5");
    expect(time(900)).toBe("0:00.9");
});
