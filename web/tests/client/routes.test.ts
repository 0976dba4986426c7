// Addresses and the pages they lead to.
import { expect, test } from "vitest";
import { routeOf } from "../../src/client/routes";

test.each([
    ["/", "", { page: "home" }],
    ["/t/amber-otter-41", "", { page: "table", id: "amber-otter-41" }],
    ["/t/amber-otter-41/replay", "", { page: "replayed", id: "amber-otter-41" }],
    ["/t/amber-otter-41/replay/more", "", { page: "lost" }],
    ["/new/rainbow", "", { page: "new", game: "rainbow" }],
    ["/learn", "", { page: "learn", game: null }],
    ["/learn/rainbow", "", { page: "learn", game: "rainbow" }],
    ["/rules", "", { page: "rules", game: null }],
    ["/rules/rainbow", "#RB-15", { page: "rules", game: "rainbow" }],
    ["/watch", "", { page: "watch" }],
    ["/bots", "", { page: "bots" }],
    ["/replay/", "", { page: "replay" }],
    ["/transfer", "#abc", { page: "transfer", code: "abc" }],
    ["/carry", "#abc", { page: "transfer", code: "abc" }],
    ["/t", "", { page: "lost" }],
    ["/watch/more", "", { page: "lost" }],
    ["/t/a/b", "", { page: "lost" }],
    ["/%E0%A4%A", "", { page: "lost" }],
])("%s%s", (path, hash, place) => {
    expect(routeOf(path, hash)).toEqual(place);
});
