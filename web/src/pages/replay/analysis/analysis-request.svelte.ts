// The analysis of a finished game: requested once, then polled until it is complete.
import { api } from "../../../client/api";
import type { Analysis, AnalysisReport } from "../../../wire/types";

const AGAIN = 1000; // ms between two requests

export class AnalysisRequest {
    report = $state.raw<AnalysisReport | null>(null);
    state = $state<Analysis["state"] | "unknown">("unknown");
    done = $state(0);
    of = $state(0);
    trouble = $state.raw<unknown>(null);
    #timer: ReturnType<typeof setTimeout> | undefined;
    #closed = false;

    constructor(readonly id: string) {}

    /** Fetch its state. */
    look(): Promise<void> {
        return this.#ask(() => api.analysis(this.id));
    }

    /** Start it. */
    begin(): Promise<void> {
        return this.#ask(() => api.analyse(this.id));
    }

    close(): void {
        this.#closed = true;
        clearTimeout(this.#timer);
    }

    async #ask(question: () => Promise<Analysis>): Promise<void> {
        clearTimeout(this.#timer);
        const wasRunning = this.state === "running";
        try {
            const answer = await question();
            if (this.#closed) return;
            this.trouble = null;
            ({ state: this.state, done: this.done, of: this.of, report: this.report } = answer);
            // A restarted server has forgotten the running analysis.
            if (answer.state === "none" && wasRunning) return this.begin();
        } catch (error) {
            if (this.#closed) return;
            this.trouble = error;
            if (!wasRunning) return;
        }
        if (this.state === "running") this.#timer = setTimeout(() => void this.look(), AGAIN);
    }
}
