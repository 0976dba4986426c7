"""The notation of Flip & Slide: cells, moves and setups as text, and refusals of moves."""

from typing import Any, Final

from sevenhues.core import json_checks
from sevenhues.core.errors import BadRecord, Refusal, shorten
from sevenhues.core.game import Setup
from sevenhues.games.flip_and_slide.geometry import NOWHERE, SIDES, cell_at, connected, side_toward
from sevenhues.games.flip_and_slide.pieces import COLOURS, FIRST_UP, HUES, SETS, UNLIMITED, Deal
from sevenhues.games.flip_and_slide.rules import ACT, JUMP, PLACE, FlipAndSlidePosition
from sevenhues.games.flip_and_slide.view import cell_text, slide_refusal

NUMBER: Final = "(?:0|-?[1-9][0-9]{0,99})"  # FS-2 plain decimal; a limit of 100 digits keeps parsing cheap
CELL: Final = f"{NUMBER},{NUMBER}"
MOVE_PATTERN: Final[str] = f"[@FJ]{CELL}|S{CELL}>{CELL}"
MOVE_EXAMPLES: Final = "@2,-1 to place, F1,0 to flip, S0,0>2,-1 to slide and J3,0 to jump"
MAX_DIGITS: Final = 100

REFUSALS: Final[dict[str, Refusal]] = {
    "place-first": Refusal("FS-5", "First place your player tile on an empty cell beside the patch, as in @2,-1."),
    "placed-already": Refusal("FS-5", "Your player tile is placed already: slide it like a colour tile, with S."),
    "place-taken": Refusal("FS-5", "There is a tile on {cell}: place yours on an empty cell."),
    "place-apart": Refusal("FS-5", "{cell} touches no tile: place your player tile beside the patch."),
    "no-jumping": Refusal("FS-6", "Only the solo game has jumps: flip a tile or slide one."),
    "flip-nothing": Refusal("FS-7", "There is no tile on {cell} to flip."),
    "flip-player": Refusal("FS-7", "The tile on {cell} is a player tile: only clovers are flipped."),
    "flip-turned": Refusal("FS-7", "The tile on {cell} shows its colour already, and no tile is turned back."),
    "flip-enclosed": Refusal("FS-7", "The clover on {cell} has tiles at all six edges: flip one with an open edge."),
    "slide-nothing": Refusal("FS-8", "There is no tile on {cell} to slide."),
    "slide-clover": Refusal("FS-8", "The tile on {cell} is a clover: only colour tiles and your player tile slide."),
    "slide-other-player": Refusal("FS-8", "The tile on {cell} is another player's: of player tiles slide only yours."),
    "slide-nowhere": Refusal("FS-8", "The tile is on {cell} already: slide it to another cell."),
    "slide-taken": Refusal("FS-9", "There is a tile on {target}: a slide ends on an empty cell."),
    "slide-shut-in": Refusal("FS-9", "The tile on {cell} cannot get out: it needs two open edges side by side."),
    "slide-no-way": Refusal("FS-9", "No way leads from {cell} to {target} along the patch without squeezing through."),
    "slide-splits": Refusal("FS-10", "The tile on {cell} holds the patch together: without it the rest falls apart."),
    "slide-barred": Refusal("FS-11", "Seat {seat} slid the tile on {cell} in the turn before yours: choose another."),
    "slide-too-far": Refusal("FS-18", "{target} is {spaces} spaces away: slides are at most {most} at this table."),
    "step-first": Refusal("FS-19", "First flip a tile or slide one; then your player tile jumps."),
    "jump-now": Refusal("FS-20", "Now your player tile must jump: over tiles in a straight line, as in J3,0."),
    "jump-crooked": Refusal("FS-20", "{cell} is not in a straight line from your player tile."),
    "jump-nothing": Refusal("FS-20", "There is no tile beside yours in that direction to jump over."),
    "jump-short": Refusal("FS-20", "A jump goes over all tiles in its line to the first empty cell: {landing}."),
    "jump-back": Refusal("FS-21", "{cell} is where your player tile stood before it last moved: jump elsewhere."),
}

