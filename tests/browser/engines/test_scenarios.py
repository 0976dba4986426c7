"""Longer scenarios in each engine: two users by a link, lost connections, a lesson, a replay, drags, notifications."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sevenhues import names
from tests.browser.conftest import SERVER_OPTIONS
from tests.browser.engines import boards
from tests.browser.engines.conftest import NewPage
from tests.browser.engines.page import EnginePage, Point
from tests.browser.finished_games import upload
from tests.browser.flip_and_slide_board import GAME as FLIP_AND_SLIDE
from tests.browser.flip_and_slide_board import READY
from tests.browser.languages import messages
from tests.browser.positions import RAINBOW
from tests.browser.prepared_tables import PreparedTables, find_position
from tests.browser.test_flip_and_slide import TWO_MOVES, two
from tests.browser.test_learn import right_moves, steps
from tests.browser.test_rainbow import must_turn_over
from tests.server.process import ServerProcess

TEXTS = messages("en")
ROW_LABELS = "() => [...document.querySelectorAll('.table .row .piece button')].map((one) => one.ariaLabel)"

MIRA_CHOOSES = "document.body.innerText.includes('Mira is choosing')"


@pytest.fixture
def restarted(client: None, tmp_path: Path) -> Iterator[ServerProcess]:
    """A server that the test may kill."""
    with ServerProcess(tmp_path / "data", *SERVER_OPTIONS) as running:
        yield running


def open_own_turn(page: EnginePage, tables: PreparedTables) -> None:
    """Open a table of Rainbow in the middle of the user's turn."""
    boards.seat(tables, page, RAINBOW, find_position(RAINBOW, must_turn_over))
    page.wait_for("() => document.querySelector('.actions button:not([aria-disabled=true])') !== null")


@pytest.mark.long
def test_two_users_meet_by_a_link_and_moves_reach_both(new_page: NewPage) -> None:
    host, guest = new_page(), new_page()
    host.open()
    host.click("article button", TEXTS["play.invite"])
    host.wait_for_text(TEXTS["waiting.title"])
    guest.open(host.path)
    guest.fill("main input[type=text]", "Mira")
    guest.click("main button", TEXTS["invited.sit"])
    host.wait_for_text("Mira", ".board")
    guest.wait_for_count(".board", 1)
    turn = host.wait_for(f"() => ({boards.RAINBOW_OFFERS})() || ({MIRA_CHOOSES} ? 'Mira' : '')")
    first, second = (guest, host) if turn == "Mira" else (host, guest)
    boards.play_rainbow(first, moves=1)
    boards.wait_for_ply(second, 1)


@pytest.mark.long
def test_lost_connection_and_killed_server_lose_nothing(new_page: NewPage, restarted: ServerProcess) -> None:
    page = new_page(restarted)
    open_own_turn(page, PreparedTables(restarted.data))
    row, ply = page.evaluate(ROW_LABELS), boards.shown_ply(page)
    page.gateway.cut()
    page.wait_for_text("Connection lost.", ".band")
    assert page.evaluate(ROW_LABELS) == row
    page.gateway.mend()
    page.wait_for_text("Back online. Nothing was lost.", ".band")
    restarted.kill()
    page.wait_for_text("Connection lost.", ".band")
    page.click(".actions button", "End turn")
    restarted.start()
    page.wait_for_text("Back online. Nothing was lost.", ".band")
    boards.wait_for_ply(page, ply + 1)
    page.reload()
    boards.wait_for_ply(page, ply + 1)
    page.wait_for_text("You ended your turn", ".log")


@pytest.mark.long
def test_lesson_of_rainbow_is_finished(new_page: NewPage) -> None:
    page = new_page()
    page.open("/learn/rainbow")
    for step in steps("rainbow"):
        page.wait_for_count(f".board[data-step={step.id}]", 1)
        for turn, move in enumerate(right_moves("rainbow", step)):
            wait_for_question(page, turn)
            for key in (move if move[0] in "FE" else move[::-1]).lower():
                page.press(key)
        page.click(".ways .primary")
    page.wait_for_text("You can play Rainbow now!")


def wait_for_question(page: EnginePage, turn: int) -> None:
    """Wait until a lesson asks for a move; a round that ended waits for its player before that."""
    page.wait_for(
        f"""(turn) => {{
            document.querySelector(".board .on")?.click();
            return document.querySelector(`.board[data-phase=asked][data-turn="${{turn}}"]`) && {boards.STILL};
        }}""",
        turn,
    )


