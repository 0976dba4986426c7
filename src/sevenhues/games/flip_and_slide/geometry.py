"""Hexagons: cells, their neighbours, straight lines, what holds a patch together, and the ways a tile can slide.

A cell is one number, q + ROW * r, counted from the cell where the setup's first tile lay. Its six neighbours
are STEP[side] away, the sides going round in the order of FS-2, so that the two cells that touch both a cell and
its neighbour at a side are its neighbours at the sides before and after.

What lies where is looked up at `cell & WINDOW`. Many cells share a place there, but two that do are at least 36
spaces apart, and two cells in or beside a patch of 32 tiles at most 33 (a test sees to it). So the patch may drift
as far as it likes, and nothing is ever moved to follow it. A game's 200 turns take it less than 13,000 spaces, and a
cell's number stands for one cell only up to 32,000.

For every cell in or beside the patch a mask of six bits says which of its neighbours hold a tile. All questions
of a tile's surroundings are bit operations on it.
"""

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from sevenhues.core.bits import bit, lowest

ROW: Final = 65589  # 53 modulo 1024: spreads a patch best over the window
HALF_ROW: Final = 32794
WINDOW: Final = 1023
SIDES: Final = 6
ALL_SIDES: Final = 63
MARK: Final = 64  # beside the six bits: a cell that a walk has come to
TILE: Final = 7  # above them: 1 + the tile there

NOWHERE: Final = -0x10000000000  # of a tile that is not placed
MOST_BESIDE: Final = 136  # more than the empty cells beside 32 tiles, 4 * 32 + 2, and the one a walk starts from

# FS-2 East first, then round by way of the lower rows.
STEP_Q: Final = (1, 1, 0, -1, -1, 0)
STEP_R: Final = (0, -1, -1, 0, 1, 1)
STEP: Final = vec[i64]([1, 1 - ROW, -ROW, -1, ROW - 1, ROW])


def cell_at(q: int, r: int) -> int:
    """Return the number of a cell, or NOWHERE if it is further than a patch ever drifts."""
    if abs(q) >= HALF_ROW or abs(r) >= HALF_ROW:
        return NOWHERE
    return q + ROW * r


def row_of(cell: i64) -> i64:
    """Return r."""
    return (cell + HALF_ROW) // ROW


def column_of(cell: i64) -> i64:
    """Return q."""
    return cell - ROW * row_of(cell)


def opposite(side: i64) -> i64:
    """Return the side from which a neighbour sees a cell."""
    return side + 3 if side < 3 else side - 3


def side_toward(start: i64, end: i64) -> i64:
    """Return the side of a cell from which a straight line leads to another, or -1."""
    q = column_of(end) - column_of(start)
    r = row_of(end) - row_of(start)
    if r == 0:
        return 0 if q > 0 else 3 if q < 0 else -1
    if q == 0:
        return 5 if r > 0 else 2
    if q + r == 0:
        return 1 if q > 0 else 4
    return -1


def line(start: i64, end: i64) -> list[int]:
    """List the cells of a straight line, both ends included."""
    step = STEP[side_toward(start, end)]
    cells: list[int] = [start]
    while start != end:
        start += step
        cells.append(start)
    return cells


def steps(around: i64) -> i64:
    """FS-9 Return the sides through which a tile can leave a cell with these neighbours, as bits.

    Its neighbour there is empty, and of the two cells that touch both exactly one holds a tile.
    """
    before = (around << 1) | (around >> 5)
    after = (around >> 1) | (around << 5)
    return (before ^ after) & ~around & ALL_SIDES


def in_one_arc(around: i64) -> bool:
    """Tell whether the neighbours of a cell follow one another without a gap."""
    starts = around & ~((around << 1) | (around >> 5))
    return starts & (starts - 1) == 0


