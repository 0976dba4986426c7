// The proof of a deal, checked with a SHA-256 of our own.
import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { checkProof } from "../../src/client/proof";
import { sha256 } from "../../src/client/sha256";
import type { TableInfo } from "../../src/wire/types";

test.each([0, 1, 32, 55, 56, 63, 64, 65, 1000])("SHA-256 of %i bytes", (length) => {
    const bytes = randomBytes(length);
    expect(sha256(bytes)).toBe(createHash("sha256").update(bytes).digest("hex"));
});

const hash = (bytes: string | Buffer): string => createHash("sha256").update(bytes).digest("hex");
const secret = "00ff".repeat(16);
const commitment = hash(Buffer.from(secret, "hex"));

describe("the deal of a single player", () => {
    const seats = [{ name: "Ada" }, { name: null }]; // a person and a bot
    const table = { commitment, your_seats: [0], seats, commitments: null } as unknown as TableInfo;
    const proof = { secret, entropies: ["ours-and-long-enough"], previous: null };
    const commitments = [hash("ours-and-long-enough")];

    test("is proven if the secret fits the kept commitment and our entropy is in it", () => {
        const kept = { commitment, entropy: "ours-and-long-enough", commitments };
        const seal = hash([commitment, ...commitments].join("/"));
        const verdict = { sealed: true, kept: true, ours: true, withheld: 0, seal };
        expect(checkProof(table, proof, kept)).toEqual(verdict);
    });
    test("is proven for what an older client kept", () => {
        const kept = { commitment, entropy: "ours-and-long-enough" };
        expect(checkProof(table, proof, kept)).toMatchObject({ sealed: true, ours: true, seal: null });
    });
    test("is not proven if the server changed its commitment since", () => {
        const kept = { commitment: "other", entropy: "ours-and-long-enough" };
        expect(checkProof(table, proof, kept).sealed).toBe(false);
    });
    test("is not ours if our entropy is missing", () => {
        expect(checkProof(table, proof, { commitment, entropy: "another" }).ours).toBe(false);
    });
    test("is not proven if there is more entropy than players", () => {
        const more = { ...proof, entropies: [...proof.entropies, "of-the-servers-choosing"] };
        expect(checkProof(table, more, null).sealed).toBe(false);
        const kept = { commitment, entropy: "ours-and-long-enough", commitments };
        const another = { ...table, seats: [{ name: "Ada" }, { name: "Ben" }] } as unknown as TableInfo;
        expect(checkProof(another, more, kept).sealed).toBe(false);
    });
    test("is checked against the table's commitment by a device that kept none", () => {
        const verdict = { sealed: true, kept: false, ours: null, withheld: 0, seal: null };
        expect(checkProof(table, proof, null)).toEqual(verdict);
    });
});

describe("the deal of two players", () => {
    const ours = "ours-and-long-enough";
    const theirs = "theirs-and-long-enough";
    const commitments = [hash(ours), hash(theirs)];
    const seats = [{ name: "Ada" }, { name: "Ben" }];
    const table = { commitment, your_seats: [0], seats, commitments } as unknown as TableInfo;
    const proof = { secret, entropies: [ours, theirs], previous: null };
    const kept = { commitment, entropy: ours, commitments };

    test("is proven if all entropy fits the commitments that we kept", () => {
        expect(checkProof(table, proof, kept)).toMatchObject({ sealed: true, ours: true, withheld: 0 });
    });
    test("is not proven if the server chose another secret after it saw our entropy", () => {
        const other = "11".repeat(32);
        const cheating = { ...table, commitment: hash(Buffer.from(other, "hex")) };
        expect(checkProof(cheating, { ...proof, secret: other }, kept).sealed).toBe(false);
    });
    test("is not proven if the server swapped the other player's commitment", () => {
        const cheating = { ...table, commitments: [hash(ours), hash("chosen-after-ours")] };
        const swapped = { ...proof, entropies: [ours, "chosen-after-ours"] };
        expect(checkProof(cheating, swapped, null).sealed).toBe(true); // nobody else can know
        expect(checkProof(cheating, swapped, kept).sealed).toBe(false);
        expect(checkProof({ ...cheating, commitments: null }, swapped, kept).sealed).toBe(false);
    });
    test("is not proven if the last to reveal chose other entropy than committed to", () => {
        const chosen = { ...proof, entropies: [ours, "chosen-after-ours"] };
        expect(checkProof(table, chosen, kept).sealed).toBe(false);
        expect(checkProof(table, chosen, null).sealed).toBe(false);
    });
    test("shows entropy that was not revealed in time", () => {
        const late = { ...proof, entropies: [ours, hash(theirs)] };
        expect(checkProof(table, late, kept)).toMatchObject({ sealed: true, ours: true, withheld: 1 });
        const without = { ...proof, entropies: [hash(ours), theirs] };
        expect(checkProof(table, without, kept)).toMatchObject({ ours: false, withheld: 1 });
    });
    test("is not proven if a commitment is missing", () => {
        const missing = { ...table, commitments: [hash(ours)] };
        expect(checkProof(missing, proof, kept).sealed).toBe(false);
        expect(checkProof(missing, proof, null).sealed).toBe(false);
    });
});
