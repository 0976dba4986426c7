"""Rainbow, many games at once: the twin of rules.py and view.py, in words of bits.

A card is its number in a pack of 57, of which 32 are bits of word A and 25 of word B: A holds one card of each of the
first 32 pairs of faces, B the second cards of the 21 pairs of colours and then the last four pairs. The deck is not
shuffled but drawn from, card by card, by chance that the state carries; only the next card at either end is settled.
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array

from sevenhues.batch.contract import BatchGame
from sevenhues.batch.jax_bits import GOLDEN, U32, below, count, mix, nth, seeds
from sevenhues.core.game import Setup
from sevenhues.core.options import Options
from sevenhues.games.rainbow import network_input, notation, view
from sevenhues.games.rainbow.pieces import (
    BLIND,
    CARDS,
    COLOURS,
    END,
    FACE_COUNT,
    HAND,
    LIGHT,
    MOST_TURNED,
    MOVE_COUNT,
    NO_CARD,
    RAINBOW,
    SHADE,
    STANDARD,
    UNSEEN,
    card_byte,
)

ID = 6  # bits of a card's number in hands and row
ALL_A = np.uint32(0xFFFFFFFF)
ALL_B = np.uint32((1 << (CARDS - 32)) - 1)
NO_CARDS = np.uint32((1 << (ID * HAND)) - 1)
TWICE = COLOURS * (COLOURS - 1) // 2  # RB-2 kinds of which there are two cards
LATE = 32 - TWICE  # what a kind from 32 on loses for its place in word B


class State(NamedTuple):
    """One number a game in each; words of bits unless said."""

    low: Array  # the game's own chance
    high: Array
    drawn: Array  # how often that was asked
    pool_a: Array  # cards in the deck, but for the next at either end
    pool_b: Array
    toward_a: Array  # cards with the higher face toward seat 0
    toward_b: Array
    up0_a: Array  # cards whose face toward seat 0 has been up in a row
    up0_b: Array
    up1_a: Array
    up1_b: Array
    hand0: Array  # three cards of six bits
    hand1: Array
    next0: Array  # a card
    next1: Array
    left: Array  # how many cards the deck has
    row: Array  # cards of six bits
    sides: Array  # the side that is up, a bit a place
    length: Array
    colours: Array
    pile0: Array  # how many
    pile1: Array
    turn: Array
    played: Array
    turned: Array
    over: Array
    first: Array


def kind_of(card: Array) -> Array:
    """Return the pair of faces that a card has, as memory.kind numbers them."""
    late = jnp.where(card < 32 + TWICE, card - 32, card - TWICE)
    return jnp.where(card < 32, card, late)


def faces(card: Array) -> tuple[Array, Array]:
    """Return a card's lower and higher face."""
    kind = kind_of(card)
    high = jnp.ones_like(kind)
    for least in (1, 3, 6, 10, 15, 21, 28):
        high = high + (kind >= least).astype(U32)
    return kind - ((high * (high - 1)) >> 1), high


def has(card: Array, a: Array, b: Array) -> Array:
    """Tell whether a set holds a card: 0 or 1."""
    return (jnp.where(card < 32, a, b) >> (card & 31)) & 1


def as_set(card: Array, there: Array) -> tuple[Array, Array]:
    """Return the set of this card, or of none: `there` is 0 or 1."""
    one = there << (card & 31)
    return jnp.where(card < 32, one, 0), jnp.where(card < 32, 0, one)


def face(states: State, card: Array, side: Array) -> Array:
    """Return the face of a card toward a side."""
    low, high = faces(card)
    return jnp.where(has(card, states.toward_a, states.toward_b) == side, low, high)


def draw(a: Array, b: Array, bits: Array, n: Array) -> Array:
    """Return a random card of a set of n; of an empty one, nonsense."""
    at = below(bits, n)
    first = count(a)
    later = at >= first
    place = nth(jnp.where(later, b, a), at - jnp.where(later, first, 0))
    return place + jnp.where(later, U32(32), U32(0))


