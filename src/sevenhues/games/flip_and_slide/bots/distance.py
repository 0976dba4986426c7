"""The distance from a rainbow: the cost of the cheapest chain from red to violet among the face-up tiles.

A chain may skip colours; each skipped colour must still be brought to its place. Two successive tiles of a chain may be
as many spaces apart as colours are skipped between them, plus one.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from sevenhues.core.bits import lowest
from sevenhues.games.flip_and_slide.bots.search_board import SearchBoard
from sevenhues.games.flip_and_slide.geometry import ROW, SIDES, STEP, WINDOW
from sevenhues.games.flip_and_slide.pieces import HUES

FAR: Final = 99
COUNTED_SPACES: Final = 8  # larger distances are FAR
MAX_MISSING: Final = 3  # the maximum of `missing_colours`

# The cost of a chain, in quarters of an action.
BRING: Final = 4  # a missing colour that is face up somewhere
SEEK: Final = 7  # a missing colour that is not face up yet
CLEAR: Final = 3  # added if the only cell for it is taken
TOUCH: Final = 4  # the player tile does not touch the chain
MAX_DISTANCE: Final = HUES * SEEK + TOUCH


def _space_table() -> vec[i64]:
    """Return the number of spaces between two cells, by the difference of their numbers in the window."""
    spaces: list[int] = [FAR] * (WINDOW + 1)
    for q in range(-COUNTED_SPACES, COUNTED_SPACES + 1):
        for r in range(-COUNTED_SPACES, COUNTED_SPACES + 1):
            apart = (abs(q) + abs(r) + abs(q + r)) // 2
            if apart <= COUNTED_SPACES:
                spaces[(q + ROW * r) & WINDOW] = apart
    return vec[i64](spaces)


SPACES_BETWEEN: Final = _space_table()


def missing_colours(board: SearchBoard) -> i64:
    """Return the minimum number of colours that must be brought to complete a rainbow, up to MAX_MISSING."""
    cells = board.patch.cells
    cost = board.cost
    best: i64 = MAX_MISSING
    hue: i64 = 0
    while hue < HUES:
        tiles = board.shown[hue]
        while tiles:
            tile = lowest(tiles)
            tiles &= tiles - 1
            least: i64 = hue
            gap: i64 = 0
            while gap < MAX_MISSING and gap < least and gap < hue:
                others = board.shown[hue - 1 - gap]
                while others:
                    other = lowest(others)
                    others &= others - 1
                    if cost[other] + gap < least and SPACES_BETWEEN[(cells[tile] - cells[other]) & WINDOW] <= gap + 1:
                        least = cost[other] + gap
                gap += 1
            cost[tile] = least
            if least + HUES - 1 - hue < best:
                best = least + HUES - 1 - hue
        hue += 1
    return best


def distance(board: SearchBoard, me: i64) -> i64:
    """Return the distance of a player tile from a rainbow, in quarters of an action; 0 is a win."""
    find_links(board)
    return linked_distance(board, me)


def find_links(board: SearchBoard) -> None:
    """Find the cheapest chains that end at each face-up tile, and the links of chains that can touch a player tile."""
    cells = board.patch.cells
    spaces = SPACES_BETWEEN
    cost = board.cost  # by tile: of the cheapest chain that ends there
    chained = board.chained
    hue_starts = board.hue_starts
    link_ends = board.link_ends
    count: i64 = 0
    links: i64 = 0
    earlier_cost: i64 = 0  # the cost of bringing all earlier colours
    hue: i64 = 0
    while hue < HUES:
        hue_starts[hue] = count
        tiles = board.shown[hue]
        while tiles:
            tile = lowest(tiles)
            tiles &= tiles - 1
            cell = cells[tile]
            least: i64 = earlier_cost
            between_cost: i64 = 0
            gap: i64 = 0
            while gap < hue:
                earlier = hue - 1 - gap
                i = hue_starts[earlier]
                end = hue_starts[earlier + 1]
                if i == end:
                    between_cost += SEEK
                    gap += 1
                    continue
                while i < end:
                    other = chained[i]
                    if spaces[(cell - cells[other]) & WINDOW] <= gap + 1:
                        gap_cost = between_cost
                        chain_cost = cost[other] + gap_cost
                        if gap == 1 and chain_cost < least and not _gap_is_open(board, tile, other):
                            gap_cost += CLEAR
                            chain_cost += CLEAR
                        if chain_cost < least:
                            least = chain_cost
                        if chain_cost < earlier_cost + TOUCH:
                            board.link_tile[links] = other
                            board.link_cost[links] = gap_cost
                            links += 1
                    i += 1
                between_cost += BRING
                gap += 1
            cost[tile] = least
            chained[count] = tile
            link_ends[count] = links
            count += 1
        if count > hue_starts[hue]:
            earlier_cost += BRING
        else:
            earlier_cost += SEEK
        hue += 1
        hue_starts[hue] = count


def linked_distance(board: SearchBoard, me: i64) -> i64:
    """Return the distance of a player tile after `find_links`."""
    cost = board.cost
    joined_cost = board.joined_cost  # by tile: of the cheapest chain that ends there and touches the player tile
    chained = board.chained
    hue_starts = board.hue_starts
    link_tile = board.link_tile
    link_cost = board.link_cost
    beside = board.patch.touching[me]
    if board.red_start:
        beside &= board.shown[0]
    total: i64 = 0
    hue: i64 = 0
    while hue < HUES:
        total += BRING if board.shown[hue] else SEEK
        hue += 1
    best: i64 = total + TOUCH
    later_cost = total  # the cost of bringing all later colours
    earlier_cost: i64 = 0
    at: i64 = 0
    link: i64 = 0
    hue = 0
    while hue < HUES:
        end = hue_starts[hue + 1]
        hue_cost: i64 = SEEK
        if at < end:
            hue_cost = BRING
        later_cost -= hue_cost
        while at < end:
            tile = chained[at]
            link_end = board.link_ends[at]
            if (beside >> tile) & 1:
                joined = cost[tile]
                link = link_end
            else:
                joined = earlier_cost + TOUCH
                if cost[tile] < earlier_cost:
                    joined = cost[tile] + TOUCH
                while link < link_end:
                    linked = joined_cost[link_tile[link]] + link_cost[link]
                    if linked < joined:
                        joined = linked
                    link += 1
            joined_cost[tile] = joined
            if joined + later_cost < best:
                best = joined + later_cost
            at += 1
        earlier_cost += hue_cost
        hue += 1
    return best


def _gap_is_open(board: SearchBoard, one: i64, other: i64) -> bool:
    """Return whether an empty cell touches both tiles."""
    cell = board.patch.cells[one]
    far = board.patch.cells[other]
    side: i64 = 0
    while side < SIDES:
        there = cell + STEP[side]
        if board.is_empty(there) and SPACES_BETWEEN[(there - far) & WINDOW] == 1:
            return True
        side += 1
    return False
