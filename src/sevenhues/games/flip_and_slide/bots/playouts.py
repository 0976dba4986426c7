"""Playing on fast: who has a winning turn takes it, who has none makes one of some random turns that looks good and
after which the next has none."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from sevenhues.core.bits import bit, count, nth
from sevenhues.core.rng import Rng
from sevenhues.games.flip_and_slide.bots.distance import FAR, distance
from sevenhues.games.flip_and_slide.bots.search_board import Field
from sevenhues.games.flip_and_slide.bots.win_search import SURE, rainbow, two_actions, wins
from sevenhues.games.flip_and_slide.geometry import NOWHERE
from sevenhues.games.flip_and_slide.pieces import ACTIONS

SAMPLES: Final = 12  # turns that are thought of
CHECKS: Final = 4  # of them, answers to which are looked for
ATTEMPTS: Final = 6  # tiles that are tried for a slide
NO_TILE: Final = -1
NOBODY: Final = -1
GOES_ON: Final = -2


def standing(field: Field, seat: i64) -> i64:
    """Return how a seat stands: how much further others are from a rainbow, in quarters of an action."""
    nearest: i64 = FAR
    other: i64 = 0
    while other < field.seats:
        if other != seat:
            far = distance(field, field.tiles + other)
            if far < nearest:
                nearest = far
        other += 1
    return nearest - 2 * distance(field, field.tiles + seat)


def gift(field: Field, seat: i64) -> i64:
    """FS-14 Return who wins if the turn of a seat ends here, or NOBODY."""
    tiles = rainbow(field)
    if tiles:
        after: i64 = 1
        while after < field.seats:
            other = (seat + after) % field.seats
            if tiles & field.patch.touching[field.tiles + other]:
                return other
            after += 1
    return NOBODY


class Playouts:
    """Plays on in a field, again and again."""

    def __init__(self, rng: Rng) -> None:
        self.rng = rng
        self.tile: vec[i64] = vec[i64]([0] * (SAMPLES * ACTIONS))
        self.cell: vec[i64] = vec[i64]([0] * (SAMPLES * ACTIONS))
        self.score: vec[i64] = vec[i64]([0] * SAMPLES)
        self.slid: i64 = 0  # in the last turn

    def winner(self, field: Field, seat: i64, barred: i64, turns: i64) -> i64:
        """Play so many turns on, in place, from one that cannot be won for sure; return who wins, or NOBODY."""
        while turns > 0:
            won = self.turn(field, seat, barred, ACTIONS)
            if won != GOES_ON:
                return won
            barred = self.slid
            seat = (seat + 1) % field.seats
            turns -= 1
        return NOBODY

    def turn(self, field: Field, seat: i64, barred: i64, actions: i64) -> i64:
        """Make a turn of so many actions; return who wins by it, or would in the next one, or GOES_ON."""
        n: i64 = 0
        while n < SAMPLES:
            self._think_of(field, seat, barred, n, actions)
            n += 1
        following = (seat + 1) % field.seats
        checks: i64 = 0
        while checks < CHECKS:
            n = self._best()
            self.score[n] = -FAR * FAR
            before = field.patch.cells[:]
            flipped = self._make(field, n)
            if flipped and wins(field, field.tiles + seat):
                return seat
            given = gift(field, seat)
            if given == NOBODY and two_actions(field, field.tiles + following, self.slid, False) < SURE:
                return GOES_ON
            self._unmake(field, n, before)
            checks += 1
        return following

    def pick(self, field: Field, seat: i64, barred: i64, at: i64) -> None:
        """Think of a random action."""
        rng = self.rng
        patch = field.patch
        self.tile[at] = NO_TILE
        clovers = field.clovers()
        if clovers and rng.below(3) == 0:
            self.tile[at] = nth(clovers, rng.below(count(clovers)))
            self.cell[at] = NOWHERE
            return
        tiles = (field.up & ~barred) | bit(field.tiles + seat)
        attempt: i64 = 0
        while attempt < ATTEMPTS:
            tile = nth(tiles, rng.below(count(tiles)))
            if field.slides_at_all(tile):
                self.tile[at] = tile
                self.cell[at] = patch.walk[1 + rng.below(patch.reach(tile, field.spaces))]
                return
            attempt += 1
        if clovers:
            self.tile[at] = nth(clovers, rng.below(count(clovers)))
            self.cell[at] = NOWHERE

    def _think_of(self, field: Field, seat: i64, barred: i64, n: i64, actions: i64) -> None:
        """Think of a random turn and of how it looks; what a flip may show is left aside."""
        at = n * ACTIONS
        self.pick(field, seat, barred, at)
        tile = self.tile[at]
        cell = self.cell[at]
        if tile == NO_TILE or actions == 1:
            self.tile[at + 1] = NO_TILE
        elif cell == NOWHERE:
            self.pick(field, seat, barred, at + 1)
            if self.tile[at + 1] == tile:
                self.tile[at + 1] = NO_TILE
        else:
            origin = field.patch.cells[tile]
            field.slide(tile, cell)
            self.pick(field, seat, barred, at + 1)
            field.slide(tile, origin)
        self._judge(field, seat, n)

    def _judge(self, field: Field, seat: i64, n: i64) -> None:
        at = n * ACTIONS
        first, second = self.tile[at], self.tile[at + 1]
        slides_first = first != NO_TILE and self.cell[at] != NOWHERE
        slides_second = second != NO_TILE and self.cell[at + 1] != NOWHERE
        origin_1 = field.patch.cells[first] if slides_first else 0
        if slides_first:
            field.slide(first, self.cell[at])
        origin_2 = field.patch.cells[second] if slides_second else 0
        if slides_second:
            field.slide(second, self.cell[at + 1])
        self.score[n] = standing(field, seat)
        if slides_second:
            field.slide(second, origin_2)
        if slides_first:
            field.slide(first, origin_1)

    def _best(self) -> i64:
        best: i64 = 0
        n: i64 = 1
        while n < SAMPLES:
            if self.score[n] > self.score[best]:
                best = n
            n += 1
        return best

    def _make(self, field: Field, n: i64) -> bool:
        """Make a turn that was thought of; tell whether it flips a tile."""
        flipped = False
        self.slid = 0
        at = n * ACTIONS
        end = at + ACTIONS
        while at < end:
            tile = self.tile[at]
            if tile != NO_TILE:
                if self.cell[at] == NOWHERE:
                    field.flip(tile, field.hues[tile])
                    flipped = True
                else:
                    field.slide(tile, self.cell[at])
                    if tile < field.tiles:
                        self.slid |= bit(tile)
            at += 1
        return flipped

    def _unmake(self, field: Field, n: i64, before: vec[i64]) -> None:
        at = n * ACTIONS + ACTIONS - 1
        while at >= n * ACTIONS:
            tile = self.tile[at]
            if tile != NO_TILE:
                if self.cell[at] == NOWHERE:
                    field.unflip(tile)
                elif field.patch.cells[tile] != before[tile]:
                    field.slide(tile, before[tile])
            at -= 1
