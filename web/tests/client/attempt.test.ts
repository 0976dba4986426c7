// @vitest-environment happy-dom
// An attempt is busy until it is answered, and says why it failed.
import { expect, test } from "vitest";
import { ApiError } from "../../src/client/api";
import { Attempt } from "../../src/client/attempt.svelte";

test("an attempt is busy until it is answered", async () => {
    const attempt = new Attempt();
    const event = new Event("submit", { cancelable: true });
    let answer = (): void => undefined;
    const running = attempt.run(() => new Promise<void>((resolve) => (answer = resolve)), event);
    expect(attempt.busy).toBe(true);
    expect(event.defaultPrevented).toBe(true);
    answer();
    await running;
    expect(attempt.busy).toBe(false);
    expect(attempt.trouble).toBe("");
});

test("an attempt that failed says why, until the next one", async () => {
    const attempt = new Attempt();
    const problem = { key: "none-of-ours", text: "The table is full.", parameters: {}, rule: null };
    await attempt.run(() => Promise.reject(new ApiError(problem, 409)));
    expect(attempt.busy).toBe(false);
    expect(attempt.trouble).toBe("The table is full.");
    await attempt.run(() => Promise.resolve());
    expect(attempt.trouble).toBe("");
});
