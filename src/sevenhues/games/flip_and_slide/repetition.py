"""FS-16: whether two turns start alike.

What counts is which colour, clover or player tile lies on which cell, which of them are barred, and whose turn it is.
Two tiles of one colour may have changed places. A moment is the cells of all tiles, the barred tiles as bits and the
seat to act; moments are only compared while the same tiles are up.
"""

from typing import Final

from mypy_extensions import i64

from sevenhues.core.rng import MASK
from sevenhues.games.flip_and_slide.geometry import Patch
from sevenhues.games.flip_and_slide.pieces import Deal

# What lies on a cell: a colour, or one of these.
CLOVER: Final = 7
PLAYER: Final = 8  # and the seat
BARRED: Final = 16  # beside the colour
KIND_BITS: Final = 5

MIX_1: Final = 0x3F58476D1CE4E5B9
MIX_2: Final = 0x14D049BB133111EB


def code(deal: Deal, up: i64, barred: i64, tile: i64, cell: i64) -> i64:
    """Number what a tile puts on a cell."""
    kind: i64 = CLOVER
    if tile >= deal.tiles:
        kind = PLAYER + tile - deal.tiles
    elif (up >> tile) & 1:
        kind = deal.colours[tile]
        if (barred >> tile) & 1:
            kind |= BARRED
    return (cell << KIND_BITS) | kind


def scramble(number: i64) -> i64:
    """Spread a number over 62 bits."""
    z = number & MASK
    z = ((z ^ (z >> 30)) * MIX_1) & MASK
    z = ((z ^ (z >> 27)) * MIX_2) & MASK
    return z ^ (z >> 31)


def hash_of(deal: Deal, patch: Patch, up: i64, barred: i64, turn: i64) -> i64:
    """Return a number that equal moments share, and others all but never do."""
    mixed = scramble(-1 - turn)
    tile: i64 = 0
    while tile < deal.size:
        mixed ^= scramble(code(deal, up, barred, tile, patch.cells[tile]))
        tile += 1
    return mixed


def same_moment(deal: Deal, up: i64, one: list[int], other: list[int]) -> bool:
    """Tell whether two moments are equal."""
    return one[-1] == other[-1] and _codes(deal, up, one) == _codes(deal, up, other)


def _codes(deal: Deal, up: i64, moment: list[int]) -> list[int]:
    barred: i64 = moment[deal.size]
    codes: list[int] = [code(deal, up, barred, tile, moment[tile]) for tile in range(deal.size)]
    codes.sort()
    return codes
