"""Networks run by JavaScript choose the same moves as with NumPy."""

import json

import pytest

from sevenhues.core import registry
from sevenhues.core.bot_support import NETWORK_FILE
from sevenhues.core.resources import resource_path
from tests.offline import transcripts
from tests.offline.pyodide_process import Pyodide

pytestmark = pytest.mark.slow
ROUNDING = 2e-3  # in logits of some tens: both add up single-precision numbers, in different orders
NAMES = [name for name in registry.names() if resource_path(registry.load(name), NETWORK_FILE).exists()]


def check_evaluations(pyodide: Pyodide, name: str, first: int, count: int) -> None:
    """Compare the moves where one is better than all others by more than rounding, and all logits and values."""
    here = json.loads(transcripts.evaluations(name, first, count))
    there = json.loads(pyodide.call("tests.offline.transcripts", "evaluations", name, first, count))
    assert len(here) == len(there) == count
    close = 0
    for (move, margin, logits, value), (other, _, other_logits, other_value) in zip(here, there, strict=True):
        assert other_logits == pytest.approx(logits, abs=ROUNDING)
        assert other_value == pytest.approx(value, abs=ROUNDING)
        close += move != other
        assert move == other or margin < ROUNDING
    assert close <= count / 1000


@pytest.mark.parametrize("name", NAMES)
def test_network_in_javascript_likes_the_same_moves(pyodide: Pyodide, name: str) -> None:
    check_evaluations(pyodide, name, 0, 1000)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_network_in_javascript_likes_the_same_moves_in_ten_thousand_positions(pyodide: Pyodide, name: str) -> None:
    check_evaluations(pyodide, name, 10_000, 10_000)
