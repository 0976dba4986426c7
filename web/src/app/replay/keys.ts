// The keys of a replay: arrows step, with Shift by chapters, Space plays, Home and End go to the ends.
import type { Replaying } from "./replaying.svelte";

/** Does what a key says, before the board hears of it; unless it is meant for what has the focus. */
export function press(
    event: KeyboardEvent,
    replaying: Replaying,
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
    if (!pressable) does[" "] = () => replaying.play();
    if (!amongPieces) {
        does["ArrowLeft"] = () => (event.shiftKey ? replaying.skip(false) : replaying.go(replaying.ply - 1));
        does["ArrowRight"] = () => (event.shiftKey ? replaying.skip(true) : replaying.go(replaying.ply + 1));
        does["Home"] = () => replaying.go(0);
        does["End"] = () => replaying.go(replaying.plies);
    }
    const done = does[event.key] ?? (letters ? more[event.key.toLowerCase()] : undefined);
    if (!done) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    done();
}
