"""Moves as text: parsing them, refusing them with a rule, and listing the legal ones."""

import re
from collections.abc import Mapping
from typing import Any, Final

from sevenhues.core.errors import BadNotation, IllegalMove, Refusal
from sevenhues.core.game import Game
from sevenhues.core.position import P

GENERAL_REFUSALS: Final = {
    "not-your-turn": Refusal("G-1", "It is not seat {seat}'s turn: {turn} to act."),
    "game-over": Refusal("G-2", "The game is over ({reason})."),
}


def parse(game: Game[P], position: P, seat: int, text: str) -> int:
    """Parse the text of a move; raise BadNotation (G-3) or IllegalMove. The position is not changed."""
    unconditional = game.check_condition(position, seat, text)
    check_notation(game, unconditional)
    outcome = position.outcome()
    if outcome is not None:
        raise refuse(game, position, seat, text, "game-over", {"reason": outcome.reason})
    turn = position.to_act()
    if seat not in turn:
        seats = " and ".join([f"seat {other}" for other in turn])
        raise refuse(game, position, seat, text, "not-your-turn", {"seat": seat, "turn": seats})
    return game.read(position, seat, unconditional)


def check_notation(game: Game[Any], text: str) -> None:
    """Raise BadNotation if the text is not a move of this game in any position (G-3)."""
    if re.fullmatch(game.move_pattern, text, re.ASCII) is None:
        raise BadNotation(game.title, text, game.move_examples)


def refuse(
    game: Game[P], position: P, seat: int, text: str, key: str, parameters: Mapping[str, str | int]
) -> IllegalMove:
    """Build the refusal of a move, with the legal moves."""
    refusal = GENERAL_REFUSALS.get(key) or game.refusals[key]
    return IllegalMove(key, refusal, parameters, seat, text, legal_texts(game, position, seat))


def legal_texts(game: Game[P], position: P, seat: int) -> list[str]:
    """Return a seat's legal moves in notation, in ASCII order."""
    return sorted([game.text(position, seat, move) for move in position.legal(seat)])
