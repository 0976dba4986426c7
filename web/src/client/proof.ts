// The proof of the deal: what the server published before anybody sat down must be what it dealt from.
import type { StoredDeal } from "./storage";
import type { Proof, TableInfo } from "../wire/types";
import { sha256 } from "./sha256";

export interface Verdict {
    sealed: boolean; // the secret is the one that was committed to
    kept: boolean; // we kept the commitment ourselves, before the deal
    ours: boolean | null; // our chance is part of the deal; null if we added none
}

/** Checks a finished table's proof against its commitment and what this device kept. */
export function checkProof(table: TableInfo, proof: Proof, kept: StoredDeal | null): Verdict {
    const secret = Uint8Array.from(proof.secret.match(/../g) ?? [], (pair) => parseInt(pair, 16));
    // Chance that nobody at the table added could have been chosen to suit the server.
    const others = table.seats.filter(
        (seat, number) => seat.name !== null && !table.your_seats.includes(number),
    ).length;
    const persons = others + (table.your_seats.length ? 1 : 0);
    return {
        sealed:
            sha256(secret) === (kept?.commitment ?? table.commitment) && proof.entropies.length <= persons,
        kept: kept !== null,
        ours: kept && table.your_seats.length ? proof.entropies.includes(kept.entropy) : null,
    };
}
