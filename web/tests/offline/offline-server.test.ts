// The server of this device over a message channel: requests, connections, and workers that stop.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { OfflineSocket } from "../../src/client/offline-socket";
import { OfflineServer, WorkerStopped } from "../../src/offline/offline-server.svelte";
import type { ToWorker } from "../../src/offline/messages";
import { TestWorker } from "../support/worker";

const PARTS = { version: "1", parts: [] };
let workers: TestWorker[];
let behaviour: (message: ToWorker, worker: TestWorker) => void;
let server: OfflineServer;

const worker = (): TestWorker => workers.at(-1) as TestWorker;
/** Become ready, and answer every request with its address. */
const answers = (message: ToWorker, worker: TestWorker): void => {
    if (message.type === "start") worker.say({ type: "ready" });
    if (message.type === "request")
        worker.say({
            type: "response",
            id: message.id,
            status: 200,
            mediaType: "text/plain",
            body: message.address,
        });
    if (message.type === "connect") worker.say({ type: "opened", connection: message.connection });
};
/** Become ready, and answer nothing. */
const silent = (message: ToWorker, worker: TestWorker): void => {
    if (message.type === "start") worker.say({ type: "ready" });
};
const stop = (worker: TestWorker): void => worker.say({ type: "failed", reason: "internal", text: "a test" });

beforeEach(() => {
    workers = [];
    behaviour = answers;
    server = new OfflineServer(
        () => Promise.resolve(PARTS),
        () => {
            workers.push(new TestWorker((message, worker) => behaviour(message, worker)));
            return worker();
        },
    );
    vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
    workers.forEach((one) => one.terminate());
    vi.restoreAllMocks();
    vi.useRealTimers();
});

function connect(table = "offline-amber-otter-2345678"): {
    socket: OfflineSocket;
    opened: Promise<void>;
    closed: Promise<number>;
} {
    const socket = new OfflineSocket(table, (made) => void server.connect(made));
    const opened = new Promise<void>((go) => (socket.onopen = go));
    const closed = new Promise<number>((go) => (socket.onclose = ({ code }) => go(code)));
    return { socket, opened, closed };
}

describe("requests", () => {
    test("start one worker, which gets the parts first", async () => {
        const [a, b] = await Promise.all([server.request("GET", "/a"), server.request("GET", "/b")]);
        expect([await a.text(), await b.text(), workers.length]).toEqual(["/a", "/b", 1]);
        expect(worker().received[0]).toEqual({ type: "start", parts: PARTS });
        expect(server.state).toEqual({ kind: "ready" });
    });
    test("carry a body, and get a status and a media type", async () => {
        behaviour = (message, worker) => {
            silent(message, worker);
            if (message.type === "request")
                worker.say({
                    type: "response",
                    id: message.id,
                    status: 404,
                    mediaType: "application/json",
                    body: `{"key":"${message.contentType ?? ""} ${message.body ?? ""}"}`,
                });
        };
        const response = await server.request("POST", "/api/tables", "body");
        expect([response.status, response.headers.get("content-type")]).toEqual([404, "application/json"]);
        expect(await response.json()).toEqual({ key: "application/json body" });
    });
});

describe("a connection", () => {
    test("carries texts both ways, and closes", async () => {
        const { socket, opened, closed } = connect();
        expect(socket.readyState).toBe(WebSocket.CONNECTING);
        await opened;
        expect(socket.readyState).toBe(WebSocket.OPEN);
        socket.send("hello");
        const [sent] = await worker().got("send");
        expect(sent?.text).toBe("hello");
        const heard = new Promise<string>((go) => (socket.onmessage = ({ data }) => go(data)));
        worker().say({ type: "message", connection: sent?.connection ?? 0, text: "world" });
        expect(await heard).toBe("world");
        socket.close();
        expect(await closed).toBe(1000);
        expect(await worker().got("disconnect")).toHaveLength(1);
    });
    test("that is closed before the worker is ready is never made", async () => {
        const { socket, closed } = connect();
        socket.close();
        await closed;
        await server.request("GET", "/a");
        expect(worker().received.map(({ type }) => type)).toEqual(["start", "request"]);
    });
    test("is told why the worker closed it", async () => {
        const { opened, closed } = connect();
        await opened;
        const [made] = await worker().got("connect");
        worker().say({ type: "closed", connection: made?.connection ?? 0, code: 4404, reason: "no-table" });
        expect(await closed).toBe(4404);
    });
});

