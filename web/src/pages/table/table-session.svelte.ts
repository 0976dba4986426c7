// One person at one table: whose eyes are open, what is asked, what was told, who sits where. Everything that the
// table's page shows follows from here.
import type {
    Answer,
    BoardView,
    Context,
    GameModule,
    Options,
    PromptText,
    Puzzle,
    Refusal,
    Say,
    SeatPlate,
} from "../../board/contract";
import { isScored, loadGame } from "../../client/games";
import { app } from "../../client/app.svelte";
import { puzzleAddress, startOver } from "../../client/puzzle";
import { refusalText } from "../../client/refusal-text";
import { language, list, say, gameMessages } from "../../i18n/messages.svelte";
import { settings } from "../../client/settings.svelte";
import type { TextView, GameInfo, TableInfo, Update } from "../../wire/types";
import { seatNames } from "../../client/names";
import { boardProps } from "./board-props";
import { Hints } from "./hints.svelte";
import { LiveTable } from "../../client/live-table.svelte";
import { seatPlates } from "./seats";

/** How long a shared device stays with the one who moved before the curtain falls. */
const LINGER = 1800;

/** Ends that no rule of the game brings about, and that its board cannot see in its view. */
export const EARLY: readonly string[] = ["resigned", "timeout", "abandoned"];

