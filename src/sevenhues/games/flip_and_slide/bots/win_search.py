"""Exhaustive search for a win within a turn: all one- and two-action turns, with flips as chance events."""

from mypy_extensions import i64

from sevenhues.core.bits import bit, lowest
from sevenhues.games.flip_and_slide.bots.distance import SPACES_BETWEEN, missing_colours
from sevenhues.games.flip_and_slide.bots.search_board import SearchBoard
from sevenhues.games.flip_and_slide.geometry import SIDES, STEP, WINDOW
from sevenhues.games.flip_and_slide.pieces import HUES

SURE = 1.0


def touching_tiles(board: SearchBoard, tiles: i64, hue: i64) -> i64:
    """Return the face-up tiles of a colour that touch a tile of a set, as bits."""
    touching = board.patch.touching
    near: i64 = 0
    while tiles:
        near |= touching[lowest(tiles)]
        tiles &= tiles - 1
    return near & board.shown[hue]


def find_chains(board: SearchBoard) -> bool:
    """Find the longest chains from red and from violet; return whether at most one colour is missing between them."""
    from_red = board.from_red
    tiles = board.shown[0]
    hue: i64 = 0
    while tiles:
        from_red[hue] = tiles
        hue += 1
        if hue == HUES:
            break
        tiles = touching_tiles(board, tiles, hue)
    board.red_length = hue
    from_violet = board.from_violet
    tiles = board.shown[HUES - 1]
    hue = HUES - 1
    while tiles:
        from_violet[hue] = tiles
        hue -= 1
        if hue < 0:
            break
        tiles = touching_tiles(board, tiles, hue)
    board.violet_length = HUES - 1 - hue
    return board.red_length + board.violet_length >= HUES - 1


def rainbow(board: SearchBoard) -> i64:
    """FS-12, FS-17 Return the tiles of rainbows that win for a player tile touching one of them, as bits."""
    tiles = board.shown[0]
    hue: i64 = 1
    while hue < HUES:
        tiles = touching_tiles(board, tiles, hue)
        if tiles == 0:
            return 0
        hue += 1
    # Trace back from violet: a tile that is reached from both ends may be part of a rainbow.
    from_both = tiles
    hue = HUES - 2
    while hue >= 0:
        tiles = touching_tiles(board, tiles, hue)
        from_both |= tiles
        hue -= 1
    if board.red_start:
        return tiles
    # A chain from violet may leave the chains from red: keep what red reaches.
    rainbow_tiles = board.shown[0] & from_both
    tiles = rainbow_tiles
    hue = 1
    while hue < HUES:
        tiles = touching_tiles(board, tiles, hue) & from_both
        rainbow_tiles |= tiles
        hue += 1
    return rainbow_tiles


def wins(board: SearchBoard, me: i64) -> bool:
    """FS-13 Return whether a rainbow touches a player tile."""
    return rainbow(board) & board.patch.touching[me] != 0


def one_action_chance(board: SearchBoard, me: i64, barred: i64, flips: bool) -> float:
    """Return the best probability to win with one action, for a player tile that no rainbow touches yet."""
    if not find_chains(board):
        return 0.0
    if board.red_length == HUES and board.can_slide(me) and _player_tile_reaches(board, me, rainbow(board)):
        return SURE
    hue: i64 = HUES - 1 - board.violet_length
    if hue < 0:
        hue = 0
    first_hue = hue
    while hue <= board.red_length and hue < HUES:
        if _slide_completes(board, me, board.shown[hue] & ~barred, hue):
            return SURE
        hue += 1
    if flips and board.hidden_count:
        return _best_flip_chance(board, me, first_hue)
    return 0.0


def _player_tile_reaches(board: SearchBoard, me: i64, tiles: i64) -> bool:
    """Return whether a player tile can slide to a cell that touches a tile of a set."""
    patch = board.patch
    count = patch.reach(me, board.max_spaces)
    i: i64 = 1
    while i <= count:
        if board.beside(patch.walk[i]) & tiles:
            return True
        i += 1
    return False


