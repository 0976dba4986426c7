"""The board of Flip & Slide for many games at once: adjacency, connectivity, slides and jumps.

Sets of tiles are bits of a word. Sets of cells are *bitboards* of a few words per game: cell q, r is bit q + row * r,
modulo the size of the bitboard. Many cells share a bit, but two in or beside one patch never do, and neighbours are a
fixed number of bits apart. So the patch may drift without limit, and tiles slide by shifts of bitboards.
"""

from collections.abc import Callable
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from sevenhues.batch import jax_bits
from sevenhues.batch.jax_bits import U32, count
from sevenhues.games.flip_and_slide.geometry import ALL_SIDES, STEP_Q, STEP_R
from sevenhues.games.flip_and_slide.pieces import HUES, SETS, SHORT_SLIDE, SIDES, UNLIMITED

I32 = jnp.int32
WORD_BITS = 32
# By number of seats, the words of a bitboard and the length of a row. Two cells that share a bit are farther apart than
# two cells in or beside a patch can be: its tiles plus one; in solo plus three, as the previous cell may be off it.
BITBOARD_SIZES = {1: (10, 31), 2: (17, 38), 3: (28, 343), 4: (28, 343)}

# The sides of neighbours, three bits each, by q and then by r.
SIDE_CODES = np.uint32(sum([side << 3 * (3 * STEP_Q[side] + STEP_R[side] + 4) for side in range(SIDES)]))


class Geometry(NamedTuple):
    """What follows from the cells of the tiles."""

    placed: Array  # tiles that are placed, as bits
    cells: Array  # by tile, the bit of its cell
    touching: Array  # by tile, the tiles it touches, as bits
    sides: Array  # by tile, the sides at which it touches others, as bits
    movable: Array  # FS-9 tiles that can take a step, as bits
    in_one_arc: Array  # tiles whose neighbours form one contiguous arc, as bits


class BatchBoard:
    """Functions on tiles and cells for games with a fixed number of seats."""

    def __init__(self, seats: int, short_slides: bool) -> None:
        self.tiles = SETS[seats] * HUES
        self.size = self.tiles + seats
        self.max_spaces = SHORT_SLIDE if short_slides else UNLIMITED
        self.words, self.row = BITBOARD_SIZES[seats]
        self.cell_bits = WORD_BITS * self.words
        self.steps = [STEP_Q[side] + self.row * STEP_R[side] for side in range(SIDES)]

    def tile_set(self, which: Array) -> Array:
        """Return the tiles for which `which` is true, as bits."""
        return union(jnp.where(which, U32(1) << jnp.arange(which.shape[-1], dtype=U32), U32(0)))

    def members(self, tiles: Array) -> Array:
        """Return, for every tile, whether it is in a set."""
        return (tiles[..., None] >> jnp.arange(self.size, dtype=U32)) & 1 == 1

    def geometry(self, q: Array, r: Array, placed: Array) -> Geometry:
        """Return the geometry of a patch from the coordinates of all tiles and which of them are placed."""
        across, down = q[:, None, :] - q[:, :, None], r[:, None, :] - r[:, :, None]
        near = are_neighbours(across, down) & placed[:, None, :] & placed[:, :, None]
        side = (SIDE_CODES >> (9 * across + 3 * down + 12).astype(U32)) & 7
        touching = self.tile_set(near)
        sides = union(jnp.where(near, U32(1) << side, U32(0)))
        before, after = sides << 1 | sides >> 5, sides >> 1 | sides << 5
        arc_starts = sides & ~before
        return Geometry(
            placed=self.tile_set(placed),
            cells=jnp.mod(q + self.row * r, self.cell_bits).astype(U32),
            touching=touching,
            sides=sides,
            movable=self.tile_set((before ^ after) & ~sides & ALL_SIDES != 0),
            in_one_arc=self.tile_set(arc_starts & (arc_starts - 1) == 0),
        )

    def cut_tiles(self, geometry: Geometry, tiles: Array) -> Array:
        """FS-10 Return those of some tiles without which the patch would fall apart, as bits."""
        targets = jnp.where(self.members(tiles & ~geometry.in_one_arc), geometry.touching, U32(0))
        others = ~(U32(1) << jnp.arange(self.size, dtype=U32))

        def grow(visited: Array) -> Array:
            beside = jnp.where(self.members(visited), geometry.touching[:, None, :], U32(0))
            return visited | jnp.bitwise_and(union(beside), others)

        visited = grow_until_stable(grow, targets & -targets)
        return self.tile_set(targets & ~visited != 0)

    def bitboard(self, cells: Array, which: Array) -> Array:
        """Return the bitboard of those cells, (…, n), for which `which` is true."""
        words = (cells >> 5)[..., None] == jnp.arange(self.words, dtype=U32)
        return union(jnp.where(words & which[..., None], (U32(1) << (cells & 31))[..., None], U32(0)), axis=-2)

    def contains(self, bitboard: Array, cells: Array) -> Array:
        """Return 1 for each cell, (…, n), that is on a bitboard, (…, words), else 0."""
        words = jnp.take_along_axis(bitboard, (cells >> 5).astype(I32), axis=-1)
        return (words >> (cells & 31)) & 1

    def shift(self, bitboard: Array, by: int) -> Array:
        """Shift every cell of a bitboard by so many bits."""
        words, bits = divmod(by % self.cell_bits, WORD_BITS)
        low = jnp.roll(bitboard, words, axis=-1)
        return low << bits | jnp.roll(bitboard, words + 1, axis=-1) >> (WORD_BITS - bits) if bits else low

    def beside(self, filled: Array) -> list[Array]:
        """Return, for each side, the bitboard of the cells with a tile at that side."""
        return [self.shift(filled, -step) for step in self.steps]

    def rims(self, filled: Array) -> tuple[Array, Array]:
        """Return the empty cells that touch the patch, and those that touch exactly one tile of it."""
        once, twice = jnp.zeros_like(filled), jnp.zeros_like(filled)
        for side in self.beside(filled):
            once, twice = once | side, twice | (once & side)
        return once & ~filled, once & ~twice & ~filled

    def adjacent_cells(self, geometry: Geometry) -> Array:
        """Return the cells at all sides of all tiles, (N, 6 * tile + side)."""
        cells = jnp.mod(geometry.cells.astype(I32)[:, :, None] + jnp.array(self.steps), self.cell_bits).astype(U32)
        return cells.reshape(-1, self.size * SIDES)

    def reach(self, filled: Array, start: Array) -> Array:
        """FS-9 Return the cells that a tile can slide to from `start`, which `filled` must not contain."""
        sides = self.beside(filled)
        open_ = [~filled & ~sides[side] & (sides[side - 1] ^ sides[side + 1]) for side in range(3)]

        def grow(visited: Array) -> Array:
            more = visited
            for side in range(3):
                more |= self.shift(visited & open_[side], self.steps[side])
                more |= self.shift(visited, -self.steps[side]) & open_[side]
            return more

        # FS-18
        if self.max_spaces == SHORT_SLIDE:
            return grow(grow(grow(start)))
        return grow_until_stable(grow, start, steps=4)

    def landings(self, filled: Array, start: Array) -> Array:
        """FS-20 Return the first empty cells in straight lines over tiles; `filled` must not contain `start`."""

        def extend(_: int, rays: list[Array]) -> list[Array]:
            return [self.shift(ray | start, step) & filled for ray, step in zip(rays, self.steps, strict=True)]

        rays = lax.fori_loop(0, self.tiles, extend, [jnp.zeros_like(start)] * SIDES)
        landings = jnp.zeros_like(start)
        for ray, step in zip(rays, self.steps, strict=True):
            landings |= self.shift(ray, step) & ~filled
        return landings


