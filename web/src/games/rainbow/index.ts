// Rainbow, as the shell knows it.
import type { GameModule } from "../../board/contract";
import { EVENT, GLIDE } from "../../pieces/motion";
import Board from "./Board.svelte";
import en from "./messages/en.json";
import {
    alternative,
    describePosition,
    ending,
    heading,
    hintText,
    logLine,
    logLineFromText,
    prompt,
} from "./text";
import type { View } from "./types";

const MOVE = 420; // a card glides and turns, and can be taken in

const rainbow: GameModule<View> = {
    Board,
    messages: { en },
    prompt,
    logLine,
    logLineFromText,
    alternative,
    hintText,
    describePosition,
    ending,
    heading,
    displayTime: (_before, after) => (after.last?.round_end ? EVENT + 2 * GLIDE : MOVE),
    scoreUnit: (say, count) => say("unit", { count }),
    ownSounds: true,
    placement: { seats: ["S", "M", "L"], prompt: ["S", "M", "L"] },
};

export default rainbow;
