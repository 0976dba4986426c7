"""Rainbow Road for many games at once, in JAX: a twin of `rules`, which stays the law.

Every rule works on numbers, one a game, without branches, so that one kernel makes a move in all games.
"""

from typing import NamedTuple

import jax.numpy as jnp
from jax import Array, lax

from sevenhues.batch import jax_bits
from sevenhues.batch.contract import BatchGame
from sevenhues.batch.jax_bits import U32
from sevenhues.core.game import Setup
from sevenhues.core.options import Options
from sevenhues.games.rainbow_road.batch.board import (
    ALL_SPOTS,
    GAIN_BITS,
    HALF_SPOTS,
    HELD_MASK,
    I32,
    POINT_BITS,
    PRANK_BITS,
    SPOT_BITS,
    TALLY,
    TALLY_MASK,
    States,
    Table,
    ahead,
    bit,
    both,
    count,
    flags,
    higher,
    nth,
    number_at,
    numbers_in,
    packed,
    seen_from,
    seen_mask,
    size,
    tallied,
    unpacked,
)
from sevenhues.games.rainbow_road.batch.deal import OPEN_SPOTS, dealt
from sevenhues.games.rainbow_road.board import FOLLOWING, LEADING, OVER, RAIN, SUNNY
from sevenhues.games.rainbow_road.pieces import (
    EXCHANGING,
    HALF,
    HOP,
    JUMP_HOP,
    MOVE_COUNT,
    NO_SPOT,
    NUMBER_BITS,
    NUMBERS,
    OPEN,
    PRANKS,
    RECYCLING,
    RING,
    ROUNDS,
    SKIP_HOP,
    STOP,
    TELEPORTING,
    TRASHING,
)
from sevenhues.games.rainbow_road.view import LAYOUT

# Moves of a fairy but exchanges and recyclings, as bits from STOP on.
HOP_BIT = 1 << (HOP - STOP)
JUMP_BIT = 1 << (JUMP_HOP - STOP)
SKIP_BIT = 1 << (SKIP_HOP - STOP)
SHORT_MOVES = EXCHANGING - STOP


class May(NamedTuple):
    """What the seat to act may do: a card is played, or a fairy moves."""

    plays: Array  # numbers that may be played, as a tally of at most one each; 0 while a fairy moves
    places: Array  # and where, as five bits
    short: Array  # moves from STOP on, as bits
    free: Array  # RR-21 spots whose cards may be exchanged, as the mover counts them; 0 if none may
    renewing: Array  # RR-27 numbers that may come back from the discards, as a tally of at most one each; 0 if none may
    marked: Array  # and the spots to which, as the mover counts them


