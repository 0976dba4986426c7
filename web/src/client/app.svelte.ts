// The user and the games of this server, loaded once, when the client opens.
import { api } from "./api";
import { inOrder } from "./games";
import type { GameInfo, Me } from "../wire/types";

export class ClientApp {
    me = $state.raw<Me | null>(null);
    games = $state.raw<readonly GameInfo[]>([]);
    opened = $state(false);
    closed = $state(false); // the server did not answer

    async open(): Promise<void> {
        this.closed = false;
        try {
            const [me, games] = await Promise.all([api.me(), api.games()]);
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
