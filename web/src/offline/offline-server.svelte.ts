// The server of this device: a worker that answers requests and connections like the server elsewhere.
import type { Failure, FromWorker, PartsList, ToWorker } from "./messages";

/** The state of the worker. One that stops is restarted once; if it stops soon again, a person is asked. */
export type ServerState =
    | { kind: "stopped" }
    | { kind: "starting" }
    | { kind: "restarting" }
    | { kind: "ready" }
    | { kind: "failed"; reason: Failure };

/** The part of a Worker that is used here. */
export interface WorkerLike {
    onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
    onerror: ((event: ErrorEvent) => void) | null;
    postMessage(message: ToWorker): void;
    terminate(): void;
}

/** A connection of the page to a table. */
export interface Socket {
    readonly table: string;
    readonly isClosed: boolean;
    /** Called before the connection is opened. */
    connected(channel: { send(text: string): void; close(): void }): void;
    opened(): void;
    received(text: string): void;
    closed(code: number, reason: string): void;
}

interface Request {
    method: string;
    address: string;
    body: string | null;
    answer(response: Response): void;
    fail(error: WorkerStopped): void;
}

const START_WITHIN = 120_000; // ms, on a slow phone
const ANSWER_WITHIN = 45_000; // ms without any message while one is due: the worker has stopped
const LATE = 5_000; // ms by which a timer fires late only if the device was suspended
const STEADY = 60_000; // ms after a restart; a worker that stops later is restarted again
const STOPPED = 1011; // the close code of connections whose worker has stopped

/** The worker stopped before it answered; the request may have been carried out. */
export class WorkerStopped extends Error {}

export class OfflineServer {
    state = $state.raw<ServerState>({ kind: "stopped" });
    trouble = $state<"storage-full" | "storage" | null>(null); // why the worker could not save

    #worker: WorkerLike | null = null;
    #started: Promise<void> | null = null;
    #stopped: (reason: Failure) => void = () => {}; // ends the start that is under way
    #restartedAt = -Infinity;
    #requests = new Map<number, Request>();
    #sockets = new Map<number, Socket>();
    #number = 0;
    #watch: ReturnType<typeof setTimeout> | undefined;

    constructor(
        private readonly parts: () => Promise<PartsList>,
        private readonly spawn: () => WorkerLike,
    ) {}

    /** Send a request to the worker, which is started if need be; reject with WorkerStopped. */
    async request(method: string, address: string, body: string | null = null): Promise<Response> {
        await this.start();
        return new Promise((answer, fail) => {
            const id = ++this.#number;
            this.#requests.set(id, { method, address, body, answer, fail });
            this.#sendRequest(id);
        });
    }

    /** Connect a socket to a table. */
    async connect(socket: Socket): Promise<void> {
        try {
            await this.start();
        } catch {
            socket.closed(STOPPED, "stopped");
        }
        if (socket.isClosed) return;
        const connection = ++this.#number;
        this.#sockets.set(connection, socket);
        socket.connected({
            send: (text) => this.#post({ type: "send", connection, text }),
            close: () => {
                this.#sockets.delete(connection);
                this.#post({ type: "disconnect", connection });
            },
        });
        this.#post({ type: "connect", connection, table: socket.table });
    }

