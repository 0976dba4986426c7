// Cells and points, and what the camera shows of them.
import { describe, expect, test } from "vitest";
import { fit, follow, shows, worldAt, zoomed } from "../../../src/games/flip-and-slide/camera";
import {
    RADIUS,
    SIDES,
    cellAt,
    middle,
    neighbours,
    nextToward,
    sideToward,
} from "../../../src/games/flip-and-slide/cells";

const NO_INSETS = { top: 0, right: 0, bottom: 0, left: 0 };
const BOARD = { width: 1072, height: 676 };
const row = (length: number): string[] => Array.from({ length }, (_, q) => `${q},0`);

describe("cells", () => {
    test("every point near the middle of a cell is in it, and in no neighbour", () => {
        for (const cell of ["0,0", "3,-2", "-4,7", "-1,-1"]) {
            const { x, y } = middle(cell);
            for (let turn = 0; turn < 12; turn++) {
                const angle = (Math.PI / 6) * turn;
                const at = (far: number) => ({ x: x + far * Math.cos(angle), y: y + far * Math.sin(angle) });
                expect(cellAt(at(0.85 * RADIUS))).toBe(cell);
                expect(cellAt(at(1.2 * RADIUS))).not.toBe(cell);
            }
        }
    });
    test("the side toward a neighbour is its number", () => {
        neighbours("2,-1").forEach((cell, side) => expect(sideToward("2,-1", middle(cell))).toBe(side));
        expect(SIDES).toHaveLength(6);
    });
    test("an arrow goes to the nearest cell that way", () => {
        const among = ["0,0", "1,0", "2,0", "0,1", "-1,1", "0,-2"];
        expect(nextToward("0,0", { x: 1, y: 0 }, among)).toBe("1,0");
        expect(nextToward("2,0", { x: 1, y: 0 }, among)).toBeNull();
        expect(["0,1", "-1,1"]).toContain(nextToward("0,0", { x: 0, y: 1 }, among));
    });
});

describe("the camera", () => {
    test("fits the patch with one free ring, a hexagon's radius between 14 and 58", () => {
        expect(fit(["0,0"], BOARD, NO_INSETS).scale * RADIUS).toBe(58);
        expect(fit(row(80), BOARD, NO_INSETS).scale * RADIUS).toBe(14);
        const camera = fit(row(9), BOARD, NO_INSETS);
        expect(shows(camera, row(9), BOARD, 1)).toBe(true);
        expect(camera.scale * RADIUS).toBeLessThan(58);
    });
    test("fits the patch in the middle of the board while the buttons' corner is free, else beside it", () => {
        const beside = { ...NO_INSETS, right: 68 };
        const insets = { ...beside, corner: 172 };
        expect(fit(row(9), BOARD, insets)).toEqual(fit(row(9), BOARD, NO_INSETS));
        const filled = [0, 1, 2, 3, 4].flatMap((r) => row(9).map((_, q) => `${q},${r}`));
        expect(fit(filled, BOARD, insets)).toEqual(fit(filled, BOARD, beside));
    });
    test("stays while the patch is well in sight, and follows when it drifts", () => {
        const camera = fit(row(9), BOARD, NO_INSETS);
        expect(follow(camera, row(8), BOARD, NO_INSETS)).toBe(camera);
        const drifted = row(9).map((_, i) => `${i + 1},0`);
        const followed = follow(camera, drifted, BOARD, NO_INSETS);
        expect(followed).not.toBe(camera);
        expect(shows(followed, drifted, BOARD, 1)).toBe(true);
    });
    test("zooms about the point under the fingers", () => {
        const camera = fit(row(9), BOARD, NO_INSETS);
        const at = { x: 300, y: 200 };
        const nearer = zoomed(camera, 1.4, at);
        expect(worldAt(nearer, at).x).toBeCloseTo(worldAt(camera, at).x);
        expect(worldAt(nearer, at).y).toBeCloseTo(worldAt(camera, at).y);
    });
});
