"""Rainbow Road for many games at once, in JAX: a twin of `rules`, which stays the law.

Every field of a state is an array with one number per game, and every function works number by number, without
branches, so that one kernel plays a move in all games. A *tally* has two bits to a number here, roads are as in
`pieces`, and what both seats have lies in one number, seat 1 above seat 0.
"""

from typing import NamedTuple

import jax.numpy as jnp
from jax import Array, lax

from sevenhues.games.rainbow_road.pieces import (
    COPIES,
    EXCHANGING,
    FIRST_OPEN,
    HALF,
    HAND,
    HOP,
    JUMP_HOP,
    MOVE_COUNT,
    NO_SPOT,
    NUMBER_BITS,
    NUMBERS,
    OPEN,
    PRANKS,
    PRANKS_EACH,
    RECYCLING,
    RING,
    ROUNDS,
    SECOND_OPEN,
    SKIP_HOP,
    STOP,
    TELEPORTING,
    TRASHING,
    count_of,
    gain_in,
)
from sevenhues.games.rainbow_road.road import FOLLOWING, LEADING, OVER, RAIN, SUNNY
from sevenhues.games.rainbow_road.rules import RoadPosition

TALLY = 2 * NUMBERS  # bits of a tally
TALLY_MASK = (1 << TALLY) - 1
ONE_OF_EACH = 0x1555
SPOT_BITS = 4
HELD_MASK = (1 << len(PRANKS)) - 1
POINT_BITS = 8
POINT_MASK = 255
ALL_SPOTS = (1 << RING) - 1
HALF_SPOTS = (1 << HALF) - 1

# Moves of a fairy but exchanges and recyclings, as bits from STOP on.
HOP_BIT = 1 << (HOP - STOP)
JUMP_BIT = 1 << (JUMP_HOP - STOP)
SKIP_BIT = 1 << (SKIP_HOP - STOP)
SHORT_MOVES = EXCHANGING - STOP

CARDS = NUMBERS * COPIES
WORDS = CARDS + len(PRANKS) + 1  # random words for a deal


class State(NamedTuple):
    """Everything true of many games; the fields are those of `rules` and `road`, packed."""

    road: Array
    filled: Array
    hands: Array
    held: Array
    discards: Array
    sunny: Array
    rain: Array
    marks: Array
    owed: Array
    round: Array
    phase: Array
    turn: Array
    ways: Array
    hopped: Array
    origin: Array
    pranked: Array
    scores: Array  # eight bits a seat, like those of this round
    gains: Array
    dealt: Array  # what seats recall of the deal
    given: Array
    opened: Array
    first: Array


class Walk(NamedTuple):
    """What the seat to act may do: a card is played, or a fairy moves."""

    plays: Array  # numbers that may be played, as a tally of at most one each; 0 while a fairy moves
    places: Array  # and where, as five bits
    short: Array  # moves from STOP on, as bits
    free: Array  # RR-21 spots whose cards may be exchanged, as the mover counts them; 0 if none may
    renewing: Array  # RR-27 numbers that may come back from the discards, as a tally of at most one each; 0 if none may
    marked: Array  # and the spots to which, as the mover counts them


