// The styles take sizes of type, the ring of focus, curves and the breakpoints of pages from tokens.css; scripts agree.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FACES, tokenOf } from "../../src/pieces/faces";
import { EASE_GLIDE, EASE_LIFT, GIVE_BACK, GLIDE } from "../../src/pieces/motion";
import { CORE, INK, PAPER } from "../../src/pieces/print";

const TOKENS = readFileSync("src/styles/tokens.css", "utf-8");

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
    const queries = [...declared(/@media[^{]*/g), ...(TOKENS.match(/@media[^{]*/g) ?? [])].join();
    for (const side of ["width", "height"]) {
        const listed = new RegExp(`${side}s: (.*em)\\b`).exec(TOKENS)?.[1]?.split(" ");
        const conditions = queries.match(new RegExp(`\\([^()]*\\b${side}\\b[^()]*\\)`, "g")) ?? [];
        const used = new Set(conditions.flatMap((condition) => condition.match(/[\d.]+[a-z]+/g) ?? []));
        expect([...used].sort()).toEqual(listed?.sort());
    }
});

test("one script knows breakpoints: those of phones and tablets", () => {
    const files = globSync("src/**/*.{ts,svelte}").filter((file) =>
        /(matchMedia|MediaQuery)\([^)]*\d/.test(readFileSync(file, "utf-8")),
    );
    expect(files).toEqual(["src/client/window-width.svelte.ts"]);
    const script = readFileSync("src/client/window-width.svelte.ts", "utf-8");
    const named = /Phones are narrower than (\S+em), tablets than (\S+em)\./.exec(TOKENS)?.slice(1);
    expect(script.match(/[\d.]+em/g)).toEqual(named);
});

test("curves are tokens, and scripts move pieces by them", () => {
    expect(declared(/cubic-bezier/g)).toEqual([]);
    const curve = (written: string): string => written.replaceAll("0.", ".").replaceAll(", ", ",");
    expect(curve(TOKENS)).toContain(`--ease-glide: ${EASE_GLIDE};`);
    expect(curve(TOKENS)).toContain(`--lift: 120ms ${EASE_LIFT};`);
    expect(TOKENS).toContain(`--glide: ${GLIDE}ms var(--ease-glide);`);
    expect(TOKENS).toContain(`--give-back: ${GIVE_BACK}ms var(--ease-glide);`);
});

test("pieces are drawn in the colours of the tokens", () => {
    const drawn = Object.values(FACES).map(({ letter, hue }) => [tokenOf(letter), hue]);
    for (const [token, hue] of [...drawn, ["paper", PAPER], ["print", INK], ["core", CORE]])
        expect(TOKENS).toContain(`--${token}: ${hue?.toLowerCase()};`);
});

test("every token is used", () => {
    const used = [...FILES, "src/styles/tokens.css"].map((file) => readFileSync(file, "utf-8")).join();
    const hues = Object.keys(FACES).map((letter) => `--${tokenOf(letter)}`); // a face's, by its name
    const tokens = new Set(TOKENS.match(/--[\w-]+(?=:)/g));
    expect([...tokens].filter((token) => !used.includes(`var(${token})`) && !hues.includes(token))).toEqual(
        [],
    );
});
