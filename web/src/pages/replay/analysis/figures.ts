// Chances and times in words and in lines.
import { number } from "../../../i18n/messages.svelte";
import { sayReplay } from "../say";

/** A chance, or a part of one, in whole per cent. */
export function percent(value: number): string {
    return sayReplay("analysis.percent", { value: number(Math.round(value * 100)) });
}

/** A change of a chance, with its sign; a dash where it is next to nothing. */
export function change(value: number): string {
    const rounded = Math.round(value * 100);
    if (rounded === 0) return "–";
    const size = sayReplay("analysis.percent", { value: number(Math.abs(rounded)) });
    return rounded > 0 ? `+${size}` : `−${size}`;
}

/** Milliseconds of a race as minutes and seconds. */
export function time(at: number): string {
    const seconds = at / 1000;
    return `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(1).padStart(4, "0")}`;
}

export interface Box {
    width: number;
    height: number;
    least: number;
    most: number;
}

/** The path of one seat's values over the game: straight from ply to ply, or in steps. */
export function path(values: readonly number[], places: readonly number[], box: Box, steps: boolean): string {
    const last = places.at(-1) || 1;
    const x = (place: number): string => ((box.width * place) / last).toFixed(1);
    const y = (value: number): string =>
        (box.height * (1 - (value - box.least) / (box.most - box.least || 1))).toFixed(1);
    return values
        .map((value, i) => {
            const at = places[i] ?? 0;
            if (i === 0) return `M${x(at)} ${y(value)}`;
            return steps ? `H${x(at)}V${y(value)}` : `L${x(at)} ${y(value)}`;
        })
        .join("");
}
