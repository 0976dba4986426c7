"""Rainbow's position: deck, hands, row and piles, and what each move does."""

from typing import Final

from mypy_extensions import i64, mypyc_attr

from sevenhues.core import bits
from sevenhues.core.bits import bit, shift
from sevenhues.core.position import NOBODY, Outcome, Position, rank
from sevenhues.core.rng import Rng
from sevenhues.games.rainbow.belief import fitting_deck
from sevenhues.games.rainbow.pieces import (
    ALL_CARDS,
    BLIND,
    CARDS,
    COLOURS,
    EMPTY_HANDS,
    END,
    HAND_SIZE,
    MOVE_COUNT,
    NO_CARD,
    RAINBOW,
    ROW_BITS,
    SHADE,
    STANDARD,
    card_in,
    face_of,
    row_entry,
    slot_shift,
)

# What the last move ended.
TURN_CONTINUES: Final = 0  # RB-13 nothing
TURN_ENDED: Final = 1  # RB-19
LOST_TO_SHADE: Final = 2  # RB-14
LOST_TO_CLASH: Final = 3  # RB-15
MADE_RAINBOW: Final = 4  # RB-16

NO_MOVE: Final = -1

MOVE_LISTS: Final = [bits.members(moves) for moves in range(bit(MOVE_COUNT))]  # by set of moves


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class RainbowPosition(Position):
    """A position of Rainbow."""

    def __init__(self, deck: bytes, first: int, memory_aid: bool) -> None:
        self.seats = 2
        self.deck = deck  # as dealt; never changed, so copies share it
        self.first: i64 = first
        self.memory_aid = memory_aid

        self.front: i64 = 0  # seat 0's next card
        self.back: i64 = CARDS - 1  # seat 1's next card; before `front` when the deck is empty
        self.hands: i64 = EMPTY_HANDS  # see pieces.card_in
        self.row: i64 = 0  # see pieces.lying_at
        self.row_length: i64 = 0
        self.colours: i64 = 0  # the colours that the row shows, as bits
        self.revealed_0: i64 = 0  # cards whose face toward seat 0 has been up in a row, as bits
        self.revealed_1: i64 = 0
        self.pile_0: i64 = 0  # cards that each seat has won, as bits
        self.pile_1: i64 = 0

        self.round: i64 = 1
        self.turn: i64 = first
        self.played: i64 = 0  # cards played this turn
        self.turned = False  # the turn's last action was a turning-over
        self.over = False

        self.last_seat: i64 = NOBODY
        self.last_move: i64 = NO_MOVE
        self.last_end: i64 = TURN_CONTINUES
        self.last_place: i64 = 0  # of the card whose face came up
        self.last_row: i64 = 0  # the row at the end of the last round
        self.last_length: i64 = 0
        self.last_drawn: i64 = 0

    def deal_hands(self) -> None:
        """RB-4 Draw three cards for each seat from its own end of the deck."""
        self._draw(0)
        self._draw(1)

    def to_act(self) -> list[int]:
        return [] if self.over else [self.turn]

    def pick_seat(self, rng: Rng) -> int:
        if self.over:
            return NOBODY
        return self.turn

    def legal(self, seat: int) -> list[int]:
        if self.over or seat != self.turn:
            return []
        return MOVE_LISTS[self.legal_moves()].copy()

    def pick(self, seat: int, rng: Rng) -> int:
        moves = self.legal_moves()
        return bits.nth(moves, rng.below(bits.count(moves)))

    def legal_moves(self) -> i64:
        """Return the legal moves of the seat to act, as bits."""
        moves: i64 = 0
        # RB-9, RB-10 A card may be turned over before the first play, and must be before each further play.
        if not self.turned:
            moves = bit(self.row_length) - 1
        # RB-8, RB-10 A card is played at the start of the turn or after turning over; RB-11 standard or blind.
        if self.turned or self.played == 0:
            slots = self._filled_slots()
            moves |= slots << STANDARD | slots << BLIND
        # RB-12 The turn may end after a play.
        if self.played > 0:
            moves |= bit(END)
        return moves

    def _filled_slots(self) -> i64:
        slots: i64 = 7
        if self.played > 0:
            for slot in range(HAND_SIZE):
                if card_in(self.hands, self.turn, slot) == NO_CARD:
                    slots &= ~bit(slot)
        return slots

    def play(self, seat: int, move: int) -> None:
        choice: i64 = move
        self.last_seat = self.turn
        self.last_move = choice
        self.last_end = TURN_CONTINUES
        self.last_drawn = 0
        if choice == END:
            self._end_turn(TURN_ENDED, 1 - self.turn)
        elif choice < STANDARD:
            self._turn_over(choice)
        elif choice < BLIND:
            self._play_card(choice - STANDARD, self.turn)
        else:
            self._play_card(choice - BLIND, 1 - self.turn)

    def _turn_over(self, place: i64) -> None:
        entry = row_entry(self.row, place)
        hidden = face_of(self.deck, entry >> 1, entry & 1)
        if hidden < COLOURS:
            self.colours &= ~bit(hidden)
        self.row ^= bit(ROW_BITS * place)
        self.turned = True
        self._reveal(place, entry ^ 1)

    def _play_card(self, slot: i64, side: i64) -> None:
        """RB-8 Play a card to the right end of the row, with the face toward `side` up."""
        at = slot_shift(self.turn, slot)
        card = (self.hands >> at) & NO_CARD
        self.hands |= shift(NO_CARD, at)
        place = self.row_length
        self.row |= (card << 1 | side) << (ROW_BITS * place)
        self.row_length = place + 1
        self.played += 1
        self.turned = False
        self._reveal(place, card << 1 | side)
        if self.last_end == TURN_CONTINUES:
            # RB-16 The sixth card makes a RAINBOW if it does not lose.
            if self.row_length == RAINBOW:
                self._end_round(MADE_RAINBOW, self.turn, 1 - self.turn)
            # RB-12 The third card ends the turn.
            elif self.played == HAND_SIZE:
                self._end_turn(TURN_ENDED, 1 - self.turn)

    def _reveal(self, place: i64, entry: i64) -> None:
        """RB-13 Check the face that came up."""
        card = entry >> 1
        self.last_place = place
        if entry & 1:
            self.revealed_1 |= bit(card)
        else:
            self.revealed_0 |= bit(card)
        face = face_of(self.deck, card, entry & 1)
        if face < COLOURS:
            # RB-15 A colour already shown loses the round.
            if (self.colours >> face) & 1:
                self._end_round(LOST_TO_CLASH, 1 - self.turn, self.turn)
            else:
                self.colours |= bit(face)
        # RB-14 Shade loses the round.
        elif face == SHADE:
            self._end_round(LOST_TO_SHADE, 1 - self.turn, self.turn)

    def _end_round(self, end: i64, taker: i64, beginner: i64) -> None:
        """RB-17, RB-18 Give the row to `taker`, and let `beginner` start the next round."""
        won: i64 = 0
        for place in range(self.row_length):
            won |= bit(row_entry(self.row, place) >> 1)
        if taker == 0:
            self.pile_0 |= won
        else:
            self.pile_1 |= won
        self.last_row = self.row
        self.last_length = self.row_length
        self.row = 0
        self.row_length = 0
        self.colours = 0
        self.round += 1
        self._end_turn(end, beginner)

    def _end_turn(self, end: i64, next_seat: i64) -> None:
        self.last_end = end
        # RB-21 The game ends without drawing if the deck has fewer cards than the hand lacks.
        if self.deck_count() < self.played:
            self.over = True
        else:
            self._draw(self.turn)
        self.turn = next_seat
        self.played = 0
        self.turned = False

    def _draw(self, seat: i64) -> None:
        """RB-20 Fill a hand from its owner's end of the deck, the lowest empty slot first."""
        drawn: i64 = 0
        for slot in range(HAND_SIZE):
            at = slot_shift(seat, slot)
            if (self.hands >> at) & NO_CARD == NO_CARD:
                card = self.front if seat == 0 else self.back
                if seat == 0:
                    self.front += 1
                else:
                    self.back -= 1
                self.hands ^= (NO_CARD ^ card) << at
                drawn += 1
        self.last_drawn = drawn

    def deck_count(self) -> int:
        """RB-6 Return the number of cards in the deck."""
        return self.back - self.front + 1

    def known(self, seat: i64, side: i64) -> i64:
        """Return the cards whose face toward `side` a seat (or WATCHER) has seen, as bits."""
        seen = self.revealed_1 if side else self.revealed_0
        if seat == side:
            # RB-5 Every drawn card has shown each seat the face toward it.
            left = bit(self.back + 1) - bit(self.front)
            seen |= ALL_CARDS & ~left
            # RB-6 So has the next card at the seat's own end.
            if left:
                seen |= bit(self.back if side else self.front)
        return seen

    def scores(self) -> list[int]:
        return [bits.count(self.pile_0), bits.count(self.pile_1)]

    def outcome(self) -> Outcome | None:
        if not self.over:
            return None
        # RB-22 The bigger pile wins; equal piles are a draw.
        scores = self.scores()
        places = rank(scores)
        winners = [] if scores[0] == scores[1] else [places.index(1)]
        return Outcome("deck", winners, places)

    def copy(self) -> "RainbowPosition":
        copy = RainbowPosition(self.deck, self.first, self.memory_aid)
        copy.front = self.front
        copy.back = self.back
        copy.hands = self.hands
        copy.row = self.row
        copy.row_length = self.row_length
        copy.colours = self.colours
        copy.revealed_0 = self.revealed_0
        copy.revealed_1 = self.revealed_1
        copy.pile_0 = self.pile_0
        copy.pile_1 = self.pile_1
        copy.round = self.round
        copy.turn = self.turn
        copy.played = self.played
        copy.turned = self.turned
        copy.over = self.over
        copy.last_seat = self.last_seat
        copy.last_move = self.last_move
        copy.last_end = self.last_end
        copy.last_place = self.last_place
        copy.last_row = self.last_row
        copy.last_length = self.last_length
        copy.last_drawn = self.last_drawn
        return copy

    def resample(self, seat: int, rng: Rng) -> "RainbowPosition":
        copy = self.copy()
        copy.deck = fitting_deck(self.deck, self.known(seat, 0), self.known(seat, 1), rng)
        return copy

    def key(self) -> tuple[int, ...]:
        return (
            *self.deck,
            self.first,
            self.memory_aid,
            self.round,
            self.front,
            self.back,
            self.hands,
            self.row,
            self.row_length,
            self.revealed_0,
            self.revealed_1,
            self.pile_0,
            self.pile_1,
            self.turn,
            self.played,
            self.turned,
            self.over,
        )

    def all_pieces(self) -> list[int]:
        """Return the cards of deck, hands, row and piles by their faces, the lower face first."""
        cards = list(range(self.front, self.back + 1))
        for place in range(self.row_length):
            cards.append(row_entry(self.row, place) >> 1)
        for seat in range(2):
            for slot in range(HAND_SIZE):
                card = card_in(self.hands, seat, slot)
                if card != NO_CARD:
                    cards.append(card)
        cards += bits.members(self.pile_0) + bits.members(self.pile_1)
        pieces: list[int] = []
        for card in cards:
            one, other = face_of(self.deck, card, 0), face_of(self.deck, card, 1)
            pieces.append(min(one, other) * 16 + max(one, other))
        return pieces
