"""One tick of a game in which everybody acts at once."""

from collections.abc import Sequence

from sevenhues.adapters.configured_game import Variant
from sevenhues.core.errors import IllegalMove
from sevenhues.core.moves import parse
from sevenhues.core.position import Position


def play_tick(
    variant: Variant, position: Position, actions: Sequence[int], order: Sequence[int]
) -> list[tuple[int, int]]:
    """Let every seat in `order` make the move it has chosen by what it saw before the tick; return the moves made.

    The others wait. A move that is not legal is not made, nor one that lost a race: it is judged as the game judges
    what a player sends who has not seen yet what came in between.
    """
    game = variant.game
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
