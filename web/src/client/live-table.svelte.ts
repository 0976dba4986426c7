// A table as it is now, kept true by its websocket: who sits, the position through our eyes, what was told, what we
// asked for. Updates are shown one after the other, each for as long as it wants to be looked at.
import { api, ApiError } from "./api";
import type { Answer, Refusal } from "../board/contract";
import { storeDeal } from "./storage";
import type { SeatView, FromServer, Moved, Refused, TableInfo, Update } from "../wire/types";
import { Connection } from "./connection";

/** A move as the log keeps it: with what each of our eyes saw of it, if they were open. */
export interface LoggedMove {
    ply: number;
    move: Moved;
    seen: Map<number, { before: unknown; after: unknown; telling: string | null }>;
}

const HOLD = 320;
const HURRY = 3; // a longer queue plays at double speed

export class LiveTable {
    state = $state<"connecting" | "open" | "lost" | "gone">("connecting");
    retryAt = $state(0);
    table = $state.raw<TableInfo | null>(null);
    shown = $state.raw<Update | null>(null);
    before = $state.raw<Update | null>(null); // what was shown before, where the change can be animated
    told = $state.raw<readonly LoggedMove[]>([]);
    refused = $state.raw<Refusal | null>(null);
    trouble = $state.raw<Refused | null>(null); // a refusal of anything but a move
    moving = $state<string | null>(null); // the move in flight
    queued = $state(0);
    settled = $state(true); // what is shown has been looked at for as long as it wanted
    everLost = $state(false);

    /** How long a change is looked at; a game may know better. */
    hold: (before: unknown, after: unknown) => number = () => HOLD;
    /** Whether everybody acts at once: then nothing waits and nothing is blocked. */
    atOnce = false;

    #line: Connection;
    #eyes: { seats: readonly number[]; text: boolean } | null = null;
    #queue: Update[] = [];
    #timer: number | undefined;
    #settling: number | undefined;
    #freeAt = 0;
    #moveId: string | null = null;
    #movePly = 0;
    #moveDone = false;
    #moves = new Map<string, { text: string; answer(answer: Answer): void }>();
    #wasReady = false;

