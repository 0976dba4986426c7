"""The board of a search: moves are made and undone in place.

The hidden colours are known only as counts unless `sees_hidden` is set; `sample_hidden` assigns them to the clovers at
random.
"""

from librt.vecs import vec
from mypy_extensions import i64

from sevenhues.core.bits import bit, lowest
from sevenhues.core.rng import Rng
from sevenhues.games.flip_and_slide.geometry import ALL_SIDES, NOWHERE, SIDES, STEP, TILE, WINDOW, Patch, steps
from sevenhues.games.flip_and_slide.pieces import HUES
from sevenhues.games.flip_and_slide.rules import FlipAndSlidePosition


class SlideList:
    """A reusable list of slides."""

    def __init__(self, size: i64) -> None:
        max_slides = size * (4 * size + 2)  # at most 4 * size + 2 empty cells touch a patch
        self.count: i64 = 0
        self.tile: vec[i64] = vec[i64]([0] * max_slides)
        self.cell: vec[i64] = vec[i64]([0] * max_slides)


class SearchBoard:
    """The patch and the faces of its tiles, as a player knows them."""

    def __init__(self, position: FlipAndSlidePosition, sees_hidden: bool) -> None:
        deal = position.deal
        self.patch: Patch = position.patch.copy()
        self.tiles: i64 = deal.tiles  # colour tiles
        self.seats: i64 = deal.seats
        self.max_spaces: i64 = position.max_spaces
        self.red_start: bool = position.red_start
        self.sees_hidden: bool = sees_hidden  # whether the colours under clovers are known
        self.up: i64 = position.up
        self.hues: vec[i64] = vec[i64]([int(hue) for hue in deal.colours])  # by tile; of clovers sampled, unless known
        self.shown: vec[i64] = vec[i64]([0] * HUES)  # by hue: the face-up tiles, as bits
        self.hidden_by_hue: vec[i64] = vec[i64]([0] * HUES)  # by hue: the number of clovers that hide it
        self.hidden_count: i64 = 0  # the number of clovers
        # Results of win_search.find_chains, by hue: the tiles that chains from red and from violet reach.
        self.from_red: vec[i64] = vec[i64]([0] * HUES)
        self.from_violet: vec[i64] = vec[i64]([0] * HUES)
        self.red_length: i64 = 0  # the number of colours in the longest chain from red
        self.violet_length: i64 = 0  # and from violet
        self.cost: vec[i64] = vec[i64]([0] * 64)  # by tile, used by distance
        self.joined_cost: vec[i64] = vec[i64]([0] * 64)
        # Results of distance.find_links: the face-up tiles by hue, where each hue begins, and the links to earlier
        # tiles with their costs; `link_ends` has for each of the face-up tiles the end of its links.
        self.chained: vec[i64] = vec[i64]([0] * deal.size)
        self.hue_starts: vec[i64] = vec[i64]([0] * (HUES + 1))
        self.link_tile: vec[i64] = vec[i64]([0] * (deal.size * deal.size))
        self.link_cost: vec[i64] = vec[i64]([0] * (deal.size * deal.size))
        self.link_ends: vec[i64] = vec[i64]([0] * deal.size)
        self.slides = SlideList(deal.size)
        self._count_colours()

    def _count_colours(self) -> None:
        tile: i64 = 0
        while tile < self.tiles:
            hue = self.hues[tile]
            if (self.up >> tile) & 1:
                self.shown[hue] |= bit(tile)
            else:
                self.hidden_by_hue[hue] += 1
                self.hidden_count += 1
            tile += 1

    def copy_from(self, other: "SearchBoard") -> None:
        """Copy the state of another board of the same game."""
        self.patch = other.patch.copy()
        self.up = other.up
        self.hues = other.hues[:]
        self.shown = other.shown[:]
        self.hidden_by_hue = other.hidden_by_hue[:]
        self.hidden_count = other.hidden_count

    def sample_hidden(self, rng: Rng) -> None:
        """Assign the hidden colours to the clovers, all ways equally likely; do nothing if they are known."""
        if self.sees_hidden:
            return
        hidden: list[int] = []
        for hue in range(HUES):
            hidden += [hue] * self.hidden_by_hue[hue]
        rng.shuffle(hidden)
        next_hidden = 0
        for tile in range(self.tiles):
            if not (self.up >> tile) & 1:
                self.hues[tile] = hidden[next_hidden]
                next_hidden += 1

    def slide(self, tile: i64, cell: i64) -> None:
        """Move a tile to another cell; legality is not checked."""
        self.patch.take(tile)
        self.patch.put(tile, cell)

    def flip(self, tile: i64, hue: i64) -> None:
        """Turn a clover face up, with a given colour."""
        self.hues[tile] = hue
        self.up |= bit(tile)
        self.shown[hue] |= bit(tile)
        self.hidden_by_hue[hue] -= 1
        self.hidden_count -= 1

    def unflip(self, tile: i64) -> None:
        """Turn a colour tile back to a clover."""
        hue = self.hues[tile]
        self.up &= ~bit(tile)
        self.shown[hue] &= ~bit(tile)
        self.hidden_by_hue[hue] += 1
        self.hidden_count += 1

    def odds(self, tile: i64, hue: i64) -> float:
        """Return the probability that a clover hides a colour."""
        if self.sees_hidden:
            return 1.0 if self.hues[tile] == hue else 0.0
        return float(self.hidden_by_hue[hue]) / float(self.hidden_count)

    def flippable(self) -> i64:
        """FS-7 Return the clovers that may be flipped, as bits."""
        left = (bit(self.tiles) - 1) & ~self.up
        flippable: i64 = 0
        while left:
            tile = lowest(left)
            left &= left - 1
            if self.patch.neighbours(tile) != ALL_SIDES:
                flippable |= bit(tile)
        return flippable

    def can_slide(self, tile: i64) -> bool:
        """FS-9, FS-10 Return whether a tile can slide."""
        return steps(self.patch.neighbours(tile)) != 0 and not self.patch.is_cut_tile(tile)

    def can_reach(self, tile: i64, cell: i64) -> bool:
        """Return whether a tile that can slide reaches a cell."""
        patch = self.patch
        count = patch.reach(tile, self.max_spaces)
        i: i64 = 1
        while i <= count:
            if patch.walk[i] == cell:
                return True
            i += 1
        return False

    def beside(self, cell: i64) -> i64:
        """Return the tiles that touch a cell, as bits."""
        ground = self.patch.ground
        touching: i64 = 0
        side: i64 = 0
        while side < SIDES:
            there = ground[(cell + STEP[side]) & WINDOW] >> TILE
            if there:
                touching |= bit(there - 1)
            side += 1
        return touching

    def is_empty(self, cell: i64) -> bool:
        """Return whether a cell in or beside the patch is empty."""
        return self.patch.ground[cell & WINDOW] >> TILE == 0

    def list_slides(self, tiles: i64, into: SlideList) -> None:
        """Fill a list with the slides of a set of tiles."""
        patch = self.patch
        count: i64 = 0
        while tiles:
            tile = lowest(tiles)
            tiles &= tiles - 1
            if not self.can_slide(tile):
                continue
            reached = patch.reach(tile, self.max_spaces)
            i: i64 = 1
            while i <= reached:
                into.tile[count] = tile
                into.cell[count] = patch.walk[i]
                count += 1
                i += 1
        into.count = count

    def apply(self, tile: i64, cell: i64) -> i64:
        """Slide a tile, or flip it if the cell is NOWHERE, to its assigned colour; return what `undo` needs."""
        if cell == NOWHERE:
            self.flip(tile, self.hues[tile])
            return NOWHERE
        origin = self.patch.cells[tile]
        self.slide(tile, cell)
        return origin

    def undo(self, tile: i64, origin: i64) -> None:
        """Undo `apply`."""
        if origin == NOWHERE:
            self.unflip(tile)
        else:
            self.slide(tile, origin)
