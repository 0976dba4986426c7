"""Twins as Pgx environments."""

from typing import Any, Literal

import jax
import jax.numpy as jnp
import pytest

from sevenhues import batch, load, names
from sevenhues.core.errors import BadOption

adapter = pytest.importorskip("sevenhues.adapters.pgx")


def twinned() -> list[str]:
    found = []
    for name in names():
        try:
            batch.twin(load(name))
        except BadOption:
            continue
        found.append(name)
    return found


@pytest.mark.parametrize("name", twinned())
def test_the_api_test_of_pgx_passes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from pgx._src import api_test

    env = adapter.make(name)
    monkeypatch.setattr(api_test, "EnvId", Literal[env.id])  # it knows its own games alone
    # It draws moves along axis 1, which the mask of a single game has not: the last axis is the same, and is there.
    monkeypatch.setattr(api_test, "act_randomly", jax.jit(_randomly))
    api_test.api_test(env, 3)


def _randomly(key: Any, mask: Any) -> Any:
    return jax.random.categorical(key, jnp.log(mask.astype(jnp.float32)), axis=-1)


@pytest.mark.parametrize("name", twinned())
def test_what_pgx_is_told_is_what_the_twin_says(name: str) -> None:
    env, twin = adapter.make(name), batch.twin(name)
    keys = jax.random.split(jax.random.key(3), 64)
    step: Any = jax.jit(jax.vmap(env.step))
    pick: Any = jax.jit(twin.pick)
    go: Any = jax.jit(twin.step)
    see: Any = jax.jit(lambda states: twin.observe(states, twin.turn(states)))
    state, states = jax.jit(jax.vmap(env.init))(keys), jax.jit(twin.init)(keys)
    plies = 0
    while not bool(state.terminated.all()):
        moves = pick(states, jax.random.bits(jax.random.key(plies), (64,), jnp.uint32))
        over = twin.over(states)
        state, states = step(state, moves), go(states, moves)
        assert (state.terminated == twin.over(states)).all()
        ended = twin.over(states) & ~over
        assert (jnp.where(ended, state.rewards.sum(1), 0) == 0).all()
        assert (jnp.abs(state.rewards).sum(1)[~ended] == 0).all()
        assert (state.observation == see(states)).all()
        plies += 1
    assert plies > 10
