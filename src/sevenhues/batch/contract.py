"""The contract of a batched game: many games at once, in arrays. This module imports no framework."""

from abc import ABC, abstractmethod
from typing import Any

from mypy_extensions import mypyc_attr

from sevenhues.core.game import Setup

States = Any  # a NamedTuple of arrays with one row (or one number) per game
Array = Any


@mypyc_attr(allow_interpreted_subclasses=True)
class BatchGame(ABC):
    """A game with fixed seats and options as pure functions over arrays, without branches, so that JAX compiles them.

    The rules of the game decide: a batched game gives the answers of the game's Position. The fields of the states
    are private to the batched game; callers only pass states on, select among them by game, or store them. N is the
    number of games.
    """

    seats: int
    move_count: int
    width: int  # numbers in an observation: the game's observation, then its network input

    @abstractmethod
    def init(self, keys: Array) -> States:
        """Deal one game for each key of `jax.random`, (N,). The starting seat is drawn as the game draws it."""

    @abstractmethod
    def deal(self, low: Array, high: Array) -> States:
        """Deal one game for each pair of random words, (N,) uint32 each: to replace finished games."""

    @abstractmethod
    def step(self, states: States, moves: Array) -> States:
        """Make one legal move, (N,), in each game, for the seat to act. A finished game stays as it is."""

    @abstractmethod
    def turn(self, states: States) -> Array:
        """Return the seat to act, (N,) int32; any seat if the game is over.

        If several seats may act, it is the one that acts next, which the state has drawn.
        """

    @abstractmethod
    def over(self, states: States) -> Array:
        """Return which games are over, (N,) bool."""

    @abstractmethod
    def legal(self, states: States) -> Array:
        """Return the legal moves of the seat to act, (N, move_count) bool; none if the game is over."""

    @abstractmethod
    def pick(self, states: States, bits: Array) -> Array:
        """Pick a uniformly random legal move from 32 random bits per game, (N,) uint32; returns (N,) int32."""

    @abstractmethod
    def scores(self, states: States) -> Array:
        """Return every seat's score, (N, seats) int32."""

    @abstractmethod
    def values(self, states: States) -> Array:
        """Return the values of finished games as `outcome_values` does, (N, seats) float32; 0 for other games."""

    @abstractmethod
    def observe(self, states: States, seat: Array, numbers: int | None = None) -> Array:
        """Return a seat's observation and network input, (N, width) uint8, or only the first numbers of them.

        `seat` is one number, or one per game.
        """

    @abstractmethod
    def setup(self, history: States) -> Setup:
        """Return a setup that leads to the history of one game: its successive states, as NumPy arrays.

        Pieces that were never revealed are filled in consistently.
        """

    def plain(self, states: States) -> Array:
        """Choose as a simple rule-based player would, (N,) int32: a baseline for training."""
        raise NotImplementedError
