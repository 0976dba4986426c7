// What a board is handed. Each part is read on its own, so that a board hears only of what has changed: somebody's
// presence or clock does not take a picked card out of a hand.
import type { BoardProps } from "../game";
import { play } from "../sound";
import type { Sitting } from "./sitting.svelte";

export type Handed = Omit<BoardProps, "ask" | "hint" | "settings" | "width" | "rule">;

export function handed(sitting: Sitting): Handed {
    return {
        get view() {
            return sitting.view;
        },
        get before() {
            return sitting.before;
        },
        get seat() {
            return sitting.seat;
        },
        get legal() {
            return sitting.legal;
        },
        get names() {
            return sitting.names;
        },
        get moves() {
            return sitting.moves;
        },
        get refused() {
            return sitting.live.refused;
        },
        get result() {
            return sitting.result;
        },
        get seats() {
            return sitting.plates;
        },
        get eyes() {
            return sitting.eyes;
        },
        get say() {
            return sitting.gameSay;
        },
        get options() {
            return sitting.options;
        },
        get puzzle() {
            return sitting.puzzle;
        },
        get hinted() {
            return sitting.hints.marked;
        },
        get begins() {
            return sitting.begins;
        },
        send: (text, seat) => sitting.send(text, seat),
        goOn: () => sitting.live.goOn(),
        sound: play,
    };
}
