// A worker over a real message channel: its other end is the test, which speaks the protocol of src/offline/messages.ts.
import type { WorkerLike } from "../../src/offline/offline-server.svelte";
import type { FromWorker, ToWorker } from "../../src/offline/messages";

export class TestWorker implements WorkerLike {
    onerror: ((event: ErrorEvent) => void) | null = null;
    readonly received: ToWorker[] = [];
    terminated = false;
    #channel = new MessageChannel();
    #waiting: (() => void)[] = [];

    constructor(readonly answer: (message: ToWorker, worker: TestWorker) => void = () => {}) {
        this.#channel.port2.onmessage = ({ data }: MessageEvent<ToWorker>) => {
            this.received.push(data);
            this.answer(data, this);
            this.#waiting.splice(0).forEach((go) => go());
        };
    }

    set onmessage(handle: ((event: MessageEvent<FromWorker>) => void) | null) {
        this.#channel.port1.onmessage = handle;
    }
    postMessage(message: ToWorker): void {
        this.#channel.port1.postMessage(message);
    }
    terminate(): void {
        this.terminated = true;
        this.#channel.port1.close();
    }

    say(message: FromWorker): void {
        this.#channel.port2.postMessage(message);
    }

    /** Wait until messages of a type have arrived. */
    async got<T extends ToWorker["type"]>(type: T, count = 1): Promise<Extract<ToWorker, { type: T }>[]> {
        for (;;) {
            const found = this.received.filter((message) => message.type === type);
            if (found.length >= count) return found as Extract<ToWorker, { type: T }>[];
            await new Promise<void>((go) => this.#waiting.push(go));
        }
    }
}
