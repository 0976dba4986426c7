"""Flip & Slide's position: where the tiles lie, what they show, whose turn it is and what each move does."""

from typing import Final

from mypy_extensions import i64, mypyc_attr

from sevenhues.core import bits
from sevenhues.core.bits import bit
from sevenhues.core.position import NOBODY, Outcome, Position, rank
from sevenhues.core.rng import Rng
from sevenhues.games.flip_and_slide.geometry import ALL_SIDES, NOWHERE, SIDES, Patch, patch_of, steps
from sevenhues.games.flip_and_slide.pieces import (
    ACTIONS,
    HUES,
    MOST_TURNS,
    SHORT,
    THIRD_TIME,
    UNLIMITED,
    Deal,
)
from sevenhues.games.flip_and_slide.rainbows import of_hue, rainbow_tiles
from sevenhues.games.flip_and_slide.repetition import hash_of, same_moment

# What the seat to act is to do.
PLACE: Final = 0  # FS-5
ACT: Final = 1  # FS-6; in solo the first step, FS-19
JUMP: Final = 2  # FS-20 the second step in solo
OVER: Final = 3

# What the last move was.
NO_MOVE: Final = 0
PLACED: Final = 1
FLIPPED: Final = 2
SLID: Final = 3
JUMPED: Final = 4

REASONS: Final = ("", "rainbow", "repetition", "turn-limit", "stuck", "all-flipped")
RAINBOW: Final = 1
REPETITION: Final = 2
TURN_LIMIT: Final = 3
STUCK: Final = 4
ALL_FLIPPED: Final = 5

