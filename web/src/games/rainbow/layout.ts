// How the board is arranged in its box, and how big the pieces are: as big as width and height allow.

/** Wide: deck and actions in a column at the right. Tall: one below the other. Low: prompt and actions at the right. */
export type Arrangement = "wide" | "tall" | "low";

/** What is measured, in px; 0 while it is not known. */
export interface Measured {
    width: number;
    height: number;
    prompt: number; // heights
    actions: number;
    seat: number; // of a seat's plate
}

export interface Layout {
    arrangement: Arrangement;
    tight: boolean; // small texts and edges
    slim: boolean; // low, and so narrow that the seats are above and below the actions
    seats: "full" | "names" | "none"; // what there is room for, where the box is tall
    captions: boolean; // room for a line under their hand
    wordy: boolean; // room for words at the row's cards
    theirs: number; // widths of cards
    row: number;
    gap: number;
    mine: number;
    next: number;
    deck: number; // the length of a full deck
    pile: number; // the width of a pile, and how high it may grow
    theirPile: number;
    myPile: number;
    prompt: number; // the most height of the prompt in a tall box; a longer one scrolls
    column: number; // the width of the column at the right
    inner: number; // what is used of a wide box
}

type Sizes = Pick<Layout, "theirs" | "row" | "gap" | "mine" | "next" | "deck">;

const BASE: Record<Arrangement, Sizes> = {
    wide: { theirs: 96, row: 118, gap: 16, mine: 128, next: 104, deck: 330 },
    tall: { theirs: 46, row: 50, gap: 6, mine: 96, next: 36, deck: 62 },
    low: { theirs: 40, row: 58, gap: 7, mine: 66, next: 28, deck: 56 },
};
const BIGGEST: Record<Arrangement, Sizes> = {
    wide: { theirs: 125, row: 153, gap: 20, mine: 166, next: 135, deck: 400 },
    tall: { theirs: 84, row: 104, gap: 14, mine: 132, next: 76, deck: 140 },
    low: { theirs: 70, row: 90, gap: 10, mine: 110, next: 60, deck: 100 },
};

/** A finger needs this much of the cards that can be pressed, whatever the text's size; theirs must be legible. */
const SMALLEST = { row: 40, mine: 44, theirs: 24 };

export const CARD = 1.395; // a card's height by its width
const RACK = 1.48; // a hand's height by the width of a card
export const SPREAD = 3.68; // a hand's width
const SIGNS = 34; // px under the row: its numbers and signs

function arrangementFor(width: number, height: number): Arrangement {
    if (height < 480 && width >= 440 && width > 1.2 * height) return "low";
    return width > 700 && width > 1.1 * height ? "wide" : "tall";
}

/** The row's cards shrink last: they are the smallest on a phone. */
function scaled(arrangement: Arrangement, scale: number, hands: number, least: Partial<Sizes>): Sizes {
    const shrink: Partial<Sizes> = { mine: hands, theirs: hands, next: hands };
    const sizes = { ...BASE[arrangement] };
    for (const name of Object.keys(sizes) as (keyof Sizes)[]) {
        const size = Math.min(sizes[name] * scale, BIGGEST[arrangement][name]);
        sizes[name] = Math.max(least[name] ?? 0, Math.floor(size * (shrink[name] ?? 1)));
    }
    return sizes;
}

function largest(arrangement: Arrangement, text: number, fits: (sizes: Sizes) => boolean): Sizes {
    const least = scaledBy(1 / text, SMALLEST);
    const smallest = 0.5 / text;
    for (let scale = 2.1; scale > smallest; scale -= 0.02) {
        for (let hands = 1; hands > (arrangement === "wide" ? 0.86 : 0.7); hands -= 0.04) {
            const sizes = scaled(arrangement, scale, hands, least);
            if (fits(sizes)) return sizes;
        }
    }
    return scaled(arrangement, smallest, 0.7, least);
}

