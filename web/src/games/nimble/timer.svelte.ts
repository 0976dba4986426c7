// The clock of a race: three, two, one before the start, then how long it has run.
import type { Moved } from "../../board/contract";
import { clock } from "./text";

const UNVEIL = 400; // ms after the signal in which the stacks turn over

export class Timer {
    count = $state(0); // seconds to the start; 0 once it runs
    unveils = $state(false);
    text = $state("");
    #begins: number | null = null;
    #start: number | null = null; // of the race, by this device's clock
    #over = false;
    #timer: ReturnType<typeof setTimeout> | undefined;

    /** `begins` while the start lies ahead; later the moves' own times tell when it was. */
    see(begins: number | null, moves: readonly Moved[], over: boolean): void {
        const last = moves.at(-1)?.at ?? null;
        if (begins !== null && begins > Date.now()) this.#begins = this.#start = begins;
        else if (last !== null && !this.#over) {
            // The move that took the shortest way to us is the closest to the truth.
            this.#start = Math.min(this.#start ?? Infinity, Date.now() - last);
        }
        if (over) {
            this.#over = true;
            this.text = last === null ? "" : clock(last);
        }
        this.#tick();
    }

    /** Milliseconds since the start. */
    get now(): number {
        return this.#start === null ? 0 : Math.max(0, Date.now() - this.#start);
    }

    end(): void {
        clearTimeout(this.#timer);
    }

    #tick(): void {
        clearTimeout(this.#timer);
        if (this.#over) {
            this.count = 0;
            this.unveils = false;
            return;
        }
        const now = Date.now();
        const ahead = this.#begins === null ? 0 : this.#begins - now;
        if (ahead > 0) {
            this.count = Math.ceil(ahead / 1000);
            this.#timer = setTimeout(() => this.#tick(), ahead % 1000 || 1000);
            return;
        }
        this.count = 0;
        this.unveils = this.#begins !== null && ahead > -UNVEIL;
        if (this.#start === null) return;
        this.text = clock(now - this.#start);
        this.#timer = setTimeout(
            () => this.#tick(),
            this.unveils ? UNVEIL : 1000 - ((now - this.#start) % 1000),
        );
    }
}
