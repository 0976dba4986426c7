// Refusals of the server, in words for people.
import { ApiError } from "./api";
import { knows, say } from "../i18n/messages.svelte";
import type { Problem } from "../wire/types";

/** What to show when something went wrong. */
export function errorText(error: unknown): string {
    if (!(error instanceof ApiError)) throw error;
    return problemText(error.problem);
}

/** A refusal of the server, in the language of the page. */
export function problemText({ key, parameters, text }: Problem): string {
    return knows(`problem.${key}`) ? say(`problem.${key}`, parameters) : text;
}
