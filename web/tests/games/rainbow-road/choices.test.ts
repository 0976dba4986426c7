// What legal moves light, and which text a gesture sends.
import { describe, expect, test } from "vitest";
import {
    NOTHING,
    bestStep,
    completed,
    marksOf,
    open,
    playable,
    placesFor,
    prankOf,
    stepTo,
    targets,
    usable,
} from "../../../src/games/rainbow-road/choices";
import type { Prank, Walk } from "../../../src/games/rainbow-road/types";
import { playLegal, rainLegal, rainWalk, toPlay, view } from "./views";

const pick = (prank: Prank, ...marks: string[]) => ({ ...NOTHING, prank, marks });

describe("a card to play", () => {
    test("its numbers and places are those listed", () => {
        expect([...playable(playLegal)]).toEqual([1, 2, 7]);
        expect(placesFor(playLegal, 2)).toEqual(["a1", "a5"]);
    });
    test("its places light once it is picked, and nothing before", () => {
        expect([...targets(toPlay, playLegal, NOTHING)]).toEqual([]);
        expect([...targets(toPlay, playLegal, { ...NOTHING, number: 7 }).keys()]).toEqual(["a1", "a5"]);
    });
});

describe("a walk", () => {
    test("lights what can be reached, with its points", () => {
        const lit = targets(view(), rainLegal, NOTHING);
        expect([...lit].map(([spot, { points }]) => [spot, points])).toEqual([
            ["b3", 1],
            ["b2", 2],
            ["a4", 3],
        ]);
        expect(targets(view(), [], NOTHING).size).toBe(0);
    });
    test("goes the way that brings more, where both lead there", () => {
        const both: Walk = {
            ...rainWalk,
            reach: [...rainWalk.reach, { spot: "b2", hops: ["+"], points: 1 }],
        };
        expect(stepTo(both, "b2")?.hops).toEqual(["-", "-"]);
        expect(bestStep(both)?.spot).toBe("a4");
        expect(stepTo(both, "a1")).toBeNull();
    });
});

describe("a prank", () => {
    test("is read from the text of per move", () => {
        expect(["+", "stop", "P5a3", "jump+", "trash:b3"].map(prankOf)).toEqual([
            null,
            null,
            null,
            "jump",
            "trash",
        ]);
        expect([...usable(rainLegal)]).toEqual(["jump", "exchange"]);
    });
    test("knows its marks: spots, the spot a hop leads to, a discard", () => {
        expect(marksOf("exchange:a2,b4", null)).toEqual(["a2", "b4"]);
        expect(marksOf("teleport:a5", null)).toEqual(["a5"]);
        expect(marksOf("recycle:7>a3", null)).toEqual(["#7", "a3"]);
        expect(marksOf("jump+", rainWalk)).toEqual(["a2"]);
    });
    test("exchange takes two spots in either order", () => {
        expect([...open(view(), rainLegal, pick("exchange"))]).toEqual(["a2", "a4", "b2"]);
        expect([...open(view(), rainLegal, pick("exchange", "b2"))]).toEqual(["a2", "a4"]);
        expect(completed(view(), rainLegal, pick("exchange", "b2"))).toBeNull();
        expect(completed(view(), rainLegal, pick("exchange", "b2", "a2"))).toBe("exchange:a2,b2");
    });
    test("jump lights where it leads, with its points", () => {
        const lit = targets(view(), rainLegal, pick("jump"));
        expect([...lit.keys()]).toEqual(["a2", "b3"]);
        expect(lit.get("a2")?.points).toBe(1);
        expect(completed(view(), rainLegal, pick("jump", "b3"))).toBe("jump-");
    });
    test("recycle takes a discard and a spot, in either order", () => {
        const legal = ["stop", "recycle:7>b3", "recycle:2>b3", "recycle:2>a3"];
        expect([...open(view(), legal, pick("recycle"))].sort()).toEqual(["#2", "#7", "a3", "b3"]);
        expect([...open(view(), legal, pick("recycle", "#7"))]).toEqual(["b3"]);
        expect([...open(view(), legal, pick("recycle", "a3"))]).toEqual(["#2"]);
        expect(completed(view(), legal, pick("recycle", "b3", "#7"))).toBe("recycle:7>b3");
        expect([...targets(view(), legal, pick("recycle")).keys()]).toEqual(["b3", "a3"]);
    });
});
