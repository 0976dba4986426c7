"""Batched games as Pgx environments."""

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pgx
import pgx.tic_tac_toe
import pytest
from pgx._src import api_test as pgx_suite
from pgx.experimental.utils import act_randomly

from sevenhues import batch, deal, load, names
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game
from tests.toy_games.take import Take

adapter = pytest.importorskip("sevenhues.adapters.pgx")
GAMES, PLIES = 16, 130


def batched_games() -> list[str]:
    batched = []
    for name in names():
        try:
            batch.make(load(name))
        except BadOption:
            continue
        batched.append(name)
    return batched


SHORT = "rainbow-road"  # of our games, the one that random play ends soonest; the adapter is the same for all


@pytest.mark.parametrize("name", batched_games())
def test_every_batched_game_is_a_pgx_environment(name: str) -> None:
    env, batch_game = adapter.make(name), batch.make(name)
    state = jax.eval_shape(env.init, jax.random.key(1))
    after = jax.eval_shape(lambda before: env.step(before, jnp.int32(0)), state)
    assert jax.tree.map(lambda part: (part.shape, part.dtype), state) == jax.tree.map(
        lambda part: (part.shape, part.dtype), after
    )
    width = len(load(name).observation_encoder().encode(deal(load(name), b"1"), 0))
    assert (after.observation.shape, after.legal_action_mask.shape) == ((width,), (batch_game.move_count,))
    whole = jax.eval_shape(adapter.make(name, network_input=True).init, jax.random.key(1))
    assert whole.observation.shape == (batch_game.width,)


@pytest.mark.parametrize(
    "game", [pytest.param(Take(), id="take"), pytest.param(load(SHORT), id=SHORT, marks=pytest.mark.long)]
)
def test_pgx_environment_agrees_with_the_batched_game(game: Game[Any]) -> None:
    env, batch_game = adapter.make(game), batch.make(game)
    keys = jax.random.split(jax.random.key(3), GAMES)

    def ply(carry: Any, key: Any) -> tuple[Any, Any]:
        state, states = carry
        moves = batch_game.pick(states, jax.random.bits(key, (GAMES,), jnp.uint32))
        over = batch_game.over(states)
        state, states = jax.vmap(env.step)(state, moves), batch_game.step(states, moves)
        ended = batch_game.over(states) & ~over
        alike = {
            "over": jnp.all(state.terminated == batch_game.over(states)),
            "seen": jnp.all(state.observation == batch_game.observe(states, batch_game.turn(states))),
            "rewards": jnp.all((state.rewards.sum(1) == 0) & ((jnp.abs(state.rewards).sum(1) == 0) | ended)),
        }
        return (state, states), (alike, jnp.any(jnp.abs(state.rewards) > 0))

    @jax.jit
    def play() -> Any:
        start = jax.vmap(env.init)(keys), batch_game.init(keys)
        return jax.lax.scan(ply, start, jax.random.split(jax.random.key(4), PLIES))[1]

    alike, rewarded = play()
    assert {what: bool(same.all()) for what, same in alike.items()} == dict.fromkeys(alike, True)
    assert rewarded.any()


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.long) for name in batched_games()])
def test_picture_of_a_state_is_that_of_the_table(name: str) -> None:
    game, env = load(name), adapter.make(name, history=True)
    step = jax.jit(jax.vmap(env.step))
    states = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(5), 2))
    for _ in range(3):
        states = step(states, states.legal_action_mask.argmax(1))
    first = jax.tree.map(lambda part: part[0], states)
    position, seat = env.position(first), int(first.current_player)
    assert position.legal(seat) == jnp.flatnonzero(first.legal_action_mask).tolist()
    assert game.observation_encoder().encode(position, seat) == first.observation.tolist()
    picture = game.renderer().picture(game.view(position, seat), [])
    assert first.to_svg() == picture == states.to_svg()
    assert first.to_svg(viewer=-1) == game.renderer().picture(game.view(position, -1), [])
    # An illegal action ends a game of Pgx. It is not a move.
    after = jax.tree.map(lambda part: part[0], step(states, (~states.legal_action_mask).argmax(1)))
    assert bool(after.terminated)
    assert env.position(after).key() == position.key()


def test_suite_of_pgx_samples_no_action_of_a_single_game() -> None:
    """A fault of Pgx that `suites.pgx_api` works around: its suite fails with games of its own."""
    state = jax.jit(pgx.make("tic_tac_toe").init)(jax.random.key(1))
    with pytest.raises(IndexError, match="index 1 is out of bounds for axis 0"):
        pgx_suite.api_test_single(pgx.make("tic_tac_toe"), 1)
    with pytest.raises(IndexError, match="index 1 is out of bounds for axis 0"):
        act_randomly(jax.random.key(1), state.legal_action_mask)


def test_suite_of_pgx_accepts_only_its_own_ids() -> None:
    """Another one: the list of ids is closed, so the suite refuses a game of Pgx under any other id."""

    class Renamed(pgx.tic_tac_toe.State):
        @property
        def env_id(self) -> Any:
            return "renamed"

    state = jax.jit(pgx.make("tic_tac_toe").init)(jax.random.key(1))
    pgx_suite._validate_state(state)
    renamed = Renamed(**{field: getattr(state, field) for field in state.__dataclass_fields__})
    with pytest.raises(AssertionError):
        pgx_suite._validate_state(renamed)


def test_state_without_a_history_shows_its_observation(tmp_path: Path) -> None:
    env = adapter.make(Take())
    state = jax.jit(env.init)(jax.random.key(5))
    state.save_svg(tmp_path / "state.svg")
    written = (tmp_path / "state.svg").read_text(encoding="utf-8")
    for feature in env.layout:
        assert f"{feature.name}:" in written
    with pytest.raises(ValueError, match="make the environment with history=True"):
        env.position(state)


@pytest.mark.slow
def test_first_state_is_shown_though_a_part_of_the_states_is_empty() -> None:
    """A game for one has no results of other seats."""
    env = adapter.make("flip-and-slide", seats=1)
    states = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(5), 2))
    assert any(part.size == 0 for part in jax.tree.leaves(states))
    assert states.to_svg() == jax.tree.map(lambda part: part[0], states).to_svg()
