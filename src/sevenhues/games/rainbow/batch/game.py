"""Rainbow for many games at once, in JAX. The rules in rules.py decide; tests compare both.

The deck is not shuffled but drawn from, card by card, with random numbers of the state; only the next card at either
end is determined before it is drawn.
"""

from typing import NamedTuple

import jax.numpy as jnp
from jax import Array

from sevenhues.batch.contract import BatchGame
from sevenhues.batch.jax_bits import GOLDEN, U32, below, bytes_of, count, mix, nth, seeds
from sevenhues.core.game import Setup
from sevenhues.core.options import Options
from sevenhues.games.rainbow import encoders, notation
from sevenhues.games.rainbow.batch.cards import (
    ALL_A,
    ALL_B,
    FACES,
    HIGHER_A,
    HIGHER_B,
    ID_BITS,
    LOWER_A,
    LOWER_B,
    as_set,
    count_by_kind,
    draw,
    faces,
    fits,
    has,
    safe_percent,
    threats,
)
from sevenhues.games.rainbow.pieces import (
    BLIND,
    CARDS,
    COLOURS,
    END,
    FACE_COUNT,
    HAND_SIZE,
    MAX_ROW_LENGTH,
    MOVE_COUNT,
    NO_CARD,
    RAINBOW,
    SHADE,
    STANDARD,
    UNSEEN,
    card_byte,
)


class State(NamedTuple):
    """One number per game in each field; sets of cards are two words, A and B (see cards.py)."""

    low: Array  # the seed of the game's random numbers
    high: Array
    drawn: Array  # random numbers drawn so far
    pool_a: Array  # cards in the deck, except the next card at either end
    pool_b: Array
    toward_a: Array  # cards with the higher face toward seat 0
    toward_b: Array
    up0_a: Array  # cards whose face toward seat 0 has been up in a row
    up0_b: Array
    up1_a: Array
    up1_b: Array
    hand0: Array  # three cards of ID_BITS each
    hand1: Array
    next0: Array  # a card
    next1: Array
    left: Array  # number of cards in the deck
    row: Array  # cards of ID_BITS each
    sides: Array  # the side that is up, one bit per place
    length: Array
    colours: Array
    pile0: Array  # number of cards
    pile1: Array
    turn: Array
    played: Array
    turned: Array
    over: Array
    first: Array


