// The board's parts are arranged by the box they are given.
import { describe, expect, it } from "vitest";
import { layoutFor, type Box, type Layout } from "../../../src/games/rainbow-road/frame.svelte";

const box = (width: number, height: number): Box => ({
    width,
    height,
    roadWidth: 0,
    roadHeight: 0,
    handWidth: Math.min(width, 320),
});
const layout = (width: number, height: number): Layout => layoutFor(box(width, height));

describe("the layout", () => {
    it("has everything on one mat in a large box, beside the road in a low one, else below each other", () => {
        expect(layout(1072, 800).shape).toBe("mat");
        expect(layout(1040, 560).shape).toBe("beside");
        expect(layout(374, 600).shape).toBe("stack");
    });

    it("is that of a large box until the box is measured", () => {
        expect(layoutFor({ ...box(0, 0), handWidth: 0 })).toMatchObject({
            shape: "mat",
            low: false,
            tiny: false,
            tight: false,
            card: 44,
        });
    });

    it("has less text in a low box", () => {
        expect(layout(374, 600)).toMatchObject({ low: false, tiny: false, wide: false });
        expect(layout(374, 500)).toMatchObject({ low: true, tiny: false });
        expect(layout(374, 380)).toMatchObject({ low: true, tiny: true });
        expect(layout(724, 300)).toMatchObject({ shape: "beside", low: true, tiny: false, wide: true });
        expect(layout(936, 473)).toMatchObject({ shape: "beside", low: true });
        expect(layout(1040, 560)).toMatchObject({ shape: "beside", low: false });
    });

    it("has cards that a finger can press, and a hand that they fit in", () => {
        for (const [width, height] of [
            [344, 400],
            [374, 600],
            [724, 300],
            [1040, 560],
            [1400, 900],
        ] as const) {
            const { card } = layout(width, height);
            expect(card).toBeGreaterThanOrEqual(44);
            expect(card).toBeLessThanOrEqual(88);
        }
        const mat = layout(1400, 900);
        expect(mat.hand).toBeGreaterThan(mat.card * 5);
    });
});
