"""The states of a batch of Flip & Slide games."""

from typing import NamedTuple

import jax.numpy as jnp
from jax import Array

from sevenhues.games.flip_and_slide.batch.board import Geometry
from sevenhues.games.flip_and_slide.rules import OVER

U8 = jnp.uint8
NO_WINNER = 7


class States(NamedTuple):
    """The states of many games. Cells are relative to the first tile of the deal."""

    q: Array  # by tile, numbered as in pieces; at least NOT_PLACED for player tiles that are not placed
    r: Array
    geometry: Geometry
    face: Array  # by colour tile: its colour, or HIDDEN
    hidden: Array  # colours under clovers: bit sets * hue + n
    runs: Array  # by seat, the length of the longest run beside the player tile
    up: Array  # tiles as bits
    cut: Array  # FS-10 tiles without which the patch would fall apart, as bits; 0 until the first is placed
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