class RainbowBatch(BatchGame):
    """Rainbow for many games at once."""

    seats = 2
    move_count = MOVE_COUNT

    def __init__(self, seats: int, options: Options) -> None:
        self.layout = (*encoders.OBSERVATION_LAYOUT, *encoders.NETWORK_INPUT_LAYOUT)
        self.width = sum(feature.size for feature in self.layout)

    def init(self, keys: Array) -> State:
        return self.deal(*seeds(keys))

    def deal(self, low: Array, high: Array) -> State:
        # RB-3 Orientation is one bit per card. RB-7 The first seat is random.
        zero = jnp.zeros_like(low)
        words = [mix(mix(low + U32(i) * GOLDEN) ^ high) for i in range(11)]
        a, b = jnp.full_like(low, ALL_A), jnp.full_like(low, ALL_B)
        cards = []
        for i in range(2 * HAND_SIZE + 2):
            card = draw(a, b, words[i], U32(CARDS - i))
            gone_a, gone_b = as_set(card, jnp.ones_like(card))
            a, b = a ^ gone_a, b ^ gone_b
            cards.append(card)
        hands = [
            cards[3 * seat] | cards[3 * seat + 1] << ID_BITS | cards[3 * seat + 2] << 2 * ID_BITS for seat in range(2)
        ]
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
            left=zero + (CARDS - 2 * HAND_SIZE),
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
        for slot in range(HAND_SIZE):
            slots = slots | ((hand >> (ID_BITS * slot)) & NO_CARD != NO_CARD).astype(U32) << slot
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
        s, seat = states, states.turn
        live = 1 - s.over
        play = _reveal(s, moves.astype(U32), live)
        # RB-12, RB-16 to RB-19 The end of the turn and of the round.
        rainbow = play.lays * (1 - play.lost) * (play.length == RAINBOW).astype(U32)
        won = play.lost | rainbow
        ended = play.ends | won | play.lays * (play.played == HAND_SIZE).astype(U32)
        taker = seat ^ play.lost
        cards = won * play.length
        continues = 1 - won
        # RB-20, RB-21 The hand is refilled, or the game ends.
        over = s.over | ended * (s.left < play.played).astype(U32)
        drawing = ended * (1 - over)
        refill = _refill(s, play.hand, drawing)
        first = seat == 0
        return State(
            low=s.low,
            high=s.high,
            drawn=s.drawn + drawing,
            pool_a=refill.pool_a,
            pool_b=refill.pool_b,
            toward_a=s.toward_a,
            toward_b=s.toward_b,
            up0_a=s.up0_a | jnp.where(play.side == 0, play.seen_a, 0),
            up0_b=s.up0_b | jnp.where(play.side == 0, play.seen_b, 0),
            up1_a=s.up1_a | jnp.where(play.side == 0, 0, play.seen_a),
            up1_b=s.up1_b | jnp.where(play.side == 0, 0, play.seen_b),
            hand0=jnp.where(first, refill.hand, s.hand0),
            hand1=jnp.where(first, s.hand1, refill.hand),
            next0=jnp.where(first, refill.own_next, refill.other_next),
            next1=jnp.where(first, refill.other_next, refill.own_next),
            left=refill.left,
            row=play.row * continues,
            sides=play.sides * continues,
            length=play.length * continues,
            colours=play.colours * continues,
            pile0=s.pile0 + cards * (1 - taker),
            pile1=s.pile1 + cards * taker,
            turn=seat ^ (ended & (1 - play.lost)),
            played=play.played * (1 - ended),
            turned=play.flips * (1 - ended) | (1 - live) * s.turned,
            over=over,
            first=s.first,
        )

    def observe(self, states: State, seat: Array, numbers: int | None = None) -> Array:
        s = states
        me = jnp.broadcast_to(jnp.asarray(seat), s.turn.shape).astype(U32)
        first = me == 0
        my_hand, other_hand = jnp.where(first, s.hand0, s.hand1), jnp.where(first, s.hand1, s.hand0)
        my_next = jnp.where(first, s.next0, s.next1)
        up0, up1 = (s.up0_a, s.up0_b), (s.up1_a, s.up1_b)
        away_a, away_b = (jnp.where(first, one, other) for one, other in zip(up1, up0, strict=True))
        loose_a, loose_b = ALL_A & ~away_a, ALL_B & ~away_b
        bad = threats(s.colours)
        nothing = U32(encoders.NOTHING)

        # Cards with a face toward the viewer: both hands and the next card of the deck.
        hands = [(hand >> ID_BITS * slot) & NO_CARD for hand in (my_hand, other_hand) for slot in range(HAND_SIZE)]
        shown, odds = [], []
        for card in (*hands, my_next):
            face = _face(s, card, me)
            shown.append(jnp.where(card == NO_CARD, nothing, face))
            odds.append(jnp.where(card == NO_CARD, 0, safe_percent(loose_a, loose_b, face, bad)))

        row_up, row_under, other_knows, flip_odds = [], [], [], []
        for place in range(MAX_ROW_LENGTH):
            row = _row_card(s, U32(place))
            was_up = jnp.where(row.side == 1, has(row.card, *up0), has(row.card, *up1)) == 1  # the face below
            mine = row.there & ((row.side != me) | was_up)
            others = s.colours & ~(U32(1) << row.up)
            known = jnp.where(fits(row.under, others), U32(encoders.CERTAIN), U32(0))
            chance = jnp.where(mine, known, safe_percent(loose_a, loose_b, row.up, bad))
            row_up.append(jnp.where(row.there, row.up, nothing))
            row_under.append(jnp.where(mine, row.under, jnp.where(row.there, U32(UNSEEN), nothing)))
            other_knows.append(row.there & ((row.side == me) | was_up))
            flip_odds.append(jnp.where(row.there, chance, 0))

        observed = [
            (s.turn == me).astype(U32) * (1 - s.over),
            s.over,
            s.played,
            s.turned,
            *shown[:-1],
            *row_up,
            *row_under,
            s.left,
            shown[-1],
            jnp.where(first, s.pile0, s.pile1),
            jnp.where(first, s.pile1, s.pile0),
            *[(s.colours >> colour) & 1 for colour in range(COLOURS)],
            *other_knows,
            *count_by_kind(loose_a, loose_b),
            *self._half(s, me, my_next, loose_a, loose_b),
            *odds[:-1],
            *flip_odds,
        ]
        return bytes_of(observed[:numbers])

    def _half(self, s: State, me: Array, my_next: Array, loose_a: Array, loose_b: Array) -> list[Array]:
        """Count by the face toward the viewer the cards of which the viewer has seen only that face."""
        ends = [as_set(card, (s.left > 0).astype(U32)) for card in (s.next0, s.next1)]
        own_a, own_b = as_set(my_next, (s.left > 0).astype(U32))
        half_a = loose_a & ~(s.pool_a | ends[0][0] | ends[1][0]) | own_a
        half_b = loose_b & ~(s.pool_b | ends[0][1] | ends[1][1]) | own_b
        seat_1 = U32(0) - me  # all bits for seat 1: it sees the lower face where seat 0 sees the higher
        higher_a, higher_b = s.toward_a ^ seat_1, s.toward_b ^ seat_1
        return [
            count(half_a & ((LOWER_A[face] & ~higher_a) | (HIGHER_A[face] & higher_a)))
            + count(half_b & ((LOWER_B[face] & ~higher_b) | (HIGHER_B[face] & higher_b)))
            for face in range(FACE_COUNT)
        ]

    def setup(self, history: State) -> Setup:
        ends: list[list[int]] = [[], []]
        before = [[NO_CARD] * HAND_SIZE, [NO_CARD] * HAND_SIZE]
        for ply in range(len(history.turn)):
            for seat, hands in enumerate((history.hand0, history.hand1)):
                hand = [int(hands[ply]) >> (ID_BITS * slot) & NO_CARD for slot in range(HAND_SIZE)]
                ends[seat] += [card for card, old in zip(hand, before[seat], strict=True) if card not in (old, NO_CARD)]
                before[seat] = hand
        drawn = {*ends[0], *ends[1]}
        left = [card for card in (int(history.next0[-1]), int(history.next1[-1])) if card != NO_CARD]
        inner = [card for card in range(CARDS) if card not in drawn and card not in left]
        deck = [*ends[0], *left[:1], *inner, *(left[1:] if left[1:] != left[:1] else []), *ends[1][::-1]]
        higher = int(history.toward_a[0]) | int(history.toward_b[0]) << 32
        pairs = [(FACES[card][1], FACES[card][0]) if higher >> card & 1 else FACES[card] for card in deck]
        texts = notation.deck_texts(bytes([card_byte(one, other) for one, other in pairs]))
        return {"deck": texts, "first": int(history.first[0])}

    def plain(self, states: State) -> Array:
        """Play a safe card standard, or the safest card blind. Continue only for a certain RAINBOW."""
        s = states
        columns = State(*[field[:, None] for field in s])
        hand = (
            jnp.where(s.turn == 0, s.hand0, s.hand1)[:, None] >> ID_BITS * jnp.arange(HAND_SIZE, dtype=U32)
        ) & NO_CARD
        toward = _face(columns, hand, columns.turn)
        holds = hand != NO_CARD
        safe = holds & fits(toward, columns.colours)
        standard = STANDARD + jnp.argmax(safe, 1)
        risk = jnp.where(toward == SHADE, 0, 1) + jnp.where(holds, 0, 9)
        play = jnp.where(safe.any(1), standard, BLIND + jnp.argmin(risk, 1))
        seen = self.observe(states, s.turn)
        certain = seen[:, -MAX_ROW_LENGTH:] == encoders.CERTAIN
        row = _row_card(columns, jnp.arange(MAX_ROW_LENGTH, dtype=U32))
        after = (columns.colours & ~(U32(1) << row.up)) | (U32(1) << row.under) & ((1 << COLOURS) - 1)
        finish = (holds[:, None, :] & fits(toward[:, None, :], after[:, :, None])).any(2)
        sure = certain & finish & (columns.length == RAINBOW - 1)
        onward = jnp.where(sure.any(1), jnp.argmax(sure, 1), END)
        return jnp.where((s.played == 0) | (s.turned == 1), play, onward).astype(jnp.int32)


