// A race shown at once: what is done shows before the answer, what is lost is taken back, the server's order is the truth.
import { describe, expect, test } from "vitest";
import type { Move } from "../../../src/games/nimble/choices";
import { chance, Device, FakeTable } from "./table";

function alone(checking: "audit" | "referee" = "audit"): { table: FakeTable; ada: Device } {
    const table = new FakeTable(2, 7, checking);
    return { table, ada: new Device(table, [0]) };
}

async function flipped(
    count: number,
    checking: "audit" | "referee" = "audit",
): Promise<ReturnType<typeof alone>> {
    const table = alone(checking);
    for (let i = 0; i < count; i++) table.ada.act(0, "f");
    await table.ada.settle();
    return table;
}

describe("at once", () => {
    test("a flip turns a card whose face is on its way, and it lands in the same card", async () => {
        const { ada } = alone();
        const next = ada.race.scene.hands[0]?.next?.key;
        ada.act(0, "f");
        expect(ada.sent).toEqual(["f"]);
        expect(ada.shown).toMatchObject({ pile: [undefined], set: 27 });
        expect(ada.race.scene.hands[0]?.pile[0]?.key).toBe(next);
        await ada.settle();
        expect(ada.race.scene.hands[0]?.pile[0]).toMatchObject({ key: next, card: { owner: 0 } });
    });
    test("several flips in flight keep their cards", async () => {
        const { ada } = alone();
        ada.act(0, "f");
        ada.act(0, "f");
        ada.act(0, "f");
        const keys = ada.race.scene.hands[0]?.pile.map(({ key }) => key);
        await ada.settle();
        expect(ada.race.scene.hands[0]?.pile.map(({ key }) => key)).toEqual(keys);
        expect(ada.shown.pile).toHaveLength(3);
        expect(ada.shown.pile).not.toContain(undefined);
    });
    test("a placement shows before its answer, and is sent with the height that was seen (NB-11)", async () => {
        const { ada } = await flipped(2);
        const [under, top] = ada.shown.pile;
        ada.act(0, "p2");
        expect(ada.sent.at(-1)).toBe("p2/1");
        expect(ada.shown).toMatchObject({ pile: [under], heights: [1, 2, 1] });
        expect(ada.shown.stacks[1]).toBe(top);
        expect(ada.race.scene.stacks[1]?.waits).toBe(true);
        await ada.settle();
        expect(ada.race.scene.stacks[1]?.waits).toBe(false);
        expect(ada.shown.stacks[1]).toBe(top);
    });
    test("nothing happens twice when the position comes before the answer", async () => {
        const { ada } = await flipped(1);
        ada.act(0, "f");
        ada.heard();
        await ada.arrive(); // the position with the flip; its answer is still on its way
        expect(ada.shown.pile).toHaveLength(2);
        await ada.settle();
        expect(ada.shown.pile).toHaveLength(2);
    });
    test("what cannot be done is not sent", () => {
        const { ada } = alone();
        expect(["b", "p1", "t"].map((move) => ada.act(0, move as Move))).toEqual([false, false, false]);
        expect(ada.act(1, "f")).toBe(false);
        expect(ada.sent).toEqual([]);
    });
});

describe("a lost race", () => {
    test("is taken back as soon as the other card is seen, and told once", async () => {
        const { table, ada } = await flipped(1);
        const [card] = ada.shown.pile;
        table.play(1, "f");
        ada.tell();
        await ada.arrive();
        ada.act(0, "p1");
        table.play(1, "p1");
        ada.tell();
        ada.heard(); // refused
        await ada.arrive();
        expect(ada.shown).toMatchObject({ pile: [card], heights: [2, 1, 1] });
        expect(ada.lost).toEqual([{ seat: 0, stack: 0, by: 1, refusal: null }]);
        await ada.settle();
        expect(ada.lost).toHaveLength(1);
        expect(ada.shown.pile).toEqual([card]);
    });
    test("never lays a card that was not meant: what rests on it waits, and is given back with it", async () => {
        const { table, ada } = await flipped(3);
        const pile = ada.shown.pile;
        table.play(1, "f");
        ada.tell();
        await ada.arrive();
        ada.act(0, "p1");
        ada.act(0, "p2"); // the card beneath: held until the first is answered
        ada.act(0, "b"); // and behind it the next
        expect(ada.sent.slice(-1)).toEqual(["p1/1"]);
        expect(ada.shown).toMatchObject({ pile: [], heights: [2, 2, 1], set: 26 });
        table.play(1, "p1");
        ada.tell();
        await ada.settle();
        expect(ada.sent.slice(-1)).toEqual(["p1/1"]);
        expect(ada.shown).toMatchObject({ pile, heights: [2, 1, 1] });
        expect(table.stacks[1]).toHaveLength(1);
    });
    test("a card on one's own card waits too, and goes when the first has landed", async () => {
        const { table, ada } = await flipped(2);
        const [under, top] = ada.shown.pile;
        ada.act(0, "p1");
        ada.act(0, "p1");
        expect(ada.sent.slice(-1)).toEqual(["p1/1"]);
        await ada.settle();
        expect(ada.sent.slice(-2)).toEqual(["p1/1", "p1/2"]);
        expect(table.stacks[0]?.slice(1).map(({ card }) => card)).toEqual([top, under]);
    });
    test("a flip does not wait: its card is its own", async () => {
        const { ada } = await flipped(1);
        ada.act(0, "p1");
        ada.act(0, "f");
        ada.act(0, "p2");
        expect(ada.sent.slice(-3)).toEqual(["p1/1", "f", "p2/1"]);
        await ada.settle();
        expect(ada.lost).toEqual([]);
    });
    test("the rule's refusal gives the card back too", async () => {
        const { table, ada } = await flipped(1, "referee");
        const [card] = ada.shown.pile;
        const wrong = table.stacks.findIndex((cards) => cards[0]?.circle !== table.pile(0)[0]?.frame);
        ada.act(0, `p${wrong + 1}` as Move);
        await ada.settle();
        expect(ada.shown).toMatchObject({ pile: [card], heights: [1, 1, 1] });
        expect(ada.lost).toMatchObject([{ stack: wrong, by: null, refusal: { key: "does-not-fit" } }]);
    });
});

