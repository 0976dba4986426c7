// Every kind of move is an instruction: which tile, and which way.
import { expect, test } from "vitest";
import { about } from "../../../src/games/flip-and-slide/choices";
import { hintText } from "../../../src/games/flip-and-slide/labels";
import { jumping, names, say, view } from "./views";
import { context } from "../../support/context";

test("every kind of move has its words", () => {
    const placing = view({ phase: "place", places: ["1,0"] });
    expect(hintText("@1,0", context({ view: placing, seat: 0, say, names }))).toBe(
        "Place your pot in row 1, beside red and blue",
    );
    expect(hintText("F-1,0", context({ view: view(), seat: 0, say, names }))).toBe(
        "Flip the clover in row 1, place 1",
    );
    expect(hintText("S0,0>0,2", context({ view: view(), seat: 0, say, names }))).toBe(
        "Slide red to the lower right, beside blue and Ines’s hat",
    );
    expect(hintText("S-2,1>0,2", context({ view: view(), seat: 0, say, names }))).toBe(
        "Slide your pot to the right, beside blue and Ines’s hat",
    );
    expect(hintText("J1,1", context({ view: jumping(), seat: 0, say, names }))).toBe(
        "Jump to the right, over 2 tiles",
    );
});

test("a tile that slides away is not its own neighbour", () => {
    expect(hintText("S0,0>1,0", context({ view: view(), seat: 0, say, names }))).toBe(
        "Slide red to the right, beside blue",
    );
});

test("a hint marks cells of the board", () => {
    expect(about("@1,0", view())).toEqual({ from: null, to: "1,0" });
    expect(about("F-1,0", view())).toEqual({ from: "-1,0", to: null });
    expect(about("S0,0>1,1", view())).toEqual({ from: "0,0", to: "1,1" });
    expect(about("J1,1", jumping())).toEqual({ from: "-2,1", to: "1,1" });
});
