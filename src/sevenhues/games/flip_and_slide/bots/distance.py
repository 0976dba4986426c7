"""How far a rainbow is: the cheapest chain from red to violet among the tiles that show their colour.

A chain goes from tile to tile; colours that it leaves out are to be brought there. Two tiles can be so many spaces
apart as colours lie between them, and one more.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from sevenhues.core.bits import lowest
from sevenhues.games.flip_and_slide.bots.search_board import Field
from sevenhues.games.flip_and_slide.geometry import ROW, SIDES, STEP, WINDOW
from sevenhues.games.flip_and_slide.pieces import HUES

FAR: Final = 99
KNOWN: Final = 8  # spaces that are counted; more are FAR
MANY: Final = 3  # what `fewest` answers at most

# The cost of a chain, in quarters of an action.
BRING: Final = 4  # a colour that shows somewhere
SEEK: Final = 7  # a colour that shows nowhere yet
CLEAR: Final = 3  # and the one cell for it is taken
TOUCH: Final = 4  # the player tile is not beside it


def _table() -> vec[i64]:
    """Count the spaces between two cells, by the difference of their numbers in the window."""
    spaces: list[int] = [FAR] * (WINDOW + 1)
    for q in range(-KNOWN, KNOWN + 1):
        for r in range(-KNOWN, KNOWN + 1):
            apart = (abs(q) + abs(r) + abs(q + r)) // 2
            if apart <= KNOWN:
                spaces[(q + ROW * r) & WINDOW] = apart
    return vec[i64](spaces)


SPACES: Final = _table()


def fewest(field: Field) -> i64:
    """Return how many actions a rainbow takes at least, or MANY: each brings one colour to its place."""
    cells = field.patch.cells
    cost = field.cost
    best: i64 = MANY
    hue: i64 = 0
    while hue < HUES:
        tiles = field.of[hue]
        while tiles:
            tile = lowest(tiles)
            tiles &= tiles - 1
            least: i64 = hue
            gap: i64 = 0
            while gap < MANY and gap < least and gap < hue:
                others = field.of[hue - 1 - gap]
                while others:
                    other = lowest(others)
                    others &= others - 1
                    if cost[other] + gap < least and SPACES[(cells[tile] - cells[other]) & WINDOW] <= gap + 1:
                        least = cost[other] + gap
                gap += 1
            cost[tile] = least
            if least + HUES - 1 - hue < best:
                best = least + HUES - 1 - hue
        hue += 1
    return best


def distance(field: Field, me: i64) -> i64:
    """Return how far a player tile is from a rainbow, in quarters of an action; 0 is won."""
    cells = field.patch.cells
    apart_cost = field.cost  # of the cheapest chain that ends at a tile
    joined_cost = field.cost_2  # and of the cheapest that touches the player tile
    beside = field.patch.touching[me]
    if field.red_start:
        beside &= field.of[0]
    whole: i64 = 0
    hue: i64 = 0
    while hue < HUES:
        whole += BRING if field.of[hue] else SEEK
        hue += 1
    best: i64 = whole + TOUCH
    done: i64 = 0  # the cost of all colours before this one
    hue = 0
    while hue < HUES:
        tiles = field.of[hue]
        mine: i64 = BRING if tiles else SEEK
        while tiles:
            tile = lowest(tiles)
            tiles &= tiles - 1
            apart: i64 = done
            joined: i64 = done + TOUCH
            gap: i64 = 0
            between: i64 = 0
            while gap < hue:
                earlier = hue - 1 - gap
                others = field.of[earlier]
                while others:
                    other = lowest(others)
                    others &= others - 1
                    if SPACES[(cells[tile] - cells[other]) & WINDOW] <= gap + 1:
                        way = between
                        if gap == 1 and apart_cost[other] + way < apart and not _gap_is_open(field, tile, other):
                            way += CLEAR
                        if apart_cost[other] + way < apart:
                            apart = apart_cost[other] + way
                        if joined_cost[other] + way < joined:
                            joined = joined_cost[other] + way
                between += BRING if field.of[earlier] else SEEK
                gap += 1
            if (beside >> tile) & 1:
                joined = apart
            elif apart + TOUCH < joined:
                joined = apart + TOUCH
            apart_cost[tile] = apart
            joined_cost[tile] = joined
            rest = whole - done - mine
            if joined + rest < best:
                best = joined + rest
        done += mine
        hue += 1
    return best


def _gap_is_open(field: Field, one: i64, other: i64) -> bool:
    """Tell whether an empty cell touches both tiles."""
    cell = field.patch.cells[one]
    far = field.patch.cells[other]
    side: i64 = 0
    while side < SIDES:
        there = cell + STEP[side]
        if field.empty(there) and SPACES[(there - far) & WINDOW] == 1:
            return True
        side += 1
    return False
