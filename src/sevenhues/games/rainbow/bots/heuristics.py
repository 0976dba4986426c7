"""What Rainbow teaches bots, and its four levels."""

from math import exp, sqrt
from typing import Final

from mypy_extensions import i64

from sevenhues.core import bits
from sevenhues.core.bits import bit
from sevenhues.core.bot_support import Heuristics, Level
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng
from sevenhues.games.rainbow.belief import fitting_deck
from sevenhues.games.rainbow.bots.policy import LEARNT, Eyes, best_move
from sevenhues.games.rainbow.pieces import CARDS, FACE_COUNT, HAND, NO_CARD, card_in, face_of, lying_at
from sevenhues.games.rainbow.rules import TURN_ENDED, RainbowPosition

SWING: Final = 2.0  # the lead at the end spreads by so much times the root of the cards to come
SHARP: Final = 0.8  # how moves differ in weight, a card


class RainbowHeuristics(Heuristics[RainbowPosition]):
    """Plays on to the end of the round, and then judges the lead by the cards to come."""

    def policy(self, position: RainbowPosition, seat: int, rng: Rng) -> int:
        return best_move(position, LEARNT)

    def playout(self, position: RainbowPosition, rng: Rng) -> list[float]:
        number = position.round
        if position.last_end <= TURN_ENDED:
            while not position.over and position.round == number:
                position.play(position.turn, best_move(position, LEARNT))
        return self.values(position)

    def values(self, position: RainbowPosition) -> list[float]:
        lead = float(bits.count(position.pile_0) - bits.count(position.pile_1))
        if position.over:
            chance = 0.5 if lead == 0.0 else (1.0 if lead > 0.0 else 0.0)
        else:
            lead += LEARNT.start if position.turn == 0 else -LEARNT.start
            left = float(CARDS - bits.count(position.pile_0 | position.pile_1))
            chance = 1.0 / (1.0 + exp(-1.7 * lead / (SWING * sqrt(left))))
        return [chance, 1.0 - chance]

    def weights(self, position: RainbowPosition, seat: int, moves: list[int]) -> list[float]:
        eyes = Eyes(position)
        return [exp(SHARP * eyes.worth(move, LEARNT)) for move in moves]

    def observation_key(self, position: RainbowPosition, seat: int) -> int:
        """RB-13 Everybody sees the face that came up."""
        row = position.row if position.last_end <= TURN_ENDED else position.last_row
        lying = lying_at(row, position.last_place)
        return face_of(position.deck, lying >> 1, lying & 1) + 1


class Forgetful(RainbowHeuristics):
    """Remembers only a part of the faces that it has seen and that lie hidden now, and errs about the others.

    What it forgets is settled once a game for each face: it follows from the first cards that the seat held.
    """

    def __init__(self, row: int, piles: int) -> None:
        self.row: i64 = row  # per cent of the faces that lie hidden in row and hands and are remembered
        self.piles: i64 = piles  # and of those in the piles

    def resample(self, position: RainbowPosition, seat: int, rng: Rng) -> Position:
        twin = position.copy()
        known_0 = position.known(seat, 0)
        known_1 = position.known(seat, 1)
        shown_0 = shown(position, seat, 0)
        shown_1 = shown(position, seat, 1)
        kept_0 = shown_0 | self._kept(position, seat, known_0 & ~shown_0, 0)
        kept_1 = shown_1 | self._kept(position, seat, known_1 & ~shown_1, 1)
        twin.deck = fitting_deck(position.deck, kept_0, kept_1, rng)
        return twin

    def _kept(self, position: RainbowPosition, seat: i64, faces: i64, side: i64) -> i64:
        """Return those of the faces toward a side, as bits, that the seat remembers."""
        salt: i64 = seat
        for place in range(HAND):
            salt = salt * FACE_COUNT + face_of(position.deck, CARDS - 1 - place if seat else place, seat)
        gone = position.pile_0 | position.pile_1
        kept: i64 = 0
        for card in range(CARDS):
            if (faces >> card) & 1:
                share = self.piles if (gone >> card) & 1 else self.row
                if Rng((salt * CARDS + card) * 2 + side).below(100) < share:
                    kept |= bit(card)
        return kept


def shown(position: RainbowPosition, seat: i64, side: i64) -> i64:
    """Return the cards whose face toward a side lies open to a seat now, as bits."""
    cards: i64 = 0
    for place in range(position.row_length):
        lying = lying_at(position.row, place)
        if lying & 1 == side:
            cards |= bit(lying >> 1)
    if seat == side:
        for other in range(2):
            for slot in range(HAND):
                card = card_in(position.hands, other, slot)
                if card != NO_CARD:
                    cards |= bit(card)
        if position.deck_count() > 0:
            cards |= bit(position.back if seat else position.front)
    return cards


def levels() -> list[Level]:
    """List the four levels."""
    return [
        Level("seedling", "Plays what looks good at once and soon forgets what was shown.", "policy", Forgetful(20, 0)),
        Level("player", "Knows the risks by heart and remembers most of what lies hidden.", "policy", Forgetful(70, 0)),
        Level("expert", "Thinks a round through, but does not count the piles.", "flat", Forgetful(95, 0), 60),
        Level(
            "master", "Learnt from billions of moves against itself, and forgets nothing.", "net", RainbowHeuristics()
        ),
    ]


def benchmark_levels() -> list[Level]:
    """List the best of those that search: master, before a network was."""
    return [
        Level("searcher", "Thinks a round through with everything it has ever seen.", "flat", RainbowHeuristics(), 1000)
    ]
