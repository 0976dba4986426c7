// What the player at this device is doing: what is picked and aimed at, and a walk that is under way.
import {
    NOTHING,
    STOP,
    aboutOf,
    bestStep,
    completed,
    open,
    placesFor,
    play,
    playable,
    prankOf,
    stepTo,
    targets,
    usable,
} from "./choices";
import type { Picked } from "./choices";
import type { Prank, Step, View } from "./types";
import { next, planTo, type Plan } from "./walking";

interface Table {
    view: View;
    legal: readonly string[];
    hinted: string | null;
    send(text: string): void;
}

export class Hands {
    picked = $state.raw<Picked>(NOTHING);
    aimed = $state<string | null>(null); // the spot under the pointer or the focus
    plan = $state.raw<Plan | null>(null);
    goal = $state<string | null>(null); // where the walk under way leads
    #table: () => Table;
    #sentFor: View | null = null; // a view is answered by one hop

    constructor(table: () => Table) {
        this.#table = table;
    }

    get #legal(): readonly string[] {
        return this.#table().legal;
    }
    get #view(): View {
        return this.#table().view;
    }

    targets = $derived.by(() => targets(this.#view, this.plan ? [] : this.#legal, this.picked));
    playable = $derived.by(() => playable(this.#legal));
    usable = $derived.by(() => (this.plan ? new Set<Prank>() : usable(this.#legal)));
    /** Discards and spots that the picked prank can take next. */
    open = $derived.by(() => open(this.#view, this.#legal, this.picked));
    places = $derived.by(() =>
        this.picked.number === null ? [] : placesFor(this.#legal, this.picked.number),
    );
    /** The walk aimed at: the one under the pointer, else the one that brings most. */
    walk = $derived.by((): Step | null => {
        const { walk, viewer } = this.#view;
        if (!walk || walk.seat !== viewer || this.picked.prank) return null;
        const aimed = this.goal ?? this.aimed;
        return (aimed === null ? null : stepTo(walk, aimed)) ?? bestStep(walk);
    });

    /** What the move that a hint names is about: a card, a prank, spots and a discard, or stopping. */
    hinted = $derived.by(() => {
        const move = this.#table().hinted ?? "";
        return {
            number: move[0] === "P" ? Number(move[1]) : null,
            prank: prankOf(move),
            marks: aboutOf(move, this.#view.walk),
            stop: move === STOP,
        };
    });

    /** Put everything back. */
    forget(): void {
        this.picked = NOTHING;
        this.aimed = null;
        this.halt();
    }

    unpick(): void {
        this.picked = NOTHING;
    }

    /** Take a choice back, the last one first; tells whether there was one. */
    takeBack(): boolean {
        if (this.plan) {
            this.halt();
            return true;
        }
        if (this.picked === NOTHING) return false;
        const { marks } = this.picked;
        this.picked = marks.length > 0 ? { ...this.picked, marks: marks.slice(0, -1) } : NOTHING;
        return true;
    }

    /** A walk under way goes no further. */
    halt(): void {
        this.plan = null;
        this.goal = null;
        this.#sentFor = null;
    }

    pickNumber(number: number): void {
        if (!this.playable.has(number)) return;
        this.picked = this.picked.number === number ? NOTHING : { ...NOTHING, number };
    }

    pickPrank(prank: Prank): void {
        if (!this.usable.has(prank)) return;
        this.picked = this.picked.prank === prank ? NOTHING : { ...NOTHING, prank };
    }

    /** Pick the prank after the one that is picked. */
    nextPrank(): void {
        const pranks = [...this.usable];
        const at = this.picked.prank === null ? -1 : pranks.indexOf(this.picked.prank);
        const prank = pranks[at + 1];
        this.picked = prank ? { ...NOTHING, prank } : NOTHING;
    }

    /** Mark a spot or a discard for the picked prank; once nothing is missing it is played. */
    mark(token: string): void {
        if (!this.open.has(token)) return;
        const picked = { ...this.picked, marks: [...this.picked.marks, token] };
        const move = completed(this.#view, this.#legal, picked);
        if (move) this.#table().send(move);
        this.picked = move ? NOTHING : picked;
    }

    /** Choose a spot for whatever is picked. */
    choose(spot: string): void {
        const { number, prank, marks } = this.picked;
        if (number !== null) {
            // A spot that cannot be played to is sent all the same: the answer says why, with its rule.
            if (this.#legal.length > 0) this.#table().send(play(number, spot));
        } else if (prank !== null) {
            if (marks.includes(spot))
                this.picked = { ...this.picked, marks: marks.filter((mark) => mark !== spot) };
            else this.mark(spot);
        } else if (this.targets.has(spot)) this.walkTo(spot, false);
    }

    walkTo(spot: string, stop: boolean): void {
        const step = stepTo(this.#view.walk, spot);
        if (!step || this.plan) return;
        this.plan = planTo(this.#view, step, stop);
        this.goal = spot;
        this.goOn();
    }

    /** Send the next hop of the walk under way, if the table is ready for it. */
    goOn(): void {
        const view = this.#view;
        if (!this.plan || this.#legal.length === 0 || this.#sentFor === view) return;
        const { move, left } = next(this.plan, view, this.#legal);
        if (move) {
            this.#sentFor = view;
            this.#table().send(move);
        }
        if (left && (left.hops.length > 0 || left.stop)) this.plan = left;
        else this.halt();
    }

    stop(): void {
        if (this.plan) {
            this.plan = { ...this.plan, hops: [], stop: true };
            this.goOn();
        } else if (this.#legal.includes(STOP)) this.#table().send(STOP);
        this.picked = NOTHING;
    }
}

/** What the score track shows as a preview: shared by the board and the rail beside it. */
class Preview {
    walk = $state.raw<Step | null>(null);
}
export const preview = new Preview();
