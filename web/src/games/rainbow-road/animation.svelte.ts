// What is shown of a change while it is fresh: pieces that move to where they are now, points that float up, news for a moment.
import { tick } from "svelte";
import { play } from "../../client/sound";
import { RING as RING_TIME, glideFrom, placesIn, type Places } from "../../pieces/motion";
import { prankOf } from "./choices";
import { hopAlong, vanish } from "./moving";
import { indexOf, wayBetween, type Point, type Road } from "./places";
import type { Last, Prank, View } from "./types";

const NEWS = 1500;
const LEAP_LIFT = 34;

export class Stage {
    root: HTMLElement | undefined;
    fresh = $state.raw<ReadonlySet<string>>(new Set()); // spots that keep a ring where nothing moves
    floats = $state.raw<readonly { id: number; spot: string; points: number }[]>([]);
    prank = $state.raw<{ prank: Prank; seat: number } | null>(null); // just played
    ended = $state.raw<Last["round_end"]>(null); // a round that just ended
    #places: Places = new Map();
    #timers: number[] = [];
    #floated = 0;

    /** Remember where everything is, before the table changes. */
    measure(): void {
        this.#places = this.root ? placesIn(this.root) : new Map();
    }

    /** Show what led to this view. */
    async show(before: View | null, view: View, road: Road, still: boolean): Promise<void> {
        this.#clear();
        const { last } = view;
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
        this.#walk(last, view, road);
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
        for (const node of this.root?.querySelectorAll<HTMLElement>("[data-at^='card:']") ?? []) {
            const name = node.dataset["at"] ?? "";
            let from = at(name);
            if (!from && name === `card:${last.card?.card}`) {
                const hand =
                    last.seat === viewer ? at(`hand:${last.card?.number}`) : at(`theirs:${last.seat}`);
                from = last.move[0] === "P" ? hand : at("discards");
            }
            if (from) glideFrom(node, from);
        }
        const out = this.root?.querySelector<HTMLElement>(`[data-at='discard:${last.out?.card}']`);
        const lay = at(`card:${last.out?.card}`);
        if (out && lay) glideFrom(out, lay);
    }

    /** The fairy that moved. */
    #walk(last: Last, view: View, road: Road): void {
        const [from] = last.spots;
        const to = last.spots.at(-1);
        const node = this.root?.querySelector<HTMLElement>(`[data-fairy='${last.fairy}']`);
        if (!node || !from || !to || from === to || !/[+-]$|^teleport/.test(last.move)) return;
        const point = (index: number): Point => road.at[index] ?? road.middle;
        const [start, end] = [indexOf(from, view.viewer), indexOf(to, view.viewer)];
        if (last.move.startsWith("teleport")) return vanish(node, point(start), point(end));
        const way = wayBetween(start, end, last.move.slice(-1));
        if (last.spots.length > 2) hopAlong(node, [point(start), point(end)], LEAP_LIFT);
        else hopAlong(node, way.map(point));
        play("hop", (view.ring.find(({ spot }) => spot === to)?.card?.number ?? 1) - 1);
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
