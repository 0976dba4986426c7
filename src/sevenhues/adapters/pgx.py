"""Pgx: a batched game as an environment in JAX.

    env = sevenhues.adapters.pgx.make("rainbow")
    state = jax.vmap(env.init)(keys)

Players are seats. Winners share a reward of 1, losers share -1, both with the last move. The observation is the game's,
as in the other adapters; `network_input=True` adds what networks read besides.

`history=True` keeps the moves of every game in its state, so that `state.to_svg()` draws the table and `env.position`
returns the position. Without it states are smaller, and `to_svg` writes the observation.
"""

from functools import partial
from typing import Any, NamedTuple

try:
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import Array
    from pgx import core
    from pgx._src.struct import dataclass
except ImportError as error:
    raise ImportError('sevenhues.adapters.pgx needs JAX and Pgx: pip install "sevenhues[pgx]"') from error

from sevenhues import batch
from sevenhues.adapters.configured_game import DEFAULT_MAX_LENGTH
from sevenhues.batch.contract import BatchGame
from sevenhues.core import registry
from sevenhues.core.game import Game, resolve_options
from sevenhues.core.options import Options
from sevenhues.core.position import WATCHER, Position
from sevenhues.render.text_picture import text_picture


class History(NamedTuple):
    """How a game came to its state: the state of the deal, and the moves."""

    start: Any
    moves: Array  # (max_length,) int16; the step count tells how many there are


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
    _history: Any  # a History, or None

    @property
    def env_id(self) -> Any:
        return self._env.id

    @property
    def _env(self) -> "Env":
        return _ENVS[int(self._id.reshape(-1)[0])]

    def to_svg(self, viewer: int | None = None, **_: Any) -> str:
        """Draw what a viewer sees, by default the seat to act, as an SVG document; of several states, the first.

        Without a history it is the observation of the seat to act.
        """
        state = _first(self)
        return self._env.observation_picture(state) if state._history is None else self._env.picture(state, viewer)

    def save_svg(self, filename: Any, **options: Any) -> None:
        with open(filename, "w", encoding="utf-8") as out:
            out.write(self.to_svg(**options))


_ENVS: list["Env"] = []  # that were made; a state has the index of its environment


def make(
    game: str | Game[Any],
    seats: int | None = None,
    *,
    network_input: bool = False,
    history: bool = False,
    **options: object,
) -> "Env":
    """Return a game as an environment."""
    loaded: Game[Any] = registry.load(game) if isinstance(game, str) else game
    batch_game = batch.make(loaded, seats, options)
    return Env(loaded, batch_game, resolve_options(loaded, options), network_input, history)


class Env(core.Env):  # type: ignore[misc, unused-ignore]
    """A batched game as a Pgx environment: one state at a time, to be mapped over many by `jax.vmap`."""

    def __init__(
        self, game: Game[Any], batch_game: BatchGame, options: Options, network_input: bool, history: bool
    ) -> None:
        super().__init__()
        self.game = game
        self.batch_game = batch_game
        self.options = options
        self.layout = game.observation_encoder().layout(batch_game.seats, options)
        size = sum(feature.size for feature in self.layout)
        self.width = batch_game.width if network_input else size  # numbers in an observation
        self.history = history
        self.max_moves = game.max_plies(batch_game.seats, options) or DEFAULT_MAX_LENGTH  # in a history
        self.number = len(_ENVS)
        _ENVS.append(self)

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
            _id=jnp.int32(self.number),
            _history=History(_unbatch(states), jnp.zeros(self.max_moves, jnp.int16)) if self.history else None,
        )

    def _step(self, state: Any, action: Array, key: Any) -> Any:
        batch_game = self.batch_game
        states = batch_game.step(_batch(state._game), action[None])
        over = batch_game.over(states)[0]
        values = batch_game.values(states)[0]
        won = jnp.sum(values > 0)
        lost = -1.0 / jnp.maximum(batch_game.seats - won, 1)
        decided = over & (won > 0) & (won < batch_game.seats)
        history = state._history
        if history is not None:
            moves = history.moves.at[state._step_count - 1].set(action.astype(jnp.int16), mode="drop")
            history = history._replace(moves=moves)
        return state.replace(
            current_player=batch_game.turn(states)[0],
            rewards=jnp.where(decided, jnp.where(values > 0, values, lost), 0.0).astype(jnp.float32),
            terminated=over,
            legal_action_mask=batch_game.legal(states)[0],
            _game=_unbatch(states),
            _history=history,
        )

    def _observe(self, state: Any, player_id: Array) -> Array:
        return jnp.asarray(self.batch_game.observe(_batch(state._game), player_id, self.width)[0])

    def position(self, state: Any) -> Position:
        """Return the position of one state. Cards that nobody has seen are filled in as they may lie.

        An illegal action, which Pgx ends a game for, is left out.
        """
        if state._history is None:
            raise ValueError("the state has no history: make the environment with history=True")
        count = int(state._step_count)
        if count > self.max_moves:
            raise ValueError(f"the game has {count} moves, and a history has at most {self.max_moves}")
        moves = np.asarray(state._history.moves)
        states = jax.tree.map(lambda part: part[:, 0], self._replay(state._history))
        legal = np.asarray(self.batch_game.legal(states))[np.arange(count), moves[:count]]
        count = count if legal.all() else int(legal.argmin())
        past = jax.tree.map(lambda part: np.asarray(part)[: count + 1], states)
        position: Position = self.game.start(self.batch_game.setup(past), self.batch_game.seats, self.options)
        seats = np.asarray(self.batch_game.turn(states))
        for seat, move in zip(seats[:count].tolist(), moves[:count].tolist(), strict=True):
            position.play(seat, move)
        return position

    @partial(jax.jit, static_argnums=0)
    def _replay(self, history: History) -> Any:
        """Return the states of a game before each move and after the last one."""

        def ply(states: Any, move: Array) -> tuple[Any, Any]:
            return self.batch_game.step(states, move[None].astype(jnp.int32)), states

        last, before = jax.lax.scan(ply, _batch(history.start), history.moves)
        return jax.tree.map(lambda past, end: jnp.concatenate([past, end[None]]), before, last)

    def picture(self, state: Any, viewer: int | None) -> str:
        """Draw what a viewer sees of one state, by default the seat to act."""
        position = self.position(state)
        seats = position.to_act()
        if viewer is None:
            viewer = int(state.current_player) if int(state.current_player) in seats else WATCHER
        return self.game.renderer().picture(self.game.view(position, viewer), [])

    def observation_picture(self, state: Any) -> str:
        """Write the features of an observation, one in a line."""
        numbers = np.asarray(state.observation).tolist()
        lines = [f"{self.game.title}: what seat {int(state.current_player)} observes", ""]
        at = 0
        for feature in self.layout:
            lines.append(f"{feature.name}: {' '.join(map(str, numbers[at : at + feature.size]))}")
            at += feature.size
        return text_picture("\n".join([*lines, "", "With make(…, history=True) this is the table."]), [])

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


def _first(state: Any) -> Any:
    """Return the first of several states."""
    axes = state.current_player.ndim
    return jax.tree.map(lambda part: part[(0,) * axes], state)
