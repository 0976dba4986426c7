"""Beam search for the solo game: a path of turns, jumps included, to a rainbow.

The search takes the colours assigned to the clovers for true. After each turn it keeps the best few positions. A player
tile that cannot jump loses (FS-22), so a path that ends without a jump is dropped, and the number of jumps is part of
the score.
"""

from time import perf_counter
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from sevenhues.core.bits import bit, lowest
from sevenhues.core.rng import Rng
from sevenhues.games.flip_and_slide.bots.distance import distance
from sevenhues.games.flip_and_slide.bots.level_settings import IGNORES_JUMPS, KEEPS_JUMPS
from sevenhues.games.flip_and_slide.bots.playouts import NO_TILE
from sevenhues.games.flip_and_slide.bots.search_board import SearchBoard, SlideList
from sevenhues.games.flip_and_slide.bots.win_search import wins
from sevenhues.games.flip_and_slide.geometry import NOWHERE, SIDES, Patch
from sevenhues.games.flip_and_slide.pieces import MAX_TURNS
from sevenhues.games.flip_and_slide.repetition import CLOVER, KIND_BITS, PLAYER, scramble
from sevenhues.games.flip_and_slide.rules import JUMP, FlipAndSlidePosition

MAX_JUMPS: Final = 3  # more jumps count no better
JUMP_SCORE: Final = 2  # the value of a jump
QUARTER_SCORE: Final = 4  # the cost of a quarter of an action of distance
MAX_SCORE: Final = 1_000_000
CANDIDATES_PER_PATH: Final = 4  # candidates kept for each path of the beam


class SoloPath:
    """A node of the search: a position and the turn that led to it."""

    def __init__(self, parent: "SoloPath | None", tile: i64, cell: i64, jump: i64, score: i64) -> None:
        self.parent = parent
        self.tile: i64 = tile  # the tile slid or flipped; NO_TILE if the turn began with the jump
        self.cell: i64 = cell  # NOWHERE for a flip
        self.jump: i64 = jump  # the cell the player tile jumped to; NOWHERE if there was no jump
        self.score: i64 = score  # lower is better
        # The position after the turn; set for candidates only.
        self.cells: vec[i64] = vec[i64]()
        self.up: i64 = 0
        self.previous: i64 = NOWHERE

    def actions(self) -> list[tuple[int, int]]:
        """Return the actions of the path, each a tile and a cell: NOWHERE for a flip. NO_TILE stands for a jump."""
        actions: list[tuple[int, int]] = []
        path: SoloPath | None = self
        while path is not None and path.parent is not None:
            if path.jump != NOWHERE:
                actions.append((NO_TILE, path.jump))
            if path.tile != NO_TILE:
                actions.append((path.tile, path.cell))
            path = path.parent
        actions.reverse()
        return actions


