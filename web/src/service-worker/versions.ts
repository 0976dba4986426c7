// Versions of the client on this device. Each is complete and has a cache of its own; the newest active one is the
// current version, and an older one stays for as long as a page that was opened with it is open.
import { download, downloadParts, PARTS_CACHE, PARTS_LIST } from "../offline/download";
import type { PartsList } from "../offline/messages";

/** The files of a version, with their SHA-256; the server writes it into the first line of the script. */
interface Shell {
    version: string;
    files: Record<string, string>;
}

declare const SHELL: Shell;
declare const self: ServiceWorkerGlobalScope;

const SHELL_PREFIX = "sevenhues-shell-";
const STATE_CACHE = "sevenhues-versions";
const STATE = "/versions";
const PARALLEL = 6; // downloads

/** State that survives the end of the service worker's process. */
interface State {
    current: string;
    older: Record<string, string>; // the versions of pages that were opened before the current version, by client id
}

const cacheName = (version: string): string => SHELL_PREFIX + version;

/** Download what this version lacks. Every file is checked before it is stored. */
export async function complete(): Promise<void> {
    const cache = await caches.open(cacheName(SHELL.version));
    const stored = new Set((await cache.keys()).map((request) => new URL(request.url).pathname));
    const missing = Object.entries(SHELL.files).filter(([path]) => !stored.has(path));
    const take = async (): Promise<void> => {
        for (let next = missing.pop(); next; next = missing.pop()) await download(cache, ...next);
    };
    await Promise.all(Array.from({ length: PARALLEL }, take));
    const list = await cache.match(PARTS_LIST);
    if (list) await downloadParts((await list.json()) as PartsList);
}

/** Make this version the current one, and remember the version of every open page. */
export async function becomeCurrent(): Promise<void> {
    const before = await readState();
    let older = before?.older ?? {};
    if (before && before.current !== SHELL.version) {
        const open = await openClients();
        older = Object.fromEntries(open.map((id) => [id, older[id] ?? before.current]));
    }
    await writeState({ current: SHELL.version, older });
    await deleteUnused();
}

/** Delete the versions that no open page uses, and the parts that no version needs. */
export async function deleteUnused(): Promise<void> {
    const { installing, waiting } = self.registration;
    const state = await readState();
    if (!state || installing || waiting) return; // what a newer version has stored is not known here
    const open = new Set(await openClients());
    const older = Object.entries(state.older).filter(([id]) => open.has(id));
    await writeState({ ...state, older: Object.fromEntries(older) });
    const kept = new Set([SHELL.version, ...older.map(([, version]) => version)].map(cacheName));
    const shells = (await caches.keys()).filter((name) => name.startsWith(SHELL_PREFIX));
    await Promise.all(shells.filter((name) => !kept.has(name)).map((name) => caches.delete(name)));
    await deleteUnusedParts(kept);
}

async function deleteUnusedParts(shells: Set<string>): Promise<void> {
    const needed = new Set<string>();
    for (const cacheName of shells) {
        const list = await caches.match(PARTS_LIST, { cacheName });
        const { parts } = list ? ((await list.json()) as PartsList) : { parts: [] };
        parts.forEach((part) => needed.add(part.path));
    }
    const cache = await caches.open(PARTS_CACHE);
    const unused = (await cache.keys()).filter((request) => !needed.has(new URL(request.url).pathname));
    await Promise.all(unused.map((request) => cache.delete(request)));
}

/** Return a stored file as the version of a page has it; a new page has the current version. */
export async function storedFile(path: string, clientId: string): Promise<Response | undefined> {
    const version = (await readState())?.older[clientId] ?? SHELL.version;
    const own = await caches.match(path, { cacheName: cacheName(version) });
    // Parts, and chunks that a worker of an older page loads: their paths contain hashes.
    return own ?? caches.match(path);
}

async function openClients(): Promise<string[]> {
    const clients = await self.clients.matchAll({ type: "all", includeUncontrolled: true });
    return clients.map((client) => client.id);
}

async function readState(): Promise<State | null> {
    const stored = await caches.match(STATE, { cacheName: STATE_CACHE });
    return stored ? ((await stored.json()) as State) : null;
}

async function writeState(state: State): Promise<void> {
    const cache = await caches.open(STATE_CACHE);
    await cache.put(STATE, Response.json(state));
}
