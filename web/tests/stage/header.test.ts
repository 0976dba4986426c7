// @vitest-environment happy-dom
// The header of a stage on a phone: under the title stands the round, also under a long one.
import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, expect, test, vi } from "vitest";
import { CLIENT, Client } from "../../src/client/context";
import StageHeader from "../../src/stage/StageHeader.svelte";

const client = new Client();
afterEach(cleanup);

test.each([
    ["Rainbow Road", ["Round 2 of 8"], "Watching · Round 2 of 8"],
    ["Rainbow Flip & Slide", ["Turn 12"], "Turn 12"],
    ["Rainbow Flip & Slide", ["Placing the player tiles"], null],
])("under %s: %j", (title, facts, line) => {
    const note = { icon: "eye" as const, text: "Watching" };
    const props = { title, facts, note, width: "S" as const, rules: vi.fn(), menu: vi.fn() };
    render(StageHeader, { props, context: new Map([[CLIENT, client]]) });
    expect(screen.getByRole("heading").nextElementSibling?.textContent ?? null).toBe(line);
});
