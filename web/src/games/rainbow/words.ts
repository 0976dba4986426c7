// Faces, people and rows in words.
import type { Say } from "../../board/contract";
import { faceOf, tokenOf } from "../../pieces/faces";
import type { RowCard } from "./types";

/** A face as a word: "red", or "unseen". */
export function faceWord(face: string, say: Say): string {
    return say(faceOf(face) ? `face.${face}` : "face.hidden");
}

/** A face in the log: a swatch, and the word in bold. */
export function faceMark(face: string, say: Say): string {
    return `<${tokenOf(face)}>**${say(`face.${face}`)}**`;
}

/** The row from left to right: "orange, light, green". */
export function rowWords(row: readonly RowCard[], say: Say): string {
    return row.map((card) => faceWord(card.face, say)).join(say("comma"));
}
