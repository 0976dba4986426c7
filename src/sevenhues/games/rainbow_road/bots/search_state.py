"""The state of a search in Rainbow Road: a position without its history, and its evaluation."""

from mypy_extensions import i64

from sevenhues.core.bits import bit
from sevenhues.games.rainbow_road.bots.evaluation import Evaluation, chance
from sevenhues.games.rainbow_road.bots.fairy_moves import RainMoves
from sevenhues.games.rainbow_road.pieces import (
    BACK,
    HALF,
    HALF_SPOTS,
    NO_SPOT,
    ROUNDS,
    all_gains,
    gain_in,
    number_at,
)
from sevenhues.games.rainbow_road.rules import RoadPosition


class SearchState:
    """Everything that the rest of a game depends on when all hands are known."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self.rain_moves = RainMoves()
        self.first_way: i64 = 0
        self.free_leap = False
        self.numbers: i64 = 0
        self.discards: i64 = 0
        self.sunny: i64 = 0
        self.rain: i64 = 0
        self.hand_0: i64 = 0
        self.hand_1: i64 = 0
        self.held_0: i64 = 0
        self.held_1: i64 = 0
        self.mark_0: i64 = NO_SPOT
        self.mark_1: i64 = NO_SPOT
        self.owed: i64 = NO_SPOT
        self.round: i64 = 0
        self.lead: i64 = 0  # points of seat 0 less those of seat 1
        self.gain: i64 = 0  # the same, in this round
        self.holding = 0.0  # the value of seat 0's cards and pranks less seat 1's, at the end of the round

    def load(self, position: RoadPosition) -> None:
        """Copy the state from a position."""
        self.first_way = BACK if position.clockwise else 0
        self.free_leap = position.free_leap
        self.numbers = position.numbers
        self.discards = position.discards
        self.sunny = position.sunny
        self.rain = position.rain
        self.hand_0 = position.hand_0
        self.hand_1 = position.hand_1
        self.held_0 = position.held_0
        self.held_1 = position.held_1
        self.mark_0 = position.mark_0
        self.mark_1 = position.mark_1
        self.owed = position.owed
        self.round = position.round
        self.lead = all_gains(position.gains_0) - all_gains(position.gains_1)
        last = position.round if position.round < ROUNDS else position.round - 1
        self.gain = gain_in(position.gains_0, last) - gain_in(position.gains_1, last)

    def places(self, seat: i64) -> i64:
        """RR-8, RR-25 Return the spots of its half to which a seat may play, as five bits."""
        half: i64 = HALF * seat
        if half <= self.owed < half + HALF:
            return bit(self.owed - half)
        free: i64 = 0
        empty: i64 = 0
        spot: i64 = 0
        while spot < HALF:
            if number_at(self.numbers, half + spot) == 0:
                empty |= bit(spot)
            elif half + spot != self.sunny and half + spot != self.rain:
                free |= bit(spot)
            spot += 1
        return empty if empty else free & HALF_SPOTS

    def prepare_rain_moves(self) -> None:
        """Copy the state to `rain_moves`."""
        moves = self.rain_moves
        moves.numbers = self.numbers
        moves.sunny = self.sunny
        moves.rain = self.rain
        moves.discards = self.discards
        moves.marks = bit(self.mark_0) | bit(self.mark_1)
        moves.first_way = self.first_way
        moves.climbs = self.round & 1 == 1

    def evaluate(self, seat: i64) -> float:
        """Value the start of a round for the seat that starts it."""
        self.compute_holding(ROUNDS - self.round)
        points = float(self.lead) + self.holding + self.evaluation.standing(seat, self.sunny)
        return chance(-points if seat else points, ROUNDS - self.round)

    def compute_holding(self, left: i64) -> None:
        """Evaluate the cards and pranks of both seats for a round end with `left` rounds to come."""
        self.holding = self.evaluation.holding(self.hand_0, self.hand_1, self.held_0, self.held_1, left)

    def final_value(self, seat: i64) -> float:
        """RR-12 Value the end of the game for the seat that moved the Sunny Fairy last."""
        lead = self.lead if self.lead != 0 else self.gain
        if seat:
            lead = -lead
        return 1.0 if lead >= 0 else 0.0

    def round_end_value(self, seat: i64, points: float, left: i64) -> float:
        """Value the end of a round for the mover of the Rain Fairy, who gains `points` more."""
        if left == 0:
            lead = float(-self.lead if seat else self.lead) + points
            if lead == 0.0:
                lead = float(-self.gain if seat else self.gain) + points
            return 1.0 if lead > 0.0 else 0.0
        estimate = float(self.lead) + self.holding + self.evaluation.standing(1 - seat, self.sunny)
        return chance((-estimate if seat else estimate) + points, left)
