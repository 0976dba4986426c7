// The user and the games of this server, loaded once, when the client opens.
import { api, ApiError, reach } from "./api";
import { inOrder } from "./games";
import { notices } from "./notices";
import type { GameInfo, MaintenanceWindow, Me, Problem } from "../wire/types";

const LOOK_EVERY = 60_000; // ms, whether maintenance is announced; tables are told at once

/** The games that the server has written into the first page; none on a development server. */
function gamesInPage(): GameInfo[] {
    return JSON.parse(document.getElementById("games")?.textContent ?? "[]") as GameInfo[];
}

export class ClientApp {
    me = $state.raw<Me | null>(null);
    games = $state.raw<readonly GameInfo[]>(inOrder(gamesInPage()));
    opened = $state(false);
    closed = $state(false); // the server did not answer
    refusal = $state.raw<Problem | null>(null); // the server answered, but refused to say who we are
    maintenance = $state.raw<readonly MaintenanceWindow[]>([]);
    offline = $state(false); // the server does not answer, and this device plays in its place
    opening: Promise<void> | undefined; // settles when the user is known, or the server did not answer

    constructor() {
        reach.changed = (reached) => (this.offline = !reached);
        notices.maintenance = (windows) => (this.maintenance = windows);
        notices.banned = () => void this.open();
    }

    open(): Promise<void> {
        return (this.opening = this.#load());
    }

    async #load(): Promise<void> {
        this.closed = false;
        try {
            const [me, games] = await Promise.all([api.me(), this.games.length ? this.games : api.games()]);
            this.me = me;
            this.maintenance = me.maintenance ?? [];
            this.games = inOrder(games);
            this.opened = true;
        } catch (error) {
            this.refusal = error instanceof ApiError && error.status === 403 ? error.problem : null;
            this.closed = true;
        }
    }

    /** Look again and again whether maintenance is announced; return how to stop. */
    watchMaintenance(): () => void {
        const look = async (): Promise<void> => {
            if (document.hidden || this.offline) return;
            const answer = await api.maintenance().catch(() => null);
            if (answer) this.maintenance = answer.windows;
        };
        const timer = setInterval(() => void look(), LOOK_EVERY);
        return () => clearInterval(timer);
    }

    game(id: string): GameInfo | null {
        return this.games.find((game) => game.id === id) ?? null;
    }
}
