// The seats of a lesson: the one who learns, and the others, who move as it is written.
import type { SeatPlate } from "../../board/contract";
import { say } from "../../i18n/messages.svelte";
import type { LessonSession } from "./lesson-session.svelte";

export function seatPlates(lessonSession: LessonSession): SeatPlate[] {
    const { shown, seat: mine, result, scored, atOnce } = lessonSession;
    const turn = result ? [] : (shown?.frame.turn ?? []);
    return lessonSession.names.map((name, seat) => ({
        seat,
        kind: "person",
        name: seat === mine ? say("you") : name,
        mine: seat === mine,
        presence: "here",
        line: line(turn.includes(seat), seat === mine, atOnce),
        clock: null,
        score: scored ? (shown?.frame.scores[seat] ?? null) : null,
        toAct: turn.includes(seat) && !atOnce,
        result: result ? (result.winners.includes(seat) ? "won" : "lost") : null,
    }));
}

function line(acts: boolean, mine: boolean, atOnce: boolean): string {
    if (atOnce || !acts) return say("plate.waits");
    return say(mine ? "turn.yours.plate" : "plate.moves");
}