REACH_SHORT: Final = 36  # cells within three spaces


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class FlipAndSlidePosition(Position):
    """Everything true at one moment of Flip & Slide."""

    def __init__(self, deal: Deal, patch: Patch, red_start: bool, short_slides: bool) -> None:
        self.seats = deal.seats
        self.deal = deal
        self.patch = patch
        self.red_start = red_start
        self.short_slides = short_slides
        self.most_spaces: i64 = SHORT if short_slides else UNLIMITED

        self.up: i64 = 0  # the tiles that show their colour, as bits
        self.phase: i64 = PLACE
        self.turn: i64 = 0  # the seat to act
        self.actions: i64 = 0  # made this turn
        self.turns: i64 = 0  # ended, empty ones included
        self.slid: i64 = 0  # colour tiles slid this turn, as bits
        self.barred: i64 = 0  # FS-11 those slid in the turn before, as bits
        self.previous: i64 = NOWHERE  # FS-21 where the solo player tile stood before it last moved
        self.reason: i64 = 0
        self.winner: i64 = NOBODY

        # FS-16 Every turn's start since the last flip, which no later one can equal: a hash, and what lay where.
        self.hashes: list[int] = []
        self.moments: list[list[int]] = []
        self.stood: i64 = 0  # how often this turn's start has stood, this time included

        self.last_kind: i64 = NO_MOVE
        self.last_seat: i64 = NOBODY
        self.last_tile: i64 = 0
        self.last_from: i64 = NOWHERE
        self.last_empty: i64 = 0  # turns after it that ended without an action

    def turn_first_up(self) -> None:
        """FS-4 Turn the first tiles to their colours."""
        for tile in self.deal.first_up:
            self.up |= bit(tile)

    def to_act(self) -> list[int]:
        return [] if self.phase == OVER else [self.turn]

    def pick_seat(self, rng: Rng) -> int:
        return NOBODY if self.phase == OVER else self.turn

    def player_tile(self, seat: i64) -> i64:
        """Return the number of a seat's player tile."""
        return self.deal.tiles + seat

    def put_base(self, tile: i64) -> i64:
        """Return the number to which the name of a cell is added for the move that puts a tile there."""
        return self.deal.tiles + tile * self.deal.size * SIDES

    def legal(self, seat: int) -> list[int]:
        moves: list[int] = []
        if seat != self.turn or self.phase == OVER:
            return moves
        patch = self.patch
        mine = self.player_tile(self.turn)
        if self.phase == PLACE:
            patch.list_reach(mine, patch.walk_beside(), self.put_base(mine), moves)
            return moves
        if self.phase == JUMP:
            return sorted(self._jumps())
        flips = self.flippable()
        loose = self._loose()
        tile: i64 = 0
        while flips >> tile:
            if (flips >> tile) & 1:
                moves.append(tile)
            tile += 1
        tile = 0
        while loose >> tile:
            if (loose >> tile) & 1 and not patch.holds(tile):
                patch.list_reach(tile, patch.reach(tile, self.most_spaces), self.put_base(tile), moves)
            tile += 1
        return moves

    def pick(self, seat: int, rng: Rng) -> int:
        patch = self.patch
        mine = self.player_tile(self.turn)
        if self.phase == PLACE:
            cell = patch.walk[1 + rng.below(patch.walk_beside())]
            return self.put_base(mine) + patch.name(mine, cell)
        if self.phase == JUMP:
            jumps = self._jumps()
            return jumps[rng.below(len(jumps))]
        # Each flip has one lot and each tile that might slide as many as cells it could reach at most; a lot that
        # stands for no cell is drawn again. So all moves are equally likely, and few tiles need to be walked.
        flips = self.flippable()
        flip_count = bits.count(flips)
        loose = self._loose()
        lots = patch.beside
        if self.short_slides and lots > REACH_SHORT:
            lots = REACH_SHORT
        all_lots = flip_count + lots * bits.count(loose)
        while True:
            lot = rng.below(all_lots)
            if lot < flip_count:
                return bits.nth(flips, lot)
            lot -= flip_count
            tile = bits.nth(loose, lot // lots)
            if not patch.holds(tile) and lot % lots < patch.reach(tile, self.most_spaces):
                return self.put_base(tile) + patch.name(tile, patch.walk[1 + lot % lots])

    def clovers(self) -> i64:
        """Return the tiles that lie clover up, as bits."""
        return (bit(self.deal.tiles) - 1) & ~self.up

    def flippable(self) -> i64:
        """FS-7 Return the clovers with an edge that touches no tile, as bits."""
        left = self.clovers()
        tiles: i64 = 0
        tile: i64 = 0
        while left:
            if left & 1 and self.patch.neighbours(tile) != ALL_SIDES:
                tiles |= bit(tile)
            left >>= 1
            tile += 1
        return tiles

    def slidable(self) -> i64:
        """Return the tiles the seat to act may slide for all that FS-8 and FS-11 say, as bits."""
        return (self.up & ~self.barred) | bit(self.player_tile(self.turn))

    def _loose(self) -> i64:
        """Return those of them that FS-9 lets take a step, as bits."""
        left = self.slidable()
        tiles: i64 = 0
        tile: i64 = 0
        while left:
            if left & 1 and steps(self.patch.neighbours(tile)):
                tiles |= bit(tile)
            left >>= 1
            tile += 1
        return tiles

    def _jumps(self) -> list[int]:
        moves: list[int] = []
        mine = self.player_tile(0)
        cell = self.patch.cells[mine]
        # FS-20 FS-10 holds for a jump.
        if self.patch.holds(mine):
            return moves
        for side in range(SIDES):
            landing = self.patch.landing(cell, side)
            # FS-21 It may not jump to its previous cell.
            if landing != NOWHERE and landing != self.previous:
                moves.append(self.put_base(mine) + self.patch.name(mine, landing))
        return moves

    def _may_act(self) -> bool:
        """FS-6 Tell whether the seat to act has a legal action."""
        if self.flippable():
            return True
        loose = self._loose()
        while loose:
            if not self.patch.holds(bits.lowest(loose)):
                return True
            loose &= loose - 1
        return False

    def play(self, seat: int, move: int) -> None:
        choice: i64 = move
        deal = self.deal
        self.last_seat = self.turn
        self.last_empty = 0
        if choice < deal.tiles:
            self._flip(choice)
        else:
            name = choice - deal.tiles
            tile = name // (deal.size * SIDES)
            self._put(tile, self.patch.named(name % (deal.size * SIDES)))
        if self.phase == PLACE:
            self._after_placing()
        elif deal.seats == 1:
            self._after_step()
        else:
            self._after_action()

    def _flip(self, tile: i64) -> None:
        self.last_kind = FLIPPED
        self.last_tile = tile
        self.last_from = self.patch.cells[tile]
        self.up |= bit(tile)
        self.hashes = []
        self.moments = []

    def _put(self, tile: i64, cell: i64) -> None:
        patch = self.patch
        self.last_kind = PLACED if self.phase == PLACE else JUMPED if self.phase == JUMP else SLID
        self.last_tile = tile
        self.last_from = patch.cells[tile]
        if self.last_kind != PLACED:
            patch.take(tile)
            if tile < self.deal.tiles:
                self.slid |= bit(tile)
            elif self.deal.seats == 1:
                self.previous = self.last_from
        patch.put(tile, cell)

    def _after_placing(self) -> None:
        # FS-5 In seat order; then seat 0 takes the first turn.
        if self.turn + 1 < self.deal.seats:
            self.turn += 1
            return
        self.turn = 0
        self.phase = ACT
        if self.deal.seats > 1:
            self._stand()

    def rainbow(self) -> i64:
        """Return the tiles that win for a player tile touching one of them, as bits."""
        tiles = rainbow_tiles(self.deal, self.patch, self.up)
        # FS-17 With red_start only the red ones do.
        if tiles and self.red_start:
            tiles &= of_hue(self.deal, 0)
        return tiles

    def _after_action(self) -> None:
        self.actions += 1
        rainbow = self.rainbow()
        # FS-13 A rainbow that touches the acting player's tile wins at once.
        if rainbow & self.patch.touching[self.player_tile(self.turn)]:
            self._finish(RAINBOW, self.turn)
            return
        # FS-6 A turn ends after two actions, or when there is no legal one left.
        if self.actions == ACTIONS or not self._may_act():
            self._end_turn(rainbow)

    def _end_turn(self, rainbow: i64) -> None:
        seats = self.deal.seats
        while True:
            # FS-14 The next in turn order of the players whom a rainbow touches wins.
            if rainbow:
                for after in range(1, seats):
                    seat = (self.turn + after) % seats
                    if rainbow & self.patch.touching[self.player_tile(seat)]:
                        self._finish(RAINBOW, seat)
                        return
            self.turns += 1
            self.turn = (self.turn + 1) % seats
            self.actions = 0
            # FS-11 What was slid this turn is barred in the next; an empty turn bars nothing.
            self.barred = self.slid
            self.slid = 0
            # FS-16 The third time draws, and so does the end of the 200th turn.
            self._stand()
            if self.stood == THIRD_TIME:
                self._finish(REPETITION, NOBODY)
                return
            if self.turns == MOST_TURNS:
                self._finish(TURN_LIMIT, NOBODY)
                return
            if self._may_act():
                return
            self.last_empty += 1

    def _stand(self) -> None:
        """FS-16 Note the position at the start of a turn, and count how often it has stood."""
        mark = hash_of(self.deal, self.patch, self.up, self.barred, self.turn)
        moment: list[int] = [self.patch.cells[tile] for tile in range(self.deal.size)]
        moment += [self.barred, self.turn]
        self.stood = 1
        for i in range(len(self.hashes)):
            # Equal hashes are all but certainly equal positions; make sure.
            if self.hashes[i] == mark and same_moment(self.deal, self.up, self.moments[i], moment):
                self.stood += 1
        self.hashes.append(mark)
        self.moments.append(moment)

    def _after_step(self) -> None:
        """Solo: what follows the first step or the jump."""
        self.slid = 0
        # FS-24 Turning the last clover loses, whatever it completes.
        if self.clovers() == 0:
            self._finish(ALL_FLIPPED, NOBODY)
        # FS-23 A rainbow that touches the player tile wins.
        elif self.rainbow() & self.patch.touching[self.player_tile(0)]:
            self._finish(RAINBOW, 0)
        elif self.phase == ACT:
            self._ask_jump()
        else:
            self.turns += 1
            self.phase = ACT
            if self.turns == MOST_TURNS:
                self._finish(TURN_LIMIT, NOBODY)
            elif not self._may_act():
                self._ask_jump()

    def _ask_jump(self) -> None:
        # FS-22 A player tile that cannot jump loses.
        self.phase = JUMP
        if not self._jumps():
            self._finish(STUCK, NOBODY)

    def _finish(self, reason: i64, winner: i64) -> None:
        self.phase = OVER
        self.reason = reason
        self.winner = winner

    def scores(self) -> list[int]:
        return [int(self.winner == seat) for seat in range(self.deal.seats)]

    def outcome(self) -> Outcome | None:
        if self.phase != OVER:
            return None
        winners: list[int] = [] if self.winner == NOBODY else [self.winner]
        return Outcome(REASONS[self.reason], winners, rank(self.scores()))

    def copy(self) -> "FlipAndSlidePosition":
        return self._twin(self.deal)

    def recoloured(self, colours: bytes) -> "FlipAndSlidePosition":
        """Return a copy with other colours on the tiles."""
        return self._twin(self.deal.recoloured(colours))

    def _twin(self, deal: Deal) -> "FlipAndSlidePosition":
        twin = FlipAndSlidePosition(deal, self.patch.copy(), self.red_start, self.short_slides)
        twin.up = self.up
        twin.phase = self.phase
        twin.turn = self.turn
        twin.actions = self.actions
        twin.turns = self.turns
        twin.slid = self.slid
        twin.barred = self.barred
        twin.previous = self.previous
        twin.reason = self.reason
        twin.winner = self.winner
        twin.hashes = self.hashes.copy()
        twin.moments = self.moments.copy()
        twin.stood = self.stood
        twin.last_kind = self.last_kind
        twin.last_seat = self.last_seat
        twin.last_tile = self.last_tile
        twin.last_from = self.last_from
        twin.last_empty = self.last_empty
        return twin

    def resample(self, seat: int, rng: Rng) -> "FlipAndSlidePosition":
        # Nobody knows a clover's colour: every way to lay the missing ones is equally likely, for everybody.
        deal = self.deal
        hidden: list[int] = []
        for tile in deal.by_hue:
            if not (self.up >> tile) & 1:
                hidden.append(deal.colours[tile])
        rng.shuffle(hidden)
        colours = list(deal.colours)
        at = 0
        for tile in range(deal.tiles):
            if not (self.up >> tile) & 1:
                colours[tile] = hidden[at]
                at += 1
        return self.recoloured(bytes(colours))

    def key(self) -> tuple[int, ...]:
        return (
            *self.deal.colours,
            self.deal.origin_q,
            self.deal.origin_r,
            *[self.patch.cells[tile] for tile in range(self.deal.size)],
            self.up,
            self.phase,
            self.turn,
            self.actions,
            self.turns,
            self.slid,
            self.barred,
            self.previous,
            self.reason,
            self.winner,
            *self.hashes,
        )

    def all_pieces(self) -> list[int]:
        """List the colours of all tiles, and the player tiles as numbers after them."""
        return [*self.deal.colours, *[HUES + seat for seat in range(self.deal.seats)]]


def laid_out(deal: Deal, red_start: bool, short_slides: bool) -> FlipAndSlidePosition:
    """FS-3, FS-4 Lay out a deal, before the player tiles are placed."""
    patch = patch_of([*deal.cells, *[NOWHERE] * deal.seats])
    position = FlipAndSlidePosition(deal, patch, red_start, short_slides)
    position.turn_first_up()
    return position
