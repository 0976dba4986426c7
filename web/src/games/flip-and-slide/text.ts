// All texts of the game: tiles and places as words, prompts, the log, the position.
import type { Context, Moved, PromptText, Result, Say } from "../../board/contract";
import { capital, who } from "../../board/text";
import { COLOURS, swatch } from "../../pieces/faces";
import { list } from "../../i18n/messages.svelte";
import { PLAYER_TILES } from "../../pieces/tiles";
import { SIDE_NAMES, byPlace, middle, neighbours, numbers, sideToward } from "./cells";
import type { Last, Tile, View } from "./types";

const RAINBOW = 7;

export const CLOVER = "?";

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
    return face === null || face === CLOVER ? say("tile.one") : swatch(face, say(`face.${face}`));
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

/** What is beside a cell: "violet, blue and two clovers", or nothing. */
export function touches(
    cell: string,
    tiles: ReadonlyMap<string, Tile>,
    viewer: number,
    names: readonly string[],
    say: Say,
): string {
    const beside: string[] = [];
    let clovers = 0;
    for (const next of neighbours(cell)) {
        const tile = tiles.get(next);
        if (!tile) continue;
        if (tile.face === CLOVER) clovers++;
        else beside.push(tileWord(tile, viewer, names, say));
    }
    if (clovers) beside.push(say("tile.clovers", { count: clovers }));
    return list(beside);
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

/** Whether this is a puzzle for one player. */
export function isSolo(view: View): boolean {
    return view.runs.length === 1;
}

/** What a seat is to do, or waits for. */
export function prompt({ view, seat, say, names }: Context<View>): PromptText {
    if (view.turn === null) return { title: say("ask.over"), detail: "" };
    const mine = view.turn === seat;
    const piece = pieceWord(view.turn, say);
    const name = names[view.turn] ?? "";
    if (view.phase === "place") {
        return mine
            ? { title: say("ask.place", { piece }), detail: say("ask.place.why") }
            : { title: say("ask.other.place", { name, piece }), detail: "" };
    }
    if (isSolo(view)) {
        if (!mine) return { title: say(`ask.other.${view.phase}`, { name, piece, left: 0 }), detail: "" };
        return {
            title: say(`ask.solo.${view.phase}`, { piece }),
            detail: say(`ask.solo.${view.phase}.why`, { piece }),
        };
    }
    const notes = [barredLine(view, say, names), repetitionLine(view, say)].filter(Boolean);
    if (!mine)
        return { title: say("ask.other.act", { name, left: view.actions_left }), detail: notes.join(" ") };
    const why = say("ask.act.why", { left: view.actions_left });
    return { title: say("ask.act", { left: view.actions_left }), detail: [why, ...notes].join(" ") };
}

/** "Barred this turn: blue, slid by Ines." */
function barredLine(view: View, say: Say, names: readonly string[]): string {
    const tiles = view.tiles.filter((tile) => tile.barred);
    if (tiles.length === 0 || view.barred_by === null) return "";
    const words = tiles.map((tile) => tileWord(tile, view.viewer, names, say));
    return say("ask.barred", { tiles: list(words), ...who(view.barred_by, view.viewer, names) });
}

function repetitionLine(view: View, say: Say): string {
    return view.stood === 2 && view.actions_left === 2 ? say("ask.stood") : "";
}

/** The log's line for the move that led to `after`. */
export function logLine(_before: View | null, after: View, { names, say }: Context<View>): string | null {
    const last = after.last;
    if (!last) return null;
    const lines = [moveLine(last, after, names, say)];
    for (const seat of last.empty_turns) lines.push(say("log.empty", who(seat, after.viewer, names)));
    if (after.reason !== null) lines.push(say(`log.${after.reason}`, endedBy(after, names)));
    return lines.join(" ");
}

function endedBy(view: View, names: readonly string[]): { who: string; name: string } {
    return who(view.winner ?? -2, view.viewer, names);
}

function moveLine(last: Last, after: View, names: readonly string[], say: Say): string {
    const person = who(last.seat, after.viewer, names);
    const piece = pieceWord(last.seat, say);
    if (last.kind === "place") return say("log.place", { ...person, piece });
    if (last.kind === "flip") return say("log.flip", { ...person, face: faceMark(last.face, say) });
    const count = last.way.length - 1;
    if (last.kind === "jump") {
        const [from, to] = [last.way[0] ?? "0,0", last.way.at(-1) ?? "0,0"];
        const side = say(`side.${SIDE_NAMES[sideToward(from, middle(to))]}`);
        return say("log.jump", { ...person, piece, count: count - 1, side });
    }
    if (last.face === null) return say("log.slide.own", { ...person, piece, count });
    return say("log.slide", { ...person, face: faceMark(last.face, say), count });
}

/** A line for a move of which only its text is known. */
export function logLineFromText(move: Moved, { names, say, seat }: Context<View>): string {
    const kind = { "@": "place", F: "flip", S: "slide", J: "jump" }[move.text[0] ?? ""] ?? "slide";
    const piece = pieceWord(move.seat, say);
    return say(`log.brief.${kind}`, { ...who(move.seat, seat, names), piece });
}

/** The position for a screen reader: the rows, the runs, what is hidden and barred. */
export function describePosition({ view, seat, names, say }: Context<View>): string {
    const lines = rowsOf(view.tiles).map((row, i) => {
        const tiles = row.map((tile) => tileWord(tile, view.viewer, names, say)).join(say("comma"));
        return say("aloud.row", { row: i + 1, tiles });
    });
    view.runs.forEach((_, at) => lines.push(runLine(view, at, seat, names, say)));
    lines.push(hiddenLine(view, say));
    const barred = barredLine(view, say, names);
    if (barred) lines.push(barred);
    return lines.join(" ");
}

/** "Your run: orange, yellow, green; 3 of 7." */
export function runLine(view: View, at: number, seat: number, names: readonly string[], say: Say): string {
    const faces = runFaces(view, at).map((face) => say(`face.${face}`));
    return say("aloud.run", { ...who(at, seat, names), count: faces.length, faces: list(faces) });
}

/** The colours of a seat's longest run, red end first. */
export function runFaces(view: View, seat: number): string[] {
    const shown = new Map(view.tiles.map((tile) => [tile.tile, tile.face ?? CLOVER]));
    return (view.runs[seat] ?? []).map((tile) => shown.get(tile) ?? CLOVER);
}

function hiddenLine(view: View, say: Say): string {
    const faces = COLOURS.filter((face) => (view.hidden[face] ?? 0) > 0).map((face) =>
        say("aloud.hidden.one", { count: view.hidden[face] ?? 0, face: say(`face.${face}`) }),
    );
    return say("aloud.hidden", { count: view.clovers, faces: list(faces) });
}

/** Why the game ended. */
export function ending(result: Result, { view, names, say }: Context<View>): { text: string; rule?: string } {
    const rules: Record<string, string> = {
        rainbow: isSolo(view) ? "FS-23" : view.last?.seat === view.winner ? "FS-13" : "FS-14",
        repetition: "FS-16",
        "turn-limit": isSolo(view) ? "FS-24" : "FS-16",
        stuck: "FS-22",
        "all-flipped": "FS-24",
    };
    const rule = rules[result.reason];
    if (!rule) return { text: "" };
    const piece = pieceWord(view.winner ?? 0, say);
    return {
        text: say(`ending.${result.reason}`, { ...endedBy(view, names), piece, limit: view.turn_limit }),
        rule,
    };
}

/** The heading of the log. */
export function heading({ view, say }: Context<View>): PromptText {
    const title =
        view.turn_number === 0 ? say("chapter.place") : say("chapter.turn", { turn: view.turn_number });
    return { title, detail: "" };
}

/** "4 of 7". */
export function runCount(view: View, seat: number, say: Say): string {
    return say("run.count", { count: view.runs[seat]?.length ?? 0, of: RAINBOW });
}

/** The prompt while a tile is picked. */
export function pickedWords(
    view: View,
    tile: { face: string | null; seat: number | null },
    reach: number,
    spaces: number | null,
    say: Say,
): PromptText {
    if (tile.face === CLOVER) return { title: say("picked.clover"), detail: say("picked.clover.why") };
    const what = tile.seat === null ? say(`face.${tile.face}`) : pieceWord(tile.seat, say);
    const detail = say("picked.reach", { count: reach });
    const aim = spaces === null ? say("picked.aim") : say("picked.far", { count: spaces });
    const title = say(tile.seat === null ? "picked.tile" : "picked.own", { what });
    return { title: capital(title), detail: `${detail} ${view.phase === "act" ? aim : ""}`.trim() };
}
