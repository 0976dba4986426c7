"""What every visit needs, in each engine: the first page, a lesson's step, another language and theme, a reload."""

import pytest

from sevenhues import names
from tests.browser.engines import boards
from tests.browser.engines.conftest import NewPage
from tests.browser.languages import messages
from tests.browser.positions import RAINBOW
from tests.browser.prepared_tables import PreparedTables, find_position
from tests.browser.test_learn import right_moves, steps
from tests.browser.test_rainbow import must_turn_over


def test_first_page_opens_and_follows_language_and_theme(new_page: NewPage) -> None:
    page = new_page()
    page.open()
    page.wait_for_count("article", len(names()))
    page.click("button", messages("en")["me.menu"])
    page.click("label", "Dark")
    page.wait_for("() => document.documentElement.dataset.theme === 'dark'")
    page.select("dialog select", "de")
    page.wait_for("() => document.documentElement.lang === 'de'")
    page.press("Escape")
    page.wait_for_count("dialog[open]", 0)
    page.wait_for_text(messages("de")["play.bot"], "article")
    page.reload()
    page.wait_for_text(messages("de")["play.bot"], "article")
    assert page.attribute("html", "data-theme") == "dark"


@pytest.mark.long
def test_word_on_a_japanese_button_stays_on_one_line(new_page: NewPage) -> None:
    page = new_page()
    page.resize(390, 844)
    page.open()
    page.settle()
    page.choose(language="ja")
    page.click("button", messages("ja")["me.menu"])
    page.wait_for_text(messages("ja")["save"], "dialog button")
    page.settle()
    lines = """(selector) => {
        const words = document.createRange();
        words.selectNodeContents(document.querySelector(selector));
        return new Set([...words.getClientRects()].map(({ y }) => y)).size;
    }"""
    assert page.evaluate(lines, "#my-name + button") == 1


@pytest.mark.long
def test_lesson_asks_a_question_and_answers_the_move(new_page: NewPage) -> None:
    page = new_page()
    page.open("/learn/rainbow")
    step = steps("rainbow")[0]
    (move,) = right_moves("rainbow", step)
    page.wait_for_count(f".board[data-step={step.id}][data-phase=asked]", 1)
    page.settle()
    for key in move[::-1].lower():
        page.press(key)
    page.click(".ways .primary")
    page.wait_for_count(f".board[data-step={steps('rainbow')[1].id}]", 1)


@pytest.mark.long
def test_reload_in_the_middle_of_a_game_shows_the_same_position(new_page: NewPage, tables: PreparedTables) -> None:
    page = new_page()
    boards.seat(tables, page, RAINBOW, find_position(RAINBOW, must_turn_over))
    page.wait_for(boards.RAINBOW_OFFERS)
    labels = "() => [...document.querySelectorAll('.board [aria-label]')].map((one) => one.ariaLabel).join()"
    shown = page.evaluate(labels)
    page.reload()
    page.wait_for(boards.RAINBOW_OFFERS)
    assert page.evaluate(labels) == shown
