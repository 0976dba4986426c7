"""Whole moves of fairies instead of single hops, for searches.

A *walk* encodes the spots on which a fairy may stop on its way, the nearest first: from the lowest bits four bits per
spot, then the number of stops, then the first stop after the Sunny Fairy's leap (RR-17). A *result* encodes what a move
of the Rain Fairy leads to: from the highest bits its points, the prank used, the spot owed (RR-25), the Rain Fairy's
spot, and the numbers on the ring.
"""

from typing import Final

from mypy_extensions import i64

from sevenhues.core.bits import bit, shift
from sevenhues.games.rainbow_road.pieces import (
    BACK,
    EXCHANGE,
    JUMP,
    NO_SPOT,
    NUMBER_BITS,
    NUMBERS,
    RECYCLE,
    RING,
    SKIP,
    TRASH,
    count_of,
    next_spot,
    number_at,
)

SPOT_BITS: Final = 4
SPOT_MASK: Final = 15
COUNT_AT: Final = 48
LEAP_AT: Final = 52
NO_LEAP: Final = 15

NUMBERS_MASK: Final = 0x3FFFFFFF
RAIN_AT: Final = 30
OWED_AT: Final = 34
PRANK_AT: Final = 38
POINTS_AT: Final = 44


def stops_of(walk: i64) -> i64:
    """Return the number of stops of a walk."""
    return (walk >> COUNT_AT) & SPOT_MASK


def stop_of(walk: i64, i: i64) -> i64:
    """Return the spot of the i-th stop, counted from 0."""
    return (walk >> (SPOT_BITS * i)) & SPOT_MASK


def points_of(walk: i64, i: i64) -> i64:
    """Return the points up to the i-th stop: one for each stop, and one for a leap of the Sunny Fairy."""
    return i + 2 if i >= (walk >> LEAP_AT) & SPOT_MASK else i + 1


def sunny_walk(numbers: i64, at: i64, rain: i64, way: i64, climbs: bool, free_leap: bool) -> i64:
    """RR-13 to RR-19 Return the walk of the Sunny Fairy on one way round."""
    walk: i64 = 0
    count: i64 = 0
    leap: i64 = NO_LEAP
    here = at
    while True:
        spot = next_spot(numbers, here, way)
        if not (free_leap and spot == rain) and not in_order(numbers, here, spot, climbs):
            break
        if spot == rain:
            spot = next_spot(numbers, spot, way)
            leap = count
        walk |= spot << (SPOT_BITS * count)
        count += 1
        here = spot
        if spot == at:
            break
    return walk | count << COUNT_AT | leap << LEAP_AT


def rain_walk(numbers: i64, at: i64, sunny: i64, way: i64, climbs: bool, origin: i64) -> i64:
    """RR-13 to RR-19 Return the walk of the Rain Fairy by plain hops; its move began at `origin`."""
    walk: i64 = 0
    count: i64 = 0
    here = at
    while True:
        spot = next_spot(numbers, here, way)
        if spot == sunny or not in_order(numbers, here, spot, climbs):
            break
        walk |= spot << (SPOT_BITS * count)
        count += 1
        here = spot
        if spot == origin:
            break
    return walk | count << COUNT_AT | shift(NO_LEAP, LEAP_AT)


def rain_run(numbers: i64, at: i64, sunny: i64, way: i64, climbs: bool, origin: i64) -> i64:
    """Return the points of the Rain Fairy's walk to its end."""
    # Most of a search is spent here, so nothing is called.
    step: i64 = RING - 1 if way else 1
    last = (numbers >> (NUMBER_BITS * at)) & 7
    count: i64 = 0
    spot = at
    while True:
        spot += step
        if spot >= RING:
            spot -= RING
        number = (numbers >> (NUMBER_BITS * spot)) & 7
        if number == 0:
            continue
        if spot == sunny or (number < last if climbs else number > last):
            return count
        count += 1
        if spot == origin:
            return count
        last = number


def in_order(numbers: i64, here: i64, spot: i64, climbs: bool) -> bool:
    """RR-13 Tell whether a card may follow another."""
    if climbs:
        return number_at(numbers, spot) >= number_at(numbers, here)
    return number_at(numbers, spot) <= number_at(numbers, here)


