"""Rainbow Road's position: legal moves, and what each move does."""

from mypy_extensions import i64, mypyc_attr

from sevenhues.core import bits
from sevenhues.core.bits import bit, shift
from sevenhues.core.position import NOBODY, Outcome
from sevenhues.core.rng import Rng
from sevenhues.games.rainbow_road.belief import draw_cards, draw_pranks
from sevenhues.games.rainbow_road.board import FOLLOWING, LEADING, OVER, RAIN, STARTING_CARDS, SUNNY, RoadBoard
from sevenhues.games.rainbow_road.pieces import (
    ALL_PRANKS,
    ALL_SPOTS,
    BACK,
    BOTH_WAYS,
    EXCHANGE,
    EXCHANGING,
    GAIN_BITS,
    HALF,
    HALF_SPOTS,
    HOP,
    JUMP,
    JUMP_HOP,
    NO_CARD,
    NO_SPOT,
    RECYCLE,
    RECYCLING,
    RING,
    ROUNDS,
    SKIP,
    SKIP_HOP,
    STOP,
    TALLY_BITS,
    TELEPORT,
    TELEPORTING,
    TRASH,
    TRASHING,
    all_gains,
    gain_in,
    mask_seen_from,
    next_spot,
    number_at,
    numbers_in,
    one_of,
    pair_high,
    pair_number,
    seen_from,
    size,
)


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class RoadPosition(RoadBoard):
    """A position of Rainbow Road."""

    def to_act(self) -> list[int]:
        return [] if self.phase == OVER else [self.turn]

    def pick_seat(self, rng: Rng) -> int:
        if self.phase == OVER:
            return NOBODY
        return self.turn

    def legal(self, seat: int) -> list[int]:
        if self.phase == OVER or seat != self.turn:
            return []
        if self.phase < SUNNY:
            return bits.members(numbers_in(self.hand(self.turn)) * self.places(self.turn))
        moves: list[int] = []
        short = self._short_moves()
        while short:
            moves.append(bits.lowest(short))
            short &= short - 1
        choice: i64 = 0
        far = self._pairs() + self._recyclings()
        while choice < far:
            moves.append(self._far_move(choice))
            choice += 1
        return moves

    def pick(self, seat: int, rng: Rng) -> int:
        if self.phase < SUNNY:
            numbers = numbers_in(self.hand(self.turn))
            places = self.places(self.turn)
            choice = rng.below(bits.count(numbers) * bits.count(places))
            return bits.nth(numbers * places, choice)
        moves = self._short_moves()
        count = bits.count(moves)
        choice = rng.below(count + self._pairs() + self._recyclings())
        return bits.nth(moves, choice) if choice < count else self._far_move(choice - count)

    def places(self, seat: i64) -> i64:
        """Return the spots of its half to which a seat may play now, as five bits."""
        half: i64 = HALF * seat
        # RR-25 The spot of a trashed card comes first.
        if half <= self.owed < half + HALF:
            return bit(self.owed - half)
        # RR-8 Then empty spots; if there are none, spots without a fairy.
        empty = ~(self.filled >> half) & HALF_SPOTS
        if empty:
            return empty
        return ~(self.fairies() >> half) & HALF_SPOTS

    def usable(self) -> i64:
        """RR-20 Return the pranks that the mover may use now: those in hand, with the Rain Fairy, once a round."""
        if self.pranked or self.phase != RAIN:
            return 0
        return self.held(self.turn)

    def recyclable(self) -> i64:
        """RR-27 Return the marked spots without the Sunny Fairy, as bits."""
        return (bit(self.mark_0) | bit(self.mark_1)) & ~bit(self.sunny) & ALL_SPOTS

    def _short_moves(self) -> i64:
        """Return the moves of a fairy except exchanges and recyclings, as bits."""
        # RR-16 Stopping is always allowed. RR-15 The first hop decides the way.
        moves = bit(STOP)
        pranks = self.usable()
        way: i64 = 0
        while way <= BACK:
            if (self.ways >> way) & 1:
                if self.may_hop(way):
                    moves |= bit(HOP + way)
                # RR-22, RR-23, RR-24 A jump or a skip, at any hop, but not onto the Sunny Fairy's card.
                if pranks & JUMP and self.ahead(way) != self.sunny:
                    moves |= bit(JUMP_HOP + way)
                if pranks & SKIP and next_spot(self.numbers, self.ahead(way), way) != self.sunny:
                    moves |= bit(SKIP_HOP + way)
            way += 1
        if not self.hopped:
            # RR-25 Trash a card without a fairy.
            if pranks & TRASH:
                moves |= mask_seen_from(self.turn, self.free_spots()) << TRASHING
            # RR-26 Teleport to another card, but not to the Sunny Fairy's.
            if pranks & TELEPORT:
                moves |= mask_seen_from(self.turn, self.free_spots()) << TELEPORTING
        return moves

    def _pairs(self) -> i64:
        """RR-21 Return the number of pairs that may be exchanged: of cards without a fairy."""
        if self.hopped or not self.usable() & EXCHANGE:
            return 0
        count = bits.count(self.free_spots())
        return count * (count - 1) // 2

    def _recyclings(self) -> i64:
        """RR-27 Return the number of recyclings: of a number in the discard pile to a marked spot."""
        if self.hopped or not self.usable() & RECYCLE:
            return 0
        return bits.count(numbers_in(self.discards)) * bits.count(self.recyclable())

    def _far_move(self, choice: i64) -> i64:
        """Return the exchange of this index or, after all exchanges, a recycling."""
        pairs = self._pairs()
        if choice < pairs:
            free = mask_seen_from(self.turn, self.free_spots())
            high = pair_high(choice)
            return EXCHANGING + pair_number(bits.nth(free, choice - pair_number(0, high)), bits.nth(free, high))
        marked = mask_seen_from(self.turn, self.recyclable())
        spots = bits.count(marked)
        choice -= pairs
        number = bits.nth(numbers_in(self.discards), choice // spots) // TALLY_BITS
        return RECYCLING + RING * number + bits.nth(marked, choice % spots)

    def climbing(self) -> bool:
        """RR-13 Tell whether the moving fairy climbs: Sunny in sunny rounds (even, from 0), Rain in rainy rounds."""
        return (self.phase == SUNNY) == (self.round & 1 == 0)

    def standing(self) -> i64:
        """Return the spot of the moving fairy."""
        return self.sunny if self.phase == SUNNY else self.rain

    def ahead(self, way: i64) -> i64:
        """Return the spot of the next card on a way of the moving fairy."""
        return next_spot(self.numbers, self.standing(), way)

    def may_hop(self, way: i64) -> bool:
        """Tell whether the moving fairy may make a plain hop."""
        spot = self.ahead(way)
        if self.phase == RAIN:
            # RR-18 The Sunny Fairy blocks the Rain Fairy.
            if spot == self.sunny:
                return False
        # RR-30 With the option, a leap may go over any number.
        elif self.free_leap and spot == self.rain:
            return True
        # RR-13, RR-16 Each card is equal or higher, or equal or lower. RR-17 So is a card that is leapt over.
        return self.follows(spot)

    def follows(self, spot: i64) -> bool:
        """RR-13 Tell whether the card on a spot is in order after the moving fairy's card."""
        here = number_at(self.numbers, self.standing())
        there = number_at(self.numbers, spot)
        return there >= here if self.climbing() else there <= here

    def play(self, seat: int, move: int) -> None:
        choice: i64 = move
        self.last_seat = self.turn
        self.last_move = choice
        self.last_phase = self.phase
        self.last_from = NO_SPOT
        self.last_points = 0
        self.last_out = NO_CARD
        if choice < STOP:
            self._play_card(choice)
        elif choice == STOP:
            self._end_move()
        elif choice < JUMP_HOP:
            self._hop(choice - HOP)
        else:
            self._use_prank(choice)

    def _play_card(self, choice: i64) -> None:
        """RR-7 Play a card to the seat's half and mark it. RR-8 A card that lay there is discarded."""
        seat = self.turn
        number: i64 = choice // HALF + 1
        spot: i64 = choice % HALF + HALF * seat
        self.discard(spot)
        self.put(spot, number, STARTING_CARDS + 1 + 2 * self.round + self.phase)
        if spot == self.owed:
            self.owed = NO_SPOT
        if seat:
            self.hand_1 -= one_of(number)
            self.mark_1 = spot
        else:
            self.hand_0 -= one_of(number)
            self.mark_0 = spot
        if self.phase == LEADING:
            self.phase = FOLLOWING
            self.turn = 1 - seat
        else:
            self._begin_move(SUNNY, self.sunny_mover(number))

    def sunny_mover(self, number: i64) -> i64:
        """RR-9 Return the seat that moves the Sunny Fairy if the following seat plays this number."""
        starter = 1 - self.turn
        led = number_at(self.numbers, self.mark_1 if starter else self.mark_0)
        higher = self.turn if number > led else starter
        # With equal numbers the starting seat moves Sunny, in any weather.
        return starter if number == led else higher if self.round & 1 == 0 else 1 - higher

    def _begin_move(self, phase: i64, seat: i64) -> None:
        """RR-10 Begin the move of a fairy by a seat."""
        self.phase = phase
        self.turn = seat
        self.ways = BOTH_WAYS
        if self.clockwise:
            self.ways = bit(BACK)
        self.hopped = False
        self.origin = self.standing()

    def _end_move(self) -> None:
        if self.phase == SUNNY:
            self._begin_move(RAIN, 1 - self.turn)
            return
        # RR-11 The weather changes with the round, the markers are removed, and the Sunny Fairy's mover starts.
        self.round += 1
        self.mark_0 = NO_SPOT
        self.mark_1 = NO_SPOT
        self.pranked = False
        self.ways = 0
        self.hopped = False
        self.origin = NO_SPOT
        self.turn = 1 - self.turn
        self.phase = OVER if self.round == ROUNDS else LEADING

    def _hop(self, way: i64) -> None:
        spot = self.ahead(way)
        points: i64 = 1
        # RR-17 The Sunny Fairy leaps over the Rain Fairy's card; both cards count.
        if self.phase == SUNNY and spot == self.rain:
            spot = next_spot(self.numbers, spot, way)
            points = 2
        self._arrive(spot, way, points)

    def _arrive(self, spot: i64, way: i64, points: i64) -> None:
        """RR-10 Move the fairy to a spot and score. RR-15 The way is decided now."""
        self.last_from = self.standing()
        self.last_points = points
        if self.phase == SUNNY:
            self.sunny = spot
        else:
            self.rain = spot
        if self.turn:
            self.gains_1 += shift(points, GAIN_BITS * self.round)
        else:
            self.gains_0 += shift(points, GAIN_BITS * self.round)
        self.ways = bit(way)
        self.hopped = True
        # RR-19 The move ends when the fairy is back on the card where it began.
        if spot == self.origin:
            self._end_move()

    def _use_prank(self, choice: i64) -> None:
        """RR-20 Use a prank: one a round, and each prank once."""
        prank: i64 = 0
        self.pranked = True
        if choice < SKIP_HOP:
            prank = JUMP
            self._arrive(self.ahead(choice - JUMP_HOP), choice - JUMP_HOP, 1)
        elif choice < TRASHING:
            # RR-23 The card passed over does not score.
            prank = SKIP
            way = choice - SKIP_HOP
            self._arrive(next_spot(self.numbers, self.ahead(way), way), way, 1)
        elif choice < TELEPORTING:
            prank = TRASH
            self._trash(seen_from(self.turn, choice - TRASHING))
        elif choice < EXCHANGING:
            # RR-26 The move begins at the new spot of the Rain Fairy.
            prank = TELEPORT
            self.last_from = self.rain
            self.rain = self.origin = seen_from(self.turn, choice - TELEPORTING)
        elif choice < RECYCLING:
            prank = EXCHANGE
            self._exchange(choice - EXCHANGING)
        else:
            prank = RECYCLE
            self._recycle((choice - RECYCLING) // RING + 1, seen_from(self.turn, (choice - RECYCLING) % RING))
        if self.last_seat:
            self.held_1 &= ~prank
        else:
            self.held_0 &= ~prank

    def _trash(self, spot: i64) -> None:
        """RR-25 Discard a card and its marker; the next card of that half must fill the spot."""
        self.discard(spot)
        self.owed = spot
        if self.mark_0 == spot:
            self.mark_0 = NO_SPOT
        if self.mark_1 == spot:
            self.mark_1 = NO_SPOT

    def _exchange(self, pair: i64) -> None:
        """RR-21 Swap two cards; a marker stays with its card."""
        high = pair_high(pair)
        self.swap(seen_from(self.turn, pair - pair_number(0, high)), seen_from(self.turn, high))

    def _recycle(self, number: i64, spot: i64) -> None:
        """RR-27 Replace a card by one from the discard pile; the marker stays on the spot."""
        card = self.take_back(number)
        self.discard(spot)
        self.put(spot, number, card)

    def outcome(self) -> Outcome | None:
        if self.phase != OVER:
            return None
        winner = 0 if self.leads()[self.decider()] > 0 else 1
        return Outcome("rounds", [winner], [1, 2] if winner == 0 else [2, 1])

    def leads(self) -> list[int]:
        """RR-12 Return the lead of seat 0 in points and in the last round, then 1 if it moved Sunny in it, else -1."""
        points = all_gains(self.gains_0) - all_gains(self.gains_1)
        last_round = gain_in(self.gains_0, ROUNDS - 1) - gain_in(self.gains_1, ROUNDS - 1)
        return [points, last_round, 1 - 2 * self.turn]  # when the game is over, `turn` would start the next round

    def decider(self) -> int:
        """RR-12 Return the index of the lead that decides the game: the first that is not 0."""
        leads = self.leads()
        return 0 if leads[0] else 1 if leads[1] else 2

    def copy(self) -> "RoadPosition":
        copy = RoadPosition(self.clockwise, self.free_leap)
        copy.copy_from(self)
        return copy

    def resample(self, seat: int, rng: Rng) -> "RoadPosition":
        # Hidden are the card and the two pranks in the box, and the cards and pranks of other seats.
        cards = self.box_card() + (0 if seat == 0 else self.hand_0) + (0 if seat == 1 else self.hand_1)
        pranks: i64 = ALL_PRANKS & ~(self.dealt_pranks_0 | self.dealt_pranks_1)
        copy = self.copy()
        cards -= draw_cards(cards, 1, rng)
        if seat != 0:
            copy.hand_0 = cards if seat == 1 else draw_cards(cards, size(self.hand_0), rng)
            cards -= copy.hand_0
            pranks |= self.held_0
        if seat != 1:
            copy.hand_1 = cards
            pranks |= self.held_1
        if seat != 0:
            copy.held_0 = draw_pranks(pranks, bits.count(self.held_0), rng)
            pranks &= ~copy.held_0
        if seat != 1:
            copy.held_1 = draw_pranks(pranks, bits.count(self.held_1), rng)
        # Played cards and used pranks were dealt to the seat that played them.
        copy.dealt_0 += copy.hand_0 - self.hand_0
        copy.dealt_1 += copy.hand_1 - self.hand_1
        copy.dealt_pranks_0 ^= copy.held_0 ^ self.held_0
        copy.dealt_pranks_1 ^= copy.held_1 ^ self.held_1
        return copy
