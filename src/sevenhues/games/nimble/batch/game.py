"""Nimble for many games at once, in JAX. Its answers are those of `rules`.

A state is a few words of bits, and every rule works on whole words without branches, so that one kernel makes a move in
all games. The order of cards that were never flipped is unknown, so a card is drawn when it is first flipped.

Each owner has thirty *kinds* of cards: the frame times five, plus the index of the circle among the five other colours.
One word tells which kinds are unseen. Five words give the places of the other kinds in the dealt set: the five bits of
frame f in word c are the place of kind 5f + c, or UNKNOWN.

All seats act at once: the state contains the seat that acts next, which is drawn after each move.
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array

from sevenhues.batch import jax_bits
from sevenhues.batch.contract import BatchGame
from sevenhues.batch.jax_bits import GOLDEN, U32, count
from sevenhues.core.game import Setup
from sevenhues.core.options import Options
from sevenhues.games.nimble.encoders import IN_PILE, IN_SET, ON_STACK, UNSEEN, observation_layout
from sevenhues.games.nimble.game import targets
from sevenhues.games.nimble.notation import set_texts
from sevenhues.games.nimble.pieces import (
    ALL_PLACES,
    ALL_STACKS,
    CARDS_PER_FRAME,
    COLOUR_COUNT,
    FLIP,
    MOVE_COUNT,
    PACK,
    PLACE,
    SET,
    STACKS,
    TAKE_BACK,
    TURN_OVER,
)
from sevenhues.games.nimble.rules import GOES_ON, OUT, STALEMATE

CIRCLES = COLOUR_COUNT - 1
LANE_BITS = 5  # of a place
UNKNOWN = 31  # the place of an unseen kind
EVERY_LANE = 0x02108421  # the lowest bit of each of six lanes
LOW_BITS = np.uint32(15 * EVERY_LANE)
HIGH_BITS = np.uint32(16 * EVERY_LANE)
TOP_BITS = 6  # of a top card: three for the frame, three for the circle
HEIGHT_BITS = 7
END_AT = 30  # above the counts of frames
TURN_AT = TOP_BITS * STACKS
MISTAKEN_AT = TURN_AT + 2


class Hand(NamedTuple):
    """The cards of one owner, in set and pile."""

    held: Array  # the places of held cards, as bits
    unseen: Array  # kinds that were never flipped, as bits
    places: tuple[Array, ...]  # of the other kinds


class States(NamedTuple):
    """The states of many games."""

    hands: tuple[Hand, ...]
    marks: Array  # by owner, five bits each: see pieces
    frames: Array  # by colour, five bits each: the number of held cards with this frame; above them the result
    tops: Array  # by stack, six bits each; above them the seat to act and the seats with a mistake, as bits
    heights: Array  # by stack, seven bits each
    seed: Array
    counter: Array  # with the seed it determines the next random numbers


class NimbleBatch(BatchGame):
    """Batched Nimble."""

    def __init__(self, seats: int, options: Options) -> None:
        self.seats = seats
        self.move_count = MOVE_COUNT
        self.width = sum([feature.size for feature in observation_layout(seats)])
        self.audit = options["checking"] == "audit"
        self.goal = 1 if seats == 2 else 0  # NB-12

    def init(self, keys: Array) -> States:
        return self.deal(*jax_bits.seeds(keys))

    def deal(self, low: Array, high: Array) -> States:
        counter, seed = low, high
        zeros = jnp.zeros_like(seed)
        fresh = Hand(zeros + ALL_PLACES, zeros + ALL_PLACES, tuple([zeros + UNKNOWN * EVERY_LANE] * CIRCLES))
        hands = (fresh,) * self.seats
        frames = zeros + self.seats * CARDS_PER_FRAME * EVERY_LANE
        tops = zeros
        fewer = jax_bits.below(_random(seed, counter), U32(self.seats))
        # NB-3, NB-4 Top cards of sets start the stacks, and one seat gives fewer cards than the others.
        for stack in range(STACKS):
            counter += GOLDEN
            giver = zeros
            for seat in range(self.seats):
                giver = jnp.where(fewer == seat, U32(targets(self.seats, seat)[stack]), giver)
            hand = _of(hands, giver)
            kind, hand = _reveal(hand, SET - count(hand.unseen), _random(seed, counter))
            hand = hand._replace(held=hand.held & ~(U32(1) << (SET - 1 - count(hand.unseen))))
            hands = _with(hands, giver, hand)
            frames -= U32(1) << (LANE_BITS * (kind // CIRCLES))
            tops |= _colours(kind) << (TOP_BITS * stack)
        counter += GOLDEN
        turn = jax_bits.below(_random(seed, counter), U32(self.seats))
        heights = zeros + sum([1 << (HEIGHT_BITS * stack) for stack in range(STACKS)])
        return States(hands, zeros, frames, tops | turn << TURN_AT, heights, seed, counter + GOLDEN)

    def turn(self, states: States) -> Array:
        return _turn(states).astype(jnp.int32)

    def over(self, states: States) -> Array:
        return states.frames >> END_AT != GOES_ON

    def scores(self, states: States) -> Array:
        return jnp.stack([count(hand.held) for hand in states.hands], axis=-1).astype(jnp.int32)

    def values(self, states: States) -> Array:
        # NB-14, NB-17 The fewest cards among the seats without a mistake win; equal counts share the win.
        mistaken = (states.tops[..., None] >> (MISTAKEN_AT + jnp.arange(self.seats, dtype=U32))) & 1
        left = jnp.where(mistaken == 1, SET + 1, self.scores(states))
        least = left.min(axis=-1, keepdims=True)
        won = (left == least).astype(jnp.float32)
        shares = won / won.sum(axis=-1, keepdims=True)
        return jnp.where(self.over(states)[..., None], shares, 0.0)

    def _moves(self, states: States) -> tuple[Array, Array]:
        """Return the legal moves of the seat to act, as bits, and the kind of its top card."""
        turn = _turn(states)
        hand = _of(states.hands, turn)
        mark = _mark(states, turn)
        kind = _kind_at(hand, mark - 1)
        # NB-6 A seat flips while its set has cards; NB-9 it turns the pile over when the set is empty.
        moves = jnp.where(hand.held >> mark != 0, U32(1 << FLIP), U32(1 << TURN_OVER))
        # NB-7, NB-8 The top card of the pile can be placed or taken back. NB-15 An audit takes place after the game.
        fits = jnp.full_like(mark, ALL_STACKS) if self.audit else _fitting(states, kind)
        moves |= jnp.where(mark > 0, fits << PLACE | U32(1 << TAKE_BACK), 0)
        return jnp.where(self.over(states), 0, moves), kind

    def legal(self, states: States) -> Array:
        moves = self._moves(states)[0]
        return (moves[..., None] >> jnp.arange(MOVE_COUNT, dtype=U32)) & 1 == 1

    def pick(self, states: States, bits: Array) -> Array:
        moves = self._moves(states)[0]
        move = jax_bits.nth(moves, jax_bits.below(bits, count(moves)), 8)
        return jnp.where(self.over(states), FLIP, move).astype(jnp.int32)

    def plain(self, states: States) -> Array:
        """Place the top card on the first stack that it fits; else flip or turn over."""
        moves, kind = self._moves(states)
        placing = moves & (_fitting(states, kind) << PLACE)
        best = jnp.where(placing != 0, placing, moves & U32(1 << FLIP | 1 << TURN_OVER))
        move = jax_bits.nth(best, jnp.zeros_like(best), 8)
        return jnp.where(self.over(states), FLIP, move).astype(jnp.int32)

    def step(self, states: States, moves: Array) -> States:
        move = moves.astype(U32)
        over = self.over(states)
        places = (move >= PLACE) & (move < TAKE_BACK)
        turn = _turn(states)
        hand = _of(states.hands, turn)
        mark = _mark(states, turn)
        bits = _random(states.seed, states.counter)
        moved, new_mark = self._move_hand(hand, mark, move, places, over, bits)
        stack = move - PLACE
        frames, tops = self._place_on_stack(states, _kind_at(hand, mark - 1), stack, places)
        frames |= jnp.where(places, self._end(moved, frames, tops) << END_AT, 0)
        # NB-5 All seats act at once: the next seat to act is random.
        following = ((bits & 0xFFFF) * self.seats) >> 16
        tops = (tops & ~U32(3 << TURN_AT)) | following << TURN_AT
        marks = states.marks ^ (mark ^ new_mark) << (LANE_BITS * turn)
        heights = states.heights + jnp.where(places, U32(1) << (HEIGHT_BITS * stack), 0)
        return States(
            _with(states.hands, turn, moved),
            jnp.where(over, states.marks, marks),
            jnp.where(over, states.frames, frames),
            jnp.where(over, states.tops, tops),
            jnp.where(over, states.heights, heights),
            states.seed,
            jnp.where(over, states.counter, states.counter + GOLDEN),
        )

    def _move_hand(
        self, hand: Hand, mark: Array, move: Array, places: Array, over: Array, bits: Array
    ) -> tuple[Hand, Array]:
        """Return a player's cards and mark after a move; the cards of finished games stay as they are."""
        flips = move == FLIP
        # NB-6 A flip reveals the next card of the set, possibly for the first time.
        rest = hand.held >> mark
        flipped = mark + count((rest & -rest) - 1)
        seen = SET - count(hand.unseen)
        revealed = _reveal(hand, flipped, bits)[1]
        new = flips & (flipped >= seen) & ~over
        unseen = jnp.where(new, revealed.unseen, hand.unseen)
        card_places = [jnp.where(new, one, other) for one, other in zip(revealed.places, hand.places, strict=True)]
        # NB-7 A placed card leaves its owner. NB-8 After that, or after taking back, the previous card is on top.
        held = hand.held & ~jnp.where(places & ~over, U32(1) << (mark - 1), 0)
        previous_mark = 32 - _leading_zeros(hand.held & ((U32(1) << (mark - 1)) - 1))
        new_mark = jnp.where(flips, flipped + 1, jnp.where(move == TURN_OVER, 0, previous_mark))
        return Hand(held, unseen, tuple(card_places)), new_mark

    def _place_on_stack(self, states: States, kind: Array, stack: Array, places: Array) -> tuple[Array, Array]:
        """Return `frames` and `tops` after a card of some kind is placed in the games chosen by `places`."""
        frames = states.frames - jnp.where(places, U32(1) << (LANE_BITS * (kind // CIRCLES)), 0)
        # NB-16 A card that does not fit is a mistake of its owner.
        mistake = (((_fitting(states, kind) >> stack) & 1) ^ 1) << (MISTAKEN_AT + _turn(states))
        covered = U32((1 << TOP_BITS) - 1) << (TOP_BITS * stack)
        tops = (states.tops & ~covered) | _colours(kind) << (TOP_BITS * stack) | mistake
        return frames, jnp.where(places, tops, states.tops)

    def _end(self, hand: Hand, frames: Array, tops: Array) -> Array:
        """Return OUT, STALEMATE or GOES_ON after a placement."""
        # NB-12 A seat without cards ends the game, with two players one with a single card; NB-14 so does a stalemate.
        circles = [(tops >> (TOP_BITS * stack)) & 7 for stack in range(STACKS)]
        fitting = sum([((frames >> (LANE_BITS * circle)) & 31) for circle in circles])
        end = jnp.where(count(hand.held) <= self.goal, OUT, jnp.where(fitting == 0, STALEMATE, GOES_ON))
        return end.astype(U32)

    def observe(self, states: States, seat: Array, numbers: int | None = None) -> Array:
        shape = states.marks.shape
        tops = [(states.tops >> (TOP_BITS * stack)) & 63 for stack in range(STACKS)]
        observed = [self.over(states), jnp.full(shape, int(self.audit), U32)]
        observed += [top >> 3 for top in tops] + [top & 7 for top in tops]
        observed += [(states.heights >> (HEIGHT_BITS * stack)) & 127 for stack in range(STACKS)]
        for i in range(self.seats):
            player = jnp.broadcast_to((jnp.asarray(seat).astype(U32) + i) % self.seats, shape)
            observed += self._player_features(states, player)
        return jax_bits.bytes_of(observed[:numbers])

    def _player_features(self, states: States, seat: Array) -> list[Array]:
        hand = _of(states.hands, seat)
        mark = _mark(states, seat)
        pile = count(hand.held & ((U32(1) << mark) - 1))
        mistaken = (states.tops >> (MISTAKEN_AT + seat)) & 1
        wheres, depths = [], []
        for kind in range(SET):
            place = (hand.places[kind % CIRCLES] >> (LANE_BITS * (kind // CIRCLES))) & 31
            before = count(hand.held & ((U32(1) << place) - 1))
            where = jnp.where((hand.held >> place) & 1 == 1, jnp.where(place < mark, IN_PILE, IN_SET), ON_STACK)
            where = jnp.where(place == UNKNOWN, UNSEEN, where)
            wheres.append(where)
            depths.append(
                jnp.where(where == IN_PILE, pile - 1 - before, jnp.where(where == IN_SET, before - pile, U32(0)))
            )
        return [count(hand.held) - pile, pile, mistaken, *wheres, *depths]

    def setup(self, history: States) -> Setup:
        sets = bytearray()
        given_counts = [SET - int(count(hand.unseen[0])) for hand in history.hands]
        for hand in history.hands:
            words = [int(word[-1]) for word in hand.places]
            places = [words[kind % CIRCLES] >> (LANE_BITS * (kind // CIRCLES)) & 31 for kind in range(SET)]
            # Unseen cards come last, in any order.
            sets += bytes([PACK[kind] for kind in sorted(range(SET), key=places.__getitem__)])
        return {"sets": set_texts(bytes(sets)), "targets": targets(self.seats, given_counts.index(min(given_counts)))}


def _random(seed: Array, counter: Array) -> Array:
    return jax_bits.mix(seed ^ jax_bits.mix(counter))


def _turn(states: States) -> Array:
    return (states.tops >> TURN_AT) & 3


def _mark(states: States, seat: Array) -> Array:
    return (states.marks >> (LANE_BITS * seat)) & 31


def _of(hands: tuple[Hand, ...], seat: Array) -> Hand:
    """Return the cards of one seat in each game."""
    selected = hands[0]
    for owner in range(1, len(hands)):
        selected = _choose(seat == owner, hands[owner], selected)
    return selected


def _with(hands: tuple[Hand, ...], seat: Array, hand: Hand) -> tuple[Hand, ...]:
    """Return the hands with the cards of one seat in each game replaced."""
    return tuple([_choose(seat == owner, hand, old) for owner, old in enumerate(hands)])


def _choose(which: Array, one: Hand, other: Hand) -> Hand:
    places = [jnp.where(which, here, there) for here, there in zip(one.places, other.places, strict=True)]
    return Hand(jnp.where(which, one.held, other.held), jnp.where(which, one.unseen, other.unseen), tuple(places))


def _reveal(hand: Hand, place: Array, bits: Array) -> tuple[Array, Hand]:
    """Draw the kind at a place from the unseen ones; return it and the hand with its place known."""
    kind = jax_bits.nth(hand.unseen, jax_bits.below(bits, count(hand.unseen)))
    lane = (place ^ UNKNOWN) << (LANE_BITS * (kind // CIRCLES))
    places = [word ^ jnp.where(kind % CIRCLES == at, lane, 0) for at, word in enumerate(hand.places)]
    return kind, Hand(hand.held, hand.unseen & ~(U32(1) << kind), tuple(places))


def _kind_at(hand: Hand, place: Array) -> Array:
    """Return the kind at a place; undefined if it was not seen."""
    wanted = place * EVERY_LANE
    matches = jnp.zeros_like(place)
    for at, word in enumerate(hand.places):
        difference = word ^ wanted
        same = ~(((difference & LOW_BITS) + LOW_BITS) | difference) & HIGH_BITS
        matches |= same >> (LANE_BITS - 1 - at)
    return count((matches & -matches) - 1)


def _colours(kind: Array) -> Array:
    """Return the frame and circle of a kind in three bits each, the circle in the lower ones."""
    frame, circle = kind // CIRCLES, kind % CIRCLES
    return frame << 3 | circle + (circle >= frame)


def _fitting(states: States, kind: Array) -> Array:
    """NB-7 Return the stacks whose top card's circle has the frame's colour, as bits."""
    frame = kind // CIRCLES
    fits = jnp.zeros_like(kind)
    for stack in range(STACKS):
        fits |= jnp.where((states.tops >> (TOP_BITS * stack)) & 7 == frame, U32(1 << stack), 0)
    return fits


def _leading_zeros(words: Array) -> Array:
    for half in (1, 2, 4, 8, 16):
        words |= words >> half
    return 32 - count(words)
