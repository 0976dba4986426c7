// What seats are called.
import { expect, test } from "vitest";
import { seatNames } from "../../src/client/names";
import type { SeatInfo } from "../../src/wire/types";

const seat = (more: Partial<SeatInfo>): SeatInfo =>
    ({ kind: "person", name: null, level: null, ...more }) as SeatInfo;

test("a bot account is marked, and is no built-in level", () => {
    const seats = [
        seat({ name: "Ada" }),
        seat({ name: "Deep Hue", bot_account: true }),
        seat({ kind: "bot", level: "expert" }),
    ];
    const [person, account, level] = seatNames(seats);
    expect([person, account]).toEqual(["Ada", "Deep Hue (bot)"]);
    expect(level).not.toContain("(bot)");
});
