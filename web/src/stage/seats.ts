// The seats of a stage: who is here, what they are doing, their clocks and scores.
import type { Result, SeatPlate } from "../board/contract";
import { say, soonDay } from "../i18n/messages.svelte";
import type { StageSession } from "./stage-session.svelte";

export function seatPlates(session: StageSession): SeatPlate[] {
    const { standing, mine, turn, readOnly, offline, scored } = session;
    return session.seatInfos.map((info, seat) => {
        const result = outcome(standing.result, seat);
        return {
            seat,
            kind: info.kind,
            name: nameOf(session, seat),
            bot: info.bot_account ?? false,
            mine: mine.includes(seat),
            presence: offline ? "lost" : info.kind === "bot" || info.connected ? "here" : "away",
            line: result ? say(`plate.${result}`) : line(session, seat),
            clock: session.clock(seat),
            score: scored ? (standing.scores[seat] ?? null) : null,
            toAct: turn.includes(seat) && !readOnly,
            result,
        };
    });
}

/** The text of a plate; it has a mark of its own for a bot account. */
function nameOf(session: StageSession, seat: number): string {
    const info = session.seatInfos[seat];
    if (info?.kind === "open") return say("seat.open");
    return info?.bot_account && info.name ? info.name : session.nameOf(seat);
}

/** Whether the bot for which an open seat was reserved comes. */
function challenge(info: StageSession["seatInfos"][number]): string {
    const name = info.challenged ?? "";
    if (!info.declined) return say("plate.challenged", { name });
    return say(`plate.declined.${info.declined as "busy" | "unwanted" | "stopping" | "gone"}`, { name });
}

/** How a game ended for a seat. */
export function outcome(result: Result | null, seat: number): SeatPlate["result"] {
    if (!result) return null;
    if (!result.winners.includes(seat)) return result.winners.length ? "lost" : "drawn";
    return result.winners.length === 1 ? "won" : "drawn";
}

const DAY = 86_400_000;
const LONG_DAYS = 2; // without a move and without a connection

/** Why a seat's player may not move for long: holidays, or days without a sign of them; null otherwise. */
function absent(session: StageSession, seat: number): string | null {
    const info = session.seatInfos[seat];
    if (info?.kind !== "person") return null;
    const until = info.away_until ?? null;
    if (until !== null && until > Date.now()) return say("plate.holiday", { date: soonDay(until) });
    const days = Math.floor((Date.now() - session.movedAt) / DAY);
    const waited = session.turn.includes(seat) && !info.connected && days >= LONG_DAYS;
    return waited ? say("plate.away.long", { count: days }) : null;
}

/** What a seat is doing, in a few words. */
function line(session: StageSession, seat: number): string {
    const info = session.seatInfos[seat];
    if (info?.kind === "open" && info.challenged) return challenge(info);
    if (!info || info.kind === "open") return say("plate.open");
    const mine = session.mine.includes(seat);
    const absence = session.readOnly || mine ? null : absent(session, seat);
    if (absence) return absence;
    if (session.turn.includes(seat)) {
        if (session.simultaneous) return say("plate.racing");
        if (info.kind === "bot" && !session.readOnly) return say("plate.thinks");
        return say(mine && (session.seat < 0 || session.seat === seat) ? "turn.yours.plate" : "plate.moves");
    }
    if (info.kind === "bot") return say("plate.bot");
    return say(info.connected || mine ? "plate.waits" : "plate.away");
}
