// Labels of tiles and cells for screen readers, and moves as instructions.
import type { Context, Say } from "../../board/contract";
import { capital, who } from "../../board/text";
import { SIDE_NAMES, middle, neighbours, sideToward } from "./cells";
import { about, wayTo, type Choices } from "./choices";
import { byCell, pieceWord, placesOf, rowOf, tileWord, touches } from "./text";
import type { Jump, Tile, View } from "./types";

export interface Labelled {
    view: View;
    names: readonly string[];
    say: Say;
}

// The side of a tile by which a cell is named, so that no two cells have the same name: left and right first.
const REFERENCE = [0, 3, 1, 2, 4, 5] as const;
const opposite = (side: number): number => (side + 3) % 6;

/** "Yellow, row 3, place 4. Touches violet, blue and two clovers. Can slide to 26 cells." By tile. */
export function tileLabels(shown: Labelled, choices: Choices): Map<number, string> {
    const { view, names, say } = shown;
    const places = placesOf(view.tiles);
    const tiles = byCell(view.tiles);
    return new Map(
        view.tiles.map((tile) => {
            const what = capital(tileWord(tile, view.viewer, names, say));
            const parts = [say("label.tile", { what, ...places.get(tile.tile) })];
            if (tile.under) parts.push(say("label.under", { face: say(`face.${tile.under}`) }));
            const beside = touches(tile.cell, tiles, view.viewer, names, say);
            if (beside) parts.push(say("label.touches", { beside }));
            const barred = barredLabel(shown, tile);
            if (barred) parts.push(barred);
            if (choices.flips.has(tile.tile)) parts.push(say("label.flip"));
            const reach = choices.slides.get(tile.tile);
            if (reach) parts.push(say("label.slide", { count: reach.length }));
            return [tile.tile, parts.join(" ")];
        }),
    );
}

/** Why a tile is locked: "Barred: Ines slid it last turn." */
export function barredLabel({ view, names, say }: Labelled, tile: Tile): string {
    if (!tile.barred || view.barred_by === null) return "";
    return say("label.barred", who(view.barred_by, view.viewer, names));
}

/** Label the lit cells. By cell. */
export function spotLabels(shown: Labelled, choices: Choices, picked: Tile | null): Map<string, string> {
    const { view, names, say } = shown;
    if (choices.jumps.length > 0) {
        return new Map(choices.jumps.map((jump, i) => [jump.cell, jumpLabel(shown, jump, i + 1)]));
    }
    const tiles = byCell(view.tiles);
    if (picked) tiles.delete(picked.cell);
    const places = placesOf(view.tiles);
    const where = (cell: string): string => {
        const side = REFERENCE.find((at) => tiles.has(neighbours(cell)[opposite(at)] ?? ""));
        if (side === undefined) return "";
        const at = places.get(tiles.get(neighbours(cell)[opposite(side)] ?? "")?.tile ?? -1);
        return say("label.where", { side: say(`side.${SIDE_NAMES[side]}`), ...at });
    };
    const beside = (cell: string): string => touches(cell, tiles, view.viewer, names, say);
    if (choices.places.length > 0) {
        return new Map(
            choices.places.map((cell) => [
                cell,
                say("label.place", { where: where(cell), beside: beside(cell) }),
            ]),
        );
    }
    if (!picked) return new Map();
    return new Map(
        (choices.slides.get(picked.tile) ?? []).map((cell) => {
            const count = wayTo(picked, cell).length - 1;
            return [cell, say("label.reach", { where: where(cell), beside: beside(cell), count })];
        }),
    );
}

/** A move as an instruction: "Slide red to the upper left, beside green". */
export function hintText(text: string, { view, say, names }: Context<View>): string {
    const { from, to } = about(text, view);
    const tiles = byCell(view.tiles);
    const tile = tiles.get(from ?? "");
    const beside = (): string => {
        if (tile) tiles.delete(tile.cell);
        return touches(to ?? "", tiles, view.viewer, names, say);
    };
    if (text[0] === "F" && tile) return say("advice.flip", placesOf(view.tiles).get(tile.tile));
    if (text[0] === "@") {
        return say("advice.place", {
            piece: pieceWord(view.turn ?? 0, say),
            beside: beside(),
            row: rowOf(to ?? "0,0", view.tiles),
        });
    }
    if (!tile || to === null) return "";
    const what = tileWord(tile, view.viewer, names, say);
    const side = say(`side.${SIDE_NAMES[sideToward(tile.cell, middle(to))]}`);
    if (text[0] === "J") {
        const count = view.jumps.find(({ cell }) => cell === to)?.over.length ?? 0;
        return say("advice.jump", { piece: pieceWord(tile.seat ?? 0, say), side, count });
    }
    return say("advice.slide", { what, side, beside: beside() });
}

/** "Jump 2, over one tile, to the upper right." */
export function jumpLabel({ view, say }: Labelled, jump: Jump, number: number): string {
    const player = view.tiles.find((tile) => tile.seat === view.turn);
    const side = player ? SIDE_NAMES[sideToward(player.cell, middle(jump.cell))] : "right";
    return say("label.jump", { number, count: jump.over.length, side: say(`side.${side}`) });
}
