// What a hand can do at once, and the texts of moves. No rules: nothing here knows whether a card fits a stack.
import type { HandScene } from "./scene";

/** Flip, take back, turn the pile over, or place on a stack. */
export type Move = "f" | "b" | "t" | "p1" | "p2" | "p3";

export const placeOn = (stack: number): Move => `p${stack + 1}` as Move;

/** The stack that a move places a card on, from 0; null for another move. */
export function stackOf(move: Move): number | null {
    return move[0] === "p" ? Number(move[1]) - 1 : null;
}

/** Whether a hand has the cards for a move. */
export function possible(move: Move, { set, pile }: HandScene): boolean {
    if (move === "f") return set > 0;
    return pile.length > 0 && (move !== "t" || set === 0);
}
