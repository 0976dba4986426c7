import { describe, expect, it } from "vitest";
import { placeBubble, type Box, type Surroundings } from "../../../src/pages/table/place-bubble";

const ROOM = { left: 8, top: 60, width: 344, height: 700 };
const PLATE = { left: 8, top: 60, width: 164, height: 56 };
const OTHER_PLATE = { ...PLATE, left: 188 };
const SIZE = { width: 120, height: 32 };

const around = (kept: readonly Box[], plates: readonly Box[] = []): Surroundings => ({
    room: ROOM,
    kept,
    plates,
});

describe("a bubble", () => {
    it("is below its plate where that is free", () => {
        expect(placeBubble(PLATE, SIZE, around([], [OTHER_PLATE]))).toEqual({ left: 8, top: 120 });
    });

    it("is above a plate at the bottom of the window", () => {
        expect(placeBubble({ ...PLATE, top: 704 }, SIZE, around([]))).toEqual({ left: 8, top: 668 });
    });

    it("is over its own plate where the prompt is below, and the other plate beside it", () => {
        const prompt = { left: 0, top: 116, width: 360, height: 600 };
        expect(placeBubble(PLATE, SIZE, around([prompt], [OTHER_PLATE]))).toEqual({ left: 52, top: 84 });
    });

    it("is over no other bubble", () => {
        const bubble = { ...SIZE, left: 8, top: 120 };
        const button = { left: 0, top: 152, width: 360, height: 600 };
        const { top } = placeBubble(PLATE, SIZE, around([bubble, button], [OTHER_PLATE]));
        expect(top + SIZE.height).toBeLessThanOrEqual(120);
    });

    it("is somewhere else rather than over a button", () => {
        const button = { left: 0, top: 0, width: 360, height: 500 };
        expect(placeBubble(PLATE, SIZE, around([button])).top).toBeGreaterThanOrEqual(500);
    });

    it("stays in the window, and covers the least where all is taken", () => {
        const all = { left: 0, top: 0, width: 360, height: 780 };
        const twice = { ...all, height: 600 };
        const { left, top } = placeBubble(PLATE, SIZE, around([all, twice]));
        expect(top).toBeGreaterThanOrEqual(600);
        expect(top + SIZE.height).toBeLessThanOrEqual(ROOM.top + ROOM.height);
        expect(left).toBeGreaterThanOrEqual(ROOM.left);
        expect(left + SIZE.width).toBeLessThanOrEqual(ROOM.left + ROOM.width);
    });
});
