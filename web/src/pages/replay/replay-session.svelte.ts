// A replay of a finished game: the move that is shown, whose view, and whether it plays.
import type { Answer, BoardView, Result } from "../../board/contract";
import { api, ApiError } from "../../client/api";
import { seatNames } from "../../client/names";
import type { Client } from "../../client/context";
import { say } from "../../i18n/messages.svelte";
import { sayReplay } from "./say";
import { StageSession } from "../../stage/stage-session.svelte";
import type { Frame, Moved, TableInfo } from "../../wire/types";
import { FrameLoader, type Frames } from "./frame-loader.svelte";
import { momentOf, momentPath, type Viewpoint } from "./moment";

export const SPEEDS = [0.5, 1, 2, 4] as const;
const LOOK = 1100; // ms that a move is looked at, at least
const RACE = { least: 60, most: 1500 }; // ms between two moves of a race, which has a time of its own
const SETTLES = 300; // ms until the moment is written into the address

export class ReplaySession extends StageSession {
    table = $state.raw<TableInfo | null>(null);
    trouble = $state.raw<unknown>(null);
    gone = $state(false);
    ply = $state(0); // the moment that is wanted
    viewpoint = $state.raw<Viewpoint>("watcher");
    playing = $state(false);
    speed = $state<number>(1);
    /** What is shown, and what was shown before where the change can be animated. */
    shown = $state.raw<{ frame: Frame; before: Frame | null; viewpoint: Viewpoint } | null>(null);

    #loader = $state.raw<FrameLoader | null>(null);
    #timer: number | undefined;
    #writing: number | undefined;

