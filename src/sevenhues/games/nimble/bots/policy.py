"""Choice of a move in Nimble: place a card that fits, else flip on or take back toward one that will fit."""

from typing import Final

from mypy_extensions import i64

from sevenhues.core.rng import Rng
from sevenhues.games.nimble.pieces import (
    COLOUR_BITS,
    COLOUR_COUNT,
    COLOUR_MASK,
    FLIP,
    PLACE,
    SET,
    STACKS,
    TURN_OVER,
    count_at,
    mark_after,
    mark_before,
)
from sevenhues.games.nimble.rules import LISTED, SIZES, NimblePosition

# Discounts of the value of a placement, by what comes before it.
FLIP_DISCOUNT: Final = 0.88
PLACEMENT_DISCOUNT: Final = 0.82
TURN_OVER_DISCOUNT: Final = 0.82
LATER_VALUE: Final = 1.6  # the value of everything after a placement
PLACEMENT_VALUE: Final = PLACEMENT_DISCOUNT * (
    1.0 + LATER_VALUE
)  # the value of placing a card now: more than that of any other way

STACK_UNCHANGED: Final = 0.9  # the probability that a stack is unchanged after the time of a flip, for each opponent
MAX_STEPS: Final = 12  # of the lookahead


def fitting(position: NimblePosition, seat: i64) -> i64:
    """Return the stacks that the top card of a seat's pile fits (NB-7), as bits."""
    mark = count_at(position.marks, seat)
    return position.fitting(position.sets[SET * seat + mark - 1]) if mark else 0


def second_card_fits(position: NimblePosition, seat: i64) -> bool:
    """Return whether the second card of a seat's pile fits a stack."""
    mark = count_at(position.marks, seat)
    under = mark_before(position.held(seat), mark - 1) if mark else 0
    return under > 0 and position.fitting(position.sets[SET * seat + under - 1]) > 0


def place_on_any(stacks: i64, rng: Rng) -> int:
    """Return a placement on a random stack of a set. All of them show the same circle, so any is as good."""
    return PLACE + LISTED[stacks][rng.below(SIZES[stacks])]


def flip_or_turn_over(position: NimblePosition, seat: i64) -> int:
    """Return a flip, or a turn-over if the set is empty."""
    return FLIP if position.held(seat) >> count_at(position.marks, seat) else TURN_OVER


class CardLookahead:
    """Values of flipping on and of taking back for a seat, in placed cards, with discounts for later ones.

    The seat knows the order of cards that were ever flipped, and of the others only which they are. Opponents change
    the stacks in the meantime: first with their top cards that fit, then with unknown cards. So a card that fits now
    may not fit when it comes up, and the other way round.
    """

    def __init__(self, position: NimblePosition, seat: i64, sees_hidden: bool) -> None:
        self.position = position
        self.first: i64 = SET * seat
        self.fits = fitting(position, seat)
        self.held = position.held(seat)
        self.mark = count_at(position.marks, seat)
        self.known: i64 = SET if sees_hidden else count_at(position.seen, seat)
        self.unchanged_per_step = STACK_UNCHANGED ** (position.seats - 1)
        # How many stacks show each circle, once the opponents have placed their fitting top cards.
        shown = [0] * COLOUR_COUNT
        for stack in range(STACKS):
            shown[position.sets[position.top(stack)] & COLOUR_MASK] += 1
        for opponent in range(position.seats):
            if opponent != seat and fitting(position, opponent):
                card = position.sets[SET * opponent + count_at(position.marks, opponent) - 1]
                if shown[card >> COLOUR_BITS]:
                    shown[card >> COLOUR_BITS] -= 1
                    shown[card & COLOUR_MASK] += 1
        self.shown_circles = shown
        unseen = [0] * COLOUR_COUNT  # how many unseen cards have each frame
        for place in range(self.known, SET):
            unseen[self._frame(place)] += 1
        self.unseen = unseen

    def best_value(self) -> float:
        """Return the value of the best move."""
        if self.fits:
            return PLACEMENT_VALUE
        return max(self.flip_value(), self.take_back_value()) if self.mark else self.flip_value()

    def flip_value(self) -> float:
        """Return the value of flipping through the set, and turning over at its end."""
        value = 0.0
        weight = 1.0  # the probability that no card was placed yet, times the discount
        unchanged = 1.0  # the probability that a stack is unchanged
        mark = self.mark
        for _ in range(MAX_STEPS):
            if not self.held >> mark:
                mark = 0
                weight *= TURN_OVER_DISCOUNT
                unchanged *= self.unchanged_per_step
            mark = mark_after(self.held, mark)
            weight *= FLIP_DISCOUNT
            unchanged *= self.unchanged_per_step
            chance = self.chance(mark - 1, unchanged)
            value += weight * chance * PLACEMENT_VALUE
            weight *= 1.0 - chance
        return value + weight * LATER_VALUE

    def take_back_value(self) -> float:
        """Return the value of taking cards back; 0 if no card of the pile fits now, which avoids endless repetition."""
        value = 0.0
        weight = 1.0
        unchanged = 1.0
        any_fits = False
        mark = self.mark
        for _ in range(MAX_STEPS):
            mark = mark_before(self.held, mark - 1)
            weight *= FLIP_DISCOUNT
            unchanged *= self.unchanged_per_step
            if mark == 0:
                break
            any_fits = any_fits or self.position.fitting(self.position.sets[self.first + mark - 1]) > 0
            chance = self.chance(mark - 1, unchanged)
            value += weight * chance * PLACEMENT_VALUE
            weight *= 1.0 - chance
        return value + weight * LATER_VALUE if any_fits else 0.0

    def chance(self, place: i64, unchanged: float) -> float:
        """Return the probability that the card at a place fits a stack; `unchanged` is that of an unchanged stack."""
        if place < self.known:
            return self._chance_of(self._frame(place), unchanged)
        total = 0.0
        for colour in range(COLOUR_COUNT):
            total += self.unseen[colour] * self._chance_of(colour, unchanged)
        return total / float(SET - self.known)

    def _chance_of(self, frame: i64, unchanged: float) -> float:
        """Return the probability that a frame fits an unchanged stack, or one that shows another circle by then."""
        shown = self.shown_circles[frame]
        missed = (1.0 - unchanged) ** shown * (1.0 - (1.0 - unchanged) / (COLOUR_COUNT - 1)) ** (STACKS - shown)
        return 1.0 - missed

    def _frame(self, place: i64) -> i64:
        return self.position.sets[self.first + place] >> COLOUR_BITS
