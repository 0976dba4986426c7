// Refusals in the reader's language.
import { expect, test } from "vitest";
import { refusalText } from "../../src/client/refusal-text";
import { gameMessages } from "../../src/i18n/messages.svelte";
import english from "../../src/games/rainbow-road/messages/en.json";

const say = gameMessages("rainbow-road", { en: english });
const refusal = (key: string, parameters: Record<string, string>): string =>
    refusalText(say, { key, parameters, text: "" });

test.each([
    ["a1", "b1 is in the other half. Play to a1."],
    ["a1 or a3", "b1 is in the other half. Play to a1 or a3."],
    ["a1, a3 or a5", "b1 is in the other half. Play to a1, a3 or a5."],
])("places %s are listed", (places, text) => {
    expect(refusal("other-half", { spot: "b1", places })).toBe(text);
});

test("a direction is a word", () => {
    expect(refusal("turned-round", { fairy: "Rain", way: "anticlockwise" })).toBe(
        "The Rain Fairy goes anticlockwise this time and can’t turn round.",
    );
});

test("a time is written as the reader writes times", () => {
    const until = new Date(2026, 10, 21, 18, 30).getTime();
    const text = refusalText(say, { key: "muted-until", parameters: { until }, text: "" });
    expect(text).toMatch(/^You can’t say anything until Nov 21, 2026, 6:30\sPM\.$/);
});
