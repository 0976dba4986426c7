"""The board of Rainbow Road: ring, fairies, markers, hands, pranks and discards, and how cards move between them."""

from typing import Final

from mypy_extensions import i64, mypyc_attr

from sevenhues.core import bits
from sevenhues.core.bits import bit
from sevenhues.core.position import NOBODY, Position
from sevenhues.games.rainbow_road.pieces import (
    ALL_PRANKS,
    CARD_BITS,
    FIRST_OPEN,
    HALF,
    NO_CARD,
    NO_SPOT,
    NUMBER_BITS,
    NUMBERS,
    PACK,
    RING,
    SECOND_OPEN,
    all_gains,
    card_on,
    listed,
    number_at,
    one_of,
)

# The phases, in the order of a round.
LEADING: Final = 0  # RR-7 the starting player plays a card
FOLLOWING: Final = 1  # RR-7 the other player plays a card
SUNNY: Final = 2  # RR-10 the Sunny Fairy moves
RAIN: Final = 3  # RR-10 the Rain Fairy moves
OVER: Final = 4

NO_MOVE: Final = -1
STARTING_CARDS: Final = 4  # with ids 1 to 4; the ids of played cards follow


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class RoadBoard(Position):
    """The data of a position and the operations on cards, without the rules of moves."""

    def __init__(self, clockwise: bool, free_leap: bool) -> None:
        self.seats = 2
        self.clockwise = clockwise  # RR-29
        self.free_leap = free_leap  # RR-30

        # The deal, which never changes: tallies of hands, the open cards as numbers on the ring, sets of pranks.
        self.dealt_0: i64 = 0
        self.dealt_1: i64 = 0
        self.dealt_open: i64 = 0
        self.dealt_pranks_0: i64 = 0
        self.dealt_pranks_1: i64 = 0
        self.first: i64 = 0

        self.hand_0: i64 = 0  # tallies
        self.hand_1: i64 = 0
        self.held_0: i64 = 0  # sets of pranks
        self.held_1: i64 = 0
        self.numbers: i64 = 0  # see pieces.number_at
        self.filled: i64 = 0  # the spots with a card, as bits
        self.discards: i64 = 0  # a tally
        self.sunny: i64 = 0  # the spots of the fairies
        self.rain: i64 = 0
        self.mark_0: i64 = NO_SPOT  # the spots of the markers
        self.mark_1: i64 = NO_SPOT
        self.owed: i64 = NO_SPOT  # RR-25 the spot of a trashed card, which must be filled next

        self.round: i64 = 0  # from 0; ROUNDS when the game is over
        self.phase: i64 = LEADING
        self.turn: i64 = 0
        self.ways: i64 = 0  # the ways that the moving fairy may take, as bits
        self.hopped = False  # the moving fairy has made its first hop
        self.origin: i64 = NO_SPOT  # the spot where its move began
        self.pranked = False  # a prank was used this round
        self.gains_0: i64 = 0  # see pieces.gain_in
        self.gains_1: i64 = 0

        # For views: the ids of cards on the ring (pieces.card_on), the discard pile (the newest id in the lowest five
        # bits), the numbers of all cards shown so far by id, and what the last move did.
        self.cards: i64 = 0
        self.pile: i64 = 0
        self.shown: i64 = 0
        self.last_seat: i64 = NOBODY
        self.last_move: i64 = NO_MOVE
        self.last_phase: i64 = LEADING
        self.last_from: i64 = NO_SPOT
        self.last_points: i64 = 0
        self.last_out: i64 = NO_CARD

    def lay_out(self, hands: list[int], open_cards: list[int], pranks: list[int], first: int) -> None:
        """Set up the deal: tallies of the hands, the four open cards from a2 to b4, sets of pranks, the first seat."""
        self.dealt_0 = self.hand_0 = hands[0]
        self.dealt_1 = self.hand_1 = hands[1]
        self.dealt_pranks_0 = self.held_0 = pranks[0]
        self.dealt_pranks_1 = self.held_1 = pranks[1]
        self.first = self.turn = first
        # RR-2 The starting cards lie on spots 2 and 4.
        for i in range(STARTING_CARDS):
            self.put(HALF * (i // 2) + (SECOND_OPEN if i % 2 else FIRST_OPEN), open_cards[i], i + 1)
        self.dealt_open = self.numbers
        # RR-4 Sunny on the first player's lowest card, Rain on the other's highest; of equal cards the right one.
        half: i64 = HALF * self.first
        low_left = number_at(self.numbers, half + FIRST_OPEN) < number_at(self.numbers, half + SECOND_OPEN)
        self.sunny = half + (FIRST_OPEN if low_left else SECOND_OPEN)
        half = HALF - half
        high_left = number_at(self.numbers, half + FIRST_OPEN) > number_at(self.numbers, half + SECOND_OPEN)
        self.rain = half + (FIRST_OPEN if high_left else SECOND_OPEN)

    def hand(self, seat: i64) -> i64:
        """Return the tally of a seat's hand."""
        return self.hand_1 if seat else self.hand_0

    def held(self, seat: i64) -> i64:
        """Return the set of a seat's pranks."""
        return self.held_1 if seat else self.held_0

    def fairies(self) -> i64:
        """Return the spots of the fairies, as bits."""
        return bit(self.sunny) | bit(self.rain)

    def free_spots(self) -> i64:
        """Return the spots with a card and no fairy, as bits."""
        return self.filled & ~self.fairies()

    def number_of(self, card: i64) -> i64:
        """Return the number of a card that has been shown."""
        return (self.shown >> (NUMBER_BITS * (card - 1))) & 7

    def box_card(self) -> i64:
        """RR-1 Return the tally of the card in the box."""
        left: i64 = PACK - self.dealt_0 - self.dealt_1
        spot: i64 = 0
        while spot < RING:
            if number_at(self.dealt_open, spot):
                left -= one_of(number_at(self.dealt_open, spot))
            spot += 1
        return left

    def scores(self) -> list[int]:
        return [all_gains(self.gains_0), all_gains(self.gains_1)]

    def put(self, spot: i64, number: i64, card: i64) -> None:
        """Put a card on an empty spot."""
        self.numbers |= number << (NUMBER_BITS * spot)
        self.filled |= bit(spot)
        self.cards |= card << (CARD_BITS * spot)
        self.shown |= number << (NUMBER_BITS * (card - 1))

    def discard(self, spot: i64) -> None:
        """Move the card on a spot, if there is one, to the discard pile."""
        number = number_at(self.numbers, spot)
        if number:
            card = card_on(self.cards, spot)
            self.numbers ^= number << (NUMBER_BITS * spot)
            self.filled ^= bit(spot)
            self.cards ^= card << (CARD_BITS * spot)
            self.discards += one_of(number)
            self.pile = self.pile << CARD_BITS | card
            self.last_out = card

    def swap(self, one: i64, other: i64) -> None:
        """Exchange two cards; a marker stays with its card."""
        change = number_at(self.numbers, one) ^ number_at(self.numbers, other)
        self.numbers ^= change << (NUMBER_BITS * one) | change << (NUMBER_BITS * other)
        change = card_on(self.cards, one) ^ card_on(self.cards, other)
        self.cards ^= change << (CARD_BITS * one) | change << (CARD_BITS * other)
        both = one + other
        if self.mark_0 == one or self.mark_0 == other:
            self.mark_0 = both - self.mark_0
        if self.mark_1 == one or self.mark_1 == other:
            self.mark_1 = both - self.mark_1

    def take_back(self, number: i64) -> i64:
        """Remove the newest card of a number from the discard pile and return its id."""
        at: i64 = 0
        while self.number_of(card_on(self.pile, at)) != number:
            at += 1
        card = card_on(self.pile, at)
        newer = self.pile & (bit(CARD_BITS * at) - 1)
        self.pile = self.pile >> (CARD_BITS * (at + 1)) << (CARD_BITS * at) | newer
        self.discards -= one_of(number)
        return card

    def copy_from(self, other: "RoadBoard") -> None:
        """Copy everything except the options from another board."""
        self.dealt_0 = other.dealt_0
        self.dealt_1 = other.dealt_1
        self.dealt_open = other.dealt_open
        self.dealt_pranks_0 = other.dealt_pranks_0
        self.dealt_pranks_1 = other.dealt_pranks_1
        self.first = other.first
        self.hand_0 = other.hand_0
        self.hand_1 = other.hand_1
        self.held_0 = other.held_0
        self.held_1 = other.held_1
        self.numbers = other.numbers
        self.filled = other.filled
        self.discards = other.discards
        self.sunny = other.sunny
        self.rain = other.rain
        self.mark_0 = other.mark_0
        self.mark_1 = other.mark_1
        self.owed = other.owed
        self.round = other.round
        self.phase = other.phase
        self.turn = other.turn
        self.ways = other.ways
        self.hopped = other.hopped
        self.origin = other.origin
        self.pranked = other.pranked
        self.gains_0 = other.gains_0
        self.gains_1 = other.gains_1
        self.cards = other.cards
        self.pile = other.pile
        self.shown = other.shown
        self.last_seat = other.last_seat
        self.last_move = other.last_move
        self.last_phase = other.last_phase
        self.last_from = other.last_from
        self.last_points = other.last_points
        self.last_out = other.last_out

    def key(self) -> tuple[int, ...]:
        return (
            self.clockwise,
            self.free_leap,
            self.dealt_0,
            self.dealt_1,
            self.dealt_open,
            self.dealt_pranks_0,
            self.dealt_pranks_1,
            self.first,
            self.hand_0,
            self.hand_1,
            self.held_0,
            self.held_1,
            self.numbers,
            self.discards,
            self.sunny,
            self.rain,
            self.mark_0,
            self.mark_1,
            self.owed,
            self.round,
            self.phase,
            self.turn,
            self.ways,
            self.hopped,
            self.origin,
            self.pranked,
            self.gains_0,
            self.gains_1,
        )

    def all_pieces(self) -> list[int]:
        """Return the cards of hands, ring, discard pile and box by number, and after them the pranks."""
        pieces = listed(self.hand_0) + listed(self.hand_1) + listed(self.discards) + listed(self.box_card())
        for spot in range(RING):
            if number_at(self.numbers, spot):
                pieces.append(number_at(self.numbers, spot))
        used = (self.dealt_pranks_0 | self.dealt_pranks_1) & ~(self.held_0 | self.held_1)
        for pranks in (self.held_0, self.held_1, used, ALL_PRANKS & ~(self.dealt_pranks_0 | self.dealt_pranks_1)):
            pieces += [NUMBERS + 1 + prank for prank in bits.members(pranks)]
        return pieces
