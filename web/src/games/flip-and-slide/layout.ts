// How the board is arranged in its box, and what of the patch is under the seats and the buttons.
import type { Width } from "../../board/contract";
import type { Insets } from "./camera";

/** Low: prompt and actions beside the patch. Wide: seats over the patch, runs in the side panel. */
type Shape = "low" | "wide" | "medium" | "narrow";

export interface Layout {
    shape: Shape;
    compact: boolean; // few words, and one button for the camera
    column: boolean; // over a wide patch: the seats in a column at its left, else in a row above it
    insets: Insets;
    run: number; // the size of a run's places beside a seat; 0 for none
}

function shapeFor(width: number, height: number, window: Width): Shape {
    if (width >= 420 && height < 420 && width > 1.2 * height) return "low";
    return window === "L" ? "wide" : width >= 600 ? "medium" : "narrow";
}

export function layoutFor(box: { width: number; height: number }, window: Width, solo: boolean): Layout {
    const shape = shapeFor(box.width, box.height, window);
    const compact = shape === "low" || shape === "narrow";
    const column = solo || box.width > 1.75 * (box.height - 140);
    const [top, left] = column ? [16, solo ? 326 : 276] : [100, 76];
    const insets =
        shape === "wide"
            ? { top, right: 76, bottom: 16, left }
            : { top: 1, right: compact ? 1 : 68, bottom: 1, left: 1, corner: 172 };
    return { shape, compact, column, insets, run: { wide: 0, medium: 20, low: 14, narrow: 17 }[shape] };
}
