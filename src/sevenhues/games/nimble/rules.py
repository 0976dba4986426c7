"""The position of Nimble, its legal moves and their effects."""

from typing import Final

from mypy_extensions import i64, mypyc_attr

from sevenhues.core import bits
from sevenhues.core.bits import bit, shift
from sevenhues.core.position import NOBODY, Outcome, Position, rank
from sevenhues.core.rng import Rng
from sevenhues.games.nimble.pieces import (
    ALL_PLACES,
    ALL_STACKS,
    CARDS_PER_FRAME,
    COLOUR_BITS,
    COLOUR_COUNT,
    COLOUR_MASK,
    COUNT_BITS,
    FIRST_STACK,
    FLIP,
    MAX_SEATS,
    MOVE_COUNT,
    NUMBER_BITS,
    PLACE,
    SET,
    STACK_BITS,
    STACK_MASK,
    STACKS,
    TAKE_BACK,
    TURN_OVER,
    count_at,
    mark_after,
    mark_before,
    number_at,
    with_count,
    with_number,
)

# Results of a game.
GOES_ON: Final = 0
OUT: Final = 1  # NB-12
STALEMATE: Final = 2  # NB-14
REASONS: Final = ("", "out", "stalemate")

NO_MOVE: Final = -1
NO_CARD: Final = -1

DISQUALIFIED: Final = -SET - 1  # NB-16 a strength below that of any number of cards

# Moves as bits.
FLIP_BIT: Final = 0b000001
TAKE_BACK_BIT: Final = 0b010000
TURN_OVER_BIT: Final = 0b100000

