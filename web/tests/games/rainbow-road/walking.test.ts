// A walk is sent hop by hop, and the program stops for its player only where everybody can see why.
import { describe, expect, test } from "vitest";
import { next, planTo, stopsItself, type Plan } from "../../../src/games/rainbow-road/walking";
import type { View } from "../../../src/games/rainbow-road/types";
import { rainLegal, rainWalk, view } from "./views";

const plan = (stop: boolean): Plan =>
    planTo(view(), { spot: "b2", hops: ["-", "-"], points: 2 }, stop) as Plan;

describe("a planned walk", () => {
    test("sends a hop at a time, and stops where it was told to", () => {
        const first = next(plan(true), view(), rainLegal);
        expect(first.move).toBe("-");
        const second = next(first.left as Plan, view(), rainLegal);
        expect(second.move).toBe("-");
        const third = next(second.left as Plan, view(), ["stop", "-"]);
        expect(third).toEqual({ move: "stop", left: null });
    });
    test("does not stop by itself", () => {
        const walked = { ...plan(false), hops: [] };
        expect(next(walked, view(), rainLegal)).toEqual({ move: null, left: null });
    });
    test.each<[string, View, readonly string[]]>([
        ["the hop is not legal any more", view(), ["stop", "+"]],
        ["the other fairy moves", view({ walk: { ...rainWalk, fairy: "sunny" } }), rainLegal],
        ["somebody else moves", view({ walk: { ...rainWalk, seat: 1 } }), rainLegal],
        ["other eyes look", view({ viewer: 1 }), rainLegal],
        ["another round has begun", view({ round: 2 }), rainLegal],
        ["nobody moves", view({ walk: null }), rainLegal],
    ])("ends when %s", (_, now, legal) => {
        expect(next(plan(true), now, legal)).toEqual({ move: null, left: null });
    });
});

describe("RR-28", () => {
    const forced = view({ walk: { ...rainWalk, reach: [], forced: true } });
    const unseen = view({ walk: { ...rainWalk, reach: [], prank_hops: [], forced: false } });

    test("a stop that everybody sees is forced may be sent for the player", () => {
        expect(stopsItself(forced, ["stop"])).toBe(true);
    });
    test("a stop that only the mover knows to be forced may not", () => {
        expect(stopsItself(unseen, ["stop"])).toBe(false);
    });
    test("nothing is sent while a move is in flight", () => {
        expect(stopsItself(forced, [])).toBe(false);
    });
});