class SoloSearch:
    """Searches for a path to a rainbow."""

    def __init__(self, position: FlipAndSlidePosition, sees_hidden: bool, jump_care: int, rng: Rng) -> None:
        self.board = SearchBoard(position, sees_hidden)
        self.jump_care = jump_care  # IGNORES_JUMPS, NEEDS_JUMP or KEEPS_JUMPS
        self.rng = rng
        self.me: i64 = position.player_tile(0)
        self.jumps_first = position.phase == JUMP
        self.turns_left: i64 = MAX_TURNS - position.turns
        self.root = SoloPath(None, NO_TILE, NOWHERE, NOWHERE, 0)
        self.root.cells = self.board.patch.cells[:]
        self.root.up = position.up
        self.root.previous = position.previous
        self.slides = SlideList(position.deal.size)
        self.candidates: list[SoloPath] = []  # for the next beam
        self.goal = self.root  # the end of a winning path, or the root if none was found
        self.max_candidates: i64 = 0
        self.cutoff: i64 = MAX_SCORE  # worse candidates are dropped

    def search(self, width: int, turns: int, until: float) -> SoloPath:
        """Return a winning path, which is then the `goal`, or the best path found."""
        self.goal = self.root
        self.max_candidates = width * CANDIDATES_PER_PATH
        beam = [self.root]
        best = self.root
        for turn in range(min(turns, self.turns_left)):
            self.candidates = []
            self.cutoff = MAX_SCORE
            for path in beam:
                self._expand(path, turn == 0 and self.jumps_first)
                if self.goal is not self.root:
                    return self.goal
                if self.candidates and perf_counter() >= until:
                    break
            beam = self._select_beam(width)
            if not beam:
                break
            best = beam[0]
            if perf_counter() >= until:
                break
        return best

    def _set_board(self, path: SoloPath) -> None:
        """Set the board to the position at the end of a path."""
        board = self.board
        patch = board.patch
        cells = path.cells
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
        changed = board.up ^ path.up
        while changed:
            tile = lowest(changed)
            changed &= changed - 1
            if (board.up >> tile) & 1:
                board.unflip(tile)
            else:
                board.flip(tile, board.hues[tile])

    def _expand(self, path: SoloPath, jumps_first: bool) -> None:
        """Add all turns that can follow a path to the candidates."""
        board = self.board
        self._set_board(path)
        if jumps_first:
            self._add_jumps(path, NO_TILE, NOWHERE, path.previous)
            return
        board.list_slides(board.up | bit(self.me), self.slides)
        slides = self.slides
        # FS-24 Flipping the last clover loses.
        tiles = board.flippable() if board.hidden_count > 1 else 0
        if slides.count == 0 and board.flippable() == 0:
            self._add_jumps(path, NO_TILE, NOWHERE, path.previous)
        while tiles:
            tile = lowest(tiles)
            tiles &= tiles - 1
            board.flip(tile, board.hues[tile])
            self._add_jumps(path, tile, NOWHERE, path.previous)
            board.unflip(tile)
        i: i64 = 0
        while i < slides.count and self.goal is self.root:
            tile = slides.tile[i]
            origin = board.patch.cells[tile]
            board.slide(tile, slides.cell[i])
            self._add_jumps(path, tile, slides.cell[i], origin if tile == self.me else path.previous)
            board.slide(tile, origin)
            i += 1

    def _add_jumps(self, path: SoloPath, tile: i64, cell: i64, previous: i64) -> None:
        """FS-20 Add the turns that consist of a given step and any jump."""
        board = self.board
        patch = board.patch
        me = self.me
        # A flip may reveal another colour; then there must be a jump.
        sure = (
            cell != NOWHERE
            or board.sees_hidden
            or self.jump_care == IGNORES_JUMPS
            or count_jumps(patch, me, previous) > 0
        )
        if tile != NO_TILE and sure and wins(board, me):
            self.goal = SoloPath(path, tile, cell, NOWHERE, 0)
            return
        if tile != NO_TILE and self.jump_care == IGNORES_JUMPS:
            self._add_candidate(SoloPath(path, tile, cell, NOWHERE, distance(board, me)), previous)
            return
        if patch.is_cut_tile(me):
            return
        start = patch.cells[me]
        side: i64 = 0
        while side < SIDES and self.goal is self.root:
            landing = patch.landing(start, side)
            if landing != NOWHERE and landing != previous:
                board.slide(me, landing)
                score = distance(board, me) * QUARTER_SCORE
                if score == 0 and wins(board, me):
                    self.goal = SoloPath(path, tile, cell, landing, 0)
                if self.jump_care == KEEPS_JUMPS:
                    score -= JUMP_SCORE * count_jumps(patch, me, start)
                if score < self.cutoff:
                    self._add_candidate(SoloPath(path, tile, cell, landing, score), start)
                board.slide(me, start)
            side += 1

    def _add_candidate(self, path: SoloPath, previous: i64) -> None:
        path.cells = self.board.patch.cells[:]
        path.up = self.board.up
        path.previous = previous
        self.candidates.append(path)
        if len(self.candidates) >= 2 * self.max_candidates:
            self.candidates.sort(key=lambda kept: kept.score)
            del self.candidates[self.max_candidates :]
            self.cutoff = self.candidates[-1].score

    def _select_beam(self, width: int) -> list[SoloPath]:
        """Return the best candidates, with ties broken at random and one of equal positions only."""
        order = [(path.score * 64 + self.rng.below(64), i) for i, path in enumerate(self.candidates)]
        order.sort()
        beam: list[SoloPath] = []
        hashes: set[int] = set()
        for _, i in order:
            path = self.candidates[i]
            position_hash = self._hash(path)
            if position_hash not in hashes:
                hashes.add(position_hash)
                beam.append(path)
                if len(beam) == width:
                    break
        return beam

    def _hash(self, path: SoloPath) -> i64:
        """Hash the position at the end of a path; tiles of one colour are interchangeable."""
        board = self.board
        mixed = scramble(-1 - path.previous)
        tile: i64 = 0
        while tile < board.patch.size:
            kind: i64 = CLOVER
            if tile == self.me:
                kind = PLAYER
            elif (path.up >> tile) & 1:
                kind = board.hues[tile]
            mixed ^= scramble((path.cells[tile] << KIND_BITS) | kind)
            tile += 1
        return mixed


def count_jumps(patch: Patch, me: i64, previous: i64) -> i64:
    """FS-20 Return the number of jumps of a player tile, up to MAX_JUMPS."""
    jumps: i64 = 0
    side: i64 = 0
    while side < SIDES and jumps < MAX_JUMPS:
        landing = patch.landing(patch.cells[me], side)
        if landing != NOWHERE and landing != previous:
            jumps += 1
        side += 1
    return 0 if patch.is_cut_tile(me) else jumps
