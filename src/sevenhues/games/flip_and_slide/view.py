"""Builds views: what a seat or a watcher may see of a position, which never includes the colour under a clover."""

from typing import Final

from mypy_extensions import i64

from sevenhues.core import bits
from sevenhues.core.position import NOBODY, WATCHER
from sevenhues.games.flip_and_slide.geometry import NOWHERE, SIDES, column_of, line, row_of, steps
from sevenhues.games.flip_and_slide.pieces import ACTIONS_PER_TURN, COLOURS, HUES, MAX_TURNS, SETS, Deal
from sevenhues.games.flip_and_slide.rainbows import longest_run
from sevenhues.games.flip_and_slide.rules import (
    ACT,
    FLIPPED,
    JUMP,
    JUMPED,
    NO_MOVE,
    OVER,
    PLACE,
    PLACED,
    REASONS,
    SLID,
    FlipAndSlidePosition,
)
from sevenhues.games.flip_and_slide.view_types import FlipAndSlideView, Jump, Kind, Last, Phase, Tile

CLOVER: Final = "?"
PHASES: Final[dict[int, Phase]] = {PLACE: "place", ACT: "act", JUMP: "jump", OVER: "over"}
KINDS: Final[dict[int, Kind]] = {PLACED: "place", FLIPPED: "flip", SLID: "slide", JUMPED: "jump"}
SIGNS: Final = {PLACED: "@", FLIPPED: "F", SLID: "S", JUMPED: "J"}


def cell_text(deal: Deal, cell: i64) -> str:
    """Write a cell in record coordinates."""
    q: int = column_of(cell)  # an int, not an i64: the coordinates of the origin have no bounds
    r: int = row_of(cell)
    return f"{deal.origin_q + q},{deal.origin_r + r}"


def view(position: FlipAndSlidePosition, viewer: int) -> FlipAndSlideView:
    """Build the view of a seat or WATCHER."""
    deal = position.deal
    over = position.phase == OVER
    flips = position.flippable() if position.phase == ACT else 0
    return FlipAndSlideView(
        viewer=viewer,
        phase=PHASES[position.phase],
        turn=None if over else position.turn,
        turn_number=0 if position.phase == PLACE else min(position.turns + 1, MAX_TURNS),
        turn_limit=MAX_TURNS,
        actions_left=actions_left(position),
        stood=position.stood,
        tiles=[_tile(position, tile, flips) for tile in range(deal.size) if position.patch.cells[tile] != NOWHERE],
        places=_places(position),
        jumps=_jumps(position),
        previous=None if position.previous == NOWHERE else cell_text(deal, position.previous),
        barred_by=(position.turn - 1) % deal.seats if position.barred else None,
        runs=runs(position),
        hidden={COLOURS[hue]: count for hue, count in enumerate(hidden_counts(position))},
        clovers=bits.count(position.clovers()),
        winner=None if position.winner == NOBODY else position.winner,
        reason=REASONS[position.reason] if over else None,
        last=_last(position),
    )


def full_view(position: FlipAndSlidePosition) -> FlipAndSlideView:
    """Build a watcher's view that also shows the colours under clovers."""
    opened = view(position, WATCHER)
    for tile in opened["tiles"]:
        if tile["face"] == CLOVER:
            tile["under"] = COLOURS[position.deal.colours[tile["tile"]]]
    return opened


def actions_left(position: FlipAndSlidePosition) -> int:
    """Return how many flips and slides the seat to act still has this turn."""
    if position.phase != ACT:
        return 0
    return 1 if position.deal.seats == 1 else ACTIONS_PER_TURN - position.actions


def face(position: FlipAndSlidePosition, tile: i64) -> str | None:
    """Return the face of a tile: a colour's letter, CLOVER, or None for a player tile."""
    if tile >= position.deal.tiles:
        return None
    return COLOURS[position.deal.colours[tile]] if (position.up >> tile) & 1 else CLOVER