class RainMoves:
    """The moves of the Rain Fairy, and the state that they depend on."""

    def __init__(self) -> None:
        self.numbers: i64 = 0
        self.sunny: i64 = 0
        self.rain: i64 = 0
        self.marks: i64 = 0  # RR-27 the spots of marked cards, as bits
        self.discards: i64 = 0
        self.first_way: i64 = 0
        self.climbs = False

    def max_plain_points(self) -> i64:
        """Return the maximum points without a prank."""
        return self._max_points(self.numbers, self.rain)

    def _max_points(self, numbers: i64, at: i64) -> i64:
        back = rain_run(numbers, at, self.sunny, BACK, self.climbs, at)
        if self.first_way == 0:
            forward = rain_run(numbers, at, self.sunny, 0, self.climbs, at)
            return forward if forward > back else back
        return back

    def max_prank_points(self, prank: i64) -> i64:
        """Return the maximum points with a prank, or -1 if it cannot be used."""
        if prank == JUMP:
            return self._max_hop_points(1)
        if prank == SKIP:
            return self._max_hop_points(2)
        best: i64 = -1
        free = self._free_spots()
        if prank == EXCHANGE:
            high: i64 = 1
            while high < RING:
                if (free >> high) & 1:
                    low: i64 = 0
                    while low < high:
                        if (free >> low) & 1:
                            points = self._max_points(self._exchanged(low, high), self.rain)
                            if points > best:
                                best = points
                        low += 1
                high += 1
            return best
        spot: i64 = 0
        while spot < RING:
            points = -1
            if prank == RECYCLE:
                if (self.marks >> spot) & 1 and spot != self.sunny:
                    number: i64 = 1
                    while number <= NUMBERS:
                        if count_of(self.discards, number):
                            points = self._max_points(self._with(spot, number), self.rain)
                            if points > best:
                                best = points
                        number += 1
            elif (free >> spot) & 1:
                if prank == TRASH:
                    points = self._max_points(self._with(spot, 0), self.rain)
                else:
                    points = self._max_points(self.numbers, spot)
            if points > best:
                best = points
            spot += 1
        return best

    def _max_hop_points(self, reach: i64) -> i64:
        best: i64 = -1
        way = self.first_way
        while way <= BACK:
            here = self.rain
            count: i64 = 0
            while True:
                ahead = next_spot(self.numbers, here, way)
                spot = ahead if reach == 1 else next_spot(self.numbers, ahead, way)
                if spot != self.sunny:
                    points = count + 1
                    if spot != self.rain:
                        points += rain_run(self.numbers, spot, self.sunny, way, self.climbs, self.rain)
                    if points > best:
                        best = points
                if ahead == self.sunny or ahead == self.rain or not in_order(self.numbers, here, ahead, self.climbs):
                    break
                count += 1
                here = ahead
            way += 1
        return best

    def _free_spots(self) -> i64:
        """Return the spots with a card and no fairy, as bits."""
        free: i64 = 0
        spot: i64 = 0
        while spot < RING:
            if self._free(spot):
                free |= bit(spot)
            spot += 1
        return free

    def _free(self, spot: i64) -> bool:
        """Tell whether a spot has a card and no fairy."""
        return number_at(self.numbers, spot) != 0 and spot != self.sunny and spot != self.rain

    def _with(self, spot: i64, number: i64) -> i64:
        """Return the numbers on the ring with another number on a spot, or with none if it is 0."""
        return self.numbers ^ (number_at(self.numbers, spot) ^ number) << (NUMBER_BITS * spot)

    def _exchanged(self, one: i64, other: i64) -> i64:
        change = (self.numbers >> (NUMBER_BITS * one) ^ self.numbers >> (NUMBER_BITS * other)) & 7
        return self.numbers ^ (change << (NUMBER_BITS * one) | change << (NUMBER_BITS * other))

    def results(self, pranks: i64, thorough: bool) -> list[int]:
        """Return the results of whole moves, the most points first.

        Unless `thorough`, a prank is considered only if it brings more points than plain hops, and then only two of
        the uses that bring the most points.
        """
        results: list[int] = [self._result(0, 0, NO_SPOT, self.rain, self.numbers)]
        self._add_both_ways(results, 0, 0, NO_SPOT, self.numbers, self.rain, self.rain, False)
        plain = self.max_plain_points()
        for at in range(6):
            prank = bit(at)
            if pranks & prank:
                uses: list[int] = []
                self._add_prank(uses, prank, thorough)
                if not thorough and uses:
                    most = max(uses) >> POINTS_AT
                    uses = [result for result in uses if result >> POINTS_AT == most][:2] if most > plain else []
                results += uses
        results.sort(reverse=True)
        return results

    def _add_prank(self, results: list[int], prank: i64, thorough: bool) -> None:
        spot: i64 = 0
        if prank & (JUMP | SKIP):
            self._add_prank_hops(results, prank, not thorough)
        elif prank == EXCHANGE:
            while spot < RING:
                low: i64 = 0
                while low < spot:
                    if self._free(spot) and self._free(low):
                        numbers = self._exchanged(low, spot)
                        self._add_after_prank(results, prank, NO_SPOT, numbers, self.rain, not thorough)
                    low += 1
                spot += 1
        elif prank == RECYCLE:
            while spot < RING:
                if (self.marks >> spot) & 1 and spot != self.sunny:
                    for number in range(1, NUMBERS + 1):
                        if count_of(self.discards, number):
                            numbers = self._with(spot, number)
                            self._add_after_prank(results, prank, NO_SPOT, numbers, self.rain, not thorough)
                spot += 1
        else:
            while spot < RING:
                if self._free(spot):
                    if prank == TRASH:
                        self._add_after_prank(results, prank, spot, self._with(spot, 0), self.rain, not thorough)
                    else:
                        self._add_after_prank(results, prank, NO_SPOT, self.numbers, spot, not thorough)
                spot += 1

    def _add_after_prank(
        self, results: list[int], prank: i64, owed: i64, numbers: i64, at: i64, furthest: bool
    ) -> None:
        """Add the results of walks after a prank."""
        if not furthest:
            results.append(self._result(0, prank, owed, at, numbers))
        self._add_both_ways(results, 0, prank, owed, numbers, at, at, furthest)

    def _add_both_ways(
        self, results: list[int], points: i64, prank: i64, owed: i64, numbers: i64, at: i64, origin: i64, furthest: bool
    ) -> None:
        way = self.first_way
        while way <= BACK:
            self._add_walk(results, points, prank, owed, numbers, at, origin, furthest, way)
            way += 1

    def _add_walk(
        self,
        results: list[int],
        points: i64,
        prank: i64,
        owed: i64,
        numbers: i64,
        at: i64,
        origin: i64,
        furthest: bool,
        way: i64,
    ) -> None:
        walk = rain_walk(numbers, at, self.sunny, way, self.climbs, origin)
        count = stops_of(walk)
        i: i64 = count - 1 if furthest and count > 0 else 0
        while i < count:
            results.append(self._result(points + i + 1, prank, owed, stop_of(walk, i), numbers))
            i += 1

    def _add_prank_hops(self, results: list[int], prank: i64, furthest: bool) -> None:
        way = self.first_way
        while way <= BACK:
            here = self.rain
            count: i64 = 0
            while True:
                ahead = next_spot(self.numbers, here, way)
                spot = ahead if prank == JUMP else next_spot(self.numbers, ahead, way)
                if spot != self.sunny:
                    results.append(self._result(count + 1, prank, NO_SPOT, spot, self.numbers))
                    if spot != self.rain:
                        self._add_walk(results, count + 1, prank, NO_SPOT, self.numbers, spot, self.rain, furthest, way)
                if ahead == self.sunny or ahead == self.rain or not in_order(self.numbers, here, ahead, self.climbs):
                    break
                count += 1
                here = ahead
            way += 1

    def _result(self, points: i64, prank: i64, owed: i64, rain: i64, numbers: i64) -> int:
        return points << POINTS_AT | prank << PRANK_AT | owed << OWED_AT | rain << RAIN_AT | numbers
