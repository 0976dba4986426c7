// What lies on the table as one device shows it: the server's view, and on top of it what its players have done and the
// server has not answered yet. Nothing here knows whether a card fits: it only says what would lie where.
import type { Move } from "./choices";
import type { Card, View } from "./types";

/** A card that can be followed from place to place; its face is null while it lies face down or is on its way to us. */
export interface ShownCard {
    key: string;
    card: Card | null;
}

export interface StackScene {
    height: number;
    top: ShownCard;
    below: ShownCard | null; // what it has just covered
    waits: boolean; // the top card is not answered yet
}

export interface HandScene {
    set: number;
    next: ShownCard | null; // the set's top card, if it is known which one that is
    pile: readonly ShownCard[]; // from the bottom
}

export interface Scene {
    stacks: readonly StackScene[];
    hands: readonly HandScene[];
}

/** Something a player of this device did, until its answer is known and shown. */
export interface PendingAction {
    id: number;
    seat: number;
    move: Move;
    stack: number; // from 0; -1 if it is no placement
    seen: number; // the stack's height as its player saw it
    depth: number; // cards on the player's pile once it is done
    key: string; // of a card that comes up, while its number is not known
    after: readonly PendingAction[]; // placements whose answers it waits for
    state: "held" | "sent" | "answered";
    shown: boolean; // false once we know that it will not come true
}

/** Names of cards: a number once it is known; a card that came up before that keeps the name it had. */
export class Names {
    #known = new Map<number, string>();

    of(card: number): string {
        return this.#known.get(card) ?? `c${card}`;
    }

    learn(card: number, name: string): void {
        this.#known.set(card, name);
    }
}

/** A pile as it was, brought to the height and the top card that a view shows. */
export function grown(
    pile: readonly ShownCard[],
    count: number,
    top: Card | null,
    names: Names,
): ShownCard[] {
    const cards = pile.slice(0, count);
    while (cards.length < count) cards.push({ key: `u${cards.length}`, card: null });
    if (top) cards[count - 1] = { key: names.of(top.card), card: top };
    return cards;
}

/** The scene of a view alone; `piles` are what was seen of each pile. */
export function sceneOf(view: View, piles: readonly (readonly ShownCard[])[], names: Names): Scene {
    const last = view.last;
    return {
        stacks: view.stacks.map(({ height, top }, at) => ({
            height,
            top: { key: names.of(top.card), card: top },
            below:
                last?.stack === at + 1 && last.covered
                    ? { key: names.of(last.covered.card), card: last.covered }
                    : null,
            waits: false,
        })),
        hands: view.players.map((player, seat) => ({
            set: player.set,
            next: player.next === null ? null : { key: names.of(player.next), card: null },
            pile: piles[seat] ?? [],
        })),
    };
}

/** The scene once these actions are done; those that cannot be shown are left out. */
export function predicted(scene: Scene, pending: readonly PendingAction[], view: View, names: Names): Scene {
    const stacks = scene.stacks.map((stack) => ({ ...stack }));
    const hands = scene.hands.map((hand) => ({
        set: hand.set,
        tops: hand.next ? [hand.next] : [],
        pile: [...hand.pile],
    }));
    for (const action of pending) {
        const hand = hands[action.seat];
        if (!hand || !action.shown) continue;
        if (action.move === "f") {
            if (hand.set === 0) continue;
            const known = hand.tops.shift();
            const next = view.players[action.seat]?.next ?? null;
            if (known && next !== null && known.card === null && known.key === names.of(next)) {
                names.learn(next, action.key);
                hand.pile.push({ key: action.key, card: null });
            } else {
                hand.pile.push(known ?? { key: action.key, card: null });
            }
            hand.set--;
        } else if (action.move === "t") {
            if (hand.set > 0) continue;
            hand.tops = hand.pile;
            hand.set = hand.pile.length;
            hand.pile = [];
        } else {
            const shown = hand.pile.pop();
            if (!shown) continue;
            if (action.move === "b") {
                hand.tops.unshift(shown);
                hand.set++;
            } else {
                const stack = stacks[action.stack];
                if (!stack) continue;
                stacks[action.stack] = {
                    height: stack.height + 1,
                    top: shown,
                    below: stack.top,
                    waits: true,
                };
            }
        }
    }
    return {
        stacks,
        hands: hands.map(({ set, tops, pile }) => ({ set, next: (set > 0 && tops[0]) || null, pile })),
    };
}
