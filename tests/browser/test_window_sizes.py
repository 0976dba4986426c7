"""Every board fits every window: nothing overlaps, is cut off or hides an action, in any language.

The tour stops in several positions of every game. Its other stops are in test_site_pages and test_site_tables.
"""

from collections.abc import Callable, Iterator
from itertools import product

import pytest

from sevenhues import load, names
from sevenhues.server.accounts.cookies import new_user_id
from tests.browser.board_positions import before_a_new_round, before_the_end, starts
from tests.browser.display import WINDOWS, Display, View
from tests.browser.languages import ENGLISH, LANGUAGES
from tests.browser.layout_checks import ACTIONS
from tests.browser.prepared_tables import PreparedTables, Seat, Start
from tests.browser.site_tour import NAMES, Stop, Views, ViewsOf, fits, language, race_start, tour, windows
from tests.browser.typefaces import Typefaces
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]
RESULT = ".stage > .over .btn"  # what follows a game


@pytest.fixture
def server(own_server: ServerProcess) -> ServerProcess:
    return own_server


def board_stops(user: User, opponent: User, prepared: PreparedTables, name: str, count: int) -> Iterator[Stop]:
    """Positions of a game, after a choice, after a refusal, at the end of a round, and with the result."""
    page = user.page

    def seat(start: Start, seat: int = 0) -> str:
        seats = [Seat(NAMES[number], new_user_id()) for number in range(2)]
        prepared.sign_in(user, str(seats[seat].user_id))
        prepared.sign_in(opponent, str(seats[1 - seat].user_id))
        path = f"/t/{prepared.create(load(name), start, seats, began=race_start(name))}"
        user.open(path)
        wait_for_ply(user, len(start.moves))
        return path

    chosen = starts(name, count)
    for label, start in chosen.items():
        seat(start)
        yield Stop(f"{name} at {label}", wanted=ACTIONS)
    middle = list(chosen.values())[count // 2]
    for label, controls in {
        "a refusal": "[aria-disabled=true]",
        "a choice": ":enabled:not([aria-disabled=true])",
    }.items():
        seat(middle)
        pressed = page.locator(f".board button{controls}:not(.btn):visible")
        if pressed.count():
            pressed.first.click(force=True)
            yield Stop(f"{name} after {label}", wanted=ACTIONS)
    ends = {"the end of a round": (before_a_new_round(name), ACTIONS), "the result": (before_the_end(name), RESULT)}
    for label, (found, wanted) in ends.items():
        if found is not None:
            start, mover, text = found
            opponent.open(seat(start, 1 - mover))
            opponent.page.get_by_role("button", name=text, exact=True).first.click()
            wait_for_ply(user, len(start.moves) + 1)
            yield Stop(f"{name} at {label}", wanted=wanted)


def wait_for_ply(user: User, ply: int) -> None:
    """Wait until a position has come and the page shows it."""
    user.wait_for_ply(ply)
    user.page.wait_for_function("(ply) => Number(document.querySelector('.board')?.dataset.ply ?? -1) >= ply", arg=ply)


def four_windows(number: int) -> Views:
    return [(view, [fits, language]) for view in windows(number)]


def all_windows(number: int) -> Views:
    return [(View(tag, size), [fits, language]) for tag, size in product(LANGUAGES, WINDOWS)]


@pytest.mark.parametrize(
    ("count", "views"),
    [
        pytest.param(3, four_windows, id="main"),
        pytest.param(10, all_windows, id="all", marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("name", names())
def test_board_fits_every_window(
    new_user: NewUser, server: ServerProcess, typefaces: Typefaces, name: str, count: int, views: ViewsOf
) -> None:
    user, opponent = new_user(plain=False, still=True), new_user()
    stops = board_stops(user, opponent, PreparedTables(server.data), name, count)
    tour(user, Display(user, typefaces), stops, views, ENGLISH)
