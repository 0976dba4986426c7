// The card that a player pulls off the pile. A race has no other pick: a press acts at once.
import { placeOn, type Move } from "./choices";

export class Selection {
    pulled = $state.raw<{ x: number; y: number } | null>(null); // how far

    constructor(readonly seat: number) {}

    pull(x: number, y: number): void {
        this.pulled = { x, y };
    }

    letGo(): void {
        this.pulled = null;
    }

    /** The move of a card that is let go at a point of the window: onto a stack, or back onto the player's set. */
    moveAt(x: number, y: number, root: HTMLElement | null): Move | null {
        for (const node of document.elementsFromPoint(x, y)) {
            const place = node.closest<HTMLElement>("[data-stack], [data-set]");
            if (!place || !root?.contains(place)) continue;
            const { stack, set } = place.dataset;
            if (stack) return placeOn(Number(stack) - 1);
            if (set === String(this.seat)) return "b";
        }
        return null;
    }
}
