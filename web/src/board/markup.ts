// The marks in a line of the log: `**bold**`, and `<green>` for a swatch of that token, `<hidden>` for a hatched one.
export type MarkupPart = { kind: "text" | "bold"; text: string } | { kind: "swatch"; token: string };

export function parseMarkup(line: string): MarkupPart[] {
    return line
        .split(/(\*\*[^*]+\*\*|<[a-z-]+>)/)
        .filter(Boolean)
        .map((part) => {
            if (part.startsWith("**")) return { kind: "bold", text: part.slice(2, -2) };
            if (/^<[a-z-]+>$/.test(part)) return { kind: "swatch", token: part.slice(1, -1) };
            return { kind: "text", text: part };
        });
}

/** The line without marks, to be heard. */
export function plain(line: string): string {
    return parseMarkup(line)
        .map((bit) => (bit.kind === "swatch" ? "" : bit.text))
        .join("");
}
