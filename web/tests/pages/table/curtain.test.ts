// @vitest-environment happy-dom
// The curtain of a shared device names the next player and opens by holding or by Enter twice, never by a slip.
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import Curtain from "../../../src/pages/table/Curtain.svelte";

const open = vi.fn();
let button: HTMLElement;

beforeEach(() => {
    vi.useFakeTimers();
    open.mockReset();
    render(Curtain, { name: "Jonas", open });
    button = screen.getByRole("button");
});
afterEach(() => {
    cleanup();
    vi.useRealTimers();
});

test("it names the player and has the focus", () => {
    expect(screen.getByRole("heading").textContent).toBe("Pass the device to Jonas");
    expect(document.activeElement).toBe(button);
});

test("it opens when it is held for 600 ms", async () => {
    await fireEvent.pointerDown(button);
    await vi.advanceTimersByTimeAsync(599);
    expect(open).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(open).toHaveBeenCalledTimes(1);
});

test.each(["pointerUp", "pointerLeave", "pointerCancel"] as const)(
    "it stays closed after %s",
    async (end) => {
        await fireEvent.pointerDown(button);
        await vi.advanceTimersByTimeAsync(300);
        await fireEvent[end](button);
        await vi.advanceTimersByTimeAsync(5000);
        expect(open).not.toHaveBeenCalled();
    },
);

test("it opens by Enter twice, and says so after the first", async () => {
    await fireEvent.keyDown(button, { key: "Enter" });
    expect(open).not.toHaveBeenCalled();
    const once = screen.getByRole("status").textContent;
    await fireEvent.keyDown(button, { key: "Enter" });
    expect(open).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1500);
    expect(screen.getByRole("status").textContent).not.toBe(once);
});

test("it stays closed when Enter is held down, or pressed again too late", async () => {
    await fireEvent.keyDown(button, { key: "Enter" });
    await fireEvent.keyDown(button, { key: "Enter", repeat: true });
    await vi.advanceTimersByTimeAsync(1500);
    await fireEvent.keyDown(button, { key: "Enter" });
    await fireEvent.keyDown(button, { key: " " });
    expect(open).not.toHaveBeenCalled();
});

test("it does not open after it is gone", async () => {
    await fireEvent.pointerDown(button);
    cleanup();
    await vi.advanceTimersByTimeAsync(5000);
    expect(open).not.toHaveBeenCalled();
});
