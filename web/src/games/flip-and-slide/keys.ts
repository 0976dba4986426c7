// What the keys do: arrows move the focus by place, single letters act.
import type { Settings } from "../../board/contract";
import { isShortcut } from "../../board/keys";
import type { CameraControl } from "./camera-control.svelte";
import type { Choices } from "./choices";
import type { Selection } from "./selection.svelte";

export interface KeyContext {
    selection: Selection;
    control: CameraControl;
    choices: Choices;
    settings: Settings;
    focus: () => void; // bring the focus to the selection's cursor
}

/** Handle a key press that is meant for the board. */
export function press(event: KeyboardEvent, context: KeyContext): void {
    if (isShortcut(event) && act(event, context)) event.preventDefault();
}

/** Return whether the key did something. */
function act({ key, shiftKey, target }: KeyboardEvent, context: KeyContext): boolean {
    const { selection, settings, focus } = context;
    const element = target as HTMLElement;
    const free = !element.closest?.("button, a, summary");
    const onPatch = element.closest?.(".patch") != null;
    if (key === "Escape") {
        const back = selection.tile?.cell ?? null;
        if (back === null) return false;
        selection.clear();
        if (onPatch) {
            selection.focus(back);
            focus();
        }
        return true;
    }
    if (key === "Enter" && free && selection.aimed !== null) {
        selection.confirm();
        return true;
    }
    if (key.startsWith("Arrow") && (onPatch || free)) {
        if (!selection.arrow(key)) return false;
        focus();
        return true;
    }
    return settings.keys && letter(key, shiftKey, context);
}

function letter(key: string, shift: boolean, { selection, control, choices, focus }: KeyContext): boolean {
    const jump = choices.jumps[Number(key) - 1];
    if (jump) {
        selection.go(jump.cell);
        return true;
    }
    const actions: Record<string, () => void> = {
        n: () => {
            selection.next(shift ? -1 : 1);
            focus();
        },
        f: () => selection.flip(selection.tile ?? selection.tileAtCursor),
        s: () => selection.tileAtCursor && selection.tap(selection.tileAtCursor.cell, true),
        "+": () => control.step(true),
        "=": () => control.step(true),
        "-": () => control.step(false),
        "0": () => control.fit(),
    };
    const action = actions[key.toLowerCase()];
    action?.();
    return action !== undefined;
}
