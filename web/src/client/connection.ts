// A websocket to a table that reconnects by itself, sends unanswered requests again, and measures the server's clock.
import { OfflineSocket } from "./offline-socket";
import { isOnDevice } from "./on-device";
import type { FromClient, FromServer } from "../wire/types";

const PING_EVERY = 10_000;
const PONG_WITHIN = 4_000;
const ANSWER_WITHIN = 1_000; // then a ping asks whether the connection is still there
const RETRY_AFTER = [300, 1_000, 2_000, 4_000, 8_000];

type Request = Extract<FromClient, { id: string }>;

export interface ConnectionListener {
    opened(): void;
    received(message: FromServer): void;
    lost(retryAt: number): void;
    /** Called with true when a request is not answered within a second, and with false when none waits so long. */
    slow(waits: boolean): void;
}

export class Connection {
    /** The server's clock minus this device's. */
    offset = 0;
    latency: number | null = null;
    #socket: WebSocket | OfflineSocket | null = null;
    #unanswered = new Map<string, { message: Request; since: number }>(); // the oldest first
    #tries = 0;
    #retry: number | undefined;
    #beat: number | undefined;
    #deadline: number | undefined;
    #slow: number | undefined;
    #ended = false;

    constructor(
        readonly table: string,
        readonly listener: ConnectionListener,
    ) {
        addEventListener("online", this.#again);
        if (!isOnDevice(table)) addEventListener("offline", this.#offline);
        document.addEventListener("visibilitychange", this.#again);
        this.#connect();
    }

    /** Send a request, and again after a lost connection, until it is answered. */
    request(message: Request): void {
        this.#unanswered.set(message.id, { message, since: Date.now() });
        this.say(message);
        if (this.#unanswered.size === 1) this.#waitForOldest();
    }

    /** Sends a message if there is a connection. */
    say(message: FromClient): void {
        if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
    }

    /** Hangs up for good. */
    end(): void {
        this.#ended = true;
        removeEventListener("online", this.#again);
        removeEventListener("offline", this.#offline);
        document.removeEventListener("visibilitychange", this.#again);
        clearTimeout(this.#retry);
        clearTimeout(this.#slow);
        this.#quiet();
        this.#socket?.close();
    }

    #connect(): void {
        const socket = isOnDevice(this.table) ? new OfflineSocket(this.table) : this.#toServer();
        this.#socket = socket;
        socket.onopen = () => {
            this.#tries = 0;
            this.listener.opened();
            for (const { message } of this.#unanswered.values()) this.say(message);
            this.#ping();
            this.#beat = window.setInterval(() => this.#ping(), PING_EVERY);
        };
        socket.onmessage = (event: { data: string }) => this.#receive(JSON.parse(event.data) as FromServer);
        socket.onclose = (event?: { code?: number; reason?: string }) => {
            if (event?.reason === "banned") this.listener.received({ type: "closing", reason: "banned" });
            if (this.#socket === socket) this.#drop();
        };
    }

    #toServer(): WebSocket {
        const scheme = location.protocol === "https:" ? "wss" : "ws";
        return new WebSocket(
            `${scheme}://${location.host}/api/tables/${encodeURIComponent(this.table)}/live`,
        );
    }

    #receive(message: FromServer): void {
        if (message.type === "pong") {
            clearTimeout(this.#deadline);
            const latency = performance.now() - message.at;
            // The quicker the answer, the closer its time.
            if (this.latency === null || latency <= this.latency * 1.5) {
                this.offset = message.now + latency / 2 - Date.now();
                this.latency = latency;
            }
            return;
        }
        if ((message.type === "table" || message.type === "update") && this.latency === null) {
            this.offset = message.now - Date.now();
        }
        if ((message.type === "accepted" || message.type === "refused") && message.id)
            this.#answered(message.id);
        this.listener.received(message);
    }

    #ping(): void {
        this.say({ type: "ping", at: performance.now() });
        clearTimeout(this.#deadline);
        if (isOnDevice(this.table)) return; // its worker may be thinking, and is watched elsewhere
        this.#deadline = window.setTimeout(() => {
            this.#socket?.close();
            this.#drop();
        }, PONG_WITHIN);
    }

    #drop(): void {
        this.#quiet();
        if (this.#ended) return;
        this.#socket = null;
        const wait = RETRY_AFTER[Math.min(this.#tries++, RETRY_AFTER.length - 1)] ?? 0;
        this.listener.lost(Date.now() + wait);
        clearTimeout(this.#retry);
        this.#retry = window.setTimeout(() => this.#connect(), wait);
    }

    #quiet(): void {
        clearInterval(this.#beat);
        clearTimeout(this.#deadline);
    }

    #answered(id: string): void {
        this.#unanswered.delete(id);
        this.#waitForOldest();
    }

    /** Report the connection as slow once the oldest request has waited too long. */
    #waitForOldest(): void {
        const [oldest] = this.#unanswered.values();
        const left = oldest ? oldest.since + ANSWER_WITHIN - Date.now() : Infinity;
        if (left <= 0) return;
        clearTimeout(this.#slow);
        this.listener.slow(false);
        if (!oldest) return;
        this.#slow = window.setTimeout(() => {
            this.listener.slow(true);
            this.#ping();
        }, left);
    }

    /** The device is offline: do not wait for a ping to find out. */
    #offline = (): void => {
        if (!this.#socket) return;
        this.#socket.close();
        this.#drop();
    };

    #again = (): void => {
        if (this.#ended || document.hidden) return;
        if (this.#socket) {
            this.#ping();
            return;
        }
        clearTimeout(this.#retry);
        this.#connect();
    };
}