Reason = tuple[str, dict[str, str | int]]


class Refused(Exception):
    """A move is refused: a key of REFUSALS and its parameters."""

    def __init__(self, key: str, parameters: dict[str, str | int]) -> None:
        super().__init__(key)
        self.key = key
        self.parameters = parameters


def move_text(position: FlipAndSlidePosition, move: int) -> str:
    """Write a legal move."""
    deal, patch = position.deal, position.patch
    if move < deal.tiles:
        return "F" + cell_text(deal, patch.cells[move])
    tile = (move - deal.tiles) // (deal.size * SIDES)
    target = cell_text(deal, patch.decode_cell((move - deal.tiles) % (deal.size * SIDES)))
    if position.phase == ACT:
        return f"S{cell_text(deal, patch.cells[tile])}>{target}"
    return ("J" if position.phase == JUMP else "@") + target


def read_move(position: FlipAndSlidePosition, text: str) -> int:
    """Parse a move of the seat to act that matches MOVE_PATTERN; raise Refused unless it is legal."""
    sign = text[0]
    if position.phase == PLACE:
        if sign != "@":
            raise Refused("place-first", {})
        return _read_place(position, text[1:])
    if sign == "@":
        raise Refused("placed-already", {})
    if position.seats > 1 and sign == "J":
        raise Refused("no-jumping", {})
    if position.phase == JUMP:
        if sign != "J":
            raise Refused("jump-now", {})
        return _read_jump(position, text[1:])
    if sign == "J":
        raise Refused("step-first", {})
    if sign == "F":
        return _read_flip(position, text[1:])
    start, target = text[1:].split(">")
    return _read_slide(position, start, target)


def _read_place(position: FlipAndSlidePosition, text: str) -> int:
    patch, cell = position.patch, cell_of(position.deal, text)
    if patch.tile_on(cell) >= 0:
        raise Refused("place-taken", {"cell": text})
    if not patch.touches(cell):
        raise Refused("place-apart", {"cell": text})
    tile = position.player_tile(position.turn)
    return position.put_base(tile) + patch.encode_cell(tile, cell)


def _read_flip(position: FlipAndSlidePosition, text: str) -> int:
    tile = position.patch.tile_on(cell_of(position.deal, text))
    if tile < 0:
        raise Refused("flip-nothing", {"cell": text})
    if tile >= position.deal.tiles:
        raise Refused("flip-player", {"cell": text})
    if (position.up >> tile) & 1:
        raise Refused("flip-turned", {"cell": text})
    if not (position.flippable() >> tile) & 1:
        raise Refused("flip-enclosed", {"cell": text})
    return tile


def _read_slide(position: FlipAndSlidePosition, start: str, end: str) -> int:
    patch = position.patch
    tile = patch.tile_on(cell_of(position.deal, start))
    target = cell_of(position.deal, end)
    if tile < 0:
        raise Refused("slide-nothing", {"cell": start})
    refusal = slide_refusal(position, tile)
    if refusal is not None:
        seat = (position.turn - 1) % position.seats
        raise Refused(refusal, {"cell": start, "seat": seat} if refusal == "slide-barred" else {"cell": start})
    if patch.tile_on(target) == tile:
        raise Refused("slide-nowhere", {"cell": start})
    if patch.tile_on(target) >= 0:
        raise Refused("slide-taken", {"target": end})
    spaces = patch.spaces_to(patch.reach(tile, UNLIMITED), target)
    if spaces < 0:
        raise Refused("slide-no-way", {"cell": start, "target": end})
    if spaces > position.max_spaces:
        raise Refused("slide-too-far", {"target": end, "spaces": spaces, "most": position.max_spaces})
    return position.put_base(tile) + patch.encode_cell(tile, target)


