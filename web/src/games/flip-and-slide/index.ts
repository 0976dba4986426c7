// Flip & Slide, as the shell knows it.
import type { GameModule } from "../../board/contract";
import Aside from "./Aside.svelte";
import Board from "./Board.svelte";
import { advice } from "./labels";
import en from "./messages/en.json";
import { duration } from "./animation";
import { aloud, ask, chapter, ending, retold, story } from "./text";
import type { View } from "./types";

const LOOKED_AT = 160; // after a tile has come to rest

const flipAndSlide: GameModule<View> = {
    Board,
    Aside,
    messages: { en },
    ask,
    story,
    retold,
    advice,
    aloud,
    ending,
    chapter,
    hold: (_before, after) => duration(after) + LOOKED_AT,
    unit: (say) => say("run.unit"),
    time: "20 min",
    frame: { seats: ["S", "M", "L"], ask: ["S", "M", "L"] },
    open: true,
};

export default flipAndSlide;
