"""A tour of every page and state of the client. At each stop the view is switched in place, and every view is checked.

The stops of a section are generators: they lead a user from stop to stop and yield at each.
"""

import time
from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from sevenhues import load, names
from sevenhues.core import record
from sevenhues.core.resources import rules_text
from sevenhues.server.accounts.cookies import new_user_id
from tests.browser.display import Display, View
from tests.browser.finished_games import analyse, random_record, upload
from tests.browser.languages import LANGUAGES, messages
from tests.browser.page_checks import (
    axe,
    covered,
    cut_off,
    forced_colours,
    overflowing,
    small_targets,
    untranslated,
)
from tests.browser.prepared_tables import PreparedTables, Seat, Start
from tests.browser.user import User

NAMES = ["Crimson Hedgehog", "Scarlet Squirrel"]
RACE_TIME = 41_000  # ms since the start of a race
ANALYSED = ("rainbow", "nimble")  # a game by turns, and a race
ME, OPEN = {"kind": "me"}, {"kind": "open"}
Check = Callable[[Page, View], list[str]]
Views = list[tuple[View, list[Check]]]
LATIN = [tag for tag in LANGUAGES if tag != "ja"]  # the languages of which the test faces have letters


class Stop(NamedTuple):
    """A place on the tour. `text` is what its page says in a language, where the server sends it."""

    name: str
    text: Callable[[str], str] | None = None


# -- What is checked in which views


def layout(page: Page, view: View) -> list[str]:
    return [*overflowing(page), *cut_off(page)]


def language(page: Page, view: View) -> list[str]:
    return untranslated(page, view.language, announcements=False)


def focus(page: Page, view: View) -> list[str]:
    return covered(page)


def touch(page: Page, view: View) -> list[str]:
    return small_targets(page)


def colours(page: Page, view: View) -> list[str]:
    return forced_colours(page)


def accessibility(page: Page, view: View) -> list[str]:
    return axe(page)


def contrast(page: Page, view: View) -> list[str]:
    return axe(page, ["color-contrast"])


ALL_SIZES = ("phone", "desktop", "zoom 2", "zoom 4")
# Colour schemes, typefaces and zoom; test_window_sizes sees every stop in every language and every window size.
# MORE_VIEWS has the other combinations.
VIEWS: Views = [
    (View("de", "phone", face="wide"), [layout, touch]),
    (View(), [layout, accessibility]),
    (View(size="phone", dark=True), [contrast]),
    (View(size="zoom 4"), [layout, focus]),
    (View(theme="light", dark=True, forced=True), [colours]),  # the device's choice is what counts
]
MORE_VIEWS: Views = []
MORE_VIEWS += [(View(tag, "phone"), [layout, language, touch]) for tag in LANGUAGES]
MORE_VIEWS += [(View(tag), [layout, language]) for tag in LANGUAGES]
MORE_VIEWS += [
    (View(tag, size, face=face), [layout]) for tag, size, face in product(LATIN, ALL_SIZES, ("wide", "narrow"))
]
MORE_VIEWS += [(View(tag, size), [layout, focus]) for tag, size in product(LANGUAGES, ("zoom 2", "zoom 4"))]
MORE_VIEWS += [
    (View(dark=True), [accessibility]),
    (View(size="phone", dark=True), [accessibility]),
    (View(size="phone"), [accessibility, touch]),
    (View(size="phone", forced=True), [colours]),
    (View(dark=True, size="zoom 4", forced=True), [colours]),
]
SHORT_AND_LONG = pytest.mark.parametrize(
    "views", [pytest.param(VIEWS, id="main"), pytest.param(MORE_VIEWS, id="more", marks=pytest.mark.long)]
)


def visitor(new_user: Callable[..., User], tag: str) -> User:
    """Make a user for a tour in a language, with a name as long as guests are given."""
    user = new_user(plain=False, still=True, locale=tag)
    user.rename(NAMES[0])
    return user


def tour(user: User, display: Display, stops: Iterator[Stop], views: Views, tag: str) -> None:
    """Take a user through stops in a language, look at each in all views, and fail with every fault found."""
    arrival, faults = View(tag), []
    for stop in stops:
        user.ready()
        faults += [f"{stop.name} ({arrival}): {fault}" for fault in untranslated(user.page, tag)]
        for view, checks in views:
            display.show(view)
            if stop.text:
                expect(user.page.get_by_role("main")).to_contain_text(stop.text(view.language))
            faults += [f"{stop.name} ({view}): {fault}" for check in checks for fault in check(user.page, view)]
        display.show(arrival)
    assert not faults, f"{len(faults)} faults\n" + "\n".join(faults)


# -- The sections


def pages(user: User) -> Iterator[Stop]:
    """The pages without a table."""
    yield from open_each(user, ["/", *(f"/new/{name}" for name in names()), "/watch", "/replay", "/ratings"])
    yield from open_each(user, ["/learn", "/transfer#code", "/nowhere"])
    for name in names():
        user.open(f"/rules/{name}")
        expect(user.page.locator("[data-rule]").first).to_be_visible()
        yield Stop(f"/rules/{name}", lambda tag, name=name: first_line_of_rules(name, tag))  # type: ignore[misc]


def open_each(user: User, paths: list[str]) -> Iterator[Stop]:
    for path in paths:
        user.open(path)
        expect(user.page.get_by_role("main")).to_be_visible()
        yield Stop(path)


