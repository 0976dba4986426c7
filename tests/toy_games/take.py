"""Take, a game that is learnt in seconds: players take one or two of ten counters in turn; the last counter wins."""

from typing import Any, ClassVar, NamedTuple

import jax.numpy as jnp
from jax import Array

from sevenhues.batch.contract import BatchGame
from sevenhues.batch.jax_bits import seeds
from sevenhues.core.bot_support import BotSupport
from sevenhues.core.encoder import Encoder, Feature
from sevenhues.core.errors import Refusal
from sevenhues.core.game import Game, Setup
from sevenhues.core.options import Options
from sevenhues.core.rng import Dealer

PILE = 10


class State(NamedTuple):
    left: Array
    turn: Array


class TakeBatch(BatchGame):
    seats = 2
    move_count = 2  # 0 takes one, 1 takes two
    width = 1

    def init(self, keys: Any) -> State:
        return self.deal(*seeds(keys))

    def deal(self, low: Any, high: Any) -> State:
        return State(jnp.full(low.shape, PILE, jnp.int32), (low & 1).astype(jnp.int32))

    def step(self, states: State, moves: Any) -> State:
        over = self.over(states)
        return State(
            jnp.where(over, 0, states.left - 1 - moves.astype(jnp.int32)),
            jnp.where(over, states.turn, 1 - states.turn),
        )

    def turn(self, states: State) -> Any:
        return states.turn

    def over(self, states: State) -> Any:
        return states.left == 0

    def legal(self, states: State) -> Any:
        return states.left[:, None] >= jnp.array([1, 2])

    def pick(self, states: State, bits: Any) -> Any:
        return jnp.where(states.left == 1, 0, bits & 1).astype(jnp.int32)

    def scores(self, states: State) -> Any:
        return jnp.zeros((*states.left.shape, 2), jnp.int32)

    def values(self, states: State) -> Any:
        last = states.turn[:, None] != jnp.arange(2)  # the player to move did not take the last counter
        return jnp.where(self.over(states)[:, None], last, False).astype(jnp.float32)

    def observe(self, states: State, seat: Any, numbers: int | None = None) -> Any:
        return states.left[:, None].astype(jnp.uint8)[:, :numbers]

    def setup(self, history: State) -> Setup:
        return {}


class TakeObservation(Encoder[Any]):
    def layout(self, seats: int, options: Any) -> tuple[Feature, ...]:
        return (Feature("left", 1, PILE, "counters in the pile"),)

    def encode(self, position: Any, seat: int) -> list[int]:
        raise NotImplementedError


class TakeBotSupport(BotSupport[Any]):
    def batch(self, seats: int, options: Any) -> BatchGame:
        return TakeBatch()


class Take(Game[Any]):
    """The part of a game that training uses: the batch game and the layout of its observation."""

    id = "take"
    title = "Take"
    min_seats = 2
    max_seats = 2
    rules_version = 1
    options = ()
    simultaneous = False
    view_type = dict
    move_pattern = "[12]"
    move_examples = "1 and 2"
    refusals: ClassVar[dict[str, Refusal]] = {}

    def deal(self, seats: int, options: Options, dealer: Dealer, previous: list[int] | None) -> Setup:
        raise NotImplementedError

    def start(self, setup: Setup, seats: int, options: Options) -> Any:
        raise NotImplementedError

    def setup(self, position: Any) -> Setup:
        raise NotImplementedError

    def text(self, position: Any, seat: int, move: int) -> str:
        raise NotImplementedError

    def read(self, position: Any, seat: int, text: str) -> int:
        raise NotImplementedError

    def view(self, position: Any, seat: int) -> dict[str, Any]:
        raise NotImplementedError

    def move_count(self, seats: int, options: Options) -> int:
        return 2

    def observation_encoder(self) -> TakeObservation:
        return TakeObservation()

    def bot_support(self) -> TakeBotSupport:
        return TakeBotSupport()
