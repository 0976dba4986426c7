"""Pyodide plays the same games as CPython, and its bots choose the same moves."""

import json

import pytest

from sevenhues.bots.levels import NETWORK_SEARCHES
from sevenhues.core import registry
from tests.offline import transcripts
from tests.offline.pyodide_process import Pyodide

pytestmark = pytest.mark.slow
MODULE = "tests.offline.transcripts"
FEW, MANY, PART = 20, 1000, 50
# Networks are compared in test_networks.
LEVELS = [
    (name, level.name)
    for name in registry.names()
    for level in registry.load(name).bot_support().levels()
    if level.search not in NETWORK_SEARCHES
]


def check_games(pyodide: Pyodide, name: str, first: int, count: int) -> None:
    here = json.loads(transcripts.digests(name, first, count))
    there = json.loads(pyodide.call(MODULE, "digests", name, first, count))
    different = [first + at for at, (one, other) in enumerate(zip(here, there, strict=True)) if one != other]
    assert different == [], f"games of {name} with these numbers differ: see transcripts.transcript"


@pytest.mark.parametrize("name", registry.names())
def test_games_are_the_same_in_pyodide(pyodide: Pyodide, name: str) -> None:
    check_games(pyodide, name, 0, FEW)


@pytest.mark.long
@pytest.mark.parametrize("name", registry.names())
def test_a_thousand_games_are_the_same_in_pyodide(pyodide: Pyodide, name: str) -> None:
    for first in range(FEW, FEW + MANY, PART):
        check_games(pyodide, name, first, PART)


@pytest.mark.parametrize(("name", "level"), LEVELS)
def test_bots_choose_the_same_moves_in_pyodide(pyodide: Pyodide, name: str, level: str) -> None:
    assert pyodide.call(MODULE, "choices", name, level, 0, 2) == transcripts.choices(name, level, 0, 2)
