// What rated players are called, and where their pages are.
import { botName } from "../../client/names";
import { say } from "../../i18n/messages.svelte";
import { sayRatings } from "./say";

interface Rated {
    name: string | null;
    level: string | null;
    bot_account?: boolean;
}

/** A person's name, a bot account's with a mark, a bot by its level, or nobody's who wished to be forgotten. */
export function called({ name, level, bot_account }: Rated): string {
    if (level !== null) return botName(level);
    const shown = name ?? sayRatings("player.forgotten");
    return bot_account ? say("bot.account", { name: shown }) : shown;
}

export function pageOf(player: string): string {
    return `/players/${encodeURIComponent(player)}`;
}
