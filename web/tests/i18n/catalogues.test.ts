// Every message is there in every language, asks for the same things, counts as its language does, and is said somewhere.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mismatches, places, unused, type Catalogue } from "./catalogues";

const SOURCE = join(import.meta.dirname, "../../src");
const LANGUAGES = ["nl", "de", "ja"];
// What the shell says from a game's catalogue: see GameModule. That they are all of them the Python tests see to.
const ASKED_BY_SHELL = /^(aside$|option\.|refused\.|level\.|odds\.|fact\.|moment\.)/;

const read = (path: string): string => readFileSync(join(SOURCE, path), "utf-8");
const catalogue = (folder: string, tag: string): Catalogue =>
    JSON.parse(read(`${folder}/messages/${tag}.json`)) as Catalogue;
const sources = (folder: string): string[] =>
    readdirSync(join(SOURCE, folder), { recursive: true, encoding: "utf-8" })
        .filter((path) => /\.(ts|svelte)$/.test(path))
        .map((path) => read(`${folder}/${path}`));
const SHELL = ["board", "client", "i18n", "pages", "stage", "ui"];
// Where the catalogues of parts of the client are said, if not in their own folders alone.
const SAID_IN: Record<string, string[]> = {
    i18n: SHELL,
    offline: ["offline", "pages"],
    "pages/account": ["pages/account", "pages/notifications"],
    "pages/ratings": ["pages/ratings", "pages/account"],
};
const games = readdirSync(join(SOURCE, "games"));
const PAGES = ["account", "lesson", "ratings", "replay"].map((page) => `pages/${page}`);
const folders = ["i18n", "offline", ...PAGES, ...games.map((game) => `games/${game}`)];

describe.each(folders)("the catalogue of %s", (folder) => {
    const english = catalogue(folder, "en");

    test.each(LANGUAGES)("says in %s what it says in English", (tag) => {
        expect(mismatches(english, catalogue(folder, tag), tag)).toEqual([]);
    });
    test("is in these languages and no others", () => {
        const files = readdirSync(join(SOURCE, folder, "messages")).sort();
        expect(files).toEqual(["en", ...LANGUAGES].map((tag) => `${tag}.json`).sort());
    });
    test("has no key twice", () => {
        for (const tag of ["en", ...LANGUAGES]) {
            const keys = [...read(`${folder}/messages/${tag}.json`).matchAll(/^\s*"([^"]+)":/gm)];
            expect(keys.length).toBe(Object.keys(catalogue(folder, tag)).length);
        }
    });
    test("has English that is whole, and counts as English does", () => {
        expect(mismatches(english, english, "en")).toEqual([]);
    });
    test("has no message that nobody says", () => {
        const said = SAID_IN[folder] ?? [folder];
        const unsaid = unused(english, said.flatMap(sources));
        expect(folder === "i18n" ? unsaid : unsaid.filter((key) => !ASKED_BY_SHELL.test(key))).toEqual([]);
    });
});

test.each(games)("the card of %s speaks every language", (game) => {
    const card = JSON.parse(read(`games/${game}/card.json`)) as Record<"time" | "line", Catalogue>;
    for (const texts of [card.time, card.line]) {
        expect(Object.keys(texts).sort()).toEqual(["en", ...LANGUAGES].sort());
        expect(Object.values(texts).every(Boolean)).toBe(true);
    }
});

describe("what would be found", () => {
    const wrong = (english: string, other: string, tag = "de"): string[] =>
        mismatches({ key: english }, { key: other }, tag);

    test.each([
        ["a place left out", "Hello {name}", "Hallo", ["key: does not say {name}"]],
        ["a place misspelt", "{name}", "{nam}", ["key: does not say {name}", "key: asks for {nam}"]],
        ["an empty message", "Hello", "", ["key: empty"]],
        ["a brace left open", "{name}", "{name", ["key: braces or branches are not whole"]],
        [
            "a choice without an end",
            "{who, select, you {a} other {b}}",
            "{who, select, you {a}}",
            ["key: braces or branches are not whole"],
        ],
        [
            "a choice left out",
            "{who, select, you {a} other {{name}}}",
            "{who} {name}",
            ["key: {who} has no branch you", "key: {who} has no branch other"],
        ],
        ["a count left out", "{n, plural, one {# a} other {# b}}", "{n}", ["key: {n} is not counted"]],
        [
            "a form left out",
            "{n, plural, =0 {no} one {# a} other {# b}}",
            "{n, plural, other {# b}}",
            ["key: {n} has no form =0", "key: {n} has no form one"],
        ],
    ])("%s", (_, english, other, found) => {
        expect(wrong(english, other)).toEqual(found);
    });
    test("a form that the language has not", () => {
        const english = "{n, plural, one {# a} other {# b}}";
        expect(wrong(english, english, "ja")).toEqual([
            "key: {n} has a form one, which the language has not",
        ]);
        expect(wrong(english, "{n, plural, other {#}}", "ja")).toEqual([]);
    });
    test("a key that is missing, and one too many", () => {
        expect(mismatches({ a: "a" }, { b: "b" }, "nl")).toEqual(["a: missing", "b: not in English"]);
    });
    test("a key that nobody says", () => {
        const source =
            'say("a"); say(`face.${face}`); say(`b.${x}${y ? ".second" : ""}`); say(`${key}.short`)';
        const keys = ["a", "face.red", "face.red.more", "b.x", "b.x.second", "c", "d.x.short", "d.short.x"];
        const english = Object.fromEntries(keys.map((key) => [key, key]));
        expect(unused(english, [source])).toEqual(["face.red.more", "c", "d.short.x"]);
    });
    test("places within places", () => {
        const { names, plurals } = places(
            "{who, select, you {{n, plural, other {# of {all}}}} other {{name}}}",
        );
        expect([...names]).toEqual(["who", "n", "all", "name"]);
        expect([...plurals.keys()]).toEqual(["n"]);
    });
});
