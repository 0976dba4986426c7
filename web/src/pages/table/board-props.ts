// What a board is boardProps. Each part is read on its own, so that a board hears only of what has changed: somebody's
// presence or clock does not take a picked card out of a hand.
import type { BoardProps } from "../../board/contract";
import { play } from "../../client/sound";
import type { TableSession } from "./table-session.svelte";

export type Handed = Omit<BoardProps, "prompt" | "hint" | "settings" | "width" | "openRule">;

export function boardProps(tableSession: TableSession): Handed {
    return {
        get view() {
            return tableSession.view;
        },
        get before() {
            return tableSession.before;
        },
        get seat() {
            return tableSession.seat;
        },
        get legal() {
            return tableSession.legal;
        },
        get names() {
            return tableSession.names;
        },
        get moves() {
            return tableSession.moves;
        },
        get refused() {
            return tableSession.live.refused;
        },
        get result() {
            return tableSession.result;
        },
        get seats() {
            return tableSession.plates;
        },
        get views() {
            return tableSession.eyes;
        },
        get say() {
            return tableSession.gameSay;
        },
        get options() {
            return tableSession.options;
        },
        get puzzle() {
            return tableSession.puzzle;
        },
        get hinted() {
            return tableSession.hints.marked;
        },
        get startsAt() {
            return tableSession.begins;
        },
        send: (text, seat) => tableSession.send(text, seat),
        goOn: () => tableSession.live.goOn(),
        sound: play,
    };
}
