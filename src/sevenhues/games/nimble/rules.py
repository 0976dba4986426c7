"""Nimble's position: who holds which cards, what lies on the stacks, and what each move does."""

from typing import Final

from mypy_extensions import i64, mypyc_attr

from sevenhues.core import bits
from sevenhues.core.bits import bit, shift
from sevenhues.core.position import NOBODY, Outcome, Position, rank
from sevenhues.core.rng import Rng
from sevenhues.games.nimble.pieces import (
    ALL_PLACES,
    ALL_STACKS,
    COLOUR_BITS,
    COLOUR_COUNT,
    COLOUR_MASK,
    COUNT_BITS,
    FLIP,
    FRAMES_A_SET,
    MOST_SEATS,
    MOVE_COUNT,
    NUMBER_BITS,
    ON_ONE_STACK,
    PLACE,
    SET,
    STACK_BITS,
    STACK_MASK,
    STACKS,
    TAKE_BACK,
    TURN_OVER,
    field,
    mark_after,
    mark_before,
    number,
    with_field,
    with_number,
)

# How a game ended.
GOES_ON: Final = 0
OUT: Final = 1  # NB-12
STALEMATE: Final = 2  # NB-14
REASONS: Final = ("", "out", "stalemate")

NO_MOVE: Final = -1
NO_CARD: Final = -1

DISQUALIFIED: Final = -SET - 1  # NB-16 as a strength: behind everybody who only holds many cards

# Moves as bits.
FLIP_BIT: Final = 0b000001
TAKE_BACK_BIT: Final = 0b010000
TURN_OVER_BIT: Final = 0b100000

