// How tiles move: along their way, in an arc, turned about an edge. Transforms only.
import { EASE_GLIDE, EASE_LIFT, GIVE_BACK, TURN, turn } from "../../pieces/motion";
import { middle, type Point } from "./cells";
import type { View } from "./types";

const A_CELL = 40;
const LONGEST = 280;
const HOP = 160;
const HIGH = 18;
const SETTLE = 120;
const WAVE = 70; // between the tiles of a rainbow that rise

export const placed = ({ x, y }: Point): string => `translate(${x}px, ${y}px)`;

/** How long the last move is animated. */
export function duration(view: View): number {
    const last = view.last;
    if (!last) return 0;
    if (last.kind === "flip") return TURN;
    if (last.kind === "place") return SETTLE;
    if (last.kind === "jump") return HOP * 1.5;
    return Math.min(LONGEST, A_CELL * (last.way.length - 1) + A_CELL);
}

type NodeOf = (tile: number) => HTMLElement | null;

/** Show the last move of a view, and the rainbow that it made; a tile that was dropped is there already. */
export function animateMove(view: View, nodeOf: NodeOf, dropped: number | null, side: number): void {
    const last = view.last;
    const node = last && nodeOf(last.tile);
    if (!last || !node) return;
    const part = (name: string, of: HTMLElement | null): HTMLElement | null =>
        of?.querySelector<HTMLElement>(name) ?? null;
    if (last.kind === "slide" && dropped !== last.tile) slide(node, last.way, view);
    if (last.kind === "jump") jump(node, last.way[0] ?? "", last.way.at(-1) ?? "", view);
    if (last.kind === "place") land(part(".lift", node) ?? node);
    if (last.kind === "flip") flip(part(".turner", node) ?? node, part(".was", node), side);
    if (view.reason !== "rainbow" || view.winner === null) return;
    const lifts = (view.runs[view.winner] ?? []).map((tile) => part(".lift", nodeOf(tile)));
    wave(lifts.filter((lift) => lift !== null));
}

/** Slide a tile along its way. */
function slide(node: HTMLElement, way: readonly string[], view: View): void {
    const easing = way.length > 3 ? "cubic-bezier(.3,.2,.3,1)" : EASE_GLIDE;
    node.animate(
        way.map((cell) => ({ transform: placed(middle(cell)), zIndex: 3000 })),
        { duration: duration(view), easing },
    );
}

/** Let a player tile jump in an arc. */
function jump(node: HTMLElement, from: string, to: string, view: View): void {
    const [a, b] = [middle(from), middle(to)];
    const steps = Array.from({ length: 9 }, (_, i) => {
        const t = i / 8;
        const up = 4 * t * (1 - t) * (HIGH + Math.hypot(b.x - a.x, b.y - a.y) / 12);
        return {
            transform: placed({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t - up }),
            zIndex: 3000,
        };
    });
    node.animate(steps, { duration: duration(view), easing: "linear" });
}

/** Let a tile land on its cell. */
function land(node: HTMLElement): void {
    node.animate(
        [
            { transform: "translateY(-16px)", opacity: 0 },
            { transform: "none", opacity: 1 },
        ],
        { duration: SETTLE, easing: EASE_LIFT },
    );
}

/** Turn a clover about the edge it was tapped at; it shows its face from the half on. */
function flip(node: HTMLElement, was: HTMLElement | null, side: number): void {
    const angle = (-side * Math.PI) / 3; // toward the edge, as seen
    const axis = `${(-Math.sin(angle)).toFixed(3)}, ${Math.cos(angle).toFixed(3)}, 0`;
    turn(node, axis);
    was?.animate(
        [{ opacity: 1 }, { opacity: 1, offset: 0.5 }, { opacity: 0, offset: 0.5 }, { opacity: 0 }],
        TURN,
    );
}

/** Raise the tiles of a rainbow one after the other. */
function wave(nodes: readonly HTMLElement[]): void {
    nodes.forEach((node, i) =>
        node.animate([{ transform: "none" }, { transform: "translateY(-14px)" }, { transform: "none" }], {
            duration: 420,
            delay: TURN + i * WAVE,
            easing: EASE_LIFT,
        }),
    );
}

/** Return a dragged tile to its cell. */
export function giveBack(node: HTMLElement, from: Point, cell: string): void {
    node.animate([{ transform: placed(from) }, { transform: placed(middle(cell)) }], {
        duration: GIVE_BACK,
        easing: EASE_GLIDE,
    });
}
