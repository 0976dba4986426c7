// Every kind of move is an instruction, and tells no face that its seat does not see.
import { expect, test } from "vitest";
import { hintText } from "../../../src/games/rainbow/text";
import { played, say, turned, view } from "./views";
import { context } from "../../support/context";

test("every kind of move has its words", () => {
    expect(hintText("S3", context({ view: view(), seat: 0, say }))).toBe("Play card 3 as violet");
    expect(hintText("S1", context({ view: view({ viewer: 1 }), seat: 1, say }))).toBe("Play card 1 as shade");
    expect(hintText("B2", context({ view: view(), seat: 0, say }))).toBe("Play card 2 blind");
    expect(hintText("F1", context({ view: played, seat: 0, say }))).toBe(
        "Turn over card 1 of the row, orange",
    );
    expect(hintText("E", context({ view: played, seat: 0, say }))).toBe("End your turn");
});

test("a card is called by the face that shows now", () => {
    expect(turned.row[0]?.face).not.toBe("O");
    expect(hintText("F1", context({ view: turned, seat: 0, say }))).not.toContain("orange");
});
