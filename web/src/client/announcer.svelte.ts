// What a screen reader hears: one polite region for moves, one assertive for your turn, refusals and the connection.
export class Announcer {
    polite = $state("");
    assertive = $state("");
    #moved = "";
    #called = "";

    /** Said when the reader has time. */
    move(text: string): void {
        this.polite = this.#moved = again(text, this.#moved);
    }

    /** Said at once. */
    now(text: string): void {
        this.assertive = this.#called = again(text, this.#called);
    }

    /** Leaves nothing to be read of what was said: it may have been hidden since. */
    forget(): void {
        this.polite = "";
        this.assertive = "";
    }
}

/** The same words twice are two pieces of news: a mark nobody hears makes them differ. */
function again(text: string, before: string): string {
    return text === before ? `${text}\u200b` : text;
}

/** Join texts into sentences: each ends with its own mark, or with a full stop. */
export function sentences(...parts: string[]): string {
    return parts
        .filter(Boolean)
        .map((part) => (/[.!?…。！？:]$/.test(part) ? part : `${part}.`))
        .join(" ");
}
