"""Choice of a turn with two to four players.

The planner takes a winning turn if there is one. Otherwise it collects the turns that score best, keeps those after
which the other players cannot win, and compares these by playouts.
"""

from time import perf_counter
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from sevenhues.core.bits import bit, lowest
from sevenhues.core.rng import Rng
from sevenhues.games.flip_and_slide.bots.distance import distance
from sevenhues.games.flip_and_slide.bots.level_settings import LevelSettings
from sevenhues.games.flip_and_slide.bots.playouts import (
    NO_TILE,
    NOBODY,
    UNDECIDED,
    Playouts,
    race_lead,
    turn_end_winner,
)
from sevenhues.games.flip_and_slide.bots.search_board import SearchBoard, SlideList
from sevenhues.games.flip_and_slide.bots.win_search import (
    SURE,
    flip_chance,
    one_action_chance,
    two_actions_chance,
    wins,
)
from sevenhues.games.flip_and_slide.geometry import NOWHERE, SIDES
from sevenhues.games.flip_and_slide.pieces import HUES
from sevenhues.games.flip_and_slide.rules import FlipAndSlidePosition

MAX_FLIPS: Final = 4  # first flips that are considered, and first slides after which flips are
LATER_WEIGHT: Final = 0.5  # the weight of a winning turn of a seat that is not the next
PLAYOUT_TURNS: Final = 4
CLEAR_LEAD: Final = 0.5  # playouts stop at this lead in value
LEAD_VALUE: Final = 0.01  # the value of a quarter of an action at the end of an undecided playout
MAX_LEAD: Final = 15
COLLECT_SHARE: Final = 0.3  # the share of the time after which no more turns are collected
CHECK_SHARE: Final = 0.5  # and after which no more turns are checked
SIMULATIONS_PER_FIRST: Final = 4  # of the limit, for each first action that is followed up
MIN_SCORE: Final = -1_000_000
TIE_BREAKERS: Final = 1024  # random numbers that order equal scores


class Turn:
    """A candidate: a turn, or the rest of one. The second tile is NO_TILE if there is no second action or none yet."""

    def __init__(self, move: i64, tile: i64, cell: i64, tile_2: i64, cell_2: i64, score: i64) -> None:
        self.move: i64 = move  # the index of the first action in the list of moves
        self.tile: i64 = tile
        self.cell: i64 = cell  # NOWHERE for a flip
        self.tile_2: i64 = tile_2
        self.cell_2: i64 = cell_2
        self.score: i64 = score  # of the board after it
        self.safe = 1.0  # the probability that nobody wins before the seat acts again, as far as searched
        self.total = 0.0  # of the values of its playouts
        self.playouts = 0

    def value(self) -> float:
        """Estimate the probability to win."""
        return self.safe * (self.total / self.playouts if self.playouts else 0.5)


