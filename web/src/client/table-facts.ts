// What is special about a table, in a few words each: its options, its clock.
import type { Say } from "../board/contract";
import { isOnDevice } from "./on-device";
import { optionChip } from "./options";
import { say } from "../i18n/messages.svelte";
import type { Clock, GameInfo, TableInfo, Unrated } from "../wire/types";

const EVIDENT: readonly Unrated[] = ["alone", "elsewhere", "offline", "abandoned"]; // what nobody expects to be rated

export function chips(table: TableInfo, game: GameInfo | null, gameSay: Say): string[] {
    const found: string[] = [];
    if (game && game.min_seats !== game.max_seats)
        found.push(say("count.players", { count: table.seats.length }));
    for (const option of game?.options ?? []) {
        const value = table.options[option.name];
        const words = value === undefined ? null : optionChip(option, value, gameSay);
        if (words) found.push(words);
    }
    if (table.branch) found.push(say("branch.chip", { ply: table.branch.ply }));
    if (isOnDevice(table.id)) found.push(say("ticket.shared"));
    if (table.imported) found.push(say(table.played_offline ? "offline.chip" : "imported.chip"));
    if (table.seed) found.push(say("puzzle", { code: table.seed }));
    if (table.hints) found.push(say("hint.chip"));
    if (table.by_bot) found.push(say("bots.created"));
    if (table.bots_welcome && table.status === "waiting") found.push(say("bots.chip"));
    if (table.unrated && !EVIDENT.includes(table.unrated)) found.push(say("unrated"));
    const clock = pace(table.clock);
    if (clock) found.push(clock);
    return found;
}

function pace(clock: Clock): string | null {
    const seconds = clock.seconds ?? 300;
    if (clock.kind === "none") return null;
    if (clock.kind === "move") return say("pace.move", { time: duration(seconds) });
    return clock.increment
        ? say("pace.bank", { time: duration(seconds), more: duration(clock.increment) })
        : duration(seconds);
}

function duration(seconds: number): string {
    if (seconds % 86_400 === 0) return say("unit.days", { count: seconds / 86_400 });
    if (seconds % 60 === 0) return say("unit.minutes", { count: seconds / 60 });
    return say("unit.seconds", { count: seconds });
}
