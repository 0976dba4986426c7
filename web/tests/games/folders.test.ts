// Every game's folder has the same files, whatever else it needs.
import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { languages } from "../../src/i18n/messages.svelte";

const GAMES = readdirSync("src/games");
const FILES = [
    ["index.ts"],
    ["Board.svelte"],
    ["Picture.svelte"],
    ["card.json"],
    ["types.ts"],
    ["choices.ts"],
    ["selection.svelte.ts"],
    ["text.ts"],
    ["animation.ts", "animation.svelte.ts"],
    ...languages.map((tag) => [`messages/${tag}.json`]),
];

test.each(GAMES)("%s has a file for each part of a board", (game) => {
    const missing = FILES.filter((names) => !names.some((name) => existsSync(`src/games/${game}/${name}`)));
    expect(missing).toEqual([]);
});
