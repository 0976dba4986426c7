// @vitest-environment happy-dom
// An invitation from a loopback address offers the server's address in the network, or says how to get one.
import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, expect, it, vi } from "vitest";
import Invitation from "../../src/ui/Invitation.svelte";

function open(origin: string, networkUrls: string[]): void {
    const { hostname } = new URL(origin);
    vi.stubGlobal("location", { origin, hostname });
    vi.stubGlobal("fetch", () =>
        Promise.resolve(new Response(JSON.stringify({ network_urls: networkUrls }))),
    );
    render(Invitation, { address: `${origin}/t/amber-otter-41`, label: "Link" });
}
const link = async (): Promise<string> =>
    (await screen.findByRole<HTMLInputElement>("textbox", { name: "Link" })).value;

afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
});

it("shows the address of the page and its code", async () => {
    open("https://games.example", []);
    expect(await link()).toBe("games.example/t/amber-otter-41");
    expect(await screen.findByRole("img", { name: "Link" })).toBeTruthy();
});

it("shows the address in the network", async () => {
    open("http://localhost:8777", ["http://192.168.1.20:8777"]);
    expect(await link()).toBe("192.168.1.20:8777/t/amber-otter-41");
    expect(await screen.findByRole("img", { name: "Link" })).toBeTruthy();
    expect(screen.getByText("This link works on devices in your network.")).toBeTruthy();
});

it("has no code that nobody could open", async () => {
    open("http://127.0.0.1:8777", []);
    expect(await link()).toBe("127.0.0.1:8777/t/amber-otter-41");
    expect(screen.getByText(/only works on this device/).textContent).toContain("--host 0.0.0.0");
    expect(screen.queryByRole("img", { name: "Link" })).toBeNull();
});
