// Offline play on this device: what is installed, the server in its worker, and what the page asks of it.
import { read, write } from "../board/storage";
import { Installation } from "./installation.svelte";
import { OfflineServer, WorkerStopped, type Socket } from "./offline-server.svelte";
import { sayOffline } from "./say";
import type { NewTable, Problem } from "../wire/types";

export { listed } from "./listed";

export const installation = new Installation();
export const server = new OfflineServer(
    () => installation.parts(),
    () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }),
);

/** Tell whether this device can play without a server. */
export async function isAvailable(): Promise<boolean> {
    await installation.opened;
    return installation.state.kind === "ready" || installation.state.kind === "updating";
}

/** Answer a request on this device; null if only a server can. */
export async function answer(method: string, address: string, body?: string): Promise<Response | null> {
    if (!(await isAvailable()))
        return address.startsWith("/api/tables/offline-") ? problem("no-table", "elsewhere", 404) : null;
    if (method === "POST" && address === "/api/tables" && needsServer(body)) return null;
    try {
        await (named ??= useName());
        return await server.request(method, address, body ?? null);
    } catch (error) {
        if (!(error instanceof WorkerStopped)) throw error;
        return problem("offline-stopped", "stopped", 503);
    }
}

/** Delete the games and the name on this device. */
export async function forget(): Promise<void> {
    rememberName("");
    if (await isAvailable()) await server.request("DELETE", "/api/me");
}

/** Connect to a table on this device. */
export async function connect(socket: Socket): Promise<void> {
    if (await isAvailable()) await server.connect(socket);
    else socket.closed(4404, "no-table");
}

// The worker gives its user the name that the server knows.
const NAME = "sevenhues.offline-name";
let named: Promise<unknown> | undefined;
export const rememberName = (name: string): void => write(NAME, name);

async function useName(): Promise<void> {
    const name = read<string>(NAME);
    if (name) await server.request("PATCH", "/api/me", JSON.stringify({ name }));
}

/** Whether others are to take part in a new game, from elsewhere. */
function needsServer(body = "{}"): boolean {
    const table = JSON.parse(body) as Partial<NewTable>;
    return table.public === true || (table.seats ?? []).some(({ kind }) => kind === "open");
}

function problem(key: string, message: string, status: number): Response {
    const fields: Problem = { key, text: sayOffline(`problem.${message}`), parameters: {}, rule: null };
    return Response.json(fields, { status });
}
