// Every kind of move is an instruction, and tells no face that its seat does not see.
import { expect, test } from "vitest";
import { advice } from "../../../src/games/rainbow/text";
import { played, say, turned, view } from "./views";

test("every kind of move has its words", () => {
    expect(advice("S3", view(), 0, say)).toBe("Play card 3 as violet");
    expect(advice("S1", view({ viewer: 1 }), 1, say)).toBe("Play card 1 as shade");
    expect(advice("B2", view(), 0, say)).toBe("Play card 2 blind");
    expect(advice("F1", played, 0, say)).toBe("Turn over the orange card at 1");
    expect(advice("E", played, 0, say)).toBe("End your turn");
});

test("a card is called by the face that shows now", () => {
    expect(turned.row[0]?.face).not.toBe("O");
    expect(advice("F1", turned, 0, say)).not.toContain("orange");
});
