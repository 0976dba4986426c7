// @vitest-environment happy-dom
// Where a card flies from.
import { expect, test } from "vitest";
import { cardIn } from "../../../src/games/rainbow-road/animation.svelte";

const card = new DOMRect(100, 200, 40, 60);

test.each([
    ["a wide place", new DOMRect(0, 0, 400, 120)],
    ["a large card", new DOMRect(0, 0, 120, 180)],
    ["a flat place", new DOMRect(0, 0, 300, 30)],
])("a card from %s is hardly larger than it lies on the road, in the middle of the place", (_, place) => {
    const from = cardIn(place, card) as DOMRect;
    expect(from.width).toBeLessThanOrEqual(1.3 * card.width);
    expect(from.height).toBeLessThanOrEqual(place.height);
    expect(from.width / from.height).toBeCloseTo(card.width / card.height);
    expect(from.left + from.width / 2).toBeCloseTo(place.width / 2);
    expect(from.top + from.height / 2).toBeCloseTo(place.height / 2);
});
