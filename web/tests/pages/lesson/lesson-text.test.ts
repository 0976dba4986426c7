// @vitest-environment happy-dom
// The words of a lesson and the marks in them.
import { cleanup, render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import LessonText from "../../../src/pages/lesson/LessonText.svelte";

afterEach(cleanup);

test("the words of a lesson hold bold parts, swatches, and rules that open", async () => {
    const openRule = vi.fn();
    const { container } = render(LessonText, {
        text: "Play <red>red, **now** (RB-15, FS-5).",
        openRule,
    });
    expect(container.textContent).toBe("Play red, now (RB-15, FS-5).");
    expect(screen.getByText("now").tagName).toBe("B");
    expect(container.querySelectorAll(".swatch").length).toBe(1);
    await userEvent.click(screen.getByRole("button", { name: "Rule FS-5" }));
    expect(openRule.mock.calls).toEqual([["FS-5"]]);
});

test("a rule is found beside Japanese brackets; what only looks like a rule is text", () => {
    render(LessonText, { text: "負けです（RB-15）。 A T-shirt, 26-22, Moby-Dick", openRule: vi.fn() });
    expect(screen.getAllByRole("button").map((rule) => rule.textContent)).toEqual(["RB-15"]);
});
