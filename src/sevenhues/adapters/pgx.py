"""Pgx: a batched game as an environment in JAX.

    env = sevenhues.adapters.pgx.make("rainbow")
    state = jax.vmap(env.init)(keys)

Players are seats. Winners share a reward of 1, losers share -1, both with the last move. The observation is the game's,
as in the other adapters; `network_input=True` adds what networks read besides.
"""

from typing import Any

try:
    import jax
    import jax.numpy as jnp
    from jax import Array
    from pgx import core
    from pgx._src.struct import dataclass
except ImportError as error:
    raise ImportError('sevenhues.adapters.pgx needs JAX and Pgx: pip install "sevenhues[pgx]"') from error

from sevenhues import batch
from sevenhues.batch.contract import BatchGame
from sevenhues.core import registry
from sevenhues.core.game import Game, resolve_options

SVG_COLUMNS = 20  # numbers in a line
SVG_LINE_HEIGHT = 20  # pixels


@dataclass
class State(core.State):  # type: ignore[misc, unused-ignore]
    """A state of one game; `_game` holds the state of the batched game."""

    current_player: Array
    observation: Array
    rewards: Array
    terminated: Array
    truncated: Array
    legal_action_mask: Array
    _step_count: Array
    _game: Any
    _id: Array

    @property
    def env_id(self) -> Any:
        return _IDS[int(self._id.reshape(-1)[0])]

    def to_svg(self, **_: Any) -> str:
        """Return an SVG with the observation of the seat to act, as numbers; of several states, the first."""
        numbers = self.observation.reshape(-1, self.observation.shape[-1])[0].tolist()
        rows = [" ".join(map(str, numbers[at : at + SVG_COLUMNS])) for at in range(0, len(numbers), SVG_COLUMNS)]
        lines = "".join(f'<text x="8" y="{SVG_LINE_HEIGHT * (i + 1)}">{row}</text>' for i, row in enumerate(rows))
        return f'<svg xmlns="http://www.w3.org/2000/svg" font-family="monospace">{lines}</svg>'

    def save_svg(self, filename: Any, **_: Any) -> None:
        with open(filename, "w", encoding="utf-8") as out:
            out.write(self.to_svg())


_IDS: list[str] = []  # of the environments that were made; a state has the index of its environment's


def make(game: str | Game[Any], seats: int | None = None, *, network_input: bool = False, **options: object) -> "Env":
    """Return a game as an environment."""
    loaded: Game[Any] = registry.load(game) if isinstance(game, str) else game
    batch_game = batch.make(loaded, seats, options)
    layout = loaded.observation_encoder().layout(batch_game.seats, resolve_options(loaded, options))
    return Env(loaded, batch_game, batch_game.width if network_input else sum(feature.size for feature in layout))


class Env(core.Env):  # type: ignore[misc, unused-ignore]
    """A batched game as a Pgx environment: one state at a time, to be mapped over many by `jax.vmap`."""

    def __init__(self, game: Game[Any], batch_game: BatchGame, width: int) -> None:
        super().__init__()
        self.game = game
        self.batch_game = batch_game
        self.width = width  # numbers in an observation
        if self.id not in _IDS:
            _IDS.append(self.id)

    def _init(self, key: Array) -> Any:
        states = self.batch_game.init(key[None])
        return State(
            current_player=self.batch_game.turn(states)[0],
            observation=jnp.zeros(self.width, jnp.uint8),
            rewards=jnp.zeros(self.batch_game.seats, jnp.float32),
            terminated=jnp.bool_(False),
            truncated=jnp.bool_(False),
            legal_action_mask=self.batch_game.legal(states)[0],
            _step_count=jnp.int32(0),
            _game=_unbatch(states),
            _id=jnp.int32(_IDS.index(self.id)),
        )

    def _step(self, state: Any, action: Array, key: Any) -> Any:
        batch_game = self.batch_game
        states = batch_game.step(_batch(state._game), action[None])
        over = batch_game.over(states)[0]
        values = batch_game.values(states)[0]
        won = jnp.sum(values > 0)
        lost = -1.0 / jnp.maximum(batch_game.seats - won, 1)
        decided = over & (won > 0) & (won < batch_game.seats)
        return state.replace(
            current_player=batch_game.turn(states)[0],
            rewards=jnp.where(decided, jnp.where(values > 0, values, lost), 0.0).astype(jnp.float32),
            terminated=over,
            legal_action_mask=batch_game.legal(states)[0],
            _game=_unbatch(states),
        )

    def _observe(self, state: Any, player_id: Array) -> Array:
        return jnp.asarray(self.batch_game.observe(_batch(state._game), player_id, self.width)[0])

    @property
    def id(self) -> Any:
        return f"sevenhues_{self.game.id.replace('-', '_')}"

    @property
    def version(self) -> str:
        return str(self.game.rules_version)

    @property
    def num_players(self) -> int:
        return self.batch_game.seats


def _unbatch(states: Any) -> Any:
    return jax.tree.map(lambda part: part[0], states)


def _batch(state: Any) -> Any:
    return jax.tree.map(lambda part: part[None], state)
