"""How to play Nimble: place what fits; else go to a card that will, forth through the set or back in the pile."""

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
    field,
    mark_after,
    mark_before,
)
from sevenhues.games.nimble.rules import LISTED, SIZES, NimblePosition

# What a card laid later is worth of one laid now, by what passes meanwhile.
A_FLIP: Final = 0.88
A_PLACEMENT: Final = 0.82
A_TURN: Final = 0.82
REST: Final = 1.6  # what all is worth that follows a placement
LAID: Final = A_PLACEMENT * (1.0 + REST)  # what it is worth to lay a card now: more than any walk to another

STAYS: Final = 0.9  # how likely a stack lies as it is after a flip's time, for each rival
MOST_STEPS: Final = 12  # of a walk that are looked at


def fitting(position: NimblePosition, seat: i64) -> i64:
    """Return the stacks that the top card of a seat's pile fits (NB-7), as bits."""
    mark = field(position.marks, seat)
    return position.fitting(position.sets[SET * seat + mark - 1]) if mark else 0


def beneath_fits(position: NimblePosition, seat: i64) -> bool:
    """Tell whether the second card of a seat's pile fits a stack."""
    mark = field(position.marks, seat)
    under = mark_before(position.held(seat), mark - 1) if mark else 0
    return under > 0 and position.fitting(position.sets[SET * seat + under - 1]) > 0


def any_of(stacks: i64, rng: Rng) -> int:
    """Place on one of some stacks; it does not matter on which, as they all show the same circle."""
    return PLACE + LISTED[stacks][rng.below(SIZES[stacks])]


def onward(position: NimblePosition, seat: i64) -> int:
    """Flip, or turn over where there is nothing to flip."""
    return FLIP if position.held(seat) >> field(position.marks, seat) else TURN_OVER


class Walk:
    """What a seat may hope for on the way through its own cards, in cards laid, later ones counting less.

    It knows the cards that were ever flipped, and of the others only which they are. Rivals change the stacks
    meanwhile: first by the cards that they show and that fit, then by others, so that what fits now may not when it
    comes up, and the other way round.
    """

    def __init__(self, position: NimblePosition, seat: i64, peeks: bool) -> None:
        self.position = position
        self.first: i64 = SET * seat
        self.fits = fitting(position, seat)
        self.held = position.held(seat)
        self.mark = field(position.marks, seat)
        self.known: i64 = SET if peeks else field(position.seen, seat)
        self.stays = STAYS ** (position.seats - 1)
        shows = [0] * COLOUR_COUNT  # how many stacks show each circle, once rivals have laid what fits
        for stack in range(STACKS):
            shows[position.sets[position.top(stack)] & COLOUR_MASK] += 1
        for rival in range(position.seats):
            if rival != seat and fitting(position, rival):
                card = position.sets[SET * rival + field(position.marks, rival) - 1]
                if shows[card >> COLOUR_BITS]:
                    shows[card >> COLOUR_BITS] -= 1
                    shows[card & COLOUR_MASK] += 1
        self.shows = shows
        unseen = [0] * COLOUR_COUNT  # how many cards never flipped have each frame
        for place in range(self.known, SET):
            unseen[self._frame(place)] += 1
        self.unseen = unseen

    def best(self) -> float:
        """Value the moment by the best there is to do."""
        if self.fits:
            return LAID
        return max(self.forth(), self.back()) if self.mark else self.forth()

    def forth(self) -> float:
        """Value to go on through the set, and to turn it over at its end."""
        hope = 0.0
        going = 1.0  # how likely nothing was laid so far, times what a card is worth by then
        still = 1.0  # how likely a stack lies as it did
        mark = self.mark
        for _ in range(MOST_STEPS):
            if not self.held >> mark:
                mark = 0
                going *= A_TURN
                still *= self.stays
            mark = mark_after(self.held, mark)
            going *= A_FLIP
            still *= self.stays
            chance = self.chance(mark - 1, still)
            hope += going * chance * LAID
            going *= 1.0 - chance
        return hope + going * REST

    def back(self) -> float:
        """Value to take cards back; nothing if none of the pile fits now, so that nobody goes to and fro for ever."""
        hope = 0.0
        going = 1.0
        still = 1.0
        found = False
        mark = self.mark
        for _ in range(MOST_STEPS):
            mark = mark_before(self.held, mark - 1)
            going *= A_FLIP
            still *= self.stays
            if mark == 0:
                break
            found = found or self.position.fitting(self.position.sets[self.first + mark - 1]) > 0
            chance = self.chance(mark - 1, still)
            hope += going * chance * LAID
            going *= 1.0 - chance
        return hope + going * REST if found else 0.0

    def chance(self, place: i64, still: float) -> float:
        """Return how likely the card at a place fits a stack when each lies as now with the chance `still`."""
        if place < self.known:
            return self._chance_of(self._frame(place), still)
        total = 0.0
        for colour in range(COLOUR_COUNT):
            total += self.unseen[colour] * self._chance_of(colour, still)
        return total / float(SET - self.known)

    def _chance_of(self, frame: i64, still: float) -> float:
        """Return how likely a frame fits: a stack that lies still, or one that shows any other circle by then."""
        shows = self.shows[frame]
        missed = (1.0 - still) ** shows * (1.0 - (1.0 - still) / (COLOUR_COUNT - 1)) ** (STACKS - shows)
        return 1.0 - missed

    def _frame(self, place: i64) -> i64:
        return self.position.sets[self.first + place] >> COLOUR_BITS
