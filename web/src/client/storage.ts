// What this device stores between visits: commitments and entropy of deals, the level last played, lesson progress,
// and which players are muted.
import { read, write } from "../board/storage";

export interface StoredDeal {
    commitment: string; // to the server's secret, as first seen
    entropy: string; // that this device added to the deal
    commitments?: readonly string[]; // of all players, as published before this device revealed its entropy
}

const DEAL = "sevenhues.deal.";
const LEVEL = "sevenhues.level.";
const LEARNT = "sevenhues.learnt.";
const NAMES = "sevenhues.names";
export const MUTED = "sevenhues.muted";
const MAX_DEALS = 200;
const MAX_MUTED = 500;

/** Store a table's commitment and new entropy, unless they are stored already. */
export function storeDeal(table: string, commitment: string): StoredDeal {
    const stored = read<StoredDeal>(DEAL + table);
    if (stored) return stored;
    const bytes = crypto.getRandomValues(new Uint8Array(18));
    const entropy = btoa(String.fromCharCode(...bytes))
        .replaceAll("+", "-")
        .replaceAll("/", "_");
    const fresh = { commitment, entropy };
    forgetOldDeals();
    write(DEAL + table, fresh);
    return fresh;
}

/** Keeps the commitments of all players, before our entropy is revealed. */
export function storeCommitments(table: string, deal: StoredDeal, commitments: readonly string[]): void {
    write(DEAL + table, { ...deal, commitments });
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

/** The names last used on a shared device. */
export function storedNames(): string[] {
    return read<string[]>(NAMES) ?? [];
}

export function storeNames(names: readonly string[]): void {
    write(NAMES, names);
}

/** The steps of a game's lesson that are done. */
export function storedLearnt(game: string): string[] {
    return read<string[]>(LEARNT + game) ?? [];
}

export function storeLearnt(game: string, steps: readonly string[]): void {
    write(LEARNT + game, steps);
}

/** The players whose phrases are not shown. */
export function storedMuted(): string[] {
    return read<string[]>(MUTED) ?? [];
}

/** Store the muted players, the newest last; of too many the oldest are forgotten. */
export function storeMuted(players: readonly string[]): void {
    write(MUTED, players.slice(-MAX_MUTED));
}
