"""Puzzles of lessons, for the tests that prove them."""

from typing import Any

from sevenhues.core import lesson
from sevenhues.core.game import Game
from sevenhues.core.lesson import Step
from sevenhues.core.position import P


def begin(game: Game[Any], kind: type[P], id: str) -> tuple[Step, P]:
    """Return a puzzle of a game's lesson, and the position in which it begins."""
    found = lesson.read(game)
    assert found is not None
    step = found.step(id)
    assert step is not None
    position = step.start(game)
    assert isinstance(position, kind)
    return step, position
