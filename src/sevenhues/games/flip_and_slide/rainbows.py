"""Rainbows among the tiles of a patch, whole ones and the beginnings of one.

`up` are the tiles that show their colour, as bits. Each tile has one colour, so a chain that goes up the colours
one by one never meets a tile twice, and whether it can go on depends on its last tile alone.
"""

from mypy_extensions import i64

from sevenhues.core.bits import bit
from sevenhues.games.flip_and_slide.geometry import Patch
from sevenhues.games.flip_and_slide.pieces import HUES, Deal


def of_hue(deal: Deal, hue: i64) -> i64:
    """Return the tiles of a colour, as bits."""
    tiles: i64 = 0
    at = hue * deal.sets
    end = at + deal.sets
    while at < end:
        tiles |= bit(deal.by_hue[at])
        at += 1
    return tiles


def joining(deal: Deal, patch: Patch, hue: i64, among: i64, beside: i64) -> i64:
    """Return the tiles of a colour, among some, that touch one of others, as bits."""
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
    chained = of_hue(deal, 0) & up
    last = chained
    hue: i64 = 1
    while hue < HUES:
        last = joining(deal, patch, hue, up, last)
        if last == 0:
            return 0
        chained |= last
        hue += 1
    # Of the chains from red only those that come to violet count.
    whole = last
    hue = HUES - 2
    while hue >= 0:
        last = joining(deal, patch, hue, chained, last)
        whole |= last
        hue -= 1
    return whole


def longest_run(deal: Deal, patch: Patch, up: i64, player_tile: i64, red_start: bool) -> list[int]:
    """Return the longest run of the rainbow beside a player tile: tiles of colours that follow one another, each
    touching the next, of which one touches the player tile; its red one where FS-17 asks for that."""
    beside = patch.touching[player_tile] & up
    if red_start:
        beside &= of_hue(deal, 0)
    best: list[int] = []
    for tile in range(deal.tiles):
        if (beside >> tile) & 1:
            run = _chain(deal, patch, up, tile, -1)
            run.reverse()
            run += _chain(deal, patch, up, tile, 1)[1:]
            if len(run) > len(best):
                best = run
    return best


def _chain(deal: Deal, patch: Patch, up: i64, tile: i64, direction: i64) -> list[int]:
    """Follow the colours up (1) or down (-1) from a tile as far as they go."""
    hue: i64 = deal.colours[tile] + direction
    layers: list[int] = [bit(tile)]
    while 0 <= hue < HUES:
        layer = joining(deal, patch, hue, up, layers[-1])
        if layer == 0:
            break
        layers.append(layer)
        hue += direction
    # The last layer holds the ends of the longest chains: go back from its first tile.
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
