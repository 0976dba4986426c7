// A connection to a table on this device: the part of a WebSocket that `Connection` uses.
import type { Socket } from "../offline/offline-server.svelte";

type Channel = Parameters<Socket["connected"]>[0];

export class OfflineSocket implements Socket {
    readyState: number = WebSocket.CONNECTING;
    onopen: (() => void) | null = null;
    onmessage: ((event: { data: string }) => void) | null = null;
    onclose: ((event: { code: number; reason: string }) => void) | null = null;
    #channel: Channel | null = null;

    constructor(
        readonly table: string,
        connect: (socket: OfflineSocket) => void = connectToDevice,
    ) {
        connect(this);
    }

    send(text: string): void {
        this.#channel?.send(text);
    }

    /** Close the connection. As with a WebSocket, `onclose` is called later. */
    close(): void {
        if (this.isClosed) return;
        this.#channel?.close();
        queueMicrotask(() => this.closed(1000, ""));
    }

    // -- For the server of this device

    get isClosed(): boolean {
        return this.readyState === WebSocket.CLOSED;
    }

    connected(channel: Channel): void {
        this.#channel = channel;
    }

    opened(): void {
        this.readyState = WebSocket.OPEN;
        this.onopen?.();
    }

    received(data: string): void {
        this.onmessage?.({ data });
    }

    closed(code: number, reason: string): void {
        if (this.isClosed) return;
        this.readyState = WebSocket.CLOSED;
        this.#channel = null;
        this.onclose?.({ code, reason });
    }
}

function connectToDevice(socket: OfflineSocket): void {
    import("../offline/offline").then(
        ({ connect }) => connect(socket),
        () => socket.closed(1006, ""),
    );
}
