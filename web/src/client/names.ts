// What the people and bots of a table are called.
import { capital } from "../board/text";
import { levelName } from "./levels";
import { say } from "../i18n/messages.svelte";
import type { SeatInfo } from "../wire/types";

/** By seat: a person's name, a bot account's name with a mark, a bot by its level (numbered if there are more). */
export function seatNames(seats: readonly SeatInfo[]): string[] {
    const names = seats.map((seat, at) => {
        if (seat.kind === "open") return say("seat.number", { number: at + 1 });
        const name = seat.name ?? botName(seat.level ?? "");
        return seat.bot_account ? say("bot.account", { name }) : name;
    });
    return names.map((name, at) => {
        if (seats[at]?.kind !== "bot" || names.indexOf(name) === names.lastIndexOf(name)) return name;
        return `${name} ${names.slice(0, at + 1).filter((other) => other === name).length}`;
    });
}

export function botName(level: string): string {
    return say("bot.name", { level: capital(levelName(level)) });
}
