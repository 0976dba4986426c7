// The styles take sizes of type and the ring of focus from tokens.css.
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
