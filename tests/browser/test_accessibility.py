"""Keyboard, announcements, reduced motion and more contrast in the shell, on the plain table.

The tour of the site (test_site_pages, test_site_tables) runs axe and checks touch targets on every page.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.finished_games import upload
from tests.browser.page_checks import axe
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]
RUNNING = "document.getAnimations().filter((one) => one.playState === 'running').length"
ENHANCED_CONTRAST = {"type": "rule", "values": ["color-contrast-enhanced"]}  # seven to one


def test_shell_is_used_by_keyboard_alone_and_announces_moves(new_user: NewUser) -> None:
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
    expect(page.get_by_role("alert")).to_contain_text("Your turn")
    tab_to(ada.moves.first.inner_text())
    page.keyboard.press("Enter")
    ada.wait_for_ply(1)
    expect(page.get_by_role("status")).not_to_be_empty()

    page.keyboard.press("?")
    expect(page.get_by_role("complementary", name="Rules")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("complementary", name="Moves")).to_be_visible()
    page.keyboard.press("h")
    expect(page.get_by_role("complementary", name="What can I do now?")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("complementary", name="What can I do now?")).to_have_count(0)
    page.keyboard.press("m")
    expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")


def test_nothing_moves_under_reduced_motion(new_user: NewUser, server: ServerProcess) -> None:
    ada = new_user(plain=False, still=True)
    ada.play_bot("Rainbow")
    expect(ada.page.locator(".board[data-ply]")).to_be_visible()
    ada.page.get_by_role("button", name="This game").click()
    expect(ada.page.get_by_role("dialog")).to_be_visible()
    assert ada.page.evaluate(RUNNING) == 0

    page = ada.open(f"/t/{upload(server.url, 'rainbow')}/replay?move=3")
    page.get_by_role("button", name="Play", exact=True).click()
    moment = page.get_by_role("slider", name="Position in the game")
    expect(moment).not_to_have_value("3")
    seen = moment.input_value()
    while moment.input_value() == seen:
        assert page.evaluate(RUNNING) == 0
    assert page.evaluate(RUNNING) == 0


@pytest.mark.long
def test_texts_have_enhanced_contrast_where_more_contrast_is_wanted(new_user: NewUser) -> None:
    ada = new_user(still=True)
    ada.page.emulate_media(contrast="more")
    for path in ("/", "/ratings", "/rules/rainbow", "table"):
        if path == "table":
            ada.play_bot("Rainbow")
            expect(ada.moves.first).to_be_visible()
        else:
            ada.open(path)
        for theme in ("light", "dark"):
            ada.page.emulate_media(contrast="more", color_scheme="dark" if theme == "dark" else "light")
            expect(ada.page.locator("html")).to_have_attribute("data-theme", theme)
            assert (path, theme, axe(ada.ready(), ENHANCED_CONTRAST)) == (path, theme, [])
