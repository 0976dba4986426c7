// Rules are read from their Markdown: rules with their ids, no HTML, no address that leads elsewhere.
import { expect, test } from "vitest";
import { blocks, runs } from "../../src/stage/rules/markdown";

test("a rule has its id, and says if it is a ruling", () => {
    const [list] = blocks("- **RB-2 ruling** Every pair\n  of faces.\n- **RB-3** The deck.\n- plain");
    expect(list).toMatchObject({
        kind: "list",
        items: [
            { rule: "RB-2", ruling: true, runs: [{ text: "Every pair of faces." }] },
            { rule: "RB-3", ruling: false },
            { rule: null },
        ],
    });
});

test("a ruling is known in any language, and Japanese lines meet without a space", () => {
    const [list, text] = blocks(
        "- **RB-2 裁定** 9種類の\n  面と `K` です。\n  光。\n\n虹は\n7色 red\nです。",
    );
    expect(list).toMatchObject({
        items: [
            { rule: "RB-2", ruling: true, runs: [{ text: "9種類の面と " }, {}, { text: " です。光。" }] },
        ],
    });
    expect(text).toMatchObject({ runs: [{ text: "虹は 7色 red です。" }] });
});

test("headings, paragraphs and tables", () => {
    const found = blocks("# A game\n\nFor two,\nor more.\n\n| a | b |\n|---|---|\n| `1` | 2 |\n");
    expect(found.map((block) => block.kind)).toEqual(["heading", "paragraph", "table"]);
    expect(found[1]).toMatchObject({ runs: [{ text: "For two, or more." }] });
    expect(found[2]).toMatchObject({
        head: [[{ text: "a" }], [{ text: "b" }]],
        rows: [[[{ kind: "code" }], [{}]]],
    });
});

test("a link to nowhere good is only text, and HTML is only letters", () => {
    expect(runs("[x](javascript:alert(1)) <b>")).toEqual([
        { kind: "text", text: "x" },
        { kind: "text", text: ") <b>" },
    ]);
    expect(runs("[x](https://example.org)")).toEqual([
        { kind: "link", text: "x", to: "https://example.org" },
    ]);
});
