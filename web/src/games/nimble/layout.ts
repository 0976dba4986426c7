// How the board is laid out, by the shape of its box and by how many play on this device.
import type { Width } from "../../board/contract";

/** Where several play: at the two `ends` of a tablet, in `halves` side by side, or at the `flanks` of the stacks. */
export type Layout = "tall" | "low" | "desk" | "ends" | "halves" | "flanks";

interface Box {
    width: number;
    height: number;
}

export function layoutOf(box: Box, window: Width, players: number, readOnly: boolean): Layout {
    const measured = box.height > 0;
    const wide = measured ? box.width >= 1.15 * box.height : window === "L";
    const low = measured && (box.height < 640 || box.width < 860);
    if (players > 1) return wide && low ? "flanks" : window === "L" || readOnly ? "halves" : "ends";
    return !wide ? "tall" : low ? "low" : "desk";
}

/** The players of this device by the side of the table at which they sit: the near one first. */
export function sidesOf(layout: Layout, players: readonly number[]): number[][] {
    if (layout !== "ends" && layout !== "flanks") return [[...players]];
    return [0, 1].map((side) => players.filter((_, player) => player % 2 === side));
}

/** Whether keys are shown and cards go from left to right, as on a desk. */
export const isDesk = (layout: Layout): boolean => layout === "desk" || layout === "halves";
