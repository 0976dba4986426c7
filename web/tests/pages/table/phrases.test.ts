// @vitest-environment happy-dom
// Phrases are shown for a while, unless their player is muted, and offered where another person can hear them.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MutedPlayers } from "../../../src/client/muted-players.svelte";
import { Phrases } from "../../../src/pages/table/phrases.svelte";
import type { TableSession } from "../../../src/pages/table/table-session.svelte";
import type { Phrase, TableInfo } from "../../../src/wire/types";
import { Props } from "../../games/rainbow/props.svelte";

const ADA = { kind: "person", player: "aaaa" };
const BEN = { kind: "person", player: "bbbb" };
const BOT = { kind: "bot", player: null };
const table = (id: string, seats: unknown[]): TableInfo => ({ id, seats }) as unknown as TableInfo;

function sit(changes: Record<string, unknown> = {}) {
    return new Props({
        id: "t1",
        seat: 0,
        mine: [0] as number[],
        seatInfos: [ADA, BEN],
        table: table("t1", [ADA, BEN]),
        live: { say: vi.fn() },
        client: { settings: { choices: { mute: false } }, mutedPlayers: new MutedPlayers() },
        ...changes,
    }).all;
}
let fake: ReturnType<typeof sit>;
let phrases: Phrases;
function create(changes: Record<string, unknown> = {}): void {
    fake = sit(changes);
    phrases = new Phrases(fake as unknown as TableSession);
}
const hear = (seat: number, phrase: Phrase): void => phrases.hear({ type: "said", seat, phrase, at: 1 });
const shown = (): string[] => phrases.shown.map(({ seat, phrase }) => `${seat} ${phrase}`);

beforeEach(() => {
    vi.useFakeTimers();
    localStorage.clear();
    create();
});
afterEach(() => void vi.useRealTimers());

test("the last phrase of each player is shown for five seconds", () => {
    hear(1, "hello");
    vi.advanceTimersByTime(3000);
    hear(0, "thanks");
    hear(1, "smile");
    expect(shown()).toEqual(["0 thanks", "1 smile"]);
    vi.advanceTimersByTime(4999);
    expect(shown()).toEqual(["0 thanks", "1 smile"]);
    vi.advanceTimersByTime(1);
    expect(shown()).toEqual([]);
});

test("a muted player is not shown, at this table and at later ones, until they are heard again", () => {
    fake.client.mutedPlayers.mute(fake.table, 1, true);
    hear(1, "hello");
    hear(0, "hello");
    expect(shown()).toEqual(["0 hello"]);
    create({ table: table("t2", [BEN, ADA]), seatInfos: [BEN, ADA], mine: [1] });
    hear(0, "thanks");
    expect(shown()).toEqual([]);
    fake.client.mutedPlayers.mute(fake.table, 0, false);
    expect(shown()).toEqual(["0 thanks"]);
});

test("a player without a public page is muted at their seat of this table alone", () => {
    const nameless = { kind: "person", player: null };
    create({ table: table("t1", [ADA, nameless]) });
    fake.client.mutedPlayers.mute(fake.table, 1, true);
    hear(1, "hello");
    expect(shown()).toEqual([]);
    fake.table = table("t2", [ADA, nameless]);
    expect(shown()).toEqual(["1 hello"]);
});

test("with everyone muted one's own phrases alone are shown", () => {
    fake.client = { ...fake.client, settings: { choices: { mute: true } } };
    hear(1, "hello");
    hear(0, "good-luck");
    expect(shown()).toEqual(["0 good-luck"]);
});

test.each([
    ["another person", {}, true],
    ["a bot alone", { seatInfos: [ADA, BOT] }, false],
    ["nobody", { seatInfos: [ADA] }, false],
    ["an open seat", { seatInfos: [ADA, { kind: "open" }] }, false],
    ["another player on this device", { mine: [0, 1] }, false],
    ["people, as a watcher", { mine: [] }, false],
    ["somebody at a table on this device", { id: "offline-t1" }, false],
])("with %s they are offered or not", (_, changes, offered) => {
    create(changes);
    expect(phrases.offered).toBe(offered);
});

test("whoever looks says it, or the seat that is chosen", () => {
    create({ mine: [0, 2], seat: 2 });
    phrases.say("hello");
    phrases.say("hello", 0);
    fake.seat = -1;
    phrases.say("thanks");
    expect(fake.live.say.mock.calls).toEqual([
        [2, "hello"],
        [0, "hello"],
        [0, "thanks"],
    ]);
});
