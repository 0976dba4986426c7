// What is shown of a change: pieces that move to where they are now, points that float up, news for a moment, the last move.
import { tick } from "svelte";
import type { Sound } from "../../board/contract";
import { EASE_GLIDE, RING as RING_TIME, glideFrom, placesIn, type Places } from "../../pieces/motion";
import { prankOf } from "./choices";
import { indexOf, wayBetween, type Point, type Road } from "./geometry";
import type { Last, Prank, View } from "./types";

const NEWS = 1500;
const LEAP_LIFT = 34;

/** A card's rectangle in the middle of a place that may hold more than a card: no larger than it lies on the road. */
export function cardIn(place: DOMRect | undefined, card: DOMRect): DOMRect | undefined {
    if (!place || place.width === 0 || card.width === 0) return place;
    const scale = Math.min(1.3, place.width / card.width, place.height / card.height);
    const [width, height] = [card.width * scale, card.height * scale];
    const left = place.left + (place.width - width) / 2;
    return new DOMRect(left, place.top + (place.height - height) / 2, width, height);
}

type Play = (name: Sound, pitch?: number) => void;

export const HOP = 160;
export const LEAP = 240;
const LIFT = 18;
const FLOAT = 24;

/** Let a fairy hop along points to where it stands now, the last of them. */
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

/** Let a fairy vanish where it was and appear where it is. */
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

/** Let points float up and away. */
export function floatUp(node: HTMLElement, done: () => void): void {
    const rise = node.animate(
        [
            { transform: "translate(-50%, 0)", opacity: 0 },
            { transform: `translate(-50%, -${FLOAT / 3}px)`, opacity: 1, offset: 0.2 },
            { transform: `translate(-50%, -${FLOAT}px)`, opacity: 1, offset: 0.7 },
            { transform: `translate(-50%, -${FLOAT * 1.5}px)`, opacity: 0 },
        ],
        { duration: 900, easing: EASE_GLIDE },
    );
    rise.onfinish = done;
}

export class Animations {
    fresh = $state.raw<ReadonlySet<string>>(new Set()); // spots that keep a ring where nothing moves
    floats = $state.raw<readonly { id: number; spot: string; points: number }[]>([]);
    recent = $state.raw<ReadonlySet<string>>(new Set()); // spots that others moved at since the viewer's last move
    prank = $state.raw<{ prank: Prank; seat: number } | null>(null); // just played
    ended = $state.raw<Last["round_end"]>(null); // a round that just ended
    #places: Places = new Map();
    #timers: number[] = [];
    #floated = 0;

    constructor(readonly root: () => HTMLElement | undefined) {}

    /** Remember where everything is, before the table changes. */
    measure(): void {
        const root = this.root();
        this.#places = root ? placesIn(root) : new Map();
    }

    /** Show what led to this view. */
    async show(before: View | null, view: View, road: Road, still: boolean, sound: Play): Promise<void> {
        this.#clear();
        const { last } = view;
        const goesOn = before?.viewer === view.viewer && before.last?.seat === last?.seat;
        const earlier = goesOn ? this.recent : [];
        this.recent = new Set(!last || last.seat === view.viewer ? [] : [...earlier, ...last.spots]);
        if (!before || before.viewer !== view.viewer || !last) return;
        const prank = prankOf(last.move);
        if (prank) this.#for(NEWS, () => (this.prank = null), (this.prank = { prank, seat: last.seat }));
        if (last.round_end) this.#for(NEWS, () => (this.ended = null), (this.ended = last.round_end));
        if (still) {
            this.#for(RING_TIME, () => (this.fresh = new Set()), (this.fresh = new Set(last.spots)));
            return;
        }
        const spot = last.spots.at(-1);
        if (spot && last.points > 0)
            this.floats = [...this.floats, { id: ++this.#floated, spot, points: last.points }];
        await tick();
        this.#glide(last, view.viewer);
        this.#walk(last, view, road, sound);
    }

    floated(id: number): void {
        this.floats = this.floats.filter((float) => float.id !== id);
    }

    end(): void {
        this.#clear();
    }

    /** Cards that came, changed places or went to the discards. */
    #glide(last: Last, viewer: number): void {
        const at = (name: string): DOMRect | undefined => this.#places.get(name);
        for (const node of this.root()?.querySelectorAll<HTMLElement>("[data-at^='card:']") ?? []) {
            const name = node.dataset["at"] ?? "";
            let from = at(name);
            if (!from && name === `card:${last.card?.card}`) {
                const hand =
                    last.seat === viewer ? at(`hand:${last.card?.number}`) : at(`theirs:${last.seat}`);
                from = cardIn(last.move[0] === "P" ? hand : at("discards"), node.getBoundingClientRect());
            }
            if (from) glideFrom(node, from);
        }
        const out = this.root()?.querySelector<HTMLElement>(`[data-at='discard:${last.out?.card}']`);
        const lay = at(`card:${last.out?.card}`);
        if (out && lay) glideFrom(out, lay);
    }

    /** The fairy that moved. */
    #walk(last: Last, view: View, road: Road, sound: Play): void {
        const [from] = last.spots;
        const to = last.spots.at(-1);
        const node = this.root()?.querySelector<HTMLElement>(`[data-fairy='${last.fairy}']`);
        if (!node || !from || !to || from === to || !/[+-]$|^teleport/.test(last.move)) return;
        const point = (index: number): Point => road.at[index] ?? road.middle;
        const [start, end] = [indexOf(from, view.viewer), indexOf(to, view.viewer)];
        if (last.move.startsWith("teleport")) return vanish(node, point(start), point(end));
        const way = wayBetween(start, end, last.move.slice(-1));
        if (last.spots.length > 2) hopAlong(node, [point(start), point(end)], LEAP_LIFT);
        else hopAlong(node, way.map(point));
        sound("hop", (view.ring.find(({ spot }) => spot === to)?.card?.number ?? 1) - 1);
    }

    #for(time: number, after: () => void, _now: unknown): void {
        this.#timers.push(window.setTimeout(after, time));
    }

    #clear(): void {
        this.#timers.forEach(clearTimeout);
        this.#timers = [];
        this.prank = null;
        this.ended = null;
        this.fresh = new Set();
    }
}
