"""Heuristics and reaction times of Nimble, and its four levels."""

from math import exp
from typing import Final

from mypy_extensions import i64

from sevenhues.core import bits
from sevenhues.core.bot_support import Heuristics, Level, ReactionModel, reaction
from sevenhues.core.position import outcome_values
from sevenhues.core.rng import Rng
from sevenhues.games.nimble.bots.policy import (
    PLACEMENT_VALUE,
    CardLookahead,
    fitting,
    flip_or_turn_over,
    place_on_any,
    second_card_fits,
)
from sevenhues.games.nimble.pieces import COLOUR_BITS, COLOUR_MASK, PLACE, SET, TAKE_BACK, TURN_OVER, count_at
from sevenhues.games.nimble.rules import NimblePosition

# The minimum time from seeing a position until the move is made.
MIN_FLIP_SECONDS: Final = 0.3
MIN_PLACEMENT_SECONDS: Final = 0.4

REACTION_SPREAD: Final = 0.35  # of the log-normal distribution above the minimum
TURN_OVER_FACTOR: Final = 1.6  # the time of a turn-over, in flips

LEAD_WEIGHT: Final = 0.35  # the weight of a card fewer than an opponent, fitted to games between equal players


class NimbleHeuristics(Heuristics[NimblePosition]):
    """Places a card that fits; else, with `takes_back`, takes a card back if the one below fits; else flips on."""

    def __init__(self, takes_back: bool = True) -> None:
        self.takes_back = takes_back

    def policy(self, position: NimblePosition, seat: int, rng: Rng) -> int:
        stacks = fitting(position, seat)
        if stacks:
            return place_on_any(stacks, rng)
        if self.takes_back and second_card_fits(position, seat):
            return TAKE_BACK
        return flip_or_turn_over(position, seat)

    def values(self, position: NimblePosition) -> list[float]:
        """NB-13, NB-16 Fewer cards are better, and a mistake loses."""
        outcome = position.outcome()
        if outcome is not None:
            return outcome_values(outcome)
        values = win_chances(position, expected_cards(position))
        for seat in bits.members(position.mistaken):
            values[seat] = 0.0
        return values


class PlanningHeuristics(NimbleHeuristics):
    """Looks ahead over the stacks and the known order of its cards.

    A seat that has made a mistake (NB-16) plays on as if it had not.
    """

    def evaluate_moves(
        self,
        position: NimblePosition,
        seat: int,
        moves: list[int],
        sees_hidden: bool,
        limit: int,
        until: float,
        rng: Rng,
    ) -> list[float]:
        lookahead = CardLookahead(position, seat, sees_hidden)
        ahead = expected_cards(position)
        values: list[float] = []
        for move in moves:
            if not PLACE <= move < TAKE_BACK:
                ahead[seat] = lookahead.take_back_value() if move == TAKE_BACK else lookahead.flip_value()
            elif (lookahead.fits >> (move - PLACE)) & 1:
                ahead[seat] = PLACEMENT_VALUE + float(rng.below(1000)) * 1e-6  # random among the stacks that fit
            else:
                values.append(0.0)  # NB-16 a mistake
                continue
            values.append(win_chances(position, ahead)[seat])
        return values


def expected_cards(position: NimblePosition) -> list[float]:
    """Return the value of every seat's best move, in cards."""
    return [CardLookahead(position, seat, False).best_value() for seat in range(position.seats)]


def win_chances(position: NimblePosition, ahead: list[float]) -> list[float]:
    """Estimate every seat's probability to win, from the cards left and the cards expected to be placed."""
    weights = [exp(LEAD_WEIGHT * (ahead[seat] - float(position.left(seat)))) for seat in range(position.seats)]
    total = sum(weights)
    return [weight / total for weight in weights]


class NimbleReactionModel(ReactionModel[NimblePosition]):
    """Reaction times of a player, as medians in seconds, and the rates of two kinds of mistakes.

    An overlooked card fits and is not placed. A misread card is placed because its circle, not its frame, matches a
    stack: a referee refuses it, which costs time; in an audited game it is a mistake (NB-15).
    """

    def __init__(self, place_seconds: float, flip_seconds: float, overlooks: int, misreads: int) -> None:
        self.place_seconds = place_seconds
        self.flip_seconds = flip_seconds
        self.overlooks: i64 = overlooks  # of 1000 cards that fit
        self.misreads: i64 = misreads  # of 1000 cards whose circle matches a stack

    def delay(self, position: NimblePosition, seat: int, move: int, rng: Rng) -> float:
        if PLACE <= move < TAKE_BACK:
            return reaction(MIN_PLACEMENT_SECONDS, self.place_seconds, REACTION_SPREAD, rng)
        return reaction(
            MIN_FLIP_SECONDS,
            self.flip_seconds * TURN_OVER_FACTOR if move == TURN_OVER else self.flip_seconds,
            REACTION_SPREAD,
            rng,
        )

    def mistake(self, position: NimblePosition, seat: int, move: int, rng: Rng) -> int:
        if PLACE <= move < TAKE_BACK:
            return flip_or_turn_over(position, seat) if rng.below(1000) < self.overlooks else move
        stacks = misread_stacks(position, seat) if move != TAKE_BACK else 0
        return place_on_any(stacks, rng) if stacks and rng.below(1000) < self.misreads else move


def misread_stacks(position: NimblePosition, seat: i64) -> i64:
    """Return the stacks that match the circle of the top card of a seat's pile, as bits."""
    mark = count_at(position.marks, seat)
    if mark == 0:
        return 0
    card: i64 = position.sets[SET * seat + mark - 1]
    return position.fitting((card & COLOUR_MASK) << COLOUR_BITS)


def levels() -> list[Level]:
    """Return the four levels, the weakest first."""
    simple = NimbleHeuristics(takes_back=False)
    return [
        Level(
            "seedling",
            "Takes its time, misses cards that fit and sometimes misreads one.",
            "policy",
            simple,
            reactions=NimbleReactionModel(1.35, 0.90, 60, 40),
        ),
        Level(
            "player",
            "Flips steadily and places what fits, but never takes a card back.",
            "policy",
            simple,
            reactions=NimbleReactionModel(1.05, 0.70, 20, 12),
        ),
        Level(
            "expert",
            "Plays fast and takes a card back when the one below fits.",
            "policy",
            NimbleHeuristics(),
            reactions=NimbleReactionModel(0.82, 0.54, 8, 4),
        ),
        Level(
            "master",
            "Plays even faster, hardly ever errs and knows its cards by heart.",
            "greedy",
            PlanningHeuristics(),
            reactions=NimbleReactionModel(0.66, 0.43, 2, 1),
        ),
    ]
