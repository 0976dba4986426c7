"""Lessons in a browser: one by keyboard, wrong moves answered by the rule, and every step in every language."""

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sevenhues import load, names
from sevenhues.core import lesson
from sevenhues.core.lesson import Step
from sevenhues.core.resources import lesson_folder
from tests.browser.languages import LANGUAGES, messages
from tests.browser.layout_checks import ACTIONS, layout_faults
from tests.browser.page_checks import cut_off
from tests.browser.user import DESKTOP, PATIENCE, SETTLED, User

NewUser = Callable[..., User]
TAUGHT = [name for name in names() if lesson_folder(load(name))]


def steps(name: str) -> list[Step]:
    whole = lesson.read(load(name))
    assert whole is not None
    return whole.steps


def right_moves(name: str, step: Step) -> list[str]:
    """List moves that lead through a step."""
    made: list[str] = []
    while (shown := lesson.attempt(load(name), step, made).solution) is not None:
        made.append(shown)
    return made


def wait_for_step(page: Page, step: Step) -> None:
    expect(page.locator(f".board[data-step={step.id}]")).to_be_visible()


def wait_for_question(page: Page) -> None:
    """Wait until the lesson asks for a move, and nothing moves any more."""
    expect(page.locator(".board[data-phase=asked]")).to_be_visible()
    page.evaluate("document.querySelector('.board .on')?.click()")  # the end of a round, which waits for the player
    page.wait_for_function("() => document.getAnimations().every((one) => one.playState !== 'running')")


SMALL_WINDOWS = [(360, 560), (390, 664), (740, 360), (844, 390)]


def check_small_windows(page: Page) -> None:
    """Check that a step shows its board, its text and all that can be pressed without scrolling."""
    for width, height in SMALL_WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SETTLED)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), (width, height)
        assert layout_faults(page, f"{ACTIONS}, .reading, .next button") == [], (width, height)
    page.set_viewport_size(DESKTOP)
    page.evaluate(SETTLED)


def press_move(page: Page, move: str) -> None:
    """Make a move of Rainbow by its keys: the card, then as seen or blind; F, then the place; E."""
    keys = move if move[0] in "FE" else move[::-1]
    for key in keys.lower():
        page.keyboard.press(key)


def run_clock_until(page: Page, reached: Callable[[], bool]) -> None:
    """Run the page's clock, in place of waiting, until what it shows for a while has passed."""
    deadline = time.monotonic() + PATIENCE
    while not reached():
        assert time.monotonic() < deadline, page.locator("main").inner_text()
        page.clock.run_for(500)


def wait_for_reply(page: Page, text: str) -> None:
    run_clock_until(page, lambda: page.locator(".said").filter(has_text=text).count() > 0)


def press_enter(page: Page) -> None:
    """Press the focused button; a round that ended stays shown on the board meanwhile."""
    page.keyboard.press("Enter")


def test_lesson_of_rainbow_is_finished_by_keyboard_and_wrong_moves_name_their_rule(new_user: NewUser) -> None:
    ada = new_user(plain=False, still=True)
    ada.page.clock.install()
    page = ada.open()
    ada.card("Rainbow").get_by_role("link", name="Learn").press("Enter")
    for step in steps("rainbow"):
        wait_for_step(page, step)
        wait_for_question(page)
        if step.id == "clash":
            press_move(page, "S2")
            wait_for_reply(page, "Not quite")
            expect(page.get_by_role("alert").filter(has_text="You lose the round")).to_have_count(1)
            expect(page.get_by_role("button", name="Try again")).to_be_focused()
            press_enter(page)
            wait_for_question(page)
        if step.id == "on":
            check_small_windows(page)
            page.get_by_role("button", name="Play blue now").press("Enter")
            expect(page.locator(".said")).to_contain_text("The rules don’t allow that")
            expect(page.locator(".said")).to_contain_text("Turn over a card in the row before you play another")
            page.get_by_role("button", name="See rule RB-9").press("Enter")
            expect(page.get_by_role("dialog").locator("[data-rule=RB-9]")).to_be_focused()
            page.keyboard.press("Escape")
            expect(page.get_by_role("dialog")).to_have_count(0)
        for turn, move in enumerate(right_moves("rainbow", step)):
            wait_for_question(page)
            expect(page.locator(".ask h2")).to_contain_text(start_of_question(step, turn))
            press_move(page, move)
            wait_for_reply(page, "Right")
        expect(page.get_by_role("button", name="Finish" if step.id == "last" else "Next")).to_be_focused()
        press_enter(page)
    expect(page.get_by_role("heading", name="You can play Rainbow now!")).to_be_focused()
    page.reload()
    done = page.get_by_role("navigation", name="Lesson steps").get_by_role("button", name="done")
    expect(done).to_have_count(len(steps("rainbow")))
    done.last.click()
    page.get_by_role("button", name="Skip").click()
    page.get_by_role("button", name="Play a game now").click()
    page.wait_for_url("**/t/*")


def start_of_question(step: Step, turn: int) -> str:
    """Return the text of a question up to its first markup."""
    question: str = lesson.texts(load("rainbow"))["steps"][step.id]["turns"][turn]["ask"]
    return question.split("<")[0].strip()


@pytest.mark.long
@pytest.mark.parametrize("name", TAUGHT)
def test_lesson_is_finished_on_the_generic_table(new_user: NewUser, name: str) -> None:
    ada = new_user(still=True)
    page = ada.open(f"/learn/{name}")
    for step in steps(name):
        wait_for_step(page, step)
        for turn, move in enumerate(right_moves(name, step)):
            wait_for_question(page)
            expect(page.locator(".board")).to_have_attribute("data-turn", str(turn))
            ada.moves.get_by_text(move, exact=True).click()
        page.get_by_role("button", name="Next").or_(page.get_by_role("button", name="Finish")).click()
    expect(page.get_by_role("heading", name="You can play")).to_be_visible()


IN_EVERY_LANGUAGE = [
    pytest.param(name, tag, marks=[] if (name, tag) == ("nimble", "de") else [pytest.mark.long])
    for name in TAUGHT
    for tag in LANGUAGES
]


@pytest.mark.parametrize(("name", "tag"), IN_EVERY_LANGUAGE)
def test_lesson_cuts_nothing_off_on_a_phone(new_user: NewUser, name: str, tag: str) -> None:
    ada = new_user(plain=False, phone=True, still=True, locale=tag)
    texts = messages(tag)
    page = ada.open(f"/learn/{name}")
    faults: list[tuple[str, str]] = []
    menu = page.get_by_role("combobox", name=texts["learn.steps"])
    for number, step in enumerate(steps(name)):
        menu.select_option(str(number))
        wait_for_step(page, step)
        title = lesson.texts(load(name), tag)["steps"][step.id]["title"]
        expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
        if step.turns:
            wait_for_question(page)
            if page.get_by_role("button", name=texts["learn.show"]).count():
                page.get_by_role("button", name=texts["learn.show"]).click()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), step.id
        faults += [(step.id, fault) for fault in cut_off(page)]
    assert faults == []


def test_unknown_lesson_leads_to_the_list_of_lessons(new_user: NewUser) -> None:
    ada = new_user(plain=False)
    page = ada.open("/learn/chess")
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    page.get_by_role("link", name="Learn").click()
    expect(page.get_by_role("heading", name="Learn by playing")).to_be_visible()
    expect(page.get_by_role("main").get_by_role("link")).to_have_count(len(TAUGHT))
