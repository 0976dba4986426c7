// What this device keeps between visits: each table's commitment and our part of its deal, the level last played, and
// what was learnt.
export interface StoredDeal {
    commitment: string; // of the server's secret, as it was before anybody sat down
    entropy: string; // what we added to the deal
}

const DEAL = "sevenhues.deal.";
const LEVEL = "sevenhues.level.";
const LEARNT = "sevenhues.learnt.";
const NAMES = "sevenhues.names";
const MAX_DEALS = 200;

function read<T>(key: string): T | null {
    try {
        return JSON.parse(localStorage.getItem(key) ?? "null") as T | null;
    } catch {
        return null;
    }
}

function write(key: string, value: unknown): void {
    try {
        localStorage.setItem(key, JSON.stringify(value));
    } catch {
        // A full or forbidden storage: the game goes on, only its proof cannot be checked here later.
    }
}

/** Keeps a table's commitment the first time it is seen, with fresh chance of our own. */
export function storeDeal(table: string, commitment: string): StoredDeal {
    const kept = read<StoredDeal>(DEAL + table);
    if (kept) return kept;
    const bytes = crypto.getRandomValues(new Uint8Array(18));
    const entropy = btoa(String.fromCharCode(...bytes))
        .replaceAll("+", "-")
        .replaceAll("/", "_");
    const fresh = { commitment, entropy };
    forgetOldDeals();
    write(DEAL + table, fresh);
    return fresh;
}

export function storedDeal(table: string): StoredDeal | null {
    return read<StoredDeal>(DEAL + table);
}

function forgetOldDeals(): void {
    const deals = Object.keys(localStorage).filter((key) => key.startsWith(DEAL));
    for (const key of deals.slice(0, Math.max(0, deals.length - MAX_DEALS))) localStorage.removeItem(key);
}

export function storedLevel(game: string): string | null {
    return read<string>(LEVEL + game);
}

export function storeLevel(game: string, level: string): void {
    write(LEVEL + game, level);
}

/** The names last given to the seats of a shared device. */
export function storedNames(): string[] {
    return read<string[]>(NAMES) ?? [];
}

export function storeNames(names: readonly string[]): void {
    write(NAMES, names);
}

/** The steps of a game's lesson that were done. */
export function storedLearnt(game: string): string[] {
    return read<string[]>(LEARNT + game) ?? [];
}

export function storeLearnt(game: string, steps: readonly string[]): void {
    write(LEARNT + game, steps);
}
