// How fairies move: hop by hop along the road, by transform and opacity alone.
import type { Point } from "./places";

export const HOP = 160;
export const LEAP = 240;
const LIFT = 18;
const FLOAT = 24;

/** Lets a fairy hop along points to where it stands now, the last of them. */
export function hopAlong(node: HTMLElement, points: readonly Point[], lift = LIFT): void {
    const end = points.at(-1);
    if (!end || points.length < 2) return;
    const at = ({ x, y }: Point, up = 0): Keyframe => ({
        transform: `translate(${x - end.x}px, ${y - end.y - up}px)`,
    });
    const frames: Keyframe[] = [];
    points.forEach((point, i) => {
        const before = points[i - 1];
        if (before) frames.push(at({ x: (before.x + point.x) / 2, y: (before.y + point.y) / 2 }, lift));
        frames.push(at(point));
    });
    const duration = Math.min(280, HOP + 40 * (points.length - 2));
    node.animate(frames, { duration: lift > LIFT ? LEAP : duration, easing: "cubic-bezier(.3,0,.4,1)" });
}

/** Lets a fairy vanish where it was and appear where it is. */
export function vanish(node: HTMLElement, from: Point, to: Point): void {
    const away = `translate(${from.x - to.x}px, ${from.y - to.y}px)`;
    node.animate(
        [
            { transform: away, opacity: 1 },
            { transform: `${away} scale(.6)`, opacity: 0, offset: 0.5 },
            { transform: "scale(.6)", opacity: 0, offset: 0.5 },
            { transform: "none", opacity: 1 },
        ],
        { duration: 280 },
    );
}

/** Lets points float up and away. */
export function floatUp(node: HTMLElement, done: () => void): void {
    const rise = node.animate(
        [
            { transform: "translate(-50%, 0)", opacity: 0 },
            { transform: `translate(-50%, -${FLOAT / 3}px)`, opacity: 1, offset: 0.2 },
            { transform: `translate(-50%, -${FLOAT}px)`, opacity: 1, offset: 0.7 },
            { transform: `translate(-50%, -${FLOAT * 1.5}px)`, opacity: 0 },
        ],
        { duration: 900, easing: "cubic-bezier(.2,.7,.2,1)" },
    );
    rise.onfinish = done;
}
