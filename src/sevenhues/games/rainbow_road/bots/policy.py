"""How to play Rainbow Road at a glance: by the points of one's own fairy, and no thought of what the other one does."""

from typing import Final

from mypy_extensions import i64

from sevenhues.games.rainbow_road.board import LEADING, SUNNY
from sevenhues.games.rainbow_road.bots.fairy_moves import in_order, points_of, rain_run, stops_of, sunny_walk
from sevenhues.games.rainbow_road.pieces import (
    BACK,
    HALF,
    JUMP,
    NUMBERS,
    SKIP,
    STOP,
    all_gains,
    next_spot,
)
from sevenhues.games.rainbow_road.rules import RoadPosition

NEVER: Final = -1.0


def promise(position: RoadPosition, move: int) -> float:
    """Return the points that a move promises, in this round and to the seat that makes it."""
    seat = position.turn
    phase = position.phase
    tried = position.copy()
    tried.play(seat, move)
    if phase >= SUNNY:
        gains = all_gains(tried.gains_1) - all_gains(position.gains_1)
        if seat == 0:
            gains = all_gains(tried.gains_0) - all_gains(position.gains_0)
        return float(gains + (outlook(tried) if tried.phase == phase else 0))
    sunny = float(walk_of(tried, True))
    rain = float(walk_of(tried, False))
    if phase != LEADING:
        return sunny if tried.turn == seat else rain
    # Who starts does not know the answer: the more extreme the card, the surer.
    number = move // HALF + 1
    over = float(number - 1 if position.round & 1 == 0 else NUMBERS - number) / float(NUMBERS - 1)
    return over * sunny + (1.0 - over) * rain


def walk_of(position: RoadPosition, sunny: bool) -> i64:
    """Return the most points that a fairy can make by plain hops as things stand, both ways considered."""
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


def outlook(position: RoadPosition) -> i64:
    """Return the most points that the moving fairy can still make by hopping on, a jump or a skip among them."""
    best: i64 = 0
    way: i64 = 0
    while way <= BACK:
        if (position.ways >> way) & 1:
            points = _sunny_outlook(position, way) if position.phase == SUNNY else _rain_outlook(position, way)
            if points > best:
                best = points
        way += 1
    return best


def _sunny_outlook(position: RoadPosition, way: i64) -> i64:
    points: i64 = 0
    tried = position.copy()
    before = _gains(tried)
    while tried.phase == SUNNY and tried.may_hop(way):
        tried.play(tried.turn, STOP + 1 + way)
        points = _gains(tried) - before
    return points


def _gains(position: RoadPosition) -> i64:
    return all_gains(position.gains_0) + all_gains(position.gains_1)


def _rain_outlook(position: RoadPosition, way: i64) -> i64:
    road = position.numbers
    climbs = position.climbing()
    pranks = position.usable()
    here = position.rain
    many: i64 = 0
    best: i64 = 0
    while True:
        ahead = next_spot(road, here, way)
        if pranks & JUMP and ahead != position.sunny:
            best = max(best, many + _landed(position, ahead, way, climbs))
        if pranks & SKIP:
            over = next_spot(road, ahead, way)
            if over != position.sunny:
                best = max(best, many + _landed(position, over, way, climbs))
        if ahead == position.sunny or not in_order(road, here, ahead, climbs):
            return max(best, many)
        many += 1
        here = ahead
        if here == position.origin:
            return max(best, many)


def _landed(position: RoadPosition, spot: i64, way: i64, climbs: bool) -> i64:
    """Return the points of a jump or a skip to a spot and of hopping on from there."""
    if spot == position.origin:
        return 1
    return 1 + rain_run(position.numbers, spot, position.sunny, way, climbs, position.origin)


def eager_move(position: RoadPosition) -> int:
    """Return the move that promises most; of equals one that keeps the pranks."""
    best = STOP
    most = NEVER
    for move in position.legal(position.turn):
        found = promise(position, move)
        if found > most:
            most = found
            best = move
    return best
