"""Pgx: a game's batched twin as an environment in JAX.

    env = sevenhues.adapters.pgx.make("rainbow")
    state = jax.vmap(env.init)(keys)

Players are seats. A winner's reward is 1 (winners share it), losers share -1, and it comes with the last move.
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
from sevenhues.core.game import Game


@dataclass
class State(core.State):  # type: ignore[misc, unused-ignore]
    """One game, as Pgx knows it; `_game` is the twin's."""

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
        """Write down what the seat to act knows, as numbers; of several states, the first."""
        seen = self.observation.reshape(-1, self.observation.shape[-1])[0].tolist()
        rows = [" ".join(map(str, seen[at : at + 20])) for at in range(0, len(seen), 20)]
        lines = "".join(f'<text x="8" y="{20 * (i + 1)}">{row}</text>' for i, row in enumerate(rows))
        return f'<svg xmlns="http://www.w3.org/2000/svg" font-family="monospace">{lines}</svg>'

    def save_svg(self, filename: Any, **_: Any) -> None:
        with open(filename, "w", encoding="utf-8") as out:
            out.write(self.to_svg())


_IDS = tuple(f"sevenhues_{name.replace('-', '_')}" for name in registry.names())


def make(game: str | Game[Any], seats: int | None = None, **options: object) -> "Env":
    """Return a game as an environment."""
    found: Game[Any] = registry.load(game) if isinstance(game, str) else game
    return Env(found, batch.twin(found, seats, options))


class Env(core.Env):  # type: ignore[misc, unused-ignore]
    """A game's twin as Pgx asks for it: one state at a time, to be mapped over many by `jax.vmap`."""

    def __init__(self, game: Game[Any], twin: BatchGame) -> None:
        super().__init__()
        self.game = game
        self.twin = twin

    def _init(self, key: Array) -> Any:
        states = self.twin.init(key[None])
        return State(
            current_player=self.twin.turn(states)[0],
            observation=jnp.zeros(self.twin.width, jnp.uint8),
            rewards=jnp.zeros(self.twin.seats, jnp.float32),
            terminated=jnp.bool_(False),
            truncated=jnp.bool_(False),
            legal_action_mask=self.twin.legal(states)[0],
            _step_count=jnp.int32(0),
            _game=_one(states),
            _id=jnp.int32(registry.names().index(self.game.id)),
        )

    def _step(self, state: Any, action: Array, key: Any) -> Any:
        twin = self.twin
        states = twin.step(_many(state._game), action[None])
        over = twin.over(states)[0]
        values = twin.values(states)[0]
        won = jnp.sum(values > 0)
        lost = -1.0 / jnp.maximum(twin.seats - won, 1)
        decided = over & (won > 0) & (won < twin.seats)
        return state.replace(
            current_player=twin.turn(states)[0],
            rewards=jnp.where(decided, jnp.where(values > 0, values, lost), 0.0).astype(jnp.float32),
            terminated=over,
            legal_action_mask=twin.legal(states)[0],
            _game=_one(states),
        )

    def _observe(self, state: Any, player_id: Array) -> Array:
        return jnp.asarray(self.twin.observe(_many(state._game), player_id)[0])

    @property
    def id(self) -> Any:
        return _IDS[registry.names().index(self.game.id)]

    @property
    def version(self) -> str:
        return str(self.game.rules_version)

    @property
    def num_players(self) -> int:
        return self.twin.seats


def _one(states: Any) -> Any:
    return jax.tree.map(lambda part: part[0], states)


def _many(state: Any) -> Any:
    return jax.tree.map(lambda part: part[None], state)
