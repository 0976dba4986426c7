// What is worked out for the pages of ratings: the curve's lines, and what will not be rated.
import { describe, expect, it } from "vitest";
import { routeOf } from "../../src/client/routes";
import { plot } from "../../src/pages/ratings/curve";
import { unratedWish } from "../../src/pages/ratings/unrated";
import type { GameInfo, SeatRequest } from "../../src/wire/types";

describe("a curve", () => {
    it("goes from edge to edge, and higher ratings lie higher", () => {
        const { points, lines, path } = plot([1500, 1579, 1540], 200, 100);
        expect(points.map(({ x }) => x)).toEqual([0, 100, 200]);
        const [first, highest, last] = points.map(({ y }) => y);
        expect(highest).toBeLessThan(last ?? 0);
        expect(last).toBeLessThan(first ?? 0);
        expect(lines.map(({ rating }) => rating)).toEqual([1500, 1550, 1600]);
        expect(path.startsWith("M0.0 100.0L")).toBe(true);
    });

    it("has lines even where nothing changed", () => {
        const { points, lines } = plot([1500], 200, 100);
        expect(points).toEqual([{ x: 0, y: 100 }]);
        expect(lines.map(({ rating }) => rating)).toEqual([1500, 1510]);
    });

    it("never has many lines", () => {
        for (const high of [1501, 1533, 1600, 1777, 2600, 9000]) {
            const { lines, points } = plot([1500, high], 200, 100);
            expect(lines.length).toBeLessThanOrEqual(5);
            for (const { y } of points) expect(y >= 0 && y <= 100).toBe(true);
        }
    });
});

describe("a new table", () => {
    const game = {
        options: [
            { name: "aid", choices: [false, true], about: "", helps: true },
            { name: "way", choices: ["a", "b"], about: "", helps: false },
        ],
    } as unknown as GameInfo;
    const me: SeatRequest = { kind: "me" };
    const bot: SeatRequest = { kind: "bot", level: "player" };
    const why = (seats: SeatRequest[], options = {}, hints = false): string | null =>
        unratedWish(game, { seats, options, hints });

    it("is rated unless there is a reason", () => {
        expect(why([me, bot])).toBe(null);
        expect(why([me, { kind: "open" }], { way: "b", aid: false })).toBe(null);
        expect(why([me])).toBe("alone");
        expect(why([me, bot], { aid: true })).toBe("helped");
        expect(why([me, bot], {}, true)).toBe("hints");
        expect(why([me, bot, { kind: "me", name: "Zoe" }])).toBe("shared");
        expect(why([bot, bot])).toBe("bots");
    });
});

describe("the places of ratings", () => {
    it("are found", () => {
        expect(routeOf("/ratings", "")).toEqual({ page: "ratings", game: null });
        expect(routeOf("/ratings/nimble", "")).toEqual({ page: "ratings", game: "nimble" });
        expect(routeOf("/players/bot-master", "")).toEqual({ page: "player", id: "bot-master" });
        expect(routeOf("/players", "")).toEqual({ page: "lost" });
    });
});
