"""What Flip & Slide teaches bots, and its four levels."""

from typing import Final

from mypy_extensions import i64

from sevenhues.core.game import Guide, Level, Position
from sevenhues.core.rng import Rng
from sevenhues.games.flip_and_slide.distance import distance
from sevenhues.games.flip_and_slide.field import Field
from sevenhues.games.flip_and_slide.geometry import NOWHERE, SIDES
from sevenhues.games.flip_and_slide.planner import Planner, Style
from sevenhues.games.flip_and_slide.playouts import NO_TILE
from sevenhues.games.flip_and_slide.rules import ACT, FLIPPED, PLACE, FlipAndSlidePosition

FURTHEST: Final = 64.0  # more than any distance


class FlipAndSlideGuide(Guide):
    """Tells how far everybody is from a rainbow."""

    horizon = 40

    def values(self, position: Position) -> list[float]:
        assert isinstance(position, FlipAndSlidePosition)
        if position.phase != ACT:
            return super().values(position)
        field = Field(position, False)
        near = [1.0 / (1.0 + float(distance(field, field.tiles + seat))) for seat in range(position.seats)]
        if position.seats == 1:
            return near
        whole = sum(near)
        return [one / whole for one in near]

    def sight(self, position: Position, seat: int) -> int:
        """FS-7 Everybody sees the colour that a flip shows."""
        assert isinstance(position, FlipAndSlidePosition)
        if position.last_kind != FLIPPED:
            return 0
        return 1 + position.deal.colours[position.last_tile]


class Planning(FlipAndSlideGuide):
    """Plans whole turns."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.planned: list[int] = []  # the moment for which an action is settled already
        self.settled = 0

    def plan(
        self, position: Position, seat: int, moves: list[int], peeks: bool, limit: int, until: float, rng: Rng
    ) -> list[float]:
        assert isinstance(position, FlipAndSlidePosition)
        if position.phase == PLACE:
            return placings(position, moves, rng)
        if position.seats == 1:
            return []
        values = [0.0] * len(moves)
        if position.actions and self.planned == seen(position) and self.settled in moves:
            values[moves.index(self.settled)] = 1.0
            return values
        turn = Planner(position, moves, self.style, peeks, limit, rng).best(until)
        values[turn.move] = max(turn.value(), 0.001)
        if turn.tile_2 != NO_TILE:
            self._settle(position, moves[turn.move], turn.tile_2, turn.cell_2)
        return values

    def _settle(self, position: FlipAndSlidePosition, move: int, tile: i64, cell: i64) -> None:
        """Remember the second action of a turn that begins with a slide."""
        after = position.copy()
        after.play(position.turn, move)
        self.planned = seen(after)
        self.settled = tile if cell == NOWHERE else after.put_base(tile) + after.patch.name(tile, cell)


def seen(position: FlipAndSlidePosition) -> list[int]:
    """Return all that everybody sees of a moment, as numbers."""
    deal = position.deal
    moment: list[int] = [position.patch.cells[tile] for tile in range(deal.size)]
    moment += [deal.colours[tile] if (position.up >> tile) & 1 else -1 for tile in range(deal.tiles)]
    moment += [position.turn, position.turns, position.actions, position.phase, position.slid, position.barred]
    moment += [position.previous, int(position.red_start), int(position.short_slides)]
    return moment


def placings(position: FlipAndSlidePosition, moves: list[int], rng: Rng) -> list[float]:
    """Value the cells for a player tile: near a rainbow, and not wedged in."""
    field = Field(position, False)
    me = position.player_tile(position.turn)
    size: i64 = position.deal.size
    values: list[float] = []
    for move in moves:
        cell = field.patch.named((move - field.tiles) % (size * SIDES))
        field.patch.put(me, cell)
        far = float(distance(field, me))
        loose = 1.0 if field.slides_at_all(me) else 0.0
        field.patch.take(me)
        values.append((FURTHEST - far + loose + float(rng.below(100)) / 200.0) / (2.0 * FURTHEST))
    return values


SEEDLING: Final = Style(0, 8, 50, 0, False, 1)
PLAYER: Final = Style(6, 24, 30, 1, False, 1)
EXPERT: Final = Style(24, 48, 0, 2, False, 1)
MASTER: Final = Style(24, 48, 0, 2, True, 8)


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
            96,
        ),
    ]
