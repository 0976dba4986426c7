"""Builds what anybody may see of a position: never the colour under a clover."""

from typing import Final

from mypy_extensions import i64

from sevenhues.core import bits
from sevenhues.core.bits import bit
from sevenhues.core.encoder import Feature
from sevenhues.core.position import NOBODY, WATCHER
from sevenhues.games.flip_and_slide.geometry import NOWHERE, SIDES, column_of, line, row_of, steps
from sevenhues.games.flip_and_slide.pieces import ACTIONS, COLOURS, HUES, MOST_TURNS, SETS, THIRD_TIME, Deal
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

HIDDEN: Final = 7  # in features: a clover
FACE_CODES: Final = "each colour tile: 0-6 its colour (ROYGBIV), 7 a clover"
OFF: Final = 34  # in features: no cell; a patch has fewer columns and rows


def cell_text(deal: Deal, cell: i64) -> str:
    """Write a cell as the record does."""
    q: int = column_of(cell)  # as plain numbers, since the origin may be anywhere
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
        turn_number=0 if position.phase == PLACE else min(position.turns + 1, MOST_TURNS),
        turn_limit=MOST_TURNS,
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
    """Build the view of somebody who may look under the clovers."""
    whole = view(position, WATCHER)
    for tile in whole["tiles"]:
        if tile["face"] == CLOVER:
            tile["under"] = COLOURS[position.deal.colours[tile["tile"]]]
    return whole


def actions_left(position: FlipAndSlidePosition) -> int:
    """Count the flips and slides that the seat to act still has this turn."""
    if position.phase != ACT:
        return 0
    return 1 if position.deal.seats == 1 else ACTIONS - position.actions


def face(position: FlipAndSlidePosition, tile: i64) -> str | None:
    """Return what a tile shows: a colour's letter, CLOVER, or None for a player tile."""
    if tile >= position.deal.tiles:
        return None
    return COLOURS[position.deal.colours[tile]] if (position.up >> tile) & 1 else CLOVER


def fixed(position: FlipAndSlidePosition, tile: i64) -> str | None:
    """Tell why the seat to act may not slide a tile, as a key of REFUSALS, or None if it may."""
    if tile >= position.deal.tiles:
        # FS-8 Never another player's tile.
        if tile != position.player_tile(position.turn):
            return "slide-other-player"
    elif not (position.up >> tile) & 1:
        # FS-8 Never a clover.
        return "slide-clover"
    elif (position.barred >> tile) & 1:
        # FS-11 What the player just before slid is barred.
        return "slide-barred"
    # FS-10 A tile that holds the patch together stays.
    if position.patch.holds(tile):
        return "slide-splits"
    # FS-9 It needs two open edges side by side.
    if steps(position.patch.neighbours(tile)) == 0:
        return "slide-shut-in"
    return None


def _tile(position: FlipAndSlidePosition, tile: i64, flips: i64) -> Tile:
    deal = position.deal
    acting = position.phase == ACT
    why = fixed(position, tile) if acting else None
    return Tile(
        tile=tile,
        cell=cell_text(deal, position.patch.cells[tile]),
        face=face(position, tile),
        seat=tile - deal.tiles if tile >= deal.tiles else None,
        may_flip=bool((flips >> tile) & 1),
        barred=bool((position.barred >> tile) & 1),
        reach=_reach(position, tile) if acting and why is None else {},
        fixed=why,
    )


def _reach(position: FlipAndSlidePosition, tile: i64) -> dict[str, str]:
    patch = position.patch
    found = patch.reach(tile, position.most_spaces)
    texts = [cell_text(position.deal, patch.walk[i]) for i in range(found + 1)]
    return {texts[i]: texts[patch.came[i]] for i in range(1, found + 1)}


def _places(position: FlipAndSlidePosition) -> list[str]:
    if position.phase != PLACE:
        return []
    found = position.patch.walk_beside()
    return [cell_text(position.deal, position.patch.walk[i]) for i in range(1, found + 1)]


def _jumps(position: FlipAndSlidePosition) -> list[Jump]:
    jumps: list[Jump] = []
    if position.phase != JUMP:
        return jumps
    patch = position.patch
    start = patch.cells[position.player_tile(0)]
    for side in range(SIDES):
        landing = patch.landing(start, side)
        # FS-21 Its previous cell is barred.
        if landing != NOWHERE and landing != position.previous:
            over = [patch.tile_on(cell) for cell in line(start, landing)[1:-1]]
            jumps.append(Jump(cell=cell_text(position.deal, landing), over=over))
    return jumps


def runs(position: FlipAndSlidePosition) -> list[list[int]]:
    """List the longest run of the rainbow beside each player tile."""
    deal = position.deal
    found: list[list[int]] = []
    for seat in range(deal.seats):
        tile = position.player_tile(seat)
        found.append(longest_run(deal, position.patch, position.up, tile, position.red_start))
    return found


def hidden_counts(position: FlipAndSlidePosition) -> list[int]:
    """Count the colours under clovers: those of all tiles less those that show."""
    counts = [SETS[position.seats]] * HUES
    for tile in bits.members(position.up):
        counts[position.deal.colours[tile]] -= 1
    return counts


