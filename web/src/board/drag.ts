// Pulling a piece with mouse, pen or finger; a press that does not move stays a click.
import type { Attachment } from "svelte/attachments";

export interface Pull {
    dx: number;
    dy: number;
    x: number; // of the pointer, in the window
    y: number;
}

export interface Puller {
    may(): boolean;
    move(pull: Pull): void;
    drop(pull: Pull): void;
    cancel(): void;
}

const SLACK = 6; // px before a press becomes a pull

export function drag(puller: Puller): Attachment<HTMLElement> {
    return (node) => {
        let start: { x: number; y: number; id: number } | null = null;
        let pulling = false;

        const pull = (event: PointerEvent): Pull => ({
            dx: event.clientX - (start?.x ?? 0),
            dy: event.clientY - (start?.y ?? 0),
            x: event.clientX,
            y: event.clientY,
        });
        const down = (event: PointerEvent): void => {
            if (event.button !== 0 || !puller.may()) return;
            start = { x: event.clientX, y: event.clientY, id: event.pointerId };
            pulling = false;
            // Caught at once: a quick hand has left the piece before the first move is told.
            node.setPointerCapture(event.pointerId);
        };
        const move = (event: PointerEvent): void => {
            if (!start || event.pointerId !== start.id) return;
            const now = pull(event);
            if (!pulling && Math.hypot(now.dx, now.dy) < SLACK) return;
            pulling = true;
            puller.move(now);
        };
        const up = (event: PointerEvent): void => {
            if (start && pulling) puller.drop(pull(event));
            start = null;
        };
        const cancel = (): void => {
            if (pulling) puller.cancel();
            start = null;
            pulling = false;
        };
        const click = (event: MouseEvent): void => {
            if (!pulling) return;
            pulling = false;
            event.preventDefault();
            event.stopPropagation();
        };

        node.addEventListener("pointerdown", down);
        node.addEventListener("pointermove", move);
        node.addEventListener("pointerup", up);
        node.addEventListener("pointercancel", cancel);
        node.addEventListener("click", click, true);
        return () => {
            node.removeEventListener("pointerdown", down);
            node.removeEventListener("pointermove", move);
            node.removeEventListener("pointerup", up);
            node.removeEventListener("pointercancel", cancel);
            node.removeEventListener("click", click, true);
        };
    };
}
