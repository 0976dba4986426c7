// Acts on press, not on release: a race is won in that tenth of a second. Keys and screen readers click as ever.
import type { Attachment } from "svelte/attachments";

/** `act` is told where it was pressed; null by key or screen reader. */
export function press(act: (at: PointerEvent | null) => void): Attachment<HTMLElement> {
    return (node) => {
        let pressed = false;
        const down = (event: PointerEvent): void => {
            if (event.button !== 0) return;
            pressed = true;
            // A finger holds what it touched; let go, so that it can tap elsewhere at once.
            if (node.hasPointerCapture(event.pointerId)) node.releasePointerCapture(event.pointerId);
            act(event);
        };
        const click = (): void => {
            if (!pressed) act(null);
            pressed = false;
        };
        node.addEventListener("pointerdown", down);
        node.addEventListener("click", click);
        return () => {
            node.removeEventListener("pointerdown", down);
            node.removeEventListener("click", click);
        };
    };
}

const HOLD = 250; // ms that a pile is held to take its card back
const SLACK = 8; // px before a press becomes a pull

export interface Grip {
    held(): void; // pressed for a while without moving
    pull(dx: number, dy: number): void;
    drop(x: number, y: number): void; // let go there
    stop(): void; // let go, or taken away
    click(): void; // by key or screen reader
}

/** A card that can be held or pulled. */
export function grip(hand: Grip): Attachment<HTMLElement> {
    return (node) => {
        let start: { id: number; x: number; y: number } | null = null;
        let pulling = false;
        let touched = false;
        let timer: ReturnType<typeof setTimeout> | undefined;

        const down = (event: PointerEvent): void => {
            if (event.button !== 0 || start) return;
            start = { id: event.pointerId, x: event.clientX, y: event.clientY };
            pulling = false;
            touched = true;
            node.setPointerCapture(event.pointerId);
            timer = setTimeout(() => {
                if (!start || pulling) return;
                start = null;
                hand.held();
            }, HOLD);
        };
        const move = (event: PointerEvent): void => {
            if (start?.id !== event.pointerId) return;
            const dx = event.clientX - start.x;
            const dy = event.clientY - start.y;
            if (!pulling && Math.hypot(dx, dy) < SLACK) return;
            pulling = true;
            clearTimeout(timer);
            hand.pull(dx, dy);
        };
        const up = (event: PointerEvent): void => {
            clearTimeout(timer);
            if (start?.id !== event.pointerId) return;
            if (pulling) hand.drop(event.clientX, event.clientY);
            end();
        };
        const end = (): void => {
            clearTimeout(timer);
            start = null;
            pulling = false;
            hand.stop();
        };
        const click = (): void => {
            if (!touched) hand.click();
            touched = false;
        };
        node.addEventListener("pointerdown", down);
        node.addEventListener("pointermove", move);
        node.addEventListener("pointerup", up);
        node.addEventListener("pointercancel", end);
        node.addEventListener("click", click);
        return () => {
            clearTimeout(timer);
            node.removeEventListener("pointerdown", down);
            node.removeEventListener("pointermove", move);
            node.removeEventListener("pointerup", up);
            node.removeEventListener("pointercancel", end);
            node.removeEventListener("click", click);
        };
    };
}
