// Where the points of a rating's curve lie, and the lines behind it.
export interface Plot {
    path: string;
    points: readonly { x: number; y: number }[];
    lines: readonly { y: number; rating: number }[];
}

const STEPS = [10, 20, 50, 100, 200, 500, 1000];
const MOST_LINES = 4;

/** Draws ratings, evenly from left to right, into a box. */
export function plot(ratings: readonly number[], width: number, height: number): Plot {
    const low = Math.min(...ratings);
    const high = Math.max(...ratings);
    const step = STEPS.find((step) => (high - low) / step <= MOST_LINES - 2) ?? high - low;
    const bottom = Math.floor(low / step) * step;
    const top = Math.max(Math.ceil(high / step) * step, bottom + step);
    const y = (rating: number): number => height - ((rating - bottom) / (top - bottom)) * height;
    const across = Math.max(ratings.length - 1, 1);
    const points = ratings.map((rating, at) => ({ x: (at / across) * width, y: y(rating) }));
    const lines = [];
    for (let rating = bottom; rating <= top; rating += step) lines.push({ y: y(rating), rating });
    const path = points.map(({ x, y }, at) => `${at ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    return { path, points, lines };
}