def _face(s: State, card: Array, side: Array) -> Array:
    """Return the face of a card on one side, toward a seat."""
    low, high = faces(card)
    return jnp.where(has(card, s.toward_a, s.toward_b) == side, low, high)


class _RowCard(NamedTuple):
    """A place of the row."""

    card: Array
    there: Array  # the row has a card at this place
    side: Array  # the side that is up
    up: Array  # the face that is up
    under: Array


def _row_card(s: State, place: Array) -> _RowCard:
    card = (s.row >> ID_BITS * place) & NO_CARD
    side = (s.sides >> place) & 1
    low, high = faces(card)
    turned = has(card, s.toward_a, s.toward_b) == side
    up, under = jnp.where(turned, low, high), jnp.where(turned, high, low)
    return _RowCard(card, place < s.length, side, up, under)


class _Play(NamedTuple):
    """The effect of a move on hand and row, before the turn or the round ends. Flags are 0 or 1."""

    flips: Array  # the move turns a card over
    lays: Array  # the move plays a card
    ends: Array  # the move ends the turn
    side: Array  # the side of the card that comes up
    seen_a: Array  # the card that comes up, as a set
    seen_b: Array
    hand: Array
    row: Array
    sides: Array
    length: Array
    played: Array
    colours: Array
    lost: Array  # the face that comes up loses the round