def first_line_of_rules(name: str, tag: str) -> str:
    return rules_text(load(name), tag).split("\n\n")[1].split("\n")[0]


def sheets(user: User, host: User, tag: str) -> Iterator[Stop]:
    """What opens on the home page, and tables before their games."""
    host.rename(NAMES[1])
    texts, page = messages(tag), user.page
    user.open()
    page.get_by_role("button", name=texts["me.menu"]).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    yield Stop("settings")
    user.open()
    user.card("Rainbow").get_by_role("button", name=texts["play.share"], exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    yield Stop("sharing a device")
    page.get_by_role("dialog").locator("form button.primary").click()
    expect(page.locator("main.curtain")).to_be_visible()
    yield Stop("the curtain of a shared device")
    user.open()
    user.card("Rainbow").get_by_role("button", name=texts["play.invite"], exact=True).click()
    expect(page.get_by_role("heading", name=texts["waiting.title"])).to_be_visible()
    yield Stop("waiting for a guest")
    user.open(host.create_table("rainbow", ME, OPEN))
    expect(page.get_by_role("button", name=texts["invited.sit"])).to_be_visible()
    yield Stop("invited as a guest")


def tables(user: User, prepared: PreparedTables, tag: str) -> Iterator[Stop]:
    """A board of each game, halfway; all that can be opened at one of them; and the lists with these games."""
    texts, page = messages(tag), user.page
    seats = [Seat(name, new_user_id()) for name in NAMES]
    prepared.sign_in(user, str(seats[0].user_id))
    for name in names():
        path = f"/t/{prepared.create(load(name), halfway(name), seats, began=race_start(name))}"
        user.open(path)
        expect(page.get_by_role("region", name=texts["board"])).to_be_visible()
        yield Stop(f"a table of {name}")
        if name == "rainbow":
            yield from around_a_board(user, path, tag)
    player = page.request.get(f"{user.url}/api/me").json()["player"]
    yield from open_each(user, ["/", "/replay", "/ratings/rainbow", f"/players/{player}"])


def around_a_board(user: User, path: str, tag: str) -> Iterator[Stop]:
    """The plain table, what opens at a table, and the result."""
    texts, page = messages(tag), user.page
    page.keyboard.press("l")
    yield Stop("the moves at a table")  # on a phone; a desktop shows them beside the board
    user.open(path)
    page.get_by_role("button", name=texts["page.rules"], exact=True).click()
    expect(page.locator("[data-rule]").first).to_be_visible()
    yield Stop("the rules at a table")
    user.choose(plain=True)
    user.open(path)
    expect(user.drawing).to_be_visible()
    yield Stop("a plain table")
    user.choose(plain=False)
    user.open(path)
    page.get_by_role("button", name=texts["table.menu"]).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    yield Stop("the menu of a table")
    page.get_by_role("button", name=texts["resign"], exact=True).click()
    page.get_by_role("button", name=texts["resign.yes"]).click()
    expect(page.get_by_role("button", name=texts["rematch"])).to_be_visible()
    page.get_by_role("button", name=texts["proof"]).click()
    yield Stop("the result")


def lessons(user: User, tag: str) -> Iterator[Stop]:
    """The first step of every lesson."""
    for name in names():
        user.open(f"/learn/{name}")
        expect(user.page.get_by_role("region", name=messages(tag)["board"])).to_be_visible()
        yield Stop(f"the lesson of {name}")


def hints(user: User, tag: str) -> Iterator[Stop]:
    texts, page = messages(tag), user.page
    user.open(user.create_table("rainbow", ME, {"kind": "bot", "level": "random"}, hints=True))
    hint = page.get_by_role("region", name=texts["board"]).get_by_role("button", name=texts["hint"])
    held = page.locator(".board button.on")  # the bot's turn may end a round
    expect(hint.or_(held).first).to_be_visible()
    if held.count():
        held.click()
    hint.click()
    expect(page.get_by_role("region", name=texts["hint.label"]).get_by_role("button").first).to_be_visible()
    yield Stop("a hint")


def replays(user: User, tag: str) -> Iterator[Stop]:
    """Replays with everything open, two of them with an analysis below."""
    texts = messages(tag)
    for name in names():
        table = upload(user.url, name, most_moves=40)
        if name in ANALYSED:
            analyse(user.url, table)
        user.open(f"/t/{table}/replay?move=24&as=everything")
        expect(user.page.locator(".board[data-ply='24']")).to_be_visible()
        if name in ANALYSED:
            story = user.page.get_by_role("region", name=texts["story.title"])
            expect(story.get_by_role("img").first).to_be_visible()
            for disclosure in story.get_by_text(texts["story.table"], exact=True).all():
                disclosure.click()
        yield Stop(f"the replay of {name}")


def race_start(name: str) -> int:
    """Return when a race began that has been on for a while; 0 for a game without clock."""
    return int(time.time() * 1000) - RACE_TIME if load(name).simultaneous else 0


def halfway(name: str) -> Start:
    """Return the first position after half of a game in which seat 0 is to act."""
    game = record.read(random_record(name))
    moves = [(move.seat, move.text) for move in game.moves]
    for ply, position in enumerate(record.replay(game)):
        if ply >= len(moves) // 2 and 0 in position.to_act():
            return Start(game.setup, moves[:ply])
    raise AssertionError(f"no such position in {name}")
