"""Boards in forced colours: lines and system colours show what may be done and what is selected.

The tour of the site (test_site_pages, test_site_tables) checks contrast, focus rings and hues on every page.
"""

from collections.abc import Callable

from playwright.sync_api import Locator, expect

from tests.browser.finished_games import upload
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]
HIGHLIGHT = """() => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = "Highlight";
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
}"""


def style(element: Locator, name: str) -> str:
    value: str = element.first.evaluate("(one, name) => getComputedStyle(one)[name]", name)
    return value


def border_width(element: Locator) -> float:
    return float(style(element, "borderTopWidth").removesuffix("px"))


def test_choices_and_turns_are_shown_by_lines_and_system_colours(new_user: NewUser) -> None:
    ada = new_user(plain=False, still=True, forced=True)
    page = ada.page
    ada.play_bot("Rainbow Road")
    expect(page.locator(".hand button[aria-disabled=false]").first).to_be_visible()
    idle = border_width(page.locator("[data-spot].empty"))
    page.locator(".hand button[aria-disabled=false]").first.click()
    expect(page.locator("[data-spot].lit").first).to_be_visible()
    assert border_width(page.locator("[data-spot].lit.empty")) > idle, "spots that may be chosen have a bolder line"

    ada.play_bot("Rainbow Flip & Slide")
    expect(page.locator(".spot").first).to_be_visible()
    assert style(page.locator(".spot .outline"), "stroke") == page.evaluate(HIGHLIGHT), "lit cells are highlighted"
    grounds = [style(page.locator(f".plate{which}"), "backgroundColor") for which in (".act", ":not(.act)")]
    assert grounds[0] != grounds[1], "the plate of the player to act stands out"


def test_markers_of_both_players_differ(new_user: NewUser, server: ServerProcess) -> None:
    ada = new_user(plain=False, still=True, forced=True)
    ada.open(f"/t/{upload(server.url, 'rainbow-road')}/replay?move=20&as=0")
    for whose in (".theirs", ":not(.theirs)"):
        assert style(ada.page.locator(f".marker{whose}"), "forcedColorAdjust") == "none"
