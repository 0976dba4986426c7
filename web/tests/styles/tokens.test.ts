// The styles take sizes of type, the ring of focus and the breakpoints of pages from tokens.css.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const FILES = [...globSync("src/**/*.svelte"), ...globSync("src/styles/*.css")].filter(
    (file) => !file.endsWith("tokens.css"),
);

/** List what files declare by a pattern, each with its file. */
function declared(pattern: RegExp): string[] {
    return FILES.flatMap((file) =>
        [...readFileSync(file, "utf-8").matchAll(pattern)].map(([text]) => `${file}: ${text}`),
    );
}

test("every size of type that grows with the text is a token", () => {
    expect(declared(/font-size: [^;]*var\(--font-size-\d+\)/g).length).toBeGreaterThan(100);
    expect(declared(/font-size:[^;]*\d+rem|font:[^;/]*\d+rem/g)).toEqual([]);
});

test("every ring of focus is the token's", () => {
    expect(declared(/outline: var\(--focus-ring\)/g).length).toBeGreaterThan(1);
    expect(declared(/focus-visible[^}]*outline: \d[^;]*var\(--ink\)/g)).toEqual([]);
});

test("media queries use the breakpoints that tokens.css lists", () => {
    const tokens = readFileSync("src/styles/tokens.css", "utf-8");
    const queries = [...declared(/@media[^{]*/g), ...(tokens.match(/@media[^{]*/g) ?? [])].join();
    for (const side of ["width", "height"]) {
        const listed = new RegExp(`${side}s: (.*em)\\b`).exec(tokens)?.[1]?.split(" ");
        const conditions = queries.match(new RegExp(`\\([^()]*\\b${side}\\b[^()]*\\)`, "g")) ?? [];
        const used = new Set(conditions.flatMap((condition) => condition.match(/[\d.]+[a-z]+/g) ?? []));
        expect([...used].sort()).toEqual(listed?.sort());
    }
});
