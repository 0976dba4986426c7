// What a strong bot would do in this person's place, where the table lets them ask: nothing of it outlives its position.
import { api } from "../../client/api";
import { errorText } from "../../client/error-text";
import { list, say } from "../../i18n/messages.svelte";
import type { TableSession } from "./table-session.svelte";

/** A move that was named, in words, with the chance to win by it; null for the only move there is. */
export interface Advice {
    text: string;
    words: string;
    chance: number | null;
}

interface Answered {
    ply: number;
    seat: number;
    moves: readonly Advice[];
}

const TROUBLED = 6000; // ms that a warning stays

export class Hints {
    asking = $state(false);
    trouble = $state("");
    chosen = $state(0); // of the moves, the one that the board marks
    #answered = $state.raw<Answered | null>(null);
    #asked = 0;

    constructor(readonly session: TableSession) {}

    /** Whether to offer them: it is for whoever looks to act. Of several at one race nobody could tell who asks. */
    offered = $derived.by(() => {
        const { table, seat, mine, turn, simultaneous, curtainFor, live } = this.session;
        if (!table?.hints || live.state !== "open" || curtainFor !== null) return false;
        return mine.includes(seat) && turn.includes(seat) && !(simultaneous && mine.length > 1);
    });

    /** The moves, the best first; none once the table has moved on. */
    moves = $derived.by((): readonly Advice[] => {
        const answer = this.#answered;
        const { seat, live, simultaneous, legal } = this.session;
        if (!answer || !this.offered || answer.seat !== seat) return [];
        if (!simultaneous) {
            if (answer.ply !== live.shown?.ply) return [];
            return answer.moves.map((move) => ({ ...move, words: this.#words(move.text) }));
        }
        // In a race the others go on meanwhile: what is named holds while it means the same.
        if (live.log.some(({ ply, move }) => ply > answer.ply && move.seat === seat)) return [];
        return answer.moves.filter(({ text, words }) => legal.includes(text) && this.#words(text) === words);
    });

    /** The move that the board marks. */
    marked = $derived.by(() => (this.moves[this.chosen] ?? this.moves[0])?.text ?? null);

    /** Asks, or puts away the answer. */
    async toggle(): Promise<void> {
        if (this.moves.length > 0) return this.dismiss();
        if (!this.offered || this.asking) return;
        const { id, seat } = this.session;
        const asked = ++this.#asked;
        this.asking = true;
        this.trouble = "";
        try {
            const { ply, moves } = await api.hint(id, seat);
            if (asked !== this.#asked) return;
            this.chosen = 0;
            this.#answered = {
                ply,
                seat,
                moves: moves.map(({ text, chance }) => ({ text, chance, words: this.#words(text) })),
            };
            if (this.moves.length > 0) this.session.client.announcer.now(this.#aloud());
        } catch (error) {
            if (asked !== this.#asked) return;
            this.#warn(errorText(error));
        } finally {
            if (asked === this.#asked) this.asking = false;
        }
    }

    /** Puts away the answer, or the one to come. */
    dismiss(): void {
        this.#asked++;
        this.asking = false;
        this.trouble = "";
        this.#answered = null;
    }

    /** Marks another of the moves. */
    choose(at: number): void {
        this.chosen = at;
    }

    #words(text: string): string {
        const { module, view } = this.session;
        const words = view === null ? "" : module?.hintText?.(text, this.session.context());
        return words || text;
    }

    #aloud(): string {
        const moves = this.moves.map(({ words, chance }) =>
            say("hint.aloud", { words, chance: odds(chance) }),
        );
        return `${say("hint.note")} ${list(moves)}`;
    }

    #warn(text: string): void {
        this.trouble = text;
        this.session.client.announcer.now(text);
        setTimeout(() => (this.trouble = this.trouble === text ? "" : this.trouble), TROUBLED);
    }
}

/** A chance as people read it: "62 %". An estimate is never certain, unless the bot is. */
export function odds(chance: number | null): string {
    if (chance === null) return say("hint.only");
    const sure = chance === 0 || chance === 1;
    const percent = Math.round(chance * 100);
    return say("hint.chance", { percent: sure ? percent : Math.min(99, Math.max(1, percent)) });
}
