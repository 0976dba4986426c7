// Rainbow, as the shell knows it.
import type { GameModule } from "../../board/contract";
import { EVENT, GLIDE } from "../../pieces/motion";
import Board from "./Board.svelte";
import en from "./messages/en.json";
import * as text from "./text";
import type { View } from "./types";

const MOVE = 420; // a card glides and turns, and can be taken in
const UNTIL_GO_ON = 24 * 3_600_000; // a player looks at the end of a round until they go on

const rainbow: GameModule<View> = {
    Board,
    messages: { en },
    ...text,
    displayTime: (_before, { last, viewer }, live) => {
        if (!last?.round_end) return MOVE;
        return live && viewer >= 0 ? UNTIL_GO_ON : EVENT + 2 * GLIDE;
    },
    scoreUnit: (say, count) => say("unit", { count }),
    ownSounds: true,
    placement: { seats: ["S", "M", "L"], prompt: ["S", "M", "L"] },
};

export default rainbow;
