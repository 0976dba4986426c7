// The seal of a deal, checked with a SHA-256 of our own.
import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { checkProof } from "../../src/client/proof";
import { sha256 } from "../../src/client/sha256";
import type { TableInfo } from "../../src/wire/types";

test.each([0, 1, 32, 55, 56, 63, 64, 65, 1000])("SHA-256 of %i bytes", (length) => {
    const bytes = randomBytes(length);
    expect(sha256(bytes)).toBe(createHash("sha256").update(bytes).digest("hex"));
});

describe("a deal", () => {
    const secret = "00ff".repeat(16);
    const commitment = createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex");
    const seats = [{ name: "Ada" }, { name: null }]; // a person and a bot
    const table = { commitment, your_seats: [0], seats } as unknown as TableInfo;
    const proof = { secret, entropies: ["ours-and-long-enough"], previous: null };

    test("is proven if the secret fits the seal we kept and our chance is in it", () => {
        const kept = { commitment, entropy: "ours-and-long-enough" };
        expect(checkProof(table, proof, kept)).toEqual({ sealed: true, kept: true, ours: true });
    });
    test("is not if the server changed the seal since", () => {
        const kept = { commitment: "other", entropy: "ours-and-long-enough" };
        expect(checkProof(table, proof, kept).sealed).toBe(false);
    });
    test("is not ours if our chance is missing", () => {
        expect(checkProof(table, proof, { commitment, entropy: "another" }).ours).toBe(false);
    });
    test("is not if more was added than people sat there", () => {
        const more = { ...proof, entropies: [...proof.entropies, "of-the-servers-choosing"] };
        expect(checkProof(table, more, null).sealed).toBe(false);
    });
    test("is checked against the table's seal by who kept none", () => {
        expect(checkProof(table, proof, null)).toEqual({ sealed: true, kept: false, ours: null });
    });
});
