// A walk of several hops, sent one by one: the next hop goes when the table shows the one before it.
import { STOP } from "./choices";
import type { Fairy, Step, View } from "./types";

export interface Plan {
    seat: number;
    round: number;
    fairy: Fairy;
    hops: readonly string[]; // still to be sent
    stop: boolean; // end the move there
}

/** Plan to walk somewhere; null when no fairy moves. */
export function planTo(view: View, step: Step, stop: boolean): Plan | null {
    if (!view.walk) return null;
    return { seat: view.walk.seat, round: view.round, fairy: view.walk.fairy, hops: step.hops, stop };
}

/** What to send now, and what is left then; nothing once the plan is done or no longer fits the table. */
export function next(
    plan: Plan,
    view: View,
    legal: readonly string[],
): { move: string | null; left: Plan | null } {
    const { walk } = view;
    const same = walk?.fairy === plan.fairy && walk.seat === plan.seat && view.round === plan.round;
    const done = { move: null, left: null };
    if (!same || view.viewer !== plan.seat) return done;
    const [hop, ...hops] = plan.hops;
    if (hop !== undefined) return legal.includes(hop) ? { move: hop, left: { ...plan, hops } } : done;
    return plan.stop && legal.includes(STOP) ? { move: STOP, left: null } : done;
}

/** RR-28 Whether the program may stop for its player: only where everybody can see that nothing else is left. */
export function stopsItself(view: View, legal: readonly string[]): boolean {
    return view.walk?.forced === true && legal.length === 1 && legal[0] === STOP;
}
