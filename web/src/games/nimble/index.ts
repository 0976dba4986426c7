// Nimble, as the shell knows it.
import type { GameModule } from "../../board/contract";
import Aside from "./Aside.svelte";
import Board from "./Board.svelte";
import en from "./messages/en.json";
import { advice, aloud, ask, brief, chapter, ending, retold, story } from "./text";
import type { View } from "./types";

const nimble: GameModule<View> = {
    Board,
    Aside,
    messages: { en },
    ask,
    story,
    retold,
    brief,
    advice,
    aloud,
    ending,
    chapter,
    hold: () => 0, // nobody waits in a race
    unit: (say) => say("unit"),
    time: "3 min",
    frame: { seats: ["S", "M", "L"], ask: ["S", "M", "L"] },
    open: true,
};

export default nimble;
