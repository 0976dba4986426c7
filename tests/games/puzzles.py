"""The puzzles of lessons, for tests that prove their solutions."""

from typing import Any

from sevenhues.core import lesson
from sevenhues.core.game import Game
from sevenhues.core.lesson import Step
from sevenhues.core.position import P


def begin(game: Game[Any], kind: type[P], id: str) -> tuple[Step, P]:
    """Return a puzzle of a game's lesson and its starting position."""
    game_lesson = lesson.read(game)
    assert game_lesson is not None
    step = game_lesson.step(id)
    assert step is not None
    position = step.start(game)
    assert isinstance(position, kind)
    return step, position
