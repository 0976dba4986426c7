"""Nimble for many games at once, in JAX: a twin of `rules`, which stays the law.

What is true of a game is a few words of bits, and every rule works word by word without branches, so that one kernel
makes a move in all games. Nobody knows the order of cards that were never flipped, so they are drawn when they are.
Of each owner's thirty *kinds* (frame times five, plus which of its five circles) one word tells which are unseen, and
five tell at which place of the set as dealt the others came: the five bits of frame f in word c are the place of
kind 5f + c, or UNKNOWN.

Everybody acts at once: a state holds whose hand is next, drawn anew after each move.
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
from sevenhues.games.nimble.game import targets
from sevenhues.games.nimble.notation import set_texts
from sevenhues.games.nimble.pieces import (
    ALL_PLACES,
    ALL_STACKS,
    COLOUR_COUNT,
    FLIP,
    FRAMES_A_SET,
    MOVE_COUNT,
    PACK,
    PLACE,
    SET,
    STACKS,
    TAKE_BACK,
    TURN_OVER,
)
from sevenhues.games.nimble.rules import GOES_ON, OUT, STALEMATE
from sevenhues.games.nimble.view import IN_PILE, IN_SET, LAID, UNSEEN, layout

CIRCLES = COLOUR_COUNT - 1
LANE = 5  # bits of a place
UNKNOWN = 31  # the place of a kind that was not seen
EVERY_LANE = 0x02108421  # the lowest bit of each of six lanes
LOW_BITS = np.uint32(15 * EVERY_LANE)
HIGH_BITS = np.uint32(16 * EVERY_LANE)
TOP_BITS = 6  # of a stack's top card: frame, then circle
HEIGHT_BITS = 7
END_AT = 30  # above the counts of frames
TURN_AT = TOP_BITS * STACKS
MISTAKEN_AT = TURN_AT + 2


class Hand(NamedTuple):
    """One owner's cards."""

    held: Array  # the places of cards in set and pile, as bits
    unseen: Array  # kinds that were never flipped, as bits
    places: tuple[Array, ...]  # where the other kinds came


class States(NamedTuple):
    """Many games."""

    hands: tuple[Hand, ...]
    marks: Array  # by owner, five bits each: see pieces
    frames: Array  # by colour, five bits each: how many cards with this frame are held; above them how the game ended
    tops: Array  # by stack, six bits each; above them the seat to act and who laid a card that did not fit, as bits
    heights: Array  # by stack, seven bits each
    seed: Array
    drawn: Array  # what the next random numbers come from


