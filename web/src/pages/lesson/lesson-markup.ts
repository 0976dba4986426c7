// The marks in the words of a lesson: those of the log, and rules by their ids.
import { parseMarkup, type MarkupPart } from "../../board/markup";

export type Word = MarkupPart | { kind: "rule"; id: string };

const RULE = /\b([A-Z]{1,3}-\d+)\b/;

export function wordsOf(text: string): Word[] {
    return parseMarkup(text).flatMap((bit): Word[] => {
        if (bit.kind !== "text") return [bit];
        return bit.text.split(RULE).flatMap((part, i): Word[] => {
            if (i % 2) return [{ kind: "rule", id: part }];
            return part ? [{ kind: "text", text: part }] : [];
        });
    });
}
