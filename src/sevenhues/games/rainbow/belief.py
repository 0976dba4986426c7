"""Resampling: draws a random deck among all decks that agree with the faces a seat has seen.

Of a card in the deck both faces, one face or no face may be known. A card with one known face needs a card of the pack
with that face. A greedy assignment runs into dead ends. Therefore every loose card of the pack, which is a card whose
place is not known, carries a mark: the face for which it is claimed, or FREE. Augmenting paths find a first set of
marks, and random closed walks mix it.

A walk takes the mark of one card away and lets it claim a random card that it fits. The mark displaced there claims
another card, and so on until the first card is claimed. The reversed walk has the same probability, so all sets of
marks become equally likely. A shuffle then decides which claimed card lies where.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from sevenhues.core.bits import bit
from sevenhues.core.rng import Rng
from sevenhues.games.rainbow.pieces import CARDS, FACE_COUNT, MAX_CARDS_PER_FACE, PACK, card_byte, face_of

FREE: Final = 9
KINDS: Final = 81
EXTRA_WALKS: Final = 8  # besides one per loose card: without them a few loose cards would mix too little

PACK_LOW: Final = bytes([low for low, _ in PACK])
PACK_HIGH: Final = bytes([high for _, high in PACK])


def fitting_deck(deck: bytes, known_0: i64, known_1: i64, rng: Rng) -> bytes:
    """Return a random deck with the known faces of this one; all such decks are equally likely.

    `known_0` and `known_1` are the cards whose face toward seat 0 and seat 1 is known, as bits. The result does not
    depend on any other face of `deck`.
    """
    claims = _Claims(deck, known_0, known_1, rng)
    claims.find()
    claims.mix()
    return claims.lay_out()


class _Claims:
    """The loose cards of the pack and their marks."""

    def __init__(self, deck: bytes, known_0: i64, known_1: i64, rng: Rng) -> None:
        self.deck = deck
        self.known_0 = known_0
        self.known_1 = known_1
        self.rng = rng
        self.wanted: vec[i64] = vec[i64]([0] * FACE_COUNT)  # cards of which just this face is known
        self.low: vec[i64] = vec[i64]([0] * CARDS)  # the loose cards, by their two faces
        self.high: vec[i64] = vec[i64]([0] * CARDS)
        self.mark: vec[i64] = vec[i64]([FREE] * CARDS)
        self.count: i64 = 0
        self.claimed: i64 = 0
        self.tried: i64 = 0  # faces visited by one augmenting path, as bits
        self.fits: vec[i64] = vec[i64]([0] * (FACE_COUNT * MAX_CARDS_PER_FACE))  # loose cards with a face
        self.fit_count: vec[i64] = vec[i64]([0] * FACE_COUNT)
        self._gather()

    def _gather(self) -> None:
        placed: vec[i64] = vec[i64]([0] * KINDS)
        for card in range(CARDS):
            sees_0 = (self.known_0 >> card) & 1
            sees_1 = (self.known_1 >> card) & 1
            if sees_0 & sees_1:
                one, other = face_of(self.deck, card, 0), face_of(self.deck, card, 1)
                placed[one * FACE_COUNT + other if one < other else other * FACE_COUNT + one] += 1
            elif sees_0 | sees_1:
                self.wanted[face_of(self.deck, card, sees_1)] += 1
        for i in range(CARDS):
            low: i64 = PACK_LOW[i]
            high: i64 = PACK_HIGH[i]
            if placed[low * FACE_COUNT + high] > 0:
                placed[low * FACE_COUNT + high] -= 1
            else:
                loose = self.count
                self.low[loose] = low
                self.high[loose] = high
                self._list(low, loose)
                self._list(high, loose)
                self.count = loose + 1

    def _list(self, face: i64, loose: i64) -> None:
        self.fits[face * MAX_CARDS_PER_FACE + self.fit_count[face]] = loose
        self.fit_count[face] += 1

    def find(self) -> None:
        """Claim for each face as many cards as are wanted."""
        for face in range(FACE_COUNT):
            for _ in range(self.wanted[face]):
                self.tried = 0
                if not self._claim(face):
                    raise ValueError("the faces seen fit no deck")
                self.claimed += 1

    def _claim(self, face: i64) -> bool:
        """Claim one more card for a face. A face that loses its card to it claims another one."""
        self.tried |= bit(face)
        count = self.fit_count[face]
        start = self.rng.below(count)
        for i in range(count):
            loose = self.fits[face * MAX_CARDS_PER_FACE + (start + i) % count]
            if self.mark[loose] == FREE:
                self.mark[loose] = face
                return True
        for i in range(count):
            loose = self.fits[face * MAX_CARDS_PER_FACE + (start + i) % count]
            holder = self.mark[loose]
            if not (self.tried >> holder) & 1 and self._claim(holder):
                self.mark[loose] = face
                return True
        return False

    def mix(self) -> None:
        """Walk at random until all sets of marks are about equally likely."""
        if self.claimed == 0:
            return
        for _ in range(self.count + EXTRA_WALKS):
            start = self.rng.below(self.count)
            mark = self.mark[start]
            while True:
                loose = self._random_fit(mark)
                if loose == start:
                    self.mark[start] = mark
                    break
                displaced = self.mark[loose]
                self.mark[loose] = mark
                mark = displaced

    def _random_fit(self, mark: i64) -> i64:
        if mark == FREE:
            return self.rng.below(self.count)
        return self.fits[mark * MAX_CARDS_PER_FACE + self.rng.below(self.fit_count[mark])]

    def lay_out(self) -> bytes:
        """Shuffle the loose cards into the places that claimed them, and return the deck."""
        order: vec[i64] = vec[i64]([0] * CARDS)
        for i in range(self.count):
            j = self.rng.below(i + 1)
            order[i] = order[j]
            order[j] = i
        upto: vec[i64] = vec[i64]([0] * (FACE_COUNT + 1))  # the part of `order` that is used up, for each mark
        cards: list[int] = []
        for card in range(CARDS):
            sees_0 = (self.known_0 >> card) & 1
            sees_1 = (self.known_1 >> card) & 1
            if sees_0 & sees_1:
                cards.append(self.deck[card])
                continue
            mark: i64 = face_of(self.deck, card, sees_1) if sees_0 | sees_1 else FREE
            at = upto[mark]
            while self.mark[order[at]] != mark:
                at += 1
            upto[mark] = at + 1
            one, other = self.low[order[at]], self.high[order[at]]
            swap = self.rng.below(2) == 1 if mark == FREE else (one == mark) != (sees_0 == 1)
            cards.append(card_byte(other, one) if swap else card_byte(one, other))
        return bytes(cards)
