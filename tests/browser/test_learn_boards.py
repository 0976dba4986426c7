"""Three lessons on their boards, by mouse and key: steps, a wrong move, and what a rule refuses."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sevenhues import load
from sevenhues.core import lesson
from sevenhues.core.lesson import Step, matches
from sevenhues.core.moves import legal_texts
from sevenhues.core.play import play_text
from sevenhues.games.rainbow_road import game as road
from sevenhues.games.rainbow_road.rules import RoadPosition
from tests.browser import flip_and_slide_board
from tests.browser.languages import messages
from tests.browser.test_learn import check_small_windows, right_moves, steps, wait_for_question, wait_for_step
from tests.browser.user import User

NewUser = Callable[..., User]
MakeMove = Callable[[Page, Step, list[str], str], None]  # makes a move of a step, after those that were right

NIMBLE_KEYS = {"f": " ", "p1": "1", "p2": "2", "p3": "3", "b": "b", "t": "t"}


def on_flip_and_slide(page: Page, step: Step, made: list[str], text: str) -> None:
    flip_and_slide_board.play(page, text)


def on_nimble(page: Page, step: Step, made: list[str], text: str) -> None:
    page.keyboard.press(NIMBLE_KEYS[text])


def on_rainbow_road(page: Page, step: Step, made: list[str], text: str) -> None:
    """Play a card to its spot, stop, or press the card that a hop or a prank leads to."""
    if text[0] == "P":
        page.locator(f".hand button:has([data-at='hand:{text[1]}'])").first.click()
        page.locator(f"[data-spot={text[2:]}]").click()
    elif text == "stop":
        page.get_by_role("button", name="Stop").last.click()
    else:
        prank = re.match("jump|teleport", text)
        if prank:
            page.locator(f"[data-prank={prank[0]}]").click()
        page.locator(f"[data-spot={destination(step, made, text)}].lit").click()


def destination(step: Step, made: list[str], text: str) -> str:
    """Name the spot to which a move takes the fairy that moves."""
    position = step.start(road)
    assert isinstance(position, RoadPosition)
    for turn, move in zip(step.turns, made, strict=False):
        play_text(road, position, step.seat, move)
        for played in turn.then:
            play_text(road, position, played.seat, played.text)
    walk = road.view(position, step.seat)["walk"]
    assert walk is not None
    play_text(road, position, step.seat, text)
    ring = road.view(position, step.seat)["ring"]
    return next(spot["spot"] for spot in ring if spot["fairy"] == walk["fairy"])


def without_markup(text: str) -> str:
    return re.sub(r"\*\*|<[a-z]+>", "", text)


def check_reply(page: Page, kind: str, text: str) -> None:
    expect(page.locator(f".said.{kind} p")).to_contain_text(without_markup(text))


def try_wrong_move(page: Page, name: str, step: Step, reply: str, make_move: MakeMove) -> None:
    """Make a move that a step's first turn foresees as wrong, read the reply to it, and try again."""
    turn, words = step.turns[0], lesson.texts(load(name))["steps"][step.id]["turns"][0]
    moves = next(wrong.moves for wrong in turn.wrong if wrong.say == reply)
    legal = legal_texts(load(name), step.start(load(name)), step.seat)
    make_move(page, step, [], next(text for text in legal if matches(moves, text) and not matches(turn.right, text)))
    check_reply(page, "wrong", words["wrong"][reply])
    page.get_by_role("button", name="Try again").click()
    wait_for_question(page)


def open_step(page: Page, name: str, step: Step) -> None:
    number = [one.id for one in steps(name)].index(step.id)
    page.get_by_role("navigation", name="Lesson steps").get_by_role("button").nth(number).click()


def take_step(page: Page, name: str, step: Step, make_move: MakeMove) -> None:
    """Answer each question of a step as it asks."""
    words = lesson.texts(load(name))["steps"][step.id]
    made: list[str] = []
    for turn, move in enumerate(right_moves(name, step)):
        wait_for_question(page)
        expect(page.locator(".ask h2")).to_contain_text(without_markup(words["turns"][turn]["ask"]))
        make_move(page, step, made, move)
        check_reply(page, "right", words["turns"][turn]["right"])
        made.append(move)
    page.locator(".ways .primary").click()


