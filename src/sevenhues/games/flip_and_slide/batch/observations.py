"""The observations of a batch of Flip & Slide games. They are the numbers of `encoders`.

All that a seat sees of a game is packed into a few words first. Each number is then a field of a word.
"""

import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import ArrayLike

from sevenhues.batch import jax_bits
from sevenhues.batch.jax_bits import U32, count
from sevenhues.games.flip_and_slide.batch.board import I32, is_placed, take
from sevenhues.games.flip_and_slide.batch.states import U8, States
from sevenhues.games.flip_and_slide.encoders import NO_CELL, observation_layout
from sevenhues.games.flip_and_slide.pieces import ACTIONS_PER_TURN, HUES, SETS
from sevenhues.games.flip_and_slide.rules import ACT, OVER

BYTE = 0xFF
NONE = np.int16(0x7FFF)  # more than any coordinate


class BatchObservations:
    """Writes the observations of games with a fixed number of seats."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.sets = SETS[seats]
        self.tiles = self.sets * HUES
        size = self.tiles + seats
        colour_tiles, player_tiles = np.arange(self.tiles), np.arange(self.tiles, size)
        previous, turn, counters, hidden = range(size, size + 4)
        # By feature: the word of each number, its lowest bit there, and the bits that it has.
        fields: dict[str, tuple[ArrayLike, ArrayLike, int]] = {
            "my_turn": (turn, 0, BYTE),
            "phase": (turn, 8, BYTE),
            "turn": (turn, 16, BYTE),
            "actions_left": (turn, 24, BYTE),
            "turns": (counters, 0, BYTE),
            "stood": (counters, 8, BYTE),
            "face": (colour_tiles, 16, BYTE),
            "barred": (colour_tiles, 24, 1),
            "slid": (colour_tiles, 25, 1),
            "q": (colour_tiles, 0, BYTE),
            "r": (colour_tiles, 8, BYTE),
            "player_q": (player_tiles, 0, BYTE),
            "player_r": (player_tiles, 8, BYTE),
            "previous": (previous, np.array([0, 8]), BYTE),
            "run": (player_tiles, 16, BYTE),
            "hidden": (hidden, 4 * np.arange(HUES), 0xF),
        }
        layout = observation_layout(seats)
        self.words, self.shifts, self.masks = [
            np.concatenate([np.broadcast_to(fields[feature.name][part], feature.size) for feature in layout])
            for part in range(3)
        ]
        self.width = self.words.size

    def observe(self, states: States, seat: Array, numbers: int | None) -> Array:
        """Return a seat's observation, (N, width) uint8, or only the first numbers of it."""
        me = jnp.broadcast_to(jnp.asarray(seat, I32), states.turn.shape)
        words = jnp.concatenate([*self._cell_words(states, me), *self._other_words(states, me)], axis=1)
        fields = jax_bits.fields_in(words, self.words[:numbers], self.shifts[:numbers], self.masks[:numbers])
        return fields.astype(U8)

    def _cell_words(self, states: States, me: Array) -> list[Array]:
        """Return a word for each colour tile, for each player tile from the seat's on, and for the previous cell."""
        order = (me[:, None] + np.arange(self.seats)) % self.seats
        placed = is_placed(states.q)
        cells = self._from_lowest(states.q, placed, states.previous[:, :1], states.previous[:, 2:] == 1)
        cells |= self._from_lowest(states.r, placed, states.previous[:, 1:2], states.previous[:, 2:] == 1) << 8
        of_tiles, of_players, previous = jnp.split(cells, [self.tiles, self.tiles + self.seats], axis=1)
        tile = np.arange(self.tiles, dtype=np.uint32)
        barred, slid = [set_[:, None] >> tile & 1 for set_ in (states.barred, states.slid)]
        of_tiles |= states.face.astype(U32) << 16 | barred << 24 | slid << 25
        of_players |= states.runs.astype(U32) << 16
        return [of_tiles, take(of_players, order), previous]

    def _from_lowest(self, numbers: Array, placed: Array, previous: Array, has_previous: Array) -> Array:
        """Return coordinates of all tiles and of the previous cell, counted from the lowest of those that there are."""
        numbers = jnp.concatenate([numbers, previous], axis=1)
        known = jnp.concatenate([placed, has_previous], axis=1)
        lowest = jnp.where(known, numbers, NONE).min(axis=1, keepdims=True)
        return jnp.where(known, numbers - lowest, NO_CELL).astype(U32)

    def _other_words(self, states: States, me: Array) -> list[Array]:
        """Return the words of whose turn it is, of counters and of hidden colours."""
        turn = states.turn.astype(I32)
        actions_left = 1 if self.seats == 1 else ACTIONS_PER_TURN - states.actions.astype(I32)
        of_turn = [
            (states.phase != OVER) & (turn == me),
            states.phase,
            (turn - me) % self.seats,
            jnp.where(states.phase == ACT, actions_left, 0),
        ]
        of_hue = [count(states.hidden >> self.sets * hue & (1 << self.sets) - 1) for hue in range(HUES)]
        packed = [(of_turn, 8), ([states.turns, states.stood], 8), (of_hue, 4)]
        return [_pack(numbers, bits)[:, None] for numbers, bits in packed]


def _pack(numbers: list[Array], bits: int) -> Array:
    """Return words with some bits for each number."""
    word = jnp.zeros_like(numbers[0], U32)
    for i, number in enumerate(numbers):
        word |= number.astype(U32) << bits * i
    return word
