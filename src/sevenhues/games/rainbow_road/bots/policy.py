"""A greedy policy for Rainbow Road: maximises the points of the seat's own fairy in this round."""

from typing import Final

from mypy_extensions import i64

from sevenhues.games.rainbow_road.board import LEADING, SUNNY
from sevenhues.games.rainbow_road.bots.fairy_moves import in_order, points_of, rain_run, stops_of, sunny_walk
from sevenhues.games.rainbow_road.pieces import (
    BACK,
    HALF,
    HOP,
    JUMP,
    NUMBERS,
    SKIP,
    STOP,
    all_gains,
    next_spot,
)
from sevenhues.games.rainbow_road.rules import RoadPosition

LOWEST: Final = -1.0


def estimated_points(position: RoadPosition, move: int) -> float:
    """Estimate the points that a move brings its seat in this round."""
    seat = position.turn
    phase = position.phase
    after = position.copy()
    after.play(seat, move)
    if phase >= SUNNY:
        gains = all_gains(after.gains_1) - all_gains(position.gains_1)
        if seat == 0:
            gains = all_gains(after.gains_0) - all_gains(position.gains_0)
        return float(gains + (remaining_points(after) if after.phase == phase else 0))
    sunny = float(max_walk_points(after, True))
    rain = float(max_walk_points(after, False))
    if phase != LEADING:
        return sunny if after.turn == seat else rain
    # The starting seat does not know the other card: an extreme number makes its fairy more certain.
    number = move // HALF + 1
    sunny_chance = float(number - 1 if position.round & 1 == 0 else NUMBERS - number) / float(NUMBERS - 1)
    return sunny_chance * sunny + (1.0 - sunny_chance) * rain


def max_walk_points(position: RoadPosition, sunny: bool) -> i64:
    """Return the maximum points of a fairy by plain hops on the current board, either way."""
    climbs = sunny == (position.round & 1 == 0)
    best: i64 = 0
    way: i64 = BACK if position.clockwise else 0
    while way <= BACK:
        points: i64 = 0
        if sunny:
            walk = sunny_walk(position.numbers, position.sunny, position.rain, way, climbs, position.free_leap)
            if stops_of(walk) > 0:
                points = points_of(walk, stops_of(walk) - 1)
        else:
            points = rain_run(position.numbers, position.rain, position.sunny, way, climbs, position.rain)
        if points > best:
            best = points
        way += 1
    return best


def remaining_points(position: RoadPosition) -> i64:
    """Return the maximum points that the moving fairy can still make by hops, a jump or a skip."""
    best: i64 = 0
    way: i64 = 0
    while way <= BACK:
        if (position.ways >> way) & 1:
            sunny = position.phase == SUNNY
            points = _sunny_remaining_points(position, way) if sunny else _rain_remaining_points(position, way)
            if points > best:
                best = points
        way += 1
    return best


def _sunny_remaining_points(position: RoadPosition, way: i64) -> i64:
    points: i64 = 0
    after = position.copy()
    before = _gains(after)
    while after.phase == SUNNY and after.may_hop(way):
        after.play(after.turn, HOP + way)
        points = _gains(after) - before
    return points


def _gains(position: RoadPosition) -> i64:
    return all_gains(position.gains_0) + all_gains(position.gains_1)


def _rain_remaining_points(position: RoadPosition, way: i64) -> i64:
    road = position.numbers
    climbs = position.climbing()
    pranks = position.usable()
    here = position.rain
    points: i64 = 0
    best: i64 = 0
    while True:
        ahead = next_spot(road, here, way)
        if pranks & JUMP and ahead != position.sunny:
            best = max(best, points + _landing_points(position, ahead, way, climbs))
        if pranks & SKIP:
            over = next_spot(road, ahead, way)
            if over != position.sunny:
                best = max(best, points + _landing_points(position, over, way, climbs))
        if ahead == position.sunny or not in_order(road, here, ahead, climbs):
            return max(best, points)
        points += 1
        here = ahead
        if here == position.origin:
            return max(best, points)


def _landing_points(position: RoadPosition, spot: i64, way: i64, climbs: bool) -> i64:
    """Return the points of a jump or a skip to a spot and of the hops after it."""
    if spot == position.origin:
        return 1
    return 1 + rain_run(position.numbers, spot, position.sunny, way, climbs, position.origin)


def greedy_move(position: RoadPosition) -> int:
    """Return the move with the most estimated points; of equal moves the first, which keeps pranks."""
    best = STOP
    most = LOWEST
    for move in position.legal(position.turn):
        points = estimated_points(position, move)
        if points > most:
            most = points
            best = move
    return best
