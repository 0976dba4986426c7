"""Looks ahead in Rainbow Road when all hands are given: alpha-beta over cards and whole fairy moves.

A node values the moment for the seat that decides, from 0, lost, to 1, won. At the horizon the start of a round is
judged by worth.py; where the horizon is the end of the game, values are exact.
"""

from time import perf_counter
from typing import Final

from mypy_extensions import i64

from sevenhues.games.rainbow_road.board import FOLLOWING, LEADING, OVER, SUNNY
from sevenhues.games.rainbow_road.bots.evaluation import Worth
from sevenhues.games.rainbow_road.bots.fairy_moves import (
    OWED_AT,
    POINTS_AT,
    PRANK_AT,
    RAIN_AT,
    ROAD,
    SPOT,
    points_of,
    stop_of,
    stops_of,
    sunny_walk,
)
from sevenhues.games.rainbow_road.bots.search_state import Sketch
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

CHECK: Final = 63  # nodes between looks at the clock, less one: a power of two, less one


class Lookahead(Sketch):
    """A sketch, and the search from it."""

    def __init__(self, worth: Worth, until: float, most: int) -> None:
        super().__init__(worth)
        self.until = until
        self.most: i64 = most  # nodes
        self.nodes: i64 = 0
        self.hurried = True  # heeds them
        self.stopped = False  # out of time or nodes: values are not to be trusted
        self.horizon: i64 = ROUNDS
        self.thorough = False  # every way to use a prank, not just those that bring the most points
        self.killers: list[int] = [0] * (2 * ROUNDS)  # the play that was best last time, by round and phase

    def value(self, position: RoadPosition, hand: i64, held: i64, seat: i64) -> float:
        """Value a position for a seat if the other one holds these cards and pranks."""
        self.take(position)
        if seat:
            self.hand_0 = hand
            self.held_0 = held
        else:
            self.hand_1 = hand
            self.held_1 = held
        turn = position.turn
        if position.phase == LEADING or position.phase == OVER:
            found = self._leading(turn, 0.0, 1.0)
        elif position.phase == FOLLOWING:
            led = number_at(self.numbers, self.mark_0 if turn else self.mark_1)
            found = self._following(turn, led, 0.0, 1.0)
        elif position.phase == SUNNY:
            found = self._sunny(turn, 0.0, 1.0)
        else:
            self.weigh(ROUNDS - self.round - 1)
            found = self._rain(turn, 0.0, 1.0)
        return found if turn == seat else 1.0 - found

    def _tick(self) -> None:
        self.nodes += 1
        if self.hurried and self.nodes & CHECK == 0:
            self.stopped = self.nodes > self.most or perf_counter() > self.until

    def _leading(self, seat: i64, low: float, high: float) -> float:
        if self.round == ROUNDS:
            return self.won(seat)
        if self.round == self.horizon:
            return self.judge(seat)
        return self._cards(seat, 0, low, high)

    def _following(self, seat: i64, led: i64, low: float, high: float) -> float:
        return self._cards(seat, led, low, high)

    def _cards(self, seat: i64, led: i64, low: float, high: float) -> float:
        """Value the choice of a card and a spot; `led` is the number to be followed, 0 for who starts."""
        self._tick()
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
                        found = self._card(seat, led, play, low, high)
                        if found > best:
                            best = found
                            if best > low:
                                low = best
                                self.killers[at] = play
                                if best >= high:
                                    return best
                    spot += 1
            number += 1
        return best

    def _card(self, seat: i64, led: i64, play: i64, low: float, high: float) -> float:
        """RR-7, RR-9 Value a card on a spot."""
        number = play // HALF + 1
        spot = play % HALF + HALF * seat
        numbers = self.numbers
        discards = self.discards
        owed = self.owed
        lying = number_at(numbers, spot)
        if lying:
            self.discards += one_of(lying)
        self.numbers = numbers ^ (lying ^ number) << (NUMBER_BITS * spot)
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
            found = 1.0 - self._following(mover, number, 1.0 - high, 1.0 - low)
        else:
            if number != led and (number > led) == (self.round & 1 == 0):
                mover = seat
            mine = mover == seat
            found = self._sunny(mover, low, high) if mine else 1.0 - self._sunny(mover, 1.0 - high, 1.0 - low)
        if seat:
            self.hand_1 += one_of(number)
        else:
            self.hand_0 += one_of(number)
        self.numbers = numbers
        self.discards = discards
        self.owed = owed
        return found

    def _sunny(self, seat: i64, low: float, high: float) -> float:
        """RR-10 Value the Sunny Fairy's move for its mover."""
        at = self.sunny
        best = -1.0
        if self.round + 1 == self.horizon:
            self.weigh(ROUNDS - self.horizon)
        way = self.first_way
        while way <= BACK:
            walk = sunny_walk(self.numbers, at, self.rain, way, self.round & 1 == 0, self.free_leap)
            i: i64 = stops_of(walk) - 1
            while i >= 0:
                found = self._stop(seat, stop_of(walk, i), points_of(walk, i), low, high)
                self.sunny = at
                if found > best:
                    best = found
                    if best > low:
                        low = best
                        if best >= high:
                            return best
                i -= 1
            way += 1
        found = self._stop(seat, at, 0, low, high)
        return found if found > best else best

    def _stop(self, seat: i64, spot: i64, points: i64, low: float, high: float) -> float:
        """Value a place to stop for the Sunny Fairy."""
        gained = -points if seat else points
        self.sunny = spot
        self.lead += gained
        self.gain += gained
        found = 1.0 - self._rain(1 - seat, 1.0 - high, 1.0 - low)
        self.lead -= gained
        self.gain -= gained
        return found

    def _rain(self, seat: i64, low: float, high: float) -> float:
        """RR-10, RR-20 Value the Rain Fairy's move for its mover."""
        self.ready()
        held = self.held_1 if seat else self.held_0
        if self.round + 1 == self.horizon:
            return self._last_rain(seat, held, high)
        afters = self.fairy.afters(held, self.thorough)
        best = -1.0
        done: i64 = -1
        for coded in afters:
            after: i64 = coded
            if after == done:
                continue
            done = after
            found = self._after(seat, after, low, high)
            if found > best:
                best = found
                if best > low:
                    low = best
                    if best >= high:
                        return best
        return best

    def _last_rain(self, seat: i64, held: i64, high: float) -> float:
        """Value it before the horizon, where nothing but points and pranks count."""
        left = ROUNDS - self.round - 1
        points = float(self.fairy.plain())
        best = self.ended(seat, points, left)
        if held == 0 or best >= high:
            return best
        prank: i64 = 1
        while prank <= held:
            if held & prank:
                gained = float(self.fairy.most(prank)) - self.worth.pranks(prank, left)
                if gained > points:
                    points = gained
                    best = self.ended(seat, points, left)
                    if best >= high:
                        return best
            prank <<= 1
        return best

    def _after(self, seat: i64, after: i64, low: float, high: float) -> float:
        """RR-11 Value what a whole move of the Rain Fairy leaves for the next round."""
        numbers = self.numbers
        discards = self.discards
        owed = self.owed
        rain = self.rain
        mark_0 = self.mark_0
        mark_1 = self.mark_1
        gain = self.gain
        points = after >> POINTS_AT
        prank = (after >> PRANK_AT) & 63
        gained = -points if seat else points
        self.numbers = after & ROAD
        self.rain = (after >> RAIN_AT) & SPOT
        if prank == TRASH:
            self.owed = (after >> OWED_AT) & SPOT
            self.discards += one_of(number_at(numbers, self.owed))
        elif prank == RECYCLE and self.numbers != numbers:
            spot: i64 = 0
            while spot < RING:
                if number_at(numbers, spot) != number_at(self.numbers, spot):
                    self.discards += one_of(number_at(numbers, spot)) - one_of(number_at(self.numbers, spot))
                spot += 1
        self.lead += gained
        # RR-12 only the last round's gain matters, and it is kept till the end of the game.
        self.gain = self.gain + gained if self.round + 1 == ROUNDS else 0
        if seat:
            self.held_1 ^= prank
        else:
            self.held_0 ^= prank
        self.round += 1
        found = 1.0 - self._leading(1 - seat, 1.0 - high, 1.0 - low)
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
        return found
