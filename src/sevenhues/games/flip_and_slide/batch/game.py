"""Flip & Slide for many games at once, in JAX: a twin of `rules`, which stays the law.

Nobody knows what lies under a clover, so colours are drawn when tiles are turned. `batch_meadow` tells what touches
what, and where a tile can slide.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from sevenhues.batch import jax_bits
from sevenhues.batch.contract import BatchGame
from sevenhues.batch.jax_bits import GOLDEN, U32, count
from sevenhues.core.game import Setup
from sevenhues.core.options import Options
from sevenhues.games.flip_and_slide.batch.board import I32, Ground, Meadow, cells_of, neighbours, nth_cell, one_of
from sevenhues.games.flip_and_slide.geometry import STEP_Q, STEP_R, spiral
from sevenhues.games.flip_and_slide.pieces import (
    ACTIONS,
    COLOURS,
    FIRST_UP,
    HUES,
    MOST_TURNS,
    SETS,
    SIDES,
    THIRD_TIME,
    move_count,
)
from sevenhues.games.flip_and_slide.repetition import BARRED, PLAYER
from sevenhues.games.flip_and_slide.rules import (
    ACT,
    JUMP,
    OVER,
    PLACE,
)
from sevenhues.games.flip_and_slide.view import HIDDEN, OFF, layout

NOBODY_WON = 7
FEW = 512  # games of which all draw again if some must; of more, a share at a time
SHARE = 8
HASHED = (0x2545F491, 0x5851F42D)  # what the two words of a hash begin with


class States(NamedTuple):
    """Many games; cells count from the first tile's of the deal."""

    q: Array  # by tile, as in pieces; those of players who have not placed theirs mean nothing
    r: Array
    face: Array  # by colour tile: its colour, or HIDDEN
    hidden: Array  # colours under clovers: bit sets * hue + n
    up: Array  # tiles as bits
    slid: Array
    barred: Array
    phase: Array
    turn: Array
    actions: Array
    turns: Array
    previous: Array  # FS-21 q and r, and 1 if there is one
    winner: Array
    stood: Array
    since: Array  # the first turn that started after the last flip
    hashes: tuple[Array, ...]  # FS-16 of the start of each turn
    seed: Array
    drawn: Array


class Chains(NamedTuple):
    """FS-12 How the colours of the rainbow follow one another."""

    runs: Array  # by colour tile, the longest run that it is part of
    red: Array  # tiles that show red, as bits


class Drum(NamedTuple):
    """The lots from which a random move is drawn: one a flip, and some for each tile that can be put elsewhere."""

    bits: Array
    acts: Array  # where tiles slide; elsewhere the player tile is placed, or jumps
    filled: Array  # boards: where tiles lie
    elsewhere: Array  # and where a player tile may be placed or jump to
    at: Array  # by tile, its cell
    flips: Array  # tiles as bits
    lots: Array  # by tile, how many
    ends: Array  # by tile, how many it and all before it have


class Drawn(NamedTuple):
    """A lot that was drawn: a tile, its cell or for a flip none of the board, and whether it stands for a move."""

    tile: Array
    cell: Array
    found: Array


