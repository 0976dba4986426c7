// Acts on press, not on release: a race is won in that tenth of a second. Keys and screen readers click as ever.
import type { Attachment } from "svelte/attachments";

const ECHO = 500; // ms after a press in which its click may follow

/** Tells the click that follows a press from one by key or screen reader. */
class Echo {
    #at = -Infinity;

    press(): void {
        this.#at = performance.now();
    }

    /** Whether this click is a press's, which has acted already. */
    heard(): boolean {
        const echo = performance.now() - this.#at < ECHO;
        this.#at = -Infinity;
        return echo;
    }
}

/** `act` is told where it was pressed; null by key or screen reader. */
export function press(act: (at: PointerEvent | null) => void): Attachment<HTMLElement> {
    return (node) => {
        const echo = new Echo();
        const down = (event: PointerEvent): void => {
            if (event.button !== 0) return;
            echo.press();
            // A finger holds what it touched; let go, so that it can tap elsewhere at once.
            if (node.hasPointerCapture(event.pointerId)) node.releasePointerCapture(event.pointerId);
            act(event);
        };
        const up = (): void => echo.press();
        const click = (): void => {
            if (!echo.heard()) act(null);
        };
        node.addEventListener("pointerdown", down);
        node.addEventListener("pointerup", up);
        node.addEventListener("click", click);
        return () => {
            node.removeEventListener("pointerdown", down);
            node.removeEventListener("pointerup", up);
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
    tap(): void; // pressed and let go at once
    click(): void; // by key or screen reader
}

/** A card that can be held or pulled. */
export function grip(hand: Grip): Attachment<HTMLElement> {
    return (node) => {
        let start: { id: number; x: number; y: number } | null = null;
        let pulling = false;
        const echo = new Echo();
        let timer: ReturnType<typeof setTimeout> | undefined;

        const down = (event: PointerEvent): void => {
            if (event.button !== 0 || start) return;
            start = { id: event.pointerId, x: event.clientX, y: event.clientY };
            pulling = false;
            echo.press();
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
            echo.press();
            if (start?.id !== event.pointerId) return;
            if (pulling) hand.drop(event.clientX, event.clientY);
            else hand.tap();
            end();
        };
        const end = (): void => {
            clearTimeout(timer);
            start = null;
            pulling = false;
            hand.stop();
        };
        const click = (): void => {
            if (!echo.heard()) hand.click();
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
