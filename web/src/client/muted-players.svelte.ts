// The players whose phrases this device does not show, at this table and later ones.
import type { TableInfo } from "../wire/types";
import { MUTED, storedMuted, storeMuted } from "./storage";

export class MutedPlayers {
    #muted = $state.raw<readonly string[]>(storedMuted());

    constructor() {
        addEventListener("storage", ({ key }) => {
            if (key === MUTED) this.#muted = storedMuted();
        });
    }

    has(table: TableInfo, seat: number): boolean {
        return this.#muted.includes(playerAt(table, seat));
    }

    mute(table: TableInfo, seat: number, muted: boolean): void {
        const player = playerAt(table, seat);
        const others = storedMuted().filter((one) => one !== player);
        this.#muted = muted ? [...others, player] : others;
        storeMuted(this.#muted);
    }
}

/** The public id of a seat's player; where there is none, as of several players on one device, the seat. */
function playerAt({ id, seats }: TableInfo, seat: number): string {
    return seats[seat]?.player ?? `${id}/${seat}`;
}
