"""The exact odds of every hidden face, for one who remembers all that a seat has seen.

As in belief.py every card of the pack that nobody can place yet carries a mark: the face for which a half-known card
claims it, or none. All sets of marks that claim as many cards for each face as are wanted are equally likely, and in
each of them all layouts are. So it is enough to count sets of marks: kind of card by kind of card, forward and
backward, over how many claims of each face are left. The counts are whole numbers of any size; nothing is rounded
before the last division.
"""

from typing import Final

from mypy_extensions import i64

from sevenhues.core.bits import bit
from sevenhues.core.position import NOBODY, WATCHER
from sevenhues.core.report_types import Belief, Beliefs
from sevenhues.games.rainbow.pieces import CARDS, FACE_COUNT, FACES, HAND, NO_CARD, PACK, card_in, face_of, lying_at
from sevenhues.games.rainbow.rules import RainbowPosition

CLAIM_BITS: Final = 4  # a face is on 14 cards (RB-2)
CLAIM_MASK: Final = 15


class Kind:
    """Loose cards with the same two faces, and how often each face may still be claimed from later kinds."""

    def __init__(self, one: int, other: int, count: int, later_one: int, later_other: int) -> None:
        self.one = one
        self.other = other
        self.count = count  # 1 or 2
        self.later_one: i64 = later_one
        self.later_other: i64 = later_other

    def steps(self, left: i64) -> list[tuple[int, int, int, int]]:
        """List what may become of these cards: claims of either face, in how many ways, and what is left then."""
        found: list[tuple[int, int, int, int]] = []
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
                    found.append((x, y, ways, left - (x << at_one) - (y << at_other)))
        return found


class Odds:
    """How often each face comes up, counted over all decks that fit the faces known of this one."""

    def __init__(self, deck: bytes, known_0: i64, known_1: i64) -> None:
        self.wanted = [0] * FACE_COUNT  # half-known cards, by the face that is known
        self.unknown = 0  # cards of which nothing is known
        self.total = 0  # sets of marks
        # Summed over all sets of marks: cards claimed for a face that have another one on their back, and cards
        # that nothing claims by each of their faces.
        self.backs = [[0] * FACE_COUNT for _ in range(FACE_COUNT)]
        self.free = [0] * FACE_COUNT
        self._count(self._kinds(self._loose(deck, known_0, known_1)))

    def back(self, face: int) -> list[float]:
        """Return the chance of each face on the back of a card that shows one."""
        whole = self.total * self.wanted[face]
        return [count / whole for count in self.backs[face]]

    def either(self) -> list[float]:
        """Return the chance of each face on one side of a card of which nothing is known."""
        whole = self.total * self.unknown * 2
        return [count / whole for count in self.free]

    def _loose(self, deck: bytes, known_0: i64, known_1: i64) -> list[list[int]]:
        """Count the loose cards of the pack by their lower and higher face."""
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
        """List the kinds of loose cards, the last first; the faces most wanted are settled first."""
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
        ways: list[dict[int, int]] = [{start: 1}]  # to get so far, by the claims that are left
        for kind in reversed(kinds):
            after: dict[int, int] = {}
            for left, count in ways[-1].items():
                for _, _, choices, rest in kind.steps(left):
                    after[rest] = after.get(rest, 0) + count * choices
            ways.append(after)
        self.total = ways[-1].get(0, 0)
        if self.total == 0:
            raise ValueError("the faces seen fit no deck")
        ends: dict[int, int] = {0: 1}  # ways to go on from there
        for i, kind in enumerate(kinds):
            before: dict[int, int] = {}
            for left, count in ways[len(kinds) - 1 - i].items():
                going = 0
                for x, y, choices, rest in kind.steps(left):
                    on = choices * ends.get(rest, 0)
                    going += on
                    self._note(kind, x, y, count * on)
                before[left] = going
            ends = before

    def _note(self, kind: Kind, x: int, y: int, count: int) -> None:
        self.backs[kind.one][kind.other] += x * count
        self.backs[kind.other][kind.one] += y * count
        unclaimed = (kind.count - x - y) * count
        self.free[kind.one] += unclaimed
        self.free[kind.other] += unclaimed


class Lens:
    """Looks at every card from where a seat sits."""

    def __init__(self, position: RainbowPosition, viewer: int) -> None:
        self.deck = position.deck
        self.viewer = viewer
        self.known_0 = position.known(viewer, 0)
        self.known_1 = position.known(viewer, 1)
        self.odds = Odds(self.deck, self.known_0, self.known_1)

    def sees(self, card: i64, side: i64) -> bool:
        """Tell whether a face has been seen."""
        return ((self.known_1 if side else self.known_0) >> card) & 1 == 1

    def chances(self, card: i64, side: i64) -> list[float]:
        """Return the chance of each face to be the one of a card toward a side."""
        if self.sees(card, side):
            return [float(face == face_of(self.deck, card, side)) for face in range(FACE_COUNT)]
        if self.sees(card, 1 - side):
            return self.odds.back(face_of(self.deck, card, 1 - side))
        return self.odds.either()

    def belief(self, where: str, seat: int, at: int, card: i64, side: i64, about: str) -> Belief:
        """Say what a face may be."""
        seen = FACES[face_of(self.deck, card, 1 - side)] if self.sees(card, 1 - side) else ""
        return Belief(where, seat, at, side, seen, self.chances(card, side), about)


def beliefs(position: RainbowPosition, viewer: int) -> Beliefs:
    """Tell the odds of every face that lies hidden from a seat or WATCHER now, those it remembers too."""
    lens = Lens(position, viewer)
    faces: list[Belief] = []
    for place in range(position.row_length):
        lying = lying_at(position.row, place)
        faces.append(lens.belief("row", NOBODY, place + 1, lying >> 1, 1 - (lying & 1), f"row {place + 1}, below"))
    # RB-5 One sees the faces turned toward oneself; a watcher sees neither.
    sides = [0, 1] if viewer == WATCHER else [1 - viewer]
    for seat in range(2):
        for slot in range(HAND):
            card = card_in(position.hands, seat, slot)
            if card != NO_CARD:
                for side in sides:
                    about = f"hand of seat {seat}, slot {slot + 1}, toward seat {side}"
                    faces.append(lens.belief("hand", seat, slot + 1, card, side, about))
    count = position.deck_count()
    if count and viewer != WATCHER:
        # RB-6 The next card at one's own end shows one's own side.
        card = position.back if viewer else position.front
        faces.append(lens.belief("next", viewer, 1, card, 1 - viewer, f"next card, toward seat {1 - viewer}"))
        count -= 1
    if count:
        rest = lens.odds.either()
        faces.append(Belief("deck", NOBODY, count, 0, "", rest, f"any other of {count} in the deck, either side"))
    for seat, pile in enumerate((position.pile_0, position.pile_1)):
        at = 0
        for card in range(CARDS):
            for side in range(2):
                if pile & bit(card) and not lens.sees(card, side):
                    at += 1
                    faces.append(lens.belief("pile", seat, at, card, side, f"pile of seat {seat}, never seen {at}"))
    return Beliefs(list(FACES), faces)