    constructor(
        client: Client,
        readonly id: string,
    ) {
        super(client);
        void this.#open();
        $effect(() => {
            if (this.#loader && this.module !== undefined)
                this.#loader.load(this.viewpoint, this.module === null, this.ply);
        });
        $effect(() => this.#show(this.frames[this.ply]));
        $effect(() => {
            if (!this.playing || !this.shown || this.shown.frame.ply !== this.ply) return;
            if (this.ply >= this.plies) return void (this.playing = false);
            this.#timer = window.setTimeout(() => this.#move(this.ply + 1), this.#wait(this.shown));
            return () => clearTimeout(this.#timer);
        });
        $effect(() => {
            const path = momentPath(this.id, this.ply, this.viewpoint);
            if (!this.table || this.playing) return;
            this.#writing = window.setTimeout(() => history.replaceState(null, "", path), SETTLES);
            return () => clearTimeout(this.#writing);
        });
    }

    async #open(): Promise<void> {
        try {
            const table = await api.table(this.id);
            if (table.status === "finished") {
                const { ply, viewpoint } = momentOf(location.search);
                const own = table.your_seats.length === 1 ? table.your_seats[0] : undefined;
                this.ply = Math.min(ply, table.ply);
                this.viewpoint =
                    typeof viewpoint === "number" && viewpoint >= table.seats.length
                        ? "watcher"
                        : (viewpoint ?? own ?? "watcher");
                this.#loader = new FrameLoader(this.id, table.ply, (error) => (this.trouble = error));
            }
            this.table = table;
            await this.load(table.game);
        } catch (error) {
            this.gone = error instanceof ApiError && error.status === 404;
            this.trouble = error;
        }
    }

    // -- The position

    names = $derived.by(() => seatNames(this.table?.seats ?? []));
    get gameId() {
        return this.table?.game ?? "";
    }
    get options() {
        return this.table?.options ?? {};
    }
    get seatInfos() {
        return (this.table?.seats ?? []).map(({ kind, name, bot_account }) => ({
            kind,
            name,
            bot_account,
            connected: true,
        }));
    }
    get plies(): number {
        return this.table?.ply ?? 0;
    }
    readonly readOnly = true;
    readonly offline = false;
    readonly refused = null;
    readonly puzzle = null;
    readonly startsAt = null;
    readonly mine: readonly number[] = [];
    readonly legal: readonly string[] = [];
    readonly hinted = null;

    frames: Frames = $derived.by(() => this.#loader?.seen(this.viewpoint, this.module === null) ?? []);
    view: unknown = $derived(this.shown?.frame.view ?? null);
    before: unknown = $derived(this.shown?.before?.view ?? null);
    seat = $derived.by((): number => (typeof this.shown?.viewpoint === "number" ? this.shown.viewpoint : -1));
    moves = $derived.by(
        (): readonly Moved[] => this.#loader?.moves.slice(0, this.shown?.frame.ply ?? 0) ?? [],
    );
    result = $derived.by((): Result | null =>
        this.shown?.frame.ply === this.plies ? (this.table?.result ?? null) : null,
    );
    turn = $derived.by((): readonly number[] => (this.result ? [] : (this.shown?.frame.turn ?? [])));
    standing = $derived.by(() => ({ scores: this.shown?.frame.scores ?? [], result: this.result }));
    drawn = $derived.by(() => this.shown?.frame.text ?? null);
    /** All seats of a simultaneous game if everything is shown and there is room. */
    views = $derived.by((): readonly BoardView<unknown>[] => {
        const all =
            this.simultaneous &&
            this.shown?.viewpoint === "everything" &&
            this.client.windowWidth.now === "L";
        const seats = all ? [...this.names.keys()] : [this.seat];
        return seats.map((seat) => ({ seat, view: this.view, legal: [] }));
    });

    /** The log line of each move; null if it has none, or its frame is not loaded. */
    lines = $derived.by((): readonly (string | null)[] =>
        this.frames.map((frame, ply) => {
            const move = this.#made(ply);
            return frame && move ? this.#tell(frame, move, this.frames[ply - 1]) : null;
        }),
    );

    /** After which moves chapters begin, with their titles: rounds, where the game has them. */
    chapters = $derived.by((): readonly { ply: number; title: string }[] => {
        const found: { ply: number; title: string }[] = [];
        this.frames.forEach((frame, ply) => {
            const title = frame && this.roundOf(frame.view);
            if (title && title !== found.at(-1)?.title) found.push({ ply, title });
        });
        return found;
    });
    /** The chapter of the move that is shown: the one that ends a chapter belongs to it. */
    chapter = $derived.by(
        () => this.chapters.filter(({ ply }) => ply < Math.max(this.ply, 1)).at(-1)?.title ?? "",
    );

    /** The move that led to a moment in a few words: always some, however plain. */
    line(ply: number): string {
        const move = this.#made(ply);
        if (!move) return ply === 0 ? sayReplay("replay.start") : "";
        return (
            this.lines[ply] ??
            (this.module?.briefLine?.(move, this.context()) ||
                say("log.move", { name: this.names[move.seat] ?? "", move: move.text }))
        );
    }

    /** The move that led to a moment. */
    #made(ply: number): Moved | undefined {
        return this.#loader?.moves[ply - 1];
    }

    #tell(frame: Frame, move: Moved, before: Frame | undefined): string | null {
        if (this.module)
            return this.module.logLine(before?.view ?? null, frame.view, this.context(frame.view));
        return (
            frame.text?.description ?? say("log.move", { name: this.names[move.seat] ?? "", move: move.text })
        );
    }

    send(): Promise<Answer> {
        return new Promise(() => {});
    }

    goOn(): void {}

    // -- Actions

    /** Goes to a moment, and stays there. */
    go(ply: number): void {
        this.playing = false;
        this.#move(ply);
    }

    /** Goes to where the next chapter begins, or this one, or the one before it. */
    skip(on: boolean): void {
        const starts = this.chapters.map(({ ply }) => ply);
        const next = starts.find((ply) => ply > this.ply) ?? this.plies;
        this.go(on ? next : (starts.filter((ply) => ply < this.ply).at(-1) ?? 0));
    }

    play(): void {
        if (!this.playing && this.ply >= this.plies) this.#move(0);
        this.playing = !this.playing;
    }

    see(viewpoint: Viewpoint): void {
        this.viewpoint = viewpoint;
    }

    /** The address of this moment, for anybody. */
    get address(): string {
        return location.origin + momentPath(this.id, this.ply, this.viewpoint);
    }

    #move(ply: number): void {
        this.ply = Math.max(0, Math.min(this.plies, ply));
    }

    #show(frame: Frame | undefined): void {
        const { shown, viewpoint } = this;
        if (!frame || (shown?.frame === frame && shown.viewpoint === viewpoint)) return;
        const follows = shown?.viewpoint === viewpoint && frame.ply === shown.frame.ply + 1;
        this.shown = { frame, before: follows ? shown.frame : null, viewpoint };
    }

    /** How long what is shown is looked at before the next move is made. */
    #wait({ frame, before }: { frame: Frame; before: Frame | null }): number {
        const next = this.#made(frame.ply + 1)?.at ?? null;
        if (this.simultaneous && next !== null) {
            const passed = next - (this.#made(frame.ply)?.at ?? next - LOOK);
            return Math.max(RACE.least, Math.min(RACE.most, passed)) / this.speed;
        }
        return (
            Math.max(LOOK, this.module?.displayTime?.(before?.view ?? null, frame.view, false) ?? 0) /
            this.speed
        );
    }
}
