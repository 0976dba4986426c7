// A websocket whose other end is the test.
import type { FromClient, FromServer } from "../../src/wire/types";

export class Socket {
    static all: Socket[] = [];
    static readonly OPEN = 1;
    readyState = 0;
    sent: FromClient[] = [];
    onopen: () => void = () => {};
    onmessage: (event: { data: string }) => void = () => {};
    onclose: () => void = () => {};
    constructor() {
        Socket.all.push(this);
    }
    send(data: string): void {
        this.sent.push(JSON.parse(data) as FromClient);
    }
    close(): void {
        this.readyState = 3;
    }
    open(): void {
        this.readyState = Socket.OPEN;
        this.onopen();
    }
    say(message: FromServer): void {
        this.onmessage({ data: JSON.stringify(message) });
    }
    of(type: FromClient["type"]): FromClient[] {
        return this.sent.filter((message) => message.type === type);
    }
}