class Planner:
    """Evaluates one decision."""

    def __init__(
        self,
        position: FlipAndSlidePosition,
        moves: list[int],
        settings: LevelSettings,
        sees_hidden: bool,
        limit: int,
        rng: Rng,
    ) -> None:
        self.board = SearchBoard(position, sees_hidden)
        self.playout_board = SearchBoard(position, sees_hidden)
        self.settings = settings
        self.seat: i64 = position.turn
        self.me: i64 = position.player_tile(position.turn)
        self.barred: i64 = position.barred
        self.slid: i64 = position.slid
        # Whether a whole turn is planned, or only the next action.
        self.plans_turn = position.actions == 0 and settings.max_first_actions > 0
        self.limit = limit
        self.rng = rng
        self.player = Playouts(rng)
        self.checked = 0  # turns
        self.slides = SlideList(position.deal.size)
        self.count: i64 = len(moves)
        self.tiles: vec[i64] = vec[i64]([0] * len(moves))
        self.cells: vec[i64] = vec[i64]([0] * len(moves))
        self.turns: list[Turn] = []
        self.tried: list[Turn] = []  # those that were compared by playouts
        self.seen: dict[int, int] = {}
        self.cutoff: i64 = MIN_SCORE  # worse turns are dropped
        size: i64 = position.deal.size
        for i in range(len(moves)):
            move: i64 = moves[i]
            self.tiles[i] = move
            self.cells[i] = NOWHERE
            if move >= self.board.tiles:
                code = move - self.board.tiles
                self.tiles[i] = code // (size * SIDES)
                self.cells[i] = self.board.patch.decode_cell(code % (size * SIDES))

    def best_turn(self, until: float) -> Turn:
        """Return the turn to make."""
        chances = self.win_chances()
        best_chance = max(chances)
        if best_chance == SURE:
            i = chances.index(best_chance)
            turn = Turn(i, self.tiles[i], self.cells[i], NO_TILE, NOWHERE, 0)
            turn.total, turn.playouts = 1.0, 1
            return turn
        start = perf_counter()
        self.collect_turns(start + (until - start) * COLLECT_SHARE)
        pool = self.safest_turns(start + (until - start) * CHECK_SHARE)
        self.tried = pool.copy()
        if len(pool) > 1 and self.settings.playout_pool > 1:
            pool = self.compare_by_playouts(pool, until)
        turn = pool[0]
        # A flip that may win is better if its probability exceeds the value of the best turn.
        if best_chance > turn.value() and turn.playouts > 0:
            i = chances.index(best_chance)
            turn = Turn(i, self.tiles[i], self.cells[i], NO_TILE, NOWHERE, 0)
            turn.total, turn.playouts = best_chance, 1
        return turn

    def win_chances(self) -> list[float]:
        """Return the probability to win this turn with each move; moves after a sure win are not searched."""
        board = self.board
        flips = self.settings.weighs_flips
        chances = [0.0] * self.count
        for i in range(self.count):
            if self.settings.overlook_percent and self.rng.below(100) < self.settings.overlook_percent:
                continue
            tile = self.tiles[i]
            if self.cells[i] == NOWHERE:
                if flips:
                    chances[i] = flip_chance(board, self.me, self.barred, tile, self.plans_turn)
            else:
                origin = board.apply(tile, self.cells[i])
                if wins(board, self.me):
                    chances[i] = SURE
                elif self.plans_turn:
                    chances[i] = one_action_chance(board, self.me, self.barred, flips)
                board.undo(tile, origin)
            if chances[i] == SURE:
                break
        return chances

    def collect_turns(self, until: float) -> None:
        """Collect the turns that score best, in descending order."""
        board = self.board
        firsts = min(self.settings.max_first_actions, self.limit // SIMULATIONS_PER_FIRST + 2)
        order: list[tuple[int, int]] = []
        for i in range(self.count):
            tile = self.tiles[i]
            cell = self.cells[i]
            if self.settings.overlook_percent and i and self.rng.below(100) < self.settings.overlook_percent:
                continue
            score: i64 = 0
            if cell == NOWHERE:
                score = self._flip_score(tile)
            else:
                origin = board.apply(tile, cell)
                score = self._score()
                board.undo(tile, origin)
            order.append((score * TIE_BREAKERS + self.rng.below(TIE_BREAKERS), i))
        order.sort(reverse=True)
        slides = 0
        flipping: list[Turn] = []
        for key, i in order:
            score = key // TIE_BREAKERS
            if not self.plans_turn:
                self.turns.append(Turn(i, self.tiles[i], self.cells[i], NO_TILE, NOWHERE, score))
            elif self.cells[i] == NOWHERE:
                if len(flipping) < MAX_FLIPS:
                    flipping.append(Turn(i, self.tiles[i], NOWHERE, NO_TILE, NOWHERE, score))
            elif slides == 0 or (slides < firsts and perf_counter() < until):
                slides += 1
                self._follow_up(i, slides <= MAX_FLIPS)
        self.turns += flipping
        self.turns.sort(key=lambda turn: -turn.score)
        del self.turns[self.settings.max_turns + MAX_FLIPS :]

    def _score(self) -> i64:
        """Score the board for the seat: by its own distance alone if the level ignores the other players."""
        if self.settings.reply_actions == 0:
            return -distance(self.board, self.me)
        return race_lead(self.board, self.seat)

    def _flip_score(self, tile: i64) -> i64:
        """Return the mean score after a flip."""
        board = self.board
        total = 0.0
        hidden_hue = board.hues[tile]
        hue: i64 = 0
        while hue < HUES:
            if board.hidden_by_hue[hue]:
                odds = board.odds(tile, hue)
                if odds > 0.0:
                    board.flip(tile, hue)
                    total += odds * float(self._score())
                    board.unflip(tile)
            hue += 1
        board.hues[tile] = hidden_hue
        return int(total)

    def _follow_up(self, i: i64, flips: bool) -> None:
        """Collect the best turns that begin with a slide."""
        board = self.board
        tile = self.tiles[i]
        cell = self.cells[i]
        start = board.patch.cells[tile]
        board.slide(tile, cell)
        board.list_slides((board.up & ~self.barred) | bit(self.me), self.slides)
        slides = self.slides
        n: i64 = 0
        while n < slides.count:
            tile_2 = slides.tile[n]
            cell_2 = slides.cell[n]
            origin = board.patch.cells[tile_2]
            board.slide(tile_2, cell_2)
            self._add_turn(Turn(i, tile, cell, tile_2, cell_2, self._score()))
            board.slide(tile_2, origin)
            n += 1
        if flips:
            tiles = board.flippable()
            while tiles:
                tile_2 = lowest(tiles)
                tiles &= tiles - 1
                self._add_turn(Turn(i, tile, cell, tile_2, NOWHERE, self._flip_score(tile_2)))
        board.slide(tile, start)

    def _add_turn(self, turn: Turn) -> None:
        if turn.score <= self.cutoff:
            return
        # Two slides in either order lead to the same board.
        low = turn.tile + (turn.cell << 6)
        high = turn.tile_2 + (turn.cell_2 << 6)
        if turn.tile == turn.tile_2:
            low = 0
        elif turn.cell_2 != NOWHERE and turn.tile_2 < turn.tile:
            low, high = high, low
        key = low * 1_000_003 + high
        if key in self.seen:
            return
        self.seen[key] = 1
        self.turns.append(turn)
        if len(self.turns) >= 2 * self.settings.max_turns:
            self.turns.sort(key=lambda kept: -kept.score)
            del self.turns[self.settings.max_turns :]
            self.cutoff = self.turns[-1].score

    def safest_turns(self, until: float) -> list[Turn]:
        """Return the best-scored turns after which nobody wins, or else the turns that are safest."""
        if self.settings.reply_actions == 0:
            return self.turns[:1]
        safe: list[Turn] = []
        for turn in self.turns:
            if self.checked and (self.checked >= self.limit or perf_counter() >= until):
                break
            self.checked += 1
            turn.safe = self._safety(turn)
            if turn.safe == 1.0:
                safe.append(turn)
                if len(safe) == self.settings.playout_pool:
                    return safe
        checked = self.turns[: self.checked]
        checked.sort(key=lambda turn: -turn.safe)
        return checked[: self.settings.playout_pool]

    def _safety(self, turn: Turn) -> float:
        """Return the probability that nobody wins right after a turn."""
        board = self.board
        slid = self.slid
        if turn.tile_2 == NO_TILE and self.plans_turn:
            return 1.0
        if turn.tile_2 == NO_TILE:
            return self._safety_after(turn.tile, turn.cell, slid)
        origin = board.apply(turn.tile, turn.cell)
        if turn.tile < board.tiles:
            slid |= bit(turn.tile)
        safe = self._safety_after(turn.tile_2, turn.cell_2, slid)
        board.undo(turn.tile, origin)
        return safe

    def _safety_after(self, tile: i64, cell: i64, slid: i64) -> float:
        """Return the probability that nobody else wins after the last action of the turn."""
        board = self.board
        safe = 0.0
        if cell != NOWHERE:
            origin = board.apply(tile, cell)
            safe = self._safety_from_replies(slid | bit(tile) if tile < board.tiles else slid)
            board.undo(tile, origin)
            return safe
        if not self.settings.weighs_flips:
            return self._safety_from_replies(slid)
        hidden_hue = board.hues[tile]
        hue: i64 = 0
        while hue < HUES:
            if board.hidden_by_hue[hue]:
                odds = board.odds(tile, hue)
                if odds > 0.0:
                    board.flip(tile, hue)
                    safe += odds * (1.0 if wins(board, self.me) else self._safety_from_replies(slid))
                    board.unflip(tile)
            hue += 1
        board.hues[tile] = hidden_hue
        return safe

    def _safety_from_replies(self, slid: i64) -> float:
        """Return the probability that nobody wins, given that the turn has ended."""
        board = self.board
        if turn_end_winner(board, self.seat) != NOBODY:
            return 0.0
        safe = 1.0
        after: i64 = 1
        while after < board.seats and safe > 0.0:
            other = board.tiles + (self.seat + after) % board.seats
            barred = slid if after == 1 else 0
            chance = 0.0
            if self.settings.reply_actions == 1:
                chance = one_action_chance(board, other, barred, self.settings.weighs_flips)
            else:
                chance = two_actions_chance(board, other, barred, self.settings.weighs_flips)
            safe *= 1.0 - (chance if after == 1 else LATER_WEIGHT * chance)
            after += 1
        return safe

    def compare_by_playouts(self, pool: list[Turn], until: float) -> list[Turn]:
        """Compare turns by playouts: drop the worse half repeatedly (sequential halving); return the best first."""
        phases = (len(pool) - 1).bit_length()
        start = perf_counter()
        playouts = 0
        for phase in range(phases):
            max_playouts = self.limit * (phase + 1) / phases
            phase_end = start + (until - start) * (phase + 1) / phases
            running = True
            while running:
                self.board.sample_hidden(self.rng)
                for turn in pool:
                    turn.total += self._playout_value(turn)
                    turn.playouts += 1
                    playouts += 1
                    running = perf_counter() < phase_end
                    if not running:
                        break
                running = running and playouts < max_playouts
            pool.sort(key=lambda turn: -turn.value())
            del pool[(len(pool) + 1) // 2 :]
            if len(pool) == 1 or pool[0].value() - pool[1].value() > CLEAR_LEAD:
                break
        return pool

    def _playout_value(self, turn: Turn) -> float:
        """Make a turn and play on; return the value of the result for the seat."""
        board = self.playout_board
        board.copy_from(self.board)
        slid = self.slid
        board.apply(turn.tile, turn.cell)
        if turn.cell != NOWHERE and turn.tile < board.tiles:
            slid |= bit(turn.tile)
        if wins(board, self.me):
            return 1.0
        if turn.tile_2 != NO_TILE:
            board.apply(turn.tile_2, turn.cell_2)
            if turn.cell_2 != NOWHERE and turn.tile_2 < board.tiles:
                slid |= bit(turn.tile_2)
            if wins(board, self.me):
                return 1.0
        elif self.plans_turn:
            if one_action_chance(board, self.me, self.barred, False) == SURE:
                return 1.0
            won = self.player.play_turn(board, self.seat, self.barred, 1)
            if won != UNDECIDED:
                return 1.0 if won == self.seat else 0.0
            slid = self.player.slid
        following = (self.seat + 1) % board.seats
        won = turn_end_winner(board, self.seat)
        if (
            won == NOBODY
            and turn.safe < 1.0
            and two_actions_chance(board, board.tiles + following, slid, False) == SURE
        ):
            won = following
        if won == NOBODY:
            won = self.player.play_turns(board, following, slid, PLAYOUT_TURNS)
        if won != NOBODY:
            return 1.0 if won == self.seat else 0.0
        lead = race_lead(board, self.seat) + distance(board, self.me)
        lead = max(min(lead, MAX_LEAD), -MAX_LEAD)
        return 1.0 / float(board.seats) + LEAD_VALUE * float(lead)
