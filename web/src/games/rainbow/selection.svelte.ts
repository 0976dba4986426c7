// What the player has picked, aimed at or dragged, and what a press on the board does. A selection belongs to one view:
// with the next one it is gone. A press that is not legal is sent all the same, so that the server gives the reason.
import type { Sound } from "../../board/contract";
import type { Pull } from "../../board/drag";
import { END, choices, playAsSeen, playBlind, turnOver, type Choices } from "./choices";
import type { View } from "./types";

export type How = "seen" | "blind";

export interface Table {
    view: View;
    seat: number;
    legal: readonly string[];
    confirm: boolean; // on touch, turning over takes two taps
    held: boolean; // the end of a round is shown: nothing can be done yet
    send(text: string): unknown;
    sound(name: Sound): void;
}

interface Selected {
    slot: number | null; // of the own hand
    place: number | null; // of the row, to be turned over
    choosing: boolean; // a card of the row is to be chosen
    dragged: { slot: number; dx: number; dy: number; over: How | null } | null;
    cardMissing: boolean; // a card was to be played, and none is picked
}

const NOTHING: Selected = { slot: null, place: null, choosing: false, dragged: null, cardMissing: false };

export class Selection {
    #stored = $state.raw<{ view: View; selected: Selected } | null>(null);
    #table: () => Table;

    constructor(table: () => Table) {
        this.#table = table;
    }

    get #selected(): Selected {
        return this.#stored?.view === this.#table().view ? this.#stored.selected : NOTHING;
    }
    get slot(): number | null {
        return this.#selected.slot;
    }
    get place(): number | null {
        return this.#selected.place;
    }
    get choosing(): boolean {
        return this.#selected.choosing;
    }
    get dragged(): Selected["dragged"] {
        return this.#selected.dragged;
    }
    get cardMissing(): boolean {
        return this.#selected.cardMissing;
    }
    /** The slot whose card would land in the row. */
    get landing(): number | null {
        return this.dragged?.slot ?? this.slot;
    }
    get choices(): Choices {
        const { held, legal } = this.#table();
        return choices(held ? [] : legal);
    }

    #select(selected: Partial<Selected>): void {
        this.#stored = { view: this.#table().view, selected: { ...NOTHING, ...selected } };
    }

    clear(): void {
        this.#stored = null;
    }

    /** Put a dragged card back, and leave what is picked. */
    putBack(): void {
        if (this.dragged) this.#select({ slot: this.dragged.slot });
    }

    pick(slot: number): void {
        if (!this.choices.play.has(slot)) return this.#try(playAsSeen(slot));
        this.#select({ slot: this.slot === slot ? null : slot });
        this.#table().sound("pick");
    }

    drag(slot: number, { dx, dy }: Pull, over: How | null): void {
        this.#select({ dragged: { slot, dx, dy, over } });
    }

    drop(slot: number, over: How | null): void {
        if (over) this.play(over, slot);
        else this.clear();
    }

    play(how: How, slot = this.slot): void {
        if (slot !== null) return this.#try(how === "seen" ? playAsSeen(slot) : playBlind(slot));
        if (this.choices.play.size > 0) return this.#select({ cardMissing: true });
        const { view, seat } = this.#table();
        this.#try(playAsSeen(view.hands[seat]?.findIndex((card) => card !== null) ?? 0));
    }

    turn(place: number, touch: boolean): void {
        const asks = touch && this.#table().confirm && this.choices.turn.has(place) && this.place !== place;
        if (asks) this.#select({ place });
        else this.#try(turnOver(place));
    }

    /** Turn over what is aimed at, or ask for a card of the row. */
    startTurning(): void {
        if (this.place !== null) this.turn(this.place, false);
        else if (this.choices.turn.size > 0) this.#select({ choosing: !this.choosing });
        else this.#try(turnOver(0));
    }

    end(): void {
        this.#try(END);
    }

    /** Do what a single key stands for. */
    key(key: string): void {
        const number = Number(key) - 1;
        if (number >= 0 && number < 6) {
            if (this.choosing) this.turn(number, false);
            else if (number < 3) this.pick(number);
        } else if (key === "s") this.play("seen");
        else if (key === "b") this.play("blind");
        else if (key === "f") this.startTurning();
        else if (key === "e") this.end();
    }

    #try(text: string): void {
        const { view, seat, legal, held, send } = this.#table();
        const waits = view.turn === seat && legal.length === 0; // a move is under way
        if (!held && !waits && view.turn !== null) send(text);
    }
}
