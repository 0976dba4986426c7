// How big the pieces are on a table of some width and height.
import type { Width } from "../../board/contract";

export interface Sizes {
    theirs: number; // widths of cards
    row: number;
    gap: number;
    mine: number;
    next: number;
    deck: number; // the length of a full deck
    pile: number; // the width of a pile
    theirPile: number; // how high piles may grow
    myPile: number;
    spread?: number; // of your rack, where it fills the width
    inner?: number; // what a wide mat is used of
}

const L: Sizes = {
    theirs: 96,
    row: 118,
    gap: 16,
    mine: 128,
    next: 110,
    deck: 330,
    pile: 104,
    theirPile: 72,
    myPile: 110,
};
const M: Sizes = {
    theirs: 72,
    row: 84,
    gap: 12,
    mine: 104,
    next: 84,
    deck: 170,
    pile: 84,
    theirPile: 96,
    myPile: 110,
};
const S: Sizes = {
    theirs: 50,
    row: 48,
    gap: 6,
    mine: 96,
    next: 50,
    deck: 66,
    pile: 0,
    theirPile: 0,
    myPile: 0,
};

const NARROW = 344; // a table's width on a small phone
const L_AROUND = 334; // what stands above, below and beside the deck, in height

function scaled(sizes: Sizes, by: number): Sizes {
    const entries = Object.entries(sizes).map(([name, size]) => [name, Math.round(size * by)]);
    return Object.fromEntries(entries) as Sizes;
}

/** `width` and `height` are what the table has; 0 while it is not known. */
export function sizesFor(layout: Width, width: number, height: number): Sizes {
    if (layout === "L") {
        const fits = Math.min(width > 0 ? width / 1072 : 1, height > 0 ? height / 800 : 1);
        const sizes = scaled(L, Math.max(0.6, Math.min(1.3, fits)));
        const room = height > 0 ? height - L_AROUND - sizes.next * 1.395 : sizes.deck;
        return {
            ...sizes,
            inner: Math.round(sizes.row * 9.1),
            theirPile: Math.round(sizes.theirs * 1.395 - 62),
            deck: Math.round(Math.min(sizes.deck, room)),
        };
    }
    if (layout === "M") return scaled(M, width > 0 ? Math.min(1.15, width / 720) : 1);
    const across = width > 0 ? Math.min(width, 480) : NARROW;
    return {
        ...scaled(S, Math.min(1, (across - 32) / (NARROW - 32))),
        gap: S.gap,
        row: Math.floor(Math.min(64, (across - 24 - 5 * S.gap) / 6)),
        mine: Math.floor(Math.min(112, (across - 28) / 3.28)),
        spread: across,
    };
}
