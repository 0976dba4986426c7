// Faces, people and rows in words.
import type { Say } from "../../board/contract";
import type { RowCard } from "./types";

const TOKENS: Record<string, string> = {
    R: "red",
    O: "orange",
    Y: "yellow",
    G: "green",
    B: "blue",
    I: "indigo",
    V: "violet",
    W: "light",
    K: "shade",
};

/** A face as a word: "red", or "unseen". */
export function faceWord(face: string, say: Say): string {
    return say(face in TOKENS ? `face.${face}` : "face.hidden");
}

/** A face in the log: a swatch, and the word in bold; or hatching where the face is hidden now. */
export function faceMark(face: string | null, say: Say): string {
    const token = face === null ? undefined : TOKENS[face];
    return token ? `<${token}>**${say(`face.${face}`)}**` : `<hidden>${say("face.gone")}`;
}

export function capital(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The row from left to right: "orange, light, green". */
export function rowWords(row: readonly RowCard[], say: Say): string {
    return row.map((card) => faceWord(card.face, say)).join(say("comma"));
}

/** For messages with {who, select, you {…} other {… {name} …}}. */
export function who(seat: number, viewer: number, names: readonly string[]): { who: string; name: string } {
    return { who: seat === viewer ? "you" : "other", name: names[seat] ?? "" };
}
