// The games that have a folder here, found by their folders. Boards are loaded when a table needs them.
import type { Component } from "svelte";
import type { GameModule } from "./game";

const boards = import.meta.glob<{ default: GameModule }>("../games/*/index.ts");
const pictures = import.meta.glob<{ default: Component }>("../games/*/Picture.svelte");

/** Loads a game's board; null for a game that is played on the generic table. */
export async function loadGame(id: string): Promise<GameModule | null> {
  const load = boards[`../games/${id}/index.ts`];
  return load ? (await load()).default : null;
}

/** Loads the picture on a game's card; null if it has none. */
export async function loadPicture(id: string): Promise<Component | null> {
  const load = pictures[`../games/${id}/Picture.svelte`];
  return load ? (await load()).default : null;
}
