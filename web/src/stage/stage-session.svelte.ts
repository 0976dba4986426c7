// What a table, a replay and a lesson have in common: a game, a position, its seats and the props of its board.
// A session differs from another in where its positions come from and where its moves go.
import type {
    Answer,
    BoardProps,
    BoardView,
    Context,
    GameModule,
    Options,
    Puzzle,
    Refusal,
    Result,
    Say,
    SeatClock,
    SeatPlate,
    Sound,
} from "../board/contract";
import type { Client } from "../client/context";
import { isScored, loadGame } from "../client/games";
import { gameMessages, language, say } from "../i18n/messages.svelte";
import type { GameInfo, Moved, SeatInfo, TextView } from "../wire/types";
import { seatPlates } from "./seats";

type StageSeat = Pick<SeatInfo, "kind" | "connected"> &
    Partial<Pick<SeatInfo, "away_until" | "name" | "bot_account" | "challenged" | "declined">>;

export abstract class StageSession {
    constructor(readonly client: Client) {}

    #loaded = $state.raw<GameModule | null | undefined>(undefined);
    /** The game's module; null for the text table, undefined until it is loaded. */
    module = $derived.by(() => (this.client.settings.choices.plain && this.#loaded ? null : this.#loaded));
    /** The module that describes moves; a text table has the server's English descriptions. */
    texts = $derived(this.module ?? (language() === "en" ? null : (this.#loaded ?? null)));
    game = $derived.by((): GameInfo | null => this.client.app.game(this.gameId));
    gameSay: Say = $derived.by(() => gameMessages(this.gameId, this.#loaded?.messages ?? {}));
    state: unknown; // that the board shares with what is beside it
    scored = $derived.by(() => isScored(this.gameId));

    // -- The position, from the subclass

    abstract readonly gameId: string; // "" until it is known
    abstract readonly options: Options;
    abstract readonly names: readonly string[]; // by seat
    abstract readonly seatInfos: readonly StageSeat[];
    abstract readonly mine: readonly number[]; // the user's seats
    abstract readonly seat: number; // the viewer's; -1 for a watcher
    abstract readonly view: unknown; // null until there is one
    abstract readonly before: unknown;
    abstract readonly drawn: TextView | null; // for the text table
    abstract readonly legal: readonly string[];
    abstract readonly views: readonly BoardView<unknown>[];
    abstract readonly turn: readonly number[]; // the seats that may act; [] at the end
    abstract readonly moves: readonly Moved[];
    abstract readonly result: Result | null;
    /** The scores and the end that the seats show: those of the change that has been shown. */
    abstract readonly standing: { scores: readonly number[]; result: Result | null };
    abstract readonly hinted: string | null;
    abstract send(text: string, seat?: number): Promise<Answer>;
    abstract goOn(): void;
    abstract readonly refused: Refusal | null;
    abstract readonly puzzle: Puzzle | null;
    abstract readonly startsAt: number | null; // of a race, by this device's clock
    abstract readonly readOnly: boolean;
    abstract readonly offline: boolean;

    /** When something last happened in the game, by this device's clock. */
    get movedAt(): number {
        return Date.now();
    }

    clock(_seat: number): SeatClock | null {
        return null;
    }

    // -- What follows from it

    get title(): string {
        return this.game?.title ?? this.gameId;
    }
    get simultaneous(): boolean {
        return this.game?.simultaneous ?? false;
    }

    /** The name of a seat, or "You" for the user's only one. */
    nameOf(seat: number): string {
        return this.mine.length === 1 && this.mine[0] === seat ? say("you") : (this.names[seat] ?? "");
    }

    /** The position as the game's functions take it. */
    context(view: unknown = this.view): Context {
        const { seat, legal, moves, names, gameSay, options } = this;
        return {
            view,
            seat,
            legal,
            moves,
            names,
            say: gameSay,
            options,
            shared: this.simultaneous && this.mine.length > 1,
        };
    }

    /** The round of a position: its last move is left out, as it may have ended the round before. */
    roundOf(view: unknown): string {
        return this.module?.heading?.(this.context({ ...(view as object), last: null })).title ?? "";
    }

    /** The position for a screen reader. */
    get description(): string {
        return this.view === null ? "" : (this.module?.describePosition?.(this.context()) ?? "");
    }

    plates: readonly SeatPlate[] = $derived.by(() => seatPlates(this));

    /** The props of the board, but for those of the page. Getters: a board updates only for what changed. */
    readonly boardProps = boardProps(this);

    protected async load(game: string): Promise<GameModule | null> {
        const module = await loadGame(game);
        this.state = module?.createState?.();
        this.#loaded = module;
        return module;
    }
}

function boardProps(session: StageSession): Omit<BoardProps, "prompt" | "hint" | "openRule"> {
    const props = {
        send: (text: string, seat?: number) => session.send(text, seat),
        goOn: () => session.goOn(),
        sound: (name: Sound, pitch?: number) => session.client.sounds.play(name, pitch),
        get say() {
            return session.gameSay;
        },
        get seats() {
            return session.plates;
        },
        get settings() {
            return session.client.settings.forBoards;
        },
        get width() {
            return session.client.windowWidth.now;
        },
    };
    const same = [
        "view",
        "before",
        "seat",
        "legal",
        "names",
        "options",
        "moves",
        "refused",
        "result",
        "views",
        "puzzle",
        "hinted",
        "startsAt",
        "readOnly",
        "state",
    ] as const satisfies readonly (keyof BoardProps)[];
    for (const key of same) Object.defineProperty(props, key, { enumerable: true, get: () => session[key] });
    return props as typeof props & Pick<StageSession, (typeof same)[number]>;
}