class RainbowBatch(BatchGame):
    """Rainbow, many games at once."""

    seats = 2
    move_count = MOVE_COUNT

    def __init__(self, seats: int, options: Options) -> None:
        self.layout = (*view.LAYOUT, *network_input.LAYOUT)
        self.width = sum(feature.size for feature in self.layout)

    def init(self, keys: Array) -> State:
        return self.deal(*seeds(keys))

    def deal(self, low: Array, high: Array) -> State:
        # RB-3 Orientation is a bit a card. RB-7 Who begins is random.
        zero = jnp.zeros_like(low)
        words = [mix(mix(low + U32(i) * GOLDEN) ^ high) for i in range(11)]
        a, b = jnp.full_like(low, ALL_A), jnp.full_like(low, ALL_B)
        cards = []
        for i in range(2 * HAND + 2):
            card = draw(a, b, words[i], U32(CARDS - i))
            gone_a, gone_b = as_set(card, jnp.ones_like(card))
            a, b = a ^ gone_a, b ^ gone_b
            cards.append(card)
        hands = [cards[3 * seat] | cards[3 * seat + 1] << ID | cards[3 * seat + 2] << 2 * ID for seat in range(2)]
        first = words[10] >> 31
        return State(
            low=low,
            high=high,
            drawn=zero + 11,
            pool_a=a,
            pool_b=b,
            toward_a=words[8],
            toward_b=words[9] & ALL_B,
            up0_a=zero,
            up0_b=zero,
            up1_a=zero,
            up1_b=zero,
            hand0=hands[0],
            hand1=hands[1],
            next0=cards[6],
            next1=cards[7],
            left=zero + (CARDS - 2 * HAND),
            row=zero,
            sides=zero,
            length=zero,
            colours=zero,
            pile0=zero,
            pile1=zero,
            turn=first,
            played=zero,
            turned=zero,
            over=zero,
            first=first,
        )

    def turn(self, states: State) -> Array:
        return states.turn.astype(jnp.int32)

    def over(self, states: State) -> Array:
        return states.over == 1

    def _moves(self, states: State) -> Array:
        """Return the legal moves as bits (RB-8 to RB-12)."""
        hand = jnp.where(states.turn == 0, states.hand0, states.hand1)
        slots = jnp.zeros_like(hand)
        for slot in range(HAND):
            slots = slots | ((hand >> (ID * slot)) & NO_CARD != NO_CARD).astype(U32) << slot
        flips = jnp.where(states.turned == 1, 0, (U32(1) << states.length) - 1)
        plays = jnp.where((states.turned == 1) | (states.played == 0), slots << STANDARD | slots << BLIND, 0)
        end = (states.played > 0).astype(U32) << END
        return jnp.where(states.over == 1, 0, flips | plays | end)

    def legal(self, states: State) -> Array:
        return (self._moves(states)[..., None] >> jnp.arange(MOVE_COUNT, dtype=U32)) & 1 == 1

    def pick(self, states: State, bits: Array) -> Array:
        moves = self._moves(states)
        return nth(moves, below(bits, count(moves)), 16).astype(jnp.int32)

    def scores(self, states: State) -> Array:
        return jnp.stack([states.pile0, states.pile1], -1).astype(jnp.int32)

    def values(self, states: State) -> Array:
        # RB-22 The bigger pile wins; equal piles are a draw.
        lead = jnp.sign(states.pile0.astype(jnp.float32) - states.pile1.astype(jnp.float32))
        both = jnp.stack([0.5 + 0.5 * lead, 0.5 - 0.5 * lead], -1)
        return jnp.where(self.over(states)[..., None], both, 0.0)

    def step(self, states: State, moves: Array) -> State:
        s = states
        live = 1 - s.over
        move = moves.astype(U32)
        seat = s.turn
        flip = live * (move < STANDARD).astype(U32)
        lay = live * ((move >= STANDARD) & (move < END)).astype(U32)
        ended = live * (move == END).astype(U32)
        blind = (move >= BLIND).astype(U32)
        slot = ID * (move - jnp.where(blind == 1, U32(BLIND), U32(STANDARD)))
        hand = jnp.where(seat == 0, s.hand0, s.hand1)
        card = jnp.where(flip == 1, s.row >> (ID * move), hand >> (slot & 31)) & NO_CARD
        side = jnp.where(flip == 1, 1 - ((s.sides >> (move & 31)) & 1), seat ^ blind)

        # RB-9 Turn a card over, or RB-8 lay one at the right end.
        low, high = faces(card)
        toward = has(card, s.toward_a, s.toward_b)
        up = jnp.where(toward == side, low, high)
        under = jnp.where(toward == side, high, low)
        hand = hand | jnp.where(lay == 1, U32(NO_CARD) << (slot & 31), 0)
        length = s.length + lay
        played = s.played + lay
        row = s.row | jnp.where(lay == 1, card << ((ID * s.length) & 31), 0)
        sides = s.sides ^ (flip << (move & 31)) ^ ((lay & side) << s.length)
        colours = s.colours & ~(flip << under)

        # RB-13 to RB-15 Look at the face that came up.
        seen_a, seen_b = as_set(card, flip | lay)
        lost = (flip | lay) * ((up == SHADE).astype(U32) | ((colours >> up) & 1))
        colours = (colours | (flip | lay) << up) & ((1 << COLOURS) - 1)

        # RB-12, RB-16 to RB-19 How the turn and the round end.
        rainbow = lay * (1 - lost) * (length == RAINBOW).astype(U32)
        won = lost | rainbow
        ended = ended | won | lay * (played == HAND).astype(U32)
        taker = seat ^ lost
        cards = won * length
        more = 1 - won

        # RB-20, RB-21 Draw what is missing, or the game ends.
        over = s.over | ended * (s.left < played).astype(U32)
        drawing = ended * (1 - over)
        own, other = jnp.where(seat == 0, s.next0, s.next1), jnp.where(seat == 0, s.next1, s.next0)
        left, a, b = s.left, s.pool_a, s.pool_b
        chance = mix(mix(s.low + s.drawn * GOLDEN) ^ s.high)
        chances = (chance, chance << 16, mix(chance + GOLDEN))
        for i in range(HAND):
            at = ID * i
            takes = drawing * ((hand >> at) & NO_CARD == NO_CARD).astype(U32)
            hand = jnp.where(takes == 1, (hand & ~U32(NO_CARD << at)) | own << at, hand)
            left = left - takes
            new = draw(a, b, chances[i], jnp.maximum(left, 1) - 1)
            fresh = takes * (left > 1).astype(U32)
            gone_a, gone_b = as_set(new, fresh)
            a, b = a ^ gone_a, b ^ gone_b
            # The last card of the deck is the next at both ends.
            own = jnp.where(takes == 1, jnp.where(left > 1, new, jnp.where(left == 1, other, NO_CARD)), own)
            other = jnp.where(left == 0, NO_CARD, other)
        first = seat == 0
        return State(
            low=s.low,
            high=s.high,
            drawn=s.drawn + drawing,
            pool_a=a,
            pool_b=b,
            toward_a=s.toward_a,
            toward_b=s.toward_b,
            up0_a=s.up0_a | jnp.where(side == 0, seen_a, 0),
            up0_b=s.up0_b | jnp.where(side == 0, seen_b, 0),
            up1_a=s.up1_a | jnp.where(side == 0, 0, seen_a),
            up1_b=s.up1_b | jnp.where(side == 0, 0, seen_b),
            hand0=jnp.where(first, hand, s.hand0),
            hand1=jnp.where(first, s.hand1, hand),
            next0=jnp.where(first, own, other),
            next1=jnp.where(first, other, own),
            left=left,
            row=row * more,
            sides=sides * more,
            length=length * more,
            colours=colours * more,
            pile0=s.pile0 + cards * (1 - taker),
            pile1=s.pile1 + cards * taker,
            turn=seat ^ (ended & (1 - lost)),
            played=played * (1 - ended),
            turned=flip * (1 - ended) | (1 - live) * s.turned,
            over=over,
            first=s.first,
        )

    def observe(self, states: State, seat: Array) -> Array:
        """Build features and memory, in blocks of (N, numbers)."""
        s = states
        me = jnp.broadcast_to(jnp.asarray(seat), s.turn.shape).astype(U32)
        first = me == 0
        my_hand, other_hand = jnp.where(first, s.hand0, s.hand1), jnp.where(first, s.hand1, s.hand0)
        my_next = jnp.where(first, s.next0, s.next1)
        up0, up1 = (s.up0_a, s.up0_b), (s.up1_a, s.up1_b)
        away_a, away_b = (jnp.where(first, one, other) for one, other in zip(up1, up0, strict=True))

        # Cards that turn a face toward the viewer: both hands and the next of the deck.
        held = jnp.concatenate([_spread(my_hand, HAND), _spread(other_hand, HAND), my_next[:, None]], 1)
        low, high = faces(held)
        turned = _has(s.toward_a, s.toward_b, held) == me[:, None]
        facing = jnp.where(turned, low, high)
        shown = jnp.where(held == NO_CARD, U32(view.NOTHING), facing)

        # The row: what lies up, and below as far as seen.
        lying = _spread(s.row, MOST_TURNED)
        places = jnp.arange(MOST_TURNED, dtype=U32)
        there = places < s.length[:, None]
        side = (s.sides[:, None] >> places) & 1
        low, high = faces(lying)
        turned = _has(s.toward_a, s.toward_b, lying) == side
        up, under = jnp.where(turned, low, high), jnp.where(turned, high, low)
        was_up = jnp.where(side == 1, _has(*up0, lying), _has(*up1, lying))  # the face that is below now
        mine = there & ((side != me[:, None]) | (was_up == 1))
        its = there & ((side == me[:, None]) | (was_up == 1))
        nothing = U32(view.NOTHING)

        loose_a, loose_b = ALL_A & ~away_a, ALL_B & ~away_b
        half = self._half(s, me, my_next, loose_a, loose_b)
        colours = s.colours[:, None]
        hand_odds = _odds(loose_a, loose_b, facing[:, : 2 * HAND], colours)
        others = colours & ~(U32(1) << up)
        known = jnp.where(_fits(under, others), U32(network_input.CERTAIN), U32(0))
        flip_odds = jnp.where(mine, known, _odds(loose_a, loose_b, up, others))
        alone = [
            (s.turn == me).astype(U32) * (1 - s.over),
            s.over,
            s.played,
            s.turned,
        ]
        blocks = [
            jnp.stack(alone, 1),
            shown[:, : 2 * HAND],
            jnp.where(there, up, nothing),
            jnp.where(mine, under, jnp.where(there, U32(UNSEEN), nothing)),
            s.left[:, None],
            shown[:, 2 * HAND :],
            jnp.where(first, s.pile0, s.pile1)[:, None],
            jnp.where(first, s.pile1, s.pile0)[:, None],
            (colours >> jnp.arange(COLOURS, dtype=U32)) & 1,
            its.astype(U32),
            _by_kind(loose_a, loose_b),
            half,
            jnp.where(held[:, : 2 * HAND] == NO_CARD, 0, hand_odds),
            jnp.where(there, flip_odds, 0),
        ]
        return jnp.concatenate([block.astype(jnp.uint8) for block in blocks], 1)

    def _half(self, s: State, me: Array, my_next: Array, loose_a: Array, loose_b: Array) -> Array:
        """Count, by the face toward the viewer, the cards of which just that has been seen."""
        ends = [as_set(card, (s.left > 0).astype(U32)) for card in (s.next0, s.next1)]
        own_a, own_b = as_set(my_next, (s.left > 0).astype(U32))
        half_a = loose_a & ~(s.pool_a | ends[0][0] | ends[1][0]) | own_a
        half_b = loose_b & ~(s.pool_b | ends[0][1] | ends[1][1]) | own_b
        seat_1 = U32(0) - me  # all bits for seat 1, to whom the lower faces are turned where seat 0 sees the higher
        higher_a, higher_b = s.toward_a ^ seat_1, s.toward_b ^ seat_1
        found_a = half_a[:, None] & ((LOWER_A & ~higher_a[:, None]) | (HIGHER_A & higher_a[:, None]))
        found_b = half_b[:, None] & ((LOWER_B & ~higher_b[:, None]) | (HIGHER_B & higher_b[:, None]))
        return count(found_a) + count(found_b)

    def setup(self, story: State) -> Setup:
        ends: list[list[int]] = [[], []]
        before = [[NO_CARD] * HAND, [NO_CARD] * HAND]
        for ply in range(len(story.turn)):
            for seat, hands in enumerate((story.hand0, story.hand1)):
                hand = [int(hands[ply]) >> (ID * slot) & NO_CARD for slot in range(HAND)]
                ends[seat] += [card for card, old in zip(hand, before[seat], strict=True) if card not in (old, NO_CARD)]
                before[seat] = hand
        drawn = {*ends[0], *ends[1]}
        left = [card for card in (int(story.next0[-1]), int(story.next1[-1])) if card != NO_CARD]
        inner = [card for card in range(CARDS) if card not in drawn and card not in left]
        deck = [*ends[0], *left[:1], *inner, *(left[1:] if left[1:] != left[:1] else []), *ends[1][::-1]]
        higher = int(story.toward_a[0]) | int(story.toward_b[0]) << 32
        pairs = [(FACES[card][1], FACES[card][0]) if higher >> card & 1 else FACES[card] for card in deck]
        texts = notation.deck_texts(bytes([card_byte(one, other) for one, other in pairs]))
        return {"deck": texts, "first": int(story.first[0])}

    def plain(self, states: State) -> Array:
        """Play a safe card standard, else the likeliest blind; go on for a sure RAINBOW alone, else stop."""
        s = states
        hand = _spread(jnp.where(s.turn == 0, s.hand0, s.hand1), HAND)
        low, high = faces(hand)
        toward = jnp.where(_has(s.toward_a, s.toward_b, hand) == s.turn[:, None], low, high)
        holds = hand != NO_CARD
        safe = holds & _fits(toward, s.colours[:, None])
        standard = STANDARD + jnp.argmax(safe, 1)
        risk = jnp.where(toward == SHADE, 0, 1) + jnp.where(holds, 0, 9)
        play = jnp.where(safe.any(1), standard, BLIND + jnp.argmin(risk, 1))
        seen = self.observe(states, s.turn)
        certain = seen[:, -MOST_TURNED:] == network_input.CERTAIN
        lying = _spread(s.row, MOST_TURNED)
        low, high = faces(lying)
        side = (s.sides[:, None] >> jnp.arange(MOST_TURNED, dtype=U32)) & 1
        turned = _has(s.toward_a, s.toward_b, lying) == side
        up, under = jnp.where(turned, low, high), jnp.where(turned, high, low)
        after = (s.colours[:, None] & ~(U32(1) << up)) | (U32(1) << under) & ((1 << COLOURS) - 1)
        finish = (holds[:, None, :] & _fits(toward[:, None, :], after[:, :, None])).any(2)
        sure = certain & finish & (s.length == RAINBOW - 1)[:, None]
        onward = jnp.where(sure.any(1), jnp.argmax(sure, 1), END)
        return jnp.where((s.played == 0) | (s.turned == 1), play, onward).astype(jnp.int32)


