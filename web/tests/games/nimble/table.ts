// A small table of Nimble with a line to it that takes its time, for tests: it deals, judges and tells as the server does.
import type { Answer, Moved } from "../../../src/board/contract";
import type { Move } from "../../../src/games/nimble/choices";
import { type Loss, Race } from "../../../src/games/nimble/race";
import type { Card, View } from "../../../src/games/nimble/types";

const BOOKS = "AMEWPQ";

/** Chance that can be had again. */
export function chance(seed: number): () => number {
    let state = seed;
    return () => {
        state = (state * 1664525 + 1013904223) % 4294967296;
        return state / 4294967296;
    };
}

function shuffled(seat: number, next: () => number): Card[] {
    const pairs = [...BOOKS].flatMap((frame) =>
        [...BOOKS].filter((circle) => circle !== frame).map((circle) => ({ frame, circle })),
    );
    const order = pairs.map((pair) => ({ pair, at: next() })).sort((a, b) => a.at - b.at);
    return order.map(({ pair }, at) => ({ card: 30 * seat + at, owner: seat, ...pair }));
}

interface Held {
    cards: Card[]; // in the order of the set as dealt
    mark: number; // how many of them lie on the pile
}

export class FakeTable {
    moves: Moved[] = [];
    stacks: Card[][];
    #held: Held[];
    #last: View["last"] = null;
    #result: View["result"] = null;

    constructor(
        readonly seats: number,
        seed: number,
        readonly checking: View["checking"] = "audit",
    ) {
        const next = chance(seed);
        const sets = Array.from({ length: seats }, (_, seat) => shuffled(seat, next));
        this.stacks = [0, 1, 2].map((at) => [sets[at % seats]?.shift() as Card]);
        this.#held = sets.map((cards) => ({ cards, mark: 0 }));
    }

    pile(seat: number): Card[] {
        const held = this.#held[seat] as Held;
        return held.cards.slice(0, held.mark);
    }

    set(seat: number): Card[] {
        const held = this.#held[seat] as Held;
        return held.cards.slice(held.mark);
    }

    /** Why a move cannot be made; null if it was. */
    play(seat: number, text: string): string | null {
        const [move = "", seen] = text.split("/");
        const held = this.#held[seat] as Held;
        const stack = move[0] === "p" ? this.stacks[Number(move[1]) - 1] : undefined;
        const top = held.cards[held.mark - 1];
        if (this.#result) return "over";
        if (seen !== undefined && Number(seen) !== stack?.length) return "too-late";
        if (move === "f" && held.mark === held.cards.length) return "set-empty";
        if (move === "t" && held.mark < held.cards.length) return "set-not-empty";
        if ((move === "b" || stack) && !top) return "pile-empty";
        const covered = stack?.at(-1) ?? null;
        if (stack && this.checking === "referee" && covered?.circle !== top?.frame) return "does-not-fit";
        const card = move === "f" ? held.cards[held.mark] : move === "t" ? null : top;
        if (move === "f") held.mark++;
        else if (move === "t") held.mark = 0;
        else held.mark--;
        if (stack && card) {
            held.cards.splice(held.mark, 1);
            stack.push(card);
        }
        this.moves = [...this.moves, { seat, text: move, at: this.moves.length }];
        this.#last = { seat, move, card: card ?? null, stack: stack ? Number(move[1]) : null, covered };
        if (held.cards.length === 1) {
            const winners = [seat];
            const stacks = this.stacks.map((cards) => [...cards]);
            this.#result = { reason: "out", winners, places: [], disqualified: [], mistakes: [], stacks };
        }
        return null;
    }

    view(viewer: number): View {
        return {
            viewer,
            checking: this.checking,
            goal: 1,
            stacks: this.stacks.map((cards) => ({ height: cards.length, top: cards.at(-1) as Card })),
            players: this.#held.map((held, seat) => ({
                set: held.cards.length - held.mark,
                next: held.cards[held.mark]?.card ?? null,
                pile: held.mark,
                top: this.pile(seat).at(-1) ?? null,
                left: held.cards.length,
                may_flip: held.mark < held.cards.length,
                may_take_back: held.mark > 0,
                may_turn_over: held.mark === held.cards.length,
            })),
            last: this.#last,
            result: this.#result,
        };
    }
}

/** A device at the table. What goes to it and comes from it is in order, and late. */
export class Device {
    race: Race;
    lost: Loss[] = [];
    sent: string[] = [];
    up: { text: string; seat: number; answer(answer: Answer): void }[] = [];
    down: (() => void)[] = [];

    constructor(
        readonly table: FakeTable,
        readonly seats: readonly number[],
    ) {
        this.race = new Race(seats, {
            send: (text, seat) => {
                this.sent.push(text);
                return new Promise((answer) => this.up.push({ text, seat, answer }));
            },
            changed: () => undefined,
            lost: (loss) => this.lost.push(loss),
        });
        this.race.see(table.view(seats[0] ?? -1), table.moves);
    }

    act(seat: number, move: Move): boolean {
        return this.race.act(seat, move);
    }

    /** The server hears the next thing we said. */
    heard(everybody: readonly Device[] = [this]): void {
        const asked = this.up.shift();
        if (!asked) return;
        const why = this.table.play(asked.seat, asked.text);
        if (why === null) for (const device of everybody) device.tell();
        const ply = this.table.moves.length;
        const refusal = { key: why ?? "", text: "", parameters: {}, rule: "NB-11", move: asked.text };
        this.down.push(() => asked.answer(why === null ? { done: true, ply } : { done: false, refusal }));
    }

    /** The position as it is now sets out for this device. */
    tell(): void {
        const view = this.table.view(this.seats[0] ?? -1);
        const { moves } = this.table;
        this.down.push(() => this.race.see(view, moves));
    }

    /** The next thing arrives here. */
    async arrive(): Promise<void> {
        this.down.shift()?.();
        await Promise.resolve();
        await Promise.resolve();
    }

    async settle(everybody: readonly Device[] = [this]): Promise<void> {
        while (this.up.length > 0 || this.down.length > 0) {
            this.heard(everybody);
            while (this.down.length > 0) await this.arrive();
        }
    }

    /** What lies where, by the numbers of the cards; null where a face is on its way. */
    get shown(): {
        stacks: (number | undefined)[];
        heights: number[];
        pile: (number | undefined)[];
        set: number;
    } {
        const { stacks, hands } = this.race.scene;
        const hand = hands[this.seats[0] ?? 0];
        return {
            stacks: stacks.map(({ top }) => top.card?.card),
            heights: stacks.map(({ height }) => height),
            pile: (hand?.pile ?? []).map(({ card }) => card?.card),
            set: hand?.set ?? 0,
        };
    }
}
