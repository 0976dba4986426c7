// Which legal moves belong to which tile and cell, and the texts of moves.
import type { Moved } from "../../board/contract";
import { byPlace } from "./cells";
import type { Jump, Tile, View } from "./types";

export const placeText = (cell: string): string => `@${cell}`;
export const flipText = (tile: Tile): string => `F${tile.cell}`;
export const slideText = (tile: Tile, cell: string): string => `S${tile.cell}>${cell}`;
export const jumpText = (cell: string): string => `J${cell}`;

export interface Choices {
    places: readonly string[]; // cells for the player tile
    flips: ReadonlySet<number>; // clovers, by tile
    slides: ReadonlyMap<number, readonly string[]>; // cells in reach, nearest first, by tile
    jumps: readonly Jump[]; // solo, in the order of their numbers
}

export const NONE: Choices = { places: [], flips: new Set(), slides: new Map(), jumps: [] };

export function choices(view: View, legal: readonly string[]): Choices {
    if (legal.length === 0) return NONE;
    const open = new Set(legal);
    const flips = new Set<number>();
    const slides = new Map<number, readonly string[]>();
    for (const tile of view.tiles) {
        if (tile.may_flip && open.has(flipText(tile))) flips.add(tile.tile);
        const cells = Object.keys(tile.reach).filter((cell) => open.has(slideText(tile, cell)));
        if (cells.length > 0) slides.set(tile.tile, cells);
    }
    return {
        places: view.places.filter((cell) => open.has(placeText(cell))),
        flips,
        slides,
        jumps: view.jumps.filter((jump) => open.has(jumpText(jump.cell))),
    };
}

/** The cell of the tile that a move moves or flips, and the cell it goes to. */
export function about(text: string, view: View): { from: string | null; to: string | null } {
    if (text[0] === "F") return { from: text.slice(1), to: null };
    if (text[0] === "@") return { from: null, to: text.slice(1) };
    const own = view.tiles.find(({ seat }) => seat !== null && seat === view.turn)?.cell ?? null;
    if (text[0] === "J") return { from: own, to: text.slice(1) };
    const [from = "", to = ""] = text.slice(1).split(">");
    return { from, to };
}

/** The tiles that may be flipped or slid, by their place. */
export function able(view: View, { flips, slides }: Choices): Tile[] {
    return view.tiles
        .filter(({ tile }) => flips.has(tile) || slides.has(tile))
        .sort((a, b) => byPlace(a.cell, b.cell));
}

/** The cells from where a tile lies to one in its reach, both included: the way it really goes. */
export function wayTo(tile: Tile, target: string): string[] {
    const way = [target];
    for (let cell = target; cell !== tile.cell;) {
        const previous = tile.reach[cell];
        if (previous === undefined || way.includes(previous)) return [];
        way.push((cell = previous));
    }
    return way.reverse();
}

/** The cells that a player's opponents have changed and left since the player's last move. */
export interface Recent {
    changed: readonly string[];
    left: readonly string[];
}

/** A watcher (-1) gets the last player's moves; with `own`, where nothing moves, a player gets their own last move too. */
export function recent(moves: readonly Moved[], seat: number, own: boolean): Recent {
    const last = moves.at(-1)?.seat;
    const seats = moves.map((move) => move.seat);
    const before = seat < 0 ? seats.map((one) => one !== last).lastIndexOf(true) : seats.lastIndexOf(seat);
    const changed = new Set<string>();
    const left = new Set<string>();
    for (const { text } of moves.slice(last === seat && own ? -1 : before + 1)) {
        const [from = "", to] = text.slice(1).split(">");
        if (to !== undefined && !changed.delete(from)) left.add(from);
        changed.add(to ?? from);
    }
    return { changed: [...changed], left: [...left].filter((cell) => !changed.has(cell)) };
}
