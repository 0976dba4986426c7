// What is marked on the patch.
import { about, wayTo, type Choices } from "./choices";
import type { View } from "./types";

/** The move that a hint names: its tile, the cell it goes to, and the way of a slide. */
export interface Hint {
    from: string | null;
    to: string | null;
    way: readonly string[];
}

export function hintOf(text: string | null, view: View): Hint | null {
    if (text === null) return null;
    const { from, to } = about(text, view);
    const slid = text[0] === "S" ? view.tiles.find(({ cell }) => cell === from) : undefined;
    return { from, to, way: slid && to !== null ? wayTo(slid, to) : [] };
}

/** The cell that a tile may not jump back to. */
export function lockedCell({ phase, previous, tiles }: View): string | null {
    return phase === "jump" && !tiles.some(({ cell }) => cell === previous) ? previous : null;
}

/** The tiles of the rainbow that won the game. */
export function winningTiles({ reason, winner, runs }: View): ReadonlySet<number> {
    return new Set(reason === "rainbow" && winner !== null ? runs[winner] : []);
}

/** The cells of tiles that may slide. */
export function slidingCells({ tiles }: View, { slides }: Choices): string[] {
    return tiles.filter(({ tile }) => slides.has(tile)).map(({ cell }) => cell);
}
