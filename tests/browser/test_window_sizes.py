"""Every page and every board fits every window: nothing overlaps, is cut off or hides an action, in any language.

A walk stops at every page and in several positions of every game. At each stop the window is resized in place and the
language is switched, and each view is measured. The short walk sees every stop in every language, each in another size:
a phone with its bars, a small laptop, and two that change from stop to stop. The long one sees all combinations.
"""

from collections.abc import Callable, Iterator
from itertools import chain, product
from typing import NamedTuple

import pytest

from sevenhues import load, names
from sevenhues.server.accounts.cookies import new_user_id
from tests.browser.board_positions import before_a_new_round, before_the_end, starts
from tests.browser.languages import ENGLISH, LANGUAGES
from tests.browser.layout_checks import ACTIONS, PLAY, SIZES, Wanted, layout_faults
from tests.browser.page_checks import untranslated
from tests.browser.prepared_tables import PreparedTables, Seat, Start
from tests.browser.site_tour import NAMES, hints, lessons, pages, race_start, replays, sheets, tables, visitor
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]
Size = tuple[int, int]
PHONE, LAPTOP = (390, 664), (1366, 650)
SHORT_AND_LONG = pytest.mark.parametrize(
    "long", [pytest.param(False, id="main"), pytest.param(True, id="all", marks=pytest.mark.long)]
)


class Stop(NamedTuple):
    """A place on the walk, and the controls that must be in view there."""

    name: str
    wanted: Wanted | None = None


@pytest.fixture
def server(own_server: ServerProcess) -> ServerProcess:
    return own_server


def views(number: int, stop: Stop, long: bool) -> list[tuple[str, Size]]:
    """List the languages and window sizes of a stop."""
    if long:
        return list(product(LANGUAGES, SIZES))
    others = [size for size in SIZES if size not in (PHONE, LAPTOP)]
    sizes = [PHONE, LAPTOP, others[number % len(others)], others[(number + 4) % len(others)]]
    turns = [(tag, sizes[(number + at) % len(sizes)]) for at, tag in enumerate(LANGUAGES)]
    wanted = stop.wanted.sizes if stop.wanted and stop.wanted.sizes != SIZES else ()
    return list(dict.fromkeys([*turns, *((ENGLISH, size) for size in wanted)]))


def walk(user: User, stops: Iterator[Stop], long: bool, tag: str = ENGLISH) -> None:
    """Take a user through stops, measure each in its views, and fail with every fault found.

    `tag` is the language in which the stops are led to.
    """
    faults: dict[str, list[str]] = {}
    for number, stop in enumerate(stops):
        user.ready()
        for language, (width, height) in views(number, stop, long):
            user.page.set_viewport_size({"width": width, "height": height})
            user.choose(language=language)
            user.ready()
            wanted = stop.wanted.selector if stop.wanted and (width, height) in stop.wanted.sizes else None
            found = layout_faults(user.page, wanted) + untranslated(user.page, language, announcements=False)
            for fault in found:
                faults.setdefault(f"{stop.name}: {fault}", []).append(f"{width}×{height} {language}")
        user.page.set_viewport_size({"width": 1440, "height": 900})
        user.choose(language=tag)
    lines = [f"{fault} ({', '.join(seen)})" for fault, seen in faults.items()]
    assert not lines, f"{len(lines)} faults\n" + "\n".join(lines)


def board_stops(user: User, opponent: User, prepared: PreparedTables, name: str, count: int) -> Iterator[Stop]:
    """Positions of a game, after a choice, after a refusal, at the end of a round, and with the result."""
    page = user.page

    def seat(start: Start, seat: int = 0) -> str:
        seats = [Seat(NAMES[number], new_user_id()) for number in range(2)]
        prepared.sign_in(user, str(seats[seat].user_id))
        prepared.sign_in(opponent, str(seats[1 - seat].user_id))
        path = f"/t/{prepared.create(load(name), start, seats, began=race_start(name))}"
        user.frames.clear()
        user.open(path)
        wait_for_ply(user, len(start.moves))
        return path

    chosen = starts(name, count)
    for label, start in chosen.items():
        seat(start)
        yield Stop(f"{name} at {label}", ACTIONS)
    middle = list(chosen.values())[count // 2]
    for label, controls in {
        "a refusal": "[aria-disabled=true]",
        "a choice": ":enabled:not([aria-disabled=true])",
    }.items():
        seat(middle)
        pressed = page.locator(f".board button{controls}:not(.btn):visible")
        if pressed.count():
            pressed.first.click(force=True)
            yield Stop(f"{name} after {label}")
    for label, found in {"the end of a round": before_a_new_round(name), "the result": before_the_end(name)}.items():
        if found is not None:
            start, mover, text = found
            opponent.open(seat(start, 1 - mover))
            opponent.page.get_by_role("button", name=text, exact=True).first.click()
            wait_for_ply(user, len(start.moves) + 1)
            yield Stop(f"{name} at {label}")


def wait_for_ply(user: User, ply: int) -> None:
    """Wait until a position has come and the page shows it."""
    user.wait_for_ply(ply)
    user.page.wait_for_function("(ply) => Number(document.querySelector('.board')?.dataset.ply ?? -1) >= ply", arg=ply)


@SHORT_AND_LONG
@pytest.mark.parametrize("name", names())
def test_board_fits_every_window(new_user: NewUser, server: ServerProcess, name: str, long: bool) -> None:
    user, opponent = new_user(plain=False, still=True), new_user()
    stops = board_stops(user, opponent, PreparedTables(server.data), name, count=10 if long else 4)
    walk(user, stops, long)


@SHORT_AND_LONG
def test_pages_fit_every_window(new_user: NewUser, long: bool) -> None:
    user, host = visitor(new_user, ENGLISH), new_user()
    stops = chain(pages(user), sheets(user, host, ENGLISH))
    walk(user, (Stop(stop.name, PLAY if stop.name == "/" else None) for stop in stops), long)


@SHORT_AND_LONG
def test_lessons_hints_and_replays_fit_every_window(new_user: NewUser, long: bool) -> None:
    user = visitor(new_user, ENGLISH)
    stops = chain(lessons(user, ENGLISH), hints(user, ENGLISH), replays(user, ENGLISH))
    walk(user, (Stop(stop.name) for stop in stops), long)


@SHORT_AND_LONG
def test_everything_around_a_board_fits_every_window(new_user: NewUser, server: ServerProcess, long: bool) -> None:
    user = visitor(new_user, ENGLISH)
    stops = tables(user, PreparedTables(server.data), ENGLISH)
    walk(user, (Stop(stop.name) for stop in stops), long)
