"""In every language: the browser's own is taken, another can be chosen, nothing is cut off or left in English."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.finished_games import told
from tests.browser.languages import LANGUAGES, cut_off, unspoken, words
from tests.browser.site_tour import everywhere
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Stories need not be good here, but soon told."""
    with ServerProcess(tmp_path_factory.mktemp("served"), "--story", "4") as running:
        yield running


@pytest.fixture(scope="module")
def replays(server: ServerProcess) -> list[str]:
    return [told(server.url, name) for name in ("rainbow", "nimble")]


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desktop"])
@pytest.mark.parametrize("tag", LANGUAGES)
def test_nothing_is_cut_off_or_left_in_english(new_user: NewUser, replays: list[str], tag: str, phone: bool) -> None:
    ada = new_user(plain=False, phone=phone, still=True, locale=tag)
    wrong: list[tuple[str, str]] = []
    for where in everywhere(ada, replays, tag):
        wrong += [(where, what) for what in [*cut_off(ada.page), *unspoken(ada.page, tag)]]
    assert wrong == []


def test_the_browser_s_language_is_taken_and_another_can_be_chosen(new_user: NewUser) -> None:
    ada = new_user(plain=False, locale="de-CH")
    page = ada.open()
    german, japanese = words("de"), words("ja")
    expect(page.get_by_role("heading", level=1)).to_have_text(german["home.title"])
    page.evaluate("window.same = true")
    page.get_by_role("button", name=german["me.menu"]).click()
    choice = page.get_by_role("dialog").get_by_role("combobox", name=german["set.language"])
    assert choice.locator("option").all_inner_texts() == ["English", "Deutsch", "日本語", "Nederlands"]
    choice.select_option("ja")
    expect(page.get_by_role("dialog").get_by_role("combobox", name=japanese["set.language"])).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    assert page.evaluate("window.same")
    assert cut_off(page) == []
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text(japanese["home.title"])


def test_a_plain_table_tells_its_story_in_the_language_too(new_user: NewUser) -> None:
    said = words("nl")
    ada = new_user(locale="nl")
    ada.open()
    ada.page.get_by_role("button", name=said["play.bot"]).first.click()
    moves = ada.page.get_by_role("list", name=said["generic.moves"]).get_by_role("button")
    moves.filter(has_text="S1").click()
    ada.wait_for_ply(1)
    expect(ada.page.get_by_role("complementary", name=said["story"])).to_contain_text("Je speelde kaart 1 open")


def test_a_language_we_have_not_is_english(new_user: NewUser) -> None:
    page = new_user(locale="fr-FR").open()
    expect(page.get_by_role("heading", level=1)).to_have_text(words("en")["home.title"])
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_what_is_cut_off_or_not_said_would_be_found(new_user: NewUser) -> None:
    page: Page = new_user(locale="nl", bypass_csp=True).open()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert (cut_off(page), unspoken(page, "nl")) == ([], [])
    page.evaluate(
        """() => document.querySelector("main").insertAdjacentHTML("beforeend", `
            <button style="width: 60px; white-space: nowrap">a label too long for it</button>
            <div style="width: 60px; overflow: hidden; white-space: nowrap"><b>clipped by what holds it</b></div>
            <button style="width: 60px; height: 30px">a label too tall for it</button>
            <div style="width: 60px; overflow: hidden"><a class="btn" style="margin-left: 40px">ok</a></div>
            <p>home.title</p><p>for {name}</p><p>Four small games about colour</p>`)"""
    )
    assert [text.split(":")[0] for text in cut_off(page)] == [
        "too wide",
        "too wide",
        "too tall",
        "too wide",
        "sticks out",
    ]
    assert unspoken(page, "nl") == ["home.title", "for {name}", "Four small games about colour"]
