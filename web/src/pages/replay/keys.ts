// The keys of a replay: arrows step, with Shift by chapters, Space plays, Home and End go to the ends.
import type { ReplaySession } from "./replay-session.svelte";

/** Does what a key says, before the board hears of it; unless it is meant for what has the focus. */
export function press(
    event: KeyboardEvent,
    replaySession: ReplaySession,
    letters: boolean,
    more: Readonly<Record<string, () => void>>,
): void {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = event.target as HTMLElement;
    const track = target.matches?.("input[type=range]") ?? false;
    if (!track && target.closest?.("input, textarea, select")) return;
    // On a button Space presses it; among the pieces of the board arrows go from one to the next.
    const pressable = !track && target.closest?.("button, a, summary") != null;
    const amongPieces = target.closest?.(".board button") != null;
    const does: Record<string, () => void> = {};
    if (!pressable) does[" "] = () => replaySession.play();
    if (!amongPieces) {
        does["ArrowLeft"] = () =>
            event.shiftKey ? replaySession.skip(false) : replaySession.go(replaySession.ply - 1);
        does["ArrowRight"] = () =>
            event.shiftKey ? replaySession.skip(true) : replaySession.go(replaySession.ply + 1);
        does["Home"] = () => replaySession.go(0);
        does["End"] = () => replaySession.go(replaySession.plies);
    }
    const done = does[event.key] ?? (letters ? more[event.key.toLowerCase()] : undefined);
    if (!done) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    done();
}