class RoadBatch(BatchGame):
    """Rainbow Road, batched."""

    def __init__(self, seats: int, options: Options) -> None:
        self.seats = seats
        self.move_count = MOVE_COUNT
        self.width = sum([feature.size for feature in LAYOUT])
        self.clockwise = options["direction"] == "clockwise"
        self.free_leap = options["leap"] == "free"

    def init(self, keys: Array) -> States:
        return self.deal(*jax_bits.seeds(keys))

    def deal(self, low: Array, high: Array) -> States:
        return packed(dealt(low, high))

    def turn(self, states: States) -> Array:
        return unpacked(states).turn

    def over(self, states: States) -> Array:
        return unpacked(states).phase == OVER

    def scores(self, states: States) -> Array:
        points = unpacked(states).scores
        return jnp.stack([points & 255, points >> POINT_BITS], axis=-1)

    def values(self, states: States) -> Array:
        # RR-12 The most points; then the most in the last round; then who moved Sunny in it (and would start the next).
        table = unpacked(states)
        lead = (table.scores & 255) - (table.scores >> POINT_BITS)
        last = (table.gains & 15) - (table.gains >> GAIN_BITS)
        lead = jnp.where(lead == 0, jnp.where(last == 0, 1 - 2 * table.turn, last), lead)
        over = table.phase == OVER
        return jnp.stack([over & (lead > 0), over & (lead < 0)], axis=-1).astype(jnp.float32)

    def setup(self, story: States) -> Setup:
        table = unpacked(States(*[words[0] for words in story]))
        tallies = [int(table.hands) >> (TALLY * seat) & TALLY_MASK for seat in range(2)]
        field = [int(number_at(table.road, spot)) for spot in OPEN_SPOTS]
        return {
            "hands": [
                [number + 1 for number in range(NUMBERS) for _ in range(tally >> 2 * number & 3)] for tally in tallies
            ],
            "field": [field[:OPEN], field[OPEN:]],
            "pranks": [
                [name for prank, name in enumerate(PRANKS) if int(table.held) >> (PRANK_BITS * seat + prank) & 1]
                for seat in range(2)
            ],
            "first": int(table.turn),
        }

    def _may(self, state: Table) -> May:
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
        pranks = jnp.where(raining & (state.pranked == 0), (state.held >> (PRANK_BITS * seat)) & HELD_MASK, 0)
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
        return May(
            plays=jnp.where(playing, numbers_in((state.hands >> (TALLY * seat)) & TALLY_MASK), 0),
            places=places,
            short=jnp.where(on & ~playing, short, 0),
            free=jnp.where(still & 1 != 0, free, 0),
            renewing=jnp.where(still & 32 != 0, numbers_in(state.discards), 0),
            marked=seen_mask(seat, marks),
        )

    def legal(self, states: States) -> Array:
        may = May(*[part[..., None] for part in self._may(unpacked(states))])
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

    def pick(self, states: States, bits: Array) -> Array:
        state = unpacked(states)
        may = self._may(state)
        playing = state.phase < SUNNY
        numbers, spots = count(may.plays), count(may.places)
        short, free = count(may.short), count(may.free)
        marked = count(may.marked)
        pairs = free * (free - 1) // 2
        total = jnp.where(playing, numbers * spots, short + pairs + count(may.renewing) * marked)
        choice = jax_bits.below(bits, total.astype(U32)).astype(I32)
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
            16,
        )
        exchange = EXCHANGING + first * (first - 1) // 2 + second
        recycle = RECYCLING + RING * (first >> 1) + second
        put = jnp.where(playing, HALF * (first >> 1) + second, jnp.where(is_pair, exchange, recycle))
        return jnp.where(state.phase == OVER, STOP, jnp.where(is_short, STOP + first, put))

    def step(self, states: States, moves: Array) -> States:
        before = unpacked(states)
        after = packed(self._after(before, moves.astype(I32)))
        return States(*[jnp.where(before.phase == OVER, old, new) for old, new in zip(states, after, strict=True)])

    def _after(self, state: Table, move: Array) -> Table:
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
        points = jnp.where(arrives, jnp.where(leaps, 2, 1), 0)
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
        return Table(
            road=road,
            hands=state.hands - (jnp.where(plays, one, 0) << (TALLY * seat)),
            turn=jnp.where(leads | ends | (follows & ~mine), 1 - seat, seat),
            phase=jnp.where(closes & ~over, LEADING, phase + (leads | begins | closes)),
            discards=state.discards + gone,
            filled=filled,
            round=round_,
            ways=jnp.where(begins, 2 if self.clockwise else 3, jnp.where(closes, 0, ways)),
            hopped=jnp.where(begins | closes, 0, state.hopped | arrives),
            pranked=jnp.where(closes, 0, state.pranked | (prank != 0)),
            sunny=sunny,
            rain=rain,
            marks=jnp.where(closes, both(NO_SPOT), marks[0] | marks[1] << SPOT_BITS),
            owed=owed,
            origin=jnp.where(
                closes,
                NO_SPOT,
                jnp.where(follows, sunny, jnp.where(begins_rain | teleports, rain, state.origin)),
            ),
            gains=jnp.where(closes & ~over, 0, state.gains + (points << (GAIN_BITS * seat))),
            held=state.held & ~(prank << (PRANK_BITS * seat)),
            used=state.used | prank << (PRANK_BITS * seat),
            scores=state.scores + (points << (POINT_BITS * seat)),
        )

    def plain(self, states: States) -> Array:
        """Want the fairy that could score more now and play for it, let it walk the longer way, and jump or skip on.

        The highest or lowest card decides who moves which fairy (RR-9); it goes to the first place there is.
        """
        state = unpacked(states)
        may = self._may(state)
        sun = state.round & 1 == 0
        wishes = [self._runs(state, fairy, sun == (fairy == SUNNY)) for fairy in (SUNNY, RAIN)]
        best = [jnp.maximum(*ways) for ways in wishes]
        top = count(may.plays) - 1
        number = nth(may.plays, jnp.where((best[0] >= best[1]) == sun, top, 0)) >> 1
        play = HALF * number + nth(may.places, jnp.zeros_like(top))
        longer = jnp.where(state.phase == RAIN, wishes[1][1] > wishes[1][0], wishes[0][1] > wishes[0][0])
        move = jnp.full_like(play, STOP)
        for kind in (SKIP_HOP, JUMP_HOP, HOP):
            for way in (longer ^ True, longer):
                wanted = kind + way.astype(I32)
                move = jnp.where((may.short >> (wanted - STOP)) & 1 == 1, wanted, move)
        return jnp.where(state.phase < SUNNY, play, move)

    def _runs(self, state: Table, fairy: int, climbing: Array) -> list[Array]:
        """Count the points of a fairy that goes as far as plain hops lead, each way."""
        start = state.sunny if fairy == SUNNY else state.rain
        found = []
        for way in range(2):

            def hop(_: int, walk: tuple[Array, Array, Array], way: int = way) -> tuple[Array, Array, Array]:
                at, points, going = walk
                near = ahead(state.filled, at, way)
                here, there = number_at(state.road, at), number_at(state.road, near)
                may = jnp.where(climbing, there >= here, there <= here)
                leaps = (near == state.rain) & (fairy == SUNNY)
                blocked = (near == state.sunny) & (fairy == RAIN)
                may = going & ~blocked & (may | (leaps & self.free_leap))
                to = jnp.where(leaps, ahead(state.filled, near, way), near)
                return jnp.where(may, to, at), points + may * (1 + leaps), may & (to != start)

            walk = (start, jnp.zeros_like(start), jnp.full_like(start, not (self.clockwise and way == 0), bool))
            found.append(lax.fori_loop(0, RING, hop, walk)[1])
        return found

    def observe(self, states: States, seat: Array) -> Array:
        state = unpacked(states)
        me, other = seat, 1 - seat
        hand = (state.hands >> (TALLY * me)) & TALLY_MASK
        held = (state.held >> (PRANK_BITS * me)) & HELD_MASK
        theirs = (state.held >> (PRANK_BITS * other)) & HELD_MASK
        used = (state.used >> (PRANK_BITS * me)) & HELD_MASK
        used_there = (state.used >> (PRANK_BITS * other)) & HELD_MASK
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
            *[one + 2 * two for one, two in zip(flags(used), flags(used_there), strict=True)],
            count(held),
            count(theirs),
            *tallied(state.discards),
            *[(state.scores >> (POINT_BITS * who)) & 255 for who in (me, other)],
            *[(state.gains >> (GAIN_BITS * who)) & 15 for who in (me, other)],
            state.phase * 0 + self.clockwise,
            state.phase * 0 + self.free_leap,
        ]
        return jnp.stack([jnp.broadcast_to(number, state.phase.shape) for number in numbers], axis=-1).astype(jnp.uint8)
