// The proof of the deal: what all committed to before anybody revealed anything must be what the server dealt from.
import type { StoredDeal } from "./storage";
import type { Proof, TableInfo } from "../wire/types";
import { sha256 } from "./sha256";

export interface Verdict {
    sealed: boolean; // the secret and the entropies are those that were committed to
    kept: boolean; // we kept the commitments ourselves, before the deal
    ours: boolean | null; // our entropy is part of the deal; null if we added none
    withheld: number; // players whose entropy was not revealed in time
    seal: string | null; // of the commitments that we kept, for `sevenhues verify --seal`
}

const hashOf = (text: string): string => sha256(new TextEncoder().encode(text));

/** Our commitment to our entropy. */
export const entropyCommitment = hashOf;

/** Checks a finished table's proof against its commitments and what this device kept. */
export function checkProof(table: TableInfo, proof: Proof, kept: StoredDeal | null): Verdict {
    const secret = Uint8Array.from(proof.secret.match(/../g) ?? [], (pair) => parseInt(pair, 16));
    const { entropies } = proof;
    const commitments = table.commitments ?? entropies.map(entropyCommitment);
    const fitting =
        commitments.length === entropies.length &&
        entropies.every((text, at) => [text, entropyCommitment(text)].includes(commitments[at] ?? ""));
    return {
        sealed:
            sha256(secret) === (kept?.commitment ?? table.commitment) &&
            fitting &&
            (kept?.commitments
                ? kept.commitments.join() === commitments.join()
                : entropies.length <= persons(table)),
        kept: kept !== null,
        ours: kept && table.your_seats.length ? entropies.includes(kept.entropy) : null,
        withheld: entropies.filter((text, at) => text === commitments[at]).length,
        seal: kept?.commitments ? hashOf([kept.commitment, ...kept.commitments].join("/")) : null,
    };
}

/** The most people who can have added entropy: what nobody at the table added could have been chosen by the server. */
function persons(table: TableInfo): number {
    const others = table.seats.filter(
        (seat, number) => seat.name !== null && !table.your_seats.includes(number),
    );
    return others.length + (table.your_seats.length ? 1 : 0);
}
