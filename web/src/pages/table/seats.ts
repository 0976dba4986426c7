// The seats of a table as they are shown: who is here, what they do, their clock and score.
import type { SeatPlate } from "../../board/contract";
import { say } from "../../i18n/messages.svelte";
import type { TableSession } from "./table-session.svelte";

export function seatPlates(tableSession: TableSession): SeatPlate[] {
    const { table, state } = tableSession.live;
    return (table?.seats ?? []).map((info, seat) => ({
        seat,
        kind: info.kind,
        name: info.kind === "open" ? say("seat.open") : tableSession.called(seat),
        mine: tableSession.mine.includes(seat),
        presence: state === "lost" ? "lost" : info.kind === "bot" || info.connected ? "here" : "away",
        line: line(tableSession, seat),
        clock: clock(tableSession, seat),
        score: tableSession.scored ? (tableSession.standing.scores[seat] ?? null) : null,
        toAct: tableSession.turn.includes(seat),
        result: ended(tableSession, seat),
    }));
}

function ended({ standing: { result } }: TableSession, seat: number): SeatPlate["result"] {
    if (!result) return null;
    if (!result.winners.includes(seat)) return result.winners.length ? "lost" : "drawn";
    return result.winners.length === 1 ? "won" : "drawn";
}

function clock({ live, result }: TableSession, seat: number): SeatPlate["clock"] {
    const clock = live.shown?.clock;
    const left = clock?.left[seat];
    if (!clock || left === undefined) return null;
    return { left, at: live.ours(clock.at), running: clock.running === seat && !result };
}

function line(tableSession: TableSession, seat: number): string {
    const info = tableSession.table?.seats[seat];
    if (!info || info.kind === "open") return say("plate.open");
    const end = ended(tableSession, seat);
    if (end) return say(`plate.${end}`);
    if (tableSession.turn.includes(seat)) {
        if (tableSession.atOnce) return say("plate.racing");
        if (info.kind === "bot") return say("plate.thinks");
        const reader =
            tableSession.mine.includes(seat) && (!tableSession.curtained || seat === tableSession.seat);
        return reader ? say("turn.yours.plate") : say("plate.moves");
    }
    if (info.kind === "bot") return say("plate.bot");
    return info.connected || tableSession.mine.includes(seat) ? say("plate.waits") : say("plate.away");
}