/** Lay the board out for text of `text` times the usual size: everything grows with it. */
export function layoutFor(measured: Measured, text = 1): Layout {
    const { arrangement, tight, slim, seats, captions, wordy, ...lengths } = usualLayout(
        scaledBy(1 / text, measured),
        text,
    );
    return { arrangement, tight, slim, seats, captions, wordy, ...scaledBy(text, lengths) };
}

function scaledBy<T extends object>(factor: number, lengths: T): T {
    return Object.fromEntries(
        Object.entries(lengths).map(([name, length]) => [name, Number(length) * factor]),
    ) as T;
}

function usualLayout(measured: Measured, text: number): Layout {
    const width = measured.width || 1072;
    const height = measured.height || 800;
    const arrangement = arrangementFor(width, height);
    const tight = height < 640;
    const slim = arrangement === "low" && width < 600;
    const seats = slim
        ? "names"
        : arrangement !== "tall" || height > 400
          ? "full"
          : height > 330
            ? "names"
            : "none";
    const edge = tight ? 10 : 20; // inside the mat
    const share = { wide: 0.235, low: 0.36, tall: 0 }[arrangement];
    const column =
        share &&
        Math.round(Math.min(arrangement === "low" ? 330 : 262, Math.max(slim ? 130 : 210, width * share)));
    const roomy = arrangement !== "tall" || height - measured.prompt - measured.actions > 420;
    const captions = !tight && roomy;
    const caption = captions ? 22 : 0;
    const lift = tight ? 14 : 20;
    const inside = {
        wide: width - 2 * edge - column - 44,
        low: width - column - 36,
        tall: width - 24,
    }[arrangement];
    const least = scaledBy(1 / text, SMALLEST);
    // A lower box than this scrolls as a whole.
    const prompt =
        (height < 480 ? 1000 : 0) +
        height -
        (SIGNS + lift + measured.seat + measured.actions + 46) -
        (RACK * (least.theirs + least.mine) + CARD * least.row);
    const around =
        SIGNS +
        lift +
        {
            wide: 2 * edge + caption + (tight ? 12 : 34) + Math.max(96, measured.prompt) + 14,
            low: 30,
            tall:
                measured.seat +
                caption +
                (measured.prompt < 30 ? 0 : Math.max(72, Math.min(prompt, measured.prompt))) +
                measured.actions +
                46,
        }[arrangement];

    const rowWidth = ({ row, gap }: Sizes): number => 6 * row + 5 * gap;
    const plate = { wide: 172, low: slim ? 0 : 180, tall: -16 }[arrangement];
    const fits = (sizes: Sizes): boolean =>
        rowWidth(sizes) <= inside &&
        SPREAD * sizes.mine + plate <= inside &&
        (arrangement === "wide" || SPREAD * sizes.theirs + sizes.next + sizes.deck + 20 + plate <= inside) &&
        Math.max(RACK * sizes.theirs, arrangement === "low" && !slim ? measured.seat : 0) +
            RACK * sizes.mine +
            CARD * sizes.row +
            around <=
            height;
    const sizes = largest(arrangement, text, fits);
    if (arrangement === "wide") {
        const beside = 2 * edge + measured.actions + 16 + 64 + CARD * sizes.next;
        sizes.deck = Math.max(48, Math.floor(Math.min(sizes.deck, height - beside)));
    }
    return {
        ...sizes,
        arrangement,
        tight,
        slim,
        seats,
        captions,
        prompt,
        wordy: arrangement === "wide" && sizes.row > 100,
        pile: arrangement === "wide" ? Math.min(104, Math.round(sizes.theirs)) : 0,
        theirPile: Math.max(10, RACK * sizes.theirs - 80),
        myPile: Math.max(10, RACK * sizes.mine - 76),
        column,
        inner: Math.max(rowWidth(sizes), SPREAD * sizes.mine + 200) + column + 44,
    };
}
