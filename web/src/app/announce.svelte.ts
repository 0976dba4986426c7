// What a screen reader hears: one polite region for moves, one assertive for your turn, refusals and the connection.
import { untrack } from "svelte";

class Announcer {
    polite = $state("");
    assertive = $state("");

    /** Said when the reader has time. */
    move(text: string): void {
        this.polite = again(
            text,
            untrack(() => this.polite),
        );
    }

    /** Said at once. */
    now(text: string): void {
        this.assertive = again(
            text,
            untrack(() => this.assertive),
        );
    }
}

/** The same words twice are two pieces of news: a mark nobody hears makes them differ. */
function again(text: string, before: string): string {
    return text === before ? `${text}\u200b` : text;
}

export const announce = new Announcer();
