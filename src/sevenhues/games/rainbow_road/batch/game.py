"""Rainbow Road for many games at once, in JAX. The rules in rules.py decide; tests compare both.

Every rule is arithmetic on one number per game, without branches, so that one kernel makes a move in all games.
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
    TALLY_BITS,
    TALLY_MASK,
    Board,
    States,
    ahead,
    bit,
    both,
    count,
    counts,
    flags,
    higher,
    nth,
    number_at,
    numbers_in,
    packed,
    seen_from,
    seen_mask,
    size,
    unpacked,
)
from sevenhues.games.rainbow_road.batch.deal import OPEN_SPOTS, deal_boards
from sevenhues.games.rainbow_road.board import FOLLOWING, LEADING, OVER, RAIN, SUNNY
from sevenhues.games.rainbow_road.encoders import OBSERVATION_LAYOUT
from sevenhues.games.rainbow_road.pieces import (
    EXCHANGE,
    EXCHANGING,
    HALF,
    HOP,
    JUMP,
    JUMP_HOP,
    MOVE_COUNT,
    NO_SPOT,
    NUMBER_BITS,
    NUMBERS,
    OPEN,
    PRANKS,
    RECYCLE,
    RECYCLING,
    RING,
    ROUNDS,
    SKIP,
    SKIP_HOP,
    STOP,
    TELEPORT,
    TELEPORTING,
    TRASH,
    TRASHING,
)

# Moves of a fairy except exchanges and recyclings, as bits from STOP on.
HOP_BIT = 1 << (HOP - STOP)
JUMP_BIT = 1 << (JUMP_HOP - STOP)
SKIP_BIT = 1 << (SKIP_HOP - STOP)
SHORT_MOVES = EXCHANGING - STOP


class LegalMoves(NamedTuple):
    """The legal moves of the seat to act. Spots are counted from the first spot of its half."""

    plays: Array  # numbers that may be played, as a tally of at most one each; 0 while a fairy moves
    places: Array  # the spots to which they may be played, as five bits
    short: Array  # moves of a fairy except exchanges and recyclings, as bits from STOP on
    free: Array  # RR-21 spots whose cards may be exchanged, as bits
    recyclable: Array  # RR-27 numbers that may be recycled, as a tally of at most one each
    marked: Array  # spots to which they may be recycled, as bits


class RoadBatch(BatchGame):
    """Rainbow Road for many games at once."""

    def __init__(self, seats: int, options: Options) -> None:
        self.seats = seats
        self.move_count = MOVE_COUNT
        self.width = sum([feature.size for feature in OBSERVATION_LAYOUT])
        self.clockwise = options["direction"] == "clockwise"
        self.free_leap = options["leap"] == "free"

    def init(self, keys: Array) -> States:
        return self.deal(*jax_bits.seeds(keys))

    def deal(self, low: Array, high: Array) -> States:
        return packed(deal_boards(low, high))

    def turn(self, states: States) -> Array:
        return unpacked(states).turn

    def over(self, states: States) -> Array:
        return unpacked(states).phase == OVER

    def scores(self, states: States) -> Array:
        points = unpacked(states).scores
        return jnp.stack([points & 255, points >> POINT_BITS], axis=-1)

    def values(self, states: States) -> Array:
        # RR-12 The most points win; then the most points in the last round; then the mover of Sunny in the last round,
        # who would start the next.
        board = unpacked(states)
        lead = (board.scores & 255) - (board.scores >> POINT_BITS)
        last = (board.gains & 15) - (board.gains >> GAIN_BITS)
        lead = jnp.where(lead == 0, jnp.where(last == 0, 1 - 2 * board.turn, last), lead)
        over = board.phase == OVER
        return jnp.stack([over & (lead > 0), over & (lead < 0)], axis=-1).astype(jnp.float32)

    def setup(self, history: States) -> Setup:
        board = unpacked(States(*[words[0] for words in history]))
        tallies = [int(board.hands) >> (TALLY_BITS * seat) & TALLY_MASK for seat in range(2)]
        field = [int(number_at(board.numbers, spot)) for spot in OPEN_SPOTS]
        return {
            "hands": [
                [number + 1 for number in range(NUMBERS) for _ in range(tally >> 2 * number & 3)] for tally in tallies
            ],
            "field": [field[:OPEN], field[OPEN:]],
            "pranks": [
                [name for prank, name in enumerate(PRANKS) if int(board.held) >> (PRANK_BITS * seat + prank) & 1]
                for seat in range(2)
            ],
            "first": int(board.turn),
        }

    def _legal(self, state: Board) -> LegalMoves:
        seat, phase = state.turn, state.phase
        playing, raining = phase < SUNNY, phase == RAIN
        # RR-20 One prank a round, with the Rain Fairy.
        pranks = jnp.where(raining & (state.pranked == 0), (state.held >> (PRANK_BITS * seat)) & HELD_MASK, 0)
        before_hop = jnp.where(state.hopped == 0, pranks, 0)
        free = seen_mask(seat, state.filled & ~_fairies(state))
        # RR-25, RR-26 Trash a card without a fairy, or teleport to one.
        short = self._hops(state, pranks)
        short |= jnp.where(before_hop & TRASH != 0, free << (TRASHING - STOP), 0)
        short |= jnp.where(before_hop & TELEPORT != 0, free << (TELEPORTING - STOP), 0)
        marks = (bit(state.marks & 15) | bit(state.marks >> SPOT_BITS)) & ~bit(state.sunny) & ALL_SPOTS
        return LegalMoves(
            plays=jnp.where(playing, numbers_in((state.hands >> (TALLY_BITS * seat)) & TALLY_MASK), 0),
            places=_places(state),
            short=jnp.where((phase != OVER) & ~playing, short, 0),
            free=jnp.where(before_hop & EXCHANGE != 0, free, 0),
            recyclable=jnp.where(before_hop & RECYCLE != 0, numbers_in(state.discards), 0),
            marked=seen_mask(seat, marks),
        )

    def _hops(self, state: Board, pranks: Array) -> Array:
        """Return stopping, hops, jumps and skips of the moving fairy, as bits from STOP on."""
        raining = state.phase == RAIN
        at = jnp.where(raining, state.rain, state.sunny)
        here = number_at(state.numbers, at)
        climbing = (state.phase == SUNNY) == (state.round & 1 == 0)
        moves = at * 0 + 1  # RR-16
        for way in range(2):
            near = ahead(state.filled, at, way)
            far = ahead(state.filled, near, way)
            there = number_at(state.numbers, near)
            # RR-13 Each card equal or higher, or equal or lower. RR-18 Sunny blocks Rain. RR-30 A leap over any number.
            may_hop = jnp.where(climbing, there >= here, there <= here) & ~(raining & (near == state.sunny))
            if self.free_leap:
                may_hop |= ~raining & (near == state.rain)
            # RR-22, RR-23 A jump or a skip, but not onto the Sunny Fairy's card.
            hops = jnp.where(may_hop, HOP_BIT, 0)
            hops |= jnp.where((pranks & JUMP != 0) & (near != state.sunny), JUMP_BIT, 0)
            hops |= jnp.where((pranks & SKIP != 0) & (far != state.sunny), SKIP_BIT, 0)
            moves |= jnp.where(state.ways & (way + 1) != 0, hops << way, 0)
        return moves

    def legal(self, states: States) -> Array:
        legal = self._legal(unpacked(states))
        parts = [(jnp.where((legal.plays >> 2 * number) & 1 == 1, legal.places, 0), HALF) for number in range(NUMBERS)]
        parts += [(legal.short, SHORT_MOVES)]
        parts += [
            (jnp.where((legal.free >> high) & 1 == 1, legal.free & ((1 << high) - 1), 0), high)
            for high in range(1, RING)
        ]
        parts += [
            (jnp.where((legal.recyclable >> 2 * number) & 1 == 1, legal.marked, 0), RING) for number in range(NUMBERS)
        ]
        return jax_bits.flags_of(parts)

    def pick(self, states: States, bits: Array) -> Array:
        state = unpacked(states)
        legal = self._legal(state)
        playing = state.phase < SUNNY
        numbers, spots = count(legal.plays), count(legal.places)
        short, free = count(legal.short), count(legal.free)
        marked = count(legal.marked)
        pairs = free * (free - 1) // 2
        total = jnp.where(playing, numbers * spots, short + pairs + count(legal.recyclable) * marked)
        choice = jax_bits.below(bits, total.astype(U32)).astype(I32)
        pair = choice - short
        recycling = pair - pairs
        is_short = ~playing & (pair < 0)
        is_pair = ~playing & (pair >= 0) & (recycling < 0)
        upper = higher(pair)
        # A move has two parts. Each is the member of a set by its index.
        each = jnp.maximum(jnp.where(playing, spots, marked), 1)
        rest = jnp.where(playing, choice, recycling)
        first = nth(
            jnp.where(
                playing, legal.plays, jnp.where(is_short, legal.short, jnp.where(is_pair, legal.free, legal.recyclable))
            ),
            jnp.where(is_short, choice, jnp.where(is_pair, upper, rest // each)),
        )
        second = nth(
            jnp.where(playing, legal.places, jnp.where(is_pair, legal.free, legal.marked)),
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

    def _after(self, state: Board, move: Array) -> Board:
        seat, phase = state.turn, state.phase
        kind = _kind_of(move)
        cards = _move_cards(state, move, kind)
        fairies = _move_fairies(state, move, kind, cards.spot)
        prank = _used_prank(kind)

        # RR-7 The other seat plays, RR-10 Sunny moves, then Rain, RR-11 then a new round begins.
        leads, follows = kind.plays & (phase == LEADING), kind.plays & (phase == FOLLOWING)
        led = number_at(state.numbers, (state.marks >> (SPOT_BITS * (1 - seat))) & 15)
        # RR-9 With equal numbers the starting seat moves Sunny, in any weather.
        moves_sunny = (cards.number != led) & ((cards.number > led) == (state.round & 1 == 0))
        begins_rain, closes = fairies.ends & (phase == SUNNY), fairies.ends & (phase == RAIN)
        begins = follows | begins_rain
        round_ = state.round + closes
        over = closes & (round_ == ROUNDS)
        ways = jnp.where(kind.arrives, fairies.way + 1, state.ways)
        new_origin = jnp.where(begins_rain | kind.teleports, fairies.rain, state.origin)
        return Board(
            numbers=cards.numbers,
            hands=state.hands - (jnp.where(kind.plays, cards.tally, 0) << (TALLY_BITS * seat)),
            turn=jnp.where(leads | fairies.ends | (follows & ~moves_sunny), 1 - seat, seat),
            phase=jnp.where(closes & ~over, LEADING, phase + (leads | begins | closes)),
            discards=state.discards + cards.discarded,
            filled=cards.filled,
            round=round_,
            ways=jnp.where(begins, 2 if self.clockwise else 3, jnp.where(closes, 0, ways)),
            hopped=jnp.where(begins | closes, 0, state.hopped | kind.arrives),
            pranked=jnp.where(closes, 0, state.pranked | (prank != 0)),
            sunny=fairies.sunny,
            rain=fairies.rain,
            marks=jnp.where(closes, both(NO_SPOT), _move_marks(state, kind, cards)),
            owed=cards.owed,
            origin=jnp.where(closes, NO_SPOT, jnp.where(follows, fairies.sunny, new_origin)),
            gains=jnp.where(closes & ~over, 0, state.gains + (fairies.points << (GAIN_BITS * seat))),
            held=state.held & ~(prank << (PRANK_BITS * seat)),
            used=state.used | prank << (PRANK_BITS * seat),
            scores=state.scores + (fairies.points << (POINT_BITS * seat)),
        )

    def plain(self, states: States) -> Array:
        """Play for the fairy that could score more now, and move a fairy as far as it goes, the longer way.

        To get a fairy, play the highest or lowest card (RR-9) to the first legal spot. Jump or skip where no hop is
        legal.
        """
        state = unpacked(states)
        legal = self._legal(state)
        sun = state.round & 1 == 0
        points = [self._runs(state, fairy, sun == (fairy == SUNNY)) for fairy in (SUNNY, RAIN)]
        best = [jnp.maximum(*ways) for ways in points]
        top = count(legal.plays) - 1
        number = nth(legal.plays, jnp.where((best[0] >= best[1]) == sun, top, 0)) >> 1
        play = HALF * number + nth(legal.places, jnp.zeros_like(top))
        longer = jnp.where(state.phase == RAIN, points[1][1] > points[1][0], points[0][1] > points[0][0])
        move = jnp.full_like(play, STOP)
        for kind in (SKIP_HOP, JUMP_HOP, HOP):
            for way in (longer ^ True, longer):
                wanted = kind + way.astype(I32)
                move = jnp.where((legal.short >> (wanted - STOP)) & 1 == 1, wanted, move)
        return jnp.where(state.phase < SUNNY, play, move)

    def _runs(self, state: Board, fairy: int, climbing: Array) -> list[Array]:
        """Return the points of a fairy that goes as far as plain hops lead, each way."""
        start = state.sunny if fairy == SUNNY else state.rain
        points_by_way = []
        for way in range(2):

            def hop(_: int, walk: tuple[Array, Array, Array], way: int = way) -> tuple[Array, Array, Array]:
                at, points, going = walk
                near = ahead(state.filled, at, way)
                here, there = number_at(state.numbers, at), number_at(state.numbers, near)
                may = jnp.where(climbing, there >= here, there <= here)
                leaps = (near == state.rain) & (fairy == SUNNY)
                blocked = (near == state.sunny) & (fairy == RAIN)
                may = going & ~blocked & (may | (leaps & self.free_leap))
                to = jnp.where(leaps, ahead(state.filled, near, way), near)
                return jnp.where(may, to, at), points + may * (1 + leaps), may & (to != start)

            walk = (start, jnp.zeros_like(start), jnp.full_like(start, not (self.clockwise and way == 0), bool))
            points_by_way.append(lax.fori_loop(0, RING, hop, walk)[1])
        return points_by_way

    def observe(self, states: States, seat: Array, numbers: int | None = None) -> Array:
        state = unpacked(states)
        me, other = seat, 1 - seat
        hand = (state.hands >> (TALLY_BITS * me)) & TALLY_MASK
        held = (state.held >> (PRANK_BITS * me)) & HELD_MASK
        theirs = (state.held >> (PRANK_BITS * other)) & HELD_MASK
        used = (state.used >> (PRANK_BITS * me)) & HELD_MASK
        used_there = (state.used >> (PRANK_BITS * other)) & HELD_MASK
        spots = [state.sunny, state.rain, *[(state.marks >> (SPOT_BITS * who)) & 15 for who in (me, other)]]
        spots += [state.owed, state.origin]
        observed = [
            ((state.phase != OVER) & (state.turn == me)).astype(jnp.int32),
            state.phase,
            state.round,
            *[number_at(state.numbers, seen_from(me, spot)) for spot in range(RING)],
            *[jnp.where(spot == NO_SPOT, NO_SPOT, seen_from(me, spot)) for spot in spots],
            state.ways,
            state.hopped,
            state.pranked,
            *counts(hand),
            size(hand),
            size((state.hands >> (TALLY_BITS * other)) & TALLY_MASK),
            *flags(held),
            *[one + 2 * two for one, two in zip(flags(used), flags(used_there), strict=True)],
            count(held),
            count(theirs),
            *counts(state.discards),
            *[(state.scores >> (POINT_BITS * who)) & 255 for who in (me, other)],
            *[(state.gains >> (GAIN_BITS * who)) & 15 for who in (me, other)],
            state.phase * 0 + self.clockwise,
            state.phase * 0 + self.free_leap,
        ]
        return jax_bits.bytes_of([jnp.broadcast_to(number, state.phase.shape) for number in observed[:numbers]])


def _fairies(state: Board) -> Array:
    """Return the spots of the fairies, as bits."""
    return bit(state.sunny) | bit(state.rain)


def _places(state: Board) -> Array:
    """Return the spots to which the seat to act may play, as five bits."""
    seat = state.turn
    # RR-8 Empty spots; if there are none, spots without a fairy. RR-25 The spot of a trashed card comes first.
    empty = ~seen_mask(seat, state.filled) & HALF_SPOTS
    places = jnp.where(empty == 0, ~seen_mask(seat, _fairies(state)) & HALF_SPOTS, empty)
    owed = seen_from(seat, state.owed)
    return jnp.where((state.owed != NO_SPOT) & (owed < HALF), bit(owed), places)


class _Kind(NamedTuple):
    """The kind of a move. Jumps and skips also arrive."""

    plays: Array
    stops: Array
    arrives: Array  # a hop, jump or skip
    jumps: Array
    skips: Array
    trashes: Array
    teleports: Array
    exchanges: Array
    recycles: Array


def _kind_of(move: Array) -> _Kind:
    return _Kind(
        plays=move < STOP,
        stops=move == STOP,
        arrives=(move >= HOP) & (move < TRASHING),
        jumps=(move >= JUMP_HOP) & (move < SKIP_HOP),
        skips=(move >= SKIP_HOP) & (move < TRASHING),
        trashes=(move >= TRASHING) & (move < TELEPORTING),
        teleports=(move >= TELEPORTING) & (move < EXCHANGING),
        exchanges=(move >= EXCHANGING) & (move < RECYCLING),
        recycles=move >= RECYCLING,
    )


class _Cards(NamedTuple):
    """The effect of a move on the cards."""

    spot: Array  # the spot of a play, trash, teleport or recycling; the lower one of an exchange
    other: Array  # the higher spot of an exchange
    number: Array  # the number that is put on `spot`
    tally: Array  # of `number`
    numbers: Array
    filled: Array
    discarded: Array  # the change of the discards
    owed: Array


def _move_cards(state: Board, move: Array, kind: _Kind) -> _Cards:
    seat = state.turn
    pair = move - EXCHANGING
    high = higher(pair)
    low = pair - high * (high - 1) // 2
    spot = jnp.where(kind.plays, move % HALF, jnp.where(kind.trashes, move - TRASHING, (move - RECYCLING) % RING))
    spot = seen_from(seat, jnp.where(kind.exchanges, low, jnp.where(kind.teleports, move - TELEPORTING, spot)))
    other = seen_from(seat, high)
    number = jnp.where(kind.plays, move // HALF + 1, jnp.where(kind.trashes, 0, (move - RECYCLING) // RING + 1))
    old = number_at(state.numbers, spot)
    swap = jnp.where(kind.exchanges, old ^ number_at(state.numbers, other), 0)
    discards = kind.plays | kind.trashes | kind.recycles
    change = jnp.where(discards, old ^ number, swap)
    tally = bit(2 * number) >> 2
    owed = jnp.where(kind.plays & (spot == state.owed), NO_SPOT, state.owed)
    emptied = state.filled & ~jnp.where(kind.trashes, bit(spot), 0)
    return _Cards(
        spot=spot,
        other=other,
        number=number,
        tally=tally,
        numbers=state.numbers ^ (change << (NUMBER_BITS * spot)) ^ (swap << (NUMBER_BITS * other)),
        filled=jnp.where(kind.plays, state.filled | bit(spot), emptied),
        discarded=jnp.where(discards, bit(2 * old) >> 2, 0) - jnp.where(kind.recycles, tally, 0),
        # RR-25 The next card of that half must fill the spot.
        owed=jnp.where(kind.trashes, spot, owed),
    )


def _move_marks(state: Board, kind: _Kind, cards: _Cards) -> Array:
    """RR-7 Mark the card played. RR-21 Markers stay with their cards, RR-25 and go with a trashed card."""
    spot, other = cards.spot, cards.other
    marks = []
    for owner in range(2):
        mark = (state.marks >> (SPOT_BITS * owner)) & 15
        swapped = jnp.where(mark == spot, other, jnp.where(mark == other, spot, mark))
        moved = jnp.where(kind.exchanges, swapped, mark)
        kept = jnp.where(kind.trashes & (mark == spot), NO_SPOT, moved)
        marks.append(jnp.where(kind.plays & (state.turn == owner), spot, kept))
    return marks[0] | marks[1] << SPOT_BITS


class _Fairies(NamedTuple):
    """The effect of a move on the fairies."""

    way: Array
    sunny: Array
    rain: Array
    points: Array
    ends: Array  # the fairy's move ends


def _move_fairies(state: Board, move: Array, kind: _Kind, spot: Array) -> _Fairies:
    """RR-10 Move a fairy and score; RR-17 Sunny leaps over Rain."""
    sunning = state.phase == SUNNY
    way = (move - HOP) & 1
    at = jnp.where(sunning, state.sunny, state.rain)
    near = jnp.where(way == 0, ahead(state.filled, at, 0), ahead(state.filled, at, 1))
    far = jnp.where(way == 0, ahead(state.filled, near, 0), ahead(state.filled, near, 1))
    leaps = sunning & (near == state.rain)
    target = jnp.where(kind.skips | (leaps & ~kind.jumps), far, near)
    return _Fairies(
        way=way,
        sunny=jnp.where(kind.arrives & sunning, target, state.sunny),
        rain=jnp.where(kind.arrives & ~sunning, target, jnp.where(kind.teleports, spot, state.rain)),
        points=jnp.where(kind.arrives, jnp.where(leaps, 2, 1), 0),
        # RR-19 The move ends when the fairy is back on the card where it began.
        ends=kind.stops | (kind.arrives & (target == state.origin)),
    )


def _used_prank(kind: _Kind) -> Array:
    """RR-20 Return the prank that a move uses, as a set."""
    prank = jnp.where(kind.trashes, TRASH, jnp.where(kind.teleports, TELEPORT, 0))
    prank = jnp.where(kind.jumps, JUMP, jnp.where(kind.skips, SKIP, prank))
    return prank | jnp.where(kind.exchanges, EXCHANGE, jnp.where(kind.recycles, RECYCLE, 0))
