"""The tiles of Flip & Slide, the deal, and the numbering of moves.

Tiles are numbered: first the colour tiles in the order of the setup, then the player tiles by seat. The cells of a
setup are public and the colours under clovers are not, so tile numbers reveal nothing.

A move is a number below `move_count`, independent of how far the patch has drifted. With c colour tiles among n tiles,

    tile                                          flips a colour tile (tile < c)
    c + (tile * n + neighbour) * 6 + side         puts a tile on the cell at a side of a neighbour

Placing, sliding and jumping all put a tile on a cell; the phase of the position tells them apart. A cell that touches
several other tiles is encoded from the lowest numbered one, so that a tile and a target are one move (FS-8).
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr, u8

# FS-1 Seven colours, in the order of the rainbow.
COLOURS: Final = "ROYGBIV"
HUES: Final = 7
SETS: Final = (0, 2, 3, 4, 4)  # FS-1 by number of players
SIDES: Final = 6

MAX_SEATS: Final = 4
FIRST_UP: Final = 4  # FS-4
ACTIONS_PER_TURN: Final = 2  # FS-6
SHORT_SLIDE: Final = 3  # FS-18 in spaces
UNLIMITED: Final = 1000  # in spaces: more than any path has
MAX_TURNS: Final = 200  # FS-16, FS-24
REPETITION_LIMIT: Final = 3  # FS-16


@mypyc_attr(serializable=True)
class Deal:
    """A setup with numbered tiles. It is immutable, so copies of a position share it.

    Cells are relative to the first tile of the setup, which lies at the origin (see geometry).
    """

    def __init__(
        self, seats: i64, colours: bytes, cells: list[int], first_up: list[int], origin_q: int, origin_r: int
    ) -> None:
        self.seats: i64 = seats
        self.colours = colours  # of each colour tile, face up or not
        self.cells = cells
        self.first_up = first_up
        self.origin_q = origin_q  # in record coordinates, which have no bounds
        self.origin_r = origin_r
        self.tiles: i64 = len(colours)
        self.size: i64 = self.tiles + seats  # player tiles included
        self.sets: i64 = self.tiles // HUES
        self.by_hue = _by_hue(colours)  # the tiles of each colour, red first, `sets` of each

    def recoloured(self, colours: bytes) -> "Deal":
        """Return this deal with other colours."""
        return Deal(self.seats, colours, self.cells, self.first_up, self.origin_q, self.origin_r)


def _by_hue(colours: bytes) -> bytes:
    size: i64 = len(colours)
    sets = size // HUES
    tiles: vec[u8] = vec[u8]([0] * size)
    placed: vec[i64] = vec[i64]([0] * HUES)
    tile: i64 = 0
    while tile < size:
        hue: i64 = colours[tile]
        tiles[hue * sets + placed[hue]] = u8(tile)
        placed[hue] += 1
        tile += 1
    return bytes(tiles)


def move_count(seats: int) -> int:
    """Return a bound: every move of a game with so many seats is in range(move_count)."""
    tiles = SETS[seats] * HUES
    size = tiles + seats
    return tiles + size * size * SIDES
