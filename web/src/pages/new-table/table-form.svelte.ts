// What is chosen for a new table, and the request that is made of it.
import { defaultLevel, defaultSeats } from "../../client/levels";
import { optionsOf } from "../../client/puzzle";
import { say } from "../../i18n/messages.svelte";
import type { Clock, GameInfo, NewTable, OptionValue, SeatRequest } from "../../wire/types";
import { unratedWish } from "../ratings/unrated";

/** The player of a seat: the user, somebody on the same device, anybody with the link, a bot of a level, a bot account. */
type Sitter = "me" | "guest" | "open" | `bot:${string}` | `challenge:${string}`;

export const CLOCKS: Readonly<Record<string, Clock>> = {
    none: { kind: "none" },
    quick: { kind: "bank", seconds: 300, increment: 5 },
    slow: { kind: "bank", seconds: 900, increment: 10 },
    move: { kind: "move", seconds: 30 },
    day: { kind: "move", seconds: 86_400 },
};

export class TableForm {
    count = $state(0);
    sitters = $state<Sitter[]>([]);
    names = $state<string[]>([]);
    options = $state<Record<string, OptionValue>>({});
    clock = $state("none");
    isPublic = $state(false);
    botsWelcome = $state(false);
    takeover = $state(false);
    hintsChosen = $state<boolean | null>(null); // null until chosen: see hints
    puzzle = $state("");

    readonly seats = $derived(Array.from({ length: this.count }, (_, seat) => this.#seat(seat)));
    readonly againstBots = $derived(
        this.seats.some(({ kind }) => kind === "bot") &&
            this.seats.filter(({ kind }) => kind !== "bot").length === 1,
    );
    readonly hints = $derived.by(
        () => this.hintsChosen ?? (this.count === 1 || (this.againstBots && !this.prefersRated())),
    );
    readonly hasOpenSeat = $derived(this.seats.some(({ kind }) => kind === "open"));
    readonly challenged: string | null; // the bot account that the address asks for
    readonly unrated = $derived.by(() => unratedWish(this.game, this));

    /** Fill in what an address asks for, and what is usual. */
    constructor(
        readonly game: GameInfo,
        query: string,
        private readonly prefersRated: () => boolean,
    ) {
        this.puzzle = new URLSearchParams(query).get("puzzle") ?? "";
        this.count = this.puzzle && game.min_seats === 1 ? 1 : defaultSeats(game);
        const bot: Sitter = `bot:${defaultLevel(game)}`;
        this.sitters = Array.from({ length: game.max_seats }, (_, seat) => (seat ? bot : "me"));
        this.challenged = new URLSearchParams(query).get("challenge");
        if (this.challenged) this.sitters[1] = `challenge:${this.challenged}`;
        this.names = this.sitters.map(() => "");
        this.options = { ...optionsOf(query, game) };
    }

    #seat(seat: number): SeatRequest {
        const sitter = this.sitters[seat] ?? "open";
        if (sitter.startsWith("bot:")) return { kind: "bot", level: sitter.slice(4) };
        if (sitter.startsWith("challenge:")) return { kind: "challenge", player: sitter.slice(10) };
        if (sitter === "guest")
            return {
                kind: "me",
                name: this.names[seat]?.trim() || say("seat.number", { number: seat + 1 }),
            };
        return { kind: sitter === "me" ? "me" : "open" };
    }

    get request(): NewTable {
        const puzzle = this.puzzle.trim().toUpperCase();
        return {
            game: this.game.id,
            seats: this.seats,
            options: this.options,
            public: this.isPublic,
            bots_welcome: this.botsWelcome && this.hasOpenSeat,
            clock: CLOCKS[this.clock] ?? { kind: "none" },
            bot_takeover: this.takeover && this.clock !== "none",
            hints: this.hints,
            seed: (this.count === 1 && puzzle) || null,
        };
    }
}
