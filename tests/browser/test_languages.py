"""The language of the client: the browser's own or a chosen one. What is cut off or untranslated is found."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.languages import messages
from tests.browser.page_checks import cut_off, untranslated
from tests.browser.user import User

NewUser = Callable[..., User]


def test_language_is_the_browsers_until_another_is_chosen(new_user: NewUser) -> None:
    ada = new_user(plain=False, locale="de-CH")
    page = ada.open()
    german, japanese = messages("de"), messages("ja")
    expect(page.get_by_role("heading", level=1)).to_have_text(german["home.title"])
    page.evaluate("window.same = true")
    page.get_by_role("button", name=german["me.menu"]).click()
    choice = page.get_by_role("dialog").get_by_role("combobox", name=german["set.language"])
    expect(choice.locator("option")).to_have_text(["English", "Deutsch", "日本語", "Nederlands"])
    choice.select_option("ja")
    expect(page.get_by_role("dialog").get_by_role("combobox", name=japanese["set.language"])).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    assert page.evaluate("window.same"), "the page was reloaded"
    assert cut_off(ada.ready()) == []
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text(japanese["home.title"])


def test_unknown_language_falls_back_to_english(new_user: NewUser) -> None:
    page = new_user(locale="fr-FR").open()
    expect(page.get_by_role("heading", level=1)).to_have_text(messages("en")["home.title"])
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_moves_of_a_plain_table_are_described_in_the_language(new_user: NewUser) -> None:
    texts = messages("nl")
    ada = new_user(locale="nl")
    ada.open(ada.create_table("rainbow", {"kind": "me"}, {"kind": "bot", "level": "random"}))
    moves = ada.page.get_by_role("list", name=texts["text-table.moves"]).get_by_role("button")
    moves.filter(has_text="S1").click()
    expect(ada.page.get_by_role("complementary", name=texts["log"])).to_contain_text("Je speelde kaart 1")


def test_cut_off_and_untranslated_texts_are_found(new_user: NewUser) -> None:
    ada = new_user(locale="nl", still=True, bypass_csp=True)
    ada.open()
    page = ada.ready()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert (cut_off(page), untranslated(page, "nl")) == ([], [])
    page.evaluate(
        """() => document.querySelector("main").insertAdjacentHTML("beforeend", `
            <button style="width: 60px; white-space: nowrap">a label too long for it</button>
            <div style="width: 60px; overflow: hidden; white-space: nowrap"><b>clipped by what holds it</b></div>
            <button style="width: 60px; height: 30px">a label too tall for it</button>
            <div style="width: 60px; overflow: hidden"><a class="btn" style="margin-left: 40px">ok</a></div>
            <p>home.title</p><p>for {name}</p><p>Small games about colour</p>`)"""
    )
    assert [text.split(":")[0] for text in cut_off(page)] == [
        "too wide",
        "too wide",
        "too tall",
        "too wide",
        "sticks out",
    ]
    assert untranslated(page, "nl") == [
        "untranslated: home.title",
        "untranslated: for {name}",
        "untranslated: Small games about colour",
    ]
