"""In colours that the device forces: every word can be read, the focus is ringed, and pieces stay themselves."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.finished_games import told
from tests.browser.site_tour import everywhere
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]

# The browser paints the device's ground behind every text of ours, but where we said that we know better.
FADED = """() => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.backgroundColor = "Canvas";
    const canvas = getComputedStyle(probe).backgroundColor;
    probe.remove();
    const light = (colour) => {
        const [r, g, b] = colour.match(/[\\d.]+/g).map((part) => {
            const share = Number(part) / 255;
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (one) => {
        for (let at = one; at; at = at.parentElement) {
            const { backgroundColor } = getComputedStyle(at);
            if (!/^rgba.*, 0\\)$/.test(backgroundColor)) return backgroundColor;
        }
        return canvas;
    };
    const faded = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const held = node.parentElement;
        const apart = "svg, script, style, noscript, option, :disabled, .unseen";
        if (!node.textContent.trim() || held.closest(apart)) continue;
        if (!held.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        const style = getComputedStyle(held);
        const behind = style.forcedColorAdjust === "none" ? ground(held) : canvas;
        const [dark, bright] = [light(style.color), light(behind)].sort((a, b) => a - b);
        if ((bright + 0.05) / (dark + 0.05) < 4.5)
            faded.push(`${node.textContent.trim().slice(0, 40)}: ${style.color} on ${behind}`);
    }
    return faded;
}"""

# A ring about what has the focus; a lit cell of the meadow has one of its own, drawn in the picture.
RINGLESS = """() => [...document.querySelectorAll("button, a[href], select, summary, input[type=text]")]
    .filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true }))
    .filter((one) => !one.matches(".spot, .piece") && (one.focus(), document.activeElement === one))
    .filter((one) => one.matches(":focus-visible"))
    .filter((one) => ["none", "hidden"].includes(getComputedStyle(one).outlineStyle))
    .map((one) => one.outerHTML.slice(0, 120))"""

# The hue of a face is as it was printed, and so are the letters on it.
REPAINTED = """() => [...document.querySelectorAll("svg [fill^='#']")].filter((one) => {
    const was = one.getAttribute("fill");
    const pen = document.createElement("canvas").getContext("2d");
    pen.fillStyle = was;
    const now = document.createElement("canvas").getContext("2d");
    now.fillStyle = getComputedStyle(one).fill;
    return pen.fillStyle !== now.fillStyle;
}).map((one) => one.outerHTML.slice(0, 100))"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Stories need not be good here, but soon told."""
    with ServerProcess(tmp_path_factory.mktemp("served"), "--story", "4") as running:
        yield running


def test_every_word_can_be_read_and_every_place_is_ringed(new_user: NewUser, server: ServerProcess) -> None:
    """On a dark device, for somebody who chose the light theme before: the device's choice is what counts."""
    ada = new_user(plain=False, still=True, dark=True, forced=True)
    ada.context.add_init_script("localStorage['sevenhues.settings'] ??= JSON.stringify({ theme: 'light' })")
    wrong: list[tuple[str, str]] = []
    for where in everywhere(ada, [told(server.url, "rainbow")]):
        ada.page.keyboard.press("Shift")
        wrong += [(where, what) for check in (FADED, RINGLESS, REPAINTED) for what in ada.page.evaluate(check)]
    assert wrong == [], "\n".join(map(str, wrong))


def line(page: Page, selector: str) -> float:
    """Return how bold the line about the first of those is."""
    width: str = page.locator(selector).first.evaluate("(one) => getComputedStyle(one).borderTopWidth")
    return float(width.removesuffix("px"))


def test_what_may_be_done_and_what_is_picked_is_told_by_lines(new_user: NewUser) -> None:
    ada = new_user(plain=False, still=True, forced=True)
    page = ada.page
    ada.play_bot("Rainbow Road")
    expect(page.locator(".hand button[aria-disabled=false]").first).to_be_visible()
    idle = line(page, "[data-spot].empty")
    page.locator(".hand button[aria-disabled=false]").first.click()
    expect(page.locator("[data-spot].lit").first).to_be_visible()
    assert line(page, "[data-spot].lit.empty") > idle, (
        "a spot that may be chosen has a bolder line than one that may not"
    )

    ada.play_bot("Rainbow Flip & Slide")
    expect(page.locator(".spot").first).to_be_visible()
    system = page.evaluate(
        """() => {
            const probe = document.body.appendChild(document.createElement("i"));
            probe.style.color = "Highlight";
            const { color } = getComputedStyle(probe);
            probe.remove();
            return color;
        }"""
    )
    stroke = page.locator(".spot .outline").first.evaluate("(one) => getComputedStyle(one).stroke")
    assert stroke == system, "lit cells are drawn in a colour of the device"

    plate, other = (page.locator(f".plate{which}").first for which in (".act", ":not(.act)"))
    grounds = [one.evaluate("(one) => getComputedStyle(one).backgroundColor") for one in (plate, other)]
    assert grounds[0] != grounds[1], "whose turn it is shows at their plate"
