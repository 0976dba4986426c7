// What the keys do: the keyboard stands on a cell, arrows go by place, single letters act.
import type { Settings } from "../../board/contract";
import type { Choices } from "./choices";
import type { Eye } from "./camera-control.svelte";
import type { Hand } from "./selection.svelte";

export interface Keyed {
    hand: Hand;
    eye: Eye;
    choices: Choices;
    settings: Settings;
    focus(): void; // bring the focus to where the keyboard stands
}

/** Does what a key says, unless it is meant for something else. */
export function press(event: KeyboardEvent, keyed: Keyed): void {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    if (target.closest?.("input, textarea, select, dialog") || document.querySelector("dialog[open]")) return;
    if (act(event.key, event.shiftKey, target, keyed)) event.preventDefault();
}

/** Tells whether the key did something. */
function act(key: string, shift: boolean, target: HTMLElement, keyed: Keyed): boolean {
    const { hand, settings, focus } = keyed;
    const nowhere = !target.closest?.("button, a, summary");
    const onMeadow = target.closest?.(".meadow") != null;
    if (key === "Escape") {
        const back = hand.tile?.cell ?? null;
        if (back === null && hand.why === null) return false;
        hand.forget();
        if (back !== null && onMeadow) {
            hand.stand(back);
            focus();
        }
        return true;
    }
    if (key === "Enter" && nowhere && hand.aimed !== null) {
        hand.confirm();
        return true;
    }
    if (key.startsWith("Arrow") && (onMeadow || nowhere)) {
        if (!hand.arrow(key)) return false;
        focus();
        return true;
    }
    return settings.keys && letter(key, shift, keyed);
}

function letter(key: string, shift: boolean, { hand, eye, choices, focus }: Keyed): boolean {
    const jump = choices.jumps[Number(key) - 1];
    if (jump) {
        hand.go(jump.cell);
        return true;
    }
    const does: Record<string, () => void> = {
        n: () => {
            hand.next(shift ? -1 : 1);
            focus();
        },
        f: () => hand.flip(hand.tile ?? hand.under),
        s: () => hand.under && hand.tap(hand.under.cell, true),
        "+": () => eye.step(true),
        "=": () => eye.step(true),
        "-": () => eye.step(false),
        "0": () => eye.fit(),
    };
    const done = does[key.toLowerCase()];
    done?.();
    return done !== undefined;
}
