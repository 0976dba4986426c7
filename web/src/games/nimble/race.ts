// A race on one device: what its players do is shown at once and sent at once; the server's order is the only truth.
// A placement goes out with the height its player saw (NB-11). Whatever rests on a placement that is not answered yet,
// the card beneath it or the stack it made, is shown but held back until the answer is known: a lost race must never
// make a player lay a card they did not mean.
import type { Answer, Moved, Refusal } from "../../board/contract";
import { type PendingAction, predicted, grown, type ShownCard, Names, type Scene, sceneOf } from "./scene";
import { possible, stackOf, type Move } from "./choices";
import type { View } from "./types";

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
    #piles: ShownCard[][] = [];
    #names = new Names();
    #pending: PendingAction[] = [];
    #strays = new Set<PendingAction>(); // sent before we lost track: until they are answered nobody knows which card is on top
    #count = 0;
    #cut = false;
    #over = false;

    constructor(
        readonly seats: readonly number[], // those that play on this device
        readonly listener: Listener,
    ) {}

    /** Actions that are not answered yet. */
    get waiting(): number {
        return this.#pending.filter((action) => action.state !== "answered").length;
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
        if (this.#over) this.#pending = [];
        for (const action of this.#pending) {
            const height = view.stacks[action.stack]?.height ?? 0;
            if (!action.shown || action.state !== "sent" || action.stack < 0 || height <= action.seen)
                continue;
            // Somebody else's card lies there: the answer can only be no.
            this.#drop(action);
            if (covers[action.stack])
                this.listener.lost({
                    seat: action.seat,
                    stack: action.stack,
                    by: view.last?.seat ?? null,
                    refusal: null,
                });
        }
        this.#show();
    }

    /** Whether the server hears what is done, and it is known which card is on top. */
    get connected(): boolean {
        return !this.#cut && this.#strays.size === 0;
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
        if (!hand || this.#over || !this.connected || !this.seats.includes(seat)) return false;
        if (!possible(move, hand)) return false;
        const stack = stackOf(move) ?? -1;
        const pile = hand.pile.length;
        const id = ++this.#count;
        const action: PendingAction = {
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
        this.#pending.push(action);
        this.#flush();
        this.#show();
        return true;
    }

    /** The unanswered placements that a action would rest on. */
    #restsOn(seat: number, move: Move, stack: number, pile: number): PendingAction[] {
        if (move === "f" || move === "t") return [];
        return this.#pending.filter((action) => {
            if (action.stack < 0 || action.state === "answered" || !action.shown) return false;
            return action.stack === stack || (action.seat === seat && pile <= action.depth);
        });
    }

    /** Sends, in order, what rests on nothing unanswered. */
    #flush(): void {
        const stopped = new Set<number>();
        for (const action of this.#pending) {
            if (action.state !== "held" || stopped.has(action.seat)) continue;
            if (action.after.some((before) => before.state !== "answered")) {
                stopped.add(action.seat);
                continue;
            }
            action.state = "sent";
            const text = action.stack < 0 ? action.move : `${action.move}/${action.seen}`;
            void this.listener.send(text, action.seat).then((answer) => this.#answered(action, answer));
        }
    }

    #answered(action: PendingAction, answer: Answer): void {
        action.state = "answered";
        this.#strays.delete(action);
        if (!answer.done) {
            const known = !action.shown;
            this.#drop(action);
            this.#pending = this.#pending.filter((other) => other !== action);
            if (!known && action.stack >= 0 && !this.#over) {
                const by =
                    answer.refusal.key === "too-late"
                        ? (this.#view?.stacks[action.stack]?.top.owner ?? null)
                        : null;
                this.listener.lost({ seat: action.seat, stack: action.stack, by, refusal: answer.refusal });
            }
        } else if (answer.ply === null || answer.ply <= this.#ply) {
            this.#pending = this.#pending.filter((other) => other !== action);
        }
        this.#flush();
        this.#show();
    }

    /** A action will not come true, and with it nothing that rests on it. */
    #drop(action: PendingAction): void {
        action.shown = false;
        const resting = this.#pending.filter(
            (other) => other.state === "held" && other.shown && other.after.includes(action),
        );
        this.#pending = this.#pending.filter((other) => !resting.includes(other));
        for (const other of resting) this.#drop(other);
    }

    /** The server made a move of ours: it is part of the view now. Answers come in the order in which we asked. */
    #match(move: Moved | undefined): void {
        const action = this.#pending.find((other) => other.seat === move?.seat && other.state !== "held");
        if (!action || action.move !== move?.text) return;
        action.state = "answered";
        if (action.move === "f") {
            const card = this.#view?.players[action.seat]?.top;
            if (card) this.#names.learn(card.card, action.key);
        }
        this.#pending = this.#pending.filter((other) => other !== action);
        this.#flush();
    }

    /** We missed something (or have just come): what is under way is still sent, but no longer guessed. */
    #startOver(): void {
        this.#piles = [];
        this.#pending = this.#pending.filter((action) => action.state === "sent");
        for (const action of this.#pending) {
            action.shown = false;
            this.#strays.add(action);
        }
    }

    #show(): void {
        if (!this.#view) return;
        const truth = sceneOf(this.#view, this.#piles, this.#names);
        this.scene =
            this.#cut || this.#over ? truth : predicted(truth, this.#pending, this.#view, this.#names);
        this.listener.changed(this.scene);
    }
}
