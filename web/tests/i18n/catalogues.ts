// What can be wrong with catalogues of messages: a language against English, and English against the source.
export type Catalogue = Record<string, string>;

/** The places of a message: their names, and the branches of those that choose. */
export interface Places {
    names: Set<string>;
    plurals: Map<string, Set<string>>;
    selects: Map<string, Set<string>>;
    whole: boolean; // every brace has its partner, and every place can be read
}

export function places(message: string): Places {
    const found: Places = { names: new Set(), plurals: new Map(), selects: new Map(), whole: true };
    let depth = 0;
    let start = 0;
    for (let at = 0; at < message.length; at++) {
        if (message[at] === "{" && depth++ === 0) start = at + 1;
        if (message[at] === "}" && --depth === 0) read(message.slice(start, at), found);
        if (depth < 0) break;
    }
    found.whole &&= depth === 0;
    return found;
}

function read(place: string, found: Places): void {
    const head = /^(\w+)(?:, (plural|select),(.*))?$/s.exec(place);
    if (!head?.[1]) {
        found.whole = false;
        return;
    }
    found.names.add(head[1]);
    if (!head[2]) return;
    const kind = head[2] === "plural" ? found.plurals : found.selects;
    const branches = kind.get(head[1]) ?? new Set();
    kind.set(head[1], branches);
    for (const [name, inside] of branchesOf(head[3] ?? "")) {
        branches.add(name);
        merge(found, places(inside));
    }
    found.whole &&= branches.has("other");
}

function branchesOf(text: string): [string, string][] {
    const found: [string, string][] = [];
    for (let at = 0; at < text.length;) {
        const open = text.indexOf("{", at);
        if (open < 0) break;
        let end = open;
        for (let depth = 0; end < text.length; end++) {
            if (text[end] === "{") depth++;
            if (text[end] === "}" && --depth === 0) break;
        }
        found.push([text.slice(at, open).trim(), text.slice(open + 1, end)]);
        at = end + 1;
    }
    return found;
}

function merge(into: Places, from: Places): void {
    from.names.forEach((name) => into.names.add(name));
    for (const kind of ["plurals", "selects"] as const)
        for (const [name, branches] of from[kind])
            into[kind].set(name, new Set([...(into[kind].get(name) ?? []), ...branches]));
    into.whole &&= from.whole;
}

/** What is wrong with a language, measured by English: a line for each mistake. */
export function mismatches(english: Catalogue, other: Catalogue, tag: string): string[] {
    const wrong: string[] = [];
    for (const key of Object.keys(english)) if (!(key in other)) wrong.push(`${key}: missing`);
    for (const [key, message] of Object.entries(other)) {
        const original = english[key];
        if (original === undefined) wrong.push(`${key}: not in English`);
        else wrong.push(...differences(original, message, tag).map((what) => `${key}: ${what}`));
    }
    return wrong;
}

function differences(original: string, message: string, tag: string): string[] {
    if (!message) return ["empty"];
    const [theirs, ours] = [places(original), places(message)];
    if (!ours.whole) return ["braces or branches are not whole"];
    const wrong: string[] = [];
    for (const name of theirs.names) if (!ours.names.has(name)) wrong.push(`does not say {${name}}`);
    for (const name of ours.names) if (!theirs.names.has(name)) wrong.push(`asks for {${name}}`);
    for (const [name, branches] of theirs.selects)
        for (const branch of branches)
            if (!ours.selects.get(name)?.has(branch)) wrong.push(`{${name}} has no branch ${branch}`);
    const forms = new Intl.PluralRules(tag).resolvedOptions().pluralCategories as string[];
    for (const [name, branches] of theirs.plurals) {
        const said = ours.plurals.get(name);
        if (!said) wrong.push(`{${name}} is not counted`);
        for (const form of said ? branches : [])
            if ((form.startsWith("=") || forms.includes(form)) && !said?.has(form))
                wrong.push(`{${name}} has no form ${form}`);
    }
    for (const [name, branches] of ours.plurals)
        for (const form of branches)
            if (!form.startsWith("=") && !forms.includes(form))
                wrong.push(`{${name}} has a form ${form}, which the language has not`);
    return wrong;
}

/** The keys a source may say: texts in quotes as they are, templates as patterns. A template may begin with any key. */
export function spoken(sources: readonly string[]): (key: string) => boolean {
    const texts = new Set<string>();
    const patterns = new Set<string>();
    for (const source of sources) {
        for (const [, text] of source.matchAll(/"([\w.-]+)"/g)) texts.add(text ?? "");
        for (const [, template] of source.matchAll(TEMPLATE)) patterns.add(pattern(template ?? ""));
    }
    const fits = [...patterns].map((one) => new RegExp(`^${one}$`));
    return (key) => texts.has(key) || fits.some((one) => one.test(key));
}

// `face.${face}`, `${which}.title`: only what looks like a key, with a word of it at least.
const TEMPLATE = /`((?=[^`]*[\w-]\.|[^`]*\.[\w-])(?:[\w.-]|\$\{(?:[^{}`]|\{[^{}`]*\})*\})+)`/g;

function pattern(template: string): string {
    return template
        .split(/(\$\{(?:[^{}]|\{[^{}]*\})*\})/)
        .map((part) => (part.startsWith("${") ? (part.includes('"') ? "[\\w.-]*" : "[\\w-]+") : escape(part)))
        .join("")
        .replace(/^\[\\w-\]\+/, "[\\w.-]+");
}

function escape(text: string): string {
    return text.replaceAll(".", "\\.");
}

/** The keys that no source says. */
export function unused(catalogue: Catalogue, sources: readonly string[]): string[] {
    const says = spoken(sources);
    return Object.keys(catalogue).filter((key) => !says(key));
}
