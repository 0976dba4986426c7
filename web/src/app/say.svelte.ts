// Messages by key: English first, other languages as they come. Plurals by Intl, in the form ICU uses:
// "{count, plural, =0 {no cards} one {# card} other {# cards}}" and "{who, select, you {…} other {…}}".
import type { Say } from "./game";
import english from "./messages/en.json";
import { settings } from "./settings.svelte";

type Catalogue = Record<string, string>;
type Parameters = Record<string, string | number>;

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

/** The language in use: the chosen one, else the browser's if we have it, else English. */
export function language(): string {
    const wanted = [settings.choices.language, ...navigator.languages.map((tag) => tag.split("-")[0] ?? "")];
    return wanted.find((tag) => languages.includes(tag)) ?? FALLBACK;
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

/** Fills a message's places. */
export function fill(message: string, parameters: Parameters, tag: string, count?: number): string {
    let text = "";
    for (let at = 0; at < message.length; at++) {
        const letter = message[at];
        if (letter === "#" && count !== undefined) {
            text += number(count, tag);
        } else if (letter === "{") {
            const end = closing(message, at);
            text += place(message.slice(at + 1, end), parameters, tag);
            at = end;
        } else {
            text += letter;
        }
    }
    return text;
}

function place(inside: string, parameters: Parameters, tag: string): string {
    const head = /^\s*(\w+)\s*(?:,\s*(plural|select)\s*,)?/.exec(inside);
    const value = parameters[head?.[1] ?? ""];
    if (!head || value === undefined) return `{${inside}}`;
    if (!head[2]) return typeof value === "number" ? number(value, tag) : value;
    const branches = choices(inside.slice(head[0].length));
    const wanted =
        head[2] === "plural"
            ? [`=${value}`, new Intl.PluralRules(tag).select(Number(value)), "other"]
            : [String(value), "other"];
    const chosen = wanted.map((name) => branches.get(name)).find((branch) => branch !== undefined);
    return fill(chosen ?? "", parameters, tag, head[2] === "plural" ? Number(value) : undefined);
}

function choices(text: string): Map<string, string> {
    const found = new Map<string, string>();
    for (let at = 0; at < text.length;) {
        const open = text.indexOf("{", at);
        if (open < 0) break;
        const end = closing(text, open);
        found.set(text.slice(at, open).trim(), text.slice(open + 1, end));
        at = end + 1;
    }
    return found;
}

function closing(text: string, open: number): number {
    let depth = 0;
    for (let at = open; at < text.length; at++) {
        if (text[at] === "{") depth++;
        if (text[at] === "}" && --depth === 0) return at;
    }
    return text.length;
}

export function number(value: number, tag = language()): string {
    return new Intl.NumberFormat(tag).format(value);
}

/** Two or more names as one phrase: "Ada, Mira and Jonas". */
export function list(names: readonly string[]): string {
    return new Intl.ListFormat(language(), { type: "conjunction" }).format(names);
}

/** A day and time, as this language writes it. */
export function when(at: number): string {
    return new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "short" }).format(at);
}