@mypyc_attr(serializable=True)
class Patch:
    """Which tile lies on which cell."""

    def __init__(self, size: i64, cells: vec[i64], touching: vec[i64], ground: vec[i64], beside: i64) -> None:
        self.size: i64 = size  # tiles, placed or not
        self.cells: vec[i64] = cells  # by tile
        self.touching: vec[i64] = touching  # by tile: the tiles it touches, as bits
        self.ground: vec[i64] = ground  # by cell & WINDOW: the sides at which tiles lie, MARK, and 1 + the tile there
        self.beside: i64 = beside  # how many empty cells touch the patch
        self.walk: vec[i64] = vec[i64]([0] * MOST_BESIDE)  # the cells of the last walk, its start first
        self.came: vec[i64] = vec[i64]([0] * MOST_BESIDE)  # for each of them the place in `walk` it was reached from

    def __reduce__(self) -> tuple[Any, ...]:
        return patch_of, ([self.cells[tile] for tile in range(self.size)],)

    def copy(self) -> "Patch":
        """Return an equal patch that shares nothing."""
        return Patch(self.size, self.cells[:], self.touching[:], self.ground[:], self.beside)

    def put(self, tile: i64, cell: i64) -> None:
        """Lay a tile on an empty cell."""
        ground = self.ground
        if ground[cell & WINDOW]:
            self.beside -= 1
        ground[cell & WINDOW] |= (tile + 1) << TILE
        touched: i64 = 0
        side: i64 = 0
        while side < SIDES:
            at = (cell + STEP[side]) & WINDOW
            there = ground[at]
            if there == 0:
                self.beside += 1
            elif there >> TILE:
                touched |= bit((there >> TILE) - 1)
                self.touching[(there >> TILE) - 1] |= bit(tile)
            ground[at] = there | bit(opposite(side))
            side += 1
        self.touching[tile] = touched
        self.cells[tile] = cell

    def take(self, tile: i64) -> None:
        """Take a tile away."""
        ground = self.ground
        cell = self.cells[tile]
        side: i64 = 0
        while side < SIDES:
            at = (cell + STEP[side]) & WINDOW
            there = ground[at] ^ bit(opposite(side))
            ground[at] = there
            if there == 0:
                self.beside -= 1
            elif there >> TILE:
                self.touching[(there >> TILE) - 1] ^= bit(tile)
            side += 1
        self.touching[tile] = 0
        self.cells[tile] = NOWHERE
        ground[cell & WINDOW] &= ALL_SIDES
        if ground[cell & WINDOW]:
            self.beside += 1

    def tile_on(self, cell: i64) -> i64:
        """Return the tile on a cell, or -1. Cells far from the patch are empty, whatever shares their place."""
        tile = (self.ground[cell & WINDOW] >> TILE) - 1
        return tile if tile >= 0 and self.cells[tile] == cell else -1

    def neighbours(self, tile: i64) -> i64:
        """Return the sides at which a tile touches others, as bits."""
        return self.ground[self.cells[tile] & WINDOW] & ALL_SIDES

    def touches(self, cell: i64) -> bool:
        """Tell whether a cell touches the patch."""
        side: i64 = 0
        while side < SIDES:
            if self.tile_on(cell + STEP[side]) >= 0:
                return True
            side += 1
        return False

    def holds(self, tile: i64) -> bool:
        """FS-10 Tell whether a tile holds the patch together: without it the rest would be several groups."""
        # Neighbours in one arc touch one another, so the common case needs no search.
        if in_one_arc(self.neighbours(tile)):
            return False
        wanted = self.touching[tile]
        found = wanted & -wanted
        fresh = found
        while fresh:
            new = self.touching[lowest(fresh)] & ~found & ~bit(tile)
            fresh = (fresh & (fresh - 1)) | new
            found |= new
            if wanted & ~found == 0:
                return False
        return True

    def reach(self, tile: i64, most: i64) -> i64:
        """FS-9 Walk a tile along every way of at most so many spaces, the nearest cells first.

        Returns how many cells that reaches: walk[1], walk[2] and so on; `came` tells the ways. FS-10 is not looked at.
        """
        start = self.cells[tile]
        self._lift(start)
        self.walk[0] = start
        self.ground[start & WINDOW] |= MARK
        found: i64 = 1
        done: i64 = 0
        spaces: i64 = 0
        while done < found and spaces < most:
            ring = found
            while done < ring:
                found = self._step_from(done, found)
                done += 1
            spaces += 1
        self._switch_marks(0, found)
        self._lift(start)
        return found - 1

    def _step_from(self, at: i64, found: i64) -> i64:
        """Take every step from one cell of a walk to cells it has not come to yet."""
        ground = self.ground
        cell = self.walk[at]
        sides = steps(ground[cell & WINDOW] & ALL_SIDES)
        side: i64 = 0
        while sides:
            if sides & 1:
                next_cell = cell + STEP[side]
                there = ground[next_cell & WINDOW]
                if there & MARK == 0:
                    ground[next_cell & WINDOW] = there | MARK
                    self.walk[found] = next_cell
                    self.came[found] = at
                    found += 1
            sides >>= 1
            side += 1
        return found

    def _switch_marks(self, first: i64, end: i64) -> None:
        """Set the marks of some cells of the last walk, or take them back."""
        i: i64 = first
        while i < end:
            self.ground[self.walk[i] & WINDOW] ^= MARK
            i += 1

    def _lift(self, cell: i64) -> None:
        """Hold the tile on a cell up, so that its neighbours do not see it, or put it down again."""
        side: i64 = 0
        while side < SIDES:
            self.ground[(cell + STEP[side]) & WINDOW] ^= bit(opposite(side))
            side += 1

    def list_reach(self, tile: i64, found: i64, base: i64, moves: list[int]) -> None:
        """Add the cells of the last walk of a tile to a list of moves, ascending: base + neighbour * 6 + side."""
        ground = self.ground
        self._switch_marks(1, found + 1)
        neighbour: i64 = 0
        while found > 0:
            cell = self.cells[neighbour]
            side: i64 = 0
            while side < SIDES and neighbour != tile:
                at = (cell + STEP[side]) & WINDOW
                # The first to find a cell is the lowest of its neighbours.
                if ground[at] & MARK:
                    ground[at] ^= MARK
                    moves.append(base + neighbour * SIDES + side)
                    found -= 1
                side += 1
            neighbour += 1

    def walk_beside(self) -> i64:
        """Collect the empty cells that touch the patch, as a walk would: walk[1], walk[2] and so on."""
        ground = self.ground
        found: i64 = 1
        tile: i64 = 0
        while tile < self.size:
            cell = self.cells[tile]
            side: i64 = 0
            while side < SIDES and cell != NOWHERE:
                there = cell + STEP[side]
                if ground[there & WINDOW] & ~ALL_SIDES == 0:
                    ground[there & WINDOW] |= MARK
                    self.walk[found] = there
                    found += 1
                side += 1
            tile += 1
        self._switch_marks(1, found)
        return found - 1

    def name(self, tile: i64, cell: i64) -> i64:
        """Name an empty cell from the lowest tile beside it, another than the given one: neighbour * 6 + side."""
        best: i64 = self.size * SIDES
        side: i64 = 0
        while side < SIDES:
            there = (self.ground[(cell + STEP[side]) & WINDOW] >> TILE) - 1
            if there >= 0 and there != tile:
                named = there * SIDES + opposite(side)
                if named < best:
                    best = named
            side += 1
        return best

    def named(self, name: i64) -> i64:
        """Return the cell that a neighbour and a side name."""
        return self.cells[name // SIDES] + STEP[name % SIDES]

    def spaces_to(self, found: i64, cell: i64) -> i64:
        """Count the spaces from the start of the last walk to a cell, or return -1 if it was not reached."""
        i: i64 = 1
        while i <= found:
            if self.walk[i] == cell:
                spaces: i64 = 0
                while i > 0:
                    i = self.came[i]
                    spaces += 1
                return spaces
            i += 1
        return -1

    def landing(self, cell: i64, side: i64) -> i64:
        """FS-20 Return the first empty cell in a straight line over one or more tiles, or NOWHERE."""
        if (self.ground[cell & WINDOW] >> side) & 1 == 0:
            return NOWHERE
        while (self.ground[cell & WINDOW] >> side) & 1:
            cell += STEP[side]
        return cell + STEP[side]


def patch_of(cells: list[int]) -> Patch:
    """Lay tiles on cells; those on NOWHERE are left out."""
    size: i64 = len(cells)
    ground: vec[i64] = vec[i64]([0] * (WINDOW + 1))
    patch = Patch(size, vec[i64]([NOWHERE] * size), vec[i64]([0] * size), ground, 0)
    for tile in range(size):
        cell: i64 = cells[tile]
        if cell != NOWHERE:
            patch.put(tile, cell)
    return patch


def connected(cells: list[int]) -> bool:
    """Tell whether cells are one patch."""
    left = set(cells[1:])
    fresh = cells[:1]
    while fresh:
        cell = fresh.pop()
        for step in STEP:
            if cell + step in left:
                left.remove(cell + step)
                fresh.append(cell + step)
    return not left


def spiral(tiles: int) -> list[tuple[int, int]]:
    """FS-3 List the cells of the default patch: 0,0 and rings around it."""
    cells = [(0, 0)]
    ring = 0
    while len(cells) < tiles:
        ring += 1
        q, r = ring, 0
        for turn in range(SIDES):
            # From the ring's east corner on: 0,-1 -1,0 -1,1 0,1 1,0 1,-1.
            side = (turn + 2) % SIDES
            for _ in range(ring):
                cells.append((q, r))
                q += STEP_Q[side]
                r += STEP_R[side]
    return cells[:tiles]
