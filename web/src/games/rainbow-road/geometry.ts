// Where everything lies on the mat: ten spots on an ellipse, the viewer's half below, whoever they are.

export interface Point {
    x: number;
    y: number;
}

/** The sizes of a road that fits a box, in px. */
export interface Road {
    width: number;
    height: number;
    middle: Point;
    radius: Point;
    lane: number; // the breadth of the road
    card: { width: number; height: number };
    fairy: number; // how high a fairy stands
    inner: { width: number; height: number }; // the room inside the ring
    small: boolean; // so small that names give way to signs
    at: readonly Point[]; // the middles of the spots, from the viewer's first in the order of +
}

export const HALF = 5;
export const RING = 10;

const SMALL = 68; // px of a card's width
const WIDEST = 116;
const SHAPE = 1.36; // a card's height by its width

/** Fit the road into a box; with `corners` the upper corners stay free. A box that is not measured yet is 1072 by 592. */
export function roadFor(width: number, height: number, corners = false): Road {
    const [wide, high] = width > 0 && height > 0 ? [width, height] : [1072, 592];
    const fitting = corners ? Math.min(wide / 11, high / 5.9) : Math.min(wide / 6.4, high / 5);
    const card = { width: Math.min(WIDEST, fitting), height: Math.min(WIDEST, fitting) * SHAPE };
    const small = card.width < SMALL;
    const side = corners ? 3.53 * card.width : Math.min(wide / 2 - card.width * 0.65, card.width * 4.8);
    const top = Math.min(high / 2 - card.height / 2 - (corners ? 42 : small ? 10 : 34), side * 1.1);
    const low = Math.max(top * 0.52, card.height / 2 + 7);
    const middle = { x: wide / 2, y: high / 2 + (corners ? 12 : small ? 2 : 4) };
    const offsets: Point[] = [
        { x: -side, y: low },
        { x: -side / 2, y: top * 0.91 },
        { x: 0, y: top },
        { x: side / 2, y: top * 0.91 },
        { x: side, y: low },
    ];
    const lane = card.width * 0.8;
    const round = side / Math.sqrt(1 - Math.min(0.6, low / top) ** 2);
    return {
        width: wide,
        height: high,
        middle,
        radius: { x: Math.min(round, wide / 2 - lane / 2 - 6), y: top },
        lane,
        card: { width: Math.round(card.width), height: Math.round(card.height) },
        fairy: card.width * 0.83,
        inner: { width: 2 * side - card.width - 24, height: 1.82 * top - card.height - 16 },
        small,
        at: [
            ...offsets.map(({ x, y }) => ({ x: middle.x + x, y: middle.y + y })),
            ...offsets.map(({ x, y }) => ({ x: middle.x - x, y: middle.y - y })),
        ],
    };
}

/** The upper left corner of the card on a spot. */
export function cornerOf(road: Road, index: number): Point {
    const { x, y } = road.at[index] ?? road.middle;
    return { x: x - road.card.width / 2, y: y - road.card.height / 2 };
}

/** The number of a spot as a seat sees it, 0 to 9 from its own first one; a watcher sits with seat 0. */
export function indexOf(spot: string, seat: number): number {
    const half = spot[0] === "b" ? 1 : 0;
    return ((half === Math.max(0, seat) ? 0 : HALF) + Number(spot[1]) - 1) % RING;
}

/** The spot with that number. */
export function spotAt(index: number, seat: number): string {
    const mine = seat === 1 ? "b" : "a";
    const theirs = seat === 1 ? "a" : "b";
    return `${index < HALF ? mine : theirs}${(index % HALF) + 1}`;
}

/** The spots a fairy passes on its way, both ends with them. */
export function wayBetween(from: number, to: number, way: string): number[] {
    const step = way === "-" ? RING - 1 : 1;
    const passed = [from];
    for (let at = (from + step) % RING; passed.length <= RING; at = (at + step) % RING) {
        passed.push(at);
        if (at === to) break;
    }
    return passed;
}