export class TableSession {
    live: LiveTable;
    #board = $state.raw<GameModule | null | undefined>(undefined);
    /** The game's own; null on the generic table, undefined while it is not known yet. */
    module = $derived(this.#board && settings.choices.plain ? null : this.#board);
    opened = $state<number | null>(null); // on a shared device, the seat whose player looks
    fallsAt = $state<number | null>(null); // when the curtain will fall

    #game = $derived.by((): GameInfo | null => app.game(this.live.table?.game ?? ""));
    /** Whose words are spoken: on a plain table the server's, but they are English. */
    #teller = $derived(this.module ?? (language() === "en" ? null : (this.#board ?? null)));
    #say: Say = $derived(gameMessages(this.table?.game ?? "", this.#teller?.messages ?? {}));
    #fall: number | undefined;

    constructor(readonly id: string) {
        this.live = new LiveTable(id);
        const game = $derived(this.live.table?.game);
        $effect(() => {
            if (!game) return;
            void loadGame(game).then((module) => {
                if (module?.displayTime) this.live.hold = module.displayTime;
                this.#board = module;
            });
        });
        $effect(() => {
            this.live.atOnce = this.atOnce;
        });
        $effect(() => {
            const eyes = this.#eyesWanted;
            if (eyes) this.live.look(eyes, this.module === null);
        });
        $effect(() => {
            if (this.#unready && this.#game?.simultaneous === false) this.live.ready();
        });
        $effect(() => this.#watchCurtain(this.live.shown));
        $effect(() => () => {
            clearTimeout(this.#fall);
            this.live.end();
        });
    }

    get table(): TableInfo | null {
        return this.live.table;
    }
    get game(): GameInfo | null {
        return this.#game;
    }
    get options(): Options {
        return this.table?.options ?? {};
    }
    get title(): string {
        return this.#game?.title ?? this.table?.game ?? "";
    }
    get gameSay(): Say {
        return this.#say;
    }
    get mine(): readonly number[] {
        return this.table?.your_seats ?? [];
    }
    get atOnce(): boolean {
        return this.#game?.simultaneous ?? false;
    }
    /** The user has a seat, and the server has not heard that they are ready. */
    get #unready(): boolean {
        const mine = this.mine[0];
        return this.table?.status === "waiting" && mine !== undefined && !this.table.seats[mine]?.ready;
    }
    /** A race is about to start once its players say that they are ready; in other games they need not. */
    get asksReady(): boolean {
        return this.atOnce && this.#unready;
    }
    get result(): Update["result"] {
        return this.live.shown?.result ?? null;
    }

    // -- Whose eyes

    /** Several people pass this device round. */
    get shared(): boolean {
        return this.mine.length > 1 && !this.atOnce;
    }
    /** And they have secrets from each other. */
    get curtained(): boolean {
        return this.shared && this.#game?.hidden_information !== false;
    }

    #eyesWanted = $derived.by((): readonly number[] | null => {
        if (!this.table || this.module === undefined || !this.#game) return null;
        if (!this.curtained) return this.mine;
        return this.opened === null ? [] : [this.opened];
    });

    /** The seat we see through now; -1 as a watcher. */
    seat = $derived.by((): number => {
        const eyes = this.live.shown?.views ?? [];
        if (this.curtained) return this.opened ?? -1;
        const acting = this.live.shown?.turn.find((seat) => this.mine.includes(seat));
        return (eyes.find((eye) => eye.seat === acting) ?? eyes[0])?.seat ?? -1;
    });

    /** The seat for which the curtain is down: it is theirs to act, and they do not look yet. */
    curtainFor = $derived.by((): number | null => {
        if (!this.curtained || this.result || this.table?.status !== "playing" || this.fallsAt !== null)
            return null;
        const acting = this.live.shown?.turn.find((seat) => this.mine.includes(seat));
        if (acting === undefined) return null;
        const sees = acting === this.opened && this.live.eye(this.live.shown, acting) !== null;
        return sees ? null : acting;
    });

    openCurtain(seat: number): void {
        this.opened = seat;
    }

    /** Hand the device on at once. */
    handOver(): void {
        clearTimeout(this.#fall);
        this.fallsAt = null;
        this.opened = null;
    }

    #watchCurtain(shown: Update | null): void {
        const over = shown?.result ?? null;
        const theirs = this.opened !== null && shown?.turn.includes(this.opened);
        if (!this.curtained || this.opened === null || theirs || over) {
            clearTimeout(this.#fall);
            this.fallsAt = null;
        } else if (this.fallsAt === null) {
            this.fallsAt = Math.max(Date.now(), this.live.freeAt) + LINGER;
            this.#fall = window.setTimeout(() => this.handOver(), this.fallsAt - Date.now());
        }
    }

    // -- What is seen

    names = $derived.by(() => seatNames(this.table?.seats ?? []));

    #eye = $derived.by(() => this.live.eye(this.live.shown, this.seat));

    view: unknown = $derived(this.#eye?.view ?? null);
    drawn: TextView | null = $derived(this.#eye?.text ?? null);

    legal = $derived.by((): readonly string[] => {
        const { moving, queued } = this.live;
        return this.result || (!this.atOnce && (moving !== null || queued)) ? [] : (this.#eye?.legal ?? []);
    });

    before: unknown = $derived.by(() => this.live.eye(this.live.before, this.seat)?.view ?? null);

    eyes: readonly BoardView<unknown>[] = $derived.by(() =>
        (this.live.shown?.views ?? []).map(({ seat, view, legal }) => ({ seat, view, legal })),
    );

    /** The position, as the game's functions take it. */
    context(view: unknown = this.view): Context {
        const { seat, legal, names, gameSay: say, options } = this;
        return { view, seat, legal, names, say, options };
    }

    /** The seats that may act now. */
    turn = $derived.by(() => (this.result ? [] : (this.live.shown?.turn ?? [])));

    /** It is for one of us to act. */
    myTurn = $derived(this.turn.some((seat) => this.mine.includes(seat)));

    called(seat: number): string {
        return this.mine.length === 1 && this.mine[0] === seat ? say("you") : (this.names[seat] ?? "");
    }

    /** The scores and the end as they are told: what led there is looked at first. */
    standing = $derived.by(() => {
        const { shown, before, settled } = this.live;
        const { scores = [], result = null } = (settled || !before ? shown : before) ?? {};
        return { scores, result };
    });

    /** Whether the scores are worth telling. */
    scored = $derived.by(() => isScored(this.table?.game ?? ""));

    plates: readonly SeatPlate[] = $derived.by(() => seatPlates(this));

    /** What is asked now, in a sentence and why. */
    asked = $derived.by((): PromptText => {
        if (this.result && EARLY.includes(this.result.reason))
            return { title: say("asked.over"), detail: "" };
        if (this.live.shown && this.module && this.view) {
            return this.module.prompt(this.context());
        }
        if (this.result) return { title: say("asked.over"), detail: "" };
        const acting = this.turn.map((seat) => this.called(seat));
        if (this.atOnce) return { title: say("asked.atOnce"), detail: say("asked.choose") };
        if (this.turn.includes(this.seat)) {
            const title = this.shared
                ? say("asked.named", { name: this.names[this.seat] ?? "" })
                : say("turn.yours");
            return { title, detail: say("asked.choose") };
        }
        return {
            title: say("asked.other", { name: list(acting) }),
            detail: this.mine.length ? "" : say("watching.text"),
        };
    });

    /** What was told, newest first, by what we may know now. */
    story = $derived.by((): readonly { ply: number; text: string }[] => {
        if (this.view === null) return []; // other eyes are being opened
        const lines: { ply: number; text: string }[] = [];
        for (const told of this.live.told) {
            const seen = told.seen.get(this.seat);
            let text: string | null;
            if (this.#teller && seen) text = this.#teller.logLine(seen.before, seen.after, this.context());
            else if (this.#teller?.logLineFromText)
                text = this.#teller.logLineFromText(told.move, this.context());
            else
                text =
                    seen?.telling ??
                    say("told", { name: this.names[told.move.seat] ?? "", move: told.move.text });
            if (text) lines.push({ ply: told.ply, text });
        }
        return lines.reverse();
    });

    moves = $derived.by(() => this.live.told.map(({ move }) => move));

    /** When a race starts, by our clock, while that lies ahead. */
    begins = $derived.by(() => {
        const begins = this.live.shown?.begins ?? null;
        return begins === null ? null : this.live.ours(begins);
    });

    /** What a strong bot would do, where the table lets us ask. */
    readonly hints = new Hints(this);

    /** What the board is boardProps, but for what only the page knows. */
    readonly props = boardProps(this);

    /** Alone at a table: the puzzle, as it can be passed on. */
    puzzle = $derived.by((): Puzzle | null => {
        const { table } = this;
        if (!table?.seed) return null;
        const address = puzzleAddress(table, this.#game);
        return { code: table.seed, address, startOver: () => void startOver(table) };
    });

    /** A refusal in the reader's language, as far as the game has words for it. */
    refusal(refusal: Omit<Refusal, "move">): string {
        return refusalText(this.#say, refusal);
    }

    send(text: string, seat = this.seat): Promise<Answer> {
        return this.live.move(seat, text);
    }
}
