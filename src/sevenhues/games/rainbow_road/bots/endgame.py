"""The last round of Rainbow Road, solved over all that the opponent may hold.

The opponent is taken to know every card; the seat that thinks knows only what it sees, so wherever it decides, it
makes one and the same move in all worlds that it cannot tell apart: the one that is best in their mean. A world's
value at a move of the opponent is the least that they can bring about there.
"""

from mypy_extensions import i64

from sevenhues.games.rainbow_road.board import FOLLOWING, LEADING, RAIN
from sevenhues.games.rainbow_road.bots.hypotheses import World, lines, mean
from sevenhues.games.rainbow_road.bots.lookahead import Lookahead
from sevenhues.games.rainbow_road.rules import RoadPosition


def solve(position: RoadPosition, seat: i64, held: list[World], ahead: Lookahead) -> list[float]:
    """Return the value of a moment of the last round for a seat, in each of the worlds."""
    if position.phase >= RAIN:
        # RR-20 The Rain Fairy's mover decides last, and knows everything that matters.
        return [ahead.value(position, world.hand, world.held, seat) for world in held]
    if position.turn == seat:
        return _best(position, seat, held, ahead)
    if position.phase == LEADING or position.phase == FOLLOWING:
        return _play_by_hand(position, seat, held, ahead)
    return _least(position, seat, held, ahead)


def _best(position: RoadPosition, seat: i64, held: list[World], ahead: Lookahead) -> list[float]:
    """Return what the move that is best on average comes to."""
    best: list[float] = []
    most = -1.0
    for line in lines(position, position.legal(position.turn)):
        found = solve(line.position, seat, held, ahead)
        value = mean(found, held, len(held))
        if value > most:
            most = value
            best = found
    return best


def _least(position: RoadPosition, seat: i64, held: list[World], ahead: Lookahead) -> list[float]:
    """Return the least that the opponent can bring about, world by world."""
    least = [1.0] * len(held)
    for line in lines(position, position.legal(position.turn)):
        found = solve(line.position, seat, held, ahead)
        for i in range(len(held)):
            if found[i] < least[i]:
                least[i] = found[i]
    return least


def _play_by_hand(position: RoadPosition, seat: i64, held: list[World], ahead: Lookahead) -> list[float]:
    """Let the opponent play a card, which tells worlds apart."""
    values = [1.0] * len(held)
    hands: list[i64] = []
    for world in held:
        if world.hand not in hands:
            hands.append(world.hand)
    for hand in hands:
        twin = position.copy()
        if seat:
            twin.hand_0 = hand
        else:
            twin.hand_1 = hand
        alike = [i for i in range(len(held)) if held[i].hand == hand]
        found = _least(twin, seat, [held[i] for i in alike], ahead)
        for at in range(len(alike)):
            values[alike[at]] = found[at]
    return values
