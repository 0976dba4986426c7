"""How to choose a turn with two to four players: win if you can, leave the others no winning turn, and of the turns
that are left take the one from which playing on does best."""

from time import perf_counter
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from sevenhues.core.bits import bit, lowest
from sevenhues.core.rng import Rng
from sevenhues.games.flip_and_slide.bots.distance import distance
from sevenhues.games.flip_and_slide.bots.level_settings import Style
from sevenhues.games.flip_and_slide.bots.playouts import GOES_ON, NO_TILE, NOBODY, Playouts, gift, standing
from sevenhues.games.flip_and_slide.bots.search_board import Field, Slides
from sevenhues.games.flip_and_slide.bots.win_search import SURE, after_flip, one_action, two_actions, wins
from sevenhues.games.flip_and_slide.geometry import NOWHERE, SIDES
from sevenhues.games.flip_and_slide.pieces import HUES
from sevenhues.games.flip_and_slide.rules import FlipAndSlidePosition

FLIPS: Final = 4  # first flips that are played on, and first slides that flips may follow
LATER: Final = 0.5  # how much the winning turn of a seat counts that is not the next
AHEAD: Final = 4  # turns that are played on
CLEAR: Final = 0.5  # a lead in value after which nothing more is tried
LEAD: Final = 0.01  # what a quarter of an action is worth where nobody has won by then
MOST_LEAD: Final = 15
GATHER: Final = 0.3  # the part of the time after which no more turns are thought of
CHECK: Final = 0.5  # and no more are checked
PER_FIRST: Final = 4  # tries for each first action that is followed up
LOWEST: Final = -1_000_000
TIES: Final = 1024


class Turn:
    """A turn that might be made, or the rest of one. The second tile is NO_TILE if there is none, or none yet."""

    def __init__(self, move: i64, tile: i64, cell: i64, tile_2: i64, cell_2: i64, score: i64) -> None:
        self.move: i64 = move  # the place of the first action among the moves
        self.tile: i64 = tile
        self.cell: i64 = cell  # NOWHERE for a flip
        self.tile_2: i64 = tile_2
        self.cell_2: i64 = cell_2
        self.score: i64 = score  # how the seat stands after it
        self.safe = 1.0  # the chance that nobody wins before the seat is to act again, as far as it was looked at
        self.total = 0.0  # of what trying it came to
        self.tries = 0

    def value(self) -> float:
        """Return the chance to win, as far as it was tried."""
        return self.safe * (self.total / self.tries if self.tries else 0.5)


