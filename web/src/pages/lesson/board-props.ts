// What a board is boardProps in a lesson: the same as at a table, with tries in the place of moves.
import type { BoardProps } from "../../board/contract";
import { play } from "../../client/sound";
import type { LessonSession } from "./lesson-session.svelte";

export type Handed = Omit<BoardProps, "prompt" | "settings" | "width" | "openRule">;

export function boardProps(lessonSession: LessonSession): Handed {
    return {
        get view() {
            return lessonSession.view;
        },
        get before() {
            return lessonSession.before;
        },
        get seat() {
            return lessonSession.seat;
        },
        get legal() {
            return lessonSession.legal;
        },
        get names() {
            return lessonSession.names;
        },
        get moves() {
            return lessonSession.moves;
        },
        get refused() {
            return lessonSession.refused;
        },
        get result() {
            return lessonSession.result;
        },
        get seats() {
            return lessonSession.plates;
        },
        get views() {
            return lessonSession.eyes;
        },
        get say() {
            return lessonSession.gameSay;
        },
        get options() {
            return lessonSession.options;
        },
        get hinted() {
            return lessonSession.marked;
        },
        puzzle: null,
        startsAt: null,
        send: (text) => lessonSession.send(text),
        goOn: () => lessonSession.goOn(),
        sound: play,
    };
}
