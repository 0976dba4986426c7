"""Flip & Slide for many games at once, in JAX. Its answers are those of `rules`.

No seat knows the colours under clovers, so a colour is drawn when a tile is flipped. `batch.board` computes adjacency,
slides and jumps.
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from sevenhues.batch import jax_bits
from sevenhues.batch.contract import BatchGame
from sevenhues.batch.jax_bits import GOLDEN, U32, count
from sevenhues.core.game import Setup
from sevenhues.core.options import Options
from sevenhues.games.flip_and_slide.batch.board import (
    I32,
    BatchBoard,
    Geometry,
    are_neighbours,
    count_cells,
    nth_cell,
    select,
)
from sevenhues.games.flip_and_slide.batch.states import NO_WINNER, U8, States, finish, keep_finished
from sevenhues.games.flip_and_slide.encoders import HIDDEN, NO_CELL, observation_layout
from sevenhues.games.flip_and_slide.geometry import ALL_SIDES, STEP_Q, STEP_R, spiral
from sevenhues.games.flip_and_slide.pieces import (
    ACTIONS_PER_TURN,
    COLOURS,
    FIRST_UP,
    HUES,
    MAX_TURNS,
    REPETITION_LIMIT,
    SETS,
    SIDES,
    move_count,
)
from sevenhues.games.flip_and_slide.repetition import BARRED, PLAYER
from sevenhues.games.flip_and_slide.rules import ACT, JUMP, OVER, PLACE

SMALL_BATCH = 512  # up to this size all games draw again if one must; larger batches redraw a share at a time
REDRAW_SHARES = 8
HASH_SEEDS = (0x2545F491, 0x5851F42D)  # one for each of the two words of a hash


class Chains(NamedTuple):
    """FS-12 The chains of successive colours."""

    runs: Array  # by colour tile, the length of the longest run that it is part of
    red: Array  # red tiles that are face up, as bits


class MoveSlots(NamedTuple):
    """The slots from which a random move is drawn: one for each flip, and several for each tile that can be put."""

    bits: Array  # random
    acts: Array  # whether tiles slide; otherwise the player tile is placed or jumps
    filled: Array  # bitboard of the tiles
    targets: Array  # bitboard of the cells on which the player tile may be placed or land
    cells: Array  # by tile
    flips: Array  # tiles as bits
    slots: Array  # by tile, the number of its slots
    ends: Array  # by tile, the number of slots of this and all earlier tiles


class DrawnMove(NamedTuple):
    """A drawn slot: a tile, its target (for a flip `cell_bits`), and whether the slot stands for a move."""

    tile: Array
    cell: Array
    valid: Array


class FlipAndSlideBatch(BatchGame):
    """Batched Flip & Slide."""

    def __init__(self, seats: int, options: Options) -> None:
        self.seats = seats
        self.sets = SETS[seats]
        self.tiles = self.sets * HUES
        self.size = self.tiles + seats
        self.move_count = move_count(seats)
        self.width = sum([feature.size for feature in observation_layout(seats)])
        self.red_start = bool(options["red_start"])
        self.board = BatchBoard(seats, bool(options["short_slides"]))

    def init(self, keys: Array) -> States:
        return self.deal(*jax_bits.seeds(keys))

    def deal(self, low: Array, high: Array) -> States:
        counter, seed = low, high
        games = seed.shape[0]
        zeros = jnp.zeros(games, U32)
        cells = spiral(self.tiles) + [(0, 0)] * self.seats
        all_tiles = (1 << self.tiles) - 1
        hidden = zeros + all_tiles
        up = zeros
        face = jnp.full((games, self.tiles), HIDDEN, U8)
        # FS-4 Four random tiles are turned up.
        for turned in range(0 if self.seats == 1 else FIRST_UP):
            choice = jax_bits.below(_random(seed, counter), U32(self.tiles - turned))
            tile = jax_bits.nth(~up & all_tiles, choice)
            up |= U32(1) << tile
            hidden, face = self._reveal(hidden, face, tile, zeros == 0, _random(seed, counter + GOLDEN))
            counter += U32(2) * GOLDEN
        zero = zeros.astype(U8)
        return States(
            q=jnp.broadcast_to(jnp.array([q for q, _ in cells], jnp.int16), (games, self.size)),
            r=jnp.broadcast_to(jnp.array([r for _, r in cells], jnp.int16), (games, self.size)),
            face=face,
            hidden=hidden,
            up=up,
            slid=zeros,
            barred=zeros,
            phase=zero + PLACE,
            turn=zero,
            actions=zero,
            turns=zero,
            previous=jnp.zeros((games, 3), jnp.int16),
            winner=zero + NO_WINNER,
            stood=zero,
            since=zero,
            hashes=tuple([jnp.zeros((games, 0 if self.seats == 1 else MAX_TURNS + 1), U32) for _ in HASH_SEEDS]),
            seed=seed,
            counter=counter,
        )

    def _reveal(self, hidden: Array, face: Array, tile: Array, which: Array, bits: Array) -> tuple[Array, Array]:
        """Draw the colour of a flipped clover in the games chosen by `which`; return `hidden` and `face`."""
        colour = jax_bits.nth(hidden, jax_bits.below(bits, count(hidden)))
        left = jnp.where(which, hidden & ~(U32(1) << colour), hidden)
        flipped = which[:, None] & (tile[:, None] == jnp.arange(self.tiles, dtype=U32))
        return left, jnp.where(flipped, (colour // self.sets).astype(U8)[:, None], face)

    def turn(self, states: States) -> Array:
        return states.turn.astype(I32)

    def over(self, states: States) -> Array:
        return states.phase == OVER

    def scores(self, states: States) -> Array:
        return (states.winner[:, None] == jnp.arange(self.seats)).astype(I32)

    def values(self, states: States) -> Array:
        draw = 1 / self.seats if self.seats > 1 else 0.0
        shares = jnp.where((states.winner == NO_WINNER)[:, None], draw, self.scores(states))
        return jnp.where(self.over(states)[:, None], shares, 0.0).astype(jnp.float32)

    def _player_tile(self, turn: Array) -> Array:
        return self.tiles + turn.astype(U32)

    def _geometry(self, states: States) -> Geometry:
        tile = jnp.arange(self.size)
        placed = (tile < self.tiles) | (states.phase != PLACE)[:, None] | (tile - self.tiles < states.turn[:, None])
        return self.board.geometry(states.q.astype(I32), states.r.astype(I32), placed)

    def _flippable(self, states: States, geometry: Geometry) -> Array:
        """FS-7 Return the clovers with an open edge, as bits."""
        tiles: Array = self.board.tile_set(geometry.sides != ALL_SIDES) & ~states.up & U32((1 << self.tiles) - 1)
        return tiles

    def _slidable(self, states: States) -> Array:
        """FS-8, FS-11 Return the tiles that the seat to act may slide, as bits; FS-9 and FS-10 are not checked."""
        tiles: Array = (states.up & ~states.barred) | U32(1) << self._player_tile(states.turn)
        return tiles

    def _filled(self, geometry: Geometry) -> Array:
        """Return the bitboard of all tiles."""
        return self.board.bitboard(geometry.cells, self.board.members(geometry.placed))

    def _solo_cell(self, geometry: Geometry) -> Array:
        """Return the bitboard of the solo player tile."""
        return self.board.bitboard(geometry.cells[:, self.tiles :], jnp.ones((1, 1), bool))

    def _landings(self, states: States, geometry: Geometry, filled: Array, start: Array) -> Array:
        """FS-20 Return the cells that the solo player tile can jump to."""
        landings = self.board.landings(filled & ~start, start)
        # FS-21 It may not jump to its previous cell; FS-10 it may not split the patch.
        player_tile = U32(1) << self.tiles
        allowed = self.board.cut_tiles(geometry, jnp.full_like(geometry.placed, player_tile)) & player_tile == 0
        previous = states.previous.astype(I32)
        cell = jnp.mod(previous[:, 0] + self.board.row * previous[:, 1], self.board.cell_bits).astype(U32)
        forbidden = self.board.bitboard(cell[:, None], previous[:, 2:] == 1)
        return jnp.where(allowed[:, None], landings & ~forbidden, U32(0))

    # Legal moves.

    def legal(self, states: States) -> Array:
        geometry = self._geometry(states)
        tile = jnp.arange(self.size, dtype=U32)
        targets = self._targets(states, geometry)
        # A cell is encoded from the lowest tile beside it other than the moved one: (N, tile, neighbour and side).
        is_target = self.board.contains(targets, self.board.adjacent_cells(geometry)[:, None]) == 1
        lower = self._lower_neighbours(states, geometry)
        is_lowest = lower[:, None] & ~(U32(1) << tile)[:, None] == 0
        puts = (
            is_target
            & is_lowest
            & (tile[:, None] != jnp.repeat(tile, SIDES))
            & self.board.members(geometry.placed).repeat(SIDES, 1)[:, None]
        )
        acts = (states.phase == ACT)[:, None]
        flips = self.board.members(self._flippable(states, geometry))[:, : self.tiles] & acts
        return jnp.concatenate([flips, puts.reshape(puts.shape[0], -1)], axis=-1)

    def _targets(self, states: States, geometry: Geometry) -> Array:
        """Return the cells on which each tile may be put now, (N, tile, words)."""
        phase = states.phase[:, None]
        filled = self._filled(geometry)
        start = self.board.bitboard(geometry.cells[:, :, None], jnp.ones((1, self.size, 1), bool))
        movable = self._slidable(states) & geometry.movable
        slides = self.board.members(movable & ~self.board.cut_tiles(geometry, movable)) & (phase == ACT)
        slide_start = start & jnp.where(slides[..., None], ~U32(0), U32(0))
        targets = self.board.reach(filled[:, None] & ~start, slide_start) & ~start
        own = self._player_tile(states.turn)[:, None] == jnp.arange(self.size, dtype=U32)
        places = own & (phase == PLACE)
        targets |= jnp.where(places[..., None], self.board.rims(filled)[0][:, None], U32(0))
        if self.seats == 1:
            jumps = own & (phase == JUMP)
            landings = self._landings(states, geometry, filled, start[:, self.tiles])
            targets |= jnp.where(jumps[..., None], landings[:, None], U32(0))
        return targets

    def _lower_neighbours(self, states: States, geometry: Geometry) -> Array:
        """Return the lower tiles that touch each of the cells at all sides of all tiles, (N, 6 * tile + side)."""
        q, r = states.q.astype(I32), states.r.astype(I32)
        across = q[:, None, None, :] - (q[:, :, None] + jnp.array(STEP_Q))[..., None]
        down = r[:, None, None, :] - (r[:, :, None] + jnp.array(STEP_R))[..., None]
        beside = self.board.tile_set(are_neighbours(across, down)) & geometry.placed[:, None, None]
        lower: Array = beside & ((U32(1) << jnp.arange(self.size, dtype=U32)) - 1)[:, None]
        return lower.reshape(-1, self.size * SIDES)

    # Random moves.

    def pick(self, states: States, bits: Array) -> Array:
        """Draw slots until one stands for a move: all moves are equally likely."""
        geometry = self._geometry(states)
        over = self.over(states)
        tile, cell, _ = self._draw_valid(self._move_slots(states, geometry, bits), over)
        flipped = over | (cell == self.board.cell_bits)
        move = jnp.where(flipped, tile, self._put_move(geometry, tile, cell))
        return jnp.where(over, 0, move).astype(I32)

    def _move_slots(self, states: States, geometry: Geometry, bits: Array) -> MoveSlots:
        """Return one slot for each flip, and for each tile that can slide as many as empty cells touch the rest."""
        acts = states.phase == ACT
        filled = self._filled(geometry)
        rim, touching_one = self.board.rims(filled)
        targets = rim
        if self.seats == 1:
            landings = self._landings(states, geometry, filled, self._solo_cell(geometry))
            targets = jnp.where((states.phase == JUMP)[:, None], landings, rim)
        flips = jnp.where(acts, self._flippable(states, geometry), U32(0))
        movable = self._slidable(states) & geometry.movable
        slides = movable & ~self.board.cut_tiles(geometry, movable)
        puts = jnp.where(acts, slides, U32(1) << self._player_tile(states.turn))
        # Empty cells that touch this tile alone are not beside the patch without it.
        exclusive = self.board.contains(touching_one, self.board.adjacent_cells(geometry))
        exclusive = exclusive.reshape(-1, self.size, SIDES).sum(axis=-1, dtype=U32)
        slots = jnp.where(acts[:, None], count_cells(rim)[:, None] - exclusive, count_cells(targets)[:, None])
        slots = jnp.where(self.board.members(puts), slots, U32(0))
        ends = jnp.cumsum(slots, axis=1, dtype=U32)
        return MoveSlots(bits, acts, filled, targets, geometry.cells, flips, slots, ends)

    def _draw_valid(self, slots: MoveSlots, over: Array) -> DrawnMove:
        """Draw a slot in each game, and again in games that are not over until the slot stands for a move."""
        games = over.shape[0]
        redrawn = games if games < SMALL_BATCH else games // REDRAW_SHARES

        def redraw(loop: tuple[Array, DrawnMove]) -> tuple[Array, DrawnMove]:
            attempt, drawn = loop
            where = jnp.nonzero(~drawn.valid, size=redrawn, fill_value=games)[0]
            some = self._draw(MoveSlots(*[jnp.take(part, where, axis=0, mode="clip") for part in slots]), attempt)
            return attempt + 1, DrawnMove(
                *[old.at[where].set(new, mode="drop") for old, new in zip(drawn, some, strict=True)]
            )

        first = self._draw(slots, U32(1))
        first = first._replace(valid=first.valid | over)
        return lax.while_loop(lambda loop: ~jnp.all(loop[1].valid), redraw, (U32(2), first))[1]

    def _draw(self, slots: MoveSlots, attempt: Array) -> DrawnMove:
        """Draw a slot in each game."""
        flips = count(slots.flips)
        slot = _below(jax_bits.mix(slots.bits ^ jax_bits.mix(attempt * GOLDEN)), flips + slots.ends[:, -1])
        flipping = slot < flips
        put_slot = slot - flips
        tile = jnp.minimum((slots.ends <= put_slot[:, None]).sum(axis=1, dtype=U32), self.size - 1)
        tile_slot = put_slot - (select(slots.ends, tile) - select(slots.slots, tile))
        start = self.board.bitboard(select(slots.cells, tile)[:, None], (slots.acts & ~flipping)[:, None])
        reached = self.board.reach(slots.filled & ~start, start) & ~start
        reached = jnp.where(slots.acts[:, None], reached, slots.targets)
        return DrawnMove(
            tile=jnp.where(flipping, jax_bits.nth(slots.flips, slot), tile),
            cell=jnp.where(flipping, U32(self.board.cell_bits), nth_cell(reached, tile_slot)),
            valid=flipping | (tile_slot < count_cells(reached)),
        )

    def _put_move(self, geometry: Geometry, tile: Array, cell: Array) -> Array:
        """Return the move that puts a tile on an empty cell."""
        cells = self.board.adjacent_cells(geometry).reshape(-1, self.size, SIDES)
        others = self.board.members(geometry.placed & ~(U32(1) << tile))[..., None]
        touches = (cells == cell[:, None, None]) & others
        codes = jnp.arange(self.size * SIDES, dtype=U32).reshape(self.size, SIDES)
        code = jnp.where(touches, codes, U32(self.size * SIDES)).min(axis=(-1, -2))
        return self.tiles + tile * (self.size * SIDES) + code

    # Effects of moves.

    def step(self, states: States, moves: Array) -> States:
        over, places = self.over(states), states.phase == PLACE
        last_placed = places & (states.turn + 1 == self.seats)
        moved = self._move_tile(states, moves.astype(U32), places)
        # FS-5 Seats place in order; then seat 0 takes the first turn.
        moved = moved._replace(
            phase=jnp.where(last_placed, ACT, states.phase).astype(U8),
            turn=jnp.where(places, jnp.where(last_placed, 0, states.turn + 1), states.turn).astype(U8),
        )
        geometry = self._geometry(moved)
        rainbow = self._rainbow(self._chains(moved, geometry))
        acted = ~places & ~over
        if self.seats == 1:
            return keep_finished(over, states, self._after_solo_step(moved, geometry, rainbow, acted))
        return keep_finished(over, states, self._after_action(moved, geometry, rainbow, acted, last_placed))

    def _move_tile(self, states: States, move: Array, places: Array) -> States:
        """Flip a tile or put it on a cell."""
        flips = move < self.tiles
        code = move - self.tiles
        tile = jnp.where(flips, move, code // (self.size * SIDES))
        beside, side = code // SIDES % self.size, code % SIDES
        put = ~flips[:, None] & (tile[:, None] == jnp.arange(self.size, dtype=U32))
        old_q, old_r = select(states.q, tile), select(states.r, tile)
        new_q = select(states.q, beside) + jnp.array(STEP_Q, jnp.int16)[side]
        new_r = select(states.r, beside) + jnp.array(STEP_R, jnp.int16)[side]
        hidden, face = self._reveal(states.hidden, states.face, tile, flips, _random(states.seed, states.counter))
        colour_tile = tile < self.tiles
        old_cell = jnp.stack([old_q, old_r, jnp.ones_like(old_q)], axis=-1)
        solo_tile_moved = ~flips & ~places & ~colour_tile & (self.seats == 1)
        return states._replace(
            q=jnp.where(put, new_q[:, None], states.q),
            r=jnp.where(put, new_r[:, None], states.r),
            face=face,
            hidden=hidden,
            up=states.up | jnp.where(flips, U32(1) << tile, U32(0)),
            slid=states.slid | jnp.where(~flips & ~places & colour_tile, U32(1) << tile, U32(0)),
            previous=jnp.where(solo_tile_moved[:, None], old_cell, states.previous),
            # FS-16 The start of a turn before a flip cannot recur.
            since=jnp.where(flips, states.turns + 1, states.since),
            counter=states.counter + GOLDEN,
        )

    def _after_action(self, states: States, geometry: Geometry, rainbow: Array, acted: Array, placed: Array) -> States:
        """End the turn or the game after an action, and start the first turn after the last placement."""
        states = states._replace(actions=states.actions + acted.astype(U8))
        # FS-13 A rainbow that touches the acting player's tile wins at once.
        won = acted & (rainbow & select(geometry.touching[:, self.tiles :], states.turn) != 0)
        states = finish(states, won, states.turn)
        flippable = self._flippable(states, geometry)
        cut_tiles = self.board.cut_tiles(geometry, jnp.where(flippable == 0, geometry.movable, U32(0)))
        can_slide = geometry.movable & ~cut_tiles

        def has_legal_action(states: States) -> Array:
            return (flippable | self._slidable(states) & can_slide) != 0

        def end_turns(loop: tuple[States, Array]) -> tuple[States, Array]:
            states, ends = loop
            states, started = self._end_turn(states, geometry, rainbow, ends, placed)
            return states, started & ~has_legal_action(states)

        # FS-6 A turn ends after two actions, or without a legal action.
        ends = acted & ~won & ((states.actions == ACTIONS_PER_TURN) | ~has_legal_action(states))
        return lax.while_loop(lambda loop: jnp.any(loop[1]), end_turns, (states, ends | placed))[0]

    def _end_turn(
        self, states: States, geometry: Geometry, rainbow: Array, which: Array, placed: Array
    ) -> tuple[States, Array]:
        """End the turn in some games, except after the last placement; return also where the next turn has started."""
        ends = which & ~placed
        # FS-14 The first player in turn order whose tile touches a rainbow wins.
        winner = jnp.full_like(states.turn, NO_WINNER)
        for after in range(self.seats - 1, 0, -1):
            seat = (states.turn + after) % self.seats
            touched = rainbow & select(geometry.touching[:, self.tiles :], seat) != 0
            winner = jnp.where(touched, seat, winner).astype(U8)
        states = finish(states, ends & (winner != NO_WINNER), winner)
        ends &= winner == NO_WINNER
        # FS-11 Tiles slid this turn are barred in the next turn; an empty turn bars none.
        states = states._replace(
            turns=states.turns + ends.astype(U8),
            turn=jnp.where(ends, (states.turn + 1) % self.seats, states.turn).astype(U8),
            actions=jnp.where(ends, 0, states.actions).astype(U8),
            barred=jnp.where(ends, states.slid, states.barred),
            slid=jnp.where(ends, U32(0), states.slid),
        )
        # FS-16 The third repetition is a draw, and so is the end of the 200th turn.
        states = self._record_turn_start(states, ends | (which & placed))
        drawn = ends & ((states.stood == REPETITION_LIMIT) | (states.turns == MAX_TURNS))
        return finish(states, drawn, jnp.full_like(states.turn, NO_WINNER)), ends & ~drawn

    def _record_turn_start(self, states: States, which: Array) -> States:
        """FS-16 Record the position at the start of a turn in some games and count how often it has occurred."""
        tile = jnp.arange(self.size, dtype=U32)
        barred = jnp.where(self.board.members(states.barred), U32(BARRED), U32(0))[:, : self.tiles]
        players = jnp.broadcast_to(PLAYER + tile[: self.seats], (states.turn.shape[0], self.seats))
        kinds = jnp.concatenate([states.face.astype(U32) | barred, players], axis=-1)
        cells = (states.q.astype(U32) & 0xFFFF) << 16 | states.r.astype(U32) & 0xFFFF
        turns = jnp.arange(MAX_TURNS + 1)
        same = (turns >= states.since[:, None]) & (turns < states.turns[:, None])
        here = which[:, None] & (turns == states.turns[:, None])
        hashes = []
        for recorded, seed in zip(states.hashes, HASH_SEEDS, strict=True):
            mixed = jax_bits.mix(cells ^ jax_bits.mix(kinds + U32(seed)))
            tiles_hash = lax.reduce(mixed, U32(0), lax.bitwise_xor, (1,))
            turn_hash = tiles_hash ^ jax_bits.mix(states.turn.astype(U32) + U32(seed))
            same &= recorded == turn_hash[:, None]
            hashes.append(jnp.where(here, turn_hash[:, None], recorded))
        stood = 1 + same.sum(axis=-1)
        return states._replace(hashes=tuple(hashes), stood=jnp.where(which, stood, states.stood).astype(U8))

    def _after_solo_step(self, states: States, geometry: Geometry, rainbow: Array, acted: Array) -> States:
        """Solo: end or continue the turn after its first step or its jump."""
        states = states._replace(slid=jnp.zeros_like(states.slid))
        no_winner = jnp.full_like(states.turn, NO_WINNER)
        # FS-24 Flipping the last clover loses; FS-23 a rainbow that touches the player tile wins.
        lost = acted & (states.hidden == 0)
        won = acted & ~lost & (rainbow & geometry.touching[:, self.tiles] != 0)
        goes_on = acted & ~lost & ~won
        states = finish(finish(states, lost, no_winner), won, jnp.zeros_like(states.turn))
        jumped = goes_on & (states.phase == JUMP)
        turns = states.turns + jumped.astype(U8)
        at_limit = jumped & (turns == MAX_TURNS)
        movable = self._slidable(states) & geometry.movable
        has_step = (self._flippable(states, geometry) | movable & ~self.board.cut_tiles(geometry, movable)) != 0
        must_jump = goes_on & ~at_limit & ~(jumped & has_step)
        # FS-22 A player tile that cannot jump loses.
        landings = self._landings(states, geometry, self._filled(geometry), self._solo_cell(geometry))
        stuck = must_jump & (count_cells(landings) == 0)
        phase = jnp.where(must_jump, JUMP, jnp.where(jumped, ACT, states.phase)).astype(U8)
        states = states._replace(turns=turns, phase=phase)
        return finish(states, at_limit | stuck, no_winner)

    def _chains(self, states: States, geometry: Geometry) -> Chains:
        face = states.face.astype(U32)
        touching = geometry.touching[:, : self.tiles]
        hues = [self.board.tile_set(face == hue) for hue in range(HUES)]
        runs = (face != HIDDEN).astype(U32)
        for direction in (1, -1):
            beside = jnp.zeros_like(touching)
            for hue in range(HUES):
                if 0 <= hue + direction < HUES:
                    beside = jnp.where(face == hue, touching & hues[hue + direction][:, None], beside)
            ends = states.up
            for _ in range(HUES - 1):
                longer = beside & ends[:, None] != 0
                ends = self.board.tile_set(longer)
                runs += longer
        return Chains(runs, hues[0])

    def _rainbow(self, chains: Chains) -> Array:
        """FS-12, FS-17 Return the tiles of rainbows that win for a player tile touching one of them, as bits."""
        tiles = self.board.tile_set(chains.runs == HUES)
        return tiles & chains.red if self.red_start else tiles

    # Observations.

    def observe(self, states: States, seat: Array, numbers: int | None = None) -> Array:
        geometry = self._geometry(states)
        me = jnp.broadcast_to(jnp.asarray(seat, I32), states.turn.shape)
        order = (me[:, None] + jnp.arange(self.seats)) % self.seats
        coordinates = self._coordinates(states, geometry, order)
        hidden = [count(states.hidden >> (self.sets * hue) & ((1 << self.sets) - 1)) for hue in range(HUES)]
        parts = [
            self._turn_features(states, me),
            states.face,
            self.board.members(states.barred)[:, : self.tiles],
            self.board.members(states.slid)[:, : self.tiles],
            *[axis[:, : self.tiles] for axis in coordinates],
            *[axis[:, self.tiles : self.size] for axis in coordinates],
            *[axis[:, self.size :] for axis in coordinates],
            jnp.take_along_axis(self._run_lengths(states, geometry), order, axis=1),
            jnp.stack(hidden, axis=-1),
        ]
        return jnp.concatenate([part.astype(U8) for part in parts], axis=-1)[:, :numbers]

    def _turn_features(self, states: States, me: Array) -> Array:
        """Return the features my_turn, phase, turn, actions_left, turns and stood."""
        turn = states.turn.astype(I32)
        actions_left = 1 if self.seats == 1 else ACTIONS_PER_TURN - states.actions.astype(I32)
        features = [
            (states.phase != OVER) & (turn == me),
            states.phase,
            (turn - me) % self.seats,
            jnp.where(states.phase == ACT, actions_left, 0),
            states.turns,
            states.stood,
        ]
        return jnp.stack([feature.astype(U8) for feature in features], axis=-1)

    def _coordinates(self, states: States, geometry: Geometry, order: Array) -> list[Array]:
        """Return q and r of the colour tiles, of the player tiles in the given order, and of the previous cell."""
        colour_tiles = jnp.broadcast_to(jnp.arange(self.tiles), (order.shape[0], self.tiles))
        tiles = jnp.concatenate([colour_tiles, self.tiles + order], 1)
        known = jnp.take_along_axis(self.board.members(geometry.placed), tiles, axis=1)
        known = jnp.concatenate([known, states.previous[:, 2:] == 1], axis=1)
        coordinates = []
        for axis, cells in enumerate((states.q, states.r)):
            previous = states.previous[:, axis : axis + 1]
            numbers = jnp.concatenate([jnp.take_along_axis(cells, tiles, axis=1), previous], axis=1)
            lowest = jnp.where(known, numbers, np.int16(0x7FFF)).min(axis=1, keepdims=True)
            coordinates.append(jnp.where(known, numbers - lowest, NO_CELL))
        return coordinates

    def _run_lengths(self, states: States, geometry: Geometry) -> Array:
        """Return the length of the longest run beside each player tile, by seat."""
        chains = self._chains(states, geometry)
        beside = geometry.touching[:, self.tiles :] & (chains.red if self.red_start else states.up)[:, None]
        return jnp.where(self.board.members(beside)[..., : self.tiles], chains.runs[:, None], U32(0)).max(axis=-1)

    def setup(self, history: States) -> Setup:
        hidden = int(history.hidden[-1])
        left = [hue for hue in range(HUES) for n in range(self.sets) if hidden >> (self.sets * hue + n) & 1]
        faces = [int(hue) if hue != HIDDEN else left.pop() for hue in history.face[-1]]
        cells = [f"{q},{r}" for q, r in spiral(self.tiles)]
        return {
            "tiles": [[cell, COLOURS[hue]] for cell, hue in zip(cells, faces, strict=True)],
            "up": [cell for tile, cell in enumerate(cells) if int(history.up[0]) >> tile & 1],
        }


def _random(seed: Array, counter: Array) -> Array:
    return jax_bits.mix(seed ^ jax_bits.mix(counter))


def _below(bits: Array, limit: Array) -> Array:
    """Return numbers below limits of at most 16 bits, from 32 random bits each."""
    return ((bits >> 16) * limit + ((bits & 0xFFFF) * limit >> 16)) >> 16
