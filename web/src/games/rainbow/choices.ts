// Which of the moves listed as legal belong to which card and button. No rules: only the list is read.
import type { Moved } from "../../board/contract";

export interface Choices {
    play: ReadonlySet<number>; // slots, from 0, that may be played
    turn: ReadonlySet<number>; // places, from 0, that may be turned over
    end: boolean;
}

export function choices(legal: readonly string[]): Choices {
    const numbers = (kind: string): Set<number> =>
        new Set(legal.filter((text) => text[0] === kind).map((text) => Number(text.slice(1)) - 1));
    return { play: numbers("S"), turn: numbers("F"), end: legal.includes("E") };
}

export const playAsSeen = (slot: number): string => `S${slot + 1}`;
export const playBlind = (slot: number): string => `B${slot + 1}`;
export const turnOver = (place: number): string => `F${place + 1}`;
export const END = "E";

export type Kind = "turned" | "seen" | "blind";

export function kindOf(text: string): Kind {
    return text[0] === "F" ? "turned" : text[0] === "S" ? "seen" : "blind";
}

/** The slot or place that a move names, from 0; null for another kind of move. */
export function numberIn(text: string | null, kinds: string): number | null {
    return text && kinds.includes(text[0] ?? "") ? Number(text.slice(1)) - 1 : null;
}

/** The place in a row of this length that each move changed; null for moves before the row began, and ends of turns. */
export function placesOf(moves: readonly Moved[], length: number): (number | null)[] {
    const places: (number | null)[] = [];
    let left = length;
    for (const { text } of [...moves].reverse()) {
        const turned = numberIn(text, "F");
        if (turned !== null) places.push(turned < left ? turned : null);
        else places.push(text === END || left === 0 ? null : --left);
    }
    return places.reverse();
}

/** The last of the moves that changed the row. */
export function lastChange(moves: readonly Moved[], length: number): { place: number; kind: Kind } | null {
    const places = placesOf(moves, length);
    for (let at = moves.length - 1; at >= 0; at--) {
        const place = places[at] ?? null;
        if (place !== null) return { place, kind: kindOf(moves[at]?.text ?? "") };
    }
    return null;
}
