// @vitest-environment happy-dom
// A game's card: the first game against a bot is easy, with hints and unrated; later ones are as they were chosen.
import { cleanup, render, screen } from "@testing-library/svelte";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { CLIENT, Client } from "../../../src/client/context";
import GameCard from "../../../src/pages/home/GameCard.svelte";
import type { GameInfo, NewTable } from "../../../src/wire/types";

const client = new Client();
const game = {
    id: "rainbow",
    title: "Rainbow",
    min_seats: 2,
    max_seats: 2,
    levels: [
        { name: "weak", about: "" },
        { name: "strong", about: "" },
    ],
} as unknown as GameInfo;
let created: NewTable[] = [];

beforeEach(() => {
    created = [];
    client.app.games = [game];
    localStorage.clear();
    client.settings.choose({ rated: false });
    vi.stubGlobal("scrollTo", () => {});
    vi.stubGlobal("fetch", (_address: string, { body }: { body: string }) => {
        created.push(JSON.parse(body) as NewTable);
        return Promise.resolve(new Response(JSON.stringify({ id: "amber-otter-41" }), { status: 201 }));
    });
});
afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
});

const open = (): void => void render(GameCard, { props: { game }, context: new Map([[CLIENT, client]]) });
const play = (): HTMLElement => screen.getByRole("button", { name: "Play a bot" });
const rated = (): HTMLElement | null => screen.queryByRole("checkbox", { name: "Play rated" });
const against = (level: string, hints: boolean): NewTable => ({
    game: "rainbow",
    seats: [{ kind: "me" }, { kind: "bot", level }],
    hints,
});

it("starts with the weakest level, with hints", async () => {
    open();
    expect(screen.getByText(/with hints, unrated/)).toBeTruthy();
    expect(rated()).toBeNull();
    await userEvent.click(play());
    expect(created).toEqual([against("weak", true)]);
});

it("offers rated games after the first one, and remembers the choice", async () => {
    open();
    await userEvent.click(play());
    cleanup();
    open();
    await userEvent.click(rated() as HTMLElement);
    expect(screen.getByText(/, rated/)).toBeTruthy();
    await userEvent.click(play());
    expect(created.at(-1)).toEqual(against("weak", false));
    expect(JSON.parse(localStorage.getItem("sevenhues.settings") ?? "")).toMatchObject({ rated: true });
});

it("keeps the level last chosen", async () => {
    localStorage.setItem("sevenhues.level.rainbow", '"strong"');
    open();
    await userEvent.click(play());
    expect(created).toEqual([against("strong", true)]);
});
