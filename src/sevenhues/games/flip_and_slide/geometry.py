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
from mypy_extensions import i64, mypyc_attr, u8

from sevenhues.core.bits import bit, lowest

ROW: Final = 65589  # 53 modulo 1024, which spreads a patch best over the window
HALF_ROW: Final = 32794
WINDOW: Final = 1023
SIDES: Final = 6
ALL_SIDES: Final = 63
MARK: Final = 64  # above the six bits: the cell was visited by the current walk
TILE: Final = 7  # shift of the bits above MARK: 1 + the tile on the cell
# Shifts of the bits that `code_rim` adds to empty cells: 1 + the code from the lowest and from the second tile beside.
LOWEST_CODE: Final = 13
SECOND_CODE: Final = 21
CODE: Final = 255
VISITOR: Final = 29  # shift of the bits that `mark_slides` adds: 1 + the last tile that came to the cell
UNVISITED: Final = 0x1FFFFFFF

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


# FS-9 as a table. By the neighbours of a cell: how many steps leave it, and, MAX_EXITS for each, to where.
MAX_EXITS: Final = 4
EXIT_SIDES: Final = [[side for side in range(SIDES) if (steps(around) >> side) & 1] for around in range(ALL_SIDES + 1)]
EXIT_COUNTS: Final = vec[i64]([len(sides) for sides in EXIT_SIDES])
EXITS: Final = vec[i64]([STEP[side] for sides in EXIT_SIDES for side in (sides + [0] * MAX_EXITS)[:MAX_EXITS]])


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
        if tile >= 0 and self.cells[tile] == cell:
            return tile
        return -1

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
        count = self._mark_reach(tile, max_spaces)
        self._toggle_marks(0, count)
        return count - 1

    def _mark_reach(self, tile: i64, max_spaces: i64) -> i64:
        """Walk as `reach` does, and leave the cells of the walk marked; return their number, the start included."""
        ground = self.ground
        walk = self.walk
        came_from = self.came_from
        exit_counts = EXIT_COUNTS
        exits = EXITS
        start = self.cells[tile]
        self._lift(start)
        walk[0] = start
        ground[start & WINDOW] |= MARK
        count: i64 = 1
        done: i64 = 0
        spaces: i64 = 0
        while done < count and spaces < max_spaces:
            ring = count
            while done < ring:
                cell = walk[done]
                around = ground[cell & WINDOW] & ALL_SIDES
                at = around * MAX_EXITS
                end = at + exit_counts[around]
                while at < end:
                    next_cell = cell + exits[at]
                    there = ground[next_cell & WINDOW]
                    if there & MARK == 0:
                        ground[next_cell & WINDOW] = there | MARK
                        walk[count] = next_cell
                        came_from[count] = done
                        count += 1
                    at += 1
                done += 1
            spaces += 1
        self._lift(start)
        return count

    def _toggle_marks(self, first: i64, end: i64) -> None:
        """Set or clear the marks of the cells walk[first:end]."""
        i: i64 = first
        while i < end:
            self.ground[self.walk[i] & WINDOW] ^= MARK
            i += 1

    def _lift(self, cell: i64) -> None:
        """Hide the tile on a cell from its neighbours, or show it again."""
        ground = self.ground
        side: i64 = 0
        while side < SIDES:
            ground[(cell + STEP[side]) & WINDOW] ^= bit(opposite(side))
            side += 1

    def collect_beside(self) -> i64:
        """Collect the empty cells that touch the patch in walk[1], walk[2] and so on; return their number.

        They are in the order of their codes, which `came_from` has: see `encode_cell`.
        """
        ground = self.ground
        walk = self.walk
        count: i64 = 1
        tile: i64 = 0
        while tile < self.size:
            cell = self.cells[tile]
            side: i64 = 0
            while side < SIDES and cell != NOWHERE:
                there = cell + STEP[side]
                # Tiles are visited in order, so the first one beside a cell is its lowest.
                if ground[there & WINDOW] & ~ALL_SIDES == 0:
                    ground[there & WINDOW] |= MARK
                    walk[count] = there
                    self.came_from[count] = tile * SIDES + side
                    count += 1
                side += 1
            tile += 1
        self._toggle_marks(1, count)
        return count - 1

    def write_places(self, base: i64, moves: vec[i64]) -> i64:
        """Write the moves that put a new tile beside the patch, ascending: base + code; return their number."""
        count = self.collect_beside()
        i: i64 = 0
        while i < count:
            moves[i] = base + self.came_from[i + 1]
            i += 1
        return count

    def rim(self) -> vec[i64]:
        """Return the empty cells that touch the patch in the order of their codes: a cell, its code, and so on."""
        count = self.collect_beside()
        rim: vec[i64] = vec[i64]([0] * (2 * count))
        i: i64 = 0
        while i < count:
            rim[2 * i] = self.walk[i + 1]
            rim[2 * i + 1] = self.came_from[i + 1]
            i += 1
        return rim

    def write_slides(self, tile: i64, max_spaces: i64, base: i64, rim: vec[i64], moves: vec[i64], start: i64) -> i64:
        """FS-9 Write the moves that slide a tile, ascending, from `start` on: base + code; return the end.

        FS-10 is not checked. `rim` is what `rim` returns.
        """
        ground = self.ground
        walk = self.walk
        self._mark_reach(tile, max_spaces)
        ground[self.cells[tile] & WINDOW] ^= MARK
        own = tile * SIDES
        recoded: i64 = 0
        end = start
        size: i64 = len(rim)
        i: i64 = 0
        while i < size:
            slot = rim[i] & WINDOW
            there = ground[slot]
            if there & MARK:
                ground[slot] = there ^ MARK
                code = rim[i + 1]
                if own <= code < own + SIDES:
                    # The tile that slides is the lowest beside this cell, and a code may not name it.
                    walk[recoded] = rim[i]
                    recoded += 1
                else:
                    moves[end] = base + code
                    end += 1
            i += 2
        while recoded > 0:
            recoded -= 1
            move = base + self.encode_cell(tile, walk[recoded])
            at = end
            while at > start and moves[at - 1] > move:
                moves[at] = moves[at - 1]
                at -= 1
            moves[at] = move
            end += 1
        return end

    def code_rim(self) -> vec[i64]:
        """Store the codes of the empty cells that touch the patch in `ground`, for `mark_slides`.

        Return what `clear_rim` needs; it must be called before any other use of the patch.
        """
        ground = self.ground
        rim: vec[i64] = vec[i64]([0] * self.beside)
        count: i64 = 0
        tile: i64 = 0
        while tile < self.size:
            cell = self.cells[tile]
            empty: i64 = 0
            if cell != NOWHERE:
                empty = ~ground[cell & WINDOW] & ALL_SIDES
            side: i64 = 0
            while empty:
                if empty & 1:
                    slot = (cell + STEP[side]) & WINDOW
                    there = ground[slot]
                    # Tiles are visited in order, so the first one beside a cell is its lowest.
                    if there >> LOWEST_CODE == 0:
                        rim[count] = slot
                        count += 1
                        ground[slot] = there | ((tile * SIDES + side + 1) << LOWEST_CODE)
                    elif there >> SECOND_CODE == 0:
                        ground[slot] = there | ((tile * SIDES + side + 1) << SECOND_CODE)
                empty >>= 1
                side += 1
            tile += 1
        return rim

    def clear_rim(self, rim: vec[i64]) -> None:
        """Remove what `code_rim` has stored."""
        i: i64 = 0
        while i < len(rim):
            self.ground[rim[i]] &= ALL_SIDES
            i += 1

    def mark_slides(self, tile: i64, flags: vec[u8], base: i64) -> i64:
        """FS-9 Set the flag at base + code of each cell that a tile can slide to; return the number of cells.

        FS-10 is not checked. The rim is coded: see `code_rim`.
        """
        ground = self.ground
        waiting = self.walk  # cells that were reached and not left yet
        exit_counts = EXIT_COUNTS
        exits = EXITS
        visitor = tile + 1
        own = tile * SIDES
        start = self.cells[tile]
        self._lift(start)
        ground[start & WINDOW] ^= visitor << VISITOR
        cell = start
        around = ground[start & WINDOW] & ALL_SIDES
        reached: i64 = 0
        left: i64 = 0  # how many cells are waiting
        while True:
            # The cell to go on with stays in local variables: to read it back from an array takes longer.
            ahead: i64 = NOWHERE
            around_ahead: i64 = 0
            at = around * MAX_EXITS
            end = at + exit_counts[around]
            while at < end:
                next_cell = cell + exits[at]
                there = ground[next_cell & WINDOW]
                if there >> VISITOR != visitor:
                    ground[next_cell & WINDOW] = (there & UNVISITED) | (visitor << VISITOR)
                    code = ((there >> LOWEST_CODE) & CODE) - 1
                    if own <= code < own + SIDES:
                        # A code may not name the tile that slides.
                        code = ((there >> SECOND_CODE) & CODE) - 1
                    flags[base + code] = 1
                    reached += 1
                    if ahead != NOWHERE:
                        waiting[left] = ahead
                        left += 1
                    ahead = next_cell
                    around_ahead = there & ALL_SIDES
                at += 1
            if ahead != NOWHERE:
                cell = ahead
                around = around_ahead
            elif left > 0:
                left -= 1
                cell = waiting[left]
                around = ground[cell & WINDOW] & ALL_SIDES
            else:
                break
        ground[start & WINDOW] ^= visitor << VISITOR
        self._lift(start)
        return reached

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
