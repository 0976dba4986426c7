// Which part of the world is shown: the patch with one free ring, until somebody pans or zooms.
import { ACROSS, DOWN, RADIUS, middle, type Point } from "./cells";

/** A point of the world is shown at `scale` times its place, moved by x and y. */
export interface Camera {
    x: number;
    y: number;
    scale: number;
}

export interface Size {
    width: number;
    height: number;
}

/** What lies over the board's edges, in pixels. */
export interface Insets {
    top: number;
    right: number;
    bottom: number;
    left: number;
    corner?: number; // what is at the right has this height above the bottom alone
}

export const LARGEST = 58; // a hexagon's radius on the screen, when the board fits itself
export const SMALLEST = 14; // still a target of 24 pixels
export const NEAREST = 96; // as far as one may zoom in
export const LETTERS_FROM = 36; // letters are readable from this radius

const ROOM_TO_GROW = 1.2; // a patch that could be drawn larger by this is fitted anew

interface Box {
    left: number;
    top: number;
    right: number;
    bottom: number;
}

function boxOf(cells: readonly string[], rings: number): Box {
    const points = cells.map(middle);
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    const [aside, above] = [ACROSS * (rings + 0.5), DOWN * rings + RADIUS];
    return {
        left: Math.min(...xs) - aside,
        right: Math.max(...xs) + aside,
        top: Math.min(...ys) - above,
        bottom: Math.max(...ys) + above,
    };
}

/** The patch with one free ring in the middle of what can be seen, or of the board where it leaves the corner free. */
export function fit(cells: readonly string[], size: Size, insets: Insets): Camera {
    const { corner } = insets;
    if (corner === undefined) return fitWithin(cells, size, insets);
    const centred = fitWithin(cells, size, { ...insets, right: insets.left });
    const isClear = cells
        .map((cell) => boxOf([cell], 1))
        .every(
            ({ right, bottom }) =>
                centred.x + centred.scale * right <= size.width - insets.right ||
                centred.y + centred.scale * bottom <= size.height - corner,
        );
    return isClear ? centred : fitWithin(cells, size, insets);
}

function fitWithin(cells: readonly string[], size: Size, insets: Insets): Camera {
    const box = boxOf(cells, 1);
    const width = size.width - insets.left - insets.right;
    const height = size.height - insets.top - insets.bottom;
    const wanted = Math.min(width / (box.right - box.left), height / (box.bottom - box.top));
    const scale = Math.min(LARGEST / RADIUS, Math.max(SMALLEST / RADIUS, wanted));
    return {
        x: insets.left + width / 2 - (scale * (box.left + box.right)) / 2,
        y: insets.top + height / 2 - (scale * (box.top + box.bottom)) / 2,
        scale,
    };
}

/** Whether all of these cells, and so many rings about them, are within what can be seen. */
export function shows(camera: Camera, cells: readonly string[], size: Size, rings: number): boolean {
    const box = boxOf(cells, rings);
    const slack = 1; // pixel
    return (
        camera.x + camera.scale * box.left >= -slack &&
        camera.y + camera.scale * box.top >= -slack &&
        camera.x + camera.scale * box.right <= size.width + slack &&
        camera.y + camera.scale * box.bottom <= size.height + slack
    );
}

/** The camera after a change of the patch: the same, unless the patch drifts out of it or has become much smaller. */
export function follow(camera: Camera, cells: readonly string[], size: Size, insets: Insets): Camera {
    const fitted = fit(cells, size, insets);
    const small = fitted.scale > camera.scale * ROOM_TO_GROW;
    return small || !shows(camera, cells, size, 1) ? fitted : camera;
}

export function panned(camera: Camera, dx: number, dy: number): Camera {
    return { ...camera, x: camera.x + dx, y: camera.y + dy };
}

/** Zoomed about a point of the screen, which stays where it is. */
export function zoomed(camera: Camera, factor: number, at: Point): Camera {
    const scale = Math.min(NEAREST / RADIUS, Math.max(SMALLEST / RADIUS, camera.scale * factor));
    const by = scale / camera.scale;
    return { x: at.x - (at.x - camera.x) * by, y: at.y - (at.y - camera.y) * by, scale };
}

/** Moved just so far that a cell and its ring can be seen. */
export function revealing(camera: Camera, cell: string, size: Size): Camera {
    const box = boxOf([cell], 0.5);
    const by = (low: number, high: number, room: number): number =>
        low < 0 ? -low : high > room ? room - high : 0;
    const [left, right] = [camera.x + camera.scale * box.left, camera.x + camera.scale * box.right];
    const [top, bottom] = [camera.y + camera.scale * box.top, camera.y + camera.scale * box.bottom];
    const [dx, dy] = [by(left, right, size.width), by(top, bottom, size.height)];
    return dx || dy ? panned(camera, dx, dy) : camera;
}

/** The point of the world that is shown at a point of the screen. */
export function worldAt(camera: Camera, { x, y }: Point): Point {
    return { x: (x - camera.x) / camera.scale, y: (y - camera.y) / camera.scale };
}