describe("two on one device", () => {
    test("a card placed on the other's unanswered card waits for it", async () => {
        const table = new FakeTable(2, 3);
        const tablet = new Device(table, [0, 1]);
        tablet.act(0, "f");
        tablet.act(1, "f");
        await tablet.settle();
        tablet.act(0, "p3");
        tablet.act(1, "p3");
        tablet.act(1, "f");
        expect(tablet.sent.slice(2)).toEqual(["p3/1"]);
        expect(tablet.shown.heights).toEqual([1, 1, 3]);
        await tablet.settle();
        expect(tablet.sent.slice(2)).toEqual(["p3/1", "p3/2", "f"]);
        expect(table.stacks[2]?.map(({ owner }) => owner)).toEqual([0, 0, 1]);
    });
});

describe("the connection", () => {
    test("lost: nothing is guessed and nothing done", async () => {
        const { ada } = await flipped(1);
        ada.act(0, "p1");
        ada.race.cut = true;
        expect(ada.shown.heights).toEqual([1, 1, 1]);
        expect(ada.act(0, "f")).toBe(false);
        ada.race.cut = false;
        expect(ada.shown.heights).toEqual([2, 1, 1]);
    });
    test("back after we missed something: nothing is done before what was sent is answered", async () => {
        const { table, ada } = await flipped(2);
        ada.act(0, "f");
        for (const move of ["f", "f", "p2"]) table.play(1, move);
        ada.tell();
        await ada.arrive();
        expect(ada.shown).toMatchObject({ set: 26, heights: [1, 2, 1] });
        expect(ada.act(0, "p1")).toBe(false);
        await ada.settle();
        expect(ada.shown.set).toBe(25);
        expect(ada.act(0, "p1")).toBe(true);
    });
    test("the end shows only what the server says", async () => {
        const { table, ada } = await flipped(1);
        ada.act(0, "p1");
        for (let left = table.view(1).players[1]?.left ?? 0; left > 1; left--)
            for (const move of ["f", "p2"]) table.play(1, move);
        ada.tell();
        await ada.arrive();
        expect(ada.shown.heights).toEqual(table.stacks.map((cards) => cards.length));
        expect(ada.act(0, "f")).toBe(false);
    });
});

test("whatever is done, however late: the end is the server's, and no card is placed that its player did not mean", async () => {
    for (let seed = 1; seed <= 60; seed++) {
        const next = chance(seed * 99991);
        const table = new FakeTable(2, seed);
        const devices = [new Device(table, [0]), new Device(table, [1])];
        const meant = new Set<string>();
        for (let i = 0; i < 300; i++) {
            const device = devices[next() < 0.5 ? 0 : 1] as Device;
            const seat = device.seats[0] as number;
            const dice = next();
            if (dice < 0.45) {
                const wish =
                    (["f", "f", "f", "p1", "p2", "p3", "b", "t"] as const)[Math.floor(next() * 8)] ?? "f";
                const top = device.race.scene.hands[seat]?.pile.at(-1)?.card;
                const stack = device.race.scene.stacks[Number(wish[1]) - 1]?.top.card;
                // People lay cards whose faces they see.
                const move = wish[0] === "p" && (!top || !stack) ? "f" : wish;
                if (device.act(seat, move) && move[0] === "p") meant.add(`${top?.card} on ${stack?.card}`);
            } else if (dice < 0.7) device.heard(devices);
            else await device.arrive();
        }
        for (let i = 0; i < 2; i++) for (const device of devices) await device.settle(devices);
        for (const device of devices) {
            expect(device.race.waiting).toBe(0);
            const seat = device.seats[0] as number;
            expect(device.shown.stacks).toEqual(table.stacks.map((cards) => cards.at(-1)?.card));
            expect(device.shown.heights).toEqual(table.stacks.map((cards) => cards.length));
            expect(device.shown.pile.at(-1)).toBe(table.pile(seat).at(-1)?.card);
            expect(device.shown.set).toBe(table.set(seat).length);
        }
        for (const cards of table.stacks) {
            cards
                .slice(1)
                .forEach(({ card }, at) => expect(meant).toContain(`${card} on ${cards[at]?.card}`));
        }
    }
});
