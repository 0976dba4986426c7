// Refusals of the server, in words for people.
import { Trouble } from "./api";
import { knows, say } from "./say.svelte";

/** What to show when something went wrong. */
export function words(error: unknown): string {
    if (!(error instanceof Trouble)) throw error;
    const key = `problem.${error.problem.key}`;
    return knows(key) ? say(key, error.problem.parameters) : error.problem.text;
}
