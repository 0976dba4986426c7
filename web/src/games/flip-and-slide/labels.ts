// What a screen reader hears of a tile or a cell.
import type { Say } from "../../app/game";
import { SIDE_NAMES, middle, sideToward } from "./cells";
import { wayTo, type Choices } from "./choices";
import type { Jump, Tile, View } from "./types";
import { capital, placesOf, rowOf, tileWord, touches } from "./words";

export interface Heard {
    view: View;
    names: readonly string[];
    say: Say;
}

/** "Yellow, row 3, place 4. Touches violet, blue and two clovers. Can slide to 26 cells." By tile. */
export function tileLabels({ view, names, say }: Heard, choices: Choices): Map<number, string> {
    const places = placesOf(view.tiles);
    return new Map(
        view.tiles.map((tile) => {
            const what = capital(tileWord(tile, view.viewer, names, say));
            const told = [say("label.tile", { what, ...places.get(tile.tile) })];
            const beside = touches(tile.cell, view, names, say);
            if (beside) told.push(say("label.touches", { beside }));
            const barred = barredWords({ view, names, say }, tile);
            if (barred) told.push(barred);
            if (choices.flips.has(tile.tile)) told.push(say("label.flip"));
            const reach = choices.slides.get(tile.tile);
            if (reach) told.push(say("label.slide", { count: reach.length }));
            return [tile.tile, told.join(" ")];
        }),
    );
}

/** Why a tile is locked: "Barred: Ines slid it last turn." */
export function barredWords({ view, names, say }: Heard, tile: Tile): string {
    if (!tile.barred || view.barred_by === null) return "";
    const you = view.barred_by === view.viewer ? "you" : "other";
    return say("label.barred", { who: you, name: names[view.barred_by] ?? "" });
}

/** A cell where our player tile may be placed. */
export function placeLabel({ view, names, say }: Heard, cell: string): string {
    const beside = touches(cell, view, names, say);
    return say("label.place", { row: rowOf(cell, view.tiles), beside });
}

/** A cell in reach of the picked tile. */
export function reachLabel({ view, names, say }: Heard, tile: Tile, cell: string): string {
    const beside = touches(cell, view, names, say, tile.tile);
    const count = wayTo(tile, cell).length - 1;
    return say("label.reach", { row: rowOf(cell, view.tiles), beside, count });
}

/** "Jump 2, over one tile, to the upper right." */
export function jumpLabel({ view, say }: Heard, jump: Jump, number: number): string {
    const player = view.tiles.find((tile) => tile.seat === view.turn);
    const side = player ? SIDE_NAMES[sideToward(player.cell, middle(jump.cell))] : "right";
    return say("label.jump", { number, count: jump.over.length, side: say(`side.${side}`) });
}
