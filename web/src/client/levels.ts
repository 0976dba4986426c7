// Bots: what they are called, and which one to sit down with when nobody has chosen one.
import type { Say } from "../board/contract";
import { storedLevel } from "./storage";
import { sayIfKnown, say } from "../i18n/messages.svelte";
import type { GameInfo, SeatRequest } from "../wire/types";

/** Bots that know no game in particular: they are offered, but not first. */
const ANY_GAME = ["random", "greedy", "flat", "ismcts"];

/** The game's own levels, the weakest first; those for any game where it has none. */
export function ownLevels(game: GameInfo): GameInfo["levels"] {
    const own = game.levels.filter((level) => !ANY_GAME.includes(level.name));
    return own.length ? own : game.levels;
}

/** The level last chosen here, else the second weakest of the game's own. */
export function defaultLevel(game: GameInfo): string {
    const kept = storedLevel(game.id);
    if (kept && game.levels.some((level) => level.name === kept)) return kept;
    const own = ownLevels(game);
    return (own[1] ?? own[0])?.name ?? "random";
}

/** How many sit down unless somebody says otherwise: two, where the game allows it. */
export function defaultSeats(game: GameInfo): number {
    return Math.min(Math.max(2, game.min_seats), game.max_seats);
}

export function againstBots(game: GameInfo): SeatRequest[] {
    const level = defaultLevel(game);
    return Array.from({ length: defaultSeats(game) }, (_, seat) =>
        seat ? { kind: "bot", level } : { kind: "me" },
    );
}

/** What a level is called. */
export function levelName(name: string): string {
    return sayIfKnown(say, `level.${name}`) ?? name;
}

/** How a level plays, in a sentence: in the game's words, else in the shell's, else in the server's. */
export function levelAbout({ name, about }: GameInfo["levels"][number], gameSay: Say): string {
    const key = `level.${name}.about`;
    return sayIfKnown(gameSay, key) ?? sayIfKnown(say, key) ?? about;
}
