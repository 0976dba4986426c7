"""How to play alone: plan a whole way to a rainbow, jumps included, as if the clovers hid what they are imagined to.

A beam search: of all positions after so many turns the best few are kept. Getting stuck is the danger (FS-22), so a way
that ends without a jump is none, and freedom to jump counts beside the distance.
"""

from time import perf_counter
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from sevenhues.core.bits import bit, lowest
from sevenhues.core.rng import Rng
from sevenhues.games.flip_and_slide.bots.distance import distance
from sevenhues.games.flip_and_slide.bots.level_settings import HEEDLESS, STAYS_FREE
from sevenhues.games.flip_and_slide.bots.playouts import NO_TILE
from sevenhues.games.flip_and_slide.bots.search_board import Field, Slides
from sevenhues.games.flip_and_slide.bots.win_search import wins
from sevenhues.games.flip_and_slide.geometry import NOWHERE, SIDES, Patch
from sevenhues.games.flip_and_slide.pieces import MOST_TURNS
from sevenhues.games.flip_and_slide.repetition import CLOVER, KIND_BITS, PLAYER, scramble
from sevenhues.games.flip_and_slide.rules import JUMP, FlipAndSlidePosition

FREEDOM: Final = 3  # jumps that are worth having
PER_JUMP: Final = 2  # what one is worth, where a quarter of an action is worth PER_QUARTER
PER_QUARTER: Final = 4
HIGHEST: Final = 1_000_000
PER_NODE: Final = 4  # turns kept for each place in the beam before the best are chosen


class Way:
    """A moment on the way, and the turn that led there."""

    def __init__(self, before: "Way | None", tile: i64, cell: i64, jump: i64, score: i64) -> None:
        self.before = before
        self.tile: i64 = tile  # slid or flipped first; NO_TILE if the turn began with the jump
        self.cell: i64 = cell  # NOWHERE for a flip
        self.jump: i64 = jump  # where the player tile jumped; NOWHERE if the game was won before
        self.score: i64 = score  # the lower the better
        # Where all lies then; filled in for those that are kept.
        self.cells: vec[i64] = vec[i64]()
        self.up: i64 = 0
        self.previous: i64 = NOWHERE

    def actions(self) -> list[tuple[int, int]]:
        """List what is done on the way: a tile, and the cell it is put on or NOWHERE for a flip; NO_TILE jumps."""
        done: list[tuple[int, int]] = []
        way: Way | None = self
        while way is not None and way.before is not None:
            if way.jump != NOWHERE:
                done.append((NO_TILE, way.jump))
            if way.tile != NO_TILE:
                done.append((way.tile, way.cell))
            way = way.before
        done.reverse()
        return done