    /** Start the worker unless it runs; reject with WorkerStopped. */
    start(): Promise<void> {
        if (this.state.kind === "failed") return Promise.reject(new WorkerStopped());
        return (this.#started ??= this.#startAndResume("starting"));
    }

    /** Try once more what has failed. */
    retry(): Promise<void> {
        this.#restartedAt = -Infinity;
        this.trouble = null;
        if (this.state.kind === "failed") this.state = { kind: "stopped" };
        return this.start();
    }

    async #startAndResume(kind: "starting" | "restarting"): Promise<void> {
        for (let now = kind; ; now = "restarting") {
            this.state = { kind: now };
            const reason = await this.#startWorker();
            if (reason === null) break;
            if (!this.#mayRestart()) {
                this.#fail(reason);
                throw new WorkerStopped();
            }
        }
        this.state = { kind: "ready" };
        for (const id of this.#requests.keys()) this.#sendRequest(id);
    }

    /** Start a worker; return why it could not be started, null if it is ready. */
    #startWorker(): Promise<Failure | null> {
        return new Promise((settle) => {
            this.#stopped = settle;
            this.#watchFor(START_WITHIN);
            this.parts().then(
                (parts) => {
                    const worker = (this.#worker = this.spawn());
                    worker.onmessage = ({ data }) => {
                        if (this.#worker !== worker) return;
                        if (data.type === "ready") settle(null);
                        this.#receive(data);
                    };
                    worker.onerror = () => this.#worker === worker && this.#stop("internal");
                    worker.postMessage({ type: "start", parts });
                },
                () => this.#stop("start"),
            );
        });
    }

    #receive(message: FromWorker): void {
        if (message.type === "failed") {
            console.error(`offline play: ${message.text}`);
            if (message.reason === "start" || message.reason === "internal") {
                this.#stop(message.reason);
                return;
            }
            this.trouble = message.reason;
        } else if (message.type === "response") {
            this.#requests.get(message.id)?.answer(
                new Response(message.body, {
                    status: message.status,
                    headers: { "content-type": message.mediaType },
                }),
            );
            this.#requests.delete(message.id);
        } else if (message.type !== "ready") {
            const socket = this.#sockets.get(message.connection);
            if (message.type === "opened") socket?.opened();
            else if (message.type === "message") socket?.received(message.text);
            else {
                this.#sockets.delete(message.connection);
                socket?.closed(message.code, message.reason);
            }
        }
        this.#expectAnswer();
    }

    #sendRequest(id: number): void {
        const request = this.#requests.get(id);
        if (!request) return;
        const { method, address, body } = request;
        const contentType = body === null ? null : "application/json";
        this.#post({ type: "request", id, method, address, body, contentType });
    }

    #post(message: ToWorker): void {
        this.#worker?.postMessage(message);
        this.#expectAnswer();
    }

    // -- A worker that stops

    /** Watch for the next message while one is due; open connections ask for one at least every ten seconds. */
    #expectAnswer(): void {
        if (this.state.kind !== "ready") return;
        clearTimeout(this.#watch);
        if (this.#requests.size || this.#sockets.size) this.#watchFor(ANSWER_WITHIN);
    }

    #watchFor(limit: number): void {
        clearTimeout(this.#watch);
        const due = Date.now() + limit;
        this.#watch = setTimeout(() => {
            if (Date.now() > due + LATE) this.#watchFor(limit);
            else this.#stop("internal");
        }, limit);
    }

    /** Give up a worker that has stopped. Another one continues from the games that are stored. */
    #stop(reason: Failure): void {
        clearTimeout(this.#watch);
        this.#worker?.terminate();
        this.#worker = null;
        if (this.state.kind !== "ready") {
            this.#stopped(reason);
            return;
        }
        for (const [id, request] of this.#requests) {
            if (request.method === "GET") continue; // it is sent again
            this.#requests.delete(id);
            request.fail(new WorkerStopped());
        }
        const sockets = [...this.#sockets.values()];
        this.#sockets.clear();
        if (this.#mayRestart()) {
            this.#started = this.#startAndResume("restarting");
            this.#started.catch(() => {}); // those that wait for it are told
        } else this.#fail(reason);
        for (const socket of sockets) socket.closed(STOPPED, "stopped"); // and they connect again
    }

    /** Tell whether a worker that has stopped is restarted without asking, and count that. */
    #mayRestart(): boolean {
        const isFirst = Date.now() - this.#restartedAt > STEADY;
        if (isFirst) this.#restartedAt = Date.now();
        return isFirst;
    }

    #fail(reason: Failure): void {
        this.#started = null;
        this.state = { kind: "failed", reason };
        for (const request of this.#requests.values()) request.fail(new WorkerStopped());
        this.#requests.clear();
    }
}
