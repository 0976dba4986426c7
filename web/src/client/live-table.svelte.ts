// The state of a table, updated by its websocket: seats, views, log, pending requests. Updates are shown one after the
// other, each for its display time.
import { SvelteMap } from "svelte/reactivity";
import { api, ApiError } from "./api";
import type { Answer, Refusal } from "../board/contract";
import { closeNotifications } from "./push";
import { entropyCommitment } from "./proof";
import { storeCommitments, storeDeal, storedDeal, type StoredDeal } from "./storage";
import type { SeatView, FromServer, Moved, Phrase, Refused, Said, TableInfo, Update } from "../wire/types";
import { Connection } from "./connection";

/** A move in the log, with the views before and after it by seat, where they are known. */
export interface LoggedMove {
    ply: number;
    move: Moved;
    seen: Map<number, { before: unknown; after: unknown; text: string | null }>;
}

const DISPLAY_TIME = 320;
const HURRY = 3; // a longer queue plays at double speed

export class LiveTable {
    state = $state<"connecting" | "open" | "lost" | "gone">("connecting");
    retryAt = $state(0);
    table = $state.raw<TableInfo | null>(null);
    shown = $state.raw<Update | null>(null);
    before = $state.raw<Update | null>(null); // what was shown before, where the change can be animated
    log = $state.raw<readonly LoggedMove[]>([]);
    refused = $state.raw<Refusal | null>(null);
    trouble = $state.raw<Refused | null>(null); // a refusal of anything but a move
    moving = $state<string | null>(null); // the move in flight
    queued = $state(0);
    settled = $state(true); // the display time of what is shown is over
    everLost = $state(false);
    slow = $state(false); // a request has not been answered for a second

    /** The display time of a change, in ms; the default if undefined. */
    displayTime: (before: unknown, after: unknown) => number | undefined = () => undefined;
    /** Called with what a player says. */
    heard: (said: Said) => void = () => undefined;
    /** Whether everyone acts at once: then updates are shown immediately and moves do not block. */
    simultaneous: () => boolean = () => false;

    #connection: Connection;
    #views: { seats: readonly number[]; text: boolean } | null = null;
    #queue: Update[] = [];
    #timer: number | undefined;
    #settling: number | undefined;
    #freeAt = 0;
    #moveId: string | null = null;
    #movePly = 0;
    #moveDone = false;
    #moves = new SvelteMap<string, { text: string; answer(answer: Answer): void }>();
    #wasReady = false;
    #deal: StoredDeal | null = null; // also where nothing can be stored
    #revealId: string | null = null;

    constructor(readonly id: string) {
        this.#connection = new Connection(id, {
            opened: () => {
                this.state = "open";
                if (this.#views) this.#sendViews();
                this.#sendVisible();
            },
            received: (message) => this.#handle(message),
            lost: (retryAt) => void this.#lost(retryAt),
            slow: (waits) => (this.slow = waits),
        });
        document.addEventListener("visibilitychange", this.#sendVisible);
    }

