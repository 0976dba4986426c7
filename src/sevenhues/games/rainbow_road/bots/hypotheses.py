"""Hypotheses about the opponent's hand in Rainbow Road, and the lines that a seat may play.

Of the cards that a seat has not seen exactly one is in the box (RR-1), and of the pranks two are (RR-5). The seat can
therefore enumerate every hand and every set of pranks of its opponent: at most 42 different *hypotheses*. A *line* is
a card to play, or a whole move of a fairy.
"""

from mypy_extensions import i64

from sevenhues.core import bits
from sevenhues.games.rainbow_road.board import SUNNY
from sevenhues.games.rainbow_road.pieces import ALL_PRANKS, NUMBERS, count_of, one_of
from sevenhues.games.rainbow_road.rules import RoadPosition


class Hypothesis:
    """A possible hand of the opponent, as a tally and a set of pranks, and the number of deals that lead to it."""

    def __init__(self, hand: i64, held: i64, weight: i64) -> None:
        self.hand = hand
        self.held = held
        self.weight = float(weight)


class Line:
    """A move, the position after it or after the fairy move that it begins, and its values."""

    def __init__(self, move: int, position: RoadPosition) -> None:
        self.move = move
        self.position = position
        self.values: list[float] = []  # by hypothesis
        self.value = 0.0


def all_hypotheses(position: RoadPosition, seat: i64) -> list[Hypothesis]:
    """Return every hand that the opponent of a seat may hold: all unseen cards but one, and some unseen pranks."""
    other = 1 - seat
    unseen = position.box_card() + position.hand(other)
    spare: i64 = (ALL_PRANKS & ~(position.dealt_pranks_0 | position.dealt_pranks_1)) | position.held(other)
    prank_count = bits.count(position.held(other))
    hypotheses: list[Hypothesis] = []
    held: i64 = 0
    while held <= ALL_PRANKS:
        if held & ~spare == 0 and bits.count(held) == prank_count:
            number: i64 = 1
            while number <= NUMBERS:
                ways = count_of(unseen, number)
                if ways:
                    hypotheses.append(Hypothesis(unseen - one_of(number), held, ways))
                number += 1
        held += 1
    return hypotheses


def candidate_lines(position: RoadPosition, moves: list[int]) -> list[Line]:
    """Return every line that begins with one of the moves: one for each position that lines lead to."""
    lines: list[Line] = []
    seen: set[tuple[int, ...]] = set()
    for move in moves:
        after = position.copy()
        after.play(position.turn, move)
        _extend(lines, seen, move, after, position.phase)
    return lines


def _extend(lines: list[Line], seen: set[tuple[int, ...]], first: int, position: RoadPosition, phase: i64) -> None:
    """Add the lines that continue from a position; `first` is the move that begins them."""
    if position.phase != phase or phase < SUNNY:
        key = position.key()
        if key not in seen:
            seen.add(key)
            lines.append(Line(first, position))
        return
    for move in position.legal(position.turn):
        after = position.copy()
        after.play(position.turn, move)
        _extend(lines, seen, first, after, phase)


def mean(values: list[float], hypotheses: list[Hypothesis], count: int) -> float:
    """Return the mean of the first `count` values, weighted by their hypotheses."""
    total = 0.0
    weight = 0.0
    for i in range(count):
        total += hypotheses[i].weight * values[i]
        weight += hypotheses[i].weight
    return total / weight
