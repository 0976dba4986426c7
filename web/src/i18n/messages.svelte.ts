// Messages by key: English first, the language in use as soon as it is there; and lists, numbers and dates as it writes them.
import { fill, spell, type Parameters } from "./format";
import english from "./messages/en.json";

/** Look up a message and fill it in: `say("lost", { colour: "red" })`. */
export type Say = (key: string, parameters?: Parameters) => string;

type Catalogue = Record<string, string>;

const FALLBACK = "en";
const SHELL = "./messages";
const files = {
    ...import.meta.glob<Catalogue>(["./messages/*.json", "!./messages/en.json"], { import: "default" }),
    ...import.meta.glob<Catalogue>(["../games/*/messages/*.json", "!../games/*/messages/en.json"], {
        import: "default",
    }),
};
const folderOf = (game: string): string => `../games/${game}/messages`;
type Loader = () => Promise<Catalogue>;

// What was loaded, by file; the folders whose words are wanted; the language that all of them are there in.
const loaded = new Map<string, Catalogue>([[`${SHELL}/${FALLBACK}.json`, english]]);
const folders = new Set([SHELL]);
let spoken = $state(FALLBACK);
let wanted = FALLBACK;
let added: Promise<unknown> = Promise.resolve(); // settles when the messages of imported parts are there

/** The languages there are catalogues for. */
export const languages: readonly string[] = [
    FALLBACK,
    ...Object.keys(files).flatMap((path) => /^\.\/messages\/(\w+)\.json$/.exec(path)?.[1] ?? []),
];

/** The language in use. */
export function language(): string {
    return spoken;
}

/** Pick the chosen language, else the first of the browser's that we have, else English. */
function pick(chosen: string): string {
    const tags = [chosen, ...navigator.languages.map((tag) => tag.split("-")[0] ?? "")];
    return tags.find((tag) => languages.includes(tag)) ?? FALLBACK;
}

/** Load the messages of a language and use it once they are there. If they do not arrive, nothing changes. */
export async function loadLanguage(chosen: string): Promise<void> {
    const tag = pick(chosen);
    wanted = tag;
    const there = await Promise.all([...folders].map((folder) => load(folder, tag)));
    if (!there[0] || tag !== wanted) return;
    spoken = tag;
    document.documentElement.lang = tag;
}

/** Loads a game's words in the language in use. */
export async function loadGameMessages(game: string): Promise<void> {
    folders.add(folderOf(game));
    await load(folderOf(game), spoken);
}

/**
 * Add the catalogue of a part of the client that is loaded on its own: its English, and the files of other languages.
 * The part is imported through `withMessages`, and not awaited at its top level: its chunk may hold what others need.
 */
export function addMessages(folder: string, english: Catalogue, others: Record<string, Loader>): Say {
    Object.assign(files, others);
    folders.add(folder);
    added = Promise.all([added, load(folder, spoken)]);
    return (key, parameters) => sayFrom(folder, english, key, parameters);
}

/** Return an imported part of the client once the messages that it added are there. */
export async function withMessages<T>(part: Promise<T>): Promise<T> {
    const imported = await part;
    await added;
    return imported;
}

async function load(folder: string, tag: string): Promise<boolean> {
    const file = `${folder}/${tag}.json`;
    try {
        if (!loaded.has(file)) loaded.set(file, (await files[file]?.()) ?? {});
    } catch {
        return false; // the line is down: English will do
    }
    return true;
}

export const say: Say = (key, parameters) => sayFrom(SHELL, english, key, parameters);

/** A Say for a game's own catalogue: its English is given, the rest is what `loadGameMessages` has loaded. */
export function gameMessages(game: string, messages: Record<string, Catalogue>): Say {
    return (key, parameters) => sayFrom(folderOf(game), messages[FALLBACK] ?? {}, key, parameters);
}

/** What a game's catalogue says for a key; null if it has no word for it. */
export function sayIfKnown(gameSay: Say, key: string, parameters?: Parameters): string | null {
    const words = gameSay(key, parameters);
    return words === key ? null : words;
}

/** Whether the shell's catalogue has this key. */
export function knows(key: string): boolean {
    return key in english;
}

function sayFrom(folder: string, fallback: Catalogue, key: string, parameters: Parameters = {}): string {
    const message = loaded.get(`${folder}/${spoken}.json`)?.[key];
    if (message !== undefined) return fill(message, parameters, spoken);
    return fill(fallback[key] ?? key, parameters, FALLBACK);
}

export function number(value: number): string {
    return spell(value, spoken);
}

/** Two or more names as one phrase: "Ada, Mira and Jonas". */
export function list(names: readonly string[], type: "conjunction" | "disjunction" = "conjunction"): string {
    return new Intl.ListFormat(spoken === "en" ? "en-GB" : spoken, { type }).format(names);
}

/** Choices as one phrase: "a1, a3 or a5". */
export function anyOf(choices: readonly string[]): string {
    return list(choices, "disjunction");
}

/** A day and time, as this language writes it. */
export function when(at: number): string {
    return new Intl.DateTimeFormat(spoken, { dateStyle: "medium", timeStyle: "short" }).format(at);
}

/** A day of the coming weeks, as this language writes it. */
export function soonDay(at: number): string {
    return new Intl.DateTimeFormat(spoken, { month: "short", day: "numeric" }).format(at);
}

/** A day, as this language writes it. */
export function day(at: number): string {
    return new Intl.DateTimeFormat(spoken, { dateStyle: "medium" }).format(at);
}
