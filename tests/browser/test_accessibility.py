"""For everyone: axe finds nothing, the keyboard is enough, a phone is wide enough, and nothing need move."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.finished_games import bring
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]
AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
PAGES = [
    "/",
    "/watch",
    "/replay",
    "/ratings",
    "/learn",
    "/learn/rainbow",
    "/rules/rainbow",
    "/new/rainbow",
    "/new/flip-and-slide",
    "/carry#x",
    "/nowhere",
]


def check_axe(page: Page, where: str) -> None:
    page.wait_for_function("document.getAnimations().every((one) => one.playState !== 'running')")
    page.add_script_tag(path=AXE)
    found: list[dict[str, Any]] = page.evaluate(
        "async (rules) => (await axe.run({ runOnly: rules })).violations",
        ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"],
    )
    assert [(where, one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found] == []


def check_phone(page: Page, where: str) -> None:
    """Nothing sticks out, and whatever can be touched is large enough."""
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 360, where
    small: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("button, select, input:not([type=radio]):not([type=checkbox]), a.btn")]
            .filter((one) => one.checkVisibility() && !one.closest(".unseen") && !one.matches(".skip, .rule"))
            .filter((one) => { const box = one.getBoundingClientRect(); return box.height < 43.5 || box.width < 39.5 })
            .map((one) => one.outerHTML.slice(0, 120))"""
    )
    assert (where, small) == (where, [])


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_on_any_page(new_user: NewUser, dark: bool) -> None:
    ada = new_user(dark=dark, bypass_csp=True)
    for path in PAGES:
        page = ada.open(path)
        expect(page.get_by_role("main")).to_be_visible()
        page.wait_for_load_state("networkidle")
        check_axe(page, path)


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_axe_finds_nothing_at_a_table_in_any_state(new_user: NewUser, phone: bool) -> None:
    ada = new_user(phone=phone, dark=phone, bypass_csp=True)
    ada.open()
    ada.card("Rainbow").get_by_role("button", name="Invite").click()
    expect(ada.page.get_by_role("img", name="Link to this table")).to_be_visible()
    check_axe(ada.page, "waiting")
    guest = new_user(phone=phone, bypass_csp=True)
    guest.open("/t/" + ada.page.url.rsplit("/", 1)[1])
    expect(guest.page.get_by_role("button", name="Sit down")).to_be_visible()
    check_axe(guest.page, "invited")
    ada.page.get_by_role("button", name="Let a bot sit").click()
    expect(ada.moves.first).to_be_visible()
    check_axe(ada.page, "playing")
    ada.page.get_by_role("button", name="Rules").click()
    expect(ada.page.get_by_text("RB-15")).to_be_visible()
    check_axe(ada.page, "rules")
    ada.page.get_by_role("button", name="Close").first.click()
    ada.page.get_by_role("button", name="This table").click()
    expect(ada.page.get_by_role("dialog")).to_be_visible()
    check_axe(ada.page, "menu")
    ada.page.keyboard.press("Escape")
    ada.resign()
    expect(ada.page.get_by_role("heading", name="Player bot won")).to_be_visible()
    ada.page.get_by_role("button", name="Proof of the deal").click()
    check_axe(ada.page, "result")
    ada.open()
    ada.page.get_by_role("button", name="You and your settings").click()
    expect(ada.page.get_by_role("dialog")).to_be_visible()
    check_axe(ada.page, "me")
    ada.page.keyboard.press("Escape")
    ada.card("Rainbow").get_by_role("button", name="Share").click()
    check_axe(ada.page, "share")
    ada.page.get_by_role("button", name="Lay the table").click()
    expect(ada.page.get_by_role("heading", name="Hand over to")).to_be_visible()
    check_axe(ada.page, "curtain")


