// A race on one device: what its players do is shown at once and sent at once; the server's order is the only truth.
// A placement goes out with the height its player saw (NB-11). Whatever rests on a placement that is not answered yet,
// the card beneath it or the stack it made, is shown but held back until the answer is known: a lost race must never
// make a player lay a card they did not mean.
import type { Moved, Refusal } from "../../board/contract";
import { type Deed, foretold, grown, type Leaf, type Move, Names, type Scene, told } from "./scene";
import type { View } from "./types";

export type Answer = { done: true; ply: number | null } | { done: false; refusal: Refusal };

/** A placement that did not come true. */
export interface Loss {
    seat: number;
    stack: number; // from 0
    by: number | null; // who was first; null where the rule refused
    refusal: Refusal | null;
}

export interface Listener {
    send(text: string, seat: number): Promise<Answer>;
    changed(scene: Scene): void;
    lost(loss: Loss): void;
}

export class Race {
    scene: Scene = { stacks: [], hands: [] };
    #view: View | null = null;
    #ply = 0;
    #piles: Leaf[][] = [];
    #names = new Names();
    #deeds: Deed[] = [];
    #strays = new Set<Deed>(); // sent before we lost track: until they are answered nobody knows which card is on top
    #count = 0;
    #cut = false;
    #over = false;

    constructor(
        readonly seats: readonly number[], // those that play on this device
        readonly listener: Listener,
    ) {}

    /** Deeds that are not answered yet. */
    get waiting(): number {
        return this.#deeds.filter((deed) => deed.state !== "answered").length;
    }

    /** Takes in what the server shows; `moves` are all moves so far. */
    see(view: View, moves: readonly Moved[]): void {
        const steps = moves.length - this.#ply;
        const followed = this.#view !== null && (steps === 0 || steps === 1);
        const covers = view.stacks.map(
            (stack, at) => stack.height > (this.#view?.stacks[at]?.height ?? stack.height),
        );
        this.#view = view;
        this.#ply = moves.length;
        this.#over = view.result !== null;
        if (!followed) this.#startOver();
        else if (steps === 1) this.#match(moves.at(-1));
        this.#piles = view.players.map((player, seat) =>
            grown(this.#piles[seat] ?? [], player.pile, player.top, this.#names),
        );
        if (this.#over) this.#deeds = [];
        for (const deed of this.#deeds) {
            const height = view.stacks[deed.stack]?.height ?? 0;
            if (!deed.shown || deed.state !== "sent" || deed.stack < 0 || height <= deed.seen) continue;
            // Somebody else's card lies there: the answer can only be no.
            this.#forsake(deed);
            if (covers[deed.stack])
                this.listener.lost({
                    seat: deed.seat,
                    stack: deed.stack,
                    by: view.last?.seat ?? null,
                    refusal: null,
                });
        }
        this.#show();
    }

    /** The connection is down: nothing is guessed, and nothing done, until it is back. */
    set cut(cut: boolean) {
        if (cut === this.#cut) return;
        this.#cut = cut;
        this.#show();
    }

    /** Does something for a seat, at once; false if there is nothing to do it with. */
    act(seat: number, move: Move): boolean {
        const hand = this.scene.hands[seat];
        if (!hand || this.#over || this.#cut || this.#strays.size > 0 || !this.seats.includes(seat))
            return false;
        const stack = move[0] === "p" ? Number(move[1]) - 1 : -1;
        const pile = hand.pile.length;
        if (move === "f" ? hand.set === 0 : move === "t" ? hand.set > 0 || pile === 0 : pile === 0)
            return false;
        const id = ++this.#count;
        const deed: Deed = {
            id,
            seat,
            move,
            stack,
            seen: this.scene.stacks[stack]?.height ?? 0,
            depth: move === "f" ? pile + 1 : move === "t" ? 0 : pile - 1,
            key: (move === "f" && hand.next?.key) || `x${id}`,
            after: this.#restsOn(seat, move, stack, pile),
            state: "held",
            shown: true,
        };
        this.#deeds.push(deed);
        this.#flush();
        this.#show();
        return true;
    }

    /** The unanswered placements that a deed would rest on. */
    #restsOn(seat: number, move: Move, stack: number, pile: number): Deed[] {
        if (move === "f" || move === "t") return [];
        return this.#deeds.filter((deed) => {
            if (deed.stack < 0 || deed.state === "answered" || !deed.shown) return false;
            return deed.stack === stack || (deed.seat === seat && pile <= deed.depth);
        });
    }

    /** Sends, in order, what rests on nothing unanswered. */
    #flush(): void {
        const stopped = new Set<number>();
        for (const deed of this.#deeds) {
            if (deed.state !== "held" || stopped.has(deed.seat)) continue;
            if (deed.after.some((before) => before.state !== "answered")) {
                stopped.add(deed.seat);
                continue;
            }
            deed.state = "sent";
            const text = deed.stack < 0 ? deed.move : `${deed.move}/${deed.seen}`;
            void this.listener.send(text, deed.seat).then((answer) => this.#answered(deed, answer));
        }
    }

    #answered(deed: Deed, answer: Answer): void {
        deed.state = "answered";
        this.#strays.delete(deed);
        if (!answer.done) {
            const known = !deed.shown;
            this.#forsake(deed);
            this.#deeds = this.#deeds.filter((other) => other !== deed);
            if (!known && deed.stack >= 0 && !this.#over) {
                const by =
                    answer.refusal.key === "too-late"
                        ? (this.#view?.stacks[deed.stack]?.top.owner ?? null)
                        : null;
                this.listener.lost({ seat: deed.seat, stack: deed.stack, by, refusal: answer.refusal });
            }
        } else if (answer.ply === null || answer.ply <= this.#ply) {
            this.#deeds = this.#deeds.filter((other) => other !== deed);
        }
        this.#flush();
        this.#show();
    }

    /** A deed will not come true, and with it nothing that rests on it. */
    #forsake(deed: Deed): void {
        deed.shown = false;
        const resting = this.#deeds.filter(
            (other) => other.state === "held" && other.shown && other.after.includes(deed),
        );
        this.#deeds = this.#deeds.filter((other) => !resting.includes(other));
        for (const other of resting) this.#forsake(other);
    }

    /** The server made a move of ours: it is part of the view now. Answers come in the order in which we asked. */
    #match(move: Moved | undefined): void {
        const deed = this.#deeds.find((other) => other.seat === move?.seat && other.state !== "held");
        if (!deed || deed.move !== move?.text) return;
        deed.state = "answered";
        if (deed.move === "f") {
            const card = this.#view?.players[deed.seat]?.top;
            if (card) this.#names.learn(card.card, deed.key);
        }
        this.#deeds = this.#deeds.filter((other) => other !== deed);
        this.#flush();
    }

    /** We missed something (or have just come): what is under way is still sent, but no longer guessed. */
    #startOver(): void {
        this.#piles = [];
        this.#deeds = this.#deeds.filter((deed) => deed.state === "sent");
        for (const deed of this.#deeds) {
            deed.shown = false;
            this.#strays.add(deed);
        }
    }

    #show(): void {
        if (!this.#view) return;
        const truth = told(this.#view, this.#piles, this.#names);
        this.scene = this.#cut || this.#over ? truth : foretold(truth, this.#deeds, this.#view, this.#names);
        this.listener.changed(this.scene);
    }
}
