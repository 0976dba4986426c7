"""The contract of a game's batched twin: many games at once, in arrays. Nothing here imports a framework."""

from abc import ABC, abstractmethod
from typing import Any

from mypy_extensions import mypyc_attr

from sevenhues.core.game import Setup

States = Any  # a NamedTuple of arrays, one row (or one number) a game in each
Array = Any


@mypyc_attr(allow_interpreted_subclasses=True)
class BatchGame(ABC):
    """A game for so many seats, with such options, as functions over arrays: pure, without branches, fit to compile.

    It is a twin and no second truth: whatever it answers is what the game's Position answers. States belong to the
    twin; others only pass them on, choose among them by game, or keep them. N is the number of games.
    """

    seats: int
    move_count: int
    width: int  # numbers in an observation: the game's `features`, then its `memory`

    @abstractmethod
    def init(self, keys: Array) -> States:
        """Deal one game for each key of `jax.random`, (N,); who begins is drawn as the game draws it."""

    @abstractmethod
    def deal(self, low: Array, high: Array) -> States:
        """Deal one game for each pair of random words, (N,) uint32 each: how games follow one another."""

    @abstractmethod
    def step(self, states: States, moves: Array) -> States:
        """Make one legal move, (N,), in each game, by the seat whose turn it is; a game that is over stays as it is."""

    @abstractmethod
    def turn(self, states: States) -> Array:
        """Tell the seat to act, (N,) int32; of a game that is over any seat.

        Where several may act it is the one that acts next, as the state has drawn it.
        """

    @abstractmethod
    def over(self, states: States) -> Array:
        """Tell which games are over, (N,) bool."""

    @abstractmethod
    def legal(self, states: States) -> Array:
        """Tell the legal moves of the seat to act, (N, move_count) bool; none where the game is over."""

    @abstractmethod
    def pick(self, states: States, bits: Array) -> Array:
        """Choose a uniformly random legal move by 32 random bits a game, (N,) uint32; (N,) int32."""

    @abstractmethod
    def scores(self, states: States) -> Array:
        """Count every seat's score, (N, seats) int32."""

    @abstractmethod
    def values(self, states: States) -> Array:
        """Value games that are over as `outcome_values` does, (N, seats) float32; 0 while they go on."""

    @abstractmethod
    def observe(self, states: States, seat: Array) -> Array:
        """Return what a seat knows, (N, width) uint8: its features, then its memory. `seat` is one, or one a game."""

    @abstractmethod
    def setup(self, story: States) -> Setup:
        """Return a setup from which one game went as it did: its states one after another, as NumPy arrays.

        What was never shown to anybody is filled in as it may have been.
        """

    def plain(self, states: States) -> Array:
        """Choose as a plain sensible player would, (N,) int32: a yardstick for those who learn."""
        raise NotImplementedError
