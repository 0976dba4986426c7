"""How far fairies get: whole moves instead of single hops, for those who think ahead.

A *walk* holds where a fairy may stop on its way, nearest first: four bits a spot from the lowest, then how many stops
there are, then from which on the Sunny Fairy has leapt (RR-17). An *after* holds what a move of the Rain Fairy leaves:
from the highest bits its points, the prank used, the spot owed (RR-25), where it stands, and the road.
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
SPOT: Final = 15
MANY_AT: Final = 48
LEAP_AT: Final = 52
NO_LEAP: Final = 15

ROAD: Final = 0x3FFFFFFF
RAIN_AT: Final = 30
OWED_AT: Final = 34
PRANK_AT: Final = 38
POINTS_AT: Final = 44


def stops_of(walk: i64) -> i64:
    """Count the stops of a walk."""
    return (walk >> MANY_AT) & SPOT


def stop_of(walk: i64, i: i64) -> i64:
    """Return the spot of a stop, counted from 0."""
    return (walk >> (SPOT_BITS * i)) & SPOT


def points_of(walk: i64, i: i64) -> i64:
    """Return the points to a stop: one for each, and one more once the Sunny Fairy has leapt."""
    return i + 2 if i >= (walk >> LEAP_AT) & SPOT else i + 1


def sunny_walk(numbers: i64, at: i64, rain: i64, way: i64, climbs: bool, free_leap: bool) -> i64:
    """RR-13 to RR-19 Return where the Sunny Fairy may stop on one way round."""
    walk: i64 = 0
    many: i64 = 0
    leap: i64 = NO_LEAP
    here = at
    while True:
        spot = next_spot(numbers, here, way)
        if not (free_leap and spot == rain) and not in_order(numbers, here, spot, climbs):
            break
        if spot == rain:
            spot = next_spot(numbers, spot, way)
            leap = many
        walk |= spot << (SPOT_BITS * many)
        many += 1
        here = spot
        if spot == at:
            break
    return walk | many << MANY_AT | leap << LEAP_AT


def rain_walk(numbers: i64, at: i64, sunny: i64, way: i64, climbs: bool, origin: i64) -> i64:
    """RR-13 to RR-19 Return where the Rain Fairy may stop by plain hops; its move began at `origin`."""
    walk: i64 = 0
    many: i64 = 0
    here = at
    while True:
        spot = next_spot(numbers, here, way)
        if spot == sunny or not in_order(numbers, here, spot, climbs):
            break
        walk |= spot << (SPOT_BITS * many)
        many += 1
        here = spot
        if spot == origin:
            break
    return walk | many << MANY_AT | shift(NO_LEAP, LEAP_AT)


def rain_run(numbers: i64, at: i64, sunny: i64, way: i64, climbs: bool, origin: i64) -> i64:
    """Return the points of a plain walk to its end."""
    many: i64 = 0
    here = at
    while True:
        spot = next_spot(numbers, here, way)
        if spot == sunny or not in_order(numbers, here, spot, climbs):
            return many
        many += 1
        here = spot
        if spot == origin:
            return many


def in_order(numbers: i64, here: i64, spot: i64, climbs: bool) -> bool:
    """RR-13 Tell whether a card may follow another."""
    if climbs:
        return number_at(numbers, spot) >= number_at(numbers, here)
    return number_at(numbers, spot) <= number_at(numbers, here)


class Rain:
    """The Rain Fairy about to move: all that bears on where it can get."""

    def __init__(self) -> None:
        self.numbers: i64 = 0
        self.sunny: i64 = 0
        self.rain: i64 = 0
        self.marks: i64 = 0  # RR-27 the spots of marked cards, as bits
        self.discards: i64 = 0
        self.first_way: i64 = 0
        self.climbs = False

    def plain(self) -> i64:
        """Return the most points without a prank."""
        return self._best(self.numbers, self.rain)

    def _best(self, numbers: i64, at: i64) -> i64:
        ahead = rain_run(numbers, at, self.sunny, BACK, self.climbs, at)
        if self.first_way == 0:
            other = rain_run(numbers, at, self.sunny, 0, self.climbs, at)
            return other if other > ahead else ahead
        return ahead

    def most(self, prank: i64) -> i64:
        """Return the most points with a prank, or -1 where it cannot be used."""
        if prank == JUMP:
            return self._hop(1)
        if prank == SKIP:
            return self._hop(2)
        best: i64 = -1
        if prank == EXCHANGE:
            high: i64 = 1
            while high < RING:
                if self._free(high):
                    low: i64 = 0
                    while low < high:
                        if self._free(low):
                            points = self._best(self._exchanged(low, high), self.rain)
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
                            points = self._best(self._with(spot, number), self.rain)
                            if points > best:
                                best = points
                        number += 1
            elif self._free(spot):
                trashed = prank == TRASH
                points = self._best(self._with(spot, 0), self.rain) if trashed else self._best(self.numbers, spot)
            if points > best:
                best = points
            spot += 1
        return best

    def _hop(self, reach: i64) -> i64:
        best: i64 = -1
        way = self.first_way
        while way <= BACK:
            here = self.rain
            many: i64 = 0
            while True:
                ahead = next_spot(self.numbers, here, way)
                spot = ahead if reach == 1 else next_spot(self.numbers, ahead, way)
                if spot != self.sunny:
                    points = many + 1
                    if spot != self.rain:
                        points += rain_run(self.numbers, spot, self.sunny, way, self.climbs, self.rain)
                    if points > best:
                        best = points
                if ahead == self.sunny or ahead == self.rain or not in_order(self.numbers, here, ahead, self.climbs):
                    break
                many += 1
                here = ahead
            way += 1
        return best

    def _free(self, spot: i64) -> bool:
        """Tell whether a spot has a card and no fairy."""
        return number_at(self.numbers, spot) != 0 and spot != self.sunny and spot != self.rain

    def _with(self, spot: i64, number: i64) -> i64:
        """Return the road with another number on a spot, or none."""
        return self.numbers ^ (number_at(self.numbers, spot) ^ number) << (NUMBER_BITS * spot)

    def _exchanged(self, one: i64, other: i64) -> i64:
        change = number_at(self.numbers, one) ^ number_at(self.numbers, other)
        return self.numbers ^ (change << (NUMBER_BITS * one) | change << (NUMBER_BITS * other))

    def afters(self, pranks: i64, thorough: bool) -> list[int]:
        """List what whole moves leave, the most points first.

        Who is not thorough considers a prank only if it brings more points than plain hops do, and then only in
        the ways that bring the most.
        """
        found: list[int] = [self._after(0, 0, NO_SPOT, self.rain, self.numbers)]
        self._stops(found, 0, 0, NO_SPOT, self.numbers, self.rain, self.rain, False)
        plain = self.plain()
        for at in range(6):
            prank = bit(at)
            if pranks & prank:
                ways: list[int] = []
                self._pranks(ways, prank, thorough)
                if not thorough and ways:
                    most = max(ways) >> POINTS_AT
                    ways = [after for after in ways if after >> POINTS_AT == most][:2] if most > plain else []
                found += ways
        found.sort(reverse=True)
        return found

    def _pranks(self, found: list[int], prank: i64, thorough: bool) -> None:
        spot: i64 = 0
        if prank & (JUMP | SKIP):
            self._hops(found, prank, not thorough)
        elif prank == EXCHANGE:
            while spot < RING:
                low: i64 = 0
                while low < spot:
                    if self._free(spot) and self._free(low):
                        road = self._exchanged(low, spot)
                        self._moved(found, prank, NO_SPOT, road, self.rain, not thorough)
                    low += 1
                spot += 1
        elif prank == RECYCLE:
            while spot < RING:
                if (self.marks >> spot) & 1 and spot != self.sunny:
                    for number in range(1, NUMBERS + 1):
                        if count_of(self.discards, number):
                            self._moved(found, prank, NO_SPOT, self._with(spot, number), self.rain, not thorough)
                spot += 1
        else:
            while spot < RING:
                if self._free(spot):
                    if prank == TRASH:
                        self._moved(found, prank, spot, self._with(spot, 0), self.rain, not thorough)
                    else:
                        self._moved(found, prank, NO_SPOT, self.numbers, spot, not thorough)
                spot += 1

    def _moved(self, found: list[int], prank: i64, owed: i64, numbers: i64, at: i64, last: bool) -> None:
        """Add what a walk after a prank may leave."""
        if not last:
            found.append(self._after(0, prank, owed, at, numbers))
        self._stops(found, 0, prank, owed, numbers, at, at, last)

    def _stops(
        self, found: list[int], points: i64, prank: i64, owed: i64, numbers: i64, at: i64, origin: i64, last: bool
    ) -> None:
        way = self.first_way
        while way <= BACK:
            self._way(found, points, prank, owed, numbers, at, origin, last, way)
            way += 1

    def _way(
        self,
        found: list[int],
        points: i64,
        prank: i64,
        owed: i64,
        numbers: i64,
        at: i64,
        origin: i64,
        last: bool,
        way: i64,
    ) -> None:
        walk = rain_walk(numbers, at, self.sunny, way, self.climbs, origin)
        many = stops_of(walk)
        i: i64 = many - 1 if last and many > 0 else 0
        while i < many:
            found.append(self._after(points + i + 1, prank, owed, stop_of(walk, i), numbers))
            i += 1

    def _hops(self, found: list[int], prank: i64, last: bool) -> None:
        way = self.first_way
        while way <= BACK:
            here = self.rain
            many: i64 = 0
            while True:
                ahead = next_spot(self.numbers, here, way)
                spot = ahead if prank == JUMP else next_spot(self.numbers, ahead, way)
                if spot != self.sunny:
                    found.append(self._after(many + 1, prank, NO_SPOT, spot, self.numbers))
                    if spot != self.rain:
                        self._way(found, many + 1, prank, NO_SPOT, self.numbers, spot, self.rain, last, way)
                if ahead == self.sunny or ahead == self.rain or not in_order(self.numbers, here, ahead, self.climbs):
                    break
                many += 1
                here = ahead
            way += 1

    def _after(self, points: i64, prank: i64, owed: i64, rain: i64, numbers: i64) -> int:
        return points << POINTS_AT | prank << PRANK_AT | owed << OWED_AT | rain << RAIN_AT | numbers
