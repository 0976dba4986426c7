"""A joint step of a simultaneous game: every seat chooses an action, and the moves are made one after another."""

from collections.abc import Sequence
from typing import Any

from sevenhues.core.errors import IllegalMove
from sevenhues.core.game import Game
from sevenhues.core.moves import parse
from sevenhues.core.position import Position


def joint_step(
    game: Game[Any], position: Position, actions: Sequence[int], order: Sequence[int]
) -> list[tuple[int, int]]:
    """Make the moves of the seats in `order`, all chosen in the same position; return the moves that were made.

    Seats that are not in `order` wait. Illegal moves are not made, nor are moves that lost a race: the game checks a
    move as it checks one that a player sends without having seen the moves in between.
    """
    sent: list[tuple[int, str]] = []
    for seat in order:
        if actions[seat] in position.legal(seat):
            # The first move meets its position unchanged, so it needs no condition.
            sent.append((seat, game.conditional_text(position, seat, actions[seat]) if sent else ""))
    made: list[tuple[int, int]] = []
    for seat, text in sent:
        move = actions[seat]
        if made and not _still_accepted(game, position, seat, move, text):
            try:
                move = parse(game, position, seat, text)
            except IllegalMove:
                continue
        position.play(seat, move)
        made.append((seat, move))
    return made


def _still_accepted(game: Game[Any], position: Position, seat: int, move: int, text: str) -> bool:
    """Return whether a move is legal and its condition as before, so that its text need not be parsed."""
    return move in position.legal(seat) and game.conditional_text(position, seat, move) == text