describe("a worker that stops", () => {
    test("is restarted once: reads are sent again, changes fail, connections are closed", async () => {
        const { opened, closed } = connect();
        await opened;
        behaviour = silent;
        const read = server.request("GET", "/read");
        const change = server.request("POST", "/change");
        await worker().got("request", 2);
        behaviour = answers;
        stop(worker());
        await expect(change).rejects.toBeInstanceOf(WorkerStopped);
        expect(await closed).toBe(1011);
        expect(await (await read).text()).toBe("/read");
        expect([workers.length, workers[0]?.terminated]).toEqual([2, true]);
        const again = connect();
        await again.opened;
    });
    test("soon again fails, until a person asks for it", async () => {
        await server.request("GET", "/a");
        behaviour = silent;
        stop(worker());
        await vi.waitUntil(() => workers.length === 2 && server.state.kind === "ready");
        const read = server.request("GET", "/read");
        await worker().got("request");
        stop(worker());
        await expect(read).rejects.toBeInstanceOf(WorkerStopped);
        expect(server.state).toEqual({ kind: "failed", reason: "internal" });
        await expect(server.request("GET", "/b")).rejects.toBeInstanceOf(WorkerStopped);
        expect(await connect().closed).toBe(1011);
        behaviour = answers;
        await server.retry();
        expect(await (await server.request("GET", "/c")).text()).toBe("/c");
        expect(workers).toHaveLength(3);
    });
    test("at its start is started again, and then fails with the reason", async () => {
        behaviour = (_message, worker) => worker.say({ type: "failed", reason: "start", text: "a test" });
        await expect(server.request("GET", "/a")).rejects.toBeInstanceOf(WorkerStopped);
        expect([workers.length, server.state]).toEqual([2, { kind: "failed", reason: "start" }]);
    });
    test("with an error event is restarted", async () => {
        await server.request("GET", "/a");
        worker().onerror?.(new Event("error") as ErrorEvent);
        expect(server.state).toEqual({ kind: "restarting" });
        expect(await (await server.request("GET", "/b")).text()).toBe("/b");
    });
    test("without a word is noticed", async () => {
        await server.request("GET", "/a");
        vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
        behaviour = silent;
        const read = server.request("GET", "/read");
        await worker().got("request", 2);
        behaviour = answers;
        vi.advanceTimersByTime(46_000);
        vi.useRealTimers();
        expect(await (await read).text()).toBe("/read");
        expect(workers).toHaveLength(2);
    });
    test("only because the device slept is not given up", async () => {
        await server.request("GET", "/a");
        vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
        behaviour = silent;
        const read = server.request("GET", "/read");
        const [, asked] = await worker().got("request", 2);
        vi.setSystemTime(Date.now() + 3_600_000);
        vi.advanceTimersByTime(46_000);
        worker().say({
            type: "response",
            id: asked?.id ?? 0,
            status: 200,
            mediaType: "text/plain",
            body: "late",
        });
        expect(await (await read).text()).toBe("late");
        expect(workers).toHaveLength(1);
    });
});

test("a full storage is told, and stops nothing", async () => {
    await server.request("GET", "/a");
    worker().say({ type: "failed", reason: "storage-full", text: "QuotaExceededError" });
    expect(await (await server.request("GET", "/b")).text()).toBe("/b");
    expect(server.trouble).toBe("storage-full");
    await server.retry();
    expect(server.trouble).toBeNull();
});
