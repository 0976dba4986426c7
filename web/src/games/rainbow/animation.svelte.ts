// Brings one scene after the other onto the board: pieces glide from where they were, a round that ended is held.
import { tick } from "svelte";
import { EVENT, GLIDE, RING, glideFrom, glideTo, placesIn } from "../../pieces/motion";
import { scenes, still, type RoundEvent, type Scene } from "./scenes";
import type { View } from "./types";

const LINGER = 6000; // how long the words about a round stay where nobody has to go on
const STAGGER = 50;

export class Animation {
    #scene = $state.raw<Scene>(undefined!);
    /** The face that a card showed in the hand it has just left. */
    cameFrom = $state.raw<ReadonlyMap<number, string>>(new Map());
    /** Cards whose places keep a ring, where nothing moves. */
    fresh = $state.raw<ReadonlySet<number>>(new Set());
    /** The round that has just ended. */
    event = $state.raw<RoundEvent | null>(null);
    /** Its row still lies; moves wait. */
    holding = $state(false);

    #view = $state.raw<View>(undefined!);
    #timers = new Set<ReturnType<typeof setTimeout>>();
    #finish: (() => void) | null = null;

    constructor(
        view: View,
        readonly root: () => HTMLElement | undefined,
        readonly motionless: () => boolean,
        readonly goneOn: () => void, // the row of a round that ended is gone
    ) {
        this.#view = view;
        this.#scene = still(view);
    }

    /** The scene to draw; another viewer's is never drawn. */
    sceneFor(view: View): Scene {
        return view.viewer === this.#view.viewer ? this.#scene : still(view);
    }

    /** Show a view, with what led to it; `wait` holds the end of a round until `goOn`. */
    receive(before: View | null, view: View, wait: boolean): void {
        if (view === this.#view) return;
        this.#clear();
        if (view.viewer !== this.#view.viewer) this.#scene = still(view);
        this.#view = view;
        const [first, then] = scenes(before, view);
        if (!first) return;
        void this.#show(first);
        if (!then || !first.event) return;
        const event = first.event;
        this.event = event;
        this.holding = true;
        this.#finish = () => {
            this.#finish = null;
            void this.#take(event, then);
        };
        if (wait) return;
        this.#after(EVENT, () => this.#finish?.());
        this.#after(EVENT + LINGER, () => (this.event = null));
    }

    /** Go on from a round that ended. */
    goOn(): void {
        const finish = this.#finish;
        if (!finish) {
            this.event = null;
            return;
        }
        this.#clear();
        this.holding = true; // until the row is gone: what lies is not what may be played
        finish();
    }

    /** Stop everything, when the board leaves. */
    end(): void {
        this.#clear();
    }

    async #show(next: Scene): Promise<void> {
        const root = this.root();
        const from = root ? placesIn(root) : new Map<string, DOMRect>();
        const hands = this.#scene.hands.flat();
        const known = new Set([...hands, ...this.#scene.row].map((card) => card?.card));
        this.cameFrom = new Map(
            next.row.flatMap(({ card }) => {
                const held = hands.find((other) => other?.card === card);
                return held ? [[card, held.face] as const] : [];
            }),
        );
        const came = next.last?.place == null ? undefined : next.row[next.last.place]?.card;
        this.#scene = next;
        await tick();
        this.cameFrom = new Map();
        if (!root || this.#scene !== next) return;
        if (this.motionless()) {
            const drawn = next.hands
                .flat()
                .flatMap((card) => (card && !known.has(card.card) ? [card.card] : []));
            this.fresh = new Set(came === undefined ? drawn : [came, ...drawn]);
            this.#after(RING, () => (this.fresh = new Set()));
            return;
        }
        let drawn = 0;
        for (const node of root.querySelectorAll<HTMLElement>(".piece[data-at]")) {
            const card = node.dataset["at"] ?? "";
            const seat = next.hands.findIndex((hand) => hand.some((held) => held?.card === Number(card)));
            const there = from.get(card) ?? from.get(`deck:${seat}`);
            if (there) glideFrom(node, there, GLIDE, from.has(card) ? 0 : STAGGER * drawn++);
        }
    }

    async #take(event: RoundEvent, then: Scene): Promise<void> {
        const root = this.root();
        const row = this.#scene;
        const pile = root && placesIn(root).get(`pile:${event.taker}`);
        if (root && pile && !this.motionless()) {
            const nodes = row.row.flatMap(({ card }) => {
                const node = root.querySelector<HTMLElement>(`.piece[data-at="${card}"]`);
                return node ? [node] : [];
            });
            await Promise.all(nodes.map((node, i) => glideTo(node, pile, i * (STAGGER / 2))));
        }
        if (this.#scene !== row) return;
        this.holding = false;
        const shown = this.#show(then);
        this.goneOn();
        await shown;
    }

    #after(ms: number, run: () => void): void {
        const timer = setTimeout(() => {
            this.#timers.delete(timer);
            run();
        }, ms);
        this.#timers.add(timer);
    }

    #clear(): void {
        this.#timers.forEach(clearTimeout);
        this.#timers.clear();
        this.#finish = null;
        this.event = null;
        this.holding = false;
        this.fresh = new Set();
    }
}
