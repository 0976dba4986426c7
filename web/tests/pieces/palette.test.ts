// The palettes keep their distance for every kind of eyes, and what is printed on a hue can be read.
import { describe, expect, test } from "vitest";
import { BOOKS } from "../../src/pieces/books";
import { FACES } from "../../src/pieces/faces";
import { closest, contrast, difference, type Eyes } from "./distance";

const faces = Object.values(FACES);
const books = Object.values(BOOKS);
const COLOUR: Eyes[] = ["normal", "protan", "deutan", "tritan"];

test("the distance is CIEDE2000: two pairs of Sharma, Wu and Dalal 2005", () => {
    expect(difference([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 3);
    expect(difference([2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514])).toBeCloseTo(0.9082, 3);
});

describe.each([
    { set: "faces", signs: faces, colour: 15, grey: 8 },
    { set: "books", signs: books, colour: 18, grey: 10.5 },
])("the $set", ({ signs, colour, grey }) => {
    const hexes = signs.map((sign) => sign.hue);

    test.each(COLOUR)("are told apart with %s colour vision", (eyes) => {
        expect(closest(hexes, eyes)).toBeGreaterThanOrEqual(colour);
    });

    test("are told apart in greyscale", () => {
        expect(closest(hexes, "grey")).toBeGreaterThanOrEqual(grey);
    });

    test("bear print that can be read", () => {
        for (const sign of signs)
            expect(contrast(sign.hue, sign.print), sign.letter).toBeGreaterThanOrEqual(4.5);
    });

    test("have a glyph and a letter each", () => {
        expect(new Set(signs.map((sign) => sign.glyph)).size).toBe(signs.length);
        expect(new Set(signs.map((sign) => sign.letter)).size).toBe(signs.length);
    });
});
