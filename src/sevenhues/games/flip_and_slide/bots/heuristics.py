"""Heuristics of Flip & Slide, and its four levels."""

from typing import Final

from mypy_extensions import i64

from sevenhues.core.bot_support import Heuristics, Level
from sevenhues.core.rng import Rng
from sevenhues.games.flip_and_slide.bots.distance import distance
from sevenhues.games.flip_and_slide.bots.level_settings import (
    EXPERT,
    IGNORES_JUMPS,
    MASTER,
    PLAYER,
    SEEDLING,
    LevelSettings,
)
from sevenhues.games.flip_and_slide.bots.planner import Planner
from sevenhues.games.flip_and_slide.bots.playouts import NO_TILE
from sevenhues.games.flip_and_slide.bots.search_board import SearchBoard
from sevenhues.games.flip_and_slide.bots.solo import SoloSearch, count_jumps
from sevenhues.games.flip_and_slide.geometry import NOWHERE, SIDES
from sevenhues.games.flip_and_slide.rules import ACT, FLIPPED, PLACE, FlipAndSlidePosition

MAX_DISTANCE: Final = 64.0  # above every distance
TIE_DISCOUNT: Final = 0.999  # other moves are worth at most this share of the best: their values rest on fewer playouts
MIN_VALUE: Final = 0.001  # the least value of the chosen move
NO_MOVE: Final = -1


class FlipAndSlideHeuristics(Heuristics[FlipAndSlidePosition]):
    """Evaluates positions by the distance of each seat from a rainbow."""

    max_playout = 40

    def values(self, position: FlipAndSlidePosition) -> list[float]:
        if position.phase != ACT:
            return super().values(position)
        board = SearchBoard(position, False)
        closeness = [1.0 / (1.0 + float(distance(board, board.tiles + seat))) for seat in range(position.seats)]
        if position.seats == 1:
            return closeness
        total = sum(closeness)
        return [value / total for value in closeness]

    def observation_key(self, position: FlipAndSlidePosition, seat: int) -> int:
        """FS-7 Return the colour that a flip revealed to all seats, plus 1."""
        if position.last_kind != FLIPPED:
            return 0
        return 1 + position.deal.colours[position.last_tile]


class PlanningHeuristics(FlipAndSlideHeuristics):
    """Plans whole turns, and solo games as far as a rainbow."""

    def __init__(self, settings: LevelSettings) -> None:
        self.settings = settings
        self.planned: dict[tuple[int, ...], int] = {}  # moves of the last plan, by observed state

    def evaluate_moves(
        self,
        position: FlipAndSlidePosition,
        seat: int,
        moves: list[int],
        sees_hidden: bool,
        limit: int,
        until: float,
        rng: Rng,
    ) -> list[float]:
        if position.phase == PLACE:
            return placement_values(position, moves, rng)
        values = [0.0] * len(moves)
        planned = self.planned.get(observed_state(position), NO_MOVE)
        if planned in moves:
            values[moves.index(planned)] = 1.0
            return values
        self.planned = {}
        if position.seats == 1:
            return self._plan_solo(position, moves, sees_hidden, limit, until, rng)
        planner = Planner(position, moves, self.settings, sees_hidden, limit, rng)
        turn = planner.best_turn(until)
        best = max(turn.value(), MIN_VALUE)
        for other in planner.tried:
            if other.playouts > 0:
                values[other.move] = max(values[other.move], min(other.value(), best * TIE_DISCOUNT))
        values[turn.move] = best
        if turn.tile_2 != NO_TILE:
            after = position.copy()
            after.play(seat, moves[turn.move])
            self.planned[observed_state(after)] = move_of(after, turn.tile_2, turn.cell_2)
        return values

    def _plan_solo(
        self, position: FlipAndSlidePosition, moves: list[int], sees_hidden: bool, limit: int, until: float, rng: Rng
    ) -> list[float]:
        """Search for a path to a rainbow and remember it; it is followed until a flip reveals an unexpected colour."""
        jump_care = IGNORES_JUMPS if rng.below(200) < self.settings.overlook_percent else self.settings.jump_care
        search = SoloSearch(position, sees_hidden, jump_care, rng)
        search.board.sample_hidden(rng)
        hues = bytes([search.board.hues[tile] for tile in range(position.deal.tiles)])
        path = search.search(min(self.settings.solo_width, limit), min(self.settings.solo_turns, limit + 2), until)
        values = [MIN_VALUE * float(rng.below(100)) / 100.0 for _ in moves]
        after = position.recoloured(hues)
        for tile, cell in path.actions():
            move = move_of(after, after.player_tile(0) if tile == NO_TILE else tile, cell)
            if not self.planned:
                values[moves.index(move)] = 1.0 if path is search.goal else 0.5
            self.planned[observed_state(after)] = move
            after.play(0, move)
            if path is not search.goal:
                break
        return values


def move_of(position: FlipAndSlidePosition, tile: i64, cell: i64) -> int:
    """Return the move that puts a tile on a cell, or flips it if the cell is NOWHERE."""
    if cell == NOWHERE:
        return tile
    return position.put_base(tile) + position.patch.encode_cell(tile, cell)


def observed_state(position: FlipAndSlidePosition) -> tuple[int, ...]:
    """Return everything that all seats observe of a position, as a key."""
    deal = position.deal
    numbers: list[int] = [position.patch.cells[tile] for tile in range(deal.size)]
    numbers += [deal.colours[tile] if (position.up >> tile) & 1 else -1 for tile in range(deal.tiles)]
    numbers += [position.turn, position.turns, position.actions, position.phase, position.slid, position.barred]
    numbers += [position.previous, int(position.red_start), int(position.short_slides)]
    return tuple(numbers)


def placement_values(position: FlipAndSlidePosition, moves: list[int], rng: Rng) -> list[float]:
    """Evaluate placements of the player tile: near a rainbow and free to move. The best is worth 1 / seats."""
    board = SearchBoard(position, False)
    me = position.player_tile(position.turn)
    size: i64 = position.deal.size
    values: list[float] = []
    for move in moves:
        cell = board.patch.decode_cell((move - board.tiles) % (size * SIDES))
        board.patch.put(me, cell)
        own_distance = float(distance(board, me))
        mobility = 1.0 if board.can_slide(me) else 0.0
        if position.seats == 1:
            mobility = float(count_jumps(board.patch, me, NOWHERE))
        board.patch.take(me)
        values.append(MAX_DISTANCE - own_distance + mobility + float(rng.below(100)) / 200.0)
    scale = max(values) * position.seats
    return [value / scale for value in values]


def levels() -> list[Level]:
    """Return the four levels, the weakest first."""
    return [
        Level(
            "seedling",
            "Goes straight for its own rainbow and ignores what others do.",
            "greedy",
            PlanningHeuristics(SEEDLING),
        ),
        Level(
            "player",
            "Plans its turn and sees wins in one action, but overlooks things.",
            "greedy",
            PlanningHeuristics(PLAYER),
            fixed_simulations=12,
        ),
        Level(
            "expert",
            "Finds every winning turn and leaves you none, but flips at random.",
            "greedy",
            PlanningHeuristics(EXPERT),
            fixed_simulations=12,
        ),
        Level(
            "master",
            "Finds every winning turn, weighs up each flip and thinks ahead.",
            "flat",
            PlanningHeuristics(MASTER),
            64,
            fixed_simulations=4,
        ),
    ]
