// Refusals of the server, in words for people.
import { ApiError } from "./api";
import { knows, say } from "../i18n/messages.svelte";

/** What to show when something went wrong. */
export function errorText(error: unknown): string {
    if (!(error instanceof ApiError)) throw error;
    const key = `problem.${error.problem.key}`;
    return knows(key) ? say(key, error.problem.parameters) : error.problem.text;
}
