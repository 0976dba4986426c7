"""The exact odds of every hidden face, for a seat with perfect memory.

As in belief.py, every loose card of the pack carries a mark: the face for which a half-known card claims it, or none.
All sets of marks that claim for each face as many cards as are wanted are equally likely, and so are all layouts of a
set. Therefore it is enough to count sets of marks, by dynamic programming over the kinds of cards, forward and
backward. The state is the number of claims left of each face. Counts are integers of any size; nothing is rounded
before the last division.
"""

from typing import Final

from mypy_extensions import i64

from sevenhues.core.bits import bit
from sevenhues.core.position import NOBODY, WATCHER
from sevenhues.core.report_types import Belief, Beliefs
from sevenhues.games.rainbow.pieces import (
    CARDS,
    FACE_COUNT,
    FACES,
    HAND_SIZE,
    NO_CARD,
    PACK,
    card_in,
    face_of,
    row_entry,
)
from sevenhues.games.rainbow.rules import RainbowPosition

CLAIM_BITS: Final = 4  # a face is on 14 cards (RB-2)
CLAIM_MASK: Final = 15


class Kind:
    """The loose cards with the same two faces, and the number of later loose cards with each of the faces."""

    def __init__(self, one: int, other: int, count: int, later_one: int, later_other: int) -> None:
        self.one = one
        self.other = other
        self.count = count  # 1 or 2
        self.later_one: i64 = later_one
        self.later_other: i64 = later_other

    def steps(self, left: i64) -> list[tuple[int, int, int, int]]:
        """Return the possible claims of these cards: of either face, in how many ways, and the claims left then."""
        steps: list[tuple[int, int, int, int]] = []
        at_one: i64 = CLAIM_BITS * self.one
        at_other: i64 = CLAIM_BITS * self.other
        ones = (left >> at_one) & CLAIM_MASK
        others = (left >> at_other) & CLAIM_MASK
        for x in range(min(self.count, ones) + 1):
            if ones - x > self.later_one:
                continue
            for y in range(min(self.count - x, others) + 1):
                if others - y <= self.later_other:
                    ways = 2 if self.count == 2 and (x == 1 or y == 1) else 1
                    steps.append((x, y, ways, left - (x << at_one) - (y << at_other)))
        return steps


class Odds:
    """The odds of hidden faces, counted over all decks that agree with the known faces of this one."""

    def __init__(self, deck: bytes, known_0: i64, known_1: i64) -> None:
        self.wanted = [0] * FACE_COUNT  # half-known cards, by the face that is known
        self.unknown = 0  # cards of which no face is known
        self.total = 0  # sets of marks
        # Sums over all sets of marks: cards claimed for a face, by the face on their back, and unclaimed cards by each
        # of their faces.
        self.backs = [[0] * FACE_COUNT for _ in range(FACE_COUNT)]
        self.free = [0] * FACE_COUNT
        self._count(self._kinds(self._loose(deck, known_0, known_1)))

    def back(self, face: int) -> list[float]:
        """Return the chance of each face on the back of a card with one known face."""
        whole = self.total * self.wanted[face]
        return [count / whole for count in self.backs[face]]

    def either(self) -> list[float]:
        """Return the chance of each face on one side of a card of which no face is known."""
        whole = self.total * self.unknown * 2
        return [count / whole for count in self.free]

    def _loose(self, deck: bytes, known_0: i64, known_1: i64) -> list[list[int]]:
        """Count the loose cards of the pack by their lower and higher face, and the known faces of the others."""
        counts = [[0] * FACE_COUNT for _ in range(FACE_COUNT)]
        for low, high in PACK:
            counts[low][high] += 1
        for card in range(CARDS):
            sees_0 = (known_0 >> card) & 1
            sees_1 = (known_1 >> card) & 1
            if sees_0 & sees_1:
                one, other = face_of(deck, card, 0), face_of(deck, card, 1)
                counts[min(one, other)][max(one, other)] -= 1
            elif sees_0 | sees_1:
                self.wanted[face_of(deck, card, sees_1)] += 1
            else:
                self.unknown += 1
        return counts

    def _kinds(self, counts: list[list[int]]) -> list[Kind]:
        """Return the kinds of loose cards in reverse order; those of the faces most wanted come first in order."""
        order = sorted(range(FACE_COUNT), key=lambda face: (-self.wanted[face], face))
        later = [0] * FACE_COUNT
        kinds: list[Kind] = []
        for i in range(FACE_COUNT - 1, -1, -1):
            for j in range(FACE_COUNT - 1, i, -1):
                one, other = order[i], order[j]
                count = counts[min(one, other)][max(one, other)]
                if count:
                    kinds.append(Kind(one, other, count, later[one], later[other]))
                    later[one] += count
                    later[other] += count
        return kinds

    def _count(self, kinds: list[Kind]) -> None:
        start: i64 = 0
        for face in range(FACE_COUNT):
            start += self.wanted[face] << (CLAIM_BITS * face)
        ways: list[dict[int, int]] = [{start: 1}]  # ways to reach a state, for each kind
        for kind in reversed(kinds):
            after: dict[int, int] = {}
            for left, count in ways[-1].items():
                for _, _, choices, rest in kind.steps(left):
                    after[rest] = after.get(rest, 0) + count * choices
            ways.append(after)
        self.total = ways[-1].get(0, 0)
        if self.total == 0:
            raise ValueError("the faces seen fit no deck")
        ends: dict[int, int] = {0: 1}  # ways to continue from a state
        for i, kind in enumerate(kinds):
            before: dict[int, int] = {}
            for left, count in ways[len(kinds) - 1 - i].items():
                total = 0
                for x, y, choices, rest in kind.steps(left):
                    continuations = choices * ends.get(rest, 0)
                    total += continuations
                    self._add(kind, x, y, count * continuations)
                before[left] = total
            ends = before

    def _add(self, kind: Kind, x: int, y: int, count: int) -> None:
        self.backs[kind.one][kind.other] += x * count
        self.backs[kind.other][kind.one] += y * count
        unclaimed = (kind.count - x - y) * count
        self.free[kind.one] += unclaimed
        self.free[kind.other] += unclaimed


