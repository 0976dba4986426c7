// A user at a table: whose view is shown, what to do now, the log, and the curtain of a shared device.
import type { Answer, BoardView, PromptText, Puzzle, Refusal, SeatClock } from "../../board/contract";
import type { Client } from "../../client/context";
import { LiveTable } from "../../client/live-table.svelte";
import { seatNames } from "../../client/names";
import { puzzleAddress, startOver } from "../../client/puzzle";
import { refusalText } from "../../client/refusal-text";
import { list, say } from "../../i18n/messages.svelte";
import { StageSession } from "../../stage/stage-session.svelte";
import type { TableInfo, Update } from "../../wire/types";
import { Hints } from "./hints.svelte";
import { Phrases } from "./phrases.svelte";

/** How long a shared device shows the view of the player who moved, in ms, before the curtain falls. */
const CURTAIN_DELAY = 1800;

/** Ends that no rule of the game causes. */
export const EARLY_ENDS: readonly string[] = ["resigned", "timeout", "abandoned"];

export class TableSession extends StageSession {
    readonly live: LiveTable;
    readonly readOnly = false;
    opened = $state<number | null>(null); // on a shared device, the seat whose player looks

    constructor(
        client: Client,
        readonly id: string,
    ) {
        super(client);
        this.live = new LiveTable(id);
        this.live.displayTime = (before, after) => this.module?.displayTime?.(before, after, true);
        this.live.simultaneous = () => this.simultaneous;
        this.live.heard = (said) => this.phrases.hear(said);
        const game = $derived(this.gameId);
        $effect(() => {
            if (game) void this.load(game);
        });
        $effect(() => {
            const seats = this.#viewsWanted;
            if (seats) this.live.selectViews(seats, this.module === null);
        });
        $effect(() => {
            if (this.#unready && this.game?.simultaneous === false) this.live.ready();
        });
        // The curtain falls a while after the last move of the player who looks has been shown.
        $effect(() => {
            if (!this.leaving || !this.live.settled) return;
            const timer = setTimeout(() => this.handOver(), CURTAIN_DELAY);
            return () => clearTimeout(timer);
        });
        $effect(() => () => this.live.end());
    }

    get table(): TableInfo | null {
        return this.live.table;
    }
    get gameId() {
        return this.table?.game ?? "";
    }
    get options() {
        return this.table?.options ?? {};
    }
    get seatInfos() {
        return this.table?.seats ?? [];
    }
    get mine(): readonly number[] {
        return this.table?.your_seats ?? [];
    }
    get result(): Update["result"] {
        return this.live.shown?.result ?? null;
    }
    get refused() {
        return this.live.refused;
    }
    get offline() {
        return this.live.state === "lost";
    }
    get hinted() {
        return this.hints.marked;
    }

    /** The user has a seat, and the server has not heard that they are ready. */
    get #unready(): boolean {
        const mine = this.mine[0];
        return this.table?.status === "waiting" && mine !== undefined && !this.table.seats[mine]?.ready;
    }
    /** A race starts once its players say that they are ready; in other games they need not. */
    get asksReady(): boolean {
        return this.simultaneous && this.#unready;
    }

    // -- Whose view

    /** Several players pass this device on. */
    get shared(): boolean {
        return this.mine.length > 1 && !this.simultaneous;
    }
    /** They hide something from each other. */
    get curtained(): boolean {
        return this.shared && this.game?.hidden_information !== false;
    }

