"""A tour of every page and state of the client. At each stop the view is switched in place, and every view is checked.

The stops of a section are generators: they lead a user from stop to stop and yield at each. `make test` sees every stop
in every language, each in another window: a phone with its bars, a small laptop, and two that change from stop to stop.
`make test-long` sees all combinations.
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
from tests.browser.board_positions import starts
from tests.browser.display import WINDOWS, Display, View
from tests.browser.finished_games import analyse, random_record, upload
from tests.browser.languages import LANGUAGES, messages
from tests.browser.layout_checks import layout_faults
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
LATIN = [tag for tag in LANGUAGES if tag != "ja"]  # the languages of which the test faces have letters
SMALL_PHONE, LAPTOP = "390×664", "1366×650"
OTHER_WINDOWS = [name for name in WINDOWS if name not in (SMALL_PHONE, LAPTOP)]


class Stop(NamedTuple):
    """A place on the tour."""

    name: str
    text: Callable[[str], str] | None = None  # what its page says in a language, where the server sends it
    wanted: str | None = None  # the controls that are in view in every window, by a CSS selector


Check = Callable[[Page, View, Stop], list[str]]
Views = list[tuple[View, list[Check]]]
ViewsOf = Callable[[int], Views]  # of a stop, by its number


# -- What is checked in which views


def layout(page: Page, view: View, stop: Stop) -> list[str]:
    return [*overflowing(page), *cut_off(page)]


def fits(page: Page, view: View, stop: Stop) -> list[str]:
    return layout_faults(page, stop.wanted)


def language(page: Page, view: View, stop: Stop) -> list[str]:
    return untranslated(page, view.language, announcements=False)


def focus(page: Page, view: View, stop: Stop) -> list[str]:
    return covered(page)


def touch(page: Page, view: View, stop: Stop) -> list[str]:
    return small_targets(page)


def colours(page: Page, view: View, stop: Stop) -> list[str]:
    return forced_colours(page)


def accessibility(page: Page, view: View, stop: Stop) -> list[str]:
    return axe(page)


def contrast(page: Page, view: View, stop: Stop) -> list[str]:
    return axe(page, ["color-contrast"])


def windows(number: int) -> list[View]:
    """Return every language, each in another window: a small laptop, a phone, and two that change with the number."""
    others = [OTHER_WINDOWS[(number + more) % len(OTHER_WINDOWS)] for more in (0, 4)]
    tags = [LANGUAGES[(number + more) % len(LANGUAGES)] for more in range(len(LANGUAGES))]
    return [View(tag, size) for tag, size in zip(tags, [LAPTOP, SMALL_PHONE, *others], strict=True)]


def main_views(number: int) -> Views:
    laptop, phone, *others = windows(number)
    turning: Views = [(view, [fits, language]) for view in others]
    # Every other stop is magnified, and the ones between have forced colours; the device's choice is what counts.
    special: Views = [(View(size="zoom 4"), [layout, focus]), (View(theme="light", dark=True, forced=True), [colours])]
    return [
        (View("de", "phone", face="wide"), [layout, touch]),
        (laptop, [layout, fits, language, accessibility]),
        (phone._replace(dark=True), [fits, language, contrast]),
        *turning,
        special[number % 2],
    ]


ALL_SIZES = ("phone", "desktop", "zoom 2", "zoom 4")
MORE_VIEWS: Views = []
MORE_VIEWS += [(View(tag, size), [fits, language]) for tag, size in product(LANGUAGES, WINDOWS)]
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
    "views",
    [
        pytest.param(main_views, id="main"),
        pytest.param(lambda number: MORE_VIEWS, id="more", marks=pytest.mark.long),
    ],
)


def visitor(new_user: Callable[..., User], tag: str) -> User:
    """Make a user for a tour in a language, with a name as long as guests are given."""
    user = new_user(plain=False, still=True, locale=tag)
    user.rename(NAMES[0])
    return user


def tour(user: User, display: Display, stops: Iterator[Stop], views: ViewsOf, tag: str) -> None:
    """Take a user through stops in a language, look at each in its views, and fail with every fault found."""
    arrival = View(tag)
    faults: dict[str, list[str]] = {}
    for number, stop in enumerate(stops):
        user.ready()
        for fault in untranslated(user.page, tag):
            faults.setdefault(f"{stop.name}: {fault}", []).append(str(arrival))
        for view, checks in views(number):
            display.show(view)
            if stop.text:
                expect(user.page.get_by_role("main")).to_contain_text(stop.text(view.language))
            for fault in [fault for check in checks for fault in check(user.page, view, stop)]:
                faults.setdefault(f"{stop.name}: {fault}", []).append(str(view))
        display.show(arrival)
    lines = [f"{fault} ({'; '.join(seen)})" for fault, seen in faults.items()]
    assert not lines, f"{len(lines)} faults\n" + "\n".join(lines)


# -- The sections


def pages(user: User) -> Iterator[Stop]:
    """The pages without a table."""
    yield from open_each(user, ["/", *(f"/new/{name}" for name in names()), "/watch", "/replay", "/ratings"])
    user.expect_error("status of 404")  # of the page that is not there
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


def hints(user: User, prepared: PreparedTables, tag: str) -> Iterator[Stop]:
    """The hint with the longest words: a card of the row may be turned over, or a card played in two ways."""
    texts, page = messages(tag), user.page
    seats = [Seat(NAMES[0], new_user_id()), Seat("Bot", level="random")]
    prepared.sign_in(user, str(seats[0].user_id))
    start = next(iter(starts("rainbow").values()))
    user.open(f"/t/{prepared.create(load('rainbow'), start, seats, hints=True)}")
    page.get_by_role("region", name=texts["board"]).get_by_role("button", name=texts["hint"]).click()
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
            analysis = user.page.get_by_role("region", name=texts["analysis.title"])
            expect(analysis.get_by_role("img").first).to_be_visible()
            for disclosure in analysis.get_by_text(texts["analysis.table"], exact=True).all():
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
