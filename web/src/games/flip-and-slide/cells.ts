// Geometry of the cells: hexagons with one corner up. A unit is a pixel at scale 1.
export interface Point {
    x: number;
    y: number;
}

/** The radius of a hexagon in the world. */
export const RADIUS = 58;
export const ACROSS = Math.sqrt(3) * RADIUS; // from a cell to the next in its row
export const DOWN = 1.5 * RADIUS; // from a row to the next

/** The six sides of a cell, counter-clockwise from the right. */
export const SIDES = [
    [1, 0],
    [1, -1],
    [0, -1],
    [-1, 0],
    [-1, 1],
    [0, 1],
] as const;
export const SIDE_NAMES = [
    "right",
    "upper-right",
    "upper-left",
    "left",
    "lower-left",
    "lower-right",
] as const;

/** A cell's two numbers. */
export function numbers(cell: string): [q: number, r: number] {
    const comma = cell.indexOf(",");
    return [Number(cell.slice(0, comma)), Number(cell.slice(comma + 1))];
}

/** The middle of a cell in the world. */
export function middle(cell: string): Point {
    const [q, r] = numbers(cell);
    return { x: ACROSS * (q + r / 2), y: DOWN * r };
}

/** The cell that a point of the world lies in. */
export function cellAt({ x, y }: Point): string {
    const r = y / DOWN;
    const q = x / ACROSS - r / 2;
    const s = -q - r;
    let [column, row] = [Math.round(q), Math.round(r)];
    const third = Math.round(s);
    const [dq, dr, ds] = [Math.abs(column - q), Math.abs(row - r), Math.abs(third - s)];
    if (dq > dr && dq > ds) column = -row - third;
    else if (dr > ds) row = -column - third;
    return `${column + 0},${row + 0}`;
}

export function neighbours(cell: string): string[] {
    const [q, r] = numbers(cell);
    return SIDES.map(([dq, dr]) => `${q + dq},${r + dr}`);
}

/** The side of a cell that a point is nearest to. */
export function sideToward(cell: string, { x, y }: Point): number {
    const from = middle(cell);
    const angle = Math.atan2(from.y - y, x - from.x);
    return (Math.round(angle / (Math.PI / 3)) + 6) % 6;
}

/** Compare cells: from the top row down, each from left to right. */
export function byPlace(a: string, b: string): number {
    const [aq, ar] = numbers(a);
    const [bq, br] = numbers(b);
    return ar - br || aq - bq;
}

/** The nearest of some cells in a direction (y down); null if there is none. */
export function nextToward(from: string, toward: Point, among: Iterable<string>): string | null {
    const start = middle(from);
    let best: string | null = null;
    let least = Infinity;
    for (const cell of among) {
        const { x, y } = middle(cell);
        const [dx, dy] = [x - start.x, y - start.y];
        const along = dx * toward.x + dy * toward.y;
        const aside = Math.abs(dx * toward.y - dy * toward.x);
        if (cell === from || along <= 1 || aside > 2 * along) continue;
        const far = along + aside;
        if (far < least) [best, least] = [cell, far];
    }
    return best;
}
