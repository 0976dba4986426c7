// Taps, drags, panning, pinching and the wheel on an element. Points are pixels from its corner.
import type { Point } from "./cells";

export interface Gestures {
    tap(at: Point, touch: boolean): void;
    /** Start a drag: return true to drag a tile, false to pan. */
    lift(at: Point): boolean;
    drag(at: Point): void;
    drop(at: Point): void;
    putBack(): void;
    pan(dx: number, dy: number): void;
    zoom(factor: number, about: Point): void;
    hover(at: Point | null): void;
}

const SLACK = 7; // pixels that a tap may move
const NOTCH = 0.0016; // zoom for a pixel of the wheel

/** Listen on an element; return how to stop. */
export function listen(node: HTMLElement, to: Gestures): () => void {
    const down = new Map<number, Point>();
    let start: Point | null = null; // of the one pointer that is down
    let doing: "nothing" | "waiting" | "dragging" | "panning" | "pinching" = "nothing";

    const at = (event: PointerEvent | WheelEvent): Point => {
        const box = node.getBoundingClientRect();
        return { x: event.clientX - box.left - node.clientLeft, y: event.clientY - box.top - node.clientTop };
    };
    const pair = (): { middle: Point; apart: number } | null => {
        const [a, b] = [...down.values()];
        if (!a || !b) return null;
        return {
            middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 },
            apart: Math.hypot(a.x - b.x, a.y - b.y),
        };
    };

    function press(event: PointerEvent): void {
        if (event.button !== 0) return;
        node.setPointerCapture(event.pointerId);
        down.set(event.pointerId, at(event));
        if (down.size === 1) {
            start = at(event);
            doing = "waiting";
        } else {
            if (doing === "dragging") to.putBack();
            doing = "pinching";
        }
    }

    function move(event: PointerEvent): void {
        const here = at(event);
        const was = down.get(event.pointerId);
        if (!was) {
            if (event.pointerType === "mouse") to.hover(here);
            return;
        }
        const before = doing === "pinching" ? pair() : null;
        down.set(event.pointerId, here);
        if (doing === "waiting" && start && Math.hypot(here.x - start.x, here.y - start.y) > SLACK) {
            doing = to.lift(start) ? "dragging" : "panning";
            if (doing === "panning") to.pan(here.x - start.x, here.y - start.y);
        } else if (doing === "panning") {
            to.pan(here.x - was.x, here.y - was.y);
        }
        if (doing === "dragging") to.drag(here);
        const after = before ? pair() : null;
        if (before && after) {
            to.pan(after.middle.x - before.middle.x, after.middle.y - before.middle.y);
            if (before.apart > 0) to.zoom(after.apart / before.apart, after.middle);
        }
    }

    function release(event: PointerEvent): void {
        if (!down.delete(event.pointerId)) return;
        const here = at(event);
        if (doing === "waiting") to.tap(here, event.pointerType !== "mouse");
        else if (doing === "dragging") to.drop(here);
        doing = down.size === 0 ? "nothing" : down.size === 1 ? "panning" : doing;
    }

    function cancel(event: PointerEvent): void {
        if (!down.delete(event.pointerId)) return;
        if (doing === "dragging") to.putBack();
        doing = down.size === 0 ? "nothing" : "panning";
    }

    function leave(event: PointerEvent): void {
        if (event.pointerType === "mouse" && down.size === 0) to.hover(null);
    }

    function wheel(event: WheelEvent): void {
        event.preventDefault();
        const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
        const finer = event.ctrlKey ? 5 : 1; // a pinch on a trackpad
        to.zoom(Math.exp(-event.deltaY * lines * finer * NOTCH), at(event));
    }

    const stop = new AbortController();
    const { signal } = stop;
    node.addEventListener("pointerdown", press, { signal });
    node.addEventListener("pointermove", move, { signal });
    node.addEventListener("pointerup", release, { signal });
    node.addEventListener("pointercancel", cancel, { signal });
    node.addEventListener("pointerleave", leave, { signal });
    node.addEventListener("wheel", wheel, { signal, passive: false });
    return () => stop.abort();
}
