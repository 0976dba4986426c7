// Why a move was not made, in the reader's language as far as there are words for it.
import type { Refusal, Say } from "./game";
import { ifSaid, knows, say } from "./say.svelte";

/** In the game's words, else in the shell's, else in the server's English. */
export function refusalWords(
    gameSay: Say,
    { key, parameters, text }: Omit<Refusal, "move" | "rule">,
): string {
    const words = ifSaid(gameSay, `refused.${key}`, parameters);
    return words ?? (knows(`problem.${key}`) ? say(`problem.${key}`, parameters) : text);
}
