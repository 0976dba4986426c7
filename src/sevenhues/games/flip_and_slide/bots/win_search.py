"""Who can win this turn: every turn of one or two actions is searched, flips as chance."""

from mypy_extensions import i64

from sevenhues.core.bits import bit, lowest
from sevenhues.games.flip_and_slide.bots.distance import SPACES, fewest
from sevenhues.games.flip_and_slide.bots.search_board import Field
from sevenhues.games.flip_and_slide.geometry import SIDES, STEP, WINDOW
from sevenhues.games.flip_and_slide.pieces import HUES

SURE = 1.0


def spread(field: Field, tiles: i64, hue: i64) -> i64:
    """Return the tiles that show a colour and touch one of some, as bits."""
    touching = field.patch.touching
    near: i64 = 0
    while tiles:
        near |= touching[lowest(tiles)]
        tiles &= tiles - 1
    return near & field.of[hue]


def chains(field: Field) -> bool:
    """Follow the chains from red and from violet; tell whether they lack one colour in between, or none."""
    ahead = field.ahead
    tiles = field.of[0]
    hue: i64 = 0
    while tiles:
        ahead[hue] = tiles
        hue += 1
        if hue == HUES:
            break
        tiles = spread(field, tiles, hue)
    field.first = hue
    behind = field.behind
    tiles = field.of[HUES - 1]
    hue = HUES - 1
    while tiles:
        behind[hue] = tiles
        hue -= 1
        if hue < 0:
            break
        tiles = spread(field, tiles, hue)
    field.last = HUES - 1 - hue
    return field.first + field.last >= HUES - 1


def rainbow(field: Field) -> i64:
    """FS-12 Return the tiles that win for who touches one of them, as bits; FS-17 only red ones may count."""
    tiles = field.of[0]
    hue: i64 = 1
    while hue < HUES:
        tiles = spread(field, tiles, hue)
        if tiles == 0:
            return 0
        hue += 1
    # Back from violet: whatever a chain comes to from both ends is part of a whole one.
    whole = tiles
    hue = HUES - 2
    while hue >= 0:
        tiles = spread(field, tiles, hue)
        whole |= tiles
        hue -= 1
    if field.red_start:
        return tiles
    # Chains from violet back may leave those from red: keep what red leads to.
    kept = field.of[0] & whole
    tiles = kept
    hue = 1
    while hue < HUES:
        tiles = spread(field, tiles, hue) & whole
        kept |= tiles
        hue += 1
    return kept


def wins(field: Field, me: i64) -> bool:
    """FS-13 Tell whether a rainbow touches a player tile."""
    return rainbow(field) & field.patch.touching[me] != 0


def one_action(field: Field, me: i64, barred: i64, flips: bool) -> float:
    """Return the best chance to win with one action, by a player tile that no rainbow touches yet."""
    if not chains(field):
        return 0.0
    if field.first == HUES and field.slides_at_all(me) and _comes_beside(field, me, rainbow(field)):
        return SURE
    hue: i64 = HUES - 1 - field.last
    if hue < 0:
        hue = 0
    first = hue
    while hue <= field.first and hue < HUES:
        if _fills(field, me, field.of[hue] & ~barred, hue):
            return SURE
        hue += 1
    if flips and field.hidden:
        return _flips_to_win(field, me, first)
    return 0.0


def _comes_beside(field: Field, me: i64, tiles: i64) -> bool:
    """Tell whether a player tile can slide to where it touches one of some tiles."""
    patch = field.patch
    found = patch.reach(me, field.spaces)
    i: i64 = 1
    while i <= found:
        if field.beside(patch.walk[i]) & tiles:
            return True
        i += 1
    return False


