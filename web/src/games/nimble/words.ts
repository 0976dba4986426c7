// Cards, books and people in words.
import type { Say } from "../../board/contract";
import type { Card } from "./types";

/** A book by its letter: "Alice". */
export function book(letter: string, say: Say): string {
    return say(`book.${letter}`);
}

/** A card as it is heard: its frame, and the frame it wants on top of it. */
export function cardWords(card: Card | null, say: Say): string {
    if (!card) return say("card.coming");
    return say("card", { frame: book(card.frame, say), circle: book(card.circle, say) });
}

/** For messages with {who, select, you {…} other {… {name} …}}. */
export function who(seat: number, viewer: number, names: readonly string[]): { who: string; name: string } {
    return { who: seat === viewer ? "you" : "other", name: names[seat] ?? "" };
}

/** Minutes and seconds of a race. */
export function clock(milliseconds: number): string {
    const seconds = Math.max(0, Math.floor(milliseconds / 1000));
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
