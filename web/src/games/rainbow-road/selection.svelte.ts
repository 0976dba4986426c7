// What the player has picked and aims at, and a walk that is under way. A choice holds for the view it was made in.
import {
    NOTHING,
    STOP,
    aboutOf,
    attempts,
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
import { RING, indexOf, spotAt } from "./geometry";
import type { Prank, Step, View } from "./types";
import { next, planTo, type Plan } from "./walking";

interface Table {
    view: View;
    legal: readonly string[];
    hinted: string | null;
    send(text: string): void;
}

export class Selection {
    aimed = $state<string | null>(null); // the spot under the pointer or the focus
    plan = $state.raw<Plan | null>(null);
    goal = $state<string | null>(null); // where the walk under way leads
    #chosen = $state.raw<{ view: View; picked: Picked } | null>(null);
    #missed = $state.raw<{ view: View; spot: string } | null>(null);
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

    get picked(): Picked {
        return this.#chosen?.view === this.#view ? this.#chosen.picked : NOTHING;
    }
    /** The spot that was chosen last and cannot be reached, or where the fairy stands already. */
    get unreachable(): string | null {
        return this.#missed?.view === this.#view ? this.#missed.spot : null;
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

    #pick(picked: Picked): void {
        this.#missed = null;
        this.#chosen = { view: this.#view, picked };
    }

    unpick(): void {
        this.#pick(NOTHING);
    }

    /** Take a choice back, the last one first; return whether there was one. */
    takeBack(): boolean {
        if (this.plan) {
            this.halt();
            return true;
        }
        if (this.picked === NOTHING) return false;
        const { marks } = this.picked;
        this.#pick(marks.length > 0 ? { ...this.picked, marks: marks.slice(0, -1) } : NOTHING);
        return true;
    }

    /** End a walk under way where it is. */
    halt(): void {
        this.plan = null;
        this.goal = null;
        this.#sentFor = null;
    }

    /** Whether a press is answered: not while a move is under way, and not to a watcher. */
    get #answered(): boolean {
        const { turn, viewer } = this.#view;
        const waits = turn !== null && turn !== viewer && viewer >= 0; // for the other player
        return !this.plan && (waits || this.#legal.length > 0);
    }

    /** Send the first of these moves that is not legal: the answer says why, with its rule. */
    #askWhy(moves: readonly string[]): boolean {
        const text = moves.find((move) => !this.#legal.includes(move));
        if (!this.#answered || text === undefined) return false;
        this.#table().send(text);
        return true;
    }

    pickNumber(number: number): void {
        const { places, viewer } = this.#view;
        if (this.playable.has(number))
            this.#pick(this.picked.number === number ? NOTHING : { ...NOTHING, number });
        else this.#askWhy([play(number, places[0] ?? spotAt(0, viewer))]);
    }

    pickPrank(prank: Prank): void {
        if (this.usable.has(prank)) this.#pick(this.picked.prank === prank ? NOTHING : { ...NOTHING, prank });
        else this.#askWhy(attempts(this.#view, prank, []));
    }

    /** Pick the prank after the one that is picked. */
    nextPrank(): void {
        const pranks = [...this.usable];
        const { pranks: all, viewer } = this.#view;
        if (pranks.length === 0) return this.pickPrank(all[viewer]?.held?.[0] ?? "jump");
        const at = this.picked.prank === null ? -1 : pranks.indexOf(this.picked.prank);
        const prank = pranks[at + 1];
        this.#pick(prank ? { ...NOTHING, prank } : NOTHING);
    }

    /** Mark a spot or a discard for the picked prank; once nothing is missing it is played. */
    mark(token: string): void {
        const { prank, marks } = this.picked;
        if (prank === null) return;
        if (!this.open.has(token)) {
            const fillers = [...marks, ...this.open];
            if (!this.#askWhy(attempts(this.#view, prank, [token, ...fillers]))) this.#miss(token);
            return;
        }
        const picked = { ...this.picked, marks: [...marks, token] };
        const move = completed(this.#view, this.#legal, picked);
        if (move) this.#table().send(move);
        this.#pick(move ? NOTHING : picked);
    }

    /** Choose a spot for whatever is picked; one that cannot be chosen is answered with the reason. */
    choose(spot: string): void {
        const { number, prank, marks } = this.picked;
        if (number !== null) {
            if (this.#legal.length > 0) this.#table().send(play(number, spot));
        } else if (prank !== null) {
            if (marks.includes(spot))
                this.#pick({ ...this.picked, marks: marks.filter((mark) => mark !== spot) });
            else this.mark(spot);
        } else if (this.targets.has(spot)) this.walkTo(spot, false);
        else this.#askWhyNotTo(spot);
    }

    #askWhyNotTo(spot: string): void {
        const { ring, walk, viewer } = this.#view;
        const here = ring.find(({ fairy }) => fairy !== null && fairy === walk?.fairy)?.spot ?? "a1";
        if (spot === here && walk?.seat === viewer) return this.#miss(spot);
        const ahead = (indexOf(spot, viewer) - indexOf(here, viewer) + RING) % RING;
        if (!this.#askWhy([ahead <= RING / 2 ? "+" : "-"])) this.#miss(spot);
    }

    #miss(spot: string): void {
        if (this.#answered) this.#missed = { view: this.#view, spot };
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
        else this.#askWhy([STOP]);
        this.unpick();
    }
}

/** The selection of the board that is shown: the score track beside it previews the walk. */
export class Preview {
    selection = $state.raw<Selection | null>(null);
    get walk(): Step | null {
        return this.selection?.walk ?? null;
    }
}
