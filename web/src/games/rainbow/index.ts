// Rainbow, as the shell knows it.
import type { GameModule } from "../../board/contract";
import { EVENT, GLIDE } from "../../pieces/motion";
import Board from "./Board.svelte";
import en from "./messages/en.json";
import { advice, aloud, ask, chapter, ending, instead, retold, story } from "./text";
import type { View } from "./types";

const MOVE = 420; // a card glides and turns, and can be taken in

const rainbow: GameModule<View> = {
    Board,
    messages: { en },
    ask,
    story,
    retold,
    instead,
    advice,
    aloud,
    ending,
    chapter,
    hold: (_before, after) => (after.last?.round_end ? EVENT + 2 * GLIDE : MOVE),
    unit: (say) => say("unit"),
    sounds: true,
    time: "15 min",
    frame: { seats: ["L"], ask: ["S", "M", "L"] },
};

export default rainbow;
