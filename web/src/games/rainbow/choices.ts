// Which of the moves listed as legal belong to which card and button. No rules: only the list is read.
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
