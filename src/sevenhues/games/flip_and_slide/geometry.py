"""Hexagon geometry: cells, neighbours, straight lines, connectivity of the patch, and slides.

A cell is one number, q + ROW * r, relative to the cell of the setup's first tile. The neighbour at a side is STEP[side]
away. Sides are in the order of FS-2, all round the cell: the two cells that touch both a cell and its neighbour at a
side are the cell's neighbours at the previous and the next side.

The content of a cell is stored at `cell & WINDOW`. Cells that share a slot are at least 36 spaces apart, and two cells
in or beside a patch of 32 tiles are at most 33 apart (a test checks this). So the patch may drift without limit and
nothing has to be moved with it. In the 200 turns of a game it drifts less than 13,000 spaces; cell numbers are unique
up to 32,000.

For every cell in or beside the patch a mask of six bits tells which of its neighbours hold a tile. Queries about the
surroundings of a tile are bit operations on this mask.
"""

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from sevenhues.core.bits import bit, lowest

ROW: Final = 65589  # 53 modulo 1024, which spreads a patch best over the window
HALF_ROW: Final = 32794
WINDOW: Final = 1023
SIDES: Final = 6
ALL_SIDES: Final = 63
MARK: Final = 64  # above the six bits: the cell was visited by the current walk
TILE: Final = 7  # shift of the bits above MARK: 1 + the tile on the cell

NOWHERE: Final = -0x10000000000  # the cell of a tile that is not placed
MAX_BESIDE: Final = 136  # at least the empty cells beside 32 tiles, 4 * 32 + 2, plus the start of a walk

# FS-2 East first, then counterclockwise; r grows downwards.
STEP_Q: Final = (1, 1, 0, -1, -1, 0)
STEP_R: Final = (0, -1, -1, 0, 1, 1)
STEP: Final = vec[i64]([1, 1 - ROW, -ROW, -1, ROW - 1, ROW])


def cell_at(q: int, r: int) -> int:
    """Return the number of a cell, or NOWHERE if it is further than a patch ever drifts."""
    if abs(q) >= HALF_ROW or abs(r) >= HALF_ROW:
        return NOWHERE
    return q + ROW * r


def row_of(cell: i64) -> i64:
    """Return the coordinate r of a cell."""
    return (cell + HALF_ROW) // ROW


def column_of(cell: i64) -> i64:
    """Return the coordinate q of a cell."""
    return cell - ROW * row_of(cell)


def opposite(side: i64) -> i64:
    """Return the side of the neighbour at `side` that faces back to the cell."""
    return side + 3 if side < 3 else side - 3


def side_toward(start: i64, end: i64) -> i64:
    """Return the side of the first cell at which a straight line to the second starts, or -1 if there is none."""
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
    """Return the cells of a straight line, both ends included."""
    step = STEP[side_toward(start, end)]
    cells: list[int] = [start]
    while start != end:
        start += step
        cells.append(start)
    return cells


def steps(around: i64) -> i64:
    """FS-9 Return the sides through which a tile can leave a cell with these neighbours, as bits.

    The neighbour at such a side is empty, and exactly one of the two cells that touch both holds a tile.
    """
    before = (around << 1) | (around >> 5)
    after = (around >> 1) | (around << 5)
    return (before ^ after) & ~around & ALL_SIDES


def in_one_arc(around: i64) -> bool:
    """Return whether the neighbours of a cell form one contiguous arc."""
    starts = around & ~((around << 1) | (around >> 5))
    return starts & (starts - 1) == 0


