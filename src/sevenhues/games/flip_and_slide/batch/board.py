"""The board of Flip & Slide for many games at once: adjacency, connectivity, slides and jumps.

An edge is a side of a tile, numbered 6 * tile + side. It is open if no tile touches it. The empty cells beside a patch
are the cells at its open edges. A patch is connected, so the open edges around each empty region of the plane form one
cycle. Everything that usually needs a flood fill for each tile follows from such cycles:

- A tile holds the patch together (FS-10) if and only if it meets one region in two places.
- Divide the regions at all gaps that are too narrow for a tile: between two empty neighbour cells that have two tiles
  in common. A tile that can leave its cell slides to the cells of the divided regions beside it, and to no others.

Cycles are followed by doubling the distance, so the number of steps is fixed.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from sevenhues.batch import jax_bits
from sevenhues.batch.jax_bits import U32
from sevenhues.games.flip_and_slide.geometry import ALL_SIDES, STEP_Q, STEP_R
from sevenhues.games.flip_and_slide.pieces import HUES, SETS, SHORT_SLIDE, SIDES

I32 = jnp.int32
I16 = jnp.int16
# The coordinate q of tiles that are not placed, SPACING apart: beyond the drift of any patch.
NOT_PLACED = 16384
SPACING = 8

INDEX_BITS = 5  # of a tile, at most 32
EDGE_BITS = 8
WORD_TILES = 32 - EDGE_BITS  # in a word with an edge

# Three relations of a tile to a side of another: it is on the cell at that side, on the outer cell that touches both
# this cell and the cell at the next side, or on the cell behind it in a straight line. With the side they are numbered
# SIDES * relation + side.
NEAR, OUTER, BEHIND = range(3)
UNRELATED = 3 * SIDES
RADIUS = 2  # the greatest difference of coordinates of related tiles
DIAMETER = 2 * RADIUS + 1


def _relation_numbers() -> dict[tuple[int, int], int]:
    """Return the numbers by the differences of coordinates."""
    numbers = {}
    for side in range(SIDES):
        after = (side + 1) % SIDES
        numbers[STEP_Q[side], STEP_R[side]] = SIDES * NEAR + side
        numbers[STEP_Q[side] + STEP_Q[after], STEP_R[side] + STEP_R[after]] = SIDES * OUTER + side
        numbers[2 * STEP_Q[side], 2 * STEP_R[side]] = SIDES * BEHIND + side
    return numbers


RELATION_NUMBERS = _relation_numbers()
# By the difference of q, the numbers by the difference of r, INDEX_BITS each.
RELATION_ROWS = [
    sum(RELATION_NUMBERS.get((q, r), UNRELATED) << INDEX_BITS * (r + RADIUS) for r in range(-RADIUS, RADIUS + 1))
    for q in range(-RADIUS, RADIUS + 1)
]


class Geometry(NamedTuple):
    """The tiles around each tile."""

    related: Array  # by tile, the numbers of all its relations, as bits
    near: Array  # by tile, the tile at each side, INDEX_BITS each; undefined where there is none
    outer: Array
    behind: Array


def geometry_of(cells: Sequence[tuple[int, int]]) -> Geometry:
    """Return the geometry of one patch from the coordinates of its tiles."""
    words = np.zeros((4, len(cells)), np.uint32)
    for tile, (q, r) in enumerate(cells):
        for other, (other_q, other_r) in enumerate(cells):
            number = RELATION_NUMBERS.get((other_q - q, other_r - r))
            if number is not None:
                words[0, tile] |= 1 << number
                words[1 + number // SIDES, tile] |= other << INDEX_BITS * (number % SIDES)
    return Geometry(*words)


class BatchBoard:
    """Functions on tiles and edges for games with a fixed number of seats."""

    def __init__(self, seats: int, short_slides: bool) -> None:
        self.tiles = SETS[seats] * HUES
        self.size = self.tiles + seats
        self.edges = self.size * SIDES
        self.short_slides = short_slides
        # A connected patch of n tiles has at most 4 n + 2 open edges.
        self.cycle_doublings = (4 * self.size + 1).bit_length()
        self.tile = np.arange(self.size, dtype=np.uint32)
        self.tile_bit = np.uint32(1) << self.tile
        self.edge = np.arange(self.edges, dtype=np.uint8)
        self.side = np.tile(np.arange(SIDES, dtype=np.uint32), self.size)  # by edge
        self.edge_bit = self.tile_bit.repeat(SIDES)  # by edge, its tile as a bit

    def tile_set(self, which: Array) -> Array:
        """Return the tiles for which `which` is true, as bits."""
        return union(jnp.where(which, self.tile_bit[: which.shape[-1]], U32(0)))

    def members(self, tiles: Array) -> Array:
        """Return, for every tile, whether it is in a set."""
        return tiles[..., None] & self.tile_bit != 0

    def move(
        self, geometry: Geometry, q: Array, r: Array, tile: Array, to_q: Array, to_r: Array, which: Array
    ) -> Geometry:
        """Return the geometry after some tiles were put on a cell, from the coordinates of all tiles before."""
        is_moved = which[:, None] & (tile[:, None] == self.tile)
        is_other = which[:, None] & ~is_moved
        before = jnp.where(is_other, relations(select(q, tile)[:, None] - q, select(r, tile)[:, None] - r), UNRELATED)
        after = jnp.where(is_other, relations(to_q[:, None] - q, to_r[:, None] - r), UNRELATED)
        kind, side = after // SIDES, after % SIDES
        opposite = (side + SIDES // 2) % SIDES
        related = [_bit(SIDES * kind + opposite)]
        others = [jnp.where(kind == some, self.tile << INDEX_BITS * opposite, U32(0)) for some in (NEAR, OUTER, BEHIND)]
        of_moved = [word[:, None] for word in unions(related + others)]
        shift = INDEX_BITS * side
        of_others = [geometry.related & ~_bit(before) | _bit(after)]
        for some, word in enumerate(geometry[1:]):
            changed = word & ~(U32((1 << INDEX_BITS) - 1) << shift) | tile[:, None] << shift
            of_others.append(jnp.where(kind == some, changed, word))
        return Geometry(*[jnp.where(is_moved, new, old) for new, old in zip(of_moved, of_others, strict=True)])

    def sides(self, geometry: Geometry) -> Array:
        """Return by tile the sides at which it touches others, as bits."""
        sides: Array = geometry.related & ALL_SIDES
        return sides

    def movable(self, geometry: Geometry) -> Array:
        """FS-9 Return the tiles that can take a step, as bits."""
        sides = self.sides(geometry)
        before, after = sides << 1 | sides >> 5, sides >> 1 | sides << 5
        return self.tile_set((before ^ after) & ~sides & ALL_SIDES != 0)

    def touching(self, geometry: Geometry) -> Array:
        """Return by tile the tiles that it touches, as bits."""
        return union(self.other_bit(geometry, NEAR).reshape(-1, self.size, SIDES))

    def related(self, geometry: Geometry, relation: int, turn: int = 0) -> Array:
        """Return by edge whether there is a tile in a relation to it, or to the edge `turn` sides further around."""
        return _flat(geometry.related[..., None] >> SIDES * relation + _turned(turn) & 1 == 1)

    def other(self, geometry: Geometry, relation: int, turn: int = 0) -> Array:
        """Return by edge the tile in a relation to it, or to the edge `turn` sides further around."""
        return _flat(geometry[1 + relation][..., None] >> INDEX_BITS * _turned(turn) & (1 << INDEX_BITS) - 1)

    def other_bit(self, geometry: Geometry, relation: int, turn: int = 0) -> Array:
        """Return by edge the tile in a relation to it as a bit, or 0 if there is none."""
        bit = U32(1) << self.other(geometry, relation, turn)
        return jnp.where(self.related(geometry, relation, turn), bit, U32(0))

    def edge_of(self, tile: Array, turn: int) -> Array:
        """Return by edge the edge of another tile that faces `turn` sides further around."""
        return tile * SIDES + (self.side + turn % SIDES) % SIDES

    def next_edges(self, geometry: Geometry, divided: bool) -> Array:
        """Return the open edge after each open edge around its region, or around its divided region."""
        edges = self.edge_of(jnp.array(self.edge // SIDES, U32), 1)
        if divided:
            after_gap = self.edge_of(self.other(geometry, OUTER), 4)
            edges = jnp.where(self.related(geometry, OUTER), after_gap, edges)
        after_corner = self.edge_of(self.other(geometry, NEAR, 1), -1)
        return jnp.where(self.related(geometry, NEAR, 1), after_corner, edges).astype(jnp.uint8)

    def along_cycles(self, values: Array, next_edges: Array, combine: Callable[[Array, Array], Array]) -> Array:
        """Return for every open edge the combination of the values of all open edges of its cycle.

        Values have EDGE_BITS bits less than their type. The next edge is above them, so that one lookup finds both.
        """
        bits = 8 * values.dtype.itemsize - EDGE_BITS
        mask = values.dtype.type((1 << bits) - 1)

        def double(_: int, packed: Array) -> Array:
            # XLA fuses a lookup with what follows it on a GPU if that begins with one operation on both arrays.
            difference = take(packed, packed >> bits) ^ packed
            there = difference ^ packed
            doubled: Array = combine(packed & mask, there & mask) | there & ~mask
            return jax_bits.compute(doubled)

        # A lookup needs a second buffer. Two in one iteration save a copy, but on a CPU they are fused and repeated.
        unroll = 1 if jax.default_backend() == "cpu" else 2
        packed: Array = next_edges.astype(values.dtype) << bits | values
        combined: Array = lax.fori_loop(0, self.cycle_doublings, double, packed, unroll=unroll) & mask
        return combined

    def cut_tiles(self, geometry: Geometry) -> Array:
        """FS-10 Return the tiles without which the patch would fall apart, as bits."""
        next_edges = self.next_edges(geometry, divided=False)
        edges = jnp.broadcast_to(self.edge.astype(np.uint16), next_edges.shape)
        lowest = self.along_cycles(edges, next_edges, jnp.minimum)
        region = lowest.reshape(-1, self.size, SIDES)
        # A tile meets regions between its neighbours. Two such places are at least two sides apart.
        starts = (self.related(geometry, NEAR, -1) & ~self.related(geometry, NEAR)).reshape(region.shape)
        cut = jnp.zeros_like(starts)
        for sides in (2, 3):
            cut |= starts & jnp.roll(starts, sides, axis=-1) & (region == jnp.roll(region, sides, axis=-1))
        return self.tile_set(cut.any(axis=-1))

    def slides(self, geometry: Geometry) -> Array:
        """FS-9 Return by edge the tiles that can slide to the cell at it, as bits; FS-10 is not checked."""
        if self.short_slides:
            return self._short_slides(geometry)
        has_room = ~(self.related(geometry, NEAR, 1) & self.related(geometry, NEAR, -1))
        tiles = jnp.where(has_room & ~self.related(geometry, NEAR), self.edge_bit, U32(0))
        next_edges = self.next_edges(geometry, divided=True)
        reached = jnp.zeros_like(tiles)
        for low in range(0, self.size, WORD_TILES):
            some = tiles >> low & (1 << WORD_TILES) - 1
            reached |= self.along_cycles(some, next_edges, jnp.bitwise_or) << low
        return reached

    def _short_slides(self, geometry: Geometry) -> Array:
        """FS-18 Return by edge the tiles that can slide to the cell at it in a few spaces, as bits."""
        # A tile finds its own cell empty, and does not slide around itself.
        empty = self._empty_for(geometry, NEAR) & ~self.edge_bit
        passable = empty & self._turn(empty, 1) & self._empty_for(geometry, OUTER)
        reached = self.other_bit(geometry, NEAR)
        for _ in range(SHORT_SLIDE):
            reached |= self._turn(reached & passable, -1) | self._turn(reached, 1) & passable
            same_cell = reached
            for relation, turn, facing in ((NEAR, 1, -1), (NEAR, -1, 1), (OUTER, 0, 4), (OUTER, -1, 2), (BEHIND, 0, 3)):
                edge = self.edge_of(self.other(geometry, relation, turn), facing)
                same_cell |= jnp.where(self.related(geometry, relation, turn), take(reached, edge), U32(0))
            reached = same_cell & empty
        return reached

    def _empty_for(self, geometry: Geometry, relation: int) -> Array:
        """Return by edge the tiles that find the cell in a relation to it empty, as bits."""
        return jnp.where(self.related(geometry, relation), self.other_bit(geometry, relation), ~U32(0))

    def _turn(self, edges: Array, turn: int) -> Array:
        """Return for every edge what belongs to the edge `turn` sides further around."""
        return _flat(jnp.roll(edges.reshape(-1, self.size, SIDES), -turn, axis=-1))

    def encodable(self, geometry: Geometry) -> Array:
        """Return by edge the tiles for which a move to the cell at it is encoded by this edge, as bits.

        That is if no other tile beside the cell is lower.
        """
        beside = self.other_bit(geometry, BEHIND)
        for relation, turn in ((NEAR, 1), (NEAR, -1), (OUTER, 0), (OUTER, -1)):
            beside |= self.other_bit(geometry, relation, turn)
        lower = beside & (self.edge_bit - 1)
        one_lower = jnp.where(lower & (lower - 1) == 0, lower, U32(0))
        # A tile that touches no other is not placed.
        is_placed = (self.sides(geometry) != 0).repeat(SIDES, axis=1)
        is_open = is_placed & ~self.related(geometry, NEAR)
        return jnp.where(is_open, jnp.where(lower == 0, ~self.edge_bit, one_lower), U32(0))

    def jumps(self, geometry: Geometry, tile: int) -> tuple[Array, Array]:
        """FS-20 Return by side whether a tile has others to jump over, and the edge of the last one, where it lands."""
        over = self.edge_of(self.other(geometry, NEAR), 0)
        last = jnp.where(self.related(geometry, NEAR), over, self.edge).astype(jnp.uint8)
        for _ in range(self.tiles.bit_length()):
            last = take(last, last)
        own = slice(SIDES * tile, SIDES * (tile + 1))
        return self.related(geometry, NEAR)[:, own], last[:, own]


def is_placed(q: Array) -> Array:
    """Return which tiles are placed."""
    return q < NOT_PLACED


def relations(across: Array, down: Array) -> Array:
    """Return the numbers of the relations of tiles from the differences of their coordinates."""
    across, down = (across + RADIUS).astype(U32), (down + RADIUS).astype(U32)
    row = jnp.full_like(across, RELATION_ROWS[-1])
    for q in range(DIAMETER - 1):
        row = jnp.where(across == q, U32(RELATION_ROWS[q]), row)
    number = row >> INDEX_BITS * down & (1 << INDEX_BITS) - 1
    return jnp.where((across < DIAMETER) & (down < DIAMETER), number, U32(UNRELATED))


def _bit(number: Array) -> Array:
    """Return the number of a relation as a bit, or 0 for unrelated tiles."""
    bit: Array = U32(1) << number & (1 << UNRELATED) - 1
    return bit


def _turned(turn: int) -> np.ndarray:
    """Return the sides `turn` sides further around."""
    return (np.arange(SIDES, dtype=np.uint32) + np.uint32(turn % SIDES)) % SIDES


def _flat(edges: Array) -> Array:
    return edges.reshape(edges.shape[0], -1)


def union(sets: Array) -> Array:
    """Return the union of sets along the last axis."""
    return unions([sets])[0]


def unions(kinds: list[Array]) -> list[Array]:
    """Return the unions of several kinds of sets along the last axis."""

    def both(some: list[Array], others: list[Array]) -> list[Array]:
        return [one | other for one, other in zip(some, others, strict=True)]

    merged: list[Array] = lax.reduce(kinds, [U32(0)] * len(kinds), both, (kinds[0].ndim - 1,))
    return merged


def take(rows: Array, index: Array) -> Array:
    """Return elements of each row."""
    return jnp.take_along_axis(rows, index.astype(I32), axis=1, mode="promise_in_bounds")


def select(rows: Array, index: Array) -> Array:
    """Return one element of each row."""
    return take(rows, index[:, None])[:, 0]
