// The seats of a table as they are shown: who is here, what they do, their clock and score.
import type { SeatPlate } from "../game";
import { say } from "../say.svelte";
import type { Sitting } from "./sitting.svelte";

export function platesOf(sitting: Sitting): SeatPlate[] {
    const { table, state } = sitting.live;
    return (table?.seats ?? []).map((info, seat) => ({
        seat,
        kind: info.kind,
        name: info.kind === "open" ? say("seat.open") : sitting.called(seat),
        mine: sitting.mine.includes(seat),
        presence: state === "lost" ? "lost" : info.kind === "bot" || info.connected ? "here" : "away",
        line: line(sitting, seat),
        clock: clock(sitting, seat),
        score: sitting.scored ? (sitting.standing.scores[seat] ?? null) : null,
        toAct: sitting.turn.includes(seat),
        result: ended(sitting, seat),
    }));
}

function ended({ standing: { result } }: Sitting, seat: number): SeatPlate["result"] {
    if (!result) return null;
    if (!result.winners.includes(seat)) return result.winners.length ? "lost" : "drawn";
    return result.winners.length === 1 ? "won" : "drawn";
}

function clock({ live, result }: Sitting, seat: number): SeatPlate["clock"] {
    const clock = live.shown?.clock;
    const left = clock?.left[seat];
    if (!clock || left === undefined) return null;
    return { left, at: live.ours(clock.at), running: clock.running === seat && !result };
}

function line(sitting: Sitting, seat: number): string {
    const info = sitting.table?.seats[seat];
    if (!info || info.kind === "open") return say("plate.open");
    const end = ended(sitting, seat);
    if (end) return say(`plate.${end}`);
    if (sitting.turn.includes(seat)) {
        if (sitting.atOnce) return say("plate.racing");
        if (info.kind === "bot") return say("plate.thinks");
        const reader = sitting.mine.includes(seat) && (!sitting.curtained || seat === sitting.seat);
        return reader ? say("turn.yours.plate") : say("plate.moves");
    }
    if (info.kind === "bot") return say("plate.bot");
    return info.connected || sitting.mine.includes(seat) ? say("plate.waits") : say("plate.away");
}