def _faces_of(card: int) -> tuple[int, int]:
    kind = card if card < 32 else card - 32 if card < 32 + TWICE else card - TWICE
    high = next(high for high in range(FACE_COUNT) if kind < high * (high + 1) // 2)
    return kind - high * (high - 1) // 2, high


FACES = [_faces_of(card) for card in range(CARDS)]


def _sets(which: int) -> tuple[np.ndarray, np.ndarray]:
    """Return, for each face, the cards of A and B of which it is the lower (0) or the higher (1)."""
    words = np.zeros((2, FACE_COUNT), np.uint32)
    for card, pair in enumerate(FACES):
        words[card // 32, pair[which]] |= np.uint32(1 << card % 32)
    return words[0], words[1]


LOWER_A, LOWER_B = _sets(0)
HIGHER_A, HIGHER_B = _sets(1)
WITH_A, WITH_B = LOWER_A | HIGHER_A, LOWER_B | HIGHER_B
KINDS = np.arange(network_input.KINDS, dtype=np.uint32)


def _spread(cards: Array, n: int) -> Array:
    return (cards[:, None] >> (ID * jnp.arange(n, dtype=U32))) & NO_CARD


def _has(a: Array, b: Array, cards: Array) -> Array:
    return has(cards, a[:, None], b[:, None])


def _by_kind(a: Array, b: Array) -> Array:
    """Count the cards of a set by their pair of faces."""
    ones = jnp.where(KINDS < 32, a[:, None] >> (KINDS & 31), 0) & 1
    more = jnp.where(KINDS < TWICE, b[:, None] >> (KINDS & 31), 0) & 1
    late = jnp.where(KINDS >= 32, b[:, None] >> ((KINDS - LATE) & 31), 0) & 1
    return ones + more + late


def _fits(face: Array, colours: Array) -> Array:
    """RB-14, RB-15 Tell whether a face may come up beside these colours."""
    return (face == LIGHT) | ((face < COLOURS) & ((colours >> face) & 1 == 0))


def _odds(a: Array, b: Array, face: Array, colours: Array) -> Array:
    """Return the per cent of a set's cards with a face, (N, n), whose other face is safe beside these colours."""
    with_a, with_b, bad_a, bad_b = (jnp.zeros_like(face) for _ in range(4))
    for other in range(FACE_COUNT):
        same = face == other
        bad = ~same if other == SHADE else ~same & ((colours >> other) & 1 == 1) if other < COLOURS else None
        with_a = with_a | jnp.where(same, WITH_A[other], 0)
        with_b = with_b | jnp.where(same, WITH_B[other], 0)
        if bad is not None:
            bad_a = bad_a | jnp.where(bad, WITH_A[other], 0)
            bad_b = bad_b | jnp.where(bad, WITH_B[other], 0)
    with_a, with_b = with_a & a[:, None], with_b & b[:, None]
    every = count(with_a) + count(with_b)
    safe = count(with_a & ~bad_a) + count(with_b & ~bad_b)
    return network_input.CERTAIN * safe // jnp.maximum(every, 1)
