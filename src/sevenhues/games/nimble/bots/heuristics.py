"""What Nimble teaches bots, and its four levels: above all, how fast their hands are."""

from math import exp
from typing import Final

from mypy_extensions import i64

from sevenhues.core import bits
from sevenhues.core.bot_support import Heuristics, Level, ReactionModel, reaction
from sevenhues.core.position import outcome_values
from sevenhues.core.rng import Rng
from sevenhues.games.nimble.bots.policy import LAID, Walk, any_of, beneath_fits, fitting, onward
from sevenhues.games.nimble.pieces import COLOUR_BITS, COLOUR_MASK, PLACE, SET, TAKE_BACK, TURN_OVER, field
from sevenhues.games.nimble.rules import NimblePosition

# No hand is faster than this, in seconds from a look to the move done.
LEAST_FLIP: Final = 0.3
LEAST_PLACEMENT: Final = 0.4

SPREAD: Final = 0.35  # how reaction times scatter above the least
TURN: Final = 1.6  # a turn-over takes so many flips' time

LEAD: Final = 0.35  # how much a card fewer than a rival speaks for winning, fitted to games between equals


class NimbleHeuristics(Heuristics[NimblePosition]):
    """Places what fits; else takes one card back if the one beneath fits, where it is told to; else flips on."""

    def __init__(self, takes_back: bool = True) -> None:
        self.takes_back = takes_back

    def policy(self, position: NimblePosition, seat: int, rng: Rng) -> int:
        stacks = fitting(position, seat)
        if stacks:
            return any_of(stacks, rng)
        if self.takes_back and beneath_fits(position, seat):
            return TAKE_BACK
        return onward(position, seat)

    def values(self, position: NimblePosition) -> list[float]:
        """NB-13, NB-16 Fewer cards are better, and a mistake loses."""
        outcome = position.outcome()
        if outcome is not None:
            return outcome_values(outcome)
        found = chances(position, hopes(position))
        for seat in bits.members(position.mistaken):
            found[seat] = 0.0
        return found


class Planner(NimbleHeuristics):
    """Thinks ahead over the stacks and all it knows of the order of its cards.

    Who has made a mistake (NB-16) has not noticed, and plays on.
    """

    def evaluate_moves(
        self, position: NimblePosition, seat: int, moves: list[int], peeks: bool, limit: int, until: float, rng: Rng
    ) -> list[float]:
        walk = Walk(position, seat, peeks)
        ahead = hopes(position)
        found: list[float] = []
        for move in moves:
            if not PLACE <= move < TAKE_BACK:
                ahead[seat] = walk.back() if move == TAKE_BACK else walk.forth()
            elif (walk.fits >> (move - PLACE)) & 1:
                ahead[seat] = LAID + float(rng.below(1000)) * 1e-6  # where several stacks fit, any
            else:
                found.append(0.0)  # NB-16 a mistake
                continue
            found.append(chances(position, ahead)[seat])
        return found


def hopes(position: NimblePosition) -> list[float]:
    """Value what every seat has to do next, in cards."""
    return [Walk(position, seat, False).best() for seat in range(position.seats)]


def chances(position: NimblePosition, ahead: list[float]) -> list[float]:
    """Estimate every seat's chance to win, from the cards left and how many of them are as good as laid."""
    weights = [exp(LEAD * (ahead[seat] - float(position.left(seat)))) for seat in range(position.seats)]
    whole = sum(weights)
    return [weight / whole for weight in weights]


class NimblePace(ReactionModel[NimblePosition]):
    """A hand: its median times in seconds, and how often its eyes err.

    To overlook is not to see a fit. To misread is to match the circle of one's card, not its frame, with a stack, and
    place it rather than go on: a referee refuses that, and the time is lost; audited, it is a mistake (NB-15).
    """

    def __init__(self, place: float, flip: float, overlooks: int, misreads: int) -> None:
        self.place = place
        self.flip = flip
        self.overlooks: i64 = overlooks  # of 1000 fits
        self.misreads: i64 = misreads  # of 1000 times that a circle tempts

    def delay(self, position: NimblePosition, seat: int, move: int, rng: Rng) -> float:
        if PLACE <= move < TAKE_BACK:
            return reaction(LEAST_PLACEMENT, self.place, SPREAD, rng)
        return reaction(LEAST_FLIP, self.flip * TURN if move == TURN_OVER else self.flip, SPREAD, rng)

    def mistake(self, position: NimblePosition, seat: int, move: int, rng: Rng) -> int:
        if PLACE <= move < TAKE_BACK:
            return onward(position, seat) if rng.below(1000) < self.overlooks else move
        stacks = tempting(position, seat) if move != TAKE_BACK else 0
        return any_of(stacks, rng) if stacks and rng.below(1000) < self.misreads else move


def tempting(position: NimblePosition, seat: i64) -> i64:
    """Return the stacks that the top card of a seat's pile would fit if its circle were its frame, as bits."""
    mark = field(position.marks, seat)
    if mark == 0:
        return 0
    card: i64 = position.sets[SET * seat + mark - 1]
    return position.fitting((card & COLOUR_MASK) << COLOUR_BITS)


def levels() -> list[Level]:
    """List the four levels."""
    simple = NimbleHeuristics(takes_back=False)
    return [
        Level(
            "seedling",
            "Takes its time, misses some cards that fit, and misreads one now and then.",
            "policy",
            simple,
            reactions=NimblePace(1.35, 0.90, 60, 40),
        ),
        Level(
            "player",
            "Flips steadily and places what fits, but never takes a card back.",
            "policy",
            simple,
            reactions=NimblePace(1.05, 0.70, 20, 12),
        ),
        Level(
            "expert",
            "Is fast, and takes a card back when the one beneath it fits.",
            "policy",
            NimbleHeuristics(),
            reactions=NimblePace(0.82, 0.54, 8, 4),
        ),
        Level(
            "master",
            "Is faster still, hardly ever errs, and knows its own cards by heart.",
            "greedy",
            Planner(),
            reactions=NimblePace(0.66, 0.43, 2, 1),
        ),
    ]
