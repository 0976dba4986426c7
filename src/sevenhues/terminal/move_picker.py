"""Choosing a move by pointing: each place that is pointed at leaves those moves that it is part of."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from sevenhues.core.errors import BadNotation
from sevenhues.core.game import Game
from sevenhues.core.moves import check_notation
from sevenhues.render.canvas import HitArea


class Choice:
    """The moves that are left, and the places that were picked to get there, by name."""

    def __init__(self) -> None:
        self.legal: list[str] = []
        self.left: list[str] = []
        self.picked: list[str] = []

    def among(self, legal: list[str]) -> None:
        """Choose among these; what was picked stays picked while they are the same."""
        if legal != self.legal:
            self.legal = legal
            self.clear()

    def clear(self) -> None:
        self.left, self.picked = self.legal, []

    def pick(self, place: HitArea, places: Sequence[HitArea]) -> str | None:
        """Pick a place; returns the move if that settles it.

        Picked a second time it means the one move that needs no other place, or else it is let go.
        """
        if place.name in self.picked:
            needed = {text for other in places if other.name not in self.picked for text in other.moves}
            alone = [text for text in self.left if text not in needed]
            if len(alone) != 1:
                self.clear()
            return alone[0] if len(alone) == 1 else None
        left = [text for text in self.left if text in place.moves]
        if not left:
            self.clear()
            left = [text for text in self.legal if text in place.moves]
        self.left = left
        self.picked = [*self.picked, place.name]
        return left[0] if len(left) == 1 else None


def matching(moves: list[str], typed: str) -> list[str]:
    """List the moves that what was typed may mean: those that start so, then those that hold it anywhere."""
    wanted = typed.strip().lower()
    first = [text for text in moves if text.lower().startswith(wanted)]
    return first + [text for text in moves if wanted in text.lower() and text not in first]


def meant(moves: list[str], typed: str) -> str | None:
    """Return the move that was typed, in capitals or not; an abbreviation only where it fits no other."""
    wanted = typed.strip().lower()
    whole = [text for text in moves if text.lower() == wanted]
    found = whole or (matching(moves, typed) if wanted else [])
    return found[0] if len(found) == 1 else None


def spelled(game: Game[Any], typed: str) -> str:
    """Write what was typed as the game would, in capitals or not, if that makes it a move of it."""
    for text in (typed, typed.upper(), typed.lower(), typed.capitalize()):
        with suppress(BadNotation):
            check_notation(game, text)
            return text
    return typed
