"""Each game against a bot to its result in each engine, from a position near its end: with the mouse, and with keys."""

import time

import pytest

from tests.browser.engines import boards
from tests.browser.engines.conftest import NewPage
from tests.browser.flip_and_slide_board import GAME as FLIP_AND_SLIDE
from tests.browser.positions import (
    NIMBLE,
    RAINBOW,
    ROAD,
    last_round_of_rainbow_road,
    last_turn_of_rainbow,
    race,
    race_to_finish_alone,
)
from tests.browser.prepared_tables import PreparedTables
from tests.browser.test_flip_and_slide import TWO_MOVES, two

KEYS = pytest.param(True, marks=pytest.mark.long)
BY = pytest.mark.parametrize("keys", [False, KEYS], ids=["mouse", "keys"])


@BY
def test_rainbow_is_played_to_its_result(new_page: NewPage, tables: PreparedTables, keys: bool) -> None:
    page = new_page()
    boards.seat(tables, page, RAINBOW, last_turn_of_rainbow())
    boards.play_rainbow(page, keys=keys)
    page.wait_for_count("#result-title", 1)


@BY
def test_rainbow_road_is_played_to_its_result(new_page: NewPage, tables: PreparedTables, keys: bool) -> None:
    page = new_page()
    boards.seat(tables, page, ROAD, last_round_of_rainbow_road())
    boards.play_rainbow_road(page, keys=keys)
    page.wait_for_text("won", "#result-title")


@pytest.mark.parametrize("keys", [False, True], ids=["mouse", "keys"])
def test_flip_and_slide_is_played_to_its_result(new_page: NewPage, tables: PreparedTables, keys: bool) -> None:
    page = new_page()
    plies = len(TWO_MOVES) - 2
    boards.seat(tables, page, FLIP_AND_SLIDE, two(plies))
    boards.play_flip_and_slide(page, TWO_MOVES[plies:], keys=keys)
    page.wait_for_text("A whole rainbow touches your pot.")


@BY
def test_nimble_is_played_to_its_result(new_page: NewPage, tables: PreparedTables, keys: bool) -> None:
    page = new_page()
    boards.seat(tables, page, NIMBLE, race_to_finish_alone(), level="", began=ten_seconds_ago())
    boards.play_nimble(page, keys=keys)
    page.wait_for_count(".nimble.over", 1)


@pytest.mark.long
def test_nimble_is_raced_against_a_bot(new_page: NewPage, tables: PreparedTables) -> None:
    page = new_page()
    boards.seat(tables, page, NIMBLE, race(3), level="flat", began=ten_seconds_ago())
    boards.play_nimble(page)
    page.wait_for_count(".nimble.over", 1)


def ten_seconds_ago() -> int:
    return int(time.time() * 1000) - 10_000