class Rules(NamedTuple):
    """The options."""

    clockwise: bool = False
    free_leap: bool = False

    def deal(self, words: Array) -> State:
        """RR-1 to RR-6 Deal by random words, WORDS a game along the last axis."""
        cards = ranks(words[..., :CARDS])
        ones = jnp.asarray([1 << 2 * (card // COPIES) for card in range(CARDS)], jnp.int32)
        numbers = jnp.asarray([card // COPIES + 1 for card in range(CARDS)], jnp.int32)

        def tally(low: int, high: int) -> Array:
            return jnp.sum(jnp.where((cards >= low) & (cards < high), ones, 0), axis=-1)

        def number(rank: int) -> Array:
            return jnp.sum(jnp.where(cards == rank, numbers, 0), axis=-1)

        pranks = ranks(words[..., CARDS:-1])
        bits = jnp.asarray([1 << prank for prank in range(len(PRANKS))], jnp.int32)

        def few(low: int) -> Array:
            return jnp.sum(jnp.where((pranks >= low) & (pranks < low + PRANKS_EACH), bits, 0), axis=-1)

        field = [number(2 * HAND + i) for i in range(2 * OPEN)]
        hands = tally(0, HAND) | tally(HAND, 2 * HAND) << TALLY
        held = few(0) | few(PRANKS_EACH) << len(PRANKS)
        return self.laid_out(hands, field, held, (words[..., -1] & 1).astype(jnp.int32))

    def laid_out(self, hands: Array, field: list[Array], held: Array, first: Array) -> State:
        """RR-2, RR-4 Lay a deal out."""
        spots = [HALF * (i // OPEN) + (SECOND_OPEN if i % OPEN else FIRST_OPEN) for i in range(2 * OPEN)]
        road = sum([number << (NUMBER_BITS * spot) for number, spot in zip(field, spots, strict=True)], hands * 0)
        low_left = jnp.where(first == 0, field[0] < field[1], field[2] < field[3])
        high_left = jnp.where(first == 0, field[2] > field[3], field[0] > field[1])
        none = hands * 0
        return State(
            road=road,
            filled=none + sum([1 << spot for spot in spots]),
            hands=hands,
            held=held,
            discards=none,
            sunny=HALF * first + jnp.where(low_left, FIRST_OPEN, SECOND_OPEN),
            rain=HALF * (1 - first) + jnp.where(high_left, FIRST_OPEN, SECOND_OPEN),
            marks=none + both(NO_SPOT),
            owed=none + NO_SPOT,
            round=none,
            phase=none + LEADING,
            turn=first,
            ways=none,
            hopped=none,
            origin=none + NO_SPOT,
            pranked=none,
            scores=none,
            gains=none,
            dealt=hands,
            given=held,
            opened=road,
            first=first,
        )

    def moves(self, state: State) -> Walk:
        """Tell what the seat to act may do."""
        seat, phase = state.turn, state.phase
        playing, raining = phase < SUNNY, phase == RAIN
        fairies = bit(state.sunny) | bit(state.rain)
        # RR-25 The spot that a trashed card left comes first. RR-8 Then empty ones; with none, any without a fairy.
        mine = seen_from(seat, state.owed)
        empty = ~seen_mask(seat, state.filled) & HALF_SPOTS
        places = jnp.where(empty == 0, ~seen_mask(seat, fairies) & HALF_SPOTS, empty)
        places = jnp.where((state.owed != NO_SPOT) & (mine < HALF), bit(mine), places)
        # RR-20 One prank a round, for the Rain Fairy.
        pranks = jnp.where(raining & (state.pranked == 0), (state.held >> (len(PRANKS) * seat)) & HELD_MASK, 0)
        at = jnp.where(raining, state.rain, state.sunny)
        here = number_at(state.road, at)
        climbing = (phase == SUNNY) == (state.round & 1 == 0)
        short = at * 0 + 1  # RR-16
        for way in range(2):
            near = ahead(state.filled, at, way)
            far = ahead(state.filled, near, way)
            there = number_at(state.road, near)
            # RR-13 Each card equal or higher, or equal or lower. RR-18 Sunny blocks Rain. RR-30 A leap over anything.
            may = jnp.where(climbing, there >= here, there <= here) & ~(raining & (near == state.sunny))
            if self.free_leap:
                may |= ~raining & (near == state.rain)
            # RR-22, RR-23 A jump or a skip, but not onto the Sunny Fairy's card.
            hops = jnp.where(may, HOP_BIT, 0)
            hops |= jnp.where((pranks & 2 != 0) & (near != state.sunny), JUMP_BIT, 0)
            hops |= jnp.where((pranks & 4 != 0) & (far != state.sunny), SKIP_BIT, 0)
            short |= jnp.where(state.ways & (way + 1) != 0, hops << way, 0)
        still = jnp.where(state.hopped == 0, pranks, 0)
        free = seen_mask(seat, state.filled & ~fairies)
        # RR-25, RR-26 Trash a card without a fairy, or teleport to one.
        short |= jnp.where(still & 8 != 0, free << (TRASHING - STOP), 0)
        short |= jnp.where(still & 16 != 0, free << (TELEPORTING - STOP), 0)
        marks = (bit(state.marks & 15) | bit(state.marks >> SPOT_BITS)) & ~bit(state.sunny) & ALL_SPOTS
        on = phase != OVER
        return Walk(
            plays=jnp.where(playing, numbers_in((state.hands >> (TALLY * seat)) & TALLY_MASK), 0),
            places=places,
            short=jnp.where(on & ~playing, short, 0),
            free=jnp.where(still & 1 != 0, free, 0),
            renewing=jnp.where(still & 32 != 0, numbers_in(state.discards), 0),
            marked=seen_mask(seat, marks),
        )

    def legal(self, state: State) -> Array:
        """Tell of every move whether the seat to act may make it: a mask, along a last axis."""
        may = Walk(*[part[..., None] for part in self.moves(state)])
        play = jnp.arange(STOP)
        short = jnp.arange(SHORT_MOVES)
        pairs = [(low, high) for high in range(1, RING) for low in range(high)]
        low, high = jnp.asarray([pair[0] for pair in pairs]), jnp.asarray([pair[1] for pair in pairs])
        recycled = jnp.arange(MOVE_COUNT - RECYCLING)
        parts = [
            (may.plays >> (2 * (play // HALF))) & (may.places >> (play % HALF)),
            may.short >> short,
            (may.free >> low) & (may.free >> high),
            (may.renewing >> (2 * (recycled // RING))) & (may.marked >> (recycled % RING)),
        ]
        return (jnp.concatenate(parts, axis=-1) & 1).astype(bool)

    def pick(self, state: State, words: Array) -> Array:
        """Choose among the legal moves by a random word a game, all equally likely."""
        may = self.moves(state)
        playing = state.phase < SUNNY
        numbers, spots = count(may.plays), count(may.places)
        short, free = count(may.short), count(may.free)
        marked = count(may.marked)
        pairs = free * (free - 1) // 2
        total = jnp.where(playing, numbers * spots, short + pairs + count(may.renewing) * marked)
        choice = below(words, total)
        pair = choice - short
        recycling = pair - pairs
        is_short = ~playing & (pair < 0)
        is_pair = ~playing & (pair >= 0) & (recycling < 0)
        upper = higher(pair)
        # One mask and one place in it for the first half of a move, and likewise for the second.
        each = jnp.maximum(jnp.where(playing, spots, marked), 1)
        rest = jnp.where(playing, choice, recycling)
        first = nth(
            jnp.where(playing, may.plays, jnp.where(is_short, may.short, jnp.where(is_pair, may.free, may.renewing))),
            jnp.where(is_short, choice, jnp.where(is_pair, upper, rest // each)),
        )
        second = nth(
            jnp.where(playing, may.places, jnp.where(is_pair, may.free, may.marked)),
            jnp.where(is_pair, pair - upper * (upper - 1) // 2, rest % each),
        )
        exchange = EXCHANGING + first * (first - 1) // 2 + second
        recycle = RECYCLING + RING * (first >> 1) + second
        put = jnp.where(playing, HALF * (first >> 1) + second, jnp.where(is_pair, exchange, recycle))
        return jnp.where(is_short, STOP + first, put)

    def step(self, state: State, move: Array) -> State:
        """Make a legal move in each game."""
        seat, phase = state.turn, state.phase
        plays, stops = move < STOP, move == STOP
        arrives = (move >= HOP) & (move < TRASHING)
        jumps, skips = (move >= JUMP_HOP) & (move < SKIP_HOP), (move >= SKIP_HOP) & (move < TRASHING)
        trashes = (move >= TRASHING) & (move < TELEPORTING)
        teleports = (move >= TELEPORTING) & (move < EXCHANGING)
        exchanges = (move >= EXCHANGING) & (move < RECYCLING)
        recycles = move >= RECYCLING

        # Cards: what comes to one spot, and with an exchange to another.
        pair = move - EXCHANGING
        high = higher(pair)
        low = pair - high * (high - 1) // 2
        spot = jnp.where(plays, move % HALF, jnp.where(trashes, move - TRASHING, (move - RECYCLING) % RING))
        spot = seen_from(seat, jnp.where(exchanges, low, jnp.where(teleports, move - TELEPORTING, spot)))
        other = seen_from(seat, high)
        laid = jnp.where(plays, move // HALF + 1, jnp.where(trashes, 0, (move - RECYCLING) // RING + 1))
        was = number_at(state.road, spot)
        swap = jnp.where(exchanges, was ^ number_at(state.road, other), 0)
        discards = plays | trashes | recycles
        change = jnp.where(discards, was ^ laid, swap)
        road = state.road ^ (change << (NUMBER_BITS * spot)) ^ (swap << (NUMBER_BITS * other))
        filled = jnp.where(plays, state.filled | bit(spot), state.filled & ~jnp.where(trashes, bit(spot), 0))
        one = bit(2 * laid) >> 2
        gone = jnp.where(discards, bit(2 * was) >> 2, 0) - jnp.where(recycles, one, 0)
        # RR-25 The owner of that half fills the spot next.
        owed = jnp.where(trashes, spot, jnp.where(plays & (spot == state.owed), NO_SPOT, state.owed))

        # Markers: RR-7 on the card played; RR-21 they go with their cards; RR-25 they go away with a trashed one.
        marks = []
        for owner in range(2):
            mark = (state.marks >> (SPOT_BITS * owner)) & 15
            gets = plays & (seat == owner)
            moved = jnp.where(exchanges & (mark == spot), other, jnp.where(exchanges & (mark == other), spot, mark))
            marks.append(jnp.where(gets, spot, jnp.where(trashes & (mark == spot), NO_SPOT, moved)))

        # Fairies: RR-10 score with every hop; RR-17 Sunny leaps over Rain.
        sunning = phase == SUNNY
        way = (move - HOP) & 1
        at = jnp.where(sunning, state.sunny, state.rain)
        near = jnp.where(way == 0, ahead(state.filled, at, 0), ahead(state.filled, at, 1))
        far = jnp.where(way == 0, ahead(state.filled, near, 0), ahead(state.filled, near, 1))
        leaps = sunning & (near == state.rain)
        target = jnp.where(skips | (leaps & ~jumps), far, near)
        sunny = jnp.where(arrives & sunning, target, state.sunny)
        rain = jnp.where(arrives & ~sunning, target, jnp.where(teleports, spot, state.rain))
        points = jnp.where(arrives, jnp.where(leaps, 2, 1), 0) << (POINT_BITS * seat)
        # RR-19 Back on the card where the move began, it ends.
        ends = stops | (arrives & (target == state.origin))

        # RR-20 A prank is put away.
        prank = jnp.where(jumps, 2, jnp.where(skips, 4, jnp.where(trashes, 8, jnp.where(teleports, 16, 0))))
        prank |= jnp.where(exchanges, 1, jnp.where(recycles, 32, 0))

        # What comes next: RR-7 the other plays, RR-10 Sunny moves, then Rain, RR-11 then a new round.
        leads, follows = plays & (phase == LEADING), plays & (phase == FOLLOWING)
        led = number_at(state.road, (state.marks >> (SPOT_BITS * (1 - seat))) & 15)
        # RR-9 Equal numbers: the one who started this round moves Sunny, whatever the weather.
        mine = (laid != led) & ((laid > led) == (state.round & 1 == 0))
        begins_rain, closes = ends & sunning, ends & (phase == RAIN)
        begins = follows | begins_rain
        round_ = state.round + closes
        over = closes & (round_ == ROUNDS)
        ways = jnp.where(arrives, way + 1, state.ways)
        return State(
            road=road,
            filled=filled,
            hands=state.hands - (jnp.where(plays, one, 0) << (TALLY * seat)),
            held=state.held & ~(prank << (len(PRANKS) * seat)),
            discards=state.discards + gone,
            sunny=sunny,
            rain=rain,
            marks=jnp.where(closes, both(NO_SPOT), marks[0] | marks[1] << SPOT_BITS),
            owed=owed,
            round=round_,
            phase=jnp.where(closes & ~over, LEADING, phase + (leads | begins | closes)),
            turn=jnp.where(leads | ends | (follows & ~mine), 1 - seat, seat),
            ways=jnp.where(begins, 2 if self.clockwise else 3, jnp.where(closes, 0, ways)),
            hopped=jnp.where(begins | closes, 0, state.hopped | arrives),
            origin=jnp.where(
                closes,
                NO_SPOT,
                jnp.where(follows, sunny, jnp.where(begins_rain | teleports, rain, state.origin)),
            ),
            pranked=jnp.where(closes, 0, state.pranked | (prank != 0)),
            scores=state.scores + points,
            gains=jnp.where(closes & ~over, 0, state.gains + points),
            dealt=state.dealt,
            given=state.given,
            opened=state.opened,
            first=state.first,
        )

    def observe(self, state: State, seat: Array) -> Array:
        """Number what a seat knows: features and then what it recalls, along a last axis."""
        me, other = seat, 1 - seat
        hand = (state.hands >> (TALLY * me)) & TALLY_MASK
        held = (state.held >> (len(PRANKS) * me)) & HELD_MASK
        theirs = (state.held >> (len(PRANKS) * other)) & HELD_MASK
        used = state.given & ~state.held
        mine_used = (used >> (len(PRANKS) * me)) & HELD_MASK
        theirs_used = (used >> (len(PRANKS) * other)) & HELD_MASK
        spots = [state.sunny, state.rain, *[(state.marks >> (SPOT_BITS * who)) & 15 for who in (me, other)]]
        spots += [state.owed, state.origin]
        numbers = [
            ((state.phase != OVER) & (state.turn == me)).astype(jnp.int32),
            state.phase,
            state.round,
            *[number_at(state.road, seen_from(me, spot)) for spot in range(RING)],
            *[jnp.where(spot == NO_SPOT, NO_SPOT, seen_from(me, spot)) for spot in spots],
            state.ways,
            state.hopped,
            state.pranked,
            *tallied(hand),
            size(hand),
            size((state.hands >> (TALLY * other)) & TALLY_MASK),
            *flags(held),
            *[one + 2 * two for one, two in zip(flags(mine_used), flags(theirs_used), strict=True)],
            count(held),
            count(theirs),
            *tallied(state.discards),
            *[(points >> (POINT_BITS * who)) & POINT_MASK for points in (state.scores, state.gains) for who in (me, other)],
            state.phase * 0 + self.clockwise,
            state.phase * 0 + self.free_leap,
            (state.first == me).astype(jnp.int32),
            *tallied((state.dealt >> (TALLY * me)) & TALLY_MASK),
            *flags((state.given >> (len(PRANKS) * me)) & HELD_MASK),
            *[number_at(state.opened, seen_from(me, spot)) for spot in range(RING)],
        ]
        return jnp.stack(numbers, axis=-1)

    def winner(self, state: State) -> Array:
        """RR-12 Tell who has won a game that is over: the most points, then in the last round, then who moved Sunny."""
        lead = [(points & POINT_MASK) - (points >> POINT_BITS) for points in (state.scores, state.gains)]
        leads = jnp.where(lead[0] == 0, lead[1], lead[0])
        return jnp.where(leads == 0, state.turn, (leads < 0).astype(jnp.int32))


def row(position: RoadPosition) -> dict[str, int]:
    """Write a position as the state of one game."""
    return {
        "road": position.numbers,
        "filled": position.filled,
        "hands": _packed(position.hand_0) | _packed(position.hand_1) << TALLY,
        "held": position.held_0 | position.held_1 << len(PRANKS),
        "discards": _packed(position.discards),
        "sunny": position.sunny,
        "rain": position.rain,
        "marks": position.mark_0 | position.mark_1 << SPOT_BITS,
        "owed": position.owed,
        "round": position.round,
        "phase": position.phase,
        "turn": position.turn,
        "ways": position.ways,
        "hopped": int(position.hopped),
        "origin": position.origin,
        "pranked": int(position.pranked),
        "scores": position.scores()[0] | position.scores()[1] << POINT_BITS,
        "gains": _gain(position.gains_0, position) | _gain(position.gains_1, position) << POINT_BITS,
        "dealt": _packed(position.dealt_0) | _packed(position.dealt_1) << TALLY,
        "given": position.given_0 | position.given_1 << len(PRANKS),
        "opened": position.opened,
        "first": position.first,
    }


def _packed(tally: int) -> int:
    return sum([count_of(tally, number) << 2 * (number - 1) for number in range(1, NUMBERS + 1)])


def _gain(gains: int, position: RoadPosition) -> int:
    return gain_in(gains, min(position.round, ROUNDS - 1))


def both(spot: int) -> int:
    """Mark one spot for both seats."""
    return spot | spot << SPOT_BITS


def bit(at: Array) -> Array:
    """Return the number with this one bit."""
    return jnp.left_shift(jnp.int32(1), at)


def count(bits: Array) -> Array:
    """Count the bits of a set."""
    return lax.population_count(bits)


def nth(bits: Array, at: Array) -> Array:
    """Return the member of a set that has so many smaller ones."""
    found = bits * 0
    for width in (16, 8, 4, 2, 1):
        below_it = count(bits & ((1 << width) - 1))
        past = at >= below_it
        at = at - jnp.where(past, below_it, 0)
        bits = jnp.where(past, bits >> width, bits)
        found += jnp.where(past, width, 0)
    return found


def below(words: Array, limit: Array) -> Array:
    """Scale random words of 32 bits to numbers below limits of at most 255."""
    return (((words >> 8) * limit.astype(jnp.uint32)) >> 24).astype(jnp.int32)


def ranks(words: Array) -> Array:
    """Rank random words along the last axis: a shuffle."""
    many = words.shape[-1]
    keys = (words & ~jnp.uint32(31)) | jnp.arange(many, dtype=jnp.uint32)
    return jnp.sum(keys[..., None, :] < keys[..., :, None], axis=-1, dtype=jnp.int32)


def number_at(road: Array, spot: Array) -> Array:
    return (road >> (NUMBER_BITS * spot)) & 7


def ahead(filled: Array, spot: Array, way: int) -> Array:
    """RR-14 Return the next spot with a card on a way round."""
    twice = filled | filled << RING
    if way:
        found = 31 - lax.clz(twice & (bit(spot + RING) - 1))
    else:
        rest = twice >> (spot + 1)
        found = spot + 1 + count((rest & -rest) - 1)
    return jnp.where(found >= RING, found - RING, found)


def seen_from(seat: Array, spot: Array | int) -> Array:
    """Count a spot from a seat's own first one; the same the other way round."""
    turned = spot + HALF * seat
    return jnp.where(turned >= RING, turned - RING, turned)


def seen_mask(seat: Array, spots: Array) -> Array:
    """Count a set of spots from a seat's own first one."""
    turned = (spots >> HALF | spots << HALF) & ALL_SPOTS
    return jnp.where(seat == 0, spots, turned)


def higher(pair: Array) -> Array:
    """Return the higher spot of a pair, or its place among those that are free."""
    return sum([(pair >= spot * (spot - 1) // 2).astype(jnp.int32) for spot in range(2, RING)], jnp.ones_like(pair))


def numbers_in(tally: Array) -> Array:
    return (tally | tally >> 1) & ONE_OF_EACH


def size(tally: Array) -> Array:
    """Count the cards of a tally."""
    return count(tally & ONE_OF_EACH) + 2 * count(tally & ~ONE_OF_EACH)


def tallied(tally: Array) -> list[Array]:
    return [(tally >> 2 * number) & 3 for number in range(NUMBERS)]


def flags(pranks: Array) -> list[Array]:
    return [(pranks >> prank) & 1 for prank in range(len(PRANKS))]
