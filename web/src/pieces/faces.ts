// The nine faces: hue, letter, digit and glyph (a path on 24 by 24). No piece is told apart by its hue alone.
import { INK, PAPER } from "./print";

export interface Sign {
    letter: string;
    hue: string;
    print: string; // the colour of what is printed on the hue
    glyph: string;
}

export const FACE_LETTERS = ["R", "O", "Y", "G", "B", "I", "V", "W", "K"] as const;
export type FaceLetter = (typeof FACE_LETTERS)[number];

/** What stands for a face that these eyes cannot see. */
export const HIDDEN = "?";

export const FACES: Record<FaceLetter, Sign> = {
    R: {
        letter: "R",
        hue: "#A90004",
        print: PAPER,
        glyph: "M12 21.5C6 17 2 13.4 2 8.7A5.2 5.2 0 0 1 12 6.5a5.2 5.2 0 0 1 10 2.2C22 13.4 18 17 12 21.5Z",
    },
    O: { letter: "O", hue: "#DD800A", print: INK, glyph: "M3 14.5a9 9 0 0 1 18 0ZM1.5 17h21v3.5h-21Z" },
    Y: {
        letter: "Y",
        hue: "#FECF35",
        print: INK,
        glyph: "M12 1.6L14.9 8.9 22.7 9.4 16.8 14.4 18.6 22 12 17.9 5.4 22 7.2 14.4 1.3 9.4 9.1 8.9Z",
    },
    G: {
        letter: "G",
        hue: "#358E6B",
        print: INK,
        glyph: "M21 3C21.4 14.2 15.8 20 7.9 18.6L5 21.5 2.5 19 5.4 16.1C4 8.2 9.8 2.6 21 3Z",
    },
    B: {
        letter: "B",
        hue: "#4EBFF0",
        print: INK,
        glyph: "M12 1.5C16.2 7 19.5 10.8 19.5 15a7.5 7.5 0 0 1-15 0C4.5 10.8 7.8 7 12 1.5Z",
    },
    I: {
        letter: "I",
        hue: "#291581",
        print: PAPER,
        glyph: "M15.8 2.2A10.2 10.2 0 1 0 21.8 15.9 8.6 8.6 0 0 1 15.8 2.2Z",
    },
    V: { letter: "V", hue: "#9049B8", print: PAPER, glyph: "M12 1 20 12 12 23 4 12Z" },
    W: {
        letter: "W",
        hue: "#FEFBF1",
        print: INK,
        glyph: "M12 1.8a10.2 10.2 0 1 0 0 20.4 10.2 10.2 0 0 0 0-20.4ZM12 7a5 5 0 1 1 0 10 5 5 0 0 1 0-10Z",
    },
    K: {
        letter: "K",
        hue: "#120D15",
        print: PAPER,
        glyph: "M5.6 2 12 8.4 18.4 2 22 5.6 15.6 12 22 18.4 18.4 22 12 15.6 5.6 22 2 18.4 8.4 12 2 5.6Z",
    },
};

/** The seven colours from the outside of the rainbow to the inside; number n of Rainbow Road is the n-th. */
export const COLOURS = FACE_LETTERS.slice(0, 7);

const NAMES = ["red", "orange", "yellow", "green", "blue", "indigo", "violet", "light", "shade"];

/** The letter of the face that a token names; a face that cannot be seen for any other. */
export function faceNamed(token: string): string {
    return FACE_LETTERS[NAMES.indexOf(token)] ?? HIDDEN;
}

/** The token of a face, as in `<green>` and `--green`; "hidden" for a face that cannot be seen. */
export function tokenOf(letter: string): string {
    return NAMES[FACE_LETTERS.indexOf(letter as FaceLetter)] ?? "hidden";
}

/** A face in a log: a swatch, and words in bold. */
export function swatch(letter: string, words: string): string {
    return `<${tokenOf(letter)}>**${words}**`;
}

/** The face a letter names; null for one that cannot be seen. */
export function faceOf(letter: string): Sign | null {
    return FACES[letter as FaceLetter] ?? null;
}
