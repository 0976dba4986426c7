"""Lessons in a browser: a whole one by keyboard, wrong tries answered by the rule, every step in every language."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sevenhues import load, names
from sevenhues.core import lesson
from sevenhues.core.lesson import Step
from tests.browser.languages import LANGUAGES
from tests.browser.languages import messages as words
from tests.browser.page_checks import cut_off
from tests.browser.user import User

NewUser = Callable[..., User]
TAUGHT = [name for name in names() if load(name).lesson()]


def steps(name: str) -> list[Step]:
    found = lesson.read(load(name))
    assert found is not None
    return found.steps


def right_moves(name: str, step: Step) -> list[str]:
    """List moves that lead through a step."""
    made: list[str] = []
    while (shown := lesson.attempt(load(name), step, made).shown) is not None:
        made.append(shown)
    return made


def at(page: Page, step: Step) -> None:
    expect(page.locator(f".board[data-step={step.id}]")).to_be_visible()


def asked(page: Page) -> None:
    expect(page.locator(".board[data-phase=asked]")).to_be_visible()


def press(page: Page, move: str) -> None:
    """Make a move of Rainbow by its keys: the card, then as seen or blind; F, then the place; E."""
    keys = move if move[0] in "FE" else move[::-1]
    for key in keys.lower():
        page.keyboard.press(key)


def go_on(page: Page) -> None:
    """Enter, where the keyboard is: on the way on. While a row that ended still lies, a key only takes it away."""
    expect(page.locator(".board .on")).to_have_count(0)
    page.keyboard.press("Enter")


def test_rainbow_is_learnt_by_keyboard_and_wrong_tries_are_answered_by_the_rule(new_user: NewUser) -> None:
    ada = new_user(plain=False, still=True)
    page = ada.open()
    ada.card("Rainbow").get_by_role("link", name="Learn").press("Enter")
    for step in steps("rainbow"):
        at(page, step)
        asked(page)
        if step.id == "clash":
            press(page, "S2")
            expect(page.locator(".said")).to_contain_text("Not quite")
            expect(page.get_by_role("alert").filter(has_text="You lose the round")).to_have_count(1)
            expect(page.get_by_role("button", name="Try again")).to_be_focused()
            go_on(page)
            asked(page)
        if step.id == "on":
            page.get_by_role("button", name="Play blue now").press("Enter")
            expect(page.locator(".said")).to_contain_text("The rules do not allow that")
            expect(page.locator(".said")).to_contain_text("Turn a card of the row over before you play another")
            page.get_by_role("button", name="See rule RB-9").press("Enter")
            expect(page.get_by_role("dialog").locator("[data-rule=RB-9]")).to_be_focused()
            page.keyboard.press("Escape")
            expect(page.get_by_role("dialog")).to_have_count(0)
        for turn, move in enumerate(right_moves("rainbow", step)):
            asked(page)
            expect(page.locator(".ask h2")).to_contain_text(plain(step, turn))
            press(page, move)
            expect(page.locator(".said")).to_contain_text("Right")
        expect(page.get_by_role("button", name="Finish" if step.id == "last" else "Next")).to_be_focused()
        go_on(page)
    expect(page.get_by_role("heading", name="You know how to play Rainbow")).to_be_focused()
    page.reload()
    done = page.get_by_role("navigation", name="Steps of the lesson").get_by_role("button", name="done")
    expect(done).to_have_count(len(steps("rainbow")))
    done.last.click()
    page.get_by_role("button", name="Skip").click()
    page.get_by_role("button", name="Play a game now").click()
    page.wait_for_url("**/t/*")


def plain(step: Step, turn: int) -> str:
    """The start of what is asked, up to the first mark."""
    said: str = lesson.words(load("rainbow"))["steps"][step.id]["turns"][turn]["ask"]
    return said.split("<")[0].strip()


@pytest.mark.parametrize("name", TAUGHT)
def test_every_lesson_can_be_played_through_on_a_plain_table(new_user: NewUser, name: str) -> None:
    ada = new_user(still=True)
    page = ada.open(f"/learn/{name}")
    for step in steps(name):
        at(page, step)
        for turn, move in enumerate(right_moves(name, step)):
            asked(page)
            expect(page.locator(".board")).to_have_attribute("data-turn", str(turn))
            ada.moves.get_by_text(move, exact=True).click()
        page.get_by_role("button", name="Next").or_(page.get_by_role("button", name="Finish")).click()
    expect(page.get_by_role("heading", name="You know how to play")).to_be_visible()


@pytest.mark.parametrize("tag", LANGUAGES)
@pytest.mark.parametrize("name", TAUGHT)
def test_on_a_phone_nothing_of_a_lesson_is_cut_off(new_user: NewUser, name: str, tag: str) -> None:
    ada = new_user(plain=False, phone=True, still=True, locale=tag)
    said = words(tag)
    page = ada.open(f"/learn/{name}")
    wrong: list[tuple[str, str]] = []
    ways = page.get_by_role("combobox", name=said["learn.steps"])
    for number, step in enumerate(steps(name)):
        ways.select_option(str(number))
        at(page, step)
        title = lesson.words(load(name), tag)["steps"][step.id]["title"]
        expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
        if step.turns:
            asked(page)
            if page.get_by_role("button", name=said["learn.show"]).count():
                page.get_by_role("button", name=said["learn.show"]).click()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), step.id
        wrong += [(step.id, what) for what in cut_off(page)]
    assert wrong == []


def test_what_cannot_be_learnt_says_so(new_user: NewUser) -> None:
    ada = new_user(plain=False)
    page = ada.open("/learn/chess")
    expect(page.get_by_role("heading", name="Nothing is laid here")).to_be_visible()
    page.get_by_role("link", name="Learn").click()
    expect(page.get_by_role("heading", name="Learn by playing")).to_be_visible()
    expect(page.get_by_role("main").get_by_role("link")).to_have_count(len(TAUGHT))
