"""FS-16: compare the positions at the start of turns.

Two positions are equal if the same colours, clovers and player tiles lie on the same cells, the same tiles are barred,
and the same seat is to act. Tiles of one colour are interchangeable. The start of a turn is stored as the cells of all
tiles, the barred tiles as bits, and the seat to act: numbers of four bytes. Only turns between which no tile was
flipped are compared.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from sevenhues.core.rng import MASK
from sevenhues.games.flip_and_slide.geometry import Patch
from sevenhues.games.flip_and_slide.pieces import Deal

# The content of a cell: a colour, or one of these.
CLOVER: Final = 7
PLAYER: Final = 8  # plus the seat
BARRED: Final = 16  # added to the colour
KIND_BITS: Final = 5

# The numbers of a turn start. A tile never drifts as far as CELL_OFFSET (see geometry), so cells are not negative.
NUMBER_BYTES: Final = 4
BYTE: Final = 255
CELL_OFFSET: Final = 0x80000000

MIX_1: Final = 0x3F58476D1CE4E5B9
MIX_2: Final = 0x14D049BB133111EB


def code(deal: Deal, up: i64, barred: i64, tile: i64, cell: i64) -> i64:
    """Encode a cell and its content: the tile, as it shows."""
    kind: i64 = CLOVER
    if tile >= deal.tiles:
        kind = PLAYER + tile - deal.tiles
    elif (up >> tile) & 1:
        kind = deal.colours[tile]
        if (barred >> tile) & 1:
            kind |= BARRED
    return (cell << KIND_BITS) | kind


def scramble(number: i64) -> i64:
    """Hash a number to 62 bits."""
    z = number & MASK
    z = ((z ^ (z >> 30)) * MIX_1) & MASK
    z = ((z ^ (z >> 27)) * MIX_2) & MASK
    return z ^ (z >> 31)


def hash_of(deal: Deal, patch: Patch, up: i64, barred: i64, turn: i64) -> i64:
    """Hash a position; equal positions have equal hashes."""
    mixed = scramble(-1 - turn)
    tile: i64 = 0
    while tile < deal.size:
        mixed ^= scramble(code(deal, up, barred, tile, patch.cells[tile]))
        tile += 1
    return mixed


def write_turn_start(deal: Deal, patch: Patch, barred: i64, turn: i64) -> bytes:
    """Return the start of a turn."""
    start: vec[u8] = vec[u8]([0] * ((deal.size + 2) * NUMBER_BYTES))
    tile: i64 = 0
    while tile < deal.size:
        _write(patch.cells[tile] + CELL_OFFSET, start, tile)
        tile += 1
    _write(barred, start, deal.size)
    _write(turn, start, deal.size + 1)
    return bytes(start)


def _write(number: i64, start: vec[u8], index: i64) -> None:
    at = index * NUMBER_BYTES
    start[at] = u8(number & BYTE)
    start[at + 1] = u8((number >> 8) & BYTE)
    start[at + 2] = u8((number >> 16) & BYTE)
    start[at + 3] = u8((number >> 24) & BYTE)


def _read(start: bytes, index: i64) -> i64:
    at = index * NUMBER_BYTES
    return int.from_bytes(start[at : at + NUMBER_BYTES], "little")


def same_turn_start(deal: Deal, up: i64, one: bytes, other: bytes) -> bool:
    """Return whether two turn starts are equal positions."""
    turn = deal.size + 1
    return _read(one, turn) == _read(other, turn) and _codes(deal, up, one) == _codes(deal, up, other)


def _codes(deal: Deal, up: i64, start: bytes) -> list[int]:
    barred = _read(start, deal.size)
    codes: list[int] = [code(deal, up, barred, tile, _read(start, tile) - CELL_OFFSET) for tile in range(deal.size)]
    codes.sort()
    return codes
