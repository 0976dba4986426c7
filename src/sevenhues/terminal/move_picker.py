"""Picking a move by hit areas of the board, or by typing it."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from sevenhues.core.errors import BadNotation
from sevenhues.core.game import Game
from sevenhues.core.moves import check_notation
from sevenhues.render.canvas import HitArea


class MovePicker:
    """Narrows the legal moves down by picked hit areas."""

    def __init__(self) -> None:
        self.legal: list[str] = []
        self.remaining: list[str] = []
        self.picked: list[str] = []  # names of hit areas

    def set_legal(self, legal: list[str]) -> None:
        """Set the legal moves. The picked areas stay picked if the moves are unchanged."""
        if legal != self.legal:
            self.legal = legal
            self.clear()

    def clear(self) -> None:
        self.remaining, self.picked = self.legal, []

    def pick(self, area: HitArea, areas: Sequence[HitArea]) -> str | None:
        """Pick a hit area. Return the move if only one remains.

        An area that is picked again makes the one move that needs no other area. Without such a move, the selection is
        cleared.
        """
        if area.name in self.picked:
            needs_others = {text for other in areas if other.name not in self.picked for text in other.moves}
            complete = [text for text in self.remaining if text not in needs_others]
            if len(complete) != 1:
                self.clear()
            return complete[0] if len(complete) == 1 else None
        remaining = [text for text in self.remaining if text in area.moves]
        if not remaining:
            self.clear()
            remaining = [text for text in self.legal if text in area.moves]
        self.remaining = remaining
        self.picked = [*self.picked, area.name]
        return remaining[0] if len(remaining) == 1 else None


def matching_moves(moves: list[str], typed: str) -> list[str]:
    """Return the moves that start with the typed text, then those that contain it; case does not matter."""
    wanted = typed.strip().lower()
    first = [text for text in moves if text.lower().startswith(wanted)]
    return first + [text for text in moves if wanted in text.lower() and text not in first]


def typed_move(moves: list[str], typed: str) -> str | None:
    """Return the move that was typed, in full or as an unambiguous part; case does not matter."""
    wanted = typed.strip().lower()
    exact = [text for text in moves if text.lower() == wanted]
    candidates = exact or (matching_moves(moves, typed) if wanted else [])
    return candidates[0] if len(candidates) == 1 else None


def correct_case(game: Game[Any], typed: str) -> str:
    """Return typed text in the case of the game's notation, or unchanged if it is no move in any case."""
    for text in (typed, typed.upper(), typed.lower(), typed.capitalize()):
        with suppress(BadNotation):
            check_notation(game, text)
            return text
    return typed
