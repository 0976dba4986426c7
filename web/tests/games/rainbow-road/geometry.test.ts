// The ring lies with the viewer's half below, whoever they are.
import { describe, expect, test } from "vitest";
import { indexOf, roadFor, spotAt, wayBetween } from "../../../src/games/rainbow-road/geometry";

describe("the ring", () => {
    test("starts at the viewer's own first spot and goes on in the order of +", () => {
        const names = (seat: number): string[] => Array.from({ length: 10 }, (_, i) => spotAt(i, seat));
        expect(names(0).join(" ")).toBe("a1 a2 a3 a4 a5 b1 b2 b3 b4 b5");
        expect(names(1).join(" ")).toBe("b1 b2 b3 b4 b5 a1 a2 a3 a4 a5");
        expect(names(-1)).toEqual(names(0));
        for (const seat of [-1, 0, 1])
            expect(names(seat).map((spot) => indexOf(spot, seat))).toEqual([...Array(10).keys()]);
    });
    test.each([0, 344, 752])(
        "has the near half below from left to right, the far half above back (%d wide)",
        (width) => {
            const { at, middle } = roadFor(width, width * 0.7);
            for (let i = 0; i < 5; i++) {
                const [near, far] = [at[i], at[i + 5]];
                expect(near && near.y > middle.y && far && far.y < middle.y).toBe(true);
                expect((near?.x ?? 0) + (far?.x ?? 0)).toBeCloseTo(2 * middle.x);
            }
            expect(at.slice(0, 5).map(({ x }) => x)).toEqual(
                at
                    .slice(0, 5)
                    .map(({ x }) => x)
                    .sort((a, b) => a - b),
            );
        },
    );
    test.each([
        [300, 180, false],
        [344, 190, false],
        [374, 430, false],
        [430, 305, false],
        [590, 570, false],
        [752, 560, false],
        [1072, 592, true],
        [1008, 440, true],
        [1550, 760, true],
    ] as const)("keeps its cards apart and in the box (%d by %d)", (width, height, corners) => {
        const road = roadFor(width, height, corners);
        const { width: w, height: h } = road.card;
        road.at.forEach((one, i) => {
            expect(one.x - w / 2).toBeGreaterThanOrEqual(0);
            expect(one.x + w / 2).toBeLessThanOrEqual(road.width);
            expect(one.y - h / 2).toBeGreaterThanOrEqual(0);
            expect(one.y + h / 2).toBeLessThanOrEqual(road.height);
            for (const other of road.at.slice(i + 1)) {
                expect(Math.abs(one.x - other.x) >= w || Math.abs(one.y - other.y) >= h).toBe(true);
            }
        });
    });
});

test("a fairy passes the empty spots on its way, round the end of the ring too", () => {
    expect(wayBetween(8, 1, "+")).toEqual([8, 9, 0, 1]);
    expect(wayBetween(1, 8, "-")).toEqual([1, 0, 9, 8]);
    expect(wayBetween(3, 3, "+")).toHaveLength(11);
});