class NimbleBatch(BatchGame):
    """Nimble, batched."""

    def __init__(self, seats: int, options: Options) -> None:
        self.seats = seats
        self.move_count = MOVE_COUNT
        self.width = sum([feature.size for feature in layout(seats)])
        self.audit = options["checking"] == "audit"
        self.goal = 1 if seats == 2 else 0  # NB-12

    def init(self, keys: Array) -> States:
        return self.deal(*jax_bits.seeds(keys))

    def deal(self, low: Array, high: Array) -> States:
        drawn, seed = low, high
        none = jnp.zeros_like(seed)
        fresh = Hand(none + ALL_PLACES, none + ALL_PLACES, tuple([none + UNKNOWN * EVERY_LANE] * CIRCLES))
        hands = (fresh,) * self.seats
        frames = none + self.seats * FRAMES_A_SET * EVERY_LANE
        tops = none
        fewer = jax_bits.below(_random(seed, drawn), U32(self.seats))
        # NB-3, NB-4 Top cards of sets start the stacks, and one seat gives fewer than the others.
        for stack in range(STACKS):
            drawn += GOLDEN
            giver = none
            for seat in range(self.seats):
                giver = jnp.where(fewer == seat, U32(targets(self.seats, seat)[stack]), giver)
            hand = _of(hands, giver)
            kind, hand = _reveal(hand, SET - count(hand.unseen), _random(seed, drawn))
            hand = hand._replace(held=hand.held & ~(U32(1) << (SET - 1 - count(hand.unseen))))
            hands = _with(hands, giver, hand)
            frames -= U32(1) << (LANE * (kind // CIRCLES))
            tops |= _colours(kind) << (TOP_BITS * stack)
        drawn += GOLDEN
        turn = jax_bits.below(_random(seed, drawn), U32(self.seats))
        heights = none + sum([1 << (HEIGHT_BITS * stack) for stack in range(STACKS)])
        return States(hands, none, frames, tops | turn << TURN_AT, heights, seed, drawn + GOLDEN)

    def turn(self, states: States) -> Array:
        return _turn(states).astype(jnp.int32)

    def over(self, states: States) -> Array:
        return states.frames >> END_AT != GOES_ON

    def scores(self, states: States) -> Array:
        return jnp.stack([count(hand.held) for hand in states.hands], axis=-1).astype(jnp.int32)

    def values(self, states: States) -> Array:
        # NB-14, NB-17 Of those who made no mistake the fewest cards win; equal counts share the win.
        mistaken = (states.tops[..., None] >> (MISTAKEN_AT + jnp.arange(self.seats, dtype=U32))) & 1
        left = jnp.where(mistaken == 1, SET + 1, self.scores(states))
        least = left.min(axis=-1, keepdims=True)
        won = (left == least).astype(jnp.float32)
        shares = won / won.sum(axis=-1, keepdims=True)
        return jnp.where(self.over(states)[..., None], shares, 0.0)

    def _moves(self, states: States) -> tuple[Array, Array]:
        """Return the moves of the seat to act, as bits, and the kind of the card it could place."""
        turn = _turn(states)
        hand = _of(states.hands, turn)
        mark = _mark(states, turn)
        kind = _kind_at(hand, mark - 1)
        # NB-6 Flip while the set has cards; NB-9 turn the pile over when it has none.
        moves = jnp.where(hand.held >> mark != 0, U32(1 << FLIP), U32(1 << TURN_OVER))
        # NB-7, NB-8 The top card of the pile can be placed or taken back. NB-15 An audit comes after the game.
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
        """Place what fits, on the first stack it fits; else flip or turn over."""
        moves, kind = self._moves(states)
        placing = moves & (_fitting(states, kind) << PLACE)
        best = jnp.where(placing != 0, placing, moves & U32(1 << FLIP | 1 << TURN_OVER))
        move = jax_bits.nth(best, jnp.zeros_like(best), 8)
        return jnp.where(self.over(states), FLIP, move).astype(jnp.int32)

    def step(self, states: States, moves: Array) -> States:
        move = moves.astype(U32)
        turn = _turn(states)
        over = self.over(states)
        hand = _of(states.hands, turn)
        mark = _mark(states, turn)
        kind = _kind_at(hand, mark - 1)
        flips, places = move == FLIP, (move >= PLACE) & (move < TAKE_BACK)
        bits = _random(states.seed, states.drawn)

        # NB-6 A flip shows the next card of the set, maybe for the first time.
        rest = hand.held >> mark
        flipped = mark + count((rest & -rest) - 1)
        known = SET - count(hand.unseen)
        shown = _reveal(hand, flipped, bits)[1]
        new = flips & (flipped >= known) & ~over
        unseen = jnp.where(new, shown.unseen, hand.unseen)
        at = tuple([jnp.where(new, one, other) for one, other in zip(shown.places, hand.places, strict=True)])
        # NB-7 A card that is placed leaves its owner, NB-8 and then or when it is taken back the one before is on top.
        held = hand.held & ~jnp.where(places & ~over, U32(1) << (mark - 1), 0)
        earlier = 32 - _leading_zeros(hand.held & ((U32(1) << (mark - 1)) - 1))
        after = jnp.where(flips, flipped + 1, jnp.where(move == TURN_OVER, 0, earlier))

        stack = move - PLACE
        frame = kind // CIRCLES
        frames = states.frames - jnp.where(places, U32(1) << (LANE * frame), 0)
        # NB-16 A card that does not fit is its owner's mistake.
        wrong = (((_fitting(states, kind) >> stack) & 1) ^ 1) << (MISTAKEN_AT + turn)
        covered = U32((1 << TOP_BITS) - 1) << (TOP_BITS * stack)
        tops = (states.tops & ~covered) | _colours(kind) << (TOP_BITS * stack) | wrong
        tops = jnp.where(places, tops, states.tops)
        # NB-12 Whoever has no card left ends the game, with two players just one; NB-14 so does a table without a fit.
        circles = [(tops >> (TOP_BITS * at)) & 7 for at in range(STACKS)]
        fits = sum([((frames >> (LANE * circle)) & 31) for circle in circles])
        end = jnp.where(count(held) <= self.goal, OUT, jnp.where(fits == 0, STALEMATE, GOES_ON)).astype(U32)
        frames |= jnp.where(places, end << END_AT, 0)
        # Whose hand is next: NB-5 nobody waits for anybody.
        following = ((bits & 0xFFFF) * self.seats) >> 16
        tops = (tops & ~U32(3 << TURN_AT)) | following << TURN_AT
        marks = states.marks ^ (mark ^ after) << (LANE * turn)
        heights = states.heights + jnp.where(places, U32(1) << (HEIGHT_BITS * stack), 0)
        return States(
            _with(states.hands, turn, Hand(held, unseen, at)),
            jnp.where(over, states.marks, marks),
            jnp.where(over, states.frames, frames),
            jnp.where(over, states.tops, tops),
            jnp.where(over, states.heights, heights),
            states.seed,
            jnp.where(over, states.drawn, states.drawn + GOLDEN),
        )

    def observe(self, states: States, seat: Array) -> Array:
        shape = states.marks.shape
        tops = [(states.tops >> (TOP_BITS * stack)) & 63 for stack in range(STACKS)]
        table = [self.over(states).astype(U32), jnp.full(shape, int(self.audit), U32)]
        table += [top >> 3 for top in tops] + [top & 7 for top in tops]
        table += [(states.heights >> (HEIGHT_BITS * stack)) & 127 for stack in range(STACKS)]
        parts = [jnp.stack(table, axis=-1)]
        for i in range(self.seats):
            player = jnp.broadcast_to((jnp.asarray(seat).astype(U32) + i) % self.seats, shape)
            parts += self._player(states, player)
        return jnp.concatenate(parts, axis=-1).astype(jnp.uint8)

    def _player(self, states: States, seat: Array) -> list[Array]:
        hand = _of(states.hands, seat)
        mark = _mark(states, seat)
        pile = count(hand.held & ((U32(1) << mark) - 1))
        mistaken = (states.tops >> (MISTAKEN_AT + seat)) & 1
        counts = jnp.stack([count(hand.held) - pile, pile, mistaken], axis=-1)
        held, mark, pile = hand.held[..., None], mark[..., None], pile[..., None]
        kinds = np.arange(SET, dtype=np.uint32)
        place = (jnp.stack(hand.places, axis=-1)[..., kinds % CIRCLES] >> (LANE * (kinds // CIRCLES))) & 31
        before = count(held & ((U32(1) << place) - 1))
        where = jnp.where((held >> place) & 1 == 1, jnp.where(place < mark, IN_PILE, IN_SET), LAID)
        where = jnp.where(place == UNKNOWN, UNSEEN, where)
        depth = jnp.where(where == IN_PILE, pile - 1 - before, jnp.where(where == IN_SET, before - pile, 0))
        return [counts, where.astype(U32), depth]

    def setup(self, story: States) -> Setup:
        sets = bytearray()
        given = [SET - int(count(hand.unseen[0])) for hand in story.hands]
        for hand in story.hands:
            words = [int(word[-1]) for word in hand.places]
            places = [words[kind % CIRCLES] >> (LANE * (kind // CIRCLES)) & 31 for kind in range(SET)]
            # Cards that nobody saw lie behind the others, in any order.
            sets += bytes([PACK[kind] for kind in sorted(range(SET), key=places.__getitem__)])
        return {"sets": set_texts(bytes(sets)), "targets": targets(self.seats, given.index(min(given)))}


def _random(seed: Array, drawn: Array) -> Array:
    return jax_bits.mix(seed ^ jax_bits.mix(drawn))


def _turn(states: States) -> Array:
    return (states.tops >> TURN_AT) & 3


def _mark(states: States, seat: Array) -> Array:
    return (states.marks >> (LANE * seat)) & 31


def _of(hands: tuple[Hand, ...], seat: Array) -> Hand:
    """Return the cards of one owner a game."""
    found = hands[0]
    for owner in range(1, len(hands)):
        found = _choose(seat == owner, hands[owner], found)
    return found


def _with(hands: tuple[Hand, ...], seat: Array, hand: Hand) -> tuple[Hand, ...]:
    """Change the cards of one owner a game."""
    return tuple([_choose(seat == owner, hand, old) for owner, old in enumerate(hands)])


def _choose(which: Array, one: Hand, other: Hand) -> Hand:
    places = [jnp.where(which, here, there) for here, there in zip(one.places, other.places, strict=True)]
    return Hand(jnp.where(which, one.held, other.held), jnp.where(which, one.unseen, other.unseen), tuple(places))


def _reveal(hand: Hand, place: Array, bits: Array) -> tuple[Array, Hand]:
    """Draw which kind comes at a place, among those that are unseen."""
    kind = jax_bits.nth(hand.unseen, jax_bits.below(bits, count(hand.unseen)))
    lane = (place ^ UNKNOWN) << (LANE * (kind // CIRCLES))
    places = [word ^ jnp.where(kind % CIRCLES == at, lane, 0) for at, word in enumerate(hand.places)]
    return kind, Hand(hand.held, hand.unseen & ~(U32(1) << kind), tuple(places))


def _kind_at(hand: Hand, place: Array) -> Array:
    """Return the kind that came at a place; anything for one that was not seen."""
    wanted = place * EVERY_LANE
    found = jnp.zeros_like(place)
    for at, word in enumerate(hand.places):
        odd = word ^ wanted
        same = ~(((odd & LOW_BITS) + LOW_BITS) | odd) & HIGH_BITS
        found |= same >> (LANE - 1 - at)
    return count((found & -found) - 1)


def _colours(kind: Array) -> Array:
    """Return a kind's frame and circle, in three bits each, the circle lower."""
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
