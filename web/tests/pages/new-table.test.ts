// @vitest-environment happy-dom
// The form of a new table: what it starts with, and what it asks of the server.
import { beforeEach, describe, expect, it } from "vitest";
import { TableForm } from "../../src/pages/new-table/table-form.svelte";
import type { GameInfo } from "../../src/wire/types";

const game = {
    id: "coin",
    min_seats: 1,
    max_seats: 3,
    levels: [{ name: "random", about: "" }],
    options: [{ name: "aid", choices: [false, true], about: "", helps: true }],
} as unknown as GameInfo;
const form = (query = "", rated = false): TableForm => new TableForm(game, query, () => rated);

beforeEach(() => localStorage.clear());

describe("a new table", () => {
    it("starts as a game against a bot, with hints until the user plays rated games", () => {
        expect(form().request.seats).toEqual([{ kind: "me" }, { kind: "bot", level: "random" }]);
        expect(form().hints).toBe(true);
        expect(form().unrated).toBe("hints");
        expect(form("", true).hints).toBe(false);
        expect(form("", true).unrated).toBeNull();
    });

    it("has no hints between people, unless they are chosen", () => {
        const table = form();
        table.sitters[1] = "open";
        expect(table.hints).toBe(false);
        table.hintsChosen = true;
        expect(table.request.hints).toBe(true);
    });

    it("gives a guest on the same device a seat with a name", () => {
        const table = form();
        table.sitters[1] = "guest";
        table.names[1] = " Ines ";
        expect(table.request.seats[1]).toEqual({ kind: "me", name: "Ines" });
    });

    it("takes a puzzle and options from its address", () => {
        const { request } = form("?puzzle=abc&aid=true");
        expect(request).toMatchObject({ seats: [{ kind: "me" }], seed: "ABC", options: { aid: true } });
    });

    it("lets a bot take over with a clock only", () => {
        const table = form();
        table.takeover = true;
        expect(table.request).toMatchObject({ bot_takeover: false, clock: { kind: "none" } });
        table.clock = "move";
        expect(table.request).toMatchObject({ bot_takeover: true, clock: { kind: "move", seconds: 30 } });
    });
});
