"""Twenty-two states have the same texts, the same boxes and no layout fault in all three engines, at two sizes.

Engines draw letters and edges differently, so structure is compared: what is visible, and where.
"""

from typing import Any, NamedTuple

import pytest

from tests.browser.engines.chromium import ChromiumEngine
from tests.browser.engines.gateway import Gateway
from tests.browser.engines.page import HEIGHT, WIDTH
from tests.browser.engines.states import Visit, states, upload_replays
from tests.browser.engines.webdriver import WebDriverEngine
from tests.browser.layout_checks import LAYOUT_SCRIPT
from tests.server.process import ServerProcess

ACROSS, ALL_SIDES = (0, 2), (0, 1, 2, 3)  # of a box: x, y, width, height
LONG_TEXT = "/rules"  # engines break its lines at other words, so what follows is higher or lower
SLACK = 12  # px by which a box may lie or be sized differently: engines round the height of a line differently

LAYOUT_FAULTS = LAYOUT_SCRIPT.strip().removesuffix(";")
STRUCTURE = """() => {
    const name = (one) => (one.getAttribute("aria-label") ?? one.textContent).replace(/\\s+/g, " ").trim().slice(0, 60);
    const texts = "h1, h2, h3, p, legend, label, button, a, input, select, [role=img]";
    return [...document.querySelectorAll(`header, main, .board, ${texts}`)]
        .filter((one) => !one.closest(".skip, .unseen") && one.checkVisibility({ visibilityProperty: true }))
        .map((one) => [one, one.getBoundingClientRect()])
        .filter(([, { width, height }]) => width > 2 && height > 2)
        .map(([one, { x, y, width, height }]) => [
            one.matches(texts) ? `${one.tagName} ${name(one)}` : one.tagName,
            [x, y, width, height],
        ]);
}"""
# What can be scrolled sideways.
SIDEWAYS = """() => {
    const classes = (one) => [...one.classList].filter((name) => !name.startsWith("svelte-"));
    return [...document.querySelectorAll("body *")]
        .filter((one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth)
        .filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowX))
        .map((one) => [one.tagName, ...classes(one)].join("."));
}"""
TOO_TALL = """() => {
    const { scrollHeight, clientHeight } = document.documentElement;
    return scrollHeight - clientHeight;
}"""


class Seen(NamedTuple):
    """What an engine shows in a state."""

    boxes: list[Any]  # of texts and controls: what it is, and [x, y, width, height]
    sideways: list[str]


@pytest.mark.long
@pytest.mark.parametrize(("width", "height"), [(WIDTH, HEIGHT), (390, 844)])
def test_every_state_has_the_same_structure_in_every_engine(
    chromium_engine: ChromiumEngine,
    firefox_engine: WebDriverEngine,
    webkit_engine: WebDriverEngine,
    server: ServerProcess,
    width: int,
    height: int,
) -> None:
    replays = upload_replays(server)
    seen: dict[str, dict[str, Seen]] = {}
    faults: list[str] = []
    for engine in (chromium_engine, firefox_engine, webkit_engine):
        with Gateway(server.port) as gateway:
            page = engine.new_page(gateway)
            page.resize(width, height)
            for state in states(page, Visit(server), replays):
                seen.setdefault(state, {})[engine.name] = Seen(page.evaluate(STRUCTURE), page.evaluate(SIDEWAYS))
                faults += [f"{engine.name}, {state}: {fault}" for fault in page.evaluate(LAYOUT_FAULTS, None)]
                if state.startswith("table") and (beyond := page.evaluate(TOO_TALL)):
                    faults.append(f"{engine.name}, {state}: {beyond} px taller than the window")
            faults += [f"{engine.name}: {error}" for error in page.errors()]
            page.close()
    assert len(seen) >= 20
    for state, by_engine in seen.items():
        for name in ("firefox", "webkit"):
            faults += [f"{name}, {state}: {one}" for one in differences(by_engine["chromium"], by_engine[name], state)]
    assert not faults, "\n".join(faults)


def differences(expected: Seen, found: Seen, state: str) -> list[str]:
    """List the elements that two structures have not in common, or else those whose boxes differ."""
    if expected.sideways != found.sideways:
        return [f"{found.sideways} scroll sideways, not {expected.sideways}"]
    names, other_names = [name for name, _ in expected.boxes], [name for name, _ in found.boxes]
    if names != other_names:
        missing = [f"missing {name}" for name in names if name not in other_names]
        return missing + [f"added {name}" for name in other_names if name not in names] or ["in another order"]
    sides = ACROSS if state == LONG_TEXT else ALL_SIDES
    return [
        f"{name} at {[round(one) for one in box]}, not {[round(one) for one in other]}"
        for (name, box), (_, other) in zip(expected.boxes, found.boxes, strict=True)
        if any(abs(box[side] - other[side]) > SLACK for side in sides)
    ]