LESSONS: list[tuple[str, MakeMove, str, str]] = [
    ("flip-and-slide", on_flip_and_slide, "gift", "gift"),
    ("rainbow-road", on_rainbow_road, "fairy", "lower"),
    ("nimble", on_nimble, "three-whales", "gift"),
]


@pytest.mark.parametrize(("name", "make_move", "wrong", "reply"), LESSONS, ids=[name for name, *_ in LESSONS])
def test_step_fits_small_windows_and_answers_a_wrong_move_and_then_the_right_one(
    new_user: NewUser, name: str, make_move: MakeMove, wrong: str, reply: str
) -> None:
    page = new_user(plain=False, still=True).open(f"/learn/{name}")
    number, step = next((number, step) for number, step in enumerate(steps(name)) if step.id == wrong)
    open_step(page, name, step)
    wait_for_step(page, step)
    wait_for_question(page)
    check_small_windows(page)
    try_wrong_move(page, name, step, reply, make_move)
    take_step(page, name, step, make_move)
    if number + 1 < len(steps(name)):
        wait_for_step(page, steps(name)[number + 1])
    else:
        expect(page.get_by_role("heading", name="You can play")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize(("name", "make_move"), [each[:2] for each in LESSONS], ids=[name for name, *_ in LESSONS])
def test_lesson_is_finished_on_its_board(new_user: NewUser, name: str, make_move: MakeMove) -> None:
    page = new_user(plain=False, still=True).open(f"/learn/{name}")
    for step in steps(name):
        wait_for_step(page, step)
        take_step(page, name, step, make_move)
    expect(page.get_by_role("heading", name="You can play")).to_be_visible()


# The longest of Rainbow Road: ten discards, and spots that show points.
GERMAN_STEPS = [pytest.param("rainbow-road", ["in-the-way"], id="ten-discards")] + [
    pytest.param(name, [step.id for step in steps(name)], id=name, marks=pytest.mark.long) for name, *_ in LESSONS
]


@pytest.mark.parametrize(("name", "ids"), GERMAN_STEPS)
def test_german_steps_fit_small_windows(new_user: NewUser, name: str, ids: list[str]) -> None:
    """German has the longest texts."""
    page = new_user(plain=False, still=True, locale="de").open(f"/learn/{name}")
    buttons = page.get_by_role("navigation", name=messages("de")["learn.steps"]).get_by_role("button")
    for number, step in enumerate(steps(name)):
        if step.id not in ids:
            continue
        buttons.nth(number).click()
        wait_for_step(page, step)
        if step.turns:
            wait_for_question(page)
        check_small_windows(page)


def test_nb7_card_that_does_not_fit_is_answered_by_the_rule(new_user: NewUser) -> None:
    page = new_user(plain=False, still=True, phone=True).open("/learn/nimble")
    page.get_by_role("combobox", name="Lesson steps").select_option("1")
    wait_for_question(page)
    expect(page.locator(".ask h2")).to_contain_text("Place the Moby-Dick card")
    page.get_by_role("button", name="Stack 1").tap()
    expect(page.locator(".said.refused")).to_contain_text("It doesn’t fit there")
    expect(page.get_by_role("button", name="See rule NB-7")).to_be_visible()
    page.get_by_role("button", name="Stack 2").tap()
    check_reply(page, "right", "It fits.")


@pytest.mark.parametrize(
    ("name", "id", "rule"),
    [("flip-and-slide", "bridge", "FS-10"), ("flip-and-slide", "alone", "FS-21"), ("rainbow-road", "leap", "RR-13")],
)
def test_offered_move_that_a_rule_forbids_is_refused_by_that_rule(
    new_user: NewUser, name: str, id: str, rule: str
) -> None:
    page = new_user(plain=False, still=True).open(f"/learn/{name}")
    step = next(step for step in steps(name) if step.id == id)
    open_step(page, name, step)
    wait_for_step(page, step)
    wait_for_question(page)
    if not step.turns[0].offer:
        on_flip_and_slide(page, step, [], right_moves(name, step)[0])
        wait_for_question(page)
        expect(page.locator(".board")).to_have_attribute("data-turn", "1")
    offers = page.get_by_role("group", name="Or try:").get_by_role("button")
    offers.first.click()
    expect(page.locator(".said.refused")).to_contain_text("The rules don’t allow that")
    expect(page.get_by_role("button", name=f"See rule {rule}")).to_be_visible()
    wait_for_question(page)
