// Moments of a replay, in and out of the address.
import { expect, test } from "vitest";
import { momentOf, momentPath } from "../../../src/pages/replay/moment";

test.each([
    ["?move=14&as=0", { ply: 14, viewpoint: 0 }],
    ["?move=3&as=everything", { ply: 3, viewpoint: "everything" }],
    ["?as=watcher", { ply: 0, viewpoint: "watcher" }],
    ["", { ply: 0, viewpoint: null }],
    ["?move=-1&as=-1", { ply: 0, viewpoint: null }],
    ["?move=x&as=nobody", { ply: 0, viewpoint: null }],
])("%s", (query, moment) => {
    expect(momentOf(query)).toEqual(moment);
});

test("a path leads back to its moment", () => {
    const path = momentPath("amber-otter-41", 14, "everything");
    expect(path.startsWith("/t/amber-otter-41/replay?")).toBe(true);
    expect(momentOf(path.slice(path.indexOf("?")))).toEqual({ ply: 14, viewpoint: "everything" });
});