def _reveal(s: State, move: Array, live: Array) -> _Play:
    """RB-8, RB-9 Play a card or turn one over, and RB-13 to RB-15 check the face that comes up."""
    seat = s.turn
    flips = live * (move < STANDARD).astype(U32)
    lays = live * ((move >= STANDARD) & (move < END)).astype(U32)
    blind = (move >= BLIND).astype(U32)
    slot = ID_BITS * (move - jnp.where(blind == 1, U32(BLIND), U32(STANDARD)))
    hand = jnp.where(seat == 0, s.hand0, s.hand1)
    card = jnp.where(flips == 1, s.row >> (ID_BITS * move), hand >> (slot & 31)) & NO_CARD
    side = jnp.where(flips == 1, 1 - ((s.sides >> (move & 31)) & 1), seat ^ blind)
    low, high = faces(card)
    toward = has(card, s.toward_a, s.toward_b)
    up = jnp.where(toward == side, low, high)
    under = jnp.where(toward == side, high, low)
    colours = s.colours & ~(flips << under)
    seen_a, seen_b = as_set(card, flips | lays)
    return _Play(
        flips=flips,
        lays=lays,
        ends=live * (move == END).astype(U32),
        side=side,
        seen_a=seen_a,
        seen_b=seen_b,
        hand=hand | jnp.where(lays == 1, U32(NO_CARD) << (slot & 31), 0),
        row=s.row | jnp.where(lays == 1, card << ((ID_BITS * s.length) & 31), 0),
        sides=s.sides ^ (flips << (move & 31)) ^ ((lays & side) << s.length),
        length=s.length + lays,
        played=s.played + lays,
        colours=(colours | (flips | lays) << up) & ((1 << COLOURS) - 1),
        lost=(flips | lays) * ((up == SHADE).astype(U32) | ((colours >> up) & 1)),
    )


class _Refill(NamedTuple):
    """A hand and the deck after drawing."""

    hand: Array
    own_next: Array  # the next card at the end of the seat to act
    other_next: Array
    left: Array
    pool_a: Array
    pool_b: Array


def _refill(s: State, hand: Array, drawing: Array) -> _Refill:
    """RB-20 Fill the empty slots of the seat to act from its end of the deck, where `drawing` is 1."""
    first = s.turn == 0
    own, other = jnp.where(first, s.next0, s.next1), jnp.where(first, s.next1, s.next0)
    left, a, b = s.left, s.pool_a, s.pool_b
    random = mix(mix(s.low + s.drawn * GOLDEN) ^ s.high)
    randoms = (random, random << 16, mix(random + GOLDEN))
    for i in range(HAND_SIZE):
        at = ID_BITS * i
        takes = drawing * ((hand >> at) & NO_CARD == NO_CARD).astype(U32)
        hand = jnp.where(takes == 1, (hand & ~U32(NO_CARD << at)) | own << at, hand)
        left = left - takes
        new = draw(a, b, randoms[i], jnp.maximum(left, 1) - 1)
        fresh = takes * (left > 1).astype(U32)
        gone_a, gone_b = as_set(new, fresh)
        a, b = a ^ gone_a, b ^ gone_b
        # The last card of the deck is the next card at both ends.
        own = jnp.where(takes == 1, jnp.where(left > 1, new, jnp.where(left == 1, other, NO_CARD)), own)
        other = jnp.where(left == 0, NO_CARD, other)
    return _Refill(hand, own, other, left, a, b)
