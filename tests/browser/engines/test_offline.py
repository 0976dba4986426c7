"""Offline play in each engine: the site without a server, a game against a bot to its result, a lesson, a reload."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import SERVER_OPTIONS
from tests.browser.engines import boards
from tests.browser.engines.conftest import NewPage
from tests.browser.engines.page import EnginePage
from tests.browser.languages import messages, offline_messages
from tests.browser.offline_user import record_of
from tests.browser.positions import RAINBOW, last_turn_of_rainbow
from tests.browser.prepared_tables import Start
from tests.browser.test_learn import right_moves, steps
from tests.server.process import ServerProcess

TEXTS, OFFLINE = messages("en"), offline_messages("en")
CHOOSE_FILE = """(text) => {
    const chosen = new DataTransfer();
    chosen.items.add(new File([text], "game.json", { type: "application/json" }));
    const input = document.querySelector("input[type=file]");
    input.files = chosen.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
}"""


# A worker takes long to start in WebKit, and the other browser tests play offline in Chromium.
pytestmark = pytest.mark.parametrize(
    "engine",
    ["firefox", pytest.param("webkit", marks=pytest.mark.long), pytest.param("chromium", marks=pytest.mark.long)],
    indirect=True,
)


@pytest.fixture
def own(client: None, tmp_path: Path) -> Iterator[ServerProcess]:
    """A server that the test may kill."""
    with ServerProcess(tmp_path / "data", *SERVER_OPTIONS) as running:
        yield running


def make_available(page: EnginePage) -> None:
    page.open()
    page.click("button", TEXTS["me.menu"])
    page.wait_for_text(" MB.", "dialog .line")  # the size comes late, and may move the button
    page.click("dialog button", OFFLINE["go"])
    page.wait_for_text(OFFLINE["ready"], "dialog .line")


def lose_server(page: EnginePage, server: ServerProcess) -> None:
    server.kill()
    page.gateway.cut()


def play_on(page: EnginePage, start: Start) -> None:
    """Choose a record, and play on from its last move but one."""
    page.open("/replay")
    page.wait_for_count("input[type=file]:not(:disabled)", 1)
    page.evaluate(CHOOSE_FILE, record_of(RAINBOW, start, "Ada", "Bo"))
    page.wait_for_count(".board[data-ply='0']", 1)
    page.press("End")
    page.wait_for_count(f".board[data-ply='{len(start.moves) + 1}']", 1)
    page.press("ArrowLeft")
    page.wait_for_count(f".board[data-ply='{len(start.moves)}']", 1)
    page.click("button", TEXTS["branch.open"])
    page.select("dialog select", "random")
    page.click("dialog button", TEXTS["branch.go"])
    page.wait_for(boards.RAINBOW_OFFERS)


def test_game_goes_on_to_its_result_without_a_server(new_page: NewPage, own: ServerProcess) -> None:
    page = new_page(own)
    make_available(page)
    lose_server(page, own)
    play_on(page, last_turn_of_rainbow())
    boards.play_rainbow(page, moves=1)
    ply = boards.shown_ply(page)
    page.reload()
    boards.wait_for_ply(page, ply)
    boards.play_rainbow(page)
    page.wait_for_count("#result-title", 1)


@pytest.mark.long
def test_lesson_is_begun_without_a_server(new_page: NewPage, own: ServerProcess) -> None:
    page = new_page(own)
    make_available(page)
    lose_server(page, own)
    page.open()
    page.wait_for_text(OFFLINE["status.offline"], ".band")
    page.click("a[href='/learn/rainbow']")
    first, second = steps("rainbow")[:2]
    (move,) = right_moves("rainbow", first)
    page.wait_for_count(f".board[data-step={first.id}][data-phase=asked]", 1)
    page.settle()
    for key in move[::-1].lower():
        page.press(key)
    page.click(".ways .primary")
    page.wait_for_count(f".board[data-step={second.id}]", 1)