class FlipAndSlideBatch(BatchGame):
    """Flip & Slide, batched."""

    def __init__(self, seats: int, options: Options) -> None:
        self.seats = seats
        self.sets = SETS[seats]
        self.tiles = self.sets * HUES
        self.size = self.tiles + seats
        self.move_count = move_count(seats)
        self.width = sum([feature.size for feature in layout(seats)])
        self.red_start = bool(options["red_start"])
        self.meadow = Meadow(seats, bool(options["short_slides"]))

    def init(self, keys: Array) -> States:
        return self.deal(*jax_bits.seeds(keys))

    def deal(self, low: Array, high: Array) -> States:
        drawn, seed = low, high
        many = seed.shape[0]
        none = jnp.zeros(many, U32)
        spots = spiral(self.tiles) + [(0, 0)] * self.seats
        hidden = none + ((1 << self.tiles) - 1)
        up = none
        face = jnp.full((many, self.tiles), HIDDEN, jnp.uint8)
        # FS-4 Four tiles picked at random are turned to their colour.
        for at in range(0 if self.seats == 1 else FIRST_UP):
            tile = jax_bits.nth(
                ~up & ((1 << self.tiles) - 1), jax_bits.below(_random(seed, drawn), U32(self.tiles - at))
            )
            up |= U32(1) << tile
            hidden, face = self._turned(hidden, face, tile, none == 0, _random(seed, drawn + GOLDEN))
            drawn += U32(2) * GOLDEN
        zero = none.astype(jnp.uint8)
        return States(
            q=jnp.broadcast_to(jnp.array([q for q, _ in spots], jnp.int16), (many, self.size)),
            r=jnp.broadcast_to(jnp.array([r for _, r in spots], jnp.int16), (many, self.size)),
            face=face,
            hidden=hidden,
            up=up,
            slid=none,
            barred=none,
            phase=zero + PLACE,
            turn=zero,
            actions=zero,
            turns=zero,
            previous=jnp.zeros((many, 3), jnp.int16),
            winner=zero + NOBODY_WON,
            stood=zero,
            since=zero,
            hashes=tuple([jnp.zeros((many, 0 if self.seats == 1 else MOST_TURNS + 1), U32) for _ in HASHED]),
            seed=seed,
            drawn=drawn,
        )

    def _turned(self, hidden: Array, face: Array, tile: Array, which: Array, bits: Array) -> tuple[Array, Array]:
        """Draw what lies under a clover."""
        at = jax_bits.nth(hidden, jax_bits.below(bits, count(hidden)))
        left = jnp.where(which, hidden & ~(U32(1) << at), hidden)
        turns = which[:, None] & (tile[:, None] == jnp.arange(self.tiles, dtype=U32))
        return left, jnp.where(turns, (at // self.sets).astype(jnp.uint8)[:, None], face)

    def turn(self, states: States) -> Array:
        return states.turn.astype(I32)

    def over(self, states: States) -> Array:
        return states.phase == OVER

    def scores(self, states: States) -> Array:
        return (states.winner[:, None] == jnp.arange(self.seats)).astype(I32)

    def values(self, states: States) -> Array:
        drawn = 1 / self.seats if self.seats > 1 else 0.0
        shares = jnp.where((states.winner == NOBODY_WON)[:, None], drawn, self.scores(states))
        return jnp.where(self.over(states)[:, None], shares, 0.0).astype(jnp.float32)

    def _mine(self, turn: Array) -> Array:
        return self.tiles + turn.astype(U32)

    def _ground(self, states: States) -> Ground:
        tile = jnp.arange(self.size)
        here = (tile < self.tiles) | (states.phase != PLACE)[:, None] | (tile - self.tiles < states.turn[:, None])
        return self.meadow.ground(states.q.astype(I32), states.r.astype(I32), here)

    def _flippable(self, states: States, ground: Ground) -> Array:
        """FS-7 Return the clovers with an edge that touches no tile, as bits."""
        found: Array = self.meadow.bits(ground.around != 63) & ~states.up & U32((1 << self.tiles) - 1)
        return found

    def _slidable(self, states: States) -> Array:
        """FS-8, FS-11 Return the tiles that the seat to act may slide if they can, as bits."""
        found: Array = (states.up & ~states.barred) | U32(1) << self._mine(states.turn)
        return found

    def _landings(self, states: States, ground: Ground, filled: Array, start: Array) -> Array:
        """FS-20 Return where the solo player tile can jump to."""
        found = self.meadow.landings(filled & ~start, start)
        # FS-21 It may not jump to its previous cell; FS-10 it may not break the patch apart.
        mine = U32(1) << self.tiles
        allowed = self.meadow.holding(ground, jnp.full_like(ground.here, mine)) & mine == 0
        before = states.previous.astype(I32)
        there = jnp.mod(before[:, 0] + self.meadow.row * before[:, 1], self.meadow.cells).astype(U32)
        taboo = self.meadow.board(there[:, None], before[:, 2:] == 1)
        return jnp.where(allowed[:, None], found & ~taboo, U32(0))

    # Moves.

    def legal(self, states: States) -> Array:
        ground = self._ground(states)
        every = jnp.arange(self.size, dtype=U32)
        acts = (states.phase == ACT)[:, None]
        mine = self._mine(states.turn)[:, None] == every
        # Where each tile may be put: (N, tile, words).
        filled = self.meadow.board(ground.at, self.meadow.members(ground.here))
        start = self.meadow.board(ground.at[:, :, None], jnp.ones((1, self.size, 1), bool))
        loose = self._slidable(states) & ground.loose
        slides = self.meadow.members(loose & ~self.meadow.holding(ground, loose)) & acts
        targets = (
            self.meadow.reach(filled[:, None] & ~start, start & jnp.where(slides[..., None], ~U32(0), U32(0))) & ~start
        )
        places = mine & (states.phase == PLACE)[:, None]
        targets |= jnp.where(places[..., None], self.meadow.rims(filled)[0][:, None], U32(0))
        if self.seats == 1:
            jumps = mine & (states.phase == JUMP)[:, None]
            landings = self._landings(states, ground, filled, start[:, self.tiles])
            targets |= jnp.where(jumps[..., None], landings[:, None], U32(0))
        # Each cell is named from the lowest tile beside it, but the one that is put: (N, tile, neighbour and side).
        cells, lower = self.meadow.contacts(ground), self._lower(states, ground)
        words = jnp.take_along_axis(targets, (cells >> 5)[:, None].astype(I32), axis=-1)
        there = (words >> (cells & 31)[:, None]) & 1 == 1
        first = lower[:, None] & ~(U32(1) << every)[:, None] == 0
        named = (
            there
            & first
            & (every[:, None] != jnp.repeat(every, SIDES))
            & self.meadow.members(ground.here).repeat(SIDES, 1)[:, None]
        )
        flips = self.meadow.members(self._flippable(states, ground))[:, : self.tiles] & acts
        return jnp.concatenate([flips, named.reshape(named.shape[0], -1)], axis=-1)

    def _lower(self, states: States, ground: Ground) -> Array:
        """Return, for the cells at all sides of all tiles, (N, 6 * tile + side), the lower tiles beside it, as bits."""
        q, r = states.q.astype(I32), states.r.astype(I32)
        across = q[:, None, None, :] - (q[:, :, None] + jnp.array(STEP_Q))[..., None]
        down = r[:, None, None, :] - (r[:, :, None] + jnp.array(STEP_R))[..., None]
        beside = self.meadow.bits(neighbours(across, down)) & ground.here[:, None, None]
        lower: Array = beside & ((U32(1) << jnp.arange(self.size, dtype=U32)) - 1)[:, None]
        return lower.reshape(-1, self.size * SIDES)

    def pick(self, states: States, bits: Array) -> Array:
        """Draw lots until one stands for a move: one a flip, and for each tile that can slide as many as empty cells
        touch the patch without it."""
        ground = self._ground(states)
        acts = states.phase == ACT
        filled = self.meadow.board(ground.at, self.meadow.members(ground.here))
        rim, single = self.meadow.rims(filled)
        elsewhere = rim
        if self.seats == 1:
            start = self.meadow.board(ground.at[:, self.tiles :], jnp.ones((1, 1), bool))
            jumps = self._landings(states, ground, filled, start)
            elsewhere = jnp.where((states.phase == JUMP)[:, None], jumps, rim)
        flips = jnp.where(acts, self._flippable(states, ground), U32(0))
        loose = self._slidable(states) & ground.loose
        loose = jnp.where(acts, loose & ~self.meadow.holding(ground, loose), U32(1) << self._mine(states.turn))
        around = self.meadow.contacts(ground)
        words = jnp.take_along_axis(single, (around >> 5).astype(I32), axis=1)
        alone = ((words >> (around & 31)) & 1).reshape(-1, self.size, SIDES).sum(axis=-1, dtype=U32)
        lots = jnp.where(acts[:, None], cells_of(rim)[:, None] - alone, cells_of(elsewhere)[:, None])
        lots = jnp.where(self.meadow.members(loose), lots, U32(0))
        drum = Drum(bits, acts, filled, elsewhere, ground.at, flips, lots, jnp.cumsum(lots, axis=1, dtype=U32))
        drawn = self._draw(drum, U32(1))
        games = bits.shape[0]
        few = games if games < FEW else games // SHARE

        def again(both: tuple[Array, Drawn]) -> tuple[Array, Drawn]:
            tries, drawn = both
            where = jnp.nonzero(~drawn.found, size=few, fill_value=games)[0]
            some = self._draw(Drum(*[jnp.take(part, where, axis=0, mode="clip") for part in drum]), tries)
            return tries + 1, Drawn(
                *[old.at[where].set(new, mode="drop") for old, new in zip(drawn, some, strict=True)]
            )

        drawn = drawn._replace(found=drawn.found | self.over(states))
        tile, cell, _ = lax.while_loop(lambda both: ~jnp.all(both[1].found), again, (U32(2), drawn))[1]
        flipped = self.over(states) | (cell == self.meadow.cells)
        move = jnp.where(flipped, tile, self._named(ground, tile, cell))
        return jnp.where(self.over(states), 0, move).astype(I32)

    def _draw(self, drum: Drum, tries: Array) -> Drawn:
        """Draw a lot in each game."""
        flips = count(drum.flips)
        lot = _below(jax_bits.mix(drum.bits ^ jax_bits.mix(tries * GOLDEN)), flips + drum.ends[:, -1])
        flipping = lot < flips
        slide = lot - flips
        mover = jnp.minimum((drum.ends <= slide[:, None]).sum(axis=1, dtype=U32), self.size - 1)
        place = slide - (one_of(drum.ends, mover) - one_of(drum.lots, mover))
        start = self.meadow.board(one_of(drum.at, mover)[:, None], (drum.acts & ~flipping)[:, None])
        reached = self.meadow.reach(drum.filled & ~start, start) & ~start
        reached = jnp.where(drum.acts[:, None], reached, drum.elsewhere)
        return Drawn(
            tile=jnp.where(flipping, jax_bits.nth(drum.flips, lot), mover),
            cell=jnp.where(flipping, U32(self.meadow.cells), nth_cell(reached, place)),
            found=flipping | (place < cells_of(reached)),
        )

    def _named(self, ground: Ground, tile: Array, cell: Array) -> Array:
        """Return the move that puts a tile on an empty cell."""
        cells = self.meadow.contacts(ground).reshape(-1, self.size, SIDES)
        here = self.meadow.members(ground.here & ~(U32(1) << tile))[..., None]
        fits = (cells == cell[:, None, None]) & here
        names = jnp.arange(self.size * SIDES, dtype=U32).reshape(self.size, SIDES)
        name = jnp.where(fits, names, U32(self.size * SIDES)).min(axis=(-1, -2))
        return self.tiles + tile * (self.size * SIDES) + name

    def step(self, states: States, moves: Array) -> States:
        move = moves.astype(U32)
        over = self.over(states)
        flips = move < self.tiles
        name = move - self.tiles
        tile = jnp.where(flips, move, name // (self.size * SIDES))
        beside, side = name // SIDES % self.size, name % SIDES
        places = states.phase == PLACE
        put = ~flips[:, None] & (tile[:, None] == jnp.arange(self.size, dtype=U32))
        old_q, old_r = one_of(states.q, tile), one_of(states.r, tile)
        new_q = one_of(states.q, beside) + jnp.array(STEP_Q, jnp.int16)[side]
        new_r = one_of(states.r, beside) + jnp.array(STEP_R, jnp.int16)[side]
        hidden, face = self._turned(states.hidden, states.face, tile, flips, _random(states.seed, states.drawn))
        colour = tile < self.tiles
        went = jnp.stack([old_q, old_r, jnp.ones_like(old_q)], axis=-1)
        mine_went = ~flips & ~places & ~colour & (self.seats == 1)
        last = places & (states.turn + 1 == self.seats)
        after = states._replace(
            q=jnp.where(put, new_q[:, None], states.q),
            r=jnp.where(put, new_r[:, None], states.r),
            face=face,
            hidden=hidden,
            up=states.up | jnp.where(flips, U32(1) << tile, U32(0)),
            slid=states.slid | jnp.where(~flips & ~places & colour, U32(1) << tile, U32(0)),
            previous=jnp.where(mine_went[:, None], went, states.previous),
            # FS-16 No later turn can start as one before a flip did.
            since=jnp.where(flips, states.turns + 1, states.since),
            # FS-5 In seat order; then seat 0 takes the first turn.
            phase=jnp.where(last, ACT, states.phase).astype(jnp.uint8),
            turn=jnp.where(places, jnp.where(last, 0, states.turn + 1), states.turn).astype(jnp.uint8),
            drawn=states.drawn + GOLDEN,
        )
        ground = self._ground(after)
        chains = self._chains(after, ground)
        rainbow, acted = self._rainbow(chains), ~places & ~over
        if self.seats == 1:
            return _kept(over, states, self._after_step(after, ground, rainbow, acted))
        return _kept(over, states, self._after_action(after, ground, rainbow, acted, last))

    def _after_action(self, states: States, ground: Ground, rainbow: Array, acted: Array, placed: Array) -> States:
        states = states._replace(actions=states.actions + acted.astype(jnp.uint8))
        players = ground.touching[:, self.tiles :]
        # FS-13 A rainbow that touches the acting player's tile wins at once.
        won = acted & (rainbow & one_of(players, states.turn) != 0)
        states = _finish(states, won, states.turn)
        flippable = self._flippable(states, ground)
        held = self.meadow.holding(ground, jnp.where(flippable == 0, ground.loose, U32(0)))
        able = ground.loose & ~held

        def may_act(states: States) -> Array:
            return (flippable | self._slidable(states) & able) != 0

        def end_turn(both: tuple[States, Array]) -> tuple[States, Array]:
            states, asked = both
            ends = asked & ~placed
            # FS-14 The next in turn order of the players whom a rainbow touches wins.
            winner = jnp.full_like(states.turn, NOBODY_WON)
            for after in range(self.seats - 1, 0, -1):
                seat = (states.turn + after) % self.seats
                winner = jnp.where(rainbow & one_of(players, seat) != 0, seat, winner).astype(jnp.uint8)
            states = _finish(states, ends & (winner != NOBODY_WON), winner)
            ends &= winner == NOBODY_WON
            # FS-11 What was slid this turn is barred in the next; an empty turn bars nothing.
            states = states._replace(
                turns=states.turns + ends.astype(jnp.uint8),
                turn=jnp.where(ends, (states.turn + 1) % self.seats, states.turn).astype(jnp.uint8),
                actions=jnp.where(ends, 0, states.actions).astype(jnp.uint8),
                barred=jnp.where(ends, states.slid, states.barred),
                slid=jnp.where(ends, U32(0), states.slid),
            )
            # FS-16 The third time draws, and so does the end of the 200th turn.
            states = self._stand(states, ends | (asked & placed))
            drawn = ends & ((states.stood == THIRD_TIME) | (states.turns == MOST_TURNS))
            states = _finish(states, drawn, jnp.full_like(states.turn, NOBODY_WON))
            return states, ends & ~drawn & ~may_act(states)

        # FS-6 A turn ends after two actions, or when there is no legal one left.
        ends = acted & ~won & ((states.actions == ACTIONS) | ~may_act(states))
        return lax.while_loop(lambda both: jnp.any(both[1]), end_turn, (states, ends | placed))[0]

    def _stand(self, states: States, which: Array) -> States:
        """FS-16 Note the position at the start of a turn, and count how often it has stood."""
        tile = jnp.arange(self.size, dtype=U32)
        barred = jnp.where(self.meadow.members(states.barred), U32(BARRED), U32(0))[:, : self.tiles]
        seats = jnp.broadcast_to(PLAYER + tile[: self.seats], (states.turn.shape[0], self.seats))
        kinds = jnp.concatenate([states.face.astype(U32) | barred, seats], axis=-1)
        cells = (states.q.astype(U32) & 0xFFFF) << 16 | states.r.astype(U32) & 0xFFFF
        turns = jnp.arange(MOST_TURNS + 1)
        same = (turns >= states.since[:, None]) & (turns < states.turns[:, None])
        here = which[:, None] & (turns == states.turns[:, None])
        hashes = []
        for known, begun in zip(states.hashes, HASHED, strict=True):
            mixed = jax_bits.mix(cells ^ jax_bits.mix(kinds + U32(begun)))
            mark = lax.reduce(mixed, U32(0), lax.bitwise_xor, (1,)) ^ jax_bits.mix(states.turn.astype(U32) + U32(begun))
            same &= known == mark[:, None]
            hashes.append(jnp.where(here, mark[:, None], known))
        stood = 1 + same.sum(axis=-1)
        return states._replace(hashes=tuple(hashes), stood=jnp.where(which, stood, states.stood).astype(jnp.uint8))

    def _after_step(self, states: States, ground: Ground, rainbow: Array, acted: Array) -> States:
        """Alone: what follows the first step or the jump."""
        states = states._replace(slid=jnp.zeros_like(states.slid))
        # FS-24 Turning the last clover loses, FS-23 a rainbow that touches the player tile wins.
        lost = acted & (states.hidden == 0)
        won = acted & ~lost & (rainbow & ground.touching[:, self.tiles] != 0)
        goes_on = acted & ~lost & ~won
        states = _finish(
            _finish(states, lost, jnp.full_like(states.turn, NOBODY_WON)), won, jnp.zeros_like(states.turn)
        )
        jumped = goes_on & (states.phase == JUMP)
        turns = states.turns + jumped.astype(jnp.uint8)
        limit = jumped & (turns == MOST_TURNS)
        loose = self._slidable(states) & ground.loose
        able = (self._flippable(states, ground) | loose & ~self.meadow.holding(ground, loose)) != 0
        asked = goes_on & ~limit & ~(jumped & able)
        # FS-22 A player tile that cannot jump loses.
        filled = self.meadow.board(ground.at, self.meadow.members(ground.here))
        start = self.meadow.board(ground.at[:, self.tiles :], jnp.ones((1, 1), bool))
        stuck = asked & (cells_of(self._landings(states, ground, filled, start)) == 0)
        phase = jnp.where(asked, JUMP, jnp.where(jumped, ACT, states.phase)).astype(jnp.uint8)
        states = states._replace(turns=turns, phase=phase)
        return _finish(states, limit | stuck, jnp.full_like(states.turn, NOBODY_WON))

    # What is seen.

    def _chains(self, states: States, ground: Ground) -> Chains:
        face = states.face.astype(U32)
        touching = ground.touching[:, : self.tiles]
        hues = [self.meadow.bits(face == hue) for hue in range(HUES)]
        runs = (face != HIDDEN).astype(U32)
        for way in (1, -1):
            beside = jnp.zeros_like(touching)
            for hue in range(HUES):
                if 0 <= hue + way < HUES:
                    beside = jnp.where(face == hue, touching & hues[hue + way][:, None], beside)
            ends = states.up
            for _ in range(HUES - 1):
                longer = beside & ends[:, None] != 0
                ends = self.meadow.bits(longer)
                runs += longer
        return Chains(runs, hues[0])

    def _rainbow(self, chains: Chains) -> Array:
        """FS-12, FS-17 Return the tiles that win for a player tile touching one of them, as bits."""
        tiles = self.meadow.bits(chains.runs == HUES)
        return tiles & chains.red if self.red_start else tiles

    def observe(self, states: States, seat: Array) -> Array:
        ground = self._ground(states)
        chains = self._chains(states, ground)
        me = jnp.broadcast_to(jnp.asarray(seat, I32), states.turn.shape)
        order = (me[:, None] + jnp.arange(self.seats)) % self.seats
        turn = states.turn.astype(I32)
        left = 1 if self.seats == 1 else ACTIONS - states.actions.astype(I32)
        moment = [
            (states.phase != OVER) & (turn == me),
            states.phase,
            (turn - me) % self.seats,
            jnp.where(states.phase == ACT, left, 0),
            states.turns,
            states.stood,
        ]
        tiles = jnp.concatenate(
            [jnp.broadcast_to(jnp.arange(self.tiles), (me.shape[0], self.tiles)), self.tiles + order], 1
        )
        known = jnp.take_along_axis(self.meadow.members(ground.here), tiles, axis=1)
        known = jnp.concatenate([known, states.previous[:, 2:] == 1], axis=1)
        places = []
        for at, cells in enumerate((states.q, states.r)):
            numbers = jnp.concatenate(
                [jnp.take_along_axis(cells, tiles, axis=1), states.previous[:, at : at + 1]], axis=1
            )
            lowest = jnp.where(known, numbers, np.int16(0x7FFF)).min(axis=1, keepdims=True)
            places.append(jnp.where(known, numbers - lowest, OFF))
        beside = ground.touching[:, self.tiles :] & (chains.red if self.red_start else states.up)[:, None]
        runs = jnp.where(self.meadow.members(beside)[..., : self.tiles], chains.runs[:, None], U32(0)).max(axis=-1)
        hidden = [count(states.hidden >> (self.sets * hue) & ((1 << self.sets) - 1)) for hue in range(HUES)]
        parts = [
            jnp.stack([part.astype(jnp.uint8) for part in moment], axis=-1),
            states.face,
            self.meadow.members(states.barred)[:, : self.tiles],
            self.meadow.members(states.slid)[:, : self.tiles],
            *[place[:, : self.tiles] for place in places],
            *[place[:, self.tiles : self.size] for place in places],
            *[place[:, self.size :] for place in places],
            jnp.take_along_axis(runs, order, axis=1),
            jnp.stack(hidden, axis=-1),
        ]
        return jnp.concatenate([part.astype(jnp.uint8) for part in parts], axis=-1)

    def setup(self, story: States) -> Setup:
        left = [
            hue for hue in range(HUES) for n in range(self.sets) if int(story.hidden[-1]) >> (self.sets * hue + n) & 1
        ]
        faces = [int(hue) if hue != HIDDEN else left.pop() for hue in story.face[-1]]
        cells = [f"{q},{r}" for q, r in spiral(self.tiles)]
        return {
            "tiles": [[cell, COLOURS[hue]] for cell, hue in zip(cells, faces, strict=True)],
            "up": [cell for tile, cell in enumerate(cells) if int(story.up[0]) >> tile & 1],
        }


def _random(seed: Array, drawn: Array) -> Array:
    return jax_bits.mix(seed ^ jax_bits.mix(drawn))


def _below(bits: Array, limit: Array) -> Array:
    """Turn 32 random bits into numbers below limits of at most 16 bits."""
    return ((bits >> 16) * limit + ((bits & 0xFFFF) * limit >> 16)) >> 16


def _finish(states: States, which: Array, winner: Array) -> States:
    return states._replace(
        phase=jnp.where(which, OVER, states.phase).astype(jnp.uint8),
        winner=jnp.where(which, winner, states.winner).astype(jnp.uint8),
    )


def _kept(over: Array, old: States, new: States) -> States:
    """Keep what is true of games that are over; hashes are noted only where one goes on."""

    def kept(one: Array, other: Array) -> Array:
        return jnp.where(over.reshape(-1, *[1] * (one.ndim - 1)), one, other)

    whole: States = jax.tree.map(kept, old._replace(hashes=()), new._replace(hashes=()))
    return whole._replace(hashes=new.hashes)