def grow_until_stable(grow: Callable[[Array], Array], start: Array, steps: int = 1) -> Array:
    """Apply a growing function until nothing changes, `steps` times between two comparisons."""

    def changed(last_two: tuple[Array, Array]) -> Array:
        return jnp.any(last_two[0] != last_two[1])

    def advance(last_two: tuple[Array, Array]) -> tuple[Array, Array]:
        grown = last_two[1]
        for _ in range(steps):
            grown = grow(grown)
        return last_two[1], grown

    return lax.while_loop(changed, advance, (start, grow(start)))[1]


def union(sets: Array, axis: int = -1) -> Array:
    """Return the union of sets along an axis."""
    merged: Array = lax.reduce(sets, U32(0), lax.bitwise_or, (axis % sets.ndim,))
    return merged


def are_neighbours(across: Array, down: Array) -> Array:
    """Return whether two cells are neighbours, from the differences of their q and r."""
    spaces = jnp.maximum(jnp.maximum(jnp.abs(across), jnp.abs(down)), jnp.abs(across + down))
    return spaces == 1


def select(rows: Array, index: Array) -> Array:
    """Return one element of each row."""
    return jnp.take_along_axis(rows, index.astype(I32)[:, None], axis=1)[:, 0]


def count_cells(bitboard: Array) -> Array:
    """Return the number of cells on a bitboard."""
    return count(bitboard).sum(axis=-1, dtype=U32)


def nth_cell(bitboard: Array, n: Array) -> Array:
    """Return the cell of a bitboard that has n lower ones."""
    ends = jnp.cumsum(count(bitboard), axis=-1, dtype=U32)
    word = (ends <= n[:, None]).sum(axis=-1, dtype=U32)
    word = jnp.minimum(word, bitboard.shape[-1] - 1)
    bits = select(bitboard, word)
    return word * WORD_BITS + jax_bits.nth(bits, n - (select(ends, word) - count(bits)))