    constructor(readonly id: string) {
        this.#line = new Connection(id, {
            opened: () => {
                this.state = "open";
                if (this.#eyes) this.#look();
            },
            heard: (message) => this.#hear(message),
            lost: (retryAt) => void this.#lost(retryAt),
        });
    }

    end(): void {
        clearTimeout(this.#timer);
        clearTimeout(this.#settling);
        this.#line.end();
    }

    /** A time of the server by our clock. */
    ours(serverTime: number): number {
        return serverTime - this.#line.offset;
    }

    /** When what is shown will have been looked at, by our clock. */
    get freeAt(): number {
        return this.#freeAt;
    }

    /** What is shown has been taken in: go on. */
    goOn(): void {
        this.#freeAt = Date.now();
        this.#hold();
        if (this.#queue.length) this.#schedule();
    }

    eye(update: Update | null, seat: number): SeatView | null {
        return update?.views.find((eye) => eye.seat === seat) ?? null;
    }

    // -- What we ask for

    /** Choose the seats to see through; none is a watcher's view. */
    look(seats: readonly number[], text: boolean): void {
        const same =
            this.#eyes?.text === text &&
            this.#eyes.seats.length === seats.length &&
            seats.every((seat, i) => this.#eyes?.seats[i] === seat);
        if (same) return;
        this.#eyes = { seats, text };
        this.#look();
    }

    #look(): void {
        if (this.#eyes)
            this.#line.say({ type: "select-views", seats: [...this.#eyes.seats], text: this.#eyes.text });
    }

    /** Add our chance to the deal, having kept the table's commitment. */
    ready(): void {
        if (!this.table || this.#wasReady) return;
        this.#wasReady = true;
        const { entropy } = storeDeal(this.id, this.table.commitment);
        this.#line.request({ type: "ready", id: token(), entropy });
    }

    start(): void {
        this.#line.request({ type: "start", id: token() });
    }

    /** Makes a move; settles with its answer, or never where nothing is asked. */
    move(seat: number, text: string): Promise<Answer> {
        return new Promise((answer) => {
            if (!this.shown || (!this.atOnce && this.#moveId)) return;
            const id = token();
            this.refused = null;
            this.#moves.set(id, { text, answer });
            if (!this.atOnce) {
                this.#moveId = id;
                this.#movePly = this.shown.ply;
                this.#moveDone = false;
                this.moving = text;
            }
            this.#line.request({ type: "move", id, seat, ply: this.shown.ply, text });
        });
    }

    resign(seat: number): void {
        this.#line.request({ type: "resign", id: token(), seat });
    }

    rematch(): void {
        this.#line.request({ type: "rematch", id: token() });
    }

    // -- What we hear

    #hear(message: FromServer): void {
        switch (message.type) {
            case "table":
                this.table = message.table;
                break;
            case "update":
                this.#receive(message);
                break;
            case "accepted":
                this.#moves.get(message.id)?.answer({ done: true, ply: message.ply ?? null });
                this.#moves.delete(message.id);
                if (message.id === this.#moveId) {
                    this.#moveDone = true;
                    this.#settle();
                }
                break;
            case "refused":
                this.#refuse(message);
                break;
            case "closing":
                if (message.reason === "gone" || message.reason === "deleted") {
                    this.state = "gone";
                    this.end();
                }
                break;
        }
    }

    async #lost(retryAt: number): Promise<void> {
        this.state = this.table ? "lost" : "connecting";
        this.everLost = this.table !== null;
        this.retryAt = retryAt;
        try {
            const table = await api.table(this.id);
            this.table ??= table;
        } catch (error) {
            if (error instanceof ApiError && error.status === 404) {
                this.state = "gone";
                this.end();
            }
        }
    }

    #refuse(message: Refused): void {
        const move = message.id ? this.#moves.get(message.id) : undefined;
        if (!message.id || move === undefined) {
            this.trouble = message;
            return;
        }
        this.#moves.delete(message.id);
        if (message.id === this.#moveId) {
            this.#moveId = null;
            this.moving = null;
        }
        const { key, text, parameters, rule } = message;
        const refusal = { key, text, parameters, rule, move: move.text };
        move.answer({ done: false, refusal });
        if (!this.atOnce) this.refused = refusal;
    }

    #receive(update: Update): void {
        if (!this.#wanted(update)) return;
        if (update.history) {
            // On connecting and looking: the whole truth, with nothing to animate from.
            this.#queue = [];
            this.#remember(update.history);
            this.#show(update, null);
            return;
        }
        if (this.atOnce || document.hidden || (!this.#queue.length && Date.now() >= this.#freeAt)) {
            while (this.#queue.length) this.#next();
            this.#show(update, this.shown);
            return;
        }
        this.#queue.push(update);
        this.queued = this.#queue.length;
        this.#schedule();
    }

    /** Whether these are the eyes we asked for last; others were on their way before we asked. */
    #wanted(update: Update): boolean {
        if (!this.#eyes) return true;
        const seats = this.#eyes.seats.length ? this.#eyes.seats : [-1];
        return (
            update.views.length === seats.length &&
            update.views.every((eye) => seats.includes(eye.seat) && (eye.text !== null || !this.#eyes?.text))
        );
    }

    #schedule(): void {
        clearTimeout(this.#timer);
        const pace = this.#queue.length > HURRY ? 0.5 : 1;
        this.#timer = window.setTimeout(() => this.#next(), Math.max(0, this.#freeAt - Date.now()) * pace);
    }

    #next(): void {
        const update = this.#queue.shift();
        if (update) this.#show(update, this.shown);
        if (this.#queue.length) this.#schedule();
    }

    #show(update: Update, before: Update | null): void {
        this.queued = this.#queue.length;
        if (update.move) this.#tell(update, update.move, before);
        this.before = update.move ? before : null; // where nobody moved nothing is to be animated
        this.shown = update;
        if (update.move) this.refused = null;
        const eye = update.views[0];
        const hold = update.move && eye ? this.hold(this.eye(before, eye.seat)?.view ?? null, eye.view) : 0;
        this.#freeAt = Date.now() + hold;
        this.#hold();
        this.#settle();
    }

    #hold(): void {
        clearTimeout(this.#settling);
        const left = this.#freeAt - Date.now();
        this.settled = left <= 0;
        if (!this.settled) this.#settling = window.setTimeout(() => (this.settled = true), left);
    }

    /** A move is over once it is done and what it led to is shown. */
    #settle(): void {
        if (this.#moveDone && this.shown && this.shown.ply > this.#movePly) {
            this.#moveId = null;
            this.#moveDone = false;
            this.moving = null;
        }
    }

    #tell(update: Update, move: Moved, before: Update | null): void {
        if (this.told.at(-1)?.ply === update.ply) return;
        const seen: LoggedMove["seen"] = new Map();
        for (const eye of update.views) {
            const telling = eye.text?.description ?? null;
            seen.set(eye.seat, {
                before: this.eye(before, eye.seat)?.view ?? null,
                after: eye.view,
                telling,
            });
        }
        this.told = [...this.told, { ply: update.ply, move, seen }];
    }

    #remember(history: readonly Moved[]): void {
        this.told = history.map((move, at) => {
            const known = this.told[at];
            return known?.ply === at + 1 ? known : { ply: at + 1, move, seen: new Map() };
        });
    }
}

function token(): string {
    return (
        crypto.randomUUID?.() ??
        Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join("")
    );
}