def slide_refusal(position: FlipAndSlidePosition, tile: i64) -> str | None:
    """Return the key of REFUSALS for which the seat to act may not slide a tile, or None if it may."""
    if tile >= position.deal.tiles:
        # FS-8 Another player's tile may not be slid.
        if tile != position.player_tile(position.turn):
            return "slide-other-player"
    elif not (position.up >> tile) & 1:
        # FS-8 A clover may not be slid.
        return "slide-clover"
    elif (position.barred >> tile) & 1:
        # FS-11 A tile slid by the previous player is barred.
        return "slide-barred"
    # FS-10 A slide may not split the patch.
    if position.patch.is_cut_tile(tile):
        return "slide-splits"
    # FS-9 A step needs two adjacent open edges.
    if steps(position.patch.neighbours(tile)) == 0:
        return "slide-shut-in"
    return None


def _tile(position: FlipAndSlidePosition, tile: i64, flips: i64) -> Tile:
    deal = position.deal
    acting = position.phase == ACT
    refusal = slide_refusal(position, tile) if acting else None
    return Tile(
        tile=tile,
        cell=cell_text(deal, position.patch.cells[tile]),
        face=face(position, tile),
        seat=tile - deal.tiles if tile >= deal.tiles else None,
        may_flip=bool((flips >> tile) & 1),
        barred=bool((position.barred >> tile) & 1),
        reach=_reach(position, tile) if acting and refusal is None else {},
        fixed=refusal,
    )


def _reach(position: FlipAndSlidePosition, tile: i64) -> dict[str, str]:
    patch = position.patch
    count = patch.reach(tile, position.max_spaces)
    texts = [cell_text(position.deal, patch.walk[i]) for i in range(count + 1)]
    return {texts[i]: texts[patch.came_from[i]] for i in range(1, count + 1)}


def _places(position: FlipAndSlidePosition) -> list[str]:
    if position.phase != PLACE:
        return []
    count = position.patch.collect_beside()
    return [cell_text(position.deal, position.patch.walk[i]) for i in range(1, count + 1)]


def _jumps(position: FlipAndSlidePosition) -> list[Jump]:
    jumps: list[Jump] = []
    if position.phase != JUMP:
        return jumps
    patch = position.patch
    start = patch.cells[position.player_tile(0)]
    for side in range(SIDES):
        landing = patch.landing(start, side)
        # FS-21 The tile may not jump back to its previous cell.
        if landing != NOWHERE and landing != position.previous:
            over = [patch.tile_on(cell) for cell in line(start, landing)[1:-1]]
            jumps.append(Jump(cell=cell_text(position.deal, landing), over=over))
    return jumps


def runs(position: FlipAndSlidePosition) -> list[list[int]]:
    """Return the longest run of the rainbow beside each player tile, by seat."""
    deal = position.deal
    longest: list[list[int]] = []
    for seat in range(deal.seats):
        tile = position.player_tile(seat)
        longest.append(longest_run(deal, position.patch, position.up, tile, position.red_start))
    return longest


def hidden_counts(position: FlipAndSlidePosition) -> list[int]:
    """Return how many tiles of each colour lie under clovers."""
    counts = [SETS[position.seats]] * HUES
    for tile in bits.members(position.up):
        counts[position.deal.colours[tile]] -= 1
    return counts


def _last(position: FlipAndSlidePosition) -> Last | None:
    if position.last_kind == NO_MOVE:
        return None
    deal = position.deal
    tile = position.last_tile
    path = [cell_text(deal, cell) for cell in last_path(position)]
    move = SIGNS[position.last_kind]
    # Only the text of a slide names the start.
    move += f"{path[0]}>{path[-1]}" if position.last_kind == SLID else path[-1]
    first_empty = position.turn - position.last_empty
    return Last(
        seat=position.last_seat,
        move=move,
        kind=KINDS[position.last_kind],
        tile=tile,
        face=face(position, tile),
        way=path,
        empty_turns=[(first_empty + i) % deal.seats for i in range(position.last_empty)],
    )


def last_path(position: FlipAndSlidePosition) -> list[int]:
    """Return the path of the last move, start and end included; for a flip or a placement the cell of the tile."""
    patch = position.patch
    tile = position.last_tile
    end = patch.cells[tile]
    if position.last_kind == JUMPED:
        return line(position.last_from, end)
    if position.last_kind != SLID:
        return [end]
    # Nothing else has moved since, so the reversed path of a slide back is a path of the slide.
    count = patch.reach(tile, position.max_spaces)
    at: i64 = 1
    while at <= count and patch.walk[at] != position.last_from:
        at += 1
    path: list[int] = [position.last_from]
    while at > 0:
        at = patch.came_from[at]
        path.append(patch.walk[at])
    return path
