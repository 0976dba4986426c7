// What a board is handed in a lesson: the same as at a table, with tries in the place of moves.
import type { BoardProps } from "../game";
import { play } from "../sound";
import type { Learning } from "./learning.svelte";

export type Handed = Omit<BoardProps, "ask" | "settings" | "width" | "rule">;

export function handed(learning: Learning): Handed {
    return {
        get view() {
            return learning.view;
        },
        get before() {
            return learning.before;
        },
        get seat() {
            return learning.seat;
        },
        get legal() {
            return learning.legal;
        },
        get names() {
            return learning.names;
        },
        get moves() {
            return learning.moves;
        },
        get refused() {
            return learning.refused;
        },
        get result() {
            return learning.result;
        },
        get seats() {
            return learning.plates;
        },
        get eyes() {
            return learning.eyes;
        },
        get say() {
            return learning.gameSay;
        },
        get options() {
            return learning.options;
        },
        get hinted() {
            return learning.marked;
        },
        puzzle: null,
        begins: null,
        send: (text) => learning.send(text),
        goOn: () => learning.goOn(),
        sound: play,
    };
}