@pytest.mark.long
@pytest.mark.parametrize("name", names())
def test_replay_goes_forward_and_back(new_page: NewPage, server: ServerProcess, name: str) -> None:
    page = new_page()
    page.open(f"/t/{upload(server.url, name, most_moves=40)}/replay?move=10&as=everything")
    page.wait_for_count(".board[data-ply='10']", 1)
    for key, ply in (("ArrowRight", 11), ("ArrowRight", 12), ("ArrowLeft", 11), ("End", 40), ("Home", 0)):
        page.press(key)
        page.wait_for_count(f".board[data-ply='{ply}']", 1)
        page.settle()


@pytest.mark.long
def test_card_of_rainbow_is_dragged_to_the_row(new_page: NewPage, tables: PreparedTables) -> None:
    page = new_page()

    def can_play(view: Any) -> bool:
        return bool(view["turn"] == 0 and view["may_play"] and not view["may_turn_over"])

    boards.seat(tables, page, RAINBOW, find_position(RAINBOW, can_play))
    assert page.wait_for(boards.RAINBOW_OFFERS) == "card"
    ply = boards.shown_ply(page)
    card = page.locate(f".mine {boards.ENABLED}")
    row = page.count(".table .row .piece")
    place = page.wait_for(
        """(place) => {
            const box = document.querySelector(`[data-place="${place}"]`)?.getBoundingClientRect();
            return box && [box.x + box.width / 2, box.y + box.height / 2];
        }""",
        row,
    )
    page.drag(card, Point(place[0], place[1] - 30))
    boards.wait_for_ply(page, ply + 1)


@pytest.mark.long
def test_tile_of_flip_and_slide_is_dragged_to_a_spot(new_page: NewPage, tables: PreparedTables) -> None:
    page = new_page()
    boards.seat(tables, page, FLIP_AND_SLIDE, two(2))
    start, end = TWO_MOVES[2][1:].split(">")
    page.wait_for(f"(cell) => ({READY})([2, cell])", start)
    piece = page.locate(f".piece[data-cell='{start}']")
    page.click_at(piece)
    spot = page.locate(f".spot[data-cell='{end}']")
    page.press("Escape")
    page.wait_for_count(".spot", 0)
    page.drag(piece, spot)
    boards.wait_for_ply(page, 3)
    page.wait_for_count(f".piece[data-cell='{end}']", 1)


# The other browser tests touch in Chromium, in pages of phones; WebKit's driver sends no touches.
@pytest.mark.long
@pytest.mark.parametrize("engine", ["firefox"], indirect=True)
def test_tap_ends_a_turn(new_page: NewPage, tables: PreparedTables) -> None:
    page = new_page()
    open_own_turn(page, tables)
    ply = boards.shown_ply(page)
    page.tap(".actions button", "End turn")
    boards.wait_for_ply(page, ply + 1)


# Engines differ in how a user allows notifications, and some have nowhere to show them: a page keeps them instead.
KEEP_NOTIFICATIONS = """() => {
    window.notifications = [];
    window.Notification = class {
        static permission = "granted";
        constructor(title, { body }) {
            this.texts = [title, body];
            window.notifications.push(this.texts);
        }
        close() {
            this.texts.push("closed");
        }
    };
}"""
SET_HIDDEN = """(isHidden) => {
    Object.defineProperty(document, "hidden", { get: () => isHidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.mark.long
def test_hidden_page_notifies_that_it_is_your_turn(new_page: NewPage, tables: PreparedTables) -> None:
    page = new_page()
    open_own_turn(page, tables)
    page.evaluate(KEEP_NOTIFICATIONS)
    page.evaluate(SET_HIDDEN, True)
    page.wait_for("() => document.title.startsWith('● Your turn')")
    assert page.attribute("link[rel=icon]", "href") == "/icon-turn.svg"
    ((title, _),) = page.evaluate("() => window.notifications")
    assert title.startswith("● Your turn")
    page.evaluate(SET_HIDDEN, False)
    page.wait_for("() => !document.title.startsWith('●')")
    assert page.attribute("link[rel=icon]", "href") == "/icon.svg"
    assert page.evaluate("() => window.notifications.map((texts) => texts.at(-1))") == ["closed"]
