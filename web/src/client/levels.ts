// The levels of bots: their names, and the game that is offered first.
import type { Say } from "../board/contract";
import { storedLevel, storeLevel } from "./storage";
import { sayIfKnown, say } from "../i18n/messages.svelte";
import type { GameInfo, NewTable } from "../wire/types";

/** Return the level last chosen on this device, else the game's weakest. */
export function defaultLevel(game: GameInfo): string {
    const stored = storedLevel(game.id);
    if (stored && game.levels.some((level) => level.name === stored)) return stored;
    return game.levels[0]?.name ?? "random";
}

/** Return the number of players of a new table: two, where the game allows it. */
export function defaultSeats(game: GameInfo): number {
    return Math.min(Math.max(2, game.min_seats), game.max_seats);
}

/** Make a game against bots: with hints, and so unrated, until this person chooses rated games. Remember its level. */
export function gameAgainstBots(game: GameInfo, hints: boolean): NewTable {
    const level = defaultLevel(game);
    storeLevel(game.id, level);
    const bots = Array.from({ length: defaultSeats(game) - 1 }, () => ({ kind: "bot" as const, level }));
    return { game: game.id, seats: [{ kind: "me" }, ...bots], hints };
}

/** Return the name of a level. */
export function levelName(name: string): string {
    return sayIfKnown(say, `level.${name}`) ?? name;
}

/** Describe how a level plays: in the game's words, else in the client's, else in the server's. */
export function levelAbout({ name, about }: GameInfo["levels"][number], gameSay: Say): string {
    const key = `level.${name}.about`;
    return sayIfKnown(gameSay, key) ?? sayIfKnown(say, key) ?? about;
}