    #viewsWanted = $derived.by((): readonly number[] | null => {
        if (!this.table || this.module === undefined || !this.game) return null;
        if (!this.curtained) return this.mine;
        return this.opened === null ? [] : [this.opened];
    });

    seat = $derived.by((): number => {
        const views = this.live.shown?.views ?? [];
        if (this.curtained) return this.opened ?? -1;
        const acting = this.live.shown?.turn.find((seat) => this.mine.includes(seat));
        return (views.find(({ seat }) => seat === acting) ?? views[0])?.seat ?? -1;
    });

    /** The seat to act whose player does not look yet: the curtain is down. */
    curtainFor = $derived.by((): number | null => {
        if (!this.curtained || this.result || this.table?.status !== "playing") return null;
        const acting = this.live.shown?.turn.find((seat) => this.mine.includes(seat));
        // The player before still looks, until the device is handed over.
        if (acting === undefined || (this.opened !== null && this.opened !== acting)) return null;
        const sees = this.opened !== null && this.live.viewOf(this.live.shown, acting) !== null;
        return sees ? null : acting;
    });

    openCurtain(seat: number): void {
        this.opened = seat;
    }

    /** The player who looks has no more to do: the device is to be handed on. */
    leaving = $derived.by(
        () => this.curtained && this.opened !== null && !this.result && !this.turn.includes(this.opened),
    );

    handOver(): void {
        this.opened = null;
        this.live.refused = null; // it was meant for the player who looked
    }

    // -- The position

    names = $derived.by(() => seatNames(this.table?.seats ?? []));
    #shown = $derived.by(() => this.live.viewOf(this.live.shown, this.seat));
    view: unknown = $derived(this.#shown?.view ?? null);
    drawn = $derived(this.#shown?.text ?? null);
    before: unknown = $derived.by(() => this.live.viewOf(this.live.before, this.seat)?.view ?? null);
    legal = $derived.by((): readonly string[] => {
        const { moving, queued } = this.live;
        const busy = !this.simultaneous && (moving !== null || queued > 0);
        return this.result || busy ? [] : (this.#shown?.legal ?? []);
    });
    views: readonly BoardView<unknown>[] = $derived.by(() => this.live.shown?.views ?? []);
    turn = $derived.by(() => (this.result ? [] : (this.live.shown?.turn ?? [])));
    myTurn = $derived(this.turn.some((seat) => this.mine.includes(seat)));
    moves = $derived.by(() => this.live.log.map(({ move }) => move));
    standing = $derived.by(() => {
        const { shown, before, settled } = this.live;
        const { scores = [], result = null } = (settled || !before ? shown : before) ?? {};
        return { scores, result };
    });
    startsAt = $derived.by(() => {
        const begins = this.live.shown?.begins ?? null;
        return begins === null ? null : this.live.localTime(begins);
    });
    puzzle = $derived.by((): Puzzle | null => {
        const { table } = this;
        if (!table?.seed) return null;
        const address = puzzleAddress(table, this.game);
        return {
            code: table.seed,
            address,
            startOver: () => void startOver(table).then((id) => this.client.router.go(`/t/${id}`)),
        };
    });

    override get movedAt(): number {
        const { shown } = this.live;
        const seen = Math.max(this.table?.updated ?? 0, shown?.move ? shown.now : 0);
        return seen ? this.live.localTime(seen) : Date.now();
    }

    override clock(seat: number): SeatClock | null {
        const clock = this.live.shown?.clock;
        const left = clock?.left[seat];
        if (!clock || left === undefined) return null;
        const running = clock.running === seat && !this.result;
        const paused = running ? (clock.paused_until ?? null) : null;
        const pausedUntil = paused === null ? null : this.live.localTime(paused);
        return { left, at: this.live.localTime(clock.at), running, pausedUntil };
    }

    // -- Texts

    /** What to do now. */
    promptText = $derived.by((): PromptText => {
        const over = { title: say("prompt.over"), detail: "" };
        if (this.result && EARLY_ENDS.includes(this.result.reason)) return over;
        if (this.module && this.view) return this.module.prompt(this.context());
        if (this.result) return over;
        if (this.simultaneous) return { title: say("prompt.atOnce"), detail: say("prompt.choose") };
        if (this.turn.includes(this.seat)) {
            const name = this.names[this.seat] ?? "";
            return {
                title: this.shared ? say("prompt.named", { name }) : say("turn.yours"),
                detail: say("prompt.choose"),
            };
        }
        const name = list(this.turn.map((seat) => this.nameOf(seat)));
        return {
            title: say("prompt.other", { name }),
            detail: this.mine.length ? "" : say("watching.text"),
        };
    });

    /** The log, newest first: no more than the viewer may know now. */
    log = $derived.by((): readonly { ply: number; text: string }[] => {
        if (this.view === null) return []; // another view is on its way
        const { texts } = this;
        const lines: { ply: number; text: string }[] = [];
        for (const { ply, move, seen: views } of this.live.log) {
            const seen = views.get(this.seat);
            let text: string | null;
            if (texts && seen) text = texts.logLine(seen.before, seen.after, this.context());
            else if (texts?.logLineFromText) text = texts.logLineFromText(move, this.context());
            else text = seen?.text ?? say("log.move", { name: this.names[move.seat] ?? "", move: move.text });
            if (text) lines.push({ ply, text });
        }
        return lines.reverse();
    });

    readonly hints = new Hints(this);
    readonly phrases = new Phrases(this);

    /** A refusal in the user's language, if the game has a message for it. */
    refusalText(refusal: Omit<Refusal, "move">): string {
        return refusalText(this.gameSay, refusal);
    }

    send(text: string, seat = this.seat): Promise<Answer> {
        return this.live.move(seat, text);
    }

    goOn(): void {
        this.live.goOn();
    }
}
