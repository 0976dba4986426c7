// The user and the games of this server, loaded once, when the client opens.
import { api, reach } from "./api";
import { inOrder } from "./games";
import type { GameInfo, Me } from "../wire/types";

/** The games that the server has written into the first page; none on a development server. */
function gamesInPage(): GameInfo[] {
    return JSON.parse(document.getElementById("games")?.textContent ?? "[]") as GameInfo[];
}

export class ClientApp {
    me = $state.raw<Me | null>(null);
    games = $state.raw<readonly GameInfo[]>(inOrder(gamesInPage()));
    opened = $state(false);
    closed = $state(false); // the server did not answer
    offline = $state(false); // the server does not answer, and this device plays in its place
    opening: Promise<void> | undefined; // settles when the user is known, or the server did not answer

    constructor() {
        reach.changed = (reached) => (this.offline = !reached);
    }

    open(): Promise<void> {
        return (this.opening = this.#load());
    }

    async #load(): Promise<void> {
        this.closed = false;
        try {
            const [me, games] = await Promise.all([api.me(), this.games.length ? this.games : api.games()]);
            this.me = me;
            this.games = inOrder(games);
            this.opened = true;
        } catch {
            this.closed = true;
        }
    }

    game(id: string): GameInfo | null {
        return this.games.find((game) => game.id === id) ?? null;
    }
}
