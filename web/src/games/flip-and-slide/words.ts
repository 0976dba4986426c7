// Tiles, people and places in words.
import type { Say } from "../../board/contract";
import { PLAYER_TILES } from "../../pieces/tiles";
import { byPlace, neighbours, numbers } from "./cells";
import type { Tile } from "./types";

const TOKENS: Record<string, string> = {
    R: "red",
    O: "orange",
    Y: "yellow",
    G: "green",
    B: "blue",
    I: "indigo",
    V: "violet",
};

export const CLOVER = "?";

/** For messages with {who, select, you {…} other {… {name} …}}. */
export function who(seat: number, viewer: number, names: readonly string[]): { who: string; name: string } {
    return { who: seat === viewer ? "you" : "other", name: names[seat] ?? "" };
}

export function capital(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Things in a row: "violet, blue and two clovers". */
export function listed(things: readonly string[], say: Say): string {
    const last = things.at(-1) ?? "";
    return things.length < 2 ? last : say("list", { first: things.slice(0, -1).join(say("comma")), last });
}

/** What a player's tile shows: "pot". */
export function pieceWord(seat: number, say: Say): string {
    return say(`piece.${PLAYER_TILES[seat]?.name ?? "pot"}`);
}

/** A tile as a word: "yellow", "clover", "your pot". */
export function tileWord(tile: Tile, viewer: number, names: readonly string[], say: Say): string {
    if (tile.seat !== null) {
        return say("tile.player", { ...who(tile.seat, viewer, names), piece: pieceWord(tile.seat, say) });
    }
    return tile.face === CLOVER || tile.face === null ? say("tile.clover") : say(`face.${tile.face}`);
}

/** A colour in the log: a swatch, and the word in bold. */
export function faceMark(face: string | null, say: Say): string {
    const token = TOKENS[face ?? ""];
    return token ? `<${token}>**${say(`face.${face}`)}**` : say("tile.one");
}

/** The patch as rows, from the top; in each the tiles from left to right. */
export function rowsOf(tiles: readonly Tile[]): Tile[][] {
    const rows: Tile[][] = [];
    for (const tile of [...tiles].sort((a, b) => byPlace(a.cell, b.cell))) {
        const row = rows.at(-1);
        if (row && numbers(row[0]!.cell)[1] === numbers(tile.cell)[1]) row.push(tile);
        else rows.push([tile]);
    }
    return rows;
}

/** What lies beside a cell: "violet, blue and two clovers", or nothing. `lying` are the tiles by their cells. */
export function touches(
    cell: string,
    lying: ReadonlyMap<string, Tile>,
    viewer: number,
    names: readonly string[],
    say: Say,
): string {
    const found: string[] = [];
    let clovers = 0;
    for (const beside of neighbours(cell)) {
        const tile = lying.get(beside);
        if (!tile) continue;
        if (tile.face === CLOVER) clovers++;
        else found.push(tileWord(tile, viewer, names, say));
    }
    if (clovers) found.push(say("tile.clovers", { count: clovers }));
    return listed(found, say);
}

/** The tiles by their cells. */
export function byCell(tiles: readonly Tile[]): Map<string, Tile> {
    return new Map(tiles.map((tile) => [tile.cell, tile]));
}

/** The row and place of each tile, from 1, by tile. */
export function placesOf(tiles: readonly Tile[]): Map<number, { row: number; place: number }> {
    const places = new Map<number, { row: number; place: number }>();
    rowsOf(tiles).forEach((row, r) =>
        row.forEach((tile, p) => places.set(tile.tile, { row: r + 1, place: p + 1 })),
    );
    return places;
}

/** The row of a cell as the patch counts them; 0 above the first row. */
export function rowOf(cell: string, tiles: readonly Tile[]): number {
    const top = Math.min(...tiles.map((tile) => numbers(tile.cell)[1]));
    return numbers(cell)[1] - top + 1;
}
