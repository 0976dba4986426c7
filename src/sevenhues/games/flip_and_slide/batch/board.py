"""The meadow of Flip & Slide for many games at once: what touches what, and where tiles slide, jump and land.

Sets of tiles are bits of a word. Sets of cells are bits of a *board*, a few words a game: cell q, r is bit
q + row * r, modulo the board's size. Many cells share a bit, but two in or beside one patch never do, and a neighbour
is a fixed number of bits away. So the patch may drift as far as it likes, and a tile slides by shifting boards.
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from sevenhues.batch import jax_bits
from sevenhues.batch.jax_bits import U32, count
from sevenhues.games.flip_and_slide.geometry import STEP_Q, STEP_R
from sevenhues.games.flip_and_slide.pieces import HUES, SETS, SHORT, SIDES, UNLIMITED

I32 = jnp.int32
WORD = 32
# By number of seats, the words of a board and a row's length. Two cells that share a bit are further apart than two in
# or beside a patch can be, its tiles and one; alone two more, as the previous cell may lie off the patch.
BOARDS = {1: (10, 31), 2: (17, 38), 3: (28, 343), 4: (28, 343)}

# The sides of neighbours, three bits each, in the order of their q and then their r.
SIDE_CODES = np.uint32(sum([side << 3 * (3 * STEP_Q[side] + STEP_R[side] + 4) for side in range(SIDES)]))


class Ground(NamedTuple):
    """What follows from where tiles lie."""

    here: Array  # tiles that are placed, as bits
    at: Array  # by tile, the bit of its cell
    touching: Array  # by tile, the tiles it touches, as bits
    around: Array  # by tile, the sides at which it touches others, as bits
    loose: Array  # FS-9 tiles that can take a step, as bits
    arcs: Array  # tiles whose neighbours follow one another without a gap, as bits


class Meadow:
    """What is the same in all games for so many."""

    def __init__(self, seats: int, short_slides: bool) -> None:
        self.tiles = SETS[seats] * HUES
        self.size = self.tiles + seats
        self.most_spaces = SHORT if short_slides else UNLIMITED
        self.words, self.row = BOARDS[seats]
        self.cells = WORD * self.words
        self.steps = [STEP_Q[side] + self.row * STEP_R[side] for side in range(SIDES)]

    def bits(self, which: Array) -> Array:
        """Return the set of tiles that are chosen."""
        return union(jnp.where(which, U32(1) << jnp.arange(which.shape[-1], dtype=U32), U32(0)))

    def members(self, tiles: Array) -> Array:
        """Tell of every tile whether it is in a set."""
        return (tiles[..., None] >> jnp.arange(self.size, dtype=U32)) & 1 == 1

    def ground(self, q: Array, r: Array, here: Array) -> Ground:
        """Look at the patch: the cells of all tiles, and which of them are placed."""
        across, down = q[:, None, :] - q[:, :, None], r[:, None, :] - r[:, :, None]
        near = neighbours(across, down) & here[:, None, :] & here[:, :, None]
        sides = (SIDE_CODES >> (9 * across + 3 * down + 12).astype(U32)) & 7
        touching = self.bits(near)
        around = union(jnp.where(near, U32(1) << sides, U32(0)))
        before, after = around << 1 | around >> 5, around >> 1 | around << 5
        starts = around & ~before
        return Ground(
            here=self.bits(here),
            at=jnp.mod(q + self.row * r, self.cells).astype(U32),
            touching=touching,
            around=around,
            loose=self.bits((before ^ after) & ~around & 63 != 0),
            arcs=self.bits(starts & (starts - 1) == 0),
        )

    def holding(self, ground: Ground, asked: Array) -> Array:
        """FS-10 Return those of some tiles that hold the patch together, as bits."""
        wanted = jnp.where(self.members(asked & ~ground.arcs), ground.touching, U32(0))
        others = ~(U32(1) << jnp.arange(self.size, dtype=U32))

        def grow(found: Array) -> Array:
            beside = jnp.where(self.members(found), ground.touching[:, None, :], U32(0))
            return found | jnp.bitwise_and(union(beside), others)

        def more(both: tuple[Array, Array]) -> Array:
            return jnp.any(both[0] != both[1])

        found = wanted & -wanted
        found = lax.while_loop(more, lambda both: (both[1], grow(both[1])), (found, grow(found)))[1]
        return self.bits(wanted & ~found != 0)

    def board(self, cells: Array, which: Array) -> Array:
        """Return the board of some cells, (…, n); those of them that are chosen."""
        words = (cells >> 5)[..., None] == jnp.arange(self.words, dtype=U32)
        return union(jnp.where(words & which[..., None], (U32(1) << (cells & 31))[..., None], U32(0)), axis=-2)

    def shift(self, board: Array, by: int) -> Array:
        """Move every cell of a board by so many bits."""
        words, bits = divmod(by % self.cells, WORD)
        low = jnp.roll(board, words, axis=-1)
        return low << bits | jnp.roll(board, words + 1, axis=-1) >> (WORD - bits) if bits else low

    def beside(self, filled: Array) -> list[Array]:
        """Return, for each side, the board of cells with a tile at that side."""
        return [self.shift(filled, -step) for step in self.steps]

    def rims(self, filled: Array) -> tuple[Array, Array]:
        """Return the empty cells that touch the patch, and those that touch one tile of it."""
        once, twice = jnp.zeros_like(filled), jnp.zeros_like(filled)
        for side in self.beside(filled):
            once, twice = once | side, twice | (once & side)
        return once & ~filled, once & ~twice & ~filled

    def contacts(self, ground: Ground) -> Array:
        """Return the cells at all sides of all tiles, (N, 6 * tile + side)."""
        cells = jnp.mod(ground.at.astype(I32)[:, :, None] + jnp.array(self.steps), self.cells).astype(U32)
        return cells.reshape(-1, self.size * SIDES)

    def reach(self, filled: Array, start: Array) -> Array:
        """FS-9 Return where a tile can slide to; it is not on the board itself, but starts there."""
        sides = self.beside(filled)
        open_ = [~filled & ~sides[side] & (sides[side - 1] ^ sides[side + 1]) for side in range(3)]

        def grow(found: Array) -> Array:
            more = found
            for side in range(3):
                more |= self.shift(found & open_[side], self.steps[side])
                more |= self.shift(found, -self.steps[side]) & open_[side]
            return more

        def grows(both: tuple[Array, Array]) -> Array:
            return jnp.any(both[0] != both[1])

        # FS-18
        if self.most_spaces == SHORT:
            return grow(grow(grow(start)))
        return lax.while_loop(grows, lambda both: (both[1], grow(grow(grow(grow(both[1]))))), (start, grow(start)))[1]

    def landings(self, filled: Array, start: Array) -> Array:
        """FS-20 Return the first empty cells in straight lines over tiles; the one that jumps is not on the board."""

        def further(_: int, rays: list[Array]) -> list[Array]:
            return [self.shift(ray | start, step) & filled for ray, step in zip(rays, self.steps, strict=True)]

        rays = lax.fori_loop(0, self.tiles, further, [jnp.zeros_like(start)] * SIDES)
        found = jnp.zeros_like(start)
        for ray, step in zip(rays, self.steps, strict=True):
            found |= self.shift(ray, step) & ~filled
        return found


def union(sets: Array, axis: int = -1) -> Array:
    found: Array = lax.reduce(sets, U32(0), lax.bitwise_or, (axis % sets.ndim,))
    return found


def neighbours(across: Array, down: Array) -> Array:
    """Tell which cells are neighbours."""
    least = jnp.maximum(jnp.maximum(jnp.abs(across), jnp.abs(down)), jnp.abs(across + down))
    return least == 1


def one_of(rows: Array, at: Array) -> Array:
    """Return one number of each row."""
    return jnp.take_along_axis(rows, at.astype(I32)[:, None], axis=1)[:, 0]


def cells_of(board: Array) -> Array:
    """Count the cells of a board."""
    return count(board).sum(axis=-1, dtype=U32)


def nth_cell(board: Array, n: Array) -> Array:
    """Return the cell of a board that has so many lower ones."""
    ends = jnp.cumsum(count(board), axis=-1, dtype=U32)
    word = (ends <= n[:, None]).sum(axis=-1, dtype=U32)
    word = jnp.minimum(word, board.shape[-1] - 1)
    bits = one_of(board, word)
    return word * WORD + jax_bits.nth(bits, n - (one_of(ends, word) - count(bits)))
