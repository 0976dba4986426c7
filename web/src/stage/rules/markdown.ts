// Reads the plain Markdown that rules are written in, into blocks and runs of text: no HTML is ever made from it.
export type Run =
    { kind: "text" | "code" | "bold" | "italic"; text: string } | { kind: "link"; text: string; to: string };

export type Block =
    | { kind: "heading"; level: number; runs: Run[] }
    | { kind: "paragraph"; runs: Run[] }
    | { kind: "list"; items: Item[] }
    | { kind: "table"; head: Run[][]; rows: Run[][][] };

/** An item of a list; a rule has its id, and says whether it is a ruling of ours. */
export interface Item {
    rule: string | null;
    ruling: boolean;
    runs: Run[];
}

const RULE = /^\*\*([A-Z]{1,3}-\d+[a-z]?)( [^*]+)?\*\*\s*/; // "ruling", in whatever language
const JAPANESE = /[\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]/;
const RUN = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

export function blocks(markdown: string): Block[] {
    const found: Block[] = [];
    for (const part of markdown.split(/\n\s*\n/)) {
        const lines = part.split("\n").filter((line) => line.trim());
        while (lines.length) found.push(take(lines));
    }
    return found;
}

function take(lines: string[]): Block {
    const first = lines[0] ?? "";
    const heading = /^(#{1,6})\s+(.*)$/.exec(first);
    if (heading) {
        lines.shift();
        return { kind: "heading", level: heading[1]?.length ?? 1, runs: runs(heading[2] ?? "") };
    }
    if (first.startsWith("|")) return table(lines);
    if (/^[-*] /.test(first)) return list(lines);
    const end = lines.findIndex((line, at) => at > 0 && /^(#{1,6} |[-*] |\|)/.test(line));
    const mine = lines.splice(0, end < 0 ? lines.length : end);
    return { kind: "paragraph", runs: runs(mine.reduce(joined, "")) };
}

/** A line after the text so far: with a space between them, but where two Japanese letters meet. */
function joined(text: string, line: string): string {
    const next = line.trim();
    return !text || (JAPANESE.test(text.slice(-1)) && JAPANESE.test(next[0] ?? ""))
        ? text + next
        : `${text} ${next}`;
}

function list(lines: string[]): Block {
    const items: string[] = [];
    while (lines.length) {
        const line = lines[0] ?? "";
        if (/^[-*] /.test(line)) items.push(line.slice(2).trim());
        else if (/^\s/.test(line)) items.push(joined(items.pop() ?? "", line));
        else break;
        lines.shift();
    }
    return { kind: "list", items: items.map(item) };
}

function item(text: string): Item {
    const rule = RULE.exec(text);
    return {
        rule: rule?.[1] ?? null,
        ruling: Boolean(rule?.[2]),
        runs: runs(rule ? text.slice(rule[0].length) : text),
    };
}

function table(lines: string[]): Block {
    const rows: string[][] = [];
    while (lines[0]?.startsWith("|")) {
        const cells = (lines.shift() ?? "")
            .trim()
            .replace(/^\||\|$/g, "")
            .split("|");
        if (!cells.every((cell) => /^\s*:?-+:?\s*$/.test(cell))) rows.push(cells.map((cell) => cell.trim()));
    }
    const [head = [], ...rest] = rows.map((row) => row.map(runs));
    return { kind: "table", head, rows: rest };
}

/** Splits a text at its marks. A link that does not stay on the web or here is only text. */
export function runs(text: string): Run[] {
    const found: Run[] = [];
    let at = 0;
    for (const match of text.matchAll(RUN)) {
        if (match.index > at) found.push({ kind: "text", text: text.slice(at, match.index) });
        at = match.index + match[0].length;
        const [, code, bold, italic, label, to] = match;
        if (code !== undefined) found.push({ kind: "code", text: code });
        else if (bold !== undefined) found.push({ kind: "bold", text: bold });
        else if (italic !== undefined) found.push({ kind: "italic", text: italic });
        else if (label !== undefined && to !== undefined) {
            found.push(
                /^(https?:\/\/|\/|#)/.test(to)
                    ? { kind: "link", text: label, to }
                    : { kind: "text", text: label },
            );
        }
    }
    if (at < text.length) found.push({ kind: "text", text: text.slice(at) });
    return found;
}
