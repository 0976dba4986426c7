// Numbers, people and pranks in words.
import type { Say } from "../../board/contract";
import { COLOURS } from "../../pieces/faces";
import type { Card, Fairy } from "./types";

const TOKENS = ["red", "orange", "yellow", "green", "blue", "indigo", "violet"];

/** The face that bears a number: 1 red to 7 violet. */
export function faceFor(number: number): string {
    return COLOURS[number - 1] ?? "?";
}

/** A number in the log: a swatch, and the digit in bold. */
export function mark(number: number): string {
    return `<${TOKENS[number - 1] ?? "hidden"}>**${number}**`;
}

/** A number to be heard: "six". */
export function numberWord(number: number, say: Say): string {
    return say(`number.${number}`);
}

export function fairyWord(fairy: Fairy, say: Say): string {
    return say(`fairy.${fairy}`);
}

/** Cards one after the other, to be heard. */
export function cardWords(cards: readonly Card[], say: Say): string {
    return cards.map(({ number }) => numberWord(number, say)).join(say("comma"));
}

/** For messages with {who, select, you {…} other {… {name} …}}. */
export function who(seat: number, viewer: number, names: readonly string[]): { who: string; name: string } {
    return { who: seat === viewer ? "you" : "other", name: names[seat] ?? "" };
}
