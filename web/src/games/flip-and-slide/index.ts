// Flip & Slide, as the shell knows it.
import type { GameModule } from "../../board/contract";
import Aside from "./Aside.svelte";
import Board from "./Board.svelte";
import { hintText } from "./labels";
import en from "./messages/en.json";
import { duration } from "./animation";
import { describePosition, ending, heading, logLine, logLineFromText, prompt } from "./text";
import type { View } from "./types";

const LOOKED_AT = 160; // after a tile has come to rest

const flipAndSlide: GameModule<View> = {
    Board,
    Aside,
    messages: { en },
    prompt,
    logLine,
    logLineFromText,
    hintText,
    describePosition,
    ending,
    heading,
    displayTime: (_before, after) => duration(after) + LOOKED_AT,
    scoreUnit: (say) => say("run.unit"),
    placement: { seats: ["S", "M", "L"], prompt: ["S", "M", "L"] },
};

export default flipAndSlide;
