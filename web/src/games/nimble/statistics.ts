// Statistics of a race: the pace of each player, and who was first where two wanted the same.
import type { Moved } from "../../board/contract";
import type { View } from "./types";

/** A moment of a player's race: so many cards were left from then on. */
export interface Step {
    at: number; // milliseconds since the start
    left: number;
}

/** Two or more wanted the same place, and one was first. */
export interface Contest {
    at: number;
    winner: number;
    losers: readonly number[];
}

/** Each player's cards left over time, from what is left now and the placements that led there. */
export function paces(view: View, moves: readonly Moved[]): Step[][] {
    return view.players.map((player, seat) => {
        const placed = moves.filter((move) => move.seat === seat && move.text[0] === "p");
        const start = player.left + placed.length;
        return [{ at: 0, left: start }, ...placed.map(({ at }, i) => ({ at: at ?? 0, left: start - i - 1 }))];
    });
}

export function score(contests: readonly Contest[], seat: number): { won: number; lost: number } {
    return {
        won: contests.filter(({ winner }) => winner === seat).length,
        lost: contests.filter(({ losers }) => losers.includes(seat)).length,
    };
}

/** The seats that had a card of the same frame ready when one was placed: they wanted the same place, and were second. */
export function secondComers(before: View | null, after: View): number[] {
    const last = after.last;
    const frame = last?.card?.frame;
    if (!before || !last || last.stack === null) return [];
    return before.players.flatMap((player, seat) =>
        seat !== last.seat && player.top?.frame === frame ? [seat] : [],
    );
}

/** Places by cards left: 1 for the fewest; equal counts share. */
export function places(view: View): number[] {
    return view.players.map(({ left }) => 1 + view.players.filter((other) => other.left < left).length);
}
