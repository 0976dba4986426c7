"""Encodings of Flip & Slide positions as numbers: the observation and the information state."""

from typing import Final

from mypy_extensions import i64

from sevenhues.core.bits import bit
from sevenhues.core.encoder import Encoder, Feature
from sevenhues.core.options import Options
from sevenhues.games.flip_and_slide.geometry import NOWHERE, column_of, row_of
from sevenhues.games.flip_and_slide.pieces import ACTIONS_PER_TURN, HUES, MAX_TURNS, REPETITION_LIMIT, SETS
from sevenhues.games.flip_and_slide.rules import OVER, FlipAndSlidePosition
from sevenhues.games.flip_and_slide.view import actions_left, hidden_counts, runs

HIDDEN: Final = 7  # the face of a clover
FACE_CODES: Final = "each colour tile: 0-6 its colour (ROYGBIV), 7 a clover"
NO_CELL: Final = 34  # a coordinate that is missing; a patch has fewer columns and rows


class FlipAndSlideObservation(Encoder[FlipAndSlidePosition]):
    """What a seat knows now."""

    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return observation_layout(seats)

    def encode(self, position: FlipAndSlidePosition, seat: int) -> list[int]:
        deal = position.deal
        me = max(seat, 0)
        order = [(me + i) % deal.seats for i in range(deal.seats)]
        columns, rows = _coordinates(position, order)
        longest = runs(position)
        numbers: list[int] = [
            int(position.phase != OVER and position.turn == me),
            position.phase,
            (position.turn - me) % deal.seats,
            actions_left(position),
            position.turns,
            position.stood,
        ]
        numbers += _faces(position)
        numbers += _flags(position.barred, deal.tiles)
        numbers += _flags(position.slid, deal.tiles)
        numbers += columns[: deal.tiles] + rows[: deal.tiles]
        numbers += columns[deal.tiles : deal.size] + rows[deal.tiles : deal.size]
        numbers += [columns[deal.size], rows[deal.size]]
        numbers += [len(longest[owner]) for owner in order]
        return numbers + hidden_counts(position)


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


def _coordinates(position: FlipAndSlidePosition, order: list[int]) -> tuple[list[int], list[int]]:
    """Return q and r of the colour tiles, of the player tiles from the viewer's on, and of the previous cell."""
    deal = position.deal
    patch = position.patch
    cells: list[int] = [patch.cells[tile] for tile in range(deal.tiles)]
    cells += [patch.cells[position.player_tile(owner)] for owner in order]
    cells.append(position.previous)
    columns = _from_lowest([NOWHERE if cell == NOWHERE else column_of(cell) for cell in cells])
    rows = _from_lowest([NOWHERE if cell == NOWHERE else row_of(cell) for cell in cells])
    return columns, rows


def _from_lowest(numbers: list[int]) -> list[int]:
    lowest = min([number for number in numbers if number != NOWHERE])
    return [NO_CELL if number == NOWHERE else number - lowest for number in numbers]


def _flags(mask: i64, tiles: i64) -> list[int]:
    return [(mask >> tile) & 1 for tile in range(tiles)]
