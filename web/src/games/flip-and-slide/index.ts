// Flip & Slide as a game of the client.
import type { GameModule } from "../../board/contract";
import Aside from "./Aside.svelte";
import { duration } from "./animation";
import Board from "./Board.svelte";
import { hintText } from "./labels";
import en from "./messages/en.json";
import * as text from "./text";
import type { View } from "./types";

const PAUSE = 160; // ms after an animation

const flipAndSlide: GameModule<View> = {
    Board,
    Aside,
    messages: { en },
    ...text,
    hintText,
    displayTime: (_before, after) => duration(after) + PAUSE,
    scoreUnit: (say) => say("run.unit"),
    placement: { seats: ["S", "M", "L"], prompt: ["S", "M", "L"] },
};

export default flipAndSlide;
