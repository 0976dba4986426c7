"""The position of Flip & Slide, its legal moves and their effects."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr, u8

from sevenhues.core import bits
from sevenhues.core.arrays import as_array, as_list
from sevenhues.core.bits import bit
from sevenhues.core.position import NOBODY, Outcome, Position, rank
from sevenhues.core.rng import Rng
from sevenhues.games.flip_and_slide.geometry import ALL_SIDES, NOWHERE, SIDES, Patch, cell_at, patch_of, spiral, steps
from sevenhues.games.flip_and_slide.pieces import (
    ACTIONS_PER_TURN,
    FIRST_UP,
    HUES,
    MAX_TURNS,
    REPETITION_LIMIT,
    SETS,
    SHORT_SLIDE,
    UNLIMITED,
    Deal,
)
from sevenhues.games.flip_and_slide.rainbows import rainbow_tiles, tiles_of_hue
from sevenhues.games.flip_and_slide.repetition import hash_of, same_turn_start, write_turn_start

# Phases: the kind of move that the seat to act must make.
PLACE: Final = 0  # FS-5
ACT: Final = 1  # FS-6; in solo the first step, FS-19
JUMP: Final = 2  # FS-20 the second step in solo
OVER: Final = 3

# Kinds of moves.
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

REACH_SHORT: Final = 36  # the number of cells within three spaces


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class FlipAndSlidePosition(Position):
    """The complete state of Flip & Slide at one moment."""

    def __init__(self, deal: Deal, patch: Patch, red_start: bool, short_slides: bool) -> None:
        self.seats = deal.seats
        self.deal = deal
        self.patch = patch
        self.red_start = red_start
        self.short_slides = short_slides
        self.max_spaces: i64 = SHORT_SLIDE if short_slides else UNLIMITED

        self.up: i64 = 0  # the tiles that show their colour, as bits
        self.phase: i64 = PLACE
        self.turn: i64 = 0  # the seat to act
        self.actions: i64 = 0  # flips and slides made this turn
        self.turns: i64 = 0  # turns that have ended, empty ones included
        self.slid: i64 = 0  # colour tiles slid this turn, as bits
        self.barred: i64 = 0  # FS-11 colour tiles slid in the previous turn, as bits
        self.previous: i64 = NOWHERE  # FS-21 the cell of the solo player tile before its last move
        self.reason: i64 = 0
        self.winner: i64 = NOBODY

        # FS-16 The start of every turn since the last flip; earlier ones cannot recur. See repetition.
        self.hashes: list[int] = []
        self.turn_starts: list[bytes] = []
        self.stood: i64 = 0  # how often the position at the start of this turn has occurred, this time included

        self.last_kind: i64 = NO_MOVE
        self.last_seat: i64 = NOBODY
        self.last_tile: i64 = 0
        self.last_from: i64 = NOWHERE
        self.last_empty: i64 = 0  # empty turns right after it

    def turn_first_up(self) -> None:
        """FS-4 Turn the tiles face up that the deal names."""
        for tile in self.deal.first_up:
            self.up |= bit(tile)

    def to_act(self) -> list[int]:
        return [] if self.phase == OVER else [self.turn]

    def pick_seat(self, rng: Rng) -> int:
        if self.phase == OVER:
            return NOBODY
        return self.turn

    def player_tile(self, seat: i64) -> i64:
        """Return the number of a seat's player tile."""
        return self.deal.tiles + seat

    def put_base(self, tile: i64) -> i64:
        """Return the first number of the moves that put a tile somewhere; `Patch.encode_cell` is added to it."""
        return self.deal.tiles + tile * self.deal.size * SIDES

    def legal(self, seat: int) -> list[int]:
        return as_list(self.legal_array(seat))

    def legal_array(self, seat: int) -> vec[i64]:
        if seat != self.turn or self.phase == OVER:
            return vec[i64]()
        patch = self.patch
        mine = self.player_tile(self.turn)
        if self.phase == PLACE:
            places: vec[i64] = vec[i64]([0] * patch.beside)
            patch.write_places(self.put_base(mine), places)
            return places
        if self.phase == JUMP:
            return as_array(sorted(self._jumps()))
        flips = self.flippable()
        movable = self._movable()
        moves: vec[i64] = vec[i64]([0] * (bits.count(flips) + bits.count(movable) * patch.beside))
        count: i64 = 0
        while flips:
            moves[count] = bits.lowest(flips)
            flips &= flips - 1
            count += 1
        rim = patch.rim()
        while movable:
            tile = bits.lowest(movable)
            movable &= movable - 1
            if not patch.is_cut_tile(tile):
                count = patch.write_slides(tile, self.max_spaces, self.put_base(tile), rim, moves, count)
        return moves[:count]

    def mark_legal(self, seat: int, flags: vec[u8], start: i64) -> int:
        if seat != self.turn or self.phase != ACT or self.short_slides:
            return super().mark_legal(seat, flags, start)
        patch = self.patch
        count: i64 = 0
        flips = self.flippable()
        while flips:
            flags[start + bits.lowest(flips)] = 1
            flips &= flips - 1
            count += 1
        rim = patch.code_rim()
        movable = self._movable()
        while movable:
            tile = bits.lowest(movable)
            movable &= movable - 1
            if not patch.is_cut_tile(tile):
                count += patch.mark_slides(tile, flags, start + self.put_base(tile))
        patch.clear_rim(rim)
        return count

    def pick(self, seat: int, rng: Rng) -> int:
        patch = self.patch
        mine = self.player_tile(self.turn)
        if self.phase == PLACE:
            cell = patch.walk[1 + rng.below(patch.collect_beside())]
            return self.put_base(mine) + patch.encode_cell(mine, cell)
        if self.phase == JUMP:
            jumps = self._jumps()
            return jumps[rng.below(len(jumps))]
        # Rejection sampling: each flip has one slot, and each tile that might slide has as many slots as it could reach
        # cells at most. A slot without a move is drawn again. So all moves are equally likely, and `reach` is called
        # for few tiles.
        flips = self.flippable()
        flip_count = bits.count(flips)
        movable = self._movable()
        tile_slots = patch.beside
        if self.short_slides and tile_slots > REACH_SHORT:
            tile_slots = REACH_SHORT
        slot_count = flip_count + tile_slots * bits.count(movable)
        while True:
            slot = rng.below(slot_count)
            if slot < flip_count:
                return bits.nth(flips, slot)
            slot -= flip_count
            tile = bits.nth(movable, slot // tile_slots)
            if not patch.is_cut_tile(tile) and slot % tile_slots < patch.reach(tile, self.max_spaces):
                return self.put_base(tile) + patch.encode_cell(tile, patch.walk[1 + slot % tile_slots])

    def clovers(self) -> i64:
        """Return the tiles that lie clover up, as bits."""
        return (bit(self.deal.tiles) - 1) & ~self.up

    def flippable(self) -> i64:
        """FS-7 Return the clovers with an open edge, as bits."""
        left = self.clovers()
        tiles = left
        while left:
            if self.patch.neighbours(bits.lowest(left)) == ALL_SIDES:
                tiles ^= left & -left
            left &= left - 1
        return tiles

    def slidable(self) -> i64:
        """Return the tiles that FS-8 and FS-11 let the seat to act slide, as bits; FS-9 and FS-10 are not checked."""
        return (self.up & ~self.barred) | bit(self.player_tile(self.turn))

    def _movable(self) -> i64:
        """Return the slidable tiles that can take a step (FS-9), as bits; FS-10 is not checked."""
        left = self.slidable()
        tiles = left
        while left:
            if steps(self.patch.neighbours(bits.lowest(left))) == 0:
                tiles ^= left & -left
            left &= left - 1
        return tiles

    def _jumps(self) -> list[int]:
        moves: list[int] = []
        mine = self.player_tile(0)
        cell = self.patch.cells[mine]
        # FS-20 A jump must keep the patch connected, as FS-10 demands of a slide.
        if self.patch.is_cut_tile(mine):
            return moves
        for side in range(SIDES):
            landing = self.patch.landing(cell, side)
            # FS-21 The tile may not jump back to its previous cell.
            if landing != NOWHERE and landing != self.previous:
                moves.append(self.put_base(mine) + self.patch.encode_cell(mine, landing))
        return moves

    def _has_legal_action(self) -> bool:
        """FS-6 Return whether the seat to act has a legal action."""
        if self.flippable():
            return True
        movable = self._movable()
        while movable:
            if not self.patch.is_cut_tile(bits.lowest(movable)):
                return True
            movable &= movable - 1
        return False

    def play(self, seat: int, move: int) -> None:
        choice: i64 = move
        deal = self.deal
        self.last_seat = self.turn
        self.last_empty = 0
        if choice < deal.tiles:
            self._flip(choice)
        else:
            code = choice - deal.tiles
            tile = code // (deal.size * SIDES)
            self._put(tile, self.patch.decode_cell(code % (deal.size * SIDES)))
        if self.phase == PLACE:
            self._after_placing()
        elif deal.seats == 1:
            self._after_solo_step()
        else:
            self._after_action()

    def _flip(self, tile: i64) -> None:
        self.last_kind = FLIPPED
        self.last_tile = tile
        self.last_from = self.patch.cells[tile]
        self.up |= bit(tile)
        self.hashes = []
        self.turn_starts = []

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
        # FS-5 Seats place in order; then seat 0 takes the first turn.
        if self.turn + 1 < self.deal.seats:
            self.turn += 1
            return
        self.turn = 0
        self.phase = ACT
        if self.deal.seats > 1:
            self._record_turn_start()

    def rainbow(self) -> i64:
        """Return the tiles of rainbows that win for a player tile touching one of them, as bits."""
        tiles = rainbow_tiles(self.deal, self.patch, self.up)
        # FS-17 With red_start only red tiles count.
        if tiles and self.red_start:
            tiles &= tiles_of_hue(self.deal, 0)
        return tiles

    def _after_action(self) -> None:
        self.actions += 1
        rainbow = self.rainbow()
        # FS-13 A rainbow that touches the acting player's tile wins at once.
        if rainbow & self.patch.touching[self.player_tile(self.turn)]:
            self._finish(RAINBOW, self.turn)
            return
        # FS-6 A turn ends after two actions, or without a legal action.
        if self.actions == ACTIONS_PER_TURN or not self._has_legal_action():
            self._end_turn(rainbow)

    def _end_turn(self, rainbow: i64) -> None:
        seats = self.deal.seats
        while True:
            # FS-14 The first player in turn order whose tile touches a rainbow wins.
            if rainbow:
                for after in range(1, seats):
                    seat = (self.turn + after) % seats
                    if rainbow & self.patch.touching[self.player_tile(seat)]:
                        self._finish(RAINBOW, seat)
                        return
            self.turns += 1
            self.turn = (self.turn + 1) % seats
            self.actions = 0
            # FS-11 Tiles slid this turn are barred in the next turn; an empty turn bars none.
            self.barred = self.slid
            self.slid = 0
            # FS-16 The third repetition is a draw, and so is the end of the 200th turn.
            self._record_turn_start()
            if self.stood == REPETITION_LIMIT:
                self._finish(REPETITION, NOBODY)
                return
            if self.turns == MAX_TURNS:
                self._finish(TURN_LIMIT, NOBODY)
                return
            if self._has_legal_action():
                return
            self.last_empty += 1

    def _record_turn_start(self) -> None:
        """FS-16 Record the position at the start of a turn and count how often it has occurred."""
        turn_hash = hash_of(self.deal, self.patch, self.up, self.barred, self.turn)
        turn_start = write_turn_start(self.deal, self.patch, self.barred, self.turn)
        self.stood = 1
        for i in range(len(self.hashes)):
            # Different positions may have equal hashes.
            if self.hashes[i] == turn_hash and same_turn_start(self.deal, self.up, self.turn_starts[i], turn_start):
                self.stood += 1
        self.hashes.append(turn_hash)
        self.turn_starts.append(turn_start)

    def _after_solo_step(self) -> None:
        """Solo: end or continue the turn after its first step or its jump."""
        self.slid = 0
        # FS-24 Flipping the last clover loses, even if it completes a rainbow.
        if self.clovers() == 0:
            self._finish(ALL_FLIPPED, NOBODY)
        # FS-23 A rainbow that touches the player tile wins.
        elif self.rainbow() & self.patch.touching[self.player_tile(0)]:
            self._finish(RAINBOW, 0)
        elif self.phase == ACT:
            self._require_jump()
        else:
            self.turns += 1
            self.phase = ACT
            if self.turns == MAX_TURNS:
                self._finish(TURN_LIMIT, NOBODY)
            elif not self._has_legal_action():
                self._require_jump()

    def _require_jump(self) -> None:
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
        return self._copy_with(self.deal)

    def recoloured(self, colours: bytes) -> "FlipAndSlidePosition":
        """Return a copy with other colours on the tiles."""
        return self._copy_with(self.deal.recoloured(colours))

    def _copy_with(self, deal: Deal) -> "FlipAndSlidePosition":
        copy = FlipAndSlidePosition(deal, self.patch.copy(), self.red_start, self.short_slides)
        copy.up = self.up
        copy.phase = self.phase
        copy.turn = self.turn
        copy.actions = self.actions
        copy.turns = self.turns
        copy.slid = self.slid
        copy.barred = self.barred
        copy.previous = self.previous
        copy.reason = self.reason
        copy.winner = self.winner
        copy.hashes = self.hashes.copy()
        copy.turn_starts = self.turn_starts.copy()
        copy.stood = self.stood
        copy.last_kind = self.last_kind
        copy.last_seat = self.last_seat
        copy.last_tile = self.last_tile
        copy.last_from = self.last_from
        copy.last_empty = self.last_empty
        return copy

    def resample(self, seat: int, rng: Rng) -> "FlipAndSlidePosition":
        # No seat knows the colour of a clover: all orders of the hidden colours are equally likely for every viewer.
        deal = self.deal
        hidden: list[int] = []
        for tile in deal.by_hue:
            if not (self.up >> tile) & 1:
                hidden.append(deal.colours[tile])
        rng.shuffle(hidden)
        colours = list(deal.colours)
        next_hidden = 0
        for tile in range(deal.tiles):
            if not (self.up >> tile) & 1:
                colours[tile] = hidden[next_hidden]
                next_hidden += 1
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
        """Return the colours of the colour tiles, then a number for each player tile."""
        return [*self.deal.colours, *[HUES + seat for seat in range(self.deal.seats)]]


def start_position(deal: Deal, red_start: bool, short_slides: bool) -> FlipAndSlidePosition:
    """FS-3, FS-4 Return the starting position of a deal; the player tiles are not placed yet."""
    patch = patch_of([*deal.cells, *[NOWHERE] * deal.seats])
    position = FlipAndSlidePosition(deal, patch, red_start, short_slides)
    position.turn_first_up()
    return position


def quick_position(seats: int, red_start: bool, short_slides: bool, rng: Rng) -> FlipAndSlidePosition:
    """FS-3, FS-4 Return a random starting position."""
    colours = rng.shuffled(TILE_COLOURS[seats])
    first_up: list[int] = []
    while len(first_up) < (0 if seats == 1 else FIRST_UP):
        tile = rng.below(len(colours))
        if tile not in first_up:
            first_up.append(tile)
    patch = START_PATCHES[seats]
    deal = Deal(seats, colours, START_CELLS[seats], first_up, 0, 0)
    position = FlipAndSlidePosition(deal, patch.copy(), red_start, short_slides)
    position.turn_first_up()
    return position


# By number of seats: the colour tiles in order, their cells in the spiral, and the patch that they form.
TILE_COLOURS: Final = [bytes([hue for hue in range(HUES) for _ in range(sets)]) for sets in SETS]
START_CELLS: Final = [[cell_at(q, r) for q, r in spiral(sets * HUES)] for sets in SETS]
START_PATCHES: Final = [patch_of([*START_CELLS[seats], *[NOWHERE] * seats]) for seats in range(len(SETS))]
