"""What Flip & Slide teaches bots, and its four levels."""

from typing import Final

from mypy_extensions import i64

from sevenhues.core.bot_support import Heuristics, Level
from sevenhues.core.rng import Rng
from sevenhues.games.flip_and_slide.bots.distance import distance
from sevenhues.games.flip_and_slide.bots.level_settings import (
    EXPERT,
    HEEDLESS,
    MASTER,
    PLAYER,
    SEEDLING,
    Style,
)
from sevenhues.games.flip_and_slide.bots.planner import Planner
from sevenhues.games.flip_and_slide.bots.playouts import NO_TILE
from sevenhues.games.flip_and_slide.bots.search_board import Field
from sevenhues.games.flip_and_slide.bots.solo import Soloist, freedom
from sevenhues.games.flip_and_slide.geometry import NOWHERE, SIDES
from sevenhues.games.flip_and_slide.rules import ACT, FLIPPED, PLACE, FlipAndSlidePosition

FURTHEST: Final = 64.0  # more than any distance
NEARLY: Final = 0.999  # what seems better than the turn to make rests on fewer tries
LEAST: Final = 0.001  # the value of a move that is made all the same
NO_MOVE: Final = -1


class FlipAndSlideHeuristics(Heuristics[FlipAndSlidePosition]):
    """Tells how far everybody is from a rainbow."""

    horizon = 40

    def values(self, position: FlipAndSlidePosition) -> list[float]:
        if position.phase != ACT:
            return super().values(position)
        field = Field(position, False)
        near = [1.0 / (1.0 + float(distance(field, field.tiles + seat))) for seat in range(position.seats)]
        if position.seats == 1:
            return near
        whole = sum(near)
        return [one / whole for one in near]

    def observation_key(self, position: FlipAndSlidePosition, seat: int) -> int:
        """FS-7 Everybody sees the colour that a flip shows."""
        if position.last_kind != FLIPPED:
            return 0
        return 1 + position.deal.colours[position.last_tile]


class Planning(FlipAndSlideHeuristics):
    """Plans whole turns."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.settled: dict[tuple[int, ...], int] = {}  # what the last plan says to do, by what is seen then

    def evaluate_moves(
        self,
        position: FlipAndSlidePosition,
        seat: int,
        moves: list[int],
        peeks: bool,
        limit: int,
        until: float,
        rng: Rng,
    ) -> list[float]:
        if position.phase == PLACE:
            return placings(position, moves, rng)
        values = [0.0] * len(moves)
        settled = self.settled.get(seen(position), NO_MOVE)
        if settled in moves:
            values[moves.index(settled)] = 1.0
            return values
        self.settled = {}
        if position.seats == 1:
            return self._plan_alone(position, moves, peeks, limit, until, rng)
        planner = Planner(position, moves, self.style, peeks, limit, rng)
        turn = planner.best(until)
        best = max(turn.value(), LEAST)
        for other in planner.tried:
            if other.tries > 0:
                values[other.move] = max(values[other.move], min(other.value(), best * NEARLY))
        values[turn.move] = best
        if turn.tile_2 != NO_TILE:
            after = position.copy()
            after.play(seat, moves[turn.move])
            self.settled[seen(after)] = move_of(after, turn.tile_2, turn.cell_2)
        return values

    def _plan_alone(
        self, position: FlipAndSlidePosition, moves: list[int], peeks: bool, limit: int, until: float, rng: Rng
    ) -> list[float]:
        """Look for a whole way to a rainbow, and keep to it until a flip shows something else than imagined."""
        minds = HEEDLESS if rng.below(200) < self.style.overlooks else self.style.minds
        soloist = Soloist(position, peeks, minds, rng)
        soloist.field.imagine(rng)
        hues = bytes([soloist.field.hues[tile] for tile in range(position.deal.tiles)])
        way = soloist.search(min(self.style.width, limit), min(self.style.turns, limit + 2), until)
        values = [LEAST * float(rng.below(100)) / 100.0 for _ in moves]
        after = position.recoloured(hues)
        for tile, cell in way.actions():
            move = move_of(after, after.player_tile(0) if tile == NO_TILE else tile, cell)
            if not self.settled:
                values[moves.index(move)] = 1.0 if way is soloist.goal else 0.5
            self.settled[seen(after)] = move
            after.play(0, move)
            if way is not soloist.goal:
                break
        return values


def move_of(position: FlipAndSlidePosition, tile: i64, cell: i64) -> int:
    """Return the move that puts a tile on a cell, or flips it where the cell is NOWHERE."""
    if cell == NOWHERE:
        return tile
    return position.put_base(tile) + position.patch.name(tile, cell)


def seen(position: FlipAndSlidePosition) -> tuple[int, ...]:
    """Return all that everybody sees of a moment, as numbers."""
    deal = position.deal
    moment: list[int] = [position.patch.cells[tile] for tile in range(deal.size)]
    moment += [deal.colours[tile] if (position.up >> tile) & 1 else -1 for tile in range(deal.tiles)]
    moment += [position.turn, position.turns, position.actions, position.phase, position.slid, position.barred]
    moment += [position.previous, int(position.red_start), int(position.short_slides)]
    return tuple(moment)


def placings(position: FlipAndSlidePosition, moves: list[int], rng: Rng) -> list[float]:
    """Value the cells for a player tile: near a rainbow, and not wedged in. The best is worth a fair share."""
    field = Field(position, False)
    me = position.player_tile(position.turn)
    size: i64 = position.deal.size
    values: list[float] = []
    for move in moves:
        cell = field.patch.named((move - field.tiles) % (size * SIDES))
        field.patch.put(me, cell)
        far = float(distance(field, me))
        loose = 1.0 if field.slides_at_all(me) else 0.0
        if position.seats == 1:
            loose = float(freedom(field.patch, me, NOWHERE))
        field.patch.take(me)
        values.append(FURTHEST - far + loose + float(rng.below(100)) / 200.0)
    most = max(values) * position.seats
    return [value / most for value in values]


def levels() -> list[Level]:
    """List the four levels."""
    return [
        Level(
            "seedling",
            "Goes straight for a rainbow of its own and does not see what others are up to.",
            "greedy",
            Planning(SEEDLING),
        ),
        Level(
            "player",
            "Plans its turn and sees who could win with one action, but overlooks things.",
            "greedy",
            Planning(PLAYER),
        ),
        Level(
            "expert",
            "Finds every turn that wins and leaves the next player none, but trusts to luck in flips.",
            "greedy",
            Planning(EXPERT),
        ),
        Level(
            "master",
            "Finds every turn that wins, weighs what flips may show, and plays on in its mind.",
            "flat",
            Planning(MASTER),
            64,
        ),
    ]
