"""Fast playouts: a seat plays the best-scored of a few random turns that leaves the next seat no winning turn.

A seat with a winning turn wins, so a playout ends when no safe turn is found.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from sevenhues.core.bits import bit, count, nth
from sevenhues.core.rng import Rng
from sevenhues.games.flip_and_slide.bots.distance import FAR, find_links, linked_distance
from sevenhues.games.flip_and_slide.bots.search_board import SearchBoard
from sevenhues.games.flip_and_slide.bots.win_search import SURE, rainbow, two_actions_chance, wins
from sevenhues.games.flip_and_slide.geometry import NOWHERE
from sevenhues.games.flip_and_slide.pieces import ACTIONS_PER_TURN

SAMPLED_TURNS: Final = 12  # random turns that are scored
MAX_CHECKS: Final = 4  # the best of them, whose replies are searched
MAX_SLIDE_ATTEMPTS: Final = 6  # random tiles that are tried for a slide
NO_TILE: Final = -1
NOBODY: Final = -1
UNDECIDED: Final = -2


def race_lead(board: SearchBoard, seat: i64) -> i64:
    """Score a seat: the distance of the nearest other seat minus twice its own, in quarters of an action."""
    nearest: i64 = FAR
    other: i64 = 0
    find_links(board)
    while other < board.seats:
        if other != seat:
            far = linked_distance(board, board.tiles + other)
            if far < nearest:
                nearest = far
        other += 1
    return nearest - 2 * linked_distance(board, board.tiles + seat)


def turn_end_winner(board: SearchBoard, seat: i64) -> i64:
    """FS-14 Return the seat that wins if the turn of a seat ends here, or NOBODY."""
    tiles = rainbow(board)
    if tiles:
        after: i64 = 1
        while after < board.seats:
            other = (seat + after) % board.seats
            if tiles & board.patch.touching[board.tiles + other]:
                return other
            after += 1
    return NOBODY


class Playouts:
    """Plays random turns on a board. The buffers are reused between turns."""

    def __init__(self, rng: Rng) -> None:
        self.rng = rng
        self.tiles: vec[i64] = vec[i64]([0] * (SAMPLED_TURNS * ACTIONS_PER_TURN))
        self.cells: vec[i64] = vec[i64]([0] * (SAMPLED_TURNS * ACTIONS_PER_TURN))
        self.scores: vec[i64] = vec[i64]([0] * SAMPLED_TURNS)
        self.slid: i64 = 0  # colour tiles slid in the last turn, as bits

    def play_turns(self, board: SearchBoard, seat: i64, barred: i64, turns: i64) -> i64:
        """Play up to so many turns in place; return the winner, or NOBODY. The first turn must not be a sure win."""
        while turns > 0:
            won = self.play_turn(board, seat, barred, ACTIONS_PER_TURN)
            if won != UNDECIDED:
                return won
            barred = self.slid
            seat = (seat + 1) % board.seats
            turns -= 1
        return NOBODY

    def play_turn(self, board: SearchBoard, seat: i64, barred: i64, actions: i64) -> i64:
        """Play a turn of so many actions; return the seat that wins by it or in the next turn, or UNDECIDED."""
        n: i64 = 0
        while n < SAMPLED_TURNS:
            self._sample_turn(board, seat, barred, n, actions)
            n += 1
        following = (seat + 1) % board.seats
        checks: i64 = 0
        while checks < MAX_CHECKS:
            n = self._best_turn()
            self.scores[n] = -FAR * FAR
            before = board.patch.cells[:]
            flipped = self._apply_turn(board, n)
            if flipped and wins(board, board.tiles + seat):
                return seat
            winner = turn_end_winner(board, seat)
            if winner == NOBODY and two_actions_chance(board, board.tiles + following, self.slid, False) < SURE:
                return UNDECIDED
            self._undo_turn(board, n, before)
            checks += 1
        return following

    def _pick_action(self, board: SearchBoard, seat: i64, barred: i64, at: i64) -> None:
        """Choose a random action and store it at an index; NO_TILE if none was found."""
        rng = self.rng
        patch = board.patch
        self.tiles[at] = NO_TILE
        clovers = board.flippable()
        if clovers and rng.below(3) == 0:
            self.tiles[at] = nth(clovers, rng.below(count(clovers)))
            self.cells[at] = NOWHERE
            return
        tiles = (board.up & ~barred) | bit(board.tiles + seat)
        attempt: i64 = 0
        while attempt < MAX_SLIDE_ATTEMPTS:
            tile = nth(tiles, rng.below(count(tiles)))
            if board.can_slide(tile):
                self.tiles[at] = tile
                self.cells[at] = patch.walk[1 + rng.below(patch.reach(tile, board.max_spaces))]
                return
            attempt += 1
        if clovers:
            self.tiles[at] = nth(clovers, rng.below(count(clovers)))
            self.cells[at] = NOWHERE

    def _sample_turn(self, board: SearchBoard, seat: i64, barred: i64, n: i64, actions: i64) -> None:
        """Choose a random turn, store it as number n and score it, without the results of its flips."""
        at = n * ACTIONS_PER_TURN
        self._pick_action(board, seat, barred, at)
        tile = self.tiles[at]
        cell = self.cells[at]
        if tile == NO_TILE or actions == 1:
            self.tiles[at + 1] = NO_TILE
        elif cell == NOWHERE:
            self._pick_action(board, seat, barred, at + 1)
            if self.tiles[at + 1] == tile:
                self.tiles[at + 1] = NO_TILE
        else:
            origin = board.patch.cells[tile]
            board.slide(tile, cell)
            self._pick_action(board, seat, barred, at + 1)
            board.slide(tile, origin)
        self._score_turn(board, seat, n)

    def _score_turn(self, board: SearchBoard, seat: i64, n: i64) -> None:
        """Score turn n by the board after its slides."""
        at = n * ACTIONS_PER_TURN
        first, second = self.tiles[at], self.tiles[at + 1]
        slides_first = first != NO_TILE and self.cells[at] != NOWHERE
        slides_second = second != NO_TILE and self.cells[at + 1] != NOWHERE
        origin_1 = board.patch.cells[first] if slides_first else 0
        if slides_first:
            board.slide(first, self.cells[at])
        origin_2 = board.patch.cells[second] if slides_second else 0
        if slides_second:
            board.slide(second, self.cells[at + 1])
        self.scores[n] = race_lead(board, seat)
        if slides_second:
            board.slide(second, origin_2)
        if slides_first:
            board.slide(first, origin_1)

    def _best_turn(self) -> i64:
        best: i64 = 0
        n: i64 = 1
        while n < SAMPLED_TURNS:
            if self.scores[n] > self.scores[best]:
                best = n
            n += 1
        return best

    def _apply_turn(self, board: SearchBoard, n: i64) -> bool:
        """Make turn n; return whether it flips a tile."""
        flipped = False
        self.slid = 0
        at = n * ACTIONS_PER_TURN
        end = at + ACTIONS_PER_TURN
        while at < end:
            tile = self.tiles[at]
            if tile != NO_TILE:
                if self.cells[at] == NOWHERE:
                    board.flip(tile, board.hues[tile])
                    flipped = True
                else:
                    board.slide(tile, self.cells[at])
                    if tile < board.tiles:
                        self.slid |= bit(tile)
            at += 1
        return flipped

    def _undo_turn(self, board: SearchBoard, n: i64, before: vec[i64]) -> None:
        """Undo turn n; `before` are the cells of all tiles before it."""
        at = n * ACTIONS_PER_TURN + ACTIONS_PER_TURN - 1
        while at >= n * ACTIONS_PER_TURN:
            tile = self.tiles[at]
            if tile != NO_TILE:
                if self.cells[at] == NOWHERE:
                    board.unflip(tile)
                elif board.patch.cells[tile] != before[tile]:
                    board.slide(tile, before[tile])
            at -= 1
