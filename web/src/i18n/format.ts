// Fills the places of a message, in the form ICU uses: "{name}", "{count, plural, =0 {none} one {# card} other {# cards}}",
// "{who, select, you {…} other {…}}". Plurals by Intl.
export type Parameters = Record<string, string | number>;

// Made once for each language: a board may say hundreds of things at once.
const PLURALS = new Map<string, Intl.PluralRules>();
const NUMBERS = new Map<string, Intl.NumberFormat>();

function made<T>(kept: Map<string, T>, tag: string, make: () => T): T {
    let found = kept.get(tag);
    if (found === undefined) kept.set(tag, (found = make()));
    return found;
}

/** Fills a message's places. */
export function fill(message: string, parameters: Parameters, tag: string, count?: number): string {
    let text = "";
    for (let at = 0; at < message.length; at++) {
        const letter = message[at];
        if (letter === "#" && count !== undefined) {
            text += spell(count, tag);
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
    if (!head[2]) return typeof value === "number" ? spell(value, tag) : value;
    const branches = choices(inside.slice(head[0].length));
    const wanted =
        head[2] === "plural"
            ? [
                  `=${value}`,
                  made(PLURALS, tag, () => new Intl.PluralRules(tag)).select(Number(value)),
                  "other",
              ]
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

export function spell(value: number, tag: string): string {
    return made(NUMBERS, tag, () => new Intl.NumberFormat(tag)).format(value);
}
