"""The states of a batch of Flip & Slide games."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from sevenhues.games.flip_and_slide.rules import OVER

U8 = jnp.uint8
NO_WINNER = 7


class States(NamedTuple):
    """The states of many games. Cells are relative to the first tile of the deal."""

    q: Array  # by tile, numbered as in pieces; undefined for player tiles that are not placed
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
    previous: Array  # FS-21 q and r, and 1 if there is a previous cell
    winner: Array
    stood: Array
    since: Array  # the number of the first turn that started after the last flip
    hashes: tuple[Array, ...]  # FS-16 of the start of each turn
    seed: Array
    counter: Array  # with the seed it determines the next random numbers


def finish(states: States, which: Array, winner: Array) -> States:
    """End some of the games."""
    return states._replace(
        phase=jnp.where(which, OVER, states.phase).astype(U8),
        winner=jnp.where(which, winner, states.winner).astype(U8),
    )


def keep_finished(over: Array, old: States, new: States) -> States:
    """Return the new states, but the old ones of finished games. Hashes are not recorded in finished games anyway."""

    def choose(old_part: Array, new_part: Array) -> Array:
        return jnp.where(over.reshape(-1, *[1] * (old_part.ndim - 1)), old_part, new_part)

    states: States = jax.tree.map(choose, old._replace(hashes=()), new._replace(hashes=()))
    return states._replace(hashes=new.hashes)