def test_a_phone_is_wide_enough(new_user: NewUser) -> None:
    ada = new_user(phone=True)
    for path in PAGES:
        page = ada.open(path)
        expect(page.get_by_role("main")).to_be_visible()
        page.wait_for_load_state("networkidle")
        check_phone(page, path)
    ada.open()
    ada.card("Rainbow").get_by_role("button", name="Invite").click()
    expect(ada.page.get_by_role("img", name="Link to this table")).to_be_visible()
    check_phone(ada.page, "waiting")
    ada.page.get_by_role("button", name="Let a bot sit").click()
    expect(ada.moves.first).to_be_visible()
    check_phone(ada.page, "playing")
    ada.page.get_by_role("button", name="Story").click()
    expect(ada.page.get_by_role("dialog")).to_be_visible()
    ada.page.keyboard.press("Escape")
    ada.resign()
    expect(ada.page.get_by_role("heading", name="Player bot won")).to_be_visible()
    check_phone(ada.page, "result")


def test_the_keyboard_is_enough(new_user: NewUser) -> None:
    ada = new_user()
    page = ada.open()
    expect(ada.card("Rainbow")).to_be_visible()

    def tab_to(name: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            focused: str = page.evaluate("document.activeElement.innerText ?? ''")
            if focused.strip().startswith(name):
                return
        raise AssertionError(f"Tab never came to {name}")

    tab_to("Play a bot")
    ring: str = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert ring == "solid"
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    expect(ada.moves.first).to_be_visible()
    tab_to(ada.moves.first.inner_text())
    page.keyboard.press("Enter")
    ada.wait_for_ply(1)

    page.keyboard.press("?")
    expect(page.get_by_role("complementary", name="Rules")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("complementary", name="The story so far")).to_be_visible()
    page.keyboard.press("h")
    expect(page.get_by_role("complementary", name="What can I do now?")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("complementary", name="What can I do now?")).to_have_count(0)
    page.keyboard.press("m")
    expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")


def test_what_happens_is_heard(new_user: NewUser) -> None:
    ada = new_user()
    ada.play_bot("Rainbow")
    polite, assertive = ada.page.get_by_role("status"), ada.page.get_by_role("alert")
    expect(assertive).to_contain_text("Your turn")
    ada.move()
    expect(polite).not_to_be_empty()


def test_nothing_moves_where_motion_is_not_wanted(new_user: NewUser) -> None:
    ada = new_user(still=True)
    ada.play_bot("Rainbow")
    expect(ada.moves.first).to_be_visible()
    ada.page.get_by_role("button", name="This table").click()
    expect(ada.page.get_by_role("dialog")).to_be_visible()
    assert ada.page.evaluate("document.getAnimations().filter((one) => one.playState === 'running').length") == 0


def test_nothing_moves_in_a_replay_that_plays(new_user: NewUser, server: ServerProcess) -> None:
    ada = new_user(plain=False, still=True)
    page = ada.open(f"/t/{bring(server.url, 'rainbow')}/replay?move=3")
    page.get_by_role("button", name="Play", exact=True).click()
    moment = page.get_by_role("slider", name="Moment of the game")
    expect(moment).not_to_have_value("3")
    seen = moment.input_value()
    moving = "document.getAnimations().filter((one) => one.playState === 'running').length"
    while moment.input_value() == seen:
        assert page.evaluate(moving) == 0
    assert page.evaluate(moving) == 0


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_words_are_bold_where_more_contrast_is_wanted(new_user: NewUser, dark: bool) -> None:
    """Seven to one for every word, as WCAG asks of those who want to be best."""
    ada = new_user(dark=dark, still=True, bypass_csp=True)
    ada.page.emulate_media(contrast="more")
    for path in ("/", "/ratings", "/rules/rainbow", "table"):
        if path == "table":
            ada.play_bot("Rainbow")
            expect(ada.moves.first).to_be_visible()
        else:
            ada.open(path).wait_for_load_state("networkidle")
        ada.page.add_script_tag(path=AXE)
        found: list[dict[str, Any]] = ada.page.evaluate(
            "async () => (await axe.run({ runOnly: { type: 'rule', values: ['color-contrast-enhanced'] } })).violations"
        )
        assert [(path, [node["html"][:160] for node in one["nodes"]]) for one in found] == []
