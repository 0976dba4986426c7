// Messages by key: English first, other languages as they come; and lists, numbers and dates as a language writes them.
import { fill, spell, type Parameters } from "./fill";
import type { Say } from "./game";
import english from "./messages/en.json";
import { settings } from "./settings.svelte";

type Catalogue = Record<string, string>;

const FALLBACK = "en";
const others = import.meta.glob<Catalogue>(["./messages/*.json", "!./messages/en.json"], {
    import: "default",
});
const catalogues = $state<Record<string, Catalogue>>({ [FALLBACK]: english });

/** The languages there are catalogues for. */
export const languages: readonly string[] = [
    FALLBACK,
    ...Object.keys(others).map((path) => path.slice("./messages/".length, -".json".length)),
];

const inUse = $derived.by(() => {
    const wanted = [settings.choices.language, ...navigator.languages.map((tag) => tag.split("-")[0] ?? "")];
    return wanted.find((tag) => languages.includes(tag)) ?? FALLBACK;
});

/** The language in use: the chosen one, else the browser's if we have it, else English. */
export function language(): string {
    return inUse;
}

/** Loads the catalogue of the language in use, if it is not English. */
export async function loadLanguage(): Promise<void> {
    const tag = language();
    document.documentElement.lang = tag;
    if (catalogues[tag]) return;
    catalogues[tag] = (await others[`./messages/${tag}.json`]?.()) ?? {};
}

export const say: Say = (key, parameters) => sayFrom(catalogues, key, parameters);

/** A Say for a game's own catalogue. */
export function sayer(messages: Record<string, Catalogue>): Say {
    return (key, parameters) => sayFrom(messages, key, parameters);
}

/** What a game's catalogue says for a key; null if it has no word for it. */
export function ifSaid(gameSay: Say, key: string, parameters?: Parameters): string | null {
    const words = gameSay(key, parameters);
    return words === key ? null : words;
}

/** Whether the shell's catalogue has this key. */
export function knows(key: string): boolean {
    return key in english;
}

function sayFrom(messages: Record<string, Catalogue>, key: string, parameters: Parameters = {}): string {
    const tag = language();
    const message = messages[tag]?.[key];
    if (message !== undefined) return fill(message, parameters, tag);
    return fill(messages[FALLBACK]?.[key] ?? key, parameters, FALLBACK);
}

export function number(value: number): string {
    return spell(value, language());
}

/** Two or more names as one phrase: "Ada, Mira and Jonas". */
export function list(names: readonly string[]): string {
    return new Intl.ListFormat(language(), { type: "conjunction" }).format(names);
}

/** A day and time, as this language writes it. */
export function when(at: number): string {
    return new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "short" }).format(at);
}
