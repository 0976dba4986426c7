// What the board shows after a move, one scene after the other. A round that ended is shown as it lay before the row goes
// to its new owner: the view itself is already past it.
import type { HandCard, Last, RowCard, View } from "./types";

export interface RoundEvent {
    end: "shade" | "clash" | "rainbow";
    seat: number; // whose move ended it
    move: string;
    face: string; // what came up
    place: number; // and where
    clashesWith: number | null;
    taker: number;
    count: number;
    from: number; // the taker's pile before
    to: number; // and after
    begins: number | null; // who begins the next round
}

export interface Scene {
    row: readonly RowCard[];
    hands: readonly (readonly (HandCard | null)[])[];
    deck: number;
    next: string | null;
    ends: readonly HandCard[]; // with everything open: the next card at each seat's end
    piles: readonly number[];
    last: Last | null;
    event: RoundEvent | null;
}

/** RB-14 to RB-16, by the word the view has for each. */
export const RULES: Record<RoundEvent["end"], string> = { shade: "RB-14", clash: "RB-15", rainbow: "RB-16" };

export const LONGEST_ROW = 6;

/** The table as a view shows it. */
export function still(view: View): Scene {
    const { row, hands, deck, next, ends = [], piles, last } = view;
    return { row, hands, deck, next, ends, piles, last: last?.round_end ? null : last, event: null };
}

/** The scenes that lead from one view to the next; the last one is always the view as it is. */
export function scenes(before: View | null, view: View): Scene[] {
    const last = view.last;
    const over = last?.round_end;
    const known = before !== null && before.viewer === view.viewer;
    if (!known || !last || !over || last.face === null || last.place === null) return [still(view)];
    const { end, seat, move, face, place } = last;
    if (end !== "shade" && end !== "clash" && end !== "rainbow") return [still(view)];
    const event: RoundEvent = {
        end,
        seat,
        move,
        face,
        place,
        clashesWith: over.clashes_with,
        taker: over.taker,
        count: over.row.length,
        from: before.piles[over.taker] ?? 0,
        to: view.piles[over.taker] ?? 0,
        begins: view.turn,
    };
    const played = new Set(over.row.map((card) => card.card));
    const hands = before.hands.map((hand) =>
        hand.map((card) => (card && played.has(card.card) ? null : card)),
    );
    const { deck, next, ends = [], piles } = before;
    return [{ row: over.row, hands, deck, next, ends, piles, last, event }, still(view)];
}
