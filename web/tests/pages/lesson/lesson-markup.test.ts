// The words of a lesson and the marks in them.
import { expect, test } from "vitest";
import { wordsOf } from "../../../src/pages/lesson/lesson-markup";

test("the words of a lesson hold bold parts, swatches, and rules that open", () => {
    expect(wordsOf("Play <red>red, **now** (RB-15, FS-5).")).toEqual([
        { kind: "text", text: "Play " },
        { kind: "swatch", token: "red" },
        { kind: "text", text: "red, " },
        { kind: "bold", text: "now" },
        { kind: "text", text: " (" },
        { kind: "rule", id: "RB-15" },
        { kind: "text", text: ", " },
        { kind: "rule", id: "FS-5" },
        { kind: "text", text: ")." },
    ]);
    expect(wordsOf("負けです（RB-15）。")).toContainEqual({ kind: "rule", id: "RB-15" });
});

test("what only looks like a rule is text", () => {
    expect(wordsOf("A T-shirt, 26-22, Moby-Dick")).toEqual([
        { kind: "text", text: "A T-shirt, 26-22, Moby-Dick" },
    ]);
});