class Planner:
    """Thinks about one decision."""

    def __init__(
        self, position: FlipAndSlidePosition, moves: list[int], style: Style, knows: bool, limit: int, rng: Rng
    ) -> None:
        self.field = Field(position, knows)
        self.other = Field(position, knows)  # to play on in
        self.style = style
        self.seat: i64 = position.turn
        self.me: i64 = position.player_tile(position.turn)
        self.barred: i64 = position.barred
        self.slid: i64 = position.slid
        self.whole = position.actions == 0 and style.firsts > 0  # a whole turn is to be planned
        self.limit = limit
        self.rng = rng
        self.playouts = Playouts(rng)
        self.done = 0  # tries
        self.slides = Slides(position.deal.size)
        self.count: i64 = len(moves)
        self.tile: vec[i64] = vec[i64]([0] * len(moves))
        self.cell: vec[i64] = vec[i64]([0] * len(moves))
        self.turns: list[Turn] = []
        self.tried: list[Turn] = []  # those that were played on after
        self.seen: dict[int, int] = {}
        self.floor: i64 = LOWEST
        size: i64 = position.deal.size
        for i in range(len(moves)):
            move: i64 = moves[i]
            self.tile[i] = move
            self.cell[i] = NOWHERE
            if move >= self.field.tiles:
                name = move - self.field.tiles
                self.tile[i] = name // (size * SIDES)
                self.cell[i] = self.field.patch.named(name % (size * SIDES))

    def best(self, until: float) -> Turn:
        """Return the turn to make."""
        chances = self.chances()
        best = max(chances)
        if best == SURE:
            i = chances.index(best)
            turn = Turn(i, self.tile[i], self.cell[i], NO_TILE, NOWHERE, 0)
            turn.total, turn.tries = 1.0, 1
            return turn
        start = perf_counter()
        self.gather(start + (until - start) * GATHER)
        pool = self.safest(start + (until - start) * CHECK)
        self.tried = pool.copy()
        if len(pool) > 1 and self.style.pool > 1:
            pool = self.play_on(pool, until)
        turn = pool[0]
        # A flip that may win is worth it where nothing else is.
        if best > turn.value() and turn.tries > 0:
            i = chances.index(best)
            turn = Turn(i, self.tile[i], self.cell[i], NO_TILE, NOWHERE, 0)
            turn.total, turn.tries = best, 1
        return turn

    def chances(self) -> list[float]:
        """Return the chance to win this turn with each move; after a sure one the others are left out."""
        field = self.field
        flips = self.style.flips
        found = [0.0] * self.count
        for i in range(self.count):
            if self.style.overlooks and self.rng.below(100) < self.style.overlooks:
                continue
            tile = self.tile[i]
            if self.cell[i] == NOWHERE:
                if flips:
                    found[i] = after_flip(field, self.me, self.barred, tile, self.whole)
            else:
                origin = field.do(tile, self.cell[i])
                if wins(field, self.me):
                    found[i] = SURE
                elif self.whole:
                    found[i] = one_action(field, self.me, self.barred, flips)
                field.undo(tile, origin)
            if found[i] == SURE:
                break
        return found

    def gather(self, until: float) -> None:
        """Collect the turns that look best, the best first."""
        field = self.field
        firsts = min(self.style.firsts, self.limit // PER_FIRST + 2)
        order: list[tuple[int, int]] = []
        for i in range(self.count):
            tile = self.tile[i]
            cell = self.cell[i]
            if self.style.overlooks and i and self.rng.below(100) < self.style.overlooks:
                continue
            score: i64 = 0
            if cell == NOWHERE:
                score = self._flip_score(tile)
            else:
                origin = field.do(tile, cell)
                score = self._score()
                field.undo(tile, origin)
            order.append((score * TIES + self.rng.below(TIES), i))
        order.sort(reverse=True)
        slides = 0
        flipping: list[Turn] = []
        for key, i in order:
            score = key // TIES
            if not self.whole:
                self.turns.append(Turn(i, self.tile[i], self.cell[i], NO_TILE, NOWHERE, score))
            elif self.cell[i] == NOWHERE:
                if len(flipping) < FLIPS:
                    flipping.append(Turn(i, self.tile[i], NOWHERE, NO_TILE, NOWHERE, score))
            elif slides == 0 or (slides < firsts and perf_counter() < until):
                slides += 1
                self._follow_up(i, slides <= FLIPS)
        self.turns += flipping
        self.turns.sort(key=lambda turn: -turn.score)
        del self.turns[self.style.kept + FLIPS :]

    def _score(self) -> i64:
        """Return how the seat stands; who looks at nobody else sees its own way alone."""
        if self.style.looks == 0:
            return -distance(self.field, self.me)
        return standing(self.field, self.seat)

    def _flip_score(self, tile: i64) -> i64:
        """Return how the seat stands after a flip, on average."""
        field = self.field
        total = 0.0
        guessed = field.hues[tile]
        hue: i64 = 0
        while hue < HUES:
            if field.left[hue]:
                odds = field.odds(tile, hue)
                if odds > 0.0:
                    field.flip(tile, hue)
                    total += odds * float(self._score())
                    field.unflip(tile)
            hue += 1
        field.hues[tile] = guessed
        return int(total)

    def _follow_up(self, i: i64, flips: bool) -> None:
        """Keep the best turns that begin with a slide."""
        field = self.field
        tile = self.tile[i]
        cell = self.cell[i]
        start = field.patch.cells[tile]
        field.slide(tile, cell)
        field.list_slides((field.up & ~self.barred) | bit(self.me), self.slides)
        slides = self.slides
        n: i64 = 0
        while n < slides.count:
            tile_2 = slides.tile[n]
            cell_2 = slides.cell[n]
            origin = field.patch.cells[tile_2]
            field.slide(tile_2, cell_2)
            self._keep(Turn(i, tile, cell, tile_2, cell_2, self._score()))
            field.slide(tile_2, origin)
            n += 1
        if flips:
            tiles = field.clovers()
            while tiles:
                tile_2 = lowest(tiles)
                tiles &= tiles - 1
                self._keep(Turn(i, tile, cell, tile_2, NOWHERE, self._flip_score(tile_2)))
        field.slide(tile, start)

    def _keep(self, turn: Turn) -> None:
        if turn.score <= self.floor:
            return
        # Two slides in either order come to the same.
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
        if len(self.turns) >= 2 * self.style.kept:
            self.turns.sort(key=lambda one: -one.score)
            del self.turns[self.style.kept :]
            self.floor = self.turns[-1].score

    def safest(self, until: float) -> list[Turn]:
        """Return the first turns after which others hardly win, or those after which they do least."""
        if self.style.looks == 0:
            return self.turns[:1]
        safe: list[Turn] = []
        for turn in self.turns:
            if self.done and (self.done >= self.limit or perf_counter() >= until):
                break
            self.done += 1
            turn.safe = self._safety(turn)
            if turn.safe == 1.0:
                safe.append(turn)
                if len(safe) == self.style.pool:
                    return safe
        checked = self.turns[: self.done]
        checked.sort(key=lambda turn: -turn.safe)
        return checked[: self.style.pool]

    def _safety(self, turn: Turn) -> float:
        """Return the chance that nobody wins right after a turn."""
        field = self.field
        slid = self.slid
        if turn.tile_2 == NO_TILE and self.whole:
            return 1.0
        if turn.tile_2 == NO_TILE:
            return self._safety_after(turn.tile, turn.cell, slid)
        origin = field.do(turn.tile, turn.cell)
        if turn.tile < field.tiles:
            slid |= bit(turn.tile)
        safe = self._safety_after(turn.tile_2, turn.cell_2, slid)
        field.undo(turn.tile, origin)
        return safe

    def _safety_after(self, tile: i64, cell: i64, slid: i64) -> float:
        """Return the chance that nobody wins after the last action of the turn."""
        field = self.field
        safe = 0.0
        if cell != NOWHERE:
            origin = field.do(tile, cell)
            safe = self._replies(slid | bit(tile) if tile < field.tiles else slid)
            field.undo(tile, origin)
            return safe
        if not self.style.flips:
            return self._replies(slid)
        guessed = field.hues[tile]
        hue: i64 = 0
        while hue < HUES:
            if field.left[hue]:
                odds = field.odds(tile, hue)
                if odds > 0.0:
                    field.flip(tile, hue)
                    safe += odds * (1.0 if wins(field, self.me) else self._replies(slid))
                    field.unflip(tile)
            hue += 1
        field.hues[tile] = guessed
        return safe

    def _replies(self, slid: i64) -> float:
        """Return the chance that nobody wins, now that the turn has ended."""
        field = self.field
        if gift(field, self.seat) != NOBODY:
            return 0.0
        safe = 1.0
        after: i64 = 1
        while after < field.seats and safe > 0.0:
            other = field.tiles + (self.seat + after) % field.seats
            barred = slid if after == 1 else 0
            chance = 0.0
            if self.style.looks == 1:
                chance = one_action(field, other, barred, self.style.flips)
            else:
                chance = two_actions(field, other, barred, self.style.flips)
            safe *= 1.0 - (chance if after == 1 else LATER * chance)
            after += 1
        return safe

    def play_on(self, pool: list[Turn], until: float) -> list[Turn]:
        """Play on after each turn of a pool and drop the worse half, again and again; return the best first."""
        phases = (len(pool) - 1).bit_length()
        start = perf_counter()
        done = 0
        for phase in range(phases):
            most = self.limit * (phase + 1) / phases
            time = start + (until - start) * (phase + 1) / phases
            going = True
            while going:
                self.field.imagine(self.rng)
                for turn in pool:
                    turn.total += self._try(turn)
                    turn.tries += 1
                    done += 1
                    going = perf_counter() < time
                    if not going:
                        break
                going = going and done < most
            pool.sort(key=lambda turn: -turn.value())
            del pool[(len(pool) + 1) // 2 :]
            if len(pool) == 1 or pool[0].value() - pool[1].value() > CLEAR:
                break
        return pool

    def _try(self, turn: Turn) -> float:
        """Make a turn and play on; return what that comes to."""
        field = self.other
        field.copy_from(self.field)
        slid = self.slid
        field.do(turn.tile, turn.cell)
        if turn.cell != NOWHERE and turn.tile < field.tiles:
            slid |= bit(turn.tile)
        if wins(field, self.me):
            return 1.0
        if turn.tile_2 != NO_TILE:
            field.do(turn.tile_2, turn.cell_2)
            if turn.cell_2 != NOWHERE and turn.tile_2 < field.tiles:
                slid |= bit(turn.tile_2)
            if wins(field, self.me):
                return 1.0
        elif self.whole:
            if one_action(field, self.me, self.barred, False) == SURE:
                return 1.0
            won = self.playouts.turn(field, self.seat, self.barred, 1)
            if won != GOES_ON:
                return 1.0 if won == self.seat else 0.0
            slid = self.playouts.slid
        following = (self.seat + 1) % field.seats
        won = gift(field, self.seat)
        if won == NOBODY and turn.safe < 1.0 and two_actions(field, field.tiles + following, slid, False) == SURE:
            won = following
        if won == NOBODY:
            won = self.playouts.winner(field, following, slid, AHEAD)
        if won != NOBODY:
            return 1.0 if won == self.seat else 0.0
        lead = standing(field, self.seat) + distance(field, self.me)
        lead = max(min(lead, MOST_LEAD), -MOST_LEAD)
        return 1.0 / float(field.seats) + LEAD * float(lead)