# Tables by set of moves: its members, its size, and at 8 * set + n its n-th member.
LISTED: Final = [bits.members(moves) for moves in range(bit(MOVE_COUNT))]
SIZES: Final = bytes([len(moves) for moves in LISTED])
NTH: Final = bytes([move for moves in LISTED for move in [*moves, *[0] * (8 - len(moves))]])
ALL_SEATS: Final = [list(range(seats)) for seats in range(MAX_SEATS + 1)]


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class NimblePosition(Position):
    """The complete state of Nimble at one moment.

    All moves are public, so all seats and watchers have the same information: the order of each set up to the furthest
    card ever flipped, and of the remaining cards only which they are.

    The rules do not limit the length of a game, but random play ends: while the game goes on some seat holds a card
    that fits (NB-14) and can flip to it. With a referee it takes 200 to 6000 moves, 640 on average with two seats and
    1150 with four.
    """

    def __init__(self, seats: int, sets: bytes, targets: tuple[int, ...], audit: bool) -> None:
        self.seats = seats
        self.sets = sets  # as dealt, seat by seat, top card first; immutable, so copies share it
        self.targets = targets  # NB-3 the seats that started the stacks
        self.audit = audit  # NB-15

        self.held_01: i64 = 0  # the places of the cards held by seats 0 and 1, as bits; see pieces
        self.held_23: i64 = 0
        self.marks: i64 = 0  # packed, by seat; see pieces
        self.seen: i64 = 0  # packed, by seat: how many cards of the dealt set have been seen
        self.frames: i64 = 0  # packed, by colour: how many cards with this frame are still held
        self.wanted: i64 = 0  # by colour, three bits: the stacks whose top card has this circle
        self.tops: i64 = 0  # packed, by stack: the number of its top card
        self.heights: i64 = 0  # packed, by stack
        self.placements: list[int] = []  # every card on a stack, in order: its number times 4 plus the stack
        self.mistaken: i64 = 0  # seats that placed a card that did not fit, as bits
        self.end: i64 = GOES_ON

        self.last_seat: i64 = NOBODY
        self.last_move: i64 = NO_MOVE
        self.last_card: i64 = NO_CARD  # the card that the last move moved

    def start_stacks(self) -> None:
        """NB-3 Give every seat its set, and start the stacks with top cards of sets."""
        for seat in range(self.seats):
            self._toggle_held(seat, ALL_PLACES)
        for colour in range(COLOUR_COUNT):
            self.frames = with_count(self.frames, colour, self.seats * CARDS_PER_FRAME)
        for stack, seat in enumerate(self.targets):
            place = count_at(self.seen, seat)
            self.seen = with_count(self.seen, seat, place + 1)
            self._put_on_stack(seat, place, stack)

    def to_act(self) -> list[int]:
        # NB-5 All seats act at once, in no order: a seat with cards can always flip one or turn its pile over.
        return [] if self.end else ALL_SEATS[self.seats].copy()

    def pick_seat(self, rng: Rng) -> int:
        if self.end:
            return NOBODY
        return rng.below(self.seats)

    def legal(self, seat: int) -> list[int]:
        if self.end or not 0 <= seat < self.seats:
            return []
        return LISTED[self._legal_moves(seat)].copy()

    def pick(self, seat: int, rng: Rng) -> int:
        moves = self._legal_moves(seat)
        return NTH[moves << 3 | rng.below(SIZES[moves])]

    def _legal_moves(self, seat: i64) -> i64:
        """Return the legal moves of a seat while the game goes on, as bits."""
        mark = count_at(self.marks, seat)
        # NB-6 A seat flips while its set has cards; NB-9 it turns the pile over when the set is empty.
        moves: i64 = FLIP_BIT if self.held(seat) >> mark else TURN_OVER_BIT
        if mark > 0:
            # NB-7, NB-8 The top card of the pile can be placed or taken back.
            moves |= TAKE_BACK_BIT | self._stacks_for(self.sets[SET * seat + mark - 1]) << PLACE
        return moves

    def _stacks_for(self, card: i64) -> i64:
        """Return the stacks on which the table accepts a card, as bits."""
        # NB-15 An audit takes place after the game: until then any card may be placed on any stack.
        if self.audit:
            return ALL_STACKS
        return self.fitting(card)

    def fitting(self, card: i64) -> i64:
        """NB-7 Return the stacks whose top card's circle has the card's frame colour, as bits."""
        return (self.wanted >> (COLOUR_BITS * (card >> COLOUR_BITS))) & ALL_STACKS

    def play(self, seat: int, move: int) -> None:
        mover: i64 = seat
        choice: i64 = move
        mark = count_at(self.marks, mover)
        self.last_seat = mover
        self.last_move = choice
        if choice == FLIP:
            # NB-6 The top card of the set goes face up onto the pile.
            mark = mark_after(self.held(mover), mark)
            self.last_card = SET * mover + mark - 1
            if mark > count_at(self.seen, mover):
                self.seen = with_count(self.seen, mover, mark)
        elif choice == TURN_OVER:
            # NB-9 The whole pile becomes the set, with the first discarded card on top.
            mark = 0
            self.last_card = NO_CARD
        else:
            self.last_card = SET * mover + mark - 1
            if choice != TAKE_BACK:
                self._place(mover, mark - 1, choice - PLACE)
            # NB-8 The last held card before it is the new top of the pile.
            mark = mark_before(self.held(mover), mark - 1)
        self.marks = with_count(self.marks, mover, mark)

    def _place(self, seat: i64, place: i64, stack: i64) -> None:
        """NB-7 Place a card on a stack and check whether the game ends."""
        # NB-16 A card that does not fit is a mistake of its owner.
        if not (self.fitting(self.sets[SET * seat + place]) >> stack) & 1:
            self.mistaken |= bit(seat)
        self._put_on_stack(seat, place, stack)
        # NB-12 The first seat without cards ends the game; with two players, the first with one card.
        if self.left(seat) <= self.goal():
            self.end = OUT
        # NB-14 The game also ends when no held card fits a stack.
        elif not self._any_card_fits():
            self.end = STALEMATE

    def _put_on_stack(self, seat: i64, place: i64, stack: i64) -> None:
        card: i64 = self.sets[SET * seat + place]
        self._toggle_held(seat, bit(place))
        self.frames -= bit(COUNT_BITS * (card >> COLOUR_BITS))
        self.wanted = self.wanted & ~shift(FIRST_STACK, stack) | bit(COLOUR_BITS * (card & COLOUR_MASK) + stack)
        self.tops = with_number(self.tops, stack, SET * seat + place)
        self.heights += bit(NUMBER_BITS * stack)
        self.placements.append((SET * seat + place) << STACK_BITS | stack)

    def _toggle_held(self, seat: i64, places: i64) -> None:
        """Add places to the held cards of a seat, or remove them."""
        if seat < 2:
            self.held_01 ^= places << (SET * seat)
        else:
            self.held_23 ^= places << (SET * (seat - 2))

    def _any_card_fits(self) -> bool:
        """NB-14 Return whether any held card, in a set or a pile, fits any stack."""
        colour: i64 = 0
        while colour < COLOUR_COUNT:
            if (self.wanted >> (COLOUR_BITS * colour)) & ALL_STACKS and count_at(self.frames, colour):
                return True
            colour += 1
        return False

    def held(self, seat: i64) -> i64:
        """Return the places of the cards a seat holds, as bits."""
        if seat < 2:
            return (self.held_01 >> (SET * seat)) & ALL_PLACES
        return (self.held_23 >> (SET * (seat - 2))) & ALL_PLACES

    def left(self, seat: i64) -> i64:
        """Return the number of cards a seat holds."""
        return bits.count(self.held(seat))

    def pile(self, seat: i64) -> i64:
        """Return the places of the cards in a seat's discard pile, as bits; the highest is its top."""
        return self.held(seat) & (bit(count_at(self.marks, seat)) - 1)

    def top(self, stack: i64) -> i64:
        """Return the number of a stack's top card."""
        return number_at(self.tops, stack)

    def height(self, stack: i64) -> i64:
        """Return the number of cards on a stack."""
        return number_at(self.heights, stack)

    def goal(self) -> i64:
        """NB-12 Return the number of cards left at which a seat ends the game."""
        return 1 if self.seats == 2 else 0

    def stack(self, stack: i64) -> list[int]:
        """Return the numbers of the cards on a stack, from the bottom."""
        return [placed >> STACK_BITS for placed in self.placements if placed & STACK_MASK == stack]

    def mistakes(self) -> list[tuple[int, int, int]]:
        """NB-16 Return the stack, height and number of every card that does not fit the one below it.

        Stacks and heights are counted from 1; the card that started a stack has height 1.
        """
        mistakes: list[tuple[int, int, int]] = []
        for stack in range(STACKS):
            cards = self.stack(stack)
            for height in range(1, len(cards)):
                below, card = self.sets[cards[height - 1]], self.sets[cards[height]]
                if card >> COLOUR_BITS != below & COLOUR_MASK:
                    mistakes.append((stack + 1, height + 1, cards[height]))
        return mistakes

    def scores(self) -> list[int]:
        return [self.left(seat) for seat in range(self.seats)]

    def outcome(self) -> Outcome | None:
        if not self.end:
            return None
        # NB-13 Fewer cards rank higher and equal counts share; NB-16 disqualified seats come last.
        strengths = [DISQUALIFIED if (self.mistaken >> seat) & 1 else -self.left(seat) for seat in range(self.seats)]
        places = rank(strengths)
        # NB-14, NB-17 The fewest cards among the seats without a mistake win, whether or not the seat went out.
        winners = [seat for seat in range(self.seats) if places[seat] == 1 and strengths[seat] != DISQUALIFIED]
        return Outcome(REASONS[self.end], winners, places)

    def copy(self) -> "NimblePosition":
        copy = NimblePosition(self.seats, self.sets, self.targets, self.audit)
        copy.held_01 = self.held_01
        copy.held_23 = self.held_23
        copy.marks = self.marks
        copy.seen = self.seen
        copy.frames = self.frames
        copy.wanted = self.wanted
        copy.tops = self.tops
        copy.heights = self.heights
        copy.placements = self.placements.copy()
        copy.mistaken = self.mistaken
        copy.end = self.end
        copy.last_seat = self.last_seat
        copy.last_move = self.last_move
        copy.last_card = self.last_card
        return copy

    def resample(self, seat: int, rng: Rng) -> "NimblePosition":
        """Shuffle the unseen cards of each set.

        Which cards are unseen is public, and every order of them is possible: neither a refusal nor a stalemate (NB-14)
        reveals anything about cards that were never flipped.
        """
        copy = self.copy()
        sets: list[int] = []
        for owner in range(self.seats):
            first = SET * owner + count_at(self.seen, owner)
            unseen = sorted(self.sets[first : SET * owner + SET])
            rng.shuffle(unseen)
            sets += self.sets[SET * owner : first]
            sets += unseen
        copy.sets = bytes(sets)
        return copy

    def key(self) -> tuple[int, ...]:
        numbers = [
            self.seats,
            self.audit,
            int.from_bytes(self.sets, "big"),
            *self.targets,
            self.held_01,
            self.held_23,
            self.marks,
            self.seen,
            self.end,
        ]
        for stack in range(STACKS):
            numbers.append(NO_CARD)
            numbers += self.stack(stack)
        return tuple(numbers)

    def all_pieces(self) -> list[int]:
        """Return the cards in sets, piles and stacks, each by owner and colours."""
        cards = [placed >> STACK_BITS for placed in self.placements]
        for seat in range(self.seats):
            cards += [SET * seat + place for place in bits.members(self.held(seat))]
        return [card // SET * 64 + self.sets[card] for card in cards]
