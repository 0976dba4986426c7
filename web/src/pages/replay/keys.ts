// The keys of a replay: arrows step, with Shift by chapters, Space plays, Home and End go to the ends.
import { isShortcut } from "../../board/keys";
import type { ReplaySession } from "./replay-session.svelte";

/** Does what a key says, before the board hears of it; unless it is meant for what has the focus. */
export function press(event: KeyboardEvent, session: ReplaySession): void {
    if (!isShortcut(event, "input:not([type=range]), textarea, select")) return;
    const target = event.target as HTMLElement;
    const track = target.matches?.("input[type=range]") ?? false;
    // On a button Space presses it; among the pieces of the board arrows go from one to the next.
    const pressable = !track && target.closest?.("button, a, summary") != null;
    const amongPieces = target.closest?.(".board button") != null;
    const does: Record<string, () => void> = {};
    if (!pressable) does[" "] = () => session.play();
    if (!amongPieces) {
        does["ArrowLeft"] = () => (event.shiftKey ? session.skip(false) : session.go(session.ply - 1));
        does["ArrowRight"] = () => (event.shiftKey ? session.skip(true) : session.go(session.ply + 1));
        does["Home"] = () => session.go(0);
        does["End"] = () => session.go(session.plies);
    }
    const done = does[event.key];
    if (!done) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    done();
}
