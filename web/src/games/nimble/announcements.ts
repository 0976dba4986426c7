// What a screen reader says of a race: short, and only the newest. The slow voice waits longer and speaks in sentences.
import type { Say } from "../../board/contract";
import type { Loss } from "./race";
import type { View } from "./types";
import { book, cardText } from "./text";

const QUICK = 140; // ms in which news is gathered
const SLOW = 900;
const EVERY = 5; // cards of another player between two mentions

export class Announcements {
    #news = new Map<string, string>(); // by what it is about: newer news replaces older
    #timer: ReturnType<typeof setTimeout> | undefined;

    constructor(
        readonly say: Say,
        readonly speak: (text: string) => void,
        readonly slow: () => boolean,
    ) {}

    end(): void {
        clearTimeout(this.#timer);
    }

    /** The countdown; at its end what turns up for everybody. */
    count(left: number, view: View): void {
        if (left > 0) return this.speak(this.say("count.label", { count: left }));
        const stacks = view.stacks.map(({ top }, at) => this.#stack(at, top.circle));
        this.speak([this.say("count.go"), stacks.join(this.slow() ? " " : ". ")].join(" "));
    }

    /** Before the start, for those who cannot take in three stacks at a glance. */
    start(view: View): void {
        if (!this.slow()) return;
        view.stacks.forEach(({ top }, at) => this.#hear(`stack${at}`, this.#stack(at, top.circle)));
    }

    /** What changed, as far as the players `mine` need to know it. */
    see(before: View, view: View, mine: readonly number[], names: readonly string[]): void {
        view.stacks.forEach(({ top }, at) => {
            if (top.card !== before.stacks[at]?.top.card)
                this.#hear(`stack${at}`, this.#stack(at, top.circle));
        });
        view.players.forEach(({ top, left }, seat) => {
            const was = before.players[seat];
            if (mine.includes(seat)) {
                if (top && top.card !== was?.top?.card) {
                    const card = cardText(top, this.say);
                    this.#hear("pile", this.say(this.slow() ? "voice.slow.pile" : "voice.pile", { card }));
                }
            } else if (left !== was?.left && left % EVERY === 0) {
                const parameters = { name: names[seat] ?? "", left };
                this.#hear(
                    `seat${seat}`,
                    this.say(this.slow() ? "voice.slow.other" : "voice.other", parameters),
                );
            }
        });
    }

    lost(loss: Loss, names: readonly string[]): void {
        const parameters = { name: loss.by === null ? "" : (names[loss.by] ?? ""), stack: loss.stack + 1 };
        this.#hear("lost", this.say(loss.by === null ? "voice.no" : "voice.late", parameters));
    }

    #stack(at: number, circle: string): string {
        const parameters = { number: at + 1, book: book(circle, this.say) };
        return this.say(this.slow() ? "voice.slow.stack" : "stack.wants", parameters);
    }

    #hear(about: string, text: string): void {
        this.#news.delete(about);
        this.#news.set(about, text);
        this.#timer ??= setTimeout(
            () => {
                this.#timer = undefined;
                const news = [...this.#news.values()].join(this.slow() ? " " : ". ");
                this.#news.clear();
                this.speak(news);
            },
            this.slow() ? SLOW : QUICK,
        );
    }
}
