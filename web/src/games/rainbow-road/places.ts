// Where everything lies on the mat: ten spots on an ellipse, the viewer's half below, whoever they are.
import type { Width } from "../../board/contract";

export interface Point {
    x: number;
    y: number;
}

/** The sizes of a road that fits a table, in px. */
export interface Road {
    width: number;
    height: number;
    middle: Point;
    radius: Point;
    lane: number; // the breadth of the road
    card: { width: number; height: number };
    fairy: number; // how high a fairy stands
    small: boolean; // so small that names give way to signs
    at: readonly Point[]; // the middles of the spots, from the viewer's first in the order of +
}

export const HALF = 5;
export const RING = 10;

const SMALL = 68; // px of a card's width

interface Sheet {
    width: number;
    height: number;
    middle: Point;
    radius: Point;
    lane: number;
    card: { width: number; height: number };
    fairy: number;
    columns: readonly [number, number]; // of the second and the first spot, from the middle
    rows: readonly [number, number, number]; // of the third, second and first spot, from the middle
}

const SHEETS: Record<Width, Sheet> = {
    L: {
        width: 1072,
        height: 592,
        middle: { x: 536, y: 318 },
        radius: { x: 384, y: 172 },
        lane: 76,
        card: { width: 94, height: 128 },
        fairy: 78,
        columns: [166, 332],
        rows: [172, 155, 86.5],
    },
    M: {
        width: 720,
        height: 470,
        middle: { x: 360, y: 240 },
        radius: { x: 284, y: 146 },
        lane: 60,
        card: { width: 72, height: 98 },
        fairy: 62,
        columns: [126, 248],
        rows: [146, 132, 76],
    },
    S: {
        width: 344,
        height: 304,
        middle: { x: 172, y: 152 },
        radius: { x: 142, y: 100 },
        lane: 40,
        card: { width: 52, height: 70 },
        fairy: 44,
        columns: [66, 130],
        rows: [108, 100, 56],
    },
};

/** Lay the road out for a mat so wide and, where that counts, so high; 0 while it is not known. */
export function roadFor(layout: Width, width: number, height = 0): Road {
    const sheet = SHEETS[layout];
    const wide = width > 0 ? width / sheet.width : 1;
    const high = height > 0 ? height / sheet.height : wide;
    const by = Math.min(wide, high, layout === "S" ? 1.35 : 1.15);
    const across = width > 0 ? width : sheet.width * by;
    const deep = Math.max(height, sheet.height * by);
    const middle = { x: across / 2, y: sheet.middle.y * by + (deep - sheet.height * by) / 2 };
    const offsets: Point[] = [
        { x: -sheet.columns[1], y: sheet.rows[2] },
        { x: -sheet.columns[0], y: sheet.rows[1] },
        { x: 0, y: sheet.rows[0] },
        { x: sheet.columns[0], y: sheet.rows[1] },
        { x: sheet.columns[1], y: sheet.rows[2] },
    ];
    const near = offsets.map(({ x, y }) => ({ x: middle.x + x * by, y: middle.y + y * by }));
    const far = offsets.map(({ x, y }) => ({ x: middle.x - x * by, y: middle.y - y * by }));
    return {
        width: across,
        height: deep,
        middle,
        radius: { x: sheet.radius.x * by, y: sheet.radius.y * by },
        lane: sheet.lane * by,
        card: { width: Math.round(sheet.card.width * by), height: Math.round(sheet.card.height * by) },
        fairy: sheet.fairy * by,
        small: sheet.card.width * by < SMALL,
        at: [...near, ...far],
    };
}

/** The upper left corner of the card on a spot. */
export function cornerOf(road: Road, index: number): Point {
    const { x, y } = road.at[index] ?? road.middle;
    return { x: x - road.card.width / 2, y: y - road.card.height / 2 };
}

/** The number of a spot on the mat of a seat, 0 to 9 from its own first one; a watcher sits with seat 0. */
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
