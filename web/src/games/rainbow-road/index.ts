// Rainbow Road, as the shell knows it.
import type { GameModule } from "../../board/contract";
import { HOP, LEAP } from "./animation.svelte";
import Aside from "./Aside.svelte";
import Board from "./Board.svelte";
import { prankOf } from "./choices";
import en from "./messages/en.json";
import { Preview } from "./selection.svelte";
import * as text from "./text";
import type { View } from "./types";

const CARD = 420; // a card glides to its spot and can be taken in
const PRANK = 1200; // a prank is shown
const ROUND = 1400; // a round has ended
const STOPPED = 200;

/** How long a change is looked at. It depends on what everybody sees and on nothing else (RR-28). */
function displayTime(_before: View | null, { last }: View): number {
    if (!last || last.round_end) return last ? ROUND : 0;
    if (prankOf(last.move)) return PRANK;
    if (last.move[0] === "P") return CARD;
    if (last.move === "stop") return STOPPED;
    return (last.spots.length > 2 ? LEAP : HOP) + 30;
}

const rainbowRoad: GameModule<View> = {
    Board,
    Aside,
    createState: () => new Preview(),
    messages: { en },
    ...text,
    displayTime,
    scoreUnit: (say, count) => say("unit", { count }),
    placement: { seats: ["S", "M", "L"], prompt: ["S", "M", "L"] },
};

export default rainbowRoad;
