// How pieces move: from where they were to where they are, by transform alone. A test holds it to styles/tokens.css.
export const GLIDE = 220;
export const TURN = 260;
export const GIVE_BACK = 180;
export const EVENT = 1400; // how long a round that ended is held
export const RING = 1200; // how long the place of a change keeps a ring where nothing moves

export const EASE_GLIDE = "cubic-bezier(.2,.7,.2,1)";
export const EASE_LIFT = "cubic-bezier(.3,0,.2,1)";
export const EASE_TURN = "cubic-bezier(.45,0,.2,1)";

/** Where everything marked with data-at is, by that mark. */
export type Places = ReadonlyMap<string, DOMRect>;

export function placesIn(root: HTMLElement): Places {
    const places = new Map<string, DOMRect>();
    for (const node of root.querySelectorAll<HTMLElement>("[data-at]")) {
        places.set(node.dataset["at"] ?? "", node.getBoundingClientRect());
    }
    return places;
}

function between(here: DOMRect, there: DOMRect): string {
    const scale = here.width > 0 && there.width > 0 ? there.width / here.width : 1;
    return `translate(${there.left - here.left}px, ${there.top - here.top}px) scale(${scale})`;
}

/** Lets a piece glide to its place from another one. */
export function glideFrom(node: HTMLElement, there: DOMRect, duration = GLIDE, delay = 0): void {
    const here = node.getBoundingClientRect();
    if (Math.abs(there.left - here.left) < 1 && Math.abs(there.top - here.top) < 1) return;
    node.animate(
        [
            { transform: between(here, there), transformOrigin: "0 0", zIndex: 5 },
            { transform: "none", transformOrigin: "0 0", zIndex: 5 },
        ],
        { duration, delay, easing: EASE_GLIDE, fill: "backwards" },
    );
}

/** Lets a piece glide away and stay there until it is taken off the table. */
export function glideTo(node: HTMLElement, there: DOMRect, delay = 0): Promise<unknown> {
    const here = node.getBoundingClientRect();
    return node.animate(
        [
            { transform: "none", transformOrigin: "0 0", zIndex: 5 },
            { transform: between(here, there), transformOrigin: "0 0", zIndex: 5 },
        ],
        { duration: GLIDE, delay, easing: EASE_GLIDE, fill: "forwards" },
    ).finished;
}

/** Turns a piece about an axis; what it shows is to change at the half. */
export function turn(node: HTMLElement, axis = "0, 1, 0"): Animation {
    const at = (degrees: number): string => `perspective(900px) rotate3d(${axis}, ${degrees}deg)`;
    return node.animate(
        [
            { transform: at(0), easing: "cubic-bezier(.45,0,1,1)" },
            { transform: at(90), offset: 0.5 },
            { transform: at(-90), offset: 0.5, easing: "cubic-bezier(0,0,.2,1)" },
            { transform: at(0) },
        ],
        { duration: TURN },
    );
}

/** Shakes the place of a piece that was given back. */
export function shake(node: HTMLElement, delay = GIVE_BACK): void {
    const at = (x: number): Keyframe => ({ transform: `translateX(${x}px)` });
    node.animate([at(0), at(2), at(-2), at(0)], { duration: GIVE_BACK, delay });
}
