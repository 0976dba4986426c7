"""Find rainbows and partial rainbows among the tiles of a patch.

`up` is the set of face-up tiles, as bits. Each tile has one colour, so a chain through successive colours never visits
a tile twice, and whether it can be extended depends on its last tile alone.
"""

from mypy_extensions import i64

from sevenhues.core.bits import bit, lowest
from sevenhues.games.flip_and_slide.geometry import Patch
from sevenhues.games.flip_and_slide.pieces import HUES, Deal


def tiles_of_hue(deal: Deal, hue: i64) -> i64:
    """Return the tiles of a colour, as bits."""
    tiles: i64 = 0
    at = hue * deal.sets
    end = at + deal.sets
    while at < end:
        tiles |= bit(deal.by_hue[at])
        at += 1
    return tiles


def joining(deal: Deal, patch: Patch, hue: i64, among: i64, beside: i64) -> i64:
    """Return the tiles of a colour that are in `among` and touch a tile in `beside`, as bits."""
    tiles: i64 = 0
    at = hue * deal.sets
    end = at + deal.sets
    while at < end:
        tile: i64 = deal.by_hue[at]
        if (among >> tile) & 1 and patch.touching[tile] & beside:
            tiles |= bit(tile)
        at += 1
    return tiles


def rainbow_tiles(deal: Deal, patch: Patch, up: i64) -> i64:
    """FS-12 Return every tile that is part of a rainbow, as bits."""
    chained = tiles_of_hue(deal, 0) & up
    last = chained
    hue: i64 = 1
    while hue < HUES:
        last = joining(deal, patch, hue, up, last)
        if last == 0:
            return 0
        chained |= last
        hue += 1
    # Keep only the chains from red that reach violet.
    rainbow = last
    hue = HUES - 2
    while hue >= 0:
        last = joining(deal, patch, hue, chained, last)
        rainbow |= last
        hue -= 1
    return rainbow


def longest_run(deal: Deal, patch: Patch, up: i64, player_tile: i64, red_start: bool) -> list[int]:
    """Return the longest run of the rainbow beside a player tile.

    A run is a chain of tiles with successive colours, each touching the next. One of them touches the player tile, and
    with `red_start` (FS-17) the red one does.
    """
    beside = patch.touching[player_tile] & up
    if red_start:
        beside &= tiles_of_hue(deal, 0)
    best: list[int] = []
    for tile in range(deal.tiles):
        if (beside >> tile) & 1:
            run = _chain(deal, patch, up, tile, -1)
            run.reverse()
            run += _chain(deal, patch, up, tile, 1)[1:]
            if len(run) > len(best):
                best = run
    return best


def run_length(deal: Deal, patch: Patch, up: i64, player_tile: i64, red_start: bool) -> i64:
    """Return the length of the longest run of the rainbow beside a player tile: see `longest_run`."""
    beside = patch.touching[player_tile] & up
    if red_start:
        beside &= tiles_of_hue(deal, 0)
    longest: i64 = 0
    while beside:
        tile = lowest(beside)
        beside &= beside - 1
        length = 1 + _chain_length(deal, patch, up, tile, -1) + _chain_length(deal, patch, up, tile, 1)
        longest = max(longest, length)
    return longest


def _chain_length(deal: Deal, patch: Patch, up: i64, tile: i64, direction: i64) -> i64:
    """Return how many tiles follow a tile in the longest chain that `_chain` finds."""
    hue: i64 = deal.colours[tile] + direction
    length: i64 = 0
    last = bit(tile)
    while 0 <= hue < HUES:
        last = joining(deal, patch, hue, up, last)
        if last == 0:
            break
        length += 1
        hue += direction
    return length


def _chain(deal: Deal, patch: Patch, up: i64, tile: i64, direction: i64) -> list[int]:
    """Return the longest chain from a tile through the colours after it (direction 1) or before it (-1)."""
    hue: i64 = deal.colours[tile] + direction
    layers: list[int] = [bit(tile)]
    while 0 <= hue < HUES:
        layer = joining(deal, patch, hue, up, layers[-1])
        if layer == 0:
            break
        layers.append(layer)
        hue += direction
    # The last layer holds the ends of the longest chains: trace back from its first tile.
    chain: list[int] = []
    before: i64 = -1
    for layer in reversed(layers):
        for candidate in range(deal.tiles):
            fits = before < 0 or (patch.touching[before] >> candidate) & 1
            if (layer >> candidate) & 1 and fits:
                chain.append(candidate)
                before = candidate
                break
    chain.reverse()
    return chain