def _slide_completes(board: SearchBoard, me: i64, movers: i64, hue: i64) -> bool:
    """Return whether one of the `movers`, tiles of one colour, can slide to a cell where it completes a rainbow."""
    if movers == 0:
        return False
    anchors = board.from_red[hue - 1] if hue else board.from_violet[1]
    others: i64 = -1 if hue == 0 or hue == HUES - 1 else board.from_violet[hue + 1]
    while anchors:
        anchor = board.patch.cells[lowest(anchors)]
        anchors &= anchors - 1
        side: i64 = 0
        while side < SIDES:
            cell = anchor + STEP[side]
            if board.is_empty(cell) and board.beside(cell) & others:
                left = movers
                while left:
                    tile = lowest(left)
                    left &= left - 1
                    origin = board.patch.cells[tile]
                    board.slide(tile, cell)
                    won = wins(board, me)
                    board.slide(tile, origin)
                    if won and board.can_slide(tile) and board.can_reach(tile, cell):
                        return True
            side += 1
    return False


def _best_flip_chance(board: SearchBoard, me: i64, first_hue: i64) -> float:
    """Return the best probability that one flip completes a rainbow, with a colour from `first_hue` on."""
    best = 0.0
    tiles = board.flippable()
    while tiles:
        tile = lowest(tiles)
        tiles &= tiles - 1
        near = board.patch.touching[tile]
        total = 0.0
        hidden_hue = board.hues[tile]
        hue = first_hue
        while hue <= board.red_length and hue < HUES:
            joins = (hue == 0 or near & board.from_red[hue - 1]) and (
                hue == HUES - 1 or near & board.from_violet[hue + 1]
            )
            if joins and board.hidden_by_hue[hue]:
                odds = board.odds(tile, hue)
                if odds > 0.0:
                    board.flip(tile, hue)
                    if wins(board, me):
                        total += odds
                    board.unflip(tile)
            hue += 1
        board.hues[tile] = hidden_hue
        if total > best:
            best = total
    return best


def flip_chance(board: SearchBoard, me: i64, barred: i64, tile: i64, more: bool) -> float:
    """Return the probability to win by flipping a clover and, with `more`, by one more action."""
    total = 0.0
    hidden_hue = board.hues[tile]
    hue: i64 = 0
    while hue < HUES:
        if board.hidden_by_hue[hue]:
            odds = board.odds(tile, hue)
            if odds > 0.0:
                board.flip(tile, hue)
                if wins(board, me):
                    total += odds
                elif more:
                    total += odds * one_action_chance(board, me, barred, True)
                board.unflip(tile)
        hue += 1
    board.hues[tile] = hidden_hue
    return total


def _could_join(board: SearchBoard, tile: i64, cell: i64) -> bool:
    """Return whether a tile on this cell could be part of a rainbow in which one other colour is still missing.

    The previous or next colour must touch the cell or, if that is the missing one, the colour after it must be near.
    """
    shown = board.shown
    hue = board.hues[tile]
    near = board.beside(cell)
    if (hue > 0 and near & shown[hue - 1]) or (hue < HUES - 1 and near & shown[hue + 1]):
        return True
    tiles: i64 = 0
    if hue == 0:
        tiles = shown[2]
    elif hue == HUES - 1:
        tiles = shown[HUES - 3]
    while tiles:
        if SPACES_BETWEEN[(cell - board.patch.cells[lowest(tiles)]) & WINDOW] <= 2:
            return True
        tiles &= tiles - 1
    return False


def two_actions_chance(board: SearchBoard, me: i64, barred: i64, flips: bool) -> float:
    """Return the best probability to win within a turn, for a player tile that no rainbow touches yet."""
    missing = missing_colours(board)
    if missing > 2:
        return 0.0
    best = one_action_chance(board, me, barred, flips)
    if best == SURE:
        return best
    slides = board.slides
    board.list_slides((board.up & ~barred) | (bit(me) if missing < 2 else 0), slides)
    i: i64 = 0
    while i < slides.count:
        tile = slides.tile[i]
        if missing == 2 and not _could_join(board, tile, slides.cell[i]):
            i += 1
            continue
        origin = board.patch.cells[tile]
        board.slide(tile, slides.cell[i])
        chance = one_action_chance(board, me, barred, flips)
        board.slide(tile, origin)
        if chance > best:
            best = chance
            if best == SURE:
                return best
        i += 1
    if flips and board.hidden_count:
        tiles = board.flippable()
        while tiles:
            chance = flip_chance(board, me, barred, lowest(tiles), True)
            tiles &= tiles - 1
            if chance > best:
                best = chance
    return best