# Every set of moves as a list, as its size, and, at 8 times the set plus n, the move that has n smaller ones.
LISTED: Final = [bits.members(moves) for moves in range(bit(MOVE_COUNT))]
SIZES: Final = bytes([len(moves) for moves in LISTED])
NTH: Final = bytes([move for moves in LISTED for move in [*moves, *[0] * (8 - len(moves))]])
EVERYBODY: Final = [list(range(seats)) for seats in range(MOST_SEATS + 1)]


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class NimblePosition(Position):
    """Everything true at one moment of Nimble.

    All moves are made openly, so all seats and watchers know the same: of each set the cards up to the furthest that
    was ever flipped, in their order, and of the others only which they are.

    Nothing forces a game to end, but random play does end it: while it goes on somebody holds a card that fits (NB-14)
    and can flip to it. With a referee it takes 200 to 6000 moves, 640 on average with two seats and 1150 with four.
    """

    def __init__(self, seats: int, sets: bytes, targets: tuple[int, ...], audit: bool) -> None:
        self.seats = seats
        self.sets = sets  # as dealt, seat after seat, top card first; never changed, so copies share it
        self.targets = targets  # NB-3 the seats that started the stacks
        self.audit = audit  # NB-15

        self.held_01: i64 = 0  # the places of the cards that seats 0 and 1 hold, as bits; see pieces
        self.held_23: i64 = 0
        self.marks: i64 = 0  # packed, by seat; see pieces
        self.seen: i64 = 0  # packed, by seat: how many cards of the set as dealt have been seen
        self.frames: i64 = 0  # packed, by colour: how many cards with this frame are still held
        self.wanted: i64 = 0  # for each colour the stacks whose top card has it as circle, as three bits
        self.tops: i64 = 0  # packed, by stack: the number of its top card
        self.heights: i64 = 0  # packed, by stack
        self.laid: list[int] = []  # every card on a stack, in the order they came: its number times 4 plus the stack
        self.mistaken: i64 = 0  # seats that laid a card that did not fit, as bits
        self.end: i64 = GOES_ON

        self.last_seat: i64 = NOBODY
        self.last_move: i64 = NO_MOVE
        self.last_card: i64 = NO_CARD  # the card it moved

    def start_stacks(self) -> None:
        """NB-3 Everybody holds their set, and top cards of sets start the stacks."""
        for seat in range(self.seats):
            self._hold(seat, ALL_PLACES)
        for colour in range(COLOUR_COUNT):
            self.frames = with_field(self.frames, colour, self.seats * FRAMES_A_SET)
        for stack, seat in enumerate(self.targets):
            place = field(self.seen, seat)
            self.seen = with_field(self.seen, seat, place + 1)
            self._lay(seat, place, stack)

    def to_act(self) -> list[int]:
        # NB-5 All at once, in no order: whoever holds a card can at least flip it or turn the pile over.
        return [] if self.end else EVERYBODY[self.seats].copy()

    def pick_seat(self, rng: Rng) -> int:
        return NOBODY if self.end else rng.below(self.seats)

    def legal(self, seat: int) -> list[int]:
        if self.end or not 0 <= seat < self.seats:
            return []
        return LISTED[self._legal_moves(seat)].copy()

    def pick(self, seat: int, rng: Rng) -> int:
        moves = self._legal_moves(seat)
        return NTH[moves << 3 | rng.below(SIZES[moves])]

    def _legal_moves(self, seat: i64) -> i64:
        """Return the moves of a seat while the game goes on, as bits."""
        mark = field(self.marks, seat)
        # NB-6 Flip while the set has cards; NB-9 turn the pile over when it has none.
        moves: i64 = FLIP_BIT if self.held(seat) >> mark else TURN_OVER_BIT
        if mark > 0:
            # NB-7, NB-8 The top card of the pile can be placed or taken back.
            moves |= TAKE_BACK_BIT | self._stacks_for(self.sets[SET * seat + mark - 1]) << PLACE
        return moves

    def _stacks_for(self, card: i64) -> i64:
        """Return the stacks on which the table accepts a card, as bits."""
        # NB-15 An audit comes after the game: until then any card may lie anywhere.
        return ALL_STACKS if self.audit else self.fitting(card)

    def fitting(self, card: i64) -> i64:
        """NB-7 Return the stacks whose top card's circle has the card's frame colour, as bits."""
        return (self.wanted >> (COLOUR_BITS * (card >> COLOUR_BITS))) & ALL_STACKS

    def play(self, seat: int, move: int) -> None:
        who: i64 = seat
        choice: i64 = move
        mark = field(self.marks, who)
        self.last_seat = who
        self.last_move = choice
        if choice == FLIP:
            # NB-6 The top card of the set goes onto the pile, and everybody sees it.
            mark = mark_after(self.held(who), mark)
            self.last_card = SET * who + mark - 1
            if mark > field(self.seen, who):
                self.seen = with_field(self.seen, who, mark)
        elif choice == TURN_OVER:
            # NB-9 The whole pile is the set again, the card discarded first on top.
            mark = 0
            self.last_card = NO_CARD
        else:
            self.last_card = SET * who + mark - 1
            if choice != TAKE_BACK:
                self._place(who, mark - 1, choice - PLACE)
            # NB-8 Of what is left before it, the last card is the pile's new top.
            mark = mark_before(self.held(who), mark - 1)
        self.marks = with_field(self.marks, who, mark)

    def _place(self, seat: i64, place: i64, stack: i64) -> None:
        """NB-7 Lay a card on a stack, and see whether that ends the game."""
        # NB-16 A card that does not fit is its owner's mistake, also where nobody stopped it.
        if not (self.fitting(self.sets[SET * seat + place]) >> stack) & 1:
            self.mistaken |= bit(seat)
        self._lay(seat, place, stack)
        # NB-12 The first to have no card left ends the game; with two players, to have just one.
        if self.left(seat) <= self.goal():
            self.end = OUT
        # NB-14 So does a table where nobody holds a card that fits.
        elif not self._somebody_fits():
            self.end = STALEMATE

    def _lay(self, seat: i64, place: i64, stack: i64) -> None:
        card: i64 = self.sets[SET * seat + place]
        self._hold(seat, bit(place))
        self.frames -= bit(COUNT_BITS * (card >> COLOUR_BITS))
        self.wanted = self.wanted & ~shift(ON_ONE_STACK, stack) | bit(COLOUR_BITS * (card & COLOUR_MASK) + stack)
        self.tops = with_number(self.tops, stack, SET * seat + place)
        self.heights += bit(NUMBER_BITS * stack)
        self.laid.append((SET * seat + place) << STACK_BITS | stack)

    def _hold(self, seat: i64, places: i64) -> None:
        """Change whether a seat holds the cards of these places."""
        if seat < 2:
            self.held_01 ^= places << (SET * seat)
        else:
            self.held_23 ^= places << (SET * (seat - 2))

    def _somebody_fits(self) -> bool:
        """NB-14 Tell whether any card still held, in a set or a pile, fits any stack."""
        colour: i64 = 0
        while colour < COLOUR_COUNT:
            if (self.wanted >> (COLOUR_BITS * colour)) & ALL_STACKS and field(self.frames, colour):
                return True
            colour += 1
        return False

    def held(self, seat: i64) -> i64:
        """Return the places of the cards a seat holds, as bits."""
        if seat < 2:
            return (self.held_01 >> (SET * seat)) & ALL_PLACES
        return (self.held_23 >> (SET * (seat - 2))) & ALL_PLACES

    def left(self, seat: i64) -> i64:
        """Count the cards a seat holds."""
        return bits.count(self.held(seat))

    def pile(self, seat: i64) -> i64:
        """Return the places of the cards in a seat's discard pile, as bits; the highest is its top."""
        return self.held(seat) & (bit(field(self.marks, seat)) - 1)

    def top(self, stack: i64) -> i64:
        """Return the number of a stack's top card."""
        return number(self.tops, stack)

    def height(self, stack: i64) -> i64:
        """Count the cards on a stack."""
        return number(self.heights, stack)

    def goal(self) -> i64:
        """NB-12 Return how few cards one must have left to end the game."""
        return 1 if self.seats == 2 else 0

    def stack(self, stack: i64) -> list[int]:
        """List the numbers of the cards on a stack, from the bottom."""
        return [laid >> STACK_BITS for laid in self.laid if laid & STACK_MASK == stack]

    def mistakes(self) -> list[tuple[int, int, int]]:
        """NB-16 List every card that does not fit the one below it: its stack, height and number.

        Stacks and heights count from 1, the card that started a stack being its first.
        """
        found: list[tuple[int, int, int]] = []
        for stack in range(STACKS):
            cards = self.stack(stack)
            for height in range(1, len(cards)):
                below, card = self.sets[cards[height - 1]], self.sets[cards[height]]
                if card >> COLOUR_BITS != below & COLOUR_MASK:
                    found.append((stack + 1, height + 1, cards[height]))
        return found

    def scores(self) -> list[int]:
        return [self.left(seat) for seat in range(self.seats)]

    def outcome(self) -> Outcome | None:
        if not self.end:
            return None
        # NB-13 Fewest cards first, equal counts share; NB-16 whoever is disqualified comes behind all others.
        strengths = [DISQUALIFIED if (self.mistaken >> seat) & 1 else -self.left(seat) for seat in range(self.seats)]
        places = rank(strengths)
        # NB-14, NB-17 Of those who made no mistake the fewest cards win, be it the seat that went out or not.
        winners = [seat for seat in range(self.seats) if places[seat] == 1 and strengths[seat] != DISQUALIFIED]
        return Outcome(REASONS[self.end], winners, places)

    def copy(self) -> "NimblePosition":
        twin = NimblePosition(self.seats, self.sets, self.targets, self.audit)
        twin.held_01 = self.held_01
        twin.held_23 = self.held_23
        twin.marks = self.marks
        twin.seen = self.seen
        twin.frames = self.frames
        twin.wanted = self.wanted
        twin.tops = self.tops
        twin.heights = self.heights
        twin.laid = self.laid.copy()
        twin.mistaken = self.mistaken
        twin.end = self.end
        twin.last_seat = self.last_seat
        twin.last_move = self.last_move
        twin.last_card = self.last_card
        return twin

    def resample(self, seat: int, rng: Rng) -> "NimblePosition":
        """Shuffle of each set what nobody has seen.

        What is left of a set is known, so any order of it fits: neither a refusal nor a stalemate (NB-14) can have told
        more about cards that were never flipped.
        """
        twin = self.copy()
        sets: list[int] = []
        for owner in range(self.seats):
            first = SET * owner + field(self.seen, owner)
            unseen = sorted(self.sets[first : SET * owner + SET])
            rng.shuffle(unseen)
            sets += self.sets[SET * owner : first]
            sets += unseen
        twin.sets = bytes(sets)
        return twin

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
        """List the cards in hands and on stacks by owner and colours."""
        cards = [laid >> STACK_BITS for laid in self.laid]
        for seat in range(self.seats):
            cards += [SET * seat + place for place in bits.members(self.held(seat))]
        return [card // SET * 64 + self.sets[card] for card in cards]
