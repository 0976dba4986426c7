// The games that have a folder here, found by their folders. Boards are loaded when a table needs them.
import type { Component } from "svelte";
import type { GameModule } from "../board/contract";
import { loadGameMessages } from "../i18n/messages.svelte";

/** What the home page says of a game: `src/games/<id>/card.json`. */
export interface GameCard {
    order: number; // among the others
    scored?: boolean; // false: its scores say nothing but who won
    mat: string; // the token of its ground: linen, mist, meadow, desk
    time: Record<string, string>; // by language
    line: Record<string, string>; // one sentence
}

const boards = import.meta.glob<{ default: GameModule }>("../games/*/index.ts");
const pictures = import.meta.glob<Component>("../games/*/Picture.svelte", { eager: true, import: "default" });
const cards = import.meta.glob<GameCard>("../games/*/card.json", { eager: true, import: "default" });

/** Loads a game's board and its words; null for a game that is played on the generic table. */
export async function loadGame(id: string): Promise<GameModule | null> {
    const load = boards[`../games/${id}/index.ts`];
    if (!load) return null;
    const [module] = await Promise.all([load(), loadGameMessages(id)]);
    return module.default;
}

/** Return the picture on a game's card; null if it has none. */
export function pictureOf(id: string): Component | null {
    return pictures[`../games/${id}/Picture.svelte`] ?? null;
}

export function cardOf(id: string): GameCard | null {
    return cards[`../games/${id}/card.json`] ?? null;
}

/** Games in the order of their cards; those without one come last. */
export function inOrder<G extends { id: string }>(games: readonly G[]): G[] {
    const order = (game: G): number => cardOf(game.id)?.order ?? Infinity;
    return [...games].sort((a, b) => (order(a) === order(b) ? 0 : order(a) - order(b)));
}

/** Whether the scores of a game are worth telling. */
export function isScored(id: string): boolean {
    return cardOf(id)?.scored !== false;
}

/** The token of a game's ground. */
export function matOf(id: string): string {
    return `var(--mat-${cardOf(id)?.mat ?? "linen"})`;
}
