"""A meadow to think in: tiles slide and turn there, and go back again.

It knows the colours of clovers only as counts, unless it was told to take them for known; `imagine` deals what the
clovers may hide.
"""

from librt.vecs import vec
from mypy_extensions import i64

from sevenhues.core.bits import bit, lowest
from sevenhues.core.rng import Rng
from sevenhues.games.flip_and_slide.geometry import ALL_SIDES, NOWHERE, SIDES, STEP, TILE, WINDOW, Patch, steps
from sevenhues.games.flip_and_slide.pieces import HUES
from sevenhues.games.flip_and_slide.rules import FlipAndSlidePosition


class Slides:
    """A list of slides that is filled again and again."""

    def __init__(self, size: i64) -> None:
        most = size * (4 * size + 2)  # so many empty cells can lie beside so many tiles
        self.count: i64 = 0
        self.tile: vec[i64] = vec[i64]([0] * most)
        self.cell: vec[i64] = vec[i64]([0] * most)


class Field:
    """Where the tiles lie and what they show, as a player sees it."""

    def __init__(self, position: FlipAndSlidePosition, knows: bool) -> None:
        deal = position.deal
        self.patch: Patch = position.patch.copy()
        self.tiles: i64 = deal.tiles  # colour tiles
        self.seats: i64 = deal.seats
        self.spaces: i64 = position.most_spaces
        self.red_start: bool = position.red_start
        self.knows: bool = knows  # the colours under clovers
        self.up: i64 = position.up
        self.hues: vec[i64] = vec[i64]([int(hue) for hue in deal.colours])  # by tile; guesses under clovers
        self.of: vec[i64] = vec[i64]([0] * HUES)  # by hue: the tiles that show it, as bits
        self.left: vec[i64] = vec[i64]([0] * HUES)  # by hue: how many clovers hide it
        self.hidden: i64 = 0  # clovers
        # What threats.chains finds, by hue: the tiles to which a chain comes from red, and from violet.
        self.ahead: vec[i64] = vec[i64]([0] * HUES)
        self.behind: vec[i64] = vec[i64]([0] * HUES)
        self.first: i64 = 0  # colours that some chain from red has
        self.last: i64 = 0  # and some chain from violet
        self.cost: vec[i64] = vec[i64]([0] * 64)  # by tile, for distances
        self.cost_2: vec[i64] = vec[i64]([0] * 64)
        self.slides = Slides(deal.size)
        self._count()

    def _count(self) -> None:
        tile: i64 = 0
        while tile < self.tiles:
            hue = self.hues[tile]
            if (self.up >> tile) & 1:
                self.of[hue] |= bit(tile)
            else:
                self.left[hue] += 1
                self.hidden += 1
            tile += 1

    def copy_from(self, other: "Field") -> None:
        """Become like another field of the same game."""
        self.patch = other.patch.copy()
        self.up = other.up
        self.hues = other.hues[:]
        self.of = other.of[:]
        self.left = other.left[:]
        self.hidden = other.hidden

    def imagine(self, rng: Rng) -> None:
        """Deal the colours that are missing to the clovers, all ways equally likely; what is known stays."""
        if self.knows:
            return
        hidden: list[int] = []
        for hue in range(HUES):
            hidden += [hue] * self.left[hue]
        rng.shuffle(hidden)
        at = 0
        for tile in range(self.tiles):
            if not (self.up >> tile) & 1:
                self.hues[tile] = hidden[at]
                at += 1

    def slide(self, tile: i64, cell: i64) -> None:
        """Put a tile on another cell, be it a legal slide or not."""
        self.patch.take(tile)
        self.patch.put(tile, cell)

    def flip(self, tile: i64, hue: i64) -> None:
        """Turn a clover to a colour."""
        self.hues[tile] = hue
        self.up |= bit(tile)
        self.of[hue] |= bit(tile)
        self.left[hue] -= 1
        self.hidden -= 1

    def unflip(self, tile: i64) -> None:
        """Turn a colour back to a clover."""
        hue = self.hues[tile]
        self.up &= ~bit(tile)
        self.of[hue] &= ~bit(tile)
        self.left[hue] += 1
        self.hidden += 1

    def odds(self, tile: i64, hue: i64) -> float:
        """Return the chance that a clover hides a colour."""
        if self.knows:
            return 1.0 if self.hues[tile] == hue else 0.0
        return float(self.left[hue]) / float(self.hidden)

    def clovers(self) -> i64:
        """FS-7 Return the clovers that may be flipped, as bits."""
        left = (bit(self.tiles) - 1) & ~self.up
        found: i64 = 0
        while left:
            tile = lowest(left)
            left &= left - 1
            if self.patch.neighbours(tile) != ALL_SIDES:
                found |= bit(tile)
        return found

    def slides_at_all(self, tile: i64) -> bool:
        """FS-9, FS-10 Tell whether a tile can slide."""
        return steps(self.patch.neighbours(tile)) != 0 and not self.patch.holds(tile)

    def reaches(self, tile: i64, cell: i64) -> bool:
        """Tell whether a tile that can slide reaches a cell."""
        patch = self.patch
        found = patch.reach(tile, self.spaces)
        i: i64 = 1
        while i <= found:
            if patch.walk[i] == cell:
                return True
            i += 1
        return False

    def beside(self, cell: i64) -> i64:
        """Return the tiles that touch a cell, as bits."""
        ground = self.patch.ground
        found: i64 = 0
        side: i64 = 0
        while side < SIDES:
            there = ground[(cell + STEP[side]) & WINDOW] >> TILE
            if there:
                found |= bit(there - 1)
            side += 1
        return found

    def empty(self, cell: i64) -> bool:
        """Tell whether nothing lies on a cell in or beside the patch."""
        return self.patch.ground[cell & WINDOW] >> TILE == 0

    def list_slides(self, tiles: i64, into: Slides) -> None:
        """List the slides of some tiles."""
        patch = self.patch
        count: i64 = 0
        while tiles:
            tile = lowest(tiles)
            tiles &= tiles - 1
            if not self.slides_at_all(tile):
                continue
            found = patch.reach(tile, self.spaces)
            i: i64 = 1
            while i <= found:
                into.tile[count] = tile
                into.cell[count] = patch.walk[i]
                count += 1
                i += 1
        into.count = count

    def do(self, tile: i64, cell: i64) -> i64:
        """Slide a tile, or flip it where the cell is NOWHERE, to the colour it is imagined to have; return its cell."""
        if cell == NOWHERE:
            self.flip(tile, self.hues[tile])
            return NOWHERE
        origin = self.patch.cells[tile]
        self.slide(tile, cell)
        return origin

    def undo(self, tile: i64, origin: i64) -> None:
        """Take back what `do` did."""
        if origin == NOWHERE:
            self.unflip(tile)
        else:
            self.slide(tile, origin)