    end(): void {
        clearTimeout(this.#timer);
        clearTimeout(this.#settling);
        document.removeEventListener("visibilitychange", this.#sendVisible);
        this.#connection.end();
    }

    /** Report whether the page is shown: who looks at the table is not notified, and what was said of it is read. */
    #sendVisible = (): void => {
        this.#connection.say({ type: "visible", visible: !document.hidden });
        if (!document.hidden) void closeNotifications(this.id);
    };

    /** Whether a move has not been answered for a second. */
    get sending(): boolean {
        return this.slow && this.#moves.size > 0;
    }

    /** Convert a time of the server to this device's clock. */
    localTime(serverTime: number): number {
        return serverTime - this.#connection.offset;
    }

    /** End the display time of what is shown. */
    goOn(): void {
        this.#freeAt = Date.now();
        this.#hold();
        if (this.#queue.length) this.#schedule();
    }

    viewOf(update: Update | null, seat: number): SeatView | null {
        return update?.views.find((view) => view.seat === seat) ?? null;
    }

    // -- Requests

    /** Choose the seats whose views are sent; none for a watcher's view. */
    selectViews(seats: readonly number[], text: boolean): void {
        const same =
            this.#views?.text === text &&
            this.#views.seats.length === seats.length &&
            seats.every((seat, i) => this.#views?.seats[i] === seat);
        if (same) return;
        this.#views = { seats, text };
        this.#sendViews();
    }

    #sendViews(): void {
        if (this.#views)
            this.#connection.say({
                type: "select-views",
                seats: [...this.#views.seats],
                text: this.#views.text,
            });
    }

    /** Commit to entropy of our own, having kept the server's commitment. It is revealed when all have committed. */
    ready(): void {
        if (!this.table || this.#wasReady) return;
        this.#wasReady = true;
        this.#deal = storeDeal(this.id, this.table.commitment);
        const commitment = entropyCommitment(this.#deal.entropy);
        if (startsAtOnce(this.table)) this.#reveal(this.#deal, [commitment]);
        else this.#connection.request({ type: "commit", id: token(), commitment });
    }

    /** Reveal our entropy once the commitments of all players are published, if ours is among them. */
    #revealIfPublished({ status, commitment, commitments }: TableInfo): void {
        if (status !== "waiting" || !commitments || this.#revealId) return;
        const deal = this.#deal ?? storedDeal(this.id);
        if (deal?.commitment !== commitment || !commitments.includes(entropyCommitment(deal.entropy))) return;
        if (!deal.commitments || deal.commitments.join() === commitments.join())
            this.#reveal(deal, commitments);
    }

    #reveal(deal: StoredDeal, commitments: readonly string[]): void {
        storeCommitments(this.id, deal, commitments);
        this.#revealId = token();
        this.#connection.request({ type: "ready", id: this.#revealId, entropy: deal.entropy });
    }

    start(): void {
        this.#connection.request({ type: "start", id: token() });
    }

    /** Make a move; the promise settles with its answer, or never if it was not sent. */
    move(seat: number, text: string): Promise<Answer> {
        return new Promise((answer) => {
            if (!this.shown || (!this.simultaneous() && this.#moveId)) return;
            const id = token();
            this.refused = null;
            this.#moves.set(id, { text, answer });
            if (!this.simultaneous()) {
                this.#moveId = id;
                this.#movePly = this.shown.ply;
                this.#moveDone = false;
                this.moving = text;
            }
            this.#connection.request({ type: "move", id, seat, ply: this.shown.ply, text });
        });
    }

    resign(seat: number): void {
        this.#connection.request({ type: "resign", id: token(), seat });
    }

    rematch(): void {
        this.#connection.request({ type: "rematch", id: token() });
    }

    /** Say a phrase as the player of a seat, if there is a connection: it is not said late. */
    say(seat: number, phrase: Phrase): void {
        this.#connection.say({ type: "say", id: token(), seat, phrase });
    }

    // -- Messages from the server

    #handle(message: FromServer): void {
        switch (message.type) {
            case "table":
                this.table = message.table;
                this.#revealIfPublished(message.table);
                break;
            case "update":
                this.#receive(message);
                break;
            case "said":
                this.heard(message);
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
        if (message.id && message.id === this.#revealId) return; // too late: the proof of the deal will show it
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
        if (!this.simultaneous()) this.refused = refusal;
    }

    #receive(update: Update): void {
        if (!this.#wanted(update)) return;
        if (update.history) {
            // After connecting or choosing views: the complete state, without animation.
            this.#queue = [];
            this.#remember(update.history);
            this.#show(update, null);
            return;
        }
        // A change that no move made, such as the end by resignation, waits for nothing.
        const now = this.simultaneous() || document.hidden || update.move === null;
        if (now || (!this.#queue.length && Date.now() >= this.#freeAt)) {
            while (this.#queue.length) this.#next();
            this.#show(update, this.shown);
            return;
        }
        this.#queue.push(update);
        this.queued = this.#queue.length;
        this.#schedule();
    }

    /** Whether an update has the views that were chosen last. */
    #wanted(update: Update): boolean {
        if (!this.#views) return true;
        const seats = this.#views.seats.length ? this.#views.seats : [-1];
        return (
            update.views.length === seats.length &&
            update.views.every(
                (view) => seats.includes(view.seat) && (view.text !== null || !this.#views?.text),
            )
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
        this.before = update.move ? before : null; // only moves are animated
        this.shown = update;
        if (update.move) this.refused = null;
        const view = update.views[0];
        const hold =
            update.move && view
                ? (this.displayTime(this.viewOf(before, view.seat)?.view ?? null, view.view) ?? DISPLAY_TIME)
                : 0;
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

    /** End a move once it is accepted and its result is shown. */
    #settle(): void {
        if (this.#moveDone && this.shown && this.shown.ply > this.#movePly) {
            this.#moveId = null;
            this.#moveDone = false;
            this.moving = null;
        }
    }

    #tell(update: Update, move: Moved, before: Update | null): void {
        if (this.log.at(-1)?.ply === update.ply) return;
        const seen: LoggedMove["seen"] = new Map();
        for (const view of update.views) {
            const text = view.text?.description ?? null;
            seen.set(view.seat, {
                before: this.viewOf(before, view.seat)?.view ?? null,
                after: view.view,
                text,
            });
        }
        this.log = [...this.log, { ply: update.ply, move, seen }];
    }

    #remember(history: readonly Moved[]): void {
        this.log = history.map((move, at) => {
            const known = this.log[at];
            return known?.ply === at + 1 ? known : { ply: at + 1, move, seen: new Map() };
        });
    }
}

/** Whether the table waits for its only user alone, who needs no commitment: the server's came first. */
function startsAtOnce(table: TableInfo): boolean {
    return (
        !table.manual_start &&
        table.seats.every((seat, number) => seat.kind === "bot" || table.your_seats.includes(number))
    );
}

function token(): string {
    return (
        crypto.randomUUID?.() ??
        Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join("")
    );
}
