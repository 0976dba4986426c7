// What rated players are called, and where their pages are.
import { botName } from "../../client/names";
import { sayRatings } from "./say";

interface Rated {
    name: string | null;
    level: string | null;
}

/** A person's name, a bot by its level, or nobody's who wished to be forgotten. */
export function called({ name, level }: Rated): string {
    return level === null ? (name ?? sayRatings("player.forgotten")) : botName(level);
}

export function pageOf(player: string): string {
    return `/players/${encodeURIComponent(player)}`;
}
