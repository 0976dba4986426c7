"""Alpha-beta search in Rainbow Road over cards and whole fairy moves, when all hands are known.

A node has a value for the seat to act, from 0, lost, to 1, won. At the horizon the start of a round is evaluated by
evaluation.py. If the horizon is the end of the game, values are exact.
"""

from time import perf_counter
from typing import Final

from mypy_extensions import i64

from sevenhues.games.rainbow_road.board import FOLLOWING, LEADING, OVER, SUNNY
from sevenhues.games.rainbow_road.bots.evaluation import Evaluation
from sevenhues.games.rainbow_road.bots.fairy_moves import (
    NUMBERS_MASK,
    OWED_AT,
    POINTS_AT,
    PRANK_AT,
    RAIN_AT,
    SPOT_MASK,
    points_of,
    stop_of,
    stops_of,
    sunny_walk,
)
from sevenhues.games.rainbow_road.bots.search_state import SearchState
from sevenhues.games.rainbow_road.pieces import (
    BACK,
    HALF,
    NO_SPOT,
    NUMBER_BITS,
    NUMBERS,
    RECYCLE,
    RING,
    ROUNDS,
    TRASH,
    count_of,
    number_at,
    one_of,
)
from sevenhues.games.rainbow_road.rules import RoadPosition

CHECK_MASK: Final = 63  # the limits are checked every 64 nodes