@mypyc_attr(serializable=True)
class Patch:
    """The tiles on the table: the cell of each, and the content of each cell."""

    def __init__(self, size: i64, cells: vec[i64], touching: vec[i64], ground: vec[i64], beside: i64) -> None:
        self.size: i64 = size  # tiles, placed or not
        self.cells: vec[i64] = cells  # by tile
        self.touching: vec[i64] = touching  # by tile: the tiles it touches, as bits
        self.ground: vec[i64] = ground  # by cell & WINDOW: the sides that touch tiles, MARK, and 1 + the tile on it
        self.beside: i64 = beside  # how many empty cells touch the patch
        self.walk: vec[i64] = vec[i64]([0] * MAX_BESIDE)  # the cells of the last walk, its start first
        self.came_from: vec[i64] = vec[i64]([0] * MAX_BESIDE)  # the index in `walk` each was reached from

    def __reduce__(self) -> tuple[Any, ...]:
        return patch_of, ([self.cells[tile] for tile in range(self.size)],)

    def copy(self) -> "Patch":
        """Return an equal patch that shares no mutable state."""
        return Patch(self.size, self.cells[:], self.touching[:], self.ground[:], self.beside)

    def put(self, tile: i64, cell: i64) -> None:
        """Put a tile on an empty cell."""
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
        """Remove a tile."""
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
        """Return the tile on a cell, or -1. This also holds for cells far from the patch that share a slot with it."""
        tile = (self.ground[cell & WINDOW] >> TILE) - 1
        return tile if tile >= 0 and self.cells[tile] == cell else -1

    def neighbours(self, tile: i64) -> i64:
        """Return the sides at which a tile touches others, as bits."""
        return self.ground[self.cells[tile] & WINDOW] & ALL_SIDES

    def touches(self, cell: i64) -> bool:
        """Return whether a cell touches the patch."""
        side: i64 = 0
        while side < SIDES:
            if self.tile_on(cell + STEP[side]) >= 0:
                return True
            side += 1
        return False

    def is_cut_tile(self, tile: i64) -> bool:
        """FS-10 Return whether the patch would fall apart without a tile."""
        # Neighbours in one arc are connected to one another, so the common case needs no search.
        if in_one_arc(self.neighbours(tile)):
            return False
        targets = self.touching[tile]
        visited = targets & -targets
        frontier = visited
        while frontier:
            new = self.touching[lowest(frontier)] & ~visited & ~bit(tile)
            frontier = (frontier & (frontier - 1)) | new
            visited |= new
            if targets & ~visited == 0:
                return False
        return True

    def reach(self, tile: i64, max_spaces: i64) -> i64:
        """FS-9 Collect the cells that a tile can slide to within `max_spaces` spaces, nearest first.

        Return their number; the cells are walk[1], walk[2] and so on, and `came_from` gives the paths. FS-10 is not
        checked.
        """
        start = self.cells[tile]
        self._lift(start)
        self.walk[0] = start
        self.ground[start & WINDOW] |= MARK
        count: i64 = 1
        done: i64 = 0
        spaces: i64 = 0
        while done < count and spaces < max_spaces:
            ring = count
            while done < ring:
                count = self._step_from(done, count)
                done += 1
            spaces += 1
        self._toggle_marks(0, count)
        self._lift(start)
        return count - 1

    def _step_from(self, at: i64, count: i64) -> i64:
        """Add the unvisited cells that are one step from a cell of the walk; return the new length of the walk."""
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
                    self.walk[count] = next_cell
                    self.came_from[count] = at
                    count += 1
            sides >>= 1
            side += 1
        return count

    def _toggle_marks(self, first: i64, end: i64) -> None:
        """Set or clear the marks of the cells walk[first:end]."""
        i: i64 = first
        while i < end:
            self.ground[self.walk[i] & WINDOW] ^= MARK
            i += 1

    def _lift(self, cell: i64) -> None:
        """Hide the tile on a cell from its neighbours, or show it again."""
        side: i64 = 0
        while side < SIDES:
            self.ground[(cell + STEP[side]) & WINDOW] ^= bit(opposite(side))
            side += 1

    def append_moves(self, tile: i64, count: i64, base: i64, moves: list[int]) -> None:
        """Append the cells of a tile's last walk to a list of moves, ascending: base + neighbour * 6 + side."""
        ground = self.ground
        self._toggle_marks(1, count + 1)
        neighbour: i64 = 0
        while count > 0:
            cell = self.cells[neighbour]
            side: i64 = 0
            while side < SIDES and neighbour != tile:
                at = (cell + STEP[side]) & WINDOW
                # Neighbours are visited in order, so the first one of a cell is its lowest.
                if ground[at] & MARK:
                    ground[at] ^= MARK
                    moves.append(base + neighbour * SIDES + side)
                    count -= 1
                side += 1
            neighbour += 1

    def collect_beside(self) -> i64:
        """Collect the empty cells that touch the patch in walk[1], walk[2] and so on; return their number."""
        ground = self.ground
        count: i64 = 1
        tile: i64 = 0
        while tile < self.size:
            cell = self.cells[tile]
            side: i64 = 0
            while side < SIDES and cell != NOWHERE:
                there = cell + STEP[side]
                if ground[there & WINDOW] & ~ALL_SIDES == 0:
                    ground[there & WINDOW] |= MARK
                    self.walk[count] = there
                    count += 1
                side += 1
            tile += 1
        self._toggle_marks(1, count)
        return count - 1

    def encode_cell(self, tile: i64, cell: i64) -> i64:
        """Encode an empty cell relative to the lowest tile beside it other than `tile`: neighbour * 6 + side."""
        best: i64 = self.size * SIDES
        side: i64 = 0
        while side < SIDES:
            there = (self.ground[(cell + STEP[side]) & WINDOW] >> TILE) - 1
            if there >= 0 and there != tile:
                code = there * SIDES + opposite(side)
                if code < best:
                    best = code
            side += 1
        return best

    def decode_cell(self, code: i64) -> i64:
        """Return the cell that `encode_cell` encoded."""
        return self.cells[code // SIDES] + STEP[code % SIDES]

    def spaces_to(self, count: i64, cell: i64) -> i64:
        """Return the number of spaces from the start of the last walk to a cell, or -1 if it was not reached."""
        i: i64 = 1
        while i <= count:
            if self.walk[i] == cell:
                spaces: i64 = 0
                while i > 0:
                    i = self.came_from[i]
                    spaces += 1
                return spaces
            i += 1
        return -1

    def landing(self, cell: i64, side: i64) -> i64:
        """FS-20 Return the first empty cell in a straight line over at least one tile, or NOWHERE."""
        if (self.ground[cell & WINDOW] >> side) & 1 == 0:
            return NOWHERE
        while (self.ground[cell & WINDOW] >> side) & 1:
            cell += STEP[side]
        return cell + STEP[side]


def patch_of(cells: list[int]) -> Patch:
    """Build a patch from the cells of its tiles; a tile on NOWHERE is not placed."""
    size: i64 = len(cells)
    ground: vec[i64] = vec[i64]([0] * (WINDOW + 1))
    patch = Patch(size, vec[i64]([NOWHERE] * size), vec[i64]([0] * size), ground, 0)
    for tile in range(size):
        cell: i64 = cells[tile]
        if cell != NOWHERE:
            patch.put(tile, cell)
    return patch


def connected(cells: list[int]) -> bool:
    """Return whether cells form one connected patch."""
    unvisited = set(cells[1:])
    frontier = cells[:1]
    while frontier:
        cell = frontier.pop()
        for step in STEP:
            if cell + step in unvisited:
                unvisited.remove(cell + step)
                frontier.append(cell + step)
    return not unvisited


def spiral(tiles: int) -> list[tuple[int, int]]:
    """FS-3 List the cells of the default patch: 0,0 and the rings around it."""
    cells = [(0, 0)]
    ring = 0
    while len(cells) < tiles:
        ring += 1
        q, r = ring, 0
        for turn in range(SIDES):
            # Steps from the ring's east corner on: 0,-1 -1,0 -1,1 0,1 1,0 1,-1.
            side = (turn + 2) % SIDES
            for _ in range(ring):
                cells.append((q, r))
                q += STEP_Q[side]
                r += STEP_R[side]
    return cells[:tiles]
