"""A joint step of a simultaneous game: every seat chooses an action, and the moves are made one after another."""

from collections.abc import Sequence

from sevenhues.adapters.configured_game import ConfiguredGame
from sevenhues.core.errors import IllegalMove
from sevenhues.core.moves import parse
from sevenhues.core.position import Position


def joint_step(
    configured: ConfiguredGame, position: Position, actions: Sequence[int], order: Sequence[int]
) -> list[tuple[int, int]]:
    """Make the moves of the seats in `order`, all chosen in the same position; return the moves that were made.

    Seats that are not in `order` wait. Illegal moves are not made, nor are moves that lost a race: the game checks a
    move as it checks one that a player sends without having seen the moves in between.
    """
    game = configured.game
    sent: list[tuple[int, str]] = []
    for seat in order:
        if actions[seat] in position.legal(seat):
            sent.append((seat, game.conditional_text(position, seat, actions[seat])))
    made: list[tuple[int, int]] = []
    for seat, text in sent:
        try:
            move = parse(game, position, seat, text) if made else actions[seat]
        except IllegalMove:
            continue
        position.play(seat, move)
        made.append((seat, move))
    return made
