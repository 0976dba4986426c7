// The six books of Nimble: hue, letter and glyph, as the faces have them.
import type { Sign } from "./faces";
import { INK, PAPER } from "./print";

export const BOOK_LETTERS = ["A", "M", "E", "W", "P", "Q"] as const;
export type BookLetter = (typeof BOOK_LETTERS)[number];

export const BOOKS: Record<BookLetter, Sign> = {
    A: {
        letter: "A",
        hue: "#2DC8E1",
        print: INK,
        glyph: "M2.5 6h14v1.6h1.7a4 4 0 0 1 0 8h-2.6A7 7 0 0 1 9.5 19 7 7 0 0 1 2.5 12ZM16.5 10v2.2q0 .5-.1 1h1.7a1.6 1.6 0 0 0 0-3.2ZM1.5 20.3h16v2.2h-16Z",
    },
    M: {
        letter: "M",
        hue: "#141D65",
        print: PAPER,
        glyph: "M12 22.5C11.2 17.6 10.8 14.6 9.3 12.3 5.6 12 2.6 9.4 1 3.6 6 3.2 10 5 12 8.8 14 5 18 3.2 23 3.6 21.4 9.4 18.4 12 14.7 12.3 13.2 14.6 12.8 17.6 12 22.5ZM2 17.5q2.2-2 4.4 0l-.9 2q-1.3-1-2.6 0ZM22 17.5q-2.2-2-4.4 0l.9 2q1.3-1 2.6 0Z",
    },
    E: {
        letter: "E",
        hue: "#FFE47D",
        print: INK,
        glyph: "M9.2 1h5.6v2.4h-1.3v1.9a8.9 8.9 0 1 1-3 0V3.4H9.2ZM10.8 8.6v6.6h5.6v-2.4h-3.2V8.6Z",
    },
    W: {
        letter: "W",
        hue: "#A80017",
        print: PAPER,
        glyph: "M3.5 9.5C3.5 4.6 7 2 12 2s8.5 2.6 8.5 7.5ZM9.5 5.2v2.2h5V5.2ZM6.4 11h3.1L6 22.5H2.9ZM10.6 11h2.8v11.5h-2.8ZM14.5 11h3.1l3.5 11.5H18Z",
    },
    P: {
        letter: "P",
        hue: "#6C995C",
        print: INK,
        glyph: "M1.8 9.2 10.8 1.2 15 9.2ZM2.6 10.8h11.6v1.7h7.6a1.5 1.5 0 0 1 0 3h-7.7A6 6 0 0 1 2.6 16.5ZM9.4 12.6v2.2h2.2v-2.2Z",
    },
    Q: {
        letter: "Q",
        hue: "#9254C1",
        print: PAPER,
        glyph: "M13.3 9.7L20.7 12.4 19.6 15.4 14.1 13.4ZM11.5 10.5L8.8 17.9 5.8 16.8 7.8 11.3ZM10.7 8.7L3.3 6 4.4 3 9.9 5ZM12.5 7.9L15.2.5 18.2 1.6 16.2 7.1ZM12 7.6a1.6 1.6 0 1 0 .01 0ZM10.1 12.4h3.8L16.6 23H7.4Z",
    },
};
