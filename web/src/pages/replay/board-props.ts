// What a board is boardProps in a replay: the same as at a table, but that nothing can be done.
import type { BoardProps, SeatPlate } from "../../board/contract";
import { say } from "../../i18n/messages.svelte";
import { play } from "../../client/sound";
import { windowWidth } from "../../client/window-width.svelte";
import type { ReplaySession } from "./replay-session.svelte";

export type Handed = Omit<BoardProps, "prompt" | "settings" | "width" | "openRule">;

export function boardProps(replaySession: ReplaySession): Handed {
    return {
        get view() {
            return replaySession.view;
        },
        get before() {
            return replaySession.before;
        },
        get seat() {
            return replaySession.seat;
        },
        get names() {
            return replaySession.names;
        },
        get moves() {
            return replaySession.moves;
        },
        get result() {
            return replaySession.result;
        },
        get seats() {
            return seatPlates(replaySession);
        },
        get views() {
            // Where all act at once and everything is open, all of them are looked at, if there is room.
            const { view, seat, shown, names, atOnce } = replaySession;
            const all = atOnce && shown?.eyes === "everything" && windowWidth.now === "L";
            const seats = all ? [...names.keys()] : [seat];
            return seats.map((one) => ({ seat: one, view, legal: [] }));
        },
        get say() {
            return replaySession.gameSay;
        },
        get options() {
            return replaySession.options;
        },
        readOnly: true,
        legal: [],
        refused: null,
        puzzle: null,
        startsAt: null,
        send: () => new Promise(() => {}),
        goOn: () => {},
        sound: play,
    };
}

/** The seats, none of them inverted: nobody is waited for. */
export function seatPlates(replaySession: ReplaySession): SeatPlate[] {
    const { table, shown, result, scored } = replaySession;
    return (table?.seats ?? []).map((info, seat) => ({
        seat,
        kind: info.kind,
        name: replaySession.names[seat] ?? "",
        mine: false,
        presence: "here",
        line: line(replaySession, seat),
        clock: null,
        score: scored ? (shown?.frame.scores[seat] ?? null) : null,
        toAct: false,
        result: result ? (result.winners.includes(seat) ? "won" : "lost") : null,
    }));
}

function line({ result, turn, atOnce }: ReplaySession, seat: number): string {
    if (result) {
        const alone = result.winners.length === 1;
        if (!result.winners.includes(seat)) return say(result.winners.length ? "plate.lost" : "plate.drawn");
        return say(alone ? "plate.won" : "plate.drawn");
    }
    if (!turn.includes(seat)) return say("plate.waits");
    return say(atOnce ? "plate.racing" : "plate.moves");
}