class Soloist:
    """Looks for ways to a rainbow."""

    def __init__(self, position: FlipAndSlidePosition, knows: bool, minds: int, rng: Rng) -> None:
        self.field = Field(position, knows)
        self.minds = minds  # HEEDLESS, SEES_JUMPS or STAYS_FREE
        self.rng = rng
        self.me: i64 = position.player_tile(0)
        self.jumps_first = position.phase == JUMP
        self.turns_left: i64 = MOST_TURNS - position.turns
        self.root = Way(None, NO_TILE, NOWHERE, NOWHERE, 0)
        self.root.cells = self.field.patch.cells[:]
        self.root.up = position.up
        self.root.previous = position.previous
        self.slides = Slides(position.deal.size)
        self.found: list[Way] = []  # candidates for the next beam
        self.goal = self.root  # the end of a way that wins, or the root
        self.limit: i64 = 0
        self.floor: i64 = HIGHEST

    def search(self, width: int, turns: int, until: float) -> Way:
        """Return a way that wins (then it is the `goal`), or the best start of one."""
        self.goal = self.root
        self.limit = width * PER_NODE
        beam = [self.root]
        best = self.root
        for turn in range(min(turns, self.turns_left)):
            self.found = []
            self.floor = HIGHEST
            for way in beam:
                self._expand(way, turn == 0 and self.jumps_first)
                if self.goal is not self.root:
                    return self.goal
                if self.found and perf_counter() >= until:
                    break
            beam = self._chosen(width)
            if not beam:
                break
            best = beam[0]
            if perf_counter() >= until:
                break
        return best

    def _go(self, way: Way) -> None:
        """Make the field what it is at a moment."""
        field = self.field
        patch = field.patch
        cells = way.cells
        tile: i64 = 0
        while tile < patch.size:
            if patch.cells[tile] != cells[tile]:
                patch.take(tile)
            tile += 1
        tile = 0
        while tile < patch.size:
            if patch.cells[tile] != cells[tile]:
                patch.put(tile, cells[tile])
            tile += 1
        changed = field.up ^ way.up
        while changed:
            tile = lowest(changed)
            changed &= changed - 1
            if (field.up >> tile) & 1:
                field.unflip(tile)
            else:
                field.flip(tile, field.hues[tile])

    def _expand(self, way: Way, jumps_first: bool) -> None:
        """Find all turns that can follow."""
        field = self.field
        self._go(way)
        if jumps_first:
            self._jump(way, NO_TILE, NOWHERE, way.previous)
            return
        field.list_slides(field.up | bit(self.me), self.slides)
        slides = self.slides
        # FS-24 The last clover is never flipped.
        tiles = field.clovers() if field.hidden > 1 else 0
        if slides.count == 0 and field.clovers() == 0:
            self._jump(way, NO_TILE, NOWHERE, way.previous)
        while tiles:
            tile = lowest(tiles)
            tiles &= tiles - 1
            field.flip(tile, field.hues[tile])
            self._jump(way, tile, NOWHERE, way.previous)
            field.unflip(tile)
        i: i64 = 0
        while i < slides.count and self.goal is self.root:
            tile = slides.tile[i]
            origin = field.patch.cells[tile]
            field.slide(tile, slides.cell[i])
            self._jump(way, tile, slides.cell[i], origin if tile == self.me else way.previous)
            field.slide(tile, origin)
            i += 1

    def _jump(self, way: Way, tile: i64, cell: i64, previous: i64) -> None:
        """FS-20 Find all jumps that can follow a step."""
        field = self.field
        patch = field.patch
        me = self.me
        # A flip may show something else, and then there must be a jump.
        sure = cell != NOWHERE or field.knows or self.minds == HEEDLESS or freedom(patch, me, previous) > 0
        if tile != NO_TILE and sure and wins(field, me):
            self.goal = Way(way, tile, cell, NOWHERE, 0)
            return
        if tile != NO_TILE and self.minds == HEEDLESS:
            self._keep(Way(way, tile, cell, NOWHERE, distance(field, me)), previous)
            return
        if patch.holds(me):
            return
        start = patch.cells[me]
        side: i64 = 0
        while side < SIDES and self.goal is self.root:
            landing = patch.landing(start, side)
            if landing != NOWHERE and landing != previous:
                field.slide(me, landing)
                score = distance(field, me) * PER_QUARTER
                if score == 0 and wins(field, me):
                    self.goal = Way(way, tile, cell, landing, 0)
                if self.minds == STAYS_FREE:
                    score -= PER_JUMP * freedom(patch, me, start)
                if score < self.floor:
                    self._keep(Way(way, tile, cell, landing, score), start)
                field.slide(me, start)
            side += 1

    def _keep(self, way: Way, previous: i64) -> None:
        way.cells = self.field.patch.cells[:]
        way.up = self.field.up
        way.previous = previous
        self.found.append(way)
        if len(self.found) >= 2 * self.limit:
            self.found.sort(key=lambda one: one.score)
            del self.found[self.limit :]
            self.floor = self.found[-1].score

    def _chosen(self, width: int) -> list[Way]:
        """Choose the best, of equal positions only one."""
        order = [(way.score * 64 + self.rng.below(64), i) for i, way in enumerate(self.found)]
        order.sort()
        beam: list[Way] = []
        seen: set[int] = set()
        for _, i in order:
            way = self.found[i]
            key = self._key(way)
            if key not in seen:
                seen.add(key)
                beam.append(way)
                if len(beam) == width:
                    break
        return beam

    def _key(self, way: Way) -> i64:
        """Number a moment; tiles of one colour may have changed places."""
        field = self.field
        mixed = scramble(-1 - way.previous)
        tile: i64 = 0
        while tile < field.patch.size:
            kind: i64 = CLOVER
            if tile == self.me:
                kind = PLAYER
            elif (way.up >> tile) & 1:
                kind = field.hues[tile]
            mixed ^= scramble((way.cells[tile] << KIND_BITS) | kind)
            tile += 1
        return mixed


def freedom(patch: Patch, me: i64, previous: i64) -> i64:
    """FS-20 Count the jumps of a player tile, up to FREEDOM."""
    jumps: i64 = 0
    side: i64 = 0
    while side < SIDES and jumps < FREEDOM:
        landing = patch.landing(patch.cells[me], side)
        if landing != NOWHERE and landing != previous:
            jumps += 1
        side += 1
    return 0 if patch.holds(me) else jumps
