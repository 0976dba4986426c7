"""The pages for researchers agree with the code."""

import doctest
import re
from pathlib import Path

import pytest

from docs import observation_tables
from sevenhues import deal, load, names
from sevenhues.core.game import resolve_options

DOCS = Path(__file__).parents[2] / "docs"


def test_observation_tables_document_the_layouts() -> None:
    assert observation_tables.PAGE.read_text(encoding="utf-8") == observation_tables.page(), "run `make tables`"


@pytest.mark.parametrize("name", names())
def test_observation_table_covers_every_feature_once(name: str) -> None:
    game = load(name)
    seats = game.max_seats
    text = observation_tables.table(game.observation_encoder().layout(seats, resolve_options(game, {})))
    covered: list[int] = []
    for first, last in re.findall(r"^\| (\d+)(?:–(\d+))? ", text, re.MULTILINE):
        covered += range(int(first), int(last or first) + 1)
    assert covered == list(range(len(game.observation_encoder().encode(deal(game, b"table", seats), 0))))


def test_python_examples_of_the_research_page_run() -> None:
    failed, tried = doctest.testfile(str(DOCS / "research.md"), module_relative=False)
    assert (failed, tried > 15) == (0, True)


def test_game_lengths_on_the_research_page_are_the_bounds_of_the_games() -> None:
    text = " ".join((DOCS / "research.md").read_text(encoding="utf-8").split())
    bounds = {name: load(name).max_plies(2, resolve_options(load(name), {})) for name in names()}
    turns = f"at most {bounds['rainbow']} moves, {bounds['rainbow-road']} moves, and 400 moves plus one placement"
    assert turns in text
    assert (bounds["flip-and-slide"], bounds["nimble"]) == (402, None)
