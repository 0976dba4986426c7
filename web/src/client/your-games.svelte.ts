// The user's unfinished games, and those where it is their turn: for the home page, the tab's title and the app's badge.
import { api } from "./api";
import type { ClientApp } from "./app.svelte";
import { tablesOnDevice } from "./on-device";
import type { Router } from "./router.svelte";
import type { TableInfo } from "../wire/types";

const SOON = 15_000; // between two readings of the list, in ms, on the home page
const LATER = 60_000; // on other pages, and in tabs that are not seen
const MAX_PAGES = 4; // of the list

export const waitsForYou = (table: TableInfo): boolean =>
    table.turn.some((seat) => table.your_seats.includes(seat));

/** Your turn first, and there the one that has waited longest; then the latest. */
function byUrgency(a: TableInfo, b: TableInfo): number {
    const [mine, other] = [waitsForYou(a), waitsForYou(b)];
    if (mine !== other) return Number(other) - Number(mine);
    return mine ? a.updated - b.updated : b.updated - a.updated;
}

export class YourGames {
    tables = $state.raw<readonly TableInfo[] | null>(null); // null until they are known
    waiting = $derived((this.tables ?? []).filter(waitsForYou));
    #readAt = -Infinity;

    constructor(
        private readonly app: ClientApp,
        private readonly router: Router,
    ) {}

    /** Read the list now, unless it was just read. */
    async refresh(): Promise<void> {
        if (Date.now() - this.#readAt < SOON / 3) return;
        const readAt = this.#readAt;
        this.#readAt = Date.now();
        const { opened, offline } = this.app;
        try {
            const here = await tablesOnDevice();
            if (!opened && this.app.opened) {
                this.#readAt = readAt; // the server has answered meanwhile
                return await this.refresh();
            }
            if (opened || here.length) {
                const onServer = opened && !offline ? await this.#onServer() : [];
                const unfinished = [...here, ...onServer].filter(({ status }) => status !== "finished");
                this.tables = unfinished.sort(byUrgency);
            } else {
                this.#readAt = readAt; // nothing is known yet
            }
        } catch {
            this.tables ??= [];
        }
    }

    async #onServer(): Promise<TableInfo[]> {
        const tables: TableInfo[] = [];
        for (let before: string | null = null, page = 0; page < MAX_PAGES; page++) {
            const answer = await api.tables("mine", before, true);
            tables.push(...answer.tables);
            before = answer.more ?? null;
            if (!before) break;
        }
        return tables;
    }

    /** Read the list again and again; return how to stop. A hidden tab without games asks nothing. */
    watch(): () => void {
        const read = (): void => {
            if (document.hidden && !this.tables?.length) return;
            const soon = this.router.route.page === "home" && !document.hidden;
            if (Date.now() - this.#readAt >= (soon ? SOON : LATER)) void this.refresh();
        };
        const seen = (): void => void (document.hidden || this.refresh());
        const timer = setInterval(read, SOON);
        document.addEventListener("visibilitychange", seen);
        void this.refresh();
        return () => {
            clearInterval(timer);
            document.removeEventListener("visibilitychange", seen);
        };
    }

    /** It is not your turn at a table any more. */
    moved(table: string): void {
        if (!this.waiting.some(({ id }) => id === table)) return;
        this.tables = (this.tables ?? []).map((one) => (one.id === table ? { ...one, turn: [] } : one));
    }
}

/** Show a number on the icon of the installed app, in browsers that can. */
export function showBadge(count: number): void {
    const badge: Partial<Pick<Navigator, "setAppBadge" | "clearAppBadge">> = navigator;
    const shown = count ? badge.setAppBadge?.(count) : badge.clearAppBadge?.();
    shown?.catch(() => {}); // the app is not installed
}
