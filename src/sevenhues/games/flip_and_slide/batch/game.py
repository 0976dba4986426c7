"""Flip & Slide for many games at once, in JAX. Its answers are those of `rules`.

No seat knows the colours under clovers, so a colour is drawn when a tile is flipped. `batch.board` computes adjacency,
slides and jumps; an edge is a side of a tile, 6 * tile + side.
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
    NOT_PLACED,
    SPACING,
    BatchBoard,
    Geometry,
    geometry_of,
    select,
    take,
)
from sevenhues.games.flip_and_slide.batch.observations import BatchObservations
from sevenhues.games.flip_and_slide.batch.states import NO_WINNER, U8, States, finish
from sevenhues.games.flip_and_slide.encoders import HIDDEN
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

HASH_SEEDS = (0x2545F491, 0x5851F42D)  # one for each of the two words of a hash


class Chains(NamedTuple):
    """FS-12 The chains of successive colours."""

    runs: Array  # by colour tile, the length of the longest run that it is part of
    red: Array  # red tiles that are face up, as bits


class FlipAndSlideBatch(BatchGame):
    """Batched Flip & Slide."""

    def __init__(self, seats: int, options: Options) -> None:
        self.seats = seats
        self.sets = SETS[seats]
        self.tiles = self.sets * HUES
        self.size = self.tiles + seats
        self.move_count = move_count(seats)
        self.observations = BatchObservations(seats)
        self.width = self.observations.width
        self.red_start = bool(options["red_start"])
        self.board = BatchBoard(seats, bool(options["short_slides"]))
        # By move: the edge beside its cell, or for a flip the number after the last edge; and its tile.
        flips, puts = np.arange(self.tiles), np.arange(self.move_count - self.tiles)
        self.move_words = np.concatenate([np.full_like(flips, self.board.edges), puts % self.board.edges])
        self.move_tiles = np.concatenate([flips, puts // self.board.edges]).astype(np.uint32)

    def init(self, keys: Array) -> States:
        return self.deal(*jax_bits.seeds(keys))

    def deal(self, low: Array, high: Array) -> States:
        counter, seed = low, high
        games = seed.shape[0]
        zeros = jnp.zeros(games, U32)
        cells = spiral(self.tiles) + [(NOT_PLACED + SPACING * seat, 0) for seat in range(self.seats)]
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
            geometry=Geometry(*[jnp.broadcast_to(word, (games, self.size)) for word in geometry_of(cells)]),
            face=face,
            hidden=hidden,
            runs=jnp.zeros((games, self.seats), U8),
            up=up,
            cut=zeros,
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

    def _flippable(self, states: States) -> Array:
        """FS-7 Return the clovers with an open edge, as bits."""
        has_open_edge = self.board.sides(states.geometry) != ALL_SIDES
        tiles: Array = self.board.tile_set(has_open_edge) & ~states.up & U32((1 << self.tiles) - 1)
        return tiles

    def _slidable(self, up: Array, barred: Array, turn: Array) -> Array:
        """FS-8, FS-11 Return the tiles that a seat may slide, as bits; FS-9 and FS-10 are not checked."""
        tiles: Array = (up & ~barred) | U32(1) << self._player_tile(turn)
        return tiles

    def _free(self, states: States) -> Array:
        """FS-9, FS-10 Return the tiles that can slide somewhere, as bits; whether they may is not checked."""
        tiles: Array = self.board.movable(states.geometry) & ~states.cut
        return tiles

    def _jumps(self, states: States) -> tuple[Array, Array, Array]:
        """FS-20 Return by side whether the solo player tile can jump, and the coordinates where it lands."""
        can_jump, edges = self.board.jumps(states.geometry, self.tiles)
        tile, side = edges // SIDES, edges % SIDES
        q = take(states.q, tile) + jnp.array(STEP_Q, jnp.int16)[side]
        r = take(states.r, tile) + jnp.array(STEP_R, jnp.int16)[side]
        # FS-21 It may not jump to its previous cell; FS-10 it may not split the patch.
        previous = states.previous[:, :, None]
        back = (q == previous[:, 0]) & (r == previous[:, 1]) & (previous[:, 2] == 1)
        is_cut = (states.cut >> self.tiles & 1 == 1)[:, None]
        return can_jump & ~back & ~is_cut, q, r

    # Legal moves.

    def legal(self, states: States) -> Array:
        words = jnp.concatenate([self._puts(states), self._flips(states)[:, None]], axis=1)
        return jax_bits.fields_in(words, self.move_words, self.move_tiles, 1) == 1

    def _flips(self, states: States) -> Array:
        """Return the tiles that may be flipped now, as bits."""
        return jnp.where(states.phase == ACT, self._flippable(states), U32(0))

    def _puts(self, states: States) -> Array:
        """Return by edge the tiles that may be put now on the cell at it, as bits, if that move is encoded so."""
        acts, places = states.phase == ACT, states.phase == PLACE
        tiles = self._slidable(states.up, states.barred, states.turn) & self._free(states)
        targets = self.board.slides(states.geometry) & jnp.where(acts, tiles, U32(0))[:, None]
        own = U32(1) << self._player_tile(states.turn)
        targets |= jnp.where(places, own, U32(0))[:, None]
        if self.seats == 1:
            jumps = self._lands(states) & (states.phase == JUMP)[:, None]
            targets |= jnp.where(jumps, own[:, None], U32(0))
        return targets & self.board.encodable(states.geometry)

    def _lands(self, states: States) -> Array:
        """Return by edge whether the solo player tile can jump to the cell at it."""
        can_jump, q, r = self._jumps(states)
        side = self.board.side
        cell_q = states.q.repeat(SIDES, axis=1) + jnp.array(STEP_Q, jnp.int16)[side]
        cell_r = states.r.repeat(SIDES, axis=1) + jnp.array(STEP_R, jnp.int16)[side]
        lands = (cell_q[:, :, None] == q[:, None]) & (cell_r[:, :, None] == r[:, None]) & can_jump[:, None]
        return lands.any(axis=-1)

    def pick(self, states: States, bits: Array) -> Array:
        flips, puts = self._flips(states), self._puts(states)
        of_edges = count(puts)
        ends = jnp.cumsum(of_edges.reshape(-1, self.size, SIDES).sum(axis=-1, dtype=U32), axis=1, dtype=U32)
        move = _below(bits, count(flips) + ends[:, -1])
        flipping = move < count(flips)
        # Find the put: the tile beside its cell, the side of that tile, and the tile that is put.
        left = move - count(flips)
        beside = jnp.minimum((ends <= left[:, None]).sum(axis=1, dtype=U32), self.size - 1)
        left -= jnp.where(beside > 0, select(ends, jnp.maximum(beside, 1) - 1), U32(0))
        edges = beside[:, None] * SIDES + jnp.arange(SIDES, dtype=U32)
        puts = take(puts, edges)
        ends = jnp.cumsum(count(puts), axis=1, dtype=U32)
        side = jnp.minimum((ends <= left[:, None]).sum(axis=1, dtype=U32), SIDES - 1)
        left -= select(ends, side) - count(select(puts, side))
        tile = jax_bits.nth(select(puts, side), left)
        put = self.tiles + (tile * self.size + beside) * SIDES + side
        move = jnp.where(flipping, jax_bits.nth(flips, move), put)
        return jnp.where(self.over(states), 0, move).astype(I32)

    # Effects of moves.

    def step(self, states: States, moves: Array) -> States:
        places, acted = states.phase == PLACE, (states.phase == ACT) | (states.phase == JUMP)
        last_placed = places & (states.turn + 1 == self.seats)
        moved = self._move_tile(states, moves.astype(U32), places, acted)
        # FS-5 Seats place in order; then seat 0 takes the first turn.
        moved = moved._replace(
            phase=jnp.where(last_placed, ACT, states.phase).astype(U8),
            turn=jnp.where(places, jnp.where(last_placed, 0, states.turn + 1), states.turn).astype(U8),
        )
        touching = self.board.touching(moved.geometry)
        chains = self._chains(moved, touching)
        moved = moved._replace(
            cut=self.board.cut_tiles(moved.geometry), runs=self._run_lengths(touching, chains, moved.up)
        )
        rainbow = self._rainbow(chains)
        if self.seats == 1:
            return self._after_solo_step(moved, acted, rainbow & touching[:, self.tiles] != 0)
        reached = rainbow[:, None] & touching[:, self.tiles :] != 0
        return self._after_action(moved, acted, reached, last_placed)

    def _move_tile(self, states: States, move: Array, places: Array, acted: Array) -> States:
        """Flip a tile or put it on a cell, in games that are not over."""
        flips = acted & (move < self.tiles)
        puts = places | acted & ~flips
        code = move - self.tiles
        tile = jnp.where(flips, move, code // (self.size * SIDES))
        beside, side = code // SIDES % self.size, code % SIDES
        put = puts[:, None] & (tile[:, None] == self.board.tile)
        old_q, old_r = select(states.q, tile), select(states.r, tile)
        new_q = select(states.q, beside) + jnp.array(STEP_Q, jnp.int16)[side]
        new_r = select(states.r, beside) + jnp.array(STEP_R, jnp.int16)[side]
        hidden, face = self._reveal(states.hidden, states.face, tile, flips, _random(states.seed, states.counter))
        colour_tile = tile < self.tiles
        old_cell = jnp.stack([old_q, old_r, jnp.ones_like(old_q)], axis=-1)
        solo_tile_moved = puts & ~places & ~colour_tile & (self.seats == 1)
        return states._replace(
            geometry=self.board.move(states.geometry, states.q, states.r, tile, new_q, new_r, puts),
            q=jnp.where(put, new_q[:, None], states.q),
            r=jnp.where(put, new_r[:, None], states.r),
            face=face,
            hidden=hidden,
            up=states.up | jnp.where(flips, U32(1) << tile, U32(0)),
            slid=states.slid | jnp.where(puts & ~places & colour_tile, U32(1) << tile, U32(0)),
            previous=jnp.where(solo_tile_moved[:, None], old_cell, states.previous),
            # FS-16 The start of a turn before a flip cannot recur.
            since=jnp.where(flips, states.turns + 1, states.since),
            counter=jnp.where(places | acted, states.counter + GOLDEN, states.counter),
        )

    def _after_action(self, states: States, acted: Array, reached: Array, placed: Array) -> States:
        """End the turn or the game after an action, and start the first turn after the last placement.

        `reached` are the seats whose player tile touches a rainbow.
        """
        states = states._replace(actions=states.actions + acted.astype(U8))
        # FS-13 A rainbow that touches the acting player's tile wins at once.
        won = acted & select(reached, states.turn)
        # FS-6 A turn ends after two actions, or without a legal action.
        can_act = self._can_act(states, states.turn[:, None], states.barred[:, None])[:, 0]
        ends = acted & ~won & ((states.actions == ACTIONS_PER_TURN) | ~can_act)
        # FS-14 The first player in turn order whose tile touches a rainbow wins.
        winner = jnp.full_like(states.turn, NO_WINNER)
        for after in range(self.seats - 1, 0, -1):
            seat = (states.turn + after) % self.seats
            winner = jnp.where(select(reached, seat), seat, winner).astype(U8)
        decided = ends & (winner != NO_WINNER)
        states = finish(states, won | decided, jnp.where(won, states.turn, winner))
        return self._start_turns(states, ends & ~decided, placed)

    def _can_act(self, states: States, seats: Array, barred: Array) -> Array:
        """FS-6 Return whether seats, several in each game, have a legal action."""
        slides = self._slidable(states.up[:, None], barred, seats) & self._free(states)[:, None]
        return (self._flippable(states)[:, None] | slides) != 0

    def _start_turns(self, states: States, ends: Array, placed: Array) -> States:
        """Start the next turn where one ends, and the turns after it while they are empty; start turn 0 where placed.

        An empty turn changes nothing but the barred tiles. So all turns that can follow are computed at once: at the
        latest, each seat meets the position without barred tiles for the third time.
        """
        nth = np.arange(1, 3 + self.seats * (REPETITION_LIMIT - 1))
        turns = states.turns.astype(I32)[:, None] + nth
        seats = turns % self.seats
        # FS-11 Tiles slid this turn are barred in the next turn; an empty turn bars none.
        none = jnp.zeros_like(states.slid)
        barred = jnp.where(nth == 1, states.slid[:, None], U32(0))
        after_slides, after_empty = self._hashes(states, states.slid), self._hashes(states, none)
        # FS-16 The third repetition is a draw, and so is the end of the 200th turn.
        recorded = jnp.where(
            nth == 1,
            self._times_recorded(states, after_slides)[:, None],
            self._times_recorded(states, after_empty)[:, None],
        )
        recorded = recorded >> 8 * seats.astype(U32) & 0xFF
        # The first turn is the same position as later ones of its seat if it has no barred tiles either.
        like_first = (barred[:, :1] == 0) & (nth > 1) & (nth % self.seats == 1)
        stood = 1 + recorded + np.maximum(nth - 2, 0) // self.seats + like_first
        drawn = (stood == REPETITION_LIMIT) | (turns == MAX_TURNS)
        last = jnp.argmax(drawn | self._can_act(states, seats, barred), axis=1)
        started = last.astype(I32) + 1
        first_slot = states.turns.astype(I32) + ~placed
        last_slot = states.turns.astype(I32) + jnp.where(placed, 0, started)
        slot = np.arange(MAX_TURNS + 1)
        here = (ends | placed)[:, None] & (slot >= first_slot[:, None]) & (slot <= last_slot[:, None])
        empty = slot != states.turns.astype(I32)[:, None] + 1
        hashes = [
            jnp.where(here, jnp.where(empty, of_empty[:, None], of_slides[:, None]), old)
            for old, of_slides, of_empty in zip(states.hashes, after_slides, after_empty, strict=True)
        ]
        stood = jnp.where(placed, 1, jnp.where(ends, select(stood, last), states.stood))
        drawn = ends & select(drawn, last)
        states = states._replace(
            turns=jnp.where(ends, select(turns, last), states.turns).astype(U8),
            turn=jnp.where(ends, select(seats, last), states.turn).astype(U8),
            actions=jnp.where(ends, 0, states.actions).astype(U8),
            barred=jnp.where(ends, select(barred, last), states.barred),
            slid=jnp.where(ends, U32(0), states.slid),
            stood=stood.astype(U8),
            hashes=tuple(hashes),
        )
        return finish(states, drawn, jnp.full_like(states.turn, NO_WINNER))

    def _hashes(self, states: States, barred: Array) -> list[Array]:
        """FS-16 Return two hashes of the cells and contents of all tiles."""
        bars = jnp.where(self.board.members(barred), U32(BARRED), U32(0))[:, : self.tiles]
        players = jnp.broadcast_to(PLAYER + self.board.tile[: self.seats], (states.turn.shape[0], self.seats))
        kinds = jnp.concatenate([states.face.astype(U32) | bars, players], axis=-1)
        cells = (states.q.astype(U32) & 0xFFFF) << 16 | states.r.astype(U32) & 0xFFFF
        mixed = [jax_bits.mix(cells ^ jax_bits.mix(kinds + U32(seed))) for seed in HASH_SEEDS]
        return [lax.reduce(tiles, U32(0), lax.bitwise_xor, (1,)) for tiles in mixed]

    def _times_recorded(self, states: States, hashes: list[Array]) -> Array:
        """Return how many turns of each seat since the last flip started with some hashes, 8 bits for each seat."""
        turn = np.arange(MAX_TURNS + 1)
        same = (turn >= states.since[:, None]) & (turn <= states.turns[:, None])
        for recorded, some in zip(states.hashes, hashes, strict=True):
            same &= recorded == some[:, None]
        of_seat = np.uint32(1) << (8 * (turn % self.seats)).astype(np.uint32)
        return jnp.where(same, of_seat, U32(0)).sum(axis=1, dtype=U32)

    def _after_solo_step(self, states: States, acted: Array, reached: Array) -> States:
        """Solo: end or continue the turn after its first step or its jump.

        `reached` says whether the player tile touches a rainbow.
        """
        states = states._replace(slid=jnp.zeros_like(states.slid))
        no_winner = jnp.full_like(states.turn, NO_WINNER)
        # FS-24 Flipping the last clover loses; FS-23 a rainbow that touches the player tile wins.
        lost = acted & (states.hidden == 0)
        won = acted & ~lost & reached
        goes_on = acted & ~lost & ~won
        states = finish(finish(states, lost, no_winner), won, jnp.zeros_like(states.turn))
        jumped = goes_on & (states.phase == JUMP)
        turns = states.turns + jumped.astype(U8)
        at_limit = jumped & (turns == MAX_TURNS)
        has_step = self._can_act(states, states.turn[:, None], states.barred[:, None])[:, 0]
        must_jump = goes_on & ~at_limit & ~(jumped & has_step)
        # FS-22 A player tile that cannot jump loses.
        stuck = must_jump & ~self._jumps(states)[0].any(axis=1)
        phase = jnp.where(must_jump, JUMP, jnp.where(jumped, ACT, states.phase)).astype(U8)
        states = states._replace(turns=turns, phase=phase)
        return finish(states, at_limit | stuck, no_winner)

    def _chains(self, states: States, touching: Array) -> Chains:
        hues = np.arange(-1, HUES + 1)
        of_hue = self.board.tile_set(states.face[:, None] == hues[:, None])
        of_hue = jnp.where((hues >= 0) & (hues < HUES), of_hue, U32(0))
        face = states.face.astype(I32)
        up = states.face != HIDDEN
        # By direction and tile: the tiles beside it of the hue before or after its own.
        beside = jnp.stack([take(of_hue, face), take(of_hue, jnp.minimum(face, HUES - 1) + 2)], axis=1)
        beside &= jnp.where(up, touching[:, : self.tiles], U32(0))[:, None]
        ends = jnp.stack([states.up, states.up], axis=1)
        lengths = jnp.zeros_like(beside)
        for _ in range(HUES - 1):
            longer = beside & ends[..., None] != 0
            ends = self.board.tile_set(longer)
            lengths += longer
        return Chains(lengths.sum(axis=1, dtype=U32) + up, of_hue[:, 1])

    def _rainbow(self, chains: Chains) -> Array:
        """FS-12, FS-17 Return the tiles of rainbows that win for a player tile touching one of them, as bits."""
        tiles = self.board.tile_set(chains.runs == HUES)
        return tiles & chains.red if self.red_start else tiles

    def _run_lengths(self, touching: Array, chains: Chains, up: Array) -> Array:
        """Return the length of the longest run beside each player tile, by seat."""
        beside = touching[:, self.tiles :] & (chains.red if self.red_start else up)[:, None]
        lengths = jnp.where(self.board.members(beside)[..., : self.tiles], chains.runs[:, None], U32(0))
        return lengths.max(axis=-1).astype(U8)

    def observe(self, states: States, seat: Array, numbers: int | None = None) -> Array:
        return self.observations.observe(states, seat, numbers)

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
