"""Three lessons taken on their real boards, by mouse and by key: every step, a wrong try, and what a rule refuses."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sevenhues import load
from sevenhues.core import lesson
from sevenhues.core.lesson import Step, fits
from sevenhues.core.play import play_text
from sevenhues.games.rainbow_road import game as road
from sevenhues.games.rainbow_road.rules import RoadPosition
from tests.browser import flip_and_slide_board
from tests.browser.test_learn import asked, at, right_moves, steps
from tests.browser.user import User

NewUser = Callable[..., User]
Hand = Callable[[Page, Step, list[str], str], None]  # makes a move of a step, after those that were right

NIMBLE_KEYS = {"f": " ", "p1": "1", "p2": "2", "p3": "3", "b": "b", "t": "t"}


def on_the_meadow(page: Page, step: Step, made: list[str], text: str) -> None:
    flip_and_slide_board.play(page, text)


def on_the_shelf(page: Page, step: Step, made: list[str], text: str) -> None:
    page.keyboard.press(NIMBLE_KEYS[text])


def on_the_road(page: Page, step: Step, made: list[str], text: str) -> None:
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


def read_out(text: str) -> str:
    return re.sub(r"\*\*|<[a-z]+>", "", text)


def said(page: Page, kind: str, text: str) -> None:
    expect(page.locator(f".said.{kind} p")).to_contain_text(read_out(text))


def err(page: Page, name: str, step: Step, say: str, hand: Hand) -> None:
    """Try what is foreseen as wrong in a step's first turn, see it answered, and take it back."""
    turn, words = step.turns[0], lesson.words(load(name))["steps"][step.id]["turns"][0]
    moves = next(wrong.moves for wrong in turn.wrong if wrong.say == say)
    legal = load(name).legal_texts(step.start(load(name)), step.seat)
    hand(page, step, [], next(text for text in legal if fits(moves, text) and not fits(turn.right, text)))
    said(page, "wrong", words["wrong"][say])
    page.get_by_role("button", name="Try again").click()
    asked(page)


def learn(page: Page, name: str, hand: Hand, wrong: tuple[str, str]) -> None:
    """Take every step as it asks; in one of them, try what is wrong first."""
    words = lesson.words(load(name))["steps"]
    for step in steps(name):
        at(page, step)
        asked(page)
        if step.id == wrong[0]:
            err(page, name, step, wrong[1], hand)
        made: list[str] = []
        for turn, move in enumerate(right_moves(name, step)):
            asked(page)
            expect(page.locator(".ask h2")).to_contain_text(read_out(words[step.id]["turns"][turn]["ask"]))
            hand(page, step, made, move)
            said(page, "right", words[step.id]["turns"][turn]["right"])
            made.append(move)
        page.locator(".ways .primary").click()
    expect(page.get_by_role("heading", name="You know how to play")).to_be_visible()


def test_flip_and_slide_is_learnt_on_the_meadow(new_user: NewUser) -> None:
    page = new_user(plain=False, still=True).open("/learn/flip-and-slide")
    learn(page, "flip-and-slide", on_the_meadow, ("gift", "gift"))


def test_rainbow_road_is_learnt_on_the_road(new_user: NewUser) -> None:
    page = new_user(plain=False, still=True).open("/learn/rainbow-road")
    learn(page, "rainbow-road", on_the_road, ("fairy", "lower"))


def test_nimble_is_learnt_at_the_shelf(new_user: NewUser) -> None:
    page = new_user(plain=False, still=True).open("/learn/nimble")
    learn(page, "nimble", on_the_shelf, ("three-whales", "gift"))


def test_in_a_race_a_card_that_does_not_fit_is_answered_by_the_rule(new_user: NewUser) -> None:
    page = new_user(plain=False, still=True, phone=True).open("/learn/nimble")
    page.get_by_role("combobox", name="Steps of the lesson").select_option("1")
    asked(page)
    expect(page.locator(".ask h2")).to_contain_text("Place the Moby-Dick card")
    page.get_by_role("button", name="Stack 1").tap()
    expect(page.locator(".said.refused")).to_contain_text("It does not fit there")
    expect(page.get_by_role("button", name="See rule NB-7")).to_be_visible()
    page.get_by_role("button", name="Stack 2").tap()
    said(page, "right", "It fits.")


@pytest.mark.parametrize(
    ("name", "id", "rule"),
    [("flip-and-slide", "bridge", "FS-10"), ("flip-and-slide", "alone", "FS-21"), ("rainbow-road", "leap", "RR-13")],
)
def test_what_is_offered_though_a_rule_forbids_it_is_refused_by_that_rule(
    new_user: NewUser, name: str, id: str, rule: str
) -> None:
    page = new_user(plain=False, still=True).open(f"/learn/{name}")
    number = [step.id for step in steps(name)].index(id)
    step = steps(name)[number]
    page.get_by_role("navigation", name="Steps of the lesson").get_by_role("button").nth(number).click()
    at(page, step)
    asked(page)
    if not step.turns[0].offer:
        on_the_meadow(page, step, [], right_moves(name, step)[0])
        asked(page)
        expect(page.locator(".board")).to_have_attribute("data-turn", "1")
    offers = page.get_by_role("group", name="Or try:").get_by_role("button")
    offers.first.click()
    expect(page.locator(".said.refused")).to_contain_text("The rules do not allow that")
    expect(page.get_by_role("button", name=f"See rule {rule}")).to_be_visible()
    asked(page)