def _last(position: FlipAndSlidePosition) -> Last | None:
    if position.last_kind == NO_MOVE:
        return None
    deal = position.deal
    tile = position.last_tile
    way = [cell_text(deal, cell) for cell in last_way(position)]
    move = SIGNS[position.last_kind]
    # A placed tile came from nowhere; "S" also says where it began.
    move += f"{way[0]}>{way[-1]}" if position.last_kind == SLID else way[-1]
    before = position.turn - position.last_empty
    return Last(
        seat=position.last_seat,
        move=move,
        kind=KINDS[position.last_kind],
        tile=tile,
        face=face(position, tile),
        way=way,
        empty_turns=[(before + i) % deal.seats for i in range(position.last_empty)],
    )


def last_way(position: FlipAndSlidePosition) -> list[int]:
    """List the cells of the last move's way; just the tile's own where it did not move over the table."""
    patch = position.patch
    tile = position.last_tile
    end = patch.cells[tile]
    if position.last_kind == JUMPED:
        return line(position.last_from, end)
    if position.last_kind != SLID:
        return [end]
    # Nothing else has moved since, so a walk back along the same steps is a way there.
    found = patch.reach(tile, position.most_spaces)
    at: i64 = 1
    while at <= found and patch.walk[at] != position.last_from:
        at += 1
    way: list[int] = [position.last_from]
    while at > 0:
        at = patch.came[at]
        way.append(patch.walk[at])
    return way


def layout(seats: int) -> tuple[Feature, ...]:
    """Name the features of a game for so many."""
    tiles = SETS[seats] * HUES
    sets = SETS[seats]
    where = f"counted from the lowest among tiles and previous cell; {OFF} if not placed"
    return (
        Feature("my_turn", 1, 1, "1 if the viewer is to act (for a watcher: seat 0)"),
        Feature("phase", 1, OVER, "0 placing, 1 flipping and sliding, 2 jumping, 3 over"),
        Feature("turn", 1, seats - 1, "the seat to act, counted from the viewer's"),
        Feature("actions_left", 1, ACTIONS, "flips and slides the seat to act still has"),
        Feature("turns", 1, MOST_TURNS, "turns that have ended"),
        Feature("stood", 1, THIRD_TIME, "how often this turn's start has stood; 0 in solo and while placing"),
        Feature("face", tiles, HIDDEN, FACE_CODES),
        Feature("barred", tiles, 1, "each colour tile: 1 if the player just before slid it"),
        Feature("slid", tiles, 1, "each colour tile: 1 if it was slid this turn"),
        Feature("q", tiles, OFF, f"each colour tile's q, {where}"),
        Feature("r", tiles, OFF, f"each colour tile's r, {where}"),
        Feature("player_q", seats, OFF, f"each player tile's q from the viewer's on, {where}"),
        Feature("player_r", seats, OFF, f"each player tile's r from the viewer's on, {where}"),
        Feature("previous", 2, OFF, f"solo: q and r of the cell it may not jump to, {where}"),
        Feature("run", seats, HUES, "the longest run of the rainbow beside each player tile, from the viewer's on"),
        Feature("hidden", HUES, sets, "how many of each colour lie under clovers"),
    )


def features(position: FlipAndSlidePosition, viewer: int) -> list[int]:
    """Number what a seat or WATCHER knows, in the order of `layout`."""
    deal = position.deal
    patch = position.patch
    me = max(viewer, 0)
    order = [(me + i) % deal.seats for i in range(deal.seats)]
    cells: list[int] = [patch.cells[tile] for tile in range(deal.tiles)]
    cells += [patch.cells[position.player_tile(seat)] for seat in order]
    cells.append(position.previous)
    columns = _from_lowest([NOWHERE if cell == NOWHERE else column_of(cell) for cell in cells])
    rows = _from_lowest([NOWHERE if cell == NOWHERE else row_of(cell) for cell in cells])
    found = runs(position)
    numbers: list[int] = [
        int(position.phase != OVER and position.turn == me),
        position.phase,
        (position.turn - me) % deal.seats,
        actions_left(position),
        position.turns,
        position.stood,
    ]
    numbers += faces(position)
    numbers += _flags(position.barred, deal.tiles)
    numbers += _flags(position.slid, deal.tiles)
    numbers += columns[: deal.tiles] + rows[: deal.tiles]
    numbers += columns[deal.tiles : deal.size] + rows[deal.tiles : deal.size]
    numbers += [columns[deal.size], rows[deal.size]]
    numbers += [len(found[seat]) for seat in order]
    return numbers + hidden_counts(position)


def faces(position: FlipAndSlidePosition) -> list[int]:
    """Number what the colour tiles show. With the moves this is all that anybody has ever seen of them."""
    deal = position.deal
    return [deal.colours[tile] if position.up & bit(tile) else HIDDEN for tile in range(deal.tiles)]


def information_state_layout(seats: int) -> tuple[Feature, ...]:
    """Name what a seat recalls beside the moves."""
    return (Feature("face", SETS[seats] * HUES, HIDDEN, FACE_CODES),)


def _from_lowest(numbers: list[int]) -> list[int]:
    lowest = min([number for number in numbers if number != NOWHERE])
    return [OFF if number == NOWHERE else number - lowest for number in numbers]


def _flags(mask: i64, tiles: i64) -> list[int]:
    return [(mask >> tile) & 1 for tile in range(tiles)]
