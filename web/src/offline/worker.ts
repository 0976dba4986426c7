// The worker of offline play: a server for the pages of one tab. See docs/offline.md.
import { Database } from "./database";
import type { Failure, FromWorker, PartsList, ToWorker } from "./messages";
import { Network } from "./network";
import { type OfflineServer, startPython } from "./python";

const NAME = "sevenhues-offline"; // of the channel between tabs, and of their locks

function post(message: FromWorker): void {
    self.postMessage(message);
}

function fail(reason: Failure, error: unknown): void {
    post({
        type: "failed",
        reason,
        text: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    });
}

/** Tell the page of an error of the storage, and pass it on to Python. */
function storageFailed(error: unknown): never {
    fail(
        error instanceof DOMException && error.name === "QuotaExceededError" ? "storage-full" : "storage",
        error,
    );
    throw error;
}

/** The database, with a message to the page about every failure. */
function reporting(database: Database) {
    return {
        commit: (changes: string) => database.commit(changes).catch(storageFailed),
        get: (store: string, key: string) => database.get(store, key).catch(storageFailed),
        all: (store: string) => database.all(store).catch(storageFailed),
        log: (table: string, start: number) => database.log(table, start).catch(storageFailed),
        count: (table: string) => database.count(table).catch(storageFailed),
        clear: () => database.clear().catch(storageFailed),
    };
}

/** The workers of other tabs: `sevenhues.offline.device.Tabs`. */
class Tabs {
    readonly #channel = new BroadcastChannel(NAME);
    readonly #locks = new Map<string, () => void>(); // what gives up each lock, or its request

    constructor(
        receive: (text: string) => void,
        readonly granted: (name: string) => void,
    ) {
        this.#channel.onmessage = (event: MessageEvent<string>) => receive(event.data);
    }

    publish(text: string): void {
        this.#channel.postMessage(text);
    }

    lock(name: string): void {
        const request = new AbortController();
        this.#locks.set(name, () => request.abort());
        navigator.locks
            .request(`${NAME}/${name}`, { signal: request.signal }, () => {
                this.granted(name);
                return new Promise<void>((release) => this.#locks.set(name, release));
            })
            .catch(() => undefined); // the request was given up
    }

    unlock(name: string): void {
        this.#locks.get(name)?.();
        this.#locks.delete(name);
    }
}

const page = {
    response: (id: number, status: number, mediaType: string, body: string) =>
        post({ type: "response", id, status, mediaType, body }),
    opened: (connection: number) => post({ type: "opened", connection }),
    message: (connection: number, text: string) => post({ type: "message", connection, text }),
    closed: (connection: number, code: number, reason: string) =>
        post({ type: "closed", connection, code, reason }),
};

async function start(parts: PartsList): Promise<OfflineServer> {
    const [python, database] = await Promise.all([
        startPython(parts, load, read),
        Database.open().catch(storageFailed),
    ]);
    let server: OfflineServer | null = null;
    const device = {
        database: reporting(database),
        page,
        tabs: new Tabs(
            (text) => server?.receive(text),
            (name) => server?.lock_granted(name),
        ),
        load_network: (arrays: string, numbers: string) => new Network(arrays, numbers),
    };
    server = python.pyimport("sevenhues.offline.server").OfflineServer!(device) as OfflineServer;
    await server.open();
    return server;
}

const load = (path: string): Promise<unknown> => import(/* @vite-ignore */ path);

async function read(path: string): Promise<ArrayBuffer> {
    const response = await fetch(path);
    if (!response.ok) throw new Error(`${path} cannot be loaded: ${response.status}`);
    return response.arrayBuffer();
}

function handle(server: OfflineServer, message: Exclude<ToWorker, { type: "start" }>): void {
    if (message.type === "request") {
        server.request(message.id, message.method, message.address, message.body ?? "");
    } else if (message.type === "connect") {
        server.connect(message.connection, message.table);
    } else if (message.type === "send") {
        server.send(message.connection, message.text);
    } else {
        server.disconnect(message.connection);
    }
}

let started: Promise<OfflineServer> | null = null;

self.onmessage = (event: MessageEvent<ToWorker>) => {
    const message = event.data;
    if (message.type === "start") {
        started ??= start(message.parts);
        started.then(
            () => post({ type: "ready" }),
            (error: unknown) => fail("start", error),
        );
    } else {
        started?.then((server) => handle(server, message)).catch((error: unknown) => fail("internal", error));
    }
};
