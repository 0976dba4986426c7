// Marks in the log: shown as swatches and bold, not heard.
import { expect, test } from "vitest";
import { parseMarkup, plain } from "../../src/board/markup";

test("a line with marks", () => {
    expect(parseMarkup("You turned 3: <green>**green** came up")).toEqual([
        { kind: "text", text: "You turned 3: " },
        { kind: "swatch", token: "green" },
        { kind: "bold", text: "green" },
        { kind: "text", text: " came up" },
    ]);
    expect(plain("You turned 3: <green>**green** came up")).toBe("You turned 3: green came up");
});
