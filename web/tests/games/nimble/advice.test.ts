// Every kind of move is an instruction; a placement says so once its card no longer fits.
import { expect, test } from "vitest";
import { fill } from "../../../src/i18n/format";
import type { Say } from "../../../src/board/contract";
import en from "../../../src/games/nimble/messages/en.json";
import { hintText } from "../../../src/games/nimble/text";
import { FakeTable } from "./table";
import { context } from "../../support/context";

const say: Say = (key, parameters = {}) =>
    fill((en as Record<string, string>)[key] ?? `no message ${key}`, parameters, "en");

test("every kind of move has its words", () => {
    const view = new FakeTable(2, 1).view(0);
    expect(hintText("f", context({ view, seat: 0, say }))).toBe("Flip a card");
    expect(hintText("b", context({ view, seat: 0, say }))).toBe("Take your card back");
    expect(hintText("t", context({ view, seat: 0, say }))).toBe("Turn your pile over");
    const [stack] = view.stacks;
    const [player] = view.players;
    if (!stack || !player) throw new Error("no table");
    player.top = { card: 7, owner: 0, frame: "M", circle: "E" };
    stack.top = { card: 9, owner: 1, frame: "A", circle: "M" };
    expect(hintText("p1", context({ view, seat: 0, say }))).toBe("Place Moby-Dick on stack 1");
    stack.top = { card: 9, owner: 1, frame: "A", circle: "Q" };
    expect(hintText("p1", context({ view, seat: 0, say }))).toBe(
        "Place Moby-Dick on stack 1, though it doesn’t fit",
    );
});
