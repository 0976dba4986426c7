// What this device keeps between visits: each table's commitment and our part of its deal, the level last played, and
// what was learnt.
export interface Kept {
    commitment: string; // of the server's secret, as it was before anybody sat down
    entropy: string; // what we added to the deal
}

const DEAL = "sevenhues.deal.";
const LEVEL = "sevenhues.level.";
const LEARNT = "sevenhues.learnt.";
const NAMES = "sevenhues.names";
const MOST_DEALS = 200;

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
export function keepDeal(table: string, commitment: string): Kept {
    const kept = read<Kept>(DEAL + table);
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

export function keptDeal(table: string): Kept | null {
    return read<Kept>(DEAL + table);
}

function forgetOldDeals(): void {
    const deals = Object.keys(localStorage).filter((key) => key.startsWith(DEAL));
    for (const key of deals.slice(0, Math.max(0, deals.length - MOST_DEALS))) localStorage.removeItem(key);
}

export function keptLevel(game: string): string | null {
    return read<string>(LEVEL + game);
}

export function keepLevel(game: string, level: string): void {
    write(LEVEL + game, level);
}

/** The names last given to the seats of a shared device. */
export function keptNames(): string[] {
    return read<string[]>(NAMES) ?? [];
}

export function keepNames(names: readonly string[]): void {
    write(NAMES, names);
}

/** The steps of a game's lesson that were done. */
export function keptLearnt(game: string): string[] {
    return read<string[]>(LEARNT + game) ?? [];
}

export function keepLearnt(game: string, steps: readonly string[]): void {
    write(LEARNT + game, steps);
}
