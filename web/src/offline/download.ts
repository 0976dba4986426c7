// Downloads into the device's caches: a file is stored only after its hash was checked.
import type { Part, PartsList } from "./messages";

export const PARTS_LIST = "/offline/parts.json";
export const PARTS_CACHE = "sevenhues-parts";

export type DownloadFailure = "network" | "corrupted" | "storage-full" | "unavailable" | "unsupported";

export class DownloadFailed extends Error {
    constructor(
        readonly reason: DownloadFailure,
        path: string,
    ) {
        super(`${path}: ${reason}`);
    }
}

/** Tell why a download failed; what has no known reason failed on the network. */
export const reasonOf = (error: unknown): DownloadFailure =>
    error instanceof DownloadFailed ? error.reason : isQuotaExceeded(error) ? "storage-full" : "network";

const isQuotaExceeded = (error: unknown): boolean =>
    error instanceof DOMException && error.name === "QuotaExceededError";

const NOT_STORED = ["content-encoding", "content-length", "vary"]; // the stored body is not compressed

/** Download the list of parts from the server. */
export async function fetchPartsList(): Promise<PartsList> {
    const response = await request(PARTS_LIST, "no-cache");
    return (await response.json()) as PartsList;
}

/** Return the parts that are not on this device. */
export async function missingParts(list: PartsList): Promise<Part[]> {
    const cache = await caches.open(PARTS_CACHE);
    const stored = await Promise.all(list.parts.map((part) => cache.match(part.path)));
    return list.parts.filter((_, at) => !stored[at]);
}

/** Download the missing parts. A part that is stored already is not downloaded again. */
export async function downloadParts(
    list: PartsList,
    progress: (received: number) => void = () => {},
    signal?: AbortSignal,
): Promise<void> {
    const missing = new Set(await missingParts(list));
    const cache = await caches.open(PARTS_CACHE);
    let done = 0; // bytes of the transferred files
    for (const part of list.parts) {
        const before = done;
        if (missing.has(part))
            await download(
                cache,
                part.path,
                hashInPath(part.path),
                (bytes) =>
                    progress(
                        Math.round(before + (part.transferred * Math.min(bytes, part.bytes)) / part.bytes),
                    ),
                signal,
            );
        done += part.transferred;
        progress(done);
    }
}

/** Return the beginning of the file's SHA-256 that its path contains, as in `/offline/sevenhues-<hash>.zip`. */
export const hashInPath = (path: string): string => /-([0-9a-f]+)\.\w+$/.exec(path)?.[1] ?? path;

/** Download a file and store it, unless its SHA-256 does not begin with `hash`. */
export async function download(
    cache: Cache,
    path: string,
    hash: string,
    progress: (bytes: number) => void = () => {},
    signal?: AbortSignal,
): Promise<void> {
    for (const mode of ["default", "reload"] as const) {
        const response = await request(path, mode, signal);
        const body = await readAll(response, path, progress);
        if (!(await sha256(body)).startsWith(hash)) continue; // once more without the browser's own cache
        const headers = new Headers(response.headers);
        NOT_STORED.forEach((name) => headers.delete(name));
        await cache.put(path, new Response(body, { headers }));
        return;
    }
    throw new DownloadFailed("corrupted", path);
}

async function request(path: string, mode: RequestCache, signal?: AbortSignal): Promise<Response> {
    let response: Response;
    try {
        response = await fetch(path, { cache: mode, ...(signal && { signal }) });
    } catch {
        throw new DownloadFailed("network", path);
    }
    if (response.status === 404) throw new DownloadFailed("unavailable", path);
    if (!response.ok) throw new DownloadFailed("network", path);
    return response;
}

async function readAll(
    response: Response,
    path: string,
    progress: (bytes: number) => void,
): Promise<ArrayBuffer> {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let bytes = 0;
    try {
        const reader = response.body?.getReader();
        for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
            chunks.push(next.value);
            bytes += next.value.length;
            progress(bytes);
        }
    } catch {
        throw new DownloadFailed("network", path);
    }
    return new Blob(chunks).arrayBuffer();
}

async function sha256(body: ArrayBuffer): Promise<string> {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
    return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
