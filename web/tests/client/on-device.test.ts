// Where a request is answered: by the server, on this device, or there if the server is away.
import { afterEach, expect, test, vi } from "vitest";
import { isOnDevice, whereAnswered } from "../../src/client/on-device";

const OFFLINE_TABLE = "offline-amber-otter-2345678";
const withOfflinePlay = (controller: unknown): void =>
    void vi.stubGlobal("navigator", { serviceWorker: { controller } });

afterEach(() => void vi.unstubAllGlobals());

test.each([
    ["get", "/api/me", "both"],
    ["patch", "/api/me", "both"],
    ["delete", "/api/me", "server"],
    ["post", "/api/me/transfer-code", "server"],
    ["get", "/api/games", "both"],
    ["get", "/api/games/rainbow/lesson?language=de", "both"],
    ["post", "/api/tables", "both"],
    ["get", "/api/tables?which=mine", "server"],
    ["get", "/api/tables/amber-otter-2345678", "server"],
    ["get", `/api/tables/${OFFLINE_TABLE}/replay?view=0`, "here"],
    ["post", "/api/records", "both"],
    ["post", `/api/records?offline_id=${OFFLINE_TABLE}`, "server"],
    ["get", "/api/ratings/rainbow", "server"],
])("%s %s is answered by: %s", (method, address, where) => {
    withOfflinePlay({});
    expect(whereAnswered(method, address)).toBe(where);
    withOfflinePlay(null);
    expect(whereAnswered(method, address)).toBe(where === "here" ? "here" : "server");
});

test("the id of a table tells that it is on a device", () => {
    expect([isOnDevice(OFFLINE_TABLE), isOnDevice("amber-otter-2345678")]).toEqual([true, false]);
});