class Lookahead(SearchState):
    """A state and the search from it."""

    def __init__(self, evaluation: Evaluation, until: float, max_nodes: int) -> None:
        super().__init__(evaluation)
        self.until = until
        self.max_nodes: i64 = max_nodes
        self.nodes: i64 = 0
        self.limited = True  # the limits apply
        self.stopped = False  # a limit was reached: values are invalid
        self.horizon: i64 = ROUNDS
        self.thorough = False  # consider every use of a prank, not only those that bring the most points
        self.killers: list[int] = [0] * (2 * ROUNDS)  # killer moves: the last best play, by round and phase

    def value(self, position: RoadPosition, hand: i64, held: i64, seat: i64) -> float:
        """Value a position for a seat if its opponent holds these cards and pranks."""
        self.load(position)
        if seat:
            self.hand_0 = hand
            self.held_0 = held
        else:
            self.hand_1 = hand
            self.held_1 = held
        turn = position.turn
        if position.phase == LEADING or position.phase == OVER:
            value = self._leading(turn, 0.0, 1.0)
        elif position.phase == FOLLOWING:
            led = number_at(self.numbers, self.mark_0 if turn else self.mark_1)
            value = self._following(turn, led, 0.0, 1.0)
        elif position.phase == SUNNY:
            value = self._sunny(turn, 0.0, 1.0)
        else:
            self.compute_holding(ROUNDS - self.round - 1)
            value = self._rain(turn, 0.0, 1.0)
        return value if turn == seat else 1.0 - value

    def _count_node(self) -> None:
        self.nodes += 1
        if self.limited and self.nodes & CHECK_MASK == 0:
            self.stopped = self.nodes > self.max_nodes or perf_counter() > self.until

    def _leading(self, seat: i64, low: float, high: float) -> float:
        if self.round == ROUNDS:
            return self.final_value(seat)
        if self.round == self.horizon:
            return self.evaluate(seat)
        return self._cards(seat, 0, low, high)

    def _following(self, seat: i64, led: i64, low: float, high: float) -> float:
        return self._cards(seat, led, low, high)

    def _cards(self, seat: i64, led: i64, low: float, high: float) -> float:
        """Value the choice of a card and a spot; `led` is the number that the other seat has played, or 0."""
        self._count_node()
        if self.stopped:
            return 0.5
        hand = self.hand_1 if seat else self.hand_0
        places = self.places(seat)
        at = 2 * self.round + (1 if led else 0)
        killer: i64 = self.killers[at]
        best = -1.0
        if count_of(hand, killer // HALF + 1) and (places >> (killer % HALF)) & 1:
            best = self._card(seat, led, killer, low, high)
            if best >= high:
                return best
            if best > low:
                low = best
        else:
            killer = -1
        number: i64 = 1
        while number <= NUMBERS:
            if count_of(hand, number):
                spot: i64 = 0
                while spot < HALF:
                    play = HALF * (number - 1) + spot
                    if (places >> spot) & 1 and play != killer:
                        value = self._card(seat, led, play, low, high)
                        if value > best:
                            best = value
                            if best > low:
                                low = best
                                self.killers[at] = play
                                if best >= high:
                                    return best
                    spot += 1
            number += 1
        return best

    def _card(self, seat: i64, led: i64, play: i64, low: float, high: float) -> float:
        """RR-7, RR-9 Value the play of a card to a spot."""
        number = play // HALF + 1
        spot = play % HALF + HALF * seat
        numbers = self.numbers
        discards = self.discards
        owed = self.owed
        replaced = number_at(numbers, spot)
        if replaced:
            self.discards += one_of(replaced)
        self.numbers = numbers ^ (replaced ^ number) << (NUMBER_BITS * spot)
        if spot == owed:
            self.owed = NO_SPOT
        if seat:
            self.hand_1 -= one_of(number)
            self.mark_1 = spot
        else:
            self.hand_0 -= one_of(number)
            self.mark_0 = spot
        mover = 1 - seat
        if led == 0:
            value = 1.0 - self._following(mover, number, 1.0 - high, 1.0 - low)
        else:
            if number != led and (number > led) == (self.round & 1 == 0):
                mover = seat
            mine = mover == seat
            value = self._sunny(mover, low, high) if mine else 1.0 - self._sunny(mover, 1.0 - high, 1.0 - low)
        if seat:
            self.hand_1 += one_of(number)
        else:
            self.hand_0 += one_of(number)
        self.numbers = numbers
        self.discards = discards
        self.owed = owed
        return value

    def _sunny(self, seat: i64, low: float, high: float) -> float:
        """RR-10 Value the Sunny Fairy's move for its mover."""
        at = self.sunny
        best = -1.0
        if self.round + 1 == self.horizon:
            self.compute_holding(ROUNDS - self.horizon)
        way = self.first_way
        while way <= BACK:
            walk = sunny_walk(self.numbers, at, self.rain, way, self.round & 1 == 0, self.free_leap)
            i: i64 = stops_of(walk) - 1
            while i >= 0:
                value = self._stop(seat, stop_of(walk, i), points_of(walk, i), low, high)
                self.sunny = at
                if value > best:
                    best = value
                    if best > low:
                        low = best
                        if best >= high:
                            return best
                i -= 1
            way += 1
        value = self._stop(seat, at, 0, low, high)
        return value if value > best else best

    def _stop(self, seat: i64, spot: i64, points: i64, low: float, high: float) -> float:
        """Value a stop of the Sunny Fairy for its mover."""
        gained = -points if seat else points
        self.sunny = spot
        self.lead += gained
        self.gain += gained
        value = 1.0 - self._rain(1 - seat, 1.0 - high, 1.0 - low)
        self.lead -= gained
        self.gain -= gained
        return value

    def _rain(self, seat: i64, low: float, high: float) -> float:
        """RR-10, RR-20 Value the Rain Fairy's move for its mover."""
        self.prepare_rain_moves()
        held = self.held_1 if seat else self.held_0
        if self.round + 1 == self.horizon:
            return self._last_rain(seat, held, high)
        results = self.rain_moves.results(held, self.thorough)
        best = -1.0
        previous: i64 = -1
        for encoded in results:
            result: i64 = encoded
            if result == previous:
                continue
            previous = result
            value = self._next_round(seat, result, low, high)
            if value > best:
                best = value
                if best > low:
                    low = best
                    if best >= high:
                        return best
        return best

    def _last_rain(self, seat: i64, held: i64, high: float) -> float:
        """Value the Rain Fairy's last move before the horizon, where only points and pranks count."""
        left = ROUNDS - self.round - 1
        points = float(self.rain_moves.max_plain_points())
        best = self.round_end_value(seat, points, left)
        if held == 0 or best >= high:
            return best
        prank: i64 = 1
        while prank <= held:
            if held & prank:
                gained = float(self.rain_moves.max_prank_points(prank)) - self.evaluation.pranks(prank, left)
                if gained > points:
                    points = gained
                    best = self.round_end_value(seat, points, left)
                    if best >= high:
                        return best
            prank <<= 1
        return best

    def _next_round(self, seat: i64, result: i64, low: float, high: float) -> float:
        """RR-11 Value the result of a whole move of the Rain Fairy: the start of the next round."""
        numbers = self.numbers
        discards = self.discards
        owed = self.owed
        rain = self.rain
        mark_0 = self.mark_0
        mark_1 = self.mark_1
        gain = self.gain
        points = result >> POINTS_AT
        prank = (result >> PRANK_AT) & 63
        gained = -points if seat else points
        self.numbers = result & NUMBERS_MASK
        self.rain = (result >> RAIN_AT) & SPOT_MASK
        if prank == TRASH:
            self.owed = (result >> OWED_AT) & SPOT_MASK
            self.discards += one_of(number_at(numbers, self.owed))
        elif prank == RECYCLE and self.numbers != numbers:
            spot: i64 = 0
            while spot < RING:
                if number_at(numbers, spot) != number_at(self.numbers, spot):
                    self.discards += one_of(number_at(numbers, spot)) - one_of(number_at(self.numbers, spot))
                spot += 1
        self.lead += gained
        # RR-12 Only the gain of the last round matters; it is kept to the end of the game.
        self.gain = self.gain + gained if self.round + 1 == ROUNDS else 0
        if seat:
            self.held_1 ^= prank
        else:
            self.held_0 ^= prank
        self.round += 1
        value = 1.0 - self._leading(1 - seat, 1.0 - high, 1.0 - low)
        self.round -= 1
        if seat:
            self.held_1 ^= prank
        else:
            self.held_0 ^= prank
        self.lead -= gained
        self.gain = gain
        self.numbers = numbers
        self.discards = discards
        self.owed = owed
        self.rain = rain
        self.mark_0 = mark_0
        self.mark_1 = mark_1
        return value
