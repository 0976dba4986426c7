// Dragging pieces: a card or a prank onto a spot, a fairy along the road.
import type { Pull } from "../../board/drag";
import type { Selection } from "./selection.svelte";
import type { Prank } from "./types";

const NEAR = 12; // px around a spot that still count as over it

interface Pulled {
    dx: number;
    dy: number;
}

export class Dragging {
    number = $state.raw<(Pulled & { number: number }) | null>(null);
    prank = $state.raw<(Pulled & { prank: Prank }) | null>(null);
    fairy = $state.raw<Pulled | null>(null);

    constructor(
        readonly selection: Selection,
        readonly root: () => HTMLElement | undefined,
    ) {}

    /** The spot under a pointer. */
    #under({ x, y }: Pull): string | null {
        const over = (spot: HTMLElement): boolean => {
            const { left, right, top, bottom } = spot.getBoundingClientRect();
            return x > left - NEAR && x < right + NEAR && y > top - NEAR && y < bottom + NEAR;
        };
        const spots = [...(this.root()?.querySelectorAll<HTMLElement>("[data-spot]") ?? [])];
        return spots.find(over)?.dataset["spot"] ?? null;
    }

    pullNumber(number: number, pull: Pull): void {
        if (this.selection.picked.number !== number) this.selection.pickNumber(number);
        this.number = { number, dx: pull.dx, dy: pull.dy };
        this.selection.aimed = this.#under(pull);
    }

    pullPrank(prank: Prank, pull: Pull): void {
        if (this.selection.picked.prank !== prank) this.selection.pickPrank(prank);
        this.prank = { prank, dx: pull.dx, dy: pull.dy };
        this.selection.aimed = this.#under(pull);
    }

    pullFairy(pull: Pull): void {
        this.selection.unpick();
        this.fairy = { dx: pull.dx, dy: pull.dy };
        this.selection.aimed = this.#under(pull);
    }

    /** A card stays where it was dropped until the table has answered; a card dropped beside the road goes back. */
    dropNumber(pull: Pull): void {
        const spot = this.#under(pull);
        this.selection.aimed = null;
        if (spot !== null) return this.selection.choose(spot);
        this.selection.unpick();
        this.letGo();
    }

    dropOther(pull: Pull): void {
        const spot = this.#under(pull);
        this.letGo();
        if (spot !== null && this.selection.targets.has(spot)) this.selection.choose(spot);
    }

    letGo(): void {
        this.number = null;
        this.prank = null;
        this.fairy = null;
        this.selection.aimed = null;
    }
}
