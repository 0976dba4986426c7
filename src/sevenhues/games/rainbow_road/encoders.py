"""Encodings of Rainbow Road positions: the observation and the information state."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from sevenhues.core import bits
from sevenhues.core.encoder import Encoder, Feature
from sevenhues.core.options import Options
from sevenhues.core.position import WATCHER
from sevenhues.games.rainbow_road.board import OVER
from sevenhues.games.rainbow_road.pieces import (
    COPIES,
    HAND_SIZE,
    MAX_GAIN,
    NO_SPOT,
    NUMBERS,
    PRANKS,
    PRANKS_EACH,
    RING,
    ROUNDS,
    all_gains,
    count_of,
    gain_in,
    number_at,
    seen_from,
    size,
)
from sevenhues.games.rainbow_road.rules import RoadPosition

PRANK_COUNT: Final = len(PRANKS)
MAX_POINTS: Final = 80  # ten in each of eight rounds
SPOT_CODES: Final = "a spot, 0-9 from the viewer's own first one in the order of +, or 10 for none"
OBSERVATION_LAYOUT: Final = (
    Feature("my_turn", 1, 1, "1 if the viewer is to act (for a watcher, here and below: seat 0)"),
    Feature("phase", 1, OVER, "0 a card is led, 1 the other is played, 2 Sunny moves, 3 Rain moves, 4 over"),
    Feature("round", 1, ROUNDS, "rounds that are over; the weather is sunny if even"),
    Feature("road", RING, NUMBERS, "the number on each spot, the viewer's half first; 0 for none"),
    Feature("sunny_fairy", 1, RING, SPOT_CODES),
    Feature("rain_fairy", 1, RING, SPOT_CODES),
    Feature("my_marker", 1, RING, SPOT_CODES),
    Feature("other_marker", 1, RING, SPOT_CODES),
    Feature("owed", 1, RING, f"what a trashed card left: {SPOT_CODES}"),
    Feature("origin", 1, RING, f"where the fairy's move began: {SPOT_CODES}"),
    Feature("ways", 1, 3, "the ways it may take: 1 for +, plus 2 for -"),
    Feature("hopped", 1, 1, "1 if it has made its first hop"),
    Feature("pranked", 1, 1, "1 if a prank was used this round"),
    Feature("my_hand", NUMBERS, COPIES, "how many of each number the viewer holds (a watcher sees none)"),
    Feature("hand_sizes", 2, HAND_SIZE, "cards in hand: the viewer, the opponent"),
    Feature("my_pranks", len(PRANKS), 1, f"1 for each prank the viewer holds: {', '.join(PRANKS)}"),
    Feature("used_pranks", len(PRANKS), 2, "1 if the viewer has used it, 2 if the opponent has"),
    Feature("prank_counts", 2, PRANKS_EACH, "pranks held: the viewer, the opponent"),
    Feature("discards", NUMBERS, COPIES, "how many of each number lie in the discard pile"),
    Feature("scores", 2, MAX_POINTS, "points: the viewer, the opponent"),
    Feature("gains", 2, MAX_GAIN, "points of this round, or the last when the game is over: the viewer, the opponent"),
    Feature("clockwise", 1, 1, "1 with the option direction=clockwise"),
    Feature("free_leap", 1, 1, "1 with the option leap=free"),
)
OBSERVATION_SIZE: Final = sum([feature.size for feature in OBSERVATION_LAYOUT])

INFORMATION_STATE_LAYOUT: Final = (
    Feature("my_first", 1, 1, "1 if the viewer (for a watcher: seat 0) began the game"),
    Feature("dealt", NUMBERS, COPIES, "cards of each number that were dealt to the viewer (for a watcher: 0)"),
    Feature("given", len(PRANKS), 1, "pranks that were dealt to the viewer: " + ", ".join(PRANKS)),
    Feature("opened", RING, NUMBERS, "the numbers that lay on the ring at first, from the viewer's first spot; 0 none"),
)


class RoadObservation(Encoder[RoadPosition]):
    """Encodes what a seat sees."""

    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return OBSERVATION_LAYOUT

    def encode(self, position: RoadPosition, seat: int) -> list[int]:
        numbers: vec[i64] = vec[i64]([0] * OBSERVATION_SIZE)
        self.write(position, seat, numbers, 0)
        return [numbers[i] for i in range(OBSERVATION_SIZE)]

    def write(self, position: RoadPosition, seat: int, numbers: vec[i64], start: i64) -> None:
        me: i64 = max(seat, 0)
        other = 1 - me
        hand: i64 = 0
        held: i64 = 0
        if seat >= 0:
            hand = position.hand(me)
            held = position.held(me)
        used_0 = position.dealt_pranks_0 & ~position.held_0
        used_1 = position.dealt_pranks_1 & ~position.held_1
        my_used = used_1 if me else used_0
        other_used = used_0 if me else used_1
        my_gains = position.gains_1 if me else position.gains_0
        other_gains = position.gains_0 if me else position.gains_1
        current_round = position.round
        if current_round == ROUNDS:  # the game is over
            current_round -= 1
        numbers[start] = 1 if position.phase != OVER and position.turn == me else 0
        numbers[start + 1] = position.phase
        numbers[start + 2] = position.round
        at = start + 3
        for spot in range(RING):
            numbers[at + spot] = number_at(position.numbers, seen_from(me, spot))
        at += RING
        numbers[at] = spot_seen_from(me, position.sunny)
        numbers[at + 1] = spot_seen_from(me, position.rain)
        numbers[at + 2] = spot_seen_from(me, position.mark_1 if me else position.mark_0)
        numbers[at + 3] = spot_seen_from(me, position.mark_0 if me else position.mark_1)
        numbers[at + 4] = spot_seen_from(me, position.owed)
        numbers[at + 5] = spot_seen_from(me, position.origin)
        numbers[at + 6] = position.ways
        numbers[at + 7] = 1 if position.hopped else 0
        numbers[at + 8] = 1 if position.pranked else 0
        at += 9
        for number in range(NUMBERS):
            numbers[at + number] = count_of(hand, number + 1)
        at += NUMBERS
        numbers[at] = size(position.hand(me))
        numbers[at + 1] = size(position.hand(other))
        at += 2
        for prank in range(PRANK_COUNT):
            numbers[at + prank] = held >> prank & 1
            numbers[at + PRANK_COUNT + prank] = (my_used >> prank & 1) + 2 * (other_used >> prank & 1)
        at += 2 * PRANK_COUNT
        numbers[at] = bits.count(position.held(me))
        numbers[at + 1] = bits.count(position.held(other))
        at += 2
        for number in range(NUMBERS):
            numbers[at + number] = count_of(position.discards, number + 1)
        at += NUMBERS
        numbers[at] = all_gains(my_gains)
        numbers[at + 1] = all_gains(other_gains)
        numbers[at + 2] = gain_in(my_gains, current_round)
        numbers[at + 3] = gain_in(other_gains, current_round)
        numbers[at + 4] = 1 if position.clockwise else 0
        numbers[at + 5] = 1 if position.free_leap else 0


def spot_seen_from(seat: i64, spot: i64) -> i64:
    """Convert a spot, or NO_SPOT, to count from the first spot of a seat's half."""
    if spot == NO_SPOT:
        return NO_SPOT
    return seen_from(seat, spot)


class RoadInformationState(Encoder[RoadPosition]):
    """Encodes what a seat saw of the deal; the moves show the rest."""

    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return INFORMATION_STATE_LAYOUT

    def encode(self, position: RoadPosition, seat: int) -> list[int]:
        me: i64 = max(seat, 0)
        dealt: i64 = 0
        pranks: i64 = 0
        if seat != WATCHER:
            dealt = position.dealt_1 if me else position.dealt_0
            pranks = position.dealt_pranks_1 if me else position.dealt_pranks_0
        return [
            int(position.first == me),
            *[count_of(dealt, number) for number in range(1, NUMBERS + 1)],
            *[pranks >> prank & 1 for prank in range(len(PRANKS))],
            *[number_at(position.dealt_open, seen_from(me, spot)) for spot in range(RING)],
        ]
