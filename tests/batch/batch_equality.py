"""Plays batched games, replays them by the rules and compares every position."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from sevenhues.batch.contract import BatchGame
from sevenhues.core.game import Game
from sevenhues.core.position import Position, outcome_values


def compare(game: Game[Any], batch_game: BatchGame, games: int, plies: int, seed: int, options: dict[str, Any]) -> int:
    """Compare random games, each to its end; return the number of moves compared."""
    trace = play_random_games(batch_game, games, plies, seed)
    compared = 0
    for i in range(games):
        compared += _compare_one(game, batch_game, trace, i, options)
    return compared


def play_random_games(batch_game: BatchGame, games: int, plies: int, seed: int) -> dict[str, Any]:
    """Play random games; return the answers before each move, as NumPy arrays (plies, games, …)."""

    def ply(states: Any, key: Any) -> tuple[Any, Any]:
        move = batch_game.pick(states, jax.random.bits(key, (games,), jnp.uint32))
        trace = {
            "states": states,
            "move": move,
            "turn": batch_game.turn(states),
            "over": batch_game.over(states),
            "legal": batch_game.legal(states),
            "scores": batch_game.scores(states),
            "values": batch_game.values(states),
            "observations": jnp.stack(
                [batch_game.observe(states, jnp.int32(seat)) for seat in range(batch_game.seats)], 1
            ),
        }
        return batch_game.step(states, move), trace

    @jax.jit
    def play(key: Any) -> Any:
        first, rest = jax.random.split(key)
        states = batch_game.init(jax.random.split(first, games))
        return jax.lax.scan(ply, states, jax.random.split(rest, plies))[1]

    trace: dict[str, Any] = jax.tree.map(np.asarray, play(jax.random.key(seed)))
    assert trace["over"][-1].all(), f"a game is not over after {plies} moves"
    return trace


def _compare_one(game: Game[Any], batch_game: BatchGame, trace: dict[str, Any], i: int, options: dict[str, Any]) -> int:
    one = jax.tree.map(lambda part: part[:, i], trace)
    length = int(one["over"].argmax())
    setup = batch_game.setup(jax.tree.map(lambda part: part[: length + 1], one["states"]))
    position = game.start(setup, batch_game.seats, options)
    for ply in range(length + 1):
        _compare_position(game, batch_game, position, one, ply, f"game {i}, ply {ply}")
        if ply < length:
            position.play(int(one["turn"][ply]), int(one["move"][ply]))
    return length


def _compare_position(
    game: Game[Any], batch_game: BatchGame, position: Position, one: dict[str, Any], ply: int, where: str
) -> None:
    turn, outcome = int(one["turn"][ply]), position.outcome()
    assert bool(one["over"][ply]) == (outcome is not None), where
    assert one["scores"][ply].tolist() == position.scores(), where
    legal = [] if outcome else position.legal(turn)
    assert np.flatnonzero(one["legal"][ply]).tolist() == legal, where
    if outcome is None:
        assert turn in position.to_act(), where
        assert int(one["move"][ply]) in legal, where
    else:
        assert np.allclose(one["values"][ply], outcome_values(outcome), atol=1e-6), where
    for seat in range(batch_game.seats):
        expected = game.observation_encoder().encode(position, seat) + game.network_input_encoder().encode(
            position, seat
        )
        assert one["observations"][ply, seat].tolist() == expected, f"{where}, seat {seat}"


def chi_square_deviation(batch_game: BatchGame, plies: int, seed: int) -> float:
    """Pick thousands of moves in one random position; return the deviation of chi square from its mean, in sigmas."""
    samples = 8192

    @jax.jit
    def picked(key: Any) -> tuple[Any, Any]:
        first, rest, last = jax.random.split(key, 3)
        states = batch_game.init(jax.random.split(first, 1))

        def ply(i: Any, states: Any) -> Any:
            return batch_game.step(states, batch_game.pick(states, jax.random.bits(jax.random.fold_in(rest, i), (1,))))

        states = jax.lax.fori_loop(0, plies, ply, states)
        copies = jax.tree.map(lambda part: jnp.repeat(part, samples, 0), states)
        return batch_game.legal(states)[0], batch_game.pick(copies, jax.random.bits(last, (samples,)))

    legal, moves = jax.tree.map(np.asarray, picked(jax.random.key(seed)))
    counts = np.bincount(moves, minlength=legal.size)
    assert not counts[~legal].any()
    free = int(legal.sum()) - 1
    expected = samples / (free + 1)
    square = ((counts[legal] - expected) ** 2 / expected).sum()
    return float((square - free) / np.sqrt(2 * max(free, 1)))
