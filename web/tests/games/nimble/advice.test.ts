// Every kind of move is an instruction; a placement says so once its card no longer fits.
import { expect, test } from "vitest";
import { fill } from "../../../src/i18n/format";
import type { Say } from "../../../src/board/contract";
import en from "../../../src/games/nimble/messages/en.json";
import { advice } from "../../../src/games/nimble/text";
import { FakeTable } from "./table";

const say: Say = (key, parameters = {}) =>
    fill((en as Record<string, string>)[key] ?? `no message ${key}`, parameters, "en");

test("every kind of move has its words", () => {
    const view = new FakeTable(2, 1).view(0);
    expect(advice("f", view, 0, say)).toBe("Flip a card");
    expect(advice("b", view, 0, say)).toBe("Take your card back");
    expect(advice("t", view, 0, say)).toBe("Turn your pile over");
    const [stack] = view.stacks;
    const [player] = view.players;
    if (!stack || !player) throw new Error("no table");
    player.top = { card: 7, owner: 0, frame: "M", circle: "E" };
    stack.top = { card: 9, owner: 1, frame: "A", circle: "M" };
    expect(advice("p1", view, 0, say)).toBe("Place Moby-Dick on stack 1");
    stack.top = { card: 9, owner: 1, frame: "A", circle: "Q" };
    expect(advice("p1", view, 0, say)).toBe("Place Moby-Dick on stack 1, though it does not fit");
});
