// Cards fly from the place where they were shown last to the place where they are. Places are marked with data-zone, and
// with data-angle where they are turned on the table.
import { EASE_GLIDE, EASE_TURN, GIVE_BACK, GLIDE, shake, TURN } from "../../pieces/motion";
import type { Scene } from "./scene";

/** Where each card lies, by its key. Others' cards come from their lanes. */
export function zonesOf(scene: Scene, mine: readonly number[]): Map<string, string> {
    const zones = new Map<string, string>();
    scene.hands.forEach((hand, seat) => {
        const own = mine.includes(seat);
        if (hand.next) zones.set(hand.next.key, own ? `set-${seat}` : `lane-${seat}`);
        for (const shown of hand.pile) {
            if (shown.key[0] !== "u") zones.set(shown.key, own ? `pile-${seat}` : `lane-${seat}`);
        }
    });
    scene.stacks.forEach((stack, at) => zones.set(stack.top.key, `stack-${at + 1}`));
    return zones;
}

/** Where a card starts from: its middle in the window, its width and how it is turned. */
interface Spot {
    x: number;
    y: number;
    width: number;
    angle: number;
}

export class Flights {
    root: HTMLElement | null = null;
    #dropped = new Map<string, Spot>();
    #zones = new Map<string, string>();

    constructor(readonly still: () => boolean) {}

    /** Remembers where everything lies, once it is drawn. */
    settle(zones: Map<string, string>): void {
        this.#zones = zones;
    }

    /** Where a card that has just come to a place was before; null if it was there or nowhere. */
    whence(key: string, zone: string): string | null {
        const from = this.#zones.get(key);
        return from === undefined || from === zone ? null : from;
    }

    /** A card was pulled and let go here: it starts from here. */
    drop(key: string, node: HTMLElement): void {
        this.#dropped.set(key, spotOf(node));
    }

    /** Lets a card fly in. `over`: it shows its other side when it starts. */
    land(node: HTMLElement, key: string, from: string | null, over: boolean): void {
        const slot = node.closest<HTMLElement>("[data-zone]");
        const to = slot?.dataset["zone"] ?? "";
        if (this.still() || !slot) return;
        const place = from === null ? null : this.zone(from);
        const origin = this.#dropped.get(key) ?? (place ? spotOf(place) : null);
        this.#dropped.delete(key);
        const back = from?.startsWith("stack") ?? false;
        const start = origin ? away(slot, origin) : REST;
        node.animate(
            [
                { transform: `${start} perspective(900px) rotateY(${over ? 180 : 0}deg)`, zIndex: 5 },
                { transform: `${REST} perspective(900px) rotateY(0deg)`, zIndex: 5 },
            ],
            { duration: over ? TURN : back ? GIVE_BACK : GLIDE, easing: over ? EASE_TURN : EASE_GLIDE },
        );
        if (back && to.startsWith("pile")) this.shake(to);
    }

    /** Shakes a place: nothing is to be had there, or a card was given back. */
    shake(zone: string): void {
        if (this.still()) return;
        const node = this.zone(zone);
        if (node) shake(node, 0);
    }

    zone(name: string): HTMLElement | null {
        return this.root?.querySelector<HTMLElement>(`[data-zone="${name}"]`) ?? null;
    }
}

const REST = "translate(0px, 0px) rotate(0deg) scale(1)";

/** The transform, seen from a place, that puts a card of this place where it started. */
function away(here: HTMLElement, there: Spot): string {
    const { x, y, width, angle } = spotOf(here);
    const turn = (-angle * Math.PI) / 180;
    const dx = (there.x - x) * Math.cos(turn) - (there.y - y) * Math.sin(turn);
    const dy = (there.x - x) * Math.sin(turn) + (there.y - y) * Math.cos(turn);
    const bend = ((there.angle - angle + 540) % 360) - 180;
    const scale = width > 0 ? there.width / width : 1;
    return `translate(${dx.toFixed(1)}px, ${dy.toFixed(1)}px) rotate(${bend}deg) scale(${scale.toFixed(3)})`;
}

function spotOf(node: HTMLElement): Spot {
    const { left, top, width, height } = node.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2, width: node.offsetWidth, angle: angleOf(node) };
}

/** How far a place is turned on the table, clockwise. */
function angleOf(node: HTMLElement): number {
    let angle = 0;
    for (let at: HTMLElement | null = node; at; at = at.parentElement)
        angle += Number(at.dataset["angle"] ?? 0);
    return angle % 360;
}