class SeatOdds:
    """The odds of every face of every card, for a seat or WATCHER."""

    def __init__(self, position: RainbowPosition, viewer: int) -> None:
        self.deck = position.deck
        self.viewer = viewer
        self.known_0 = position.known(viewer, 0)
        self.known_1 = position.known(viewer, 1)
        self.odds = Odds(self.deck, self.known_0, self.known_1)

    def has_seen(self, card: i64, side: i64) -> bool:
        """Tell whether the viewer has seen the face of a card toward `side`."""
        return ((self.known_1 if side else self.known_0) >> card) & 1 == 1

    def chances(self, card: i64, side: i64) -> list[float]:
        """Return the chance of each face to be the face of a card toward `side`."""
        if self.has_seen(card, side):
            return [float(face == face_of(self.deck, card, side)) for face in range(FACE_COUNT)]
        if self.has_seen(card, 1 - side):
            return self.odds.back(face_of(self.deck, card, 1 - side))
        return self.odds.either()

    def belief(self, where: str, seat: int, at: int, card: i64, side: i64, about: str) -> Belief:
        """Return the odds of one face as a Belief."""
        seen = FACES[face_of(self.deck, card, 1 - side)] if self.has_seen(card, 1 - side) else ""
        return Belief(where, seat, at, side, seen, self.chances(card, side), about)


def beliefs(position: RainbowPosition, viewer: int) -> Beliefs:
    """Return the odds of every face that a seat or WATCHER cannot see now, also of those it remembers."""
    seat_odds = SeatOdds(position, viewer)
    faces: list[Belief] = []
    for place in range(position.row_length):
        entry = row_entry(position.row, place)
        faces.append(seat_odds.belief("row", NOBODY, place + 1, entry >> 1, 1 - (entry & 1), f"row {place + 1}, below"))
    # RB-5 A seat sees the faces toward itself; a watcher sees no face.
    sides = [0, 1] if viewer == WATCHER else [1 - viewer]
    for seat in range(2):
        for slot in range(HAND_SIZE):
            card = card_in(position.hands, seat, slot)
            if card != NO_CARD:
                for side in sides:
                    about = f"hand of seat {seat}, slot {slot + 1}, toward seat {side}"
                    faces.append(seat_odds.belief("hand", seat, slot + 1, card, side, about))
    count = position.deck_count()
    if count and viewer != WATCHER:
        # RB-6 A seat sees its own side of the next card at its end.
        card = position.back if viewer else position.front
        faces.append(seat_odds.belief("next", viewer, 1, card, 1 - viewer, f"next card, toward seat {1 - viewer}"))
        count -= 1
    if count:
        rest = seat_odds.odds.either()
        faces.append(Belief("deck", NOBODY, count, 0, "", rest, f"any other of {count} in the deck, either side"))
    for seat, pile in enumerate((position.pile_0, position.pile_1)):
        number = 0
        for card in range(CARDS):
            for side in range(2):
                if pile & bit(card) and not seat_odds.has_seen(card, side):
                    number += 1
                    about = f"pile of seat {seat}, never seen {number}"
                    faces.append(seat_odds.belief("pile", seat, number, card, side, about))
    return Beliefs(list(FACES), faces)
