// Why a move was not made, in the reader's language as far as there are words for it.
import type { Refusal, Say } from "../board/contract";
import { anyOf, sayIfKnown, knows, say, when } from "../i18n/messages.svelte";

/** In the game's words, else in the shell's, else in the server's English. */
export function refusalText(gameSay: Say, { key, parameters, text }: Omit<Refusal, "move" | "rule">): string {
    const { places } = parameters; // choices in English: "a1, a3 or a5"
    const listed =
        typeof places === "string" ? { ...parameters, places: anyOf(places.split(/, | or /)) } : parameters;
    const words = sayIfKnown(gameSay, `refused.${key}`, listed);
    return words ?? (knows(`problem.${key}`) ? say(`problem.${key}`, readable(parameters)) : text);
}

/** The parameters as a text shows them: `until` is a time. */
function readable(parameters: Refusal["parameters"]): Refusal["parameters"] {
    const { until } = parameters;
    return typeof until === "number" ? { ...parameters, until: when(until) } : parameters;
}