def _fills(field: Field, me: i64, movers: i64, hue: i64) -> bool:
    """Tell whether one of some tiles of a colour can slide to where it completes a rainbow."""
    if movers == 0:
        return False
    anchors = field.ahead[hue - 1] if hue else field.behind[1]
    others: i64 = -1 if hue == 0 or hue == HUES - 1 else field.behind[hue + 1]
    while anchors:
        anchor = field.patch.cells[lowest(anchors)]
        anchors &= anchors - 1
        side: i64 = 0
        while side < SIDES:
            cell = anchor + STEP[side]
            if field.empty(cell) and field.beside(cell) & others:
                left = movers
                while left:
                    tile = lowest(left)
                    left &= left - 1
                    origin = field.patch.cells[tile]
                    field.slide(tile, cell)
                    won = wins(field, me)
                    field.slide(tile, origin)
                    if won and field.slides_at_all(tile) and field.reaches(tile, cell):
                        return True
            side += 1
    return False


def _flips_to_win(field: Field, me: i64, first: i64) -> float:
    """Return the best chance that a flip completes a rainbow with its colour, `first` or one after it."""
    best = 0.0
    tiles = field.clovers()
    while tiles:
        tile = lowest(tiles)
        tiles &= tiles - 1
        near = field.patch.touching[tile]
        total = 0.0
        kept = field.hues[tile]
        hue = first
        while hue <= field.first and hue < HUES:
            joins = (hue == 0 or near & field.ahead[hue - 1]) and (hue == HUES - 1 or near & field.behind[hue + 1])
            if joins and field.left[hue]:
                odds = field.odds(tile, hue)
                if odds > 0.0:
                    field.flip(tile, hue)
                    if wins(field, me):
                        total += odds
                    field.unflip(tile)
            hue += 1
        field.hues[tile] = kept
        if total > best:
            best = total
    return best


def after_flip(field: Field, me: i64, barred: i64, tile: i64, more: bool) -> float:
    """Return the chance to win by flipping a clover and, where the turn goes on, by one more action."""
    total = 0.0
    kept = field.hues[tile]
    hue: i64 = 0
    while hue < HUES:
        if field.left[hue]:
            odds = field.odds(tile, hue)
            if odds > 0.0:
                field.flip(tile, hue)
                if wins(field, me):
                    total += odds
                elif more:
                    total += odds * one_action(field, me, barred, True)
                field.unflip(tile)
        hue += 1
    field.hues[tile] = kept
    return total


def _joins(field: Field, tile: i64, cell: i64) -> bool:
    """Tell whether a tile could be part of a rainbow on a cell, though one other colour is still missing.

    The colour before or after it must lie beside the cell or, where that is the one missing, the next but one close by.
    """
    of = field.of
    hue = field.hues[tile]
    near = field.beside(cell)
    if (hue > 0 and near & of[hue - 1]) or (hue < HUES - 1 and near & of[hue + 1]):
        return True
    tiles: i64 = 0
    if hue == 0:
        tiles = of[2]
    elif hue == HUES - 1:
        tiles = of[HUES - 3]
    while tiles:
        if SPACES[(cell - field.patch.cells[lowest(tiles)]) & WINDOW] <= 2:
            return True
        tiles &= tiles - 1
    return False


def two_actions(field: Field, me: i64, barred: i64, flips: bool) -> float:
    """Return the best chance to win within a whole turn, by a player tile that no rainbow touches yet."""
    missing = fewest(field)
    if missing > 2:
        return 0.0
    best = one_action(field, me, barred, flips)
    if best == SURE:
        return best
    slides = field.slides
    field.list_slides((field.up & ~barred) | (bit(me) if missing < 2 else 0), slides)
    i: i64 = 0
    while i < slides.count:
        tile = slides.tile[i]
        if missing == 2 and not _joins(field, tile, slides.cell[i]):
            i += 1
            continue
        origin = field.patch.cells[tile]
        field.slide(tile, slides.cell[i])
        chance = one_action(field, me, barred, flips)
        field.slide(tile, origin)
        if chance > best:
            best = chance
            if best == SURE:
                return best
        i += 1
    if flips and field.hidden:
        tiles = field.clovers()
        while tiles:
            chance = after_flip(field, me, barred, lowest(tiles), True)
            tiles &= tiles - 1
            if chance > best:
                best = chance
    return best