def _read_jump(position: FlipAndSlidePosition, text: str) -> int:
    patch, target = position.patch, cell_of(position.deal, text)
    tile = position.player_tile(0)
    start = patch.cells[tile]
    side = -1 if target == NOWHERE else side_toward(start, target)
    if side < 0:
        raise Refused("jump-crooked", {"cell": text})
    landing = patch.landing(start, side)
    if landing == NOWHERE:
        raise Refused("jump-nothing", {})
    if landing != target:
        raise Refused("jump-short", {"landing": cell_text(position.deal, landing)})
    if landing == position.previous:
        raise Refused("jump-back", {"cell": text})
    return position.put_base(tile) + patch.encode_cell(tile, target)


def cell_of(deal: Deal, text: str) -> int:
    """Parse a cell; return NOWHERE if it is farther than a patch ever drifts."""
    q, r = text.split(",")
    return cell_at(int(q) - deal.origin_q, int(r) - deal.origin_r)


def setup_json(deal: Deal) -> Setup:
    """Return a deal as the setup of a record."""
    texts = [cell_text(deal, cell) for cell in deal.cells]
    tiles = [[text, COLOURS[colour]] for text, colour in zip(texts, deal.colours, strict=True)]
    return {"tiles": tiles, "up": [texts[tile] for tile in deal.first_up]}


def read_setup(setup: Setup, seats: int) -> Deal:
    """Parse the setup of a record; raise BadRecord if it is invalid."""
    sets = SETS[seats]
    listed = json_checks.require_list(json_checks.require_key(setup, "tiles", "setup"), "setup.tiles", sets * HUES)
    left = [sets] * HUES
    cells: list[tuple[int, int]] = []
    colours: list[int] = []
    for i, value in enumerate(listed):
        where = f"setup.tiles[{i}]"
        pair = json_checks.require_list(value, where, 2)
        cell = _read_cell(pair[0], f"{where}[0]")
        if cell in cells:
            raise BadRecord(f"{where}[0]", f"there is a tile on {pair[0]} already (FS-3)")
        colour = COLOURS.find(pair[1]) if isinstance(pair[1], str) and len(pair[1]) == 1 else -1
        if colour < 0:
            what = f"expected a letter of {COLOURS}, found {json_checks.describe(pair[1])} (FS-1)"
            raise BadRecord(f"{where}[1]", what)
        if left[colour] == 0:
            raise BadRecord(f"{where}[1]", f"{pair[1]} is a tile too many: there are {sets} of each colour (FS-1)")
        left[colour] -= 1
        cells.append(cell)
        colours.append(colour)
    origin_q, origin_r = cells[0]
    numbers = [cell_at(q - origin_q, r - origin_r) for q, r in cells]
    if NOWHERE in numbers or not connected(numbers):
        raise BadRecord("setup.tiles", "the tiles are not one patch: each must be joined to the others (FS-3)")
    return Deal(seats, bytes(colours), numbers, _read_up(setup, seats, cells), origin_q, origin_r)


def _read_up(setup: Setup, seats: int, cells: list[tuple[int, int]]) -> list[int]:
    # FS-4 Four tiles are turned up, in solo none.
    listed = json_checks.require_list(
        json_checks.require_key(setup, "up", "setup"), "setup.up", 0 if seats == 1 else FIRST_UP
    )
    tiles: list[int] = []
    for i, value in enumerate(listed):
        cell = _read_cell(value, f"setup.up[{i}]")
        if cell not in cells:
            raise BadRecord(f"setup.up[{i}]", f"there is no tile on {value} to turn up (FS-4)")
        tile = cells.index(cell)
        if tile in tiles:
            raise BadRecord(f"setup.up[{i}]", f"the tile on {value} is turned up already (FS-4)")
        tiles.append(tile)
    return tiles


def _read_cell(value: Any, where: str) -> tuple[int, int]:
    text = json_checks.require_text(value, where)
    numbers = [_read_number(part) for part in text.split(",")]
    if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
        raise BadRecord(where, f'{shorten(text)} is no cell: expected two whole numbers, as in "2,-1" (FS-2)')
    return numbers[0], numbers[1]


def _read_number(text: str) -> int | None:
    digits = text[1:] if text[:1] == "-" else text
    plain = 0 < len(digits) <= MAX_DIGITS and all([digit in "0123456789" for digit in digits])
    if not plain or (digits[0] == "0" and text != "0"):
        return None
    return int(text)
