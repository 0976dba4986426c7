// What a board is handed in a replay: the same as at a table, but that nothing can be done.
import type { BoardProps, SeatPlate } from "../game";
import { say } from "../say.svelte";
import { play } from "../sound";
import { widths } from "../widths.svelte";
import type { Replaying } from "./replaying.svelte";

export type Handed = Omit<BoardProps, "ask" | "settings" | "width" | "rule">;

export function handed(replaying: Replaying): Handed {
    return {
        get view() {
            return replaying.view;
        },
        get before() {
            return replaying.before;
        },
        get seat() {
            return replaying.seat;
        },
        get names() {
            return replaying.names;
        },
        get moves() {
            return replaying.moves;
        },
        get result() {
            return replaying.result;
        },
        get seats() {
            return platesOf(replaying);
        },
        get eyes() {
            // Where all act at once and everything is open, all of them are looked at, if there is room.
            const { view, seat, shown, names, atOnce } = replaying;
            const all = atOnce && shown?.eyes === "everything" && widths.now === "L";
            const seats = all ? [...names.keys()] : [seat];
            return seats.map((one) => ({ seat: one, view, legal: [] }));
        },
        get say() {
            return replaying.gameSay;
        },
        get options() {
            return replaying.options;
        },
        past: true,
        legal: [],
        refused: null,
        puzzle: null,
        begins: null,
        send: () => new Promise(() => {}),
        goOn: () => {},
        sound: play,
    };
}

/** The seats, none of them inverted: nobody is waited for. */
export function platesOf(replaying: Replaying): SeatPlate[] {
    const { table, shown, result, scored } = replaying;
    return (table?.seats ?? []).map((info, seat) => ({
        seat,
        kind: info.kind,
        name: replaying.names[seat] ?? "",
        mine: false,
        presence: "here",
        line: line(replaying, seat),
        clock: null,
        score: scored ? (shown?.frame.scores[seat] ?? null) : null,
        toAct: false,
        result: result ? (result.winners.includes(seat) ? "won" : "lost") : null,
    }));
}

function line({ result, turn, atOnce }: Replaying, seat: number): string {
    if (result) {
        const alone = result.winners.length === 1;
        if (!result.winners.includes(seat)) return say(result.winners.length ? "plate.lost" : "plate.drawn");
        return say(alone ? "plate.won" : "plate.drawn");
    }
    if (!turn.includes(seat)) return say("plate.waits");
    return say(atOnce ? "plate.racing" : "plate.moves");
}
