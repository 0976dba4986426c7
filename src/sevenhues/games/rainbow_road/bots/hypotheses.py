"""What the opponent may hold in Rainbow Road, and what one may do about it.

Of the cards that a seat has not seen a single one lies in the box (RR-1), and of the pranks two (RR-5): it can imagine
every hand and every pair of pranks that its opponent may hold, at most 42 different *worlds*. A *line* is a card to
play, or a whole fairy move.
"""

from mypy_extensions import i64

from sevenhues.core import bits
from sevenhues.games.rainbow_road.board import SUNNY
from sevenhues.games.rainbow_road.pieces import ALL_PRANKS, NUMBERS, count_of, one_of
from sevenhues.games.rainbow_road.rules import RoadPosition


class World:
    """What the opponent may hold, and in how many ways."""

    def __init__(self, hand: i64, held: i64, weight: i64) -> None:
        self.hand = hand
        self.held = held
        self.weight = float(weight)


class Line:
    """A move, the position that it or the whole fairy move begun by it leads to, and what it is worth by world."""

    def __init__(self, move: int, position: RoadPosition) -> None:
        self.move = move
        self.position = position
        self.worths: list[float] = []  # by world
        self.value = 0.0


def worlds(position: RoadPosition, seat: i64) -> list[World]:
    """List all that the other seat may hold: each unseen card but one, and as many unseen pranks as they have left."""
    other = 1 - seat
    unseen = position.boxed() + position.hand(other)
    spare: i64 = (ALL_PRANKS & ~(position.given_0 | position.given_1)) | position.held(other)
    many = bits.count(position.held(other))
    found: list[World] = []
    held: i64 = 0
    while held <= ALL_PRANKS:
        if held & ~spare == 0 and bits.count(held) == many:
            number: i64 = 1
            while number <= NUMBERS:
                ways = count_of(unseen, number)
                if ways:
                    found.append(World(unseen - one_of(number), held, ways))
                number += 1
        held += 1
    return found


def lines(position: RoadPosition, moves: list[int]) -> list[Line]:
    """List what may be done: every card, or every whole move of the fairy, once for each thing that it comes to."""
    found: list[Line] = []
    seen: set[tuple[int, ...]] = set()
    for move in moves:
        tried = position.copy()
        tried.play(position.turn, move)
        _follow(found, seen, move, tried, position.phase)
    return found


def _follow(found: list[Line], seen: set[tuple[int, ...]], first: int, position: RoadPosition, phase: i64) -> None:
    if position.phase != phase or phase < SUNNY:
        key = position.key()
        if key not in seen:
            seen.add(key)
            found.append(Line(first, position))
        return
    for move in position.legal(position.turn):
        tried = position.copy()
        tried.play(position.turn, move)
        _follow(found, seen, first, tried, phase)


def mean(worths: list[float], held: list[World], done: int) -> float:
    """Return the mean of the first worths, each as heavy as its world."""
    total = 0.0
    weight = 0.0
    for i in range(done):
        total += held[i].weight * worths[i]
        weight += held[i].weight
    return total / weight
