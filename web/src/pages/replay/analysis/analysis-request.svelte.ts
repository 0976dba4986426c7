// The story of a finished game, as far as the server has told it: asked for once, then looked after until it is there.
import { api } from "../../../client/api";
import type { Analysis, AnalysisReport } from "../../../wire/types";

const AGAIN = 1000; // ms between two looks

export class Telling {
    story = $state.raw<AnalysisReport | null>(null);
    state = $state<Analysis["state"] | "unknown">("unknown");
    done = $state(0);
    of = $state(0);
    trouble = $state.raw<unknown>(null);
    #timer: ReturnType<typeof setTimeout> | undefined;
    #closed = false;

    constructor(readonly id: string) {}

    /** Looks whether it has been told. */
    look(): Promise<void> {
        return this.#ask(() => api.analysis(this.id));
    }

    /** Has it told. */
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
            ({ state: this.state, done: this.done, of: this.of, report: this.story } = answer);
            // A server that was started anew has forgotten that it was at it.
            if (answer.state === "none" && wasRunning) return this.begin();
        } catch (error) {
            if (this.#closed) return;
            this.trouble = error;
            if (!wasRunning) return;
        }
        if (this.state === "running") this.#timer = setTimeout(() => void this.look(), AGAIN);
    }
}
