// Nimble, as the shell knows it.
import type { GameModule } from "../../board/contract";
import Aside from "./Aside.svelte";
import Board from "./Board.svelte";
import Intro from "./Intro.svelte";
import en from "./messages/en.json";
import { Preferences } from "./preferences.svelte";
import * as text from "./text";
import type { View } from "./types";

const nimble: GameModule<View> = {
    Board,
    Aside,
    Intro,
    createState: () => new Preferences(),
    messages: { en },
    ...text,
    displayTime: () => 0, // nobody waits in a race
    scoreUnit: (say) => say("unit"),
    placement: { seats: ["S", "M", "L"], prompt: ["S", "M", "L"] },
};

export default nimble;
