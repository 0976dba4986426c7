// What is marked on the patch follows the view alone.
import { expect, test } from "vitest";
import { choices } from "../../../src/games/flip-and-slide/choices";
import { hintOf, lockedCell, slidingCells, winningTiles } from "../../../src/games/flip-and-slide/marks";
import { HAT, POT, view } from "./views";

test("a hint marks the tile, its goal and the way of a slide", () => {
    expect(hintOf(null, view())).toBeNull();
    expect(hintOf("S0,0>1,1", view())).toEqual({ from: "0,0", to: "1,1", way: ["0,0", "1,0", "1,1"] });
    expect(hintOf("F-1,0", view())).toEqual({ from: "-1,0", to: null, way: [] });
});

test("a tile may not jump back to the cell it came from, while that cell is empty", () => {
    expect(lockedCell(view({ phase: "jump", previous: "3,3" }))).toBe("3,3");
    expect(lockedCell(view({ phase: "jump", previous: POT.cell }))).toBeNull();
    expect(lockedCell(view({ phase: "act", previous: "3,3" }))).toBeNull();
});

test("the rainbow that won is marked, and no other run", () => {
    const runs = [[0, 3], [HAT.tile]];
    expect([...winningTiles(view({ reason: "rainbow", winner: 0, runs }))]).toEqual([0, 3]);
    expect(winningTiles(view({ reason: "turn-limit", winner: 0, runs })).size).toBe(0);
    expect(winningTiles(view({ reason: null, winner: null, runs })).size).toBe(0);
});

test("tiles that may slide are marked", () => {
    expect(slidingCells(view(), choices(view(), ["S0,0>1,0"]))).toEqual(["0,0"]);
    expect(slidingCells(view(), choices(view(), []))).toEqual([]);
});
