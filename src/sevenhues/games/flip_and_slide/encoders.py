"""Encodings of Flip & Slide positions as numbers: the observation and the information state."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from sevenhues.core.arrays import as_list
from sevenhues.core.bits import bit
from sevenhues.core.encoder import Encoder, Feature
from sevenhues.core.options import Options
from sevenhues.games.flip_and_slide.geometry import HALF_ROW, NOWHERE, ROW, row_of
from sevenhues.games.flip_and_slide.pieces import ACTIONS_PER_TURN, HUES, MAX_TURNS, REPETITION_LIMIT, SETS
from sevenhues.games.flip_and_slide.rainbows import run_length
from sevenhues.games.flip_and_slide.rules import OVER, FlipAndSlidePosition
from sevenhues.games.flip_and_slide.view import actions_left

HIDDEN: Final = 7  # the face of a clover
FACE_CODES: Final = "each colour tile: 0-6 its colour (ROYGBIV), 7 a clover"
NO_CELL: Final = 34  # a coordinate that is missing; a patch has fewer columns and rows


class FlipAndSlideObservation(Encoder[FlipAndSlidePosition]):
    """What a seat knows now."""

    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return observation_layout(seats)

    def encode(self, position: FlipAndSlidePosition, seat: int) -> list[int]:
        size = OBSERVATION_SIZES[position.deal.seats]
        numbers: vec[i64] = vec[i64]([0] * size)
        self.write(position, seat, numbers, 0)
        return as_list(numbers)

    def write(self, position: FlipAndSlidePosition, seat: int, numbers: vec[i64], start: i64) -> None:
        deal = position.deal
        tiles, seats = deal.tiles, deal.seats
        me: i64 = max(seat, 0)
        numbers[start] = 1 if position.phase != OVER and position.turn == me else 0
        numbers[start + 1] = position.phase
        numbers[start + 2] = (position.turn - me + seats) % seats
        numbers[start + 3] = actions_left(position)
        numbers[start + 4] = position.turns
        numbers[start + 5] = position.stood
        at = start + 6
        hidden = at + 5 * tiles + 2 * seats + 2 + seats
        for hue in range(HUES):
            numbers[hidden + hue] = deal.sets
        tile: i64 = 0
        while tile < tiles:
            face: i64 = HIDDEN
            if (position.up >> tile) & 1:
                face = deal.colours[tile]
                numbers[hidden + face] -= 1
            numbers[at + tile] = face
            numbers[at + tiles + tile] = (position.barred >> tile) & 1
            numbers[at + 2 * tiles + tile] = (position.slid >> tile) & 1
            tile += 1
        _write_cells(position, me, numbers, at + 3 * tiles)
        at = hidden - seats
        for i in range(seats):
            player_tile = position.player_tile((me + i) % seats)
            numbers[at + i] = run_length(deal, position.patch, position.up, player_tile, position.red_start)


class FlipAndSlideInformationState(Encoder[FlipAndSlidePosition]):
    """The faces of the colour tiles. Together with the moves they are everything any seat has seen since the deal."""

    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return (Feature("face", SETS[seats] * HUES, HIDDEN, FACE_CODES),)

    def encode(self, position: FlipAndSlidePosition, seat: int) -> list[int]:
        return _faces(position)


def observation_layout(seats: int) -> tuple[Feature, ...]:
    """Describe the numbers of the observation, in order."""
    tiles = SETS[seats] * HUES
    sets = SETS[seats]
    where = f"counted from the lowest among tiles and previous cell; {NO_CELL} if not placed"
    return (
        Feature("my_turn", 1, 1, "1 if the viewer is to act (for a watcher: seat 0)"),
        Feature("phase", 1, OVER, "0 placing, 1 flipping and sliding, 2 jumping, 3 over"),
        Feature("turn", 1, seats - 1, "the seat to act, counted from the viewer's"),
        Feature("actions_left", 1, ACTIONS_PER_TURN, "flips and slides the seat to act still has"),
        Feature("turns", 1, MAX_TURNS, "turns that have ended"),
        Feature(
            "stood",
            1,
            REPETITION_LIMIT,
            "how often this turn's starting position has occurred; 0 in solo and while placing",
        ),
        Feature("face", tiles, HIDDEN, FACE_CODES),
        Feature("barred", tiles, 1, "each colour tile: 1 if the previous player slid it"),
        Feature("slid", tiles, 1, "each colour tile: 1 if it was slid this turn"),
        Feature("q", tiles, NO_CELL, f"each colour tile's q, {where}"),
        Feature("r", tiles, NO_CELL, f"each colour tile's r, {where}"),
        Feature("player_q", seats, NO_CELL, f"each player tile's q from the viewer's on, {where}"),
        Feature("player_r", seats, NO_CELL, f"each player tile's r from the viewer's on, {where}"),
        Feature("previous", 2, NO_CELL, f"solo: q and r of the cell it may not jump to, {where}"),
        Feature("run", seats, HUES, "the longest run of the rainbow beside each player tile, from the viewer's on"),
        Feature("hidden", HUES, sets, "how many of each colour lie under clovers"),
    )


def _faces(position: FlipAndSlidePosition) -> list[int]:
    deal = position.deal
    return [deal.colours[tile] if position.up & bit(tile) else HIDDEN for tile in range(deal.tiles)]


def _write_cells(position: FlipAndSlidePosition, me: i64, numbers: vec[i64], start: i64) -> None:
    """Write q and r of the colour tiles, of the player tiles from the viewer's on, and of the previous cell."""
    deal = position.deal
    cells = position.patch.cells
    tiles, seats = deal.tiles, deal.seats
    players = start + 2 * tiles
    previous = players + 2 * seats
    lowest_q: i64 = HALF_ROW
    lowest_r: i64 = HALF_ROW
    tile: i64 = 0
    while tile <= deal.size:
        cell = position.previous if tile == deal.size else cells[tile]
        at = start + tile
        step = tiles  # from q to r
        if tile == deal.size:
            at = previous
            step = 1
        elif tile >= tiles:
            at = players + (tile - tiles - me + seats) % seats
            step = seats
        q: i64 = NOWHERE
        r: i64 = NOWHERE
        if cell != NOWHERE:
            r = row_of(cell)
            q = cell - ROW * r
            lowest_q = min(lowest_q, q)
            lowest_r = min(lowest_r, r)
        numbers[at] = q
        numbers[at + step] = r
        tile += 1
    _subtract(lowest_q, numbers, start, tiles)
    _subtract(lowest_r, numbers, start + tiles, tiles)
    _subtract(lowest_q, numbers, players, seats)
    _subtract(lowest_r, numbers, players + seats, seats)
    _subtract(lowest_q, numbers, previous, 1)
    _subtract(lowest_r, numbers, previous + 1, 1)


def _subtract(lowest: i64, numbers: vec[i64], at: i64, count: i64) -> None:
    """Subtract the lowest coordinate from `count` coordinates; write NO_CELL for those that are missing."""
    end = at + count
    while at < end:
        coordinate = numbers[at]
        numbers[at] = coordinate - lowest
        if coordinate == NOWHERE:
            numbers[at] = NO_CELL
        at += 1


# By number of seats.
OBSERVATION_SIZES: Final = [
    sum([feature.size for feature in observation_layout(seats)]) if SETS[seats] else 0 for seats in range(len(SETS))
]
