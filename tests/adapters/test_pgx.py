"""Twins as Pgx environments."""

from typing import Any, Literal

import jax
import jax.numpy as jnp
import pytest

from sevenhues import batch, load, names
from sevenhues.core.errors import BadOption

adapter = pytest.importorskip("sevenhues.adapters.pgx")
GAMES, PLIES = 16, 130


def twinned() -> list[str]:
    twinned_names = []
    for name in names():
        try:
            batch.twin(load(name))
        except BadOption:
            continue
        twinned_names.append(name)
    return twinned_names


SHORT = "rainbow-road"  # of the games, the one that random play ends soonest; the adapter is the same for all


@pytest.mark.parametrize("name", twinned())
def test_every_twin_is_a_pgx_environment(name: str) -> None:
    env, twin = adapter.make(name), batch.twin(name)
    state = jax.eval_shape(env.init, jax.random.key(1))
    after = jax.eval_shape(lambda before: env.step(before, jnp.int32(0)), state)
    assert jax.tree.map(lambda part: (part.shape, part.dtype), state) == jax.tree.map(
        lambda part: (part.shape, part.dtype), after
    )
    assert (after.observation.shape, after.legal_action_mask.shape) == ((twin.width,), (twin.move_count,))


@pytest.mark.long
@pytest.mark.parametrize("name", ["rainbow", SHORT])
def test_pgx_api_test_passes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from pgx._src import api_test

    env = adapter.make(name)
    monkeypatch.setattr(api_test, "EnvId", Literal[env.id])  # it knows its own games alone
    # It draws moves along axis 1, which the mask of a single game has not: the last axis is the same, and is there.
    monkeypatch.setattr(api_test, "act_randomly", jax.jit(_randomly))
    api_test.api_test(env, 1)


def _randomly(key: Any, mask: Any) -> Any:
    return jax.random.categorical(key, jnp.log(mask.astype(jnp.float32)), axis=-1)


@pytest.mark.slow
def test_pgx_environment_agrees_with_its_twin() -> None:
    env, twin = adapter.make(SHORT), batch.twin(SHORT)
    keys = jax.random.split(jax.random.key(3), GAMES)

    def ply(carry: Any, key: Any) -> tuple[Any, Any]:
        state, states = carry
        moves = twin.pick(states, jax.random.bits(key, (GAMES,), jnp.uint32))
        over = twin.over(states)
        state, states = jax.vmap(env.step)(state, moves), twin.step(states, moves)
        ended = twin.over(states) & ~over
        alike = {
            "over": jnp.all(state.terminated == twin.over(states)),
            "seen": jnp.all(state.observation == twin.observe(states, twin.turn(states))),
            "rewards": jnp.all((state.rewards.sum(1) == 0) & ((jnp.abs(state.rewards).sum(1) == 0) | ended)),
        }
        return (state, states), (alike, jnp.any(jnp.abs(state.rewards) > 0))

    @jax.jit
    def play() -> Any:
        start = jax.vmap(env.init)(keys), twin.init(keys)
        return jax.lax.scan(ply, start, jax.random.split(jax.random.key(4), PLIES))[1]

    alike, rewarded = play()
    assert {what: bool(same.all()) for what, same in alike.items()} == dict.fromkeys(alike, True)
    assert rewarded.any()
