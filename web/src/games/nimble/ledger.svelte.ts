// What this device has seen of the race on its table: who was first where two wanted the same, and which placements were
// given back. The board writes it, the rail reads it too.
import type { Moved } from "../../board/contract";
import { racing, type Run } from "./tally";
import type { View } from "./types";

class Ledger {
    runs = $state.raw<readonly Run[]>([]);
    losses = $state.raw<readonly { seat: number; at: number }[]>([]);
    complete = $state(true); // seen from the first move on
    shared = $state(false); // several play on this device: nobody is "you"
    #view: View | null = null;
    #ply = 0;

    /** A new board, or other eyes: nothing is carried over. */
    begin(players: number): void {
        this.shared = players > 1;
        this.runs = [];
        this.losses = [];
        this.complete = true;
        this.#view = null;
        this.#ply = 0;
    }

    /** Whom to call "you". */
    me(viewer: number): number {
        return this.shared ? -1 : viewer;
    }

    see(view: View, moves: readonly Moved[]): void {
        const steps = moves.length - this.#ply;
        const last = moves.at(-1);
        if (this.#view && steps === 1 && last) {
            const losers = racing(this.#view, view);
            if (losers.length > 0)
                this.runs = [...this.runs, { at: last.at ?? 0, winner: last.seat, losers }];
        } else if (steps !== 0) {
            // Something was missed, or is looked at again.
            if (steps < 0) this.runs = [];
            this.complete = moves.length === 0;
        }
        this.#view = view;
        this.#ply = moves.length;
    }

    lose(seat: number, at: number): void {
        this.losses = [...this.losses, { seat, at }];
    }
}

export const ledger = new Ledger();
