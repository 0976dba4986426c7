"""Players by a network: no hidden information, values, budget and files."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sevenhues import Rng, deal, load, names
from sevenhues.bots.budget import Budget
from sevenhues.bots.levels import NETWORK_SEARCHES, make
from sevenhues.bots.network_bots import NetworkBot, OnePlyBot
from sevenhues.core.bot_support import NETWORK_FILE
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game, resolve_options
from sevenhues.core.position import Position
from sevenhues.core.resources import resource_path
from sevenhues.nets import encoding
from sevenhues.nets.evaluator import NetworkEvaluator
from sevenhues.nets.network import InputEncoder, Network
from tests.nets.untrained_network import untrained

GAMES = ["rainbow", "rainbow-road", "nimble"]


def midway(game: Game[Any], plies: int, seed: int = 5) -> Position:
    """Return a position after some random moves with more than one legal move."""
    position: Position = deal(game, b"nets")
    rng = Rng(seed)
    while plies > 0 or len(position.legal(position.to_act()[0])) == 1:
        plies -= 1
        seat = position.pick_seat(rng)
        position.play(seat, position.pick(seat, rng))
    return position


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("kind", ["net", "look"])
def test_move_of_a_network_does_not_depend_on_hidden_information(name: str, kind: str, tmp_path: Path) -> None:
    game = load(name)
    net = Network.read(untrained(game, tmp_path / "net.npz"))
    changed = 0
    for plies in (3, 12, 20):
        position = midway(game, plies)
        seat = position.to_act()[0]
        moves = set()
        for world in range(4):
            other = position.resample(seat, Rng(world))
            changed += other.key() != position.key()
            bot = (
                NetworkBot(game, net)
                if kind == "net"
                else OnePlyBot(game, net, game.bot_support().heuristics(), Budget(simulations=64))
            )
            moves.add(bot.choose(other, seat, Rng(1)))
        assert len(moves) == 1
        assert moves <= set(position.legal(seat))
    assert changed > 6


@pytest.mark.parametrize("name", GAMES)
def test_network_values_are_chances_that_sum_to_one_and_are_exact_at_the_end(name: str, tmp_path: Path) -> None:
    game = load(name)
    evaluator = NetworkEvaluator(game, Network.read(untrained(game, tmp_path / "net.npz")))
    over: Position = deal(game, b"over")
    rng = Rng(2)
    while (seat := over.pick_seat(rng)) >= 0:
        over.play(seat, over.pick(seat, rng))
    values = np.array(evaluator.values([midway(game, 3), over, midway(game, 9)]))
    assert np.allclose(values.sum(1), 1)
    assert (values >= 0).all()
    outcome = over.outcome()
    assert outcome is not None
    assert sorted(np.flatnonzero(values[1]).tolist()) == outcome.winners


@pytest.mark.slow
def test_one_ply_search_takes_the_move_to_the_better_position(tmp_path: Path) -> None:
    game = load("rainbow")
    net = Network.read(untrained(game, tmp_path / "net.npz"))
    bot = OnePlyBot(game, net, game.bot_support().heuristics(), Budget(simulations=2000))
    position = midway(game, 8)
    seat = position.to_act()[0]
    scored = bot.evaluate(position, seat, position.legal(seat), Rng(4))
    assert len([one for one in scored if one.tries]) > 1
    for one in scored:
        if one.tries:
            tried = []
            for world in range(100):
                tried.append(position.resample(seat, Rng(900 + world)))
                tried[-1].play(seat, one.move)
            assert abs(np.array(bot.evaluator.values(tried))[:, seat].mean() - one.value) < 0.05
    probabilities = dict(
        zip(position.legal(seat), bot.evaluator.move_probabilities(position, seat, position.legal(seat)), strict=True)
    )
    near = [one for one in scored if probabilities[one.move] >= 0.2 * max(probabilities.values())]
    assert len(near) > 1
    assert scored[0].value == max(one.value for one in near)


def test_one_ply_search_keeps_to_its_budget(tmp_path: Path) -> None:
    game = load("rainbow")
    bot = OnePlyBot(
        game,
        Network.read(untrained(game, tmp_path / "net.npz")),
        game.bot_support().heuristics(),
        Budget(simulations=100),
    )
    position = midway(game, 8)
    bot.choose(position, position.to_act()[0], Rng(1))
    assert 0 < bot.simulations <= 100 + 16 * len(position.legal(position.to_act()[0]))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_numpy_and_jax_compute_the_same_network(name: str, tmp_path: Path) -> None:
    jax = pytest.importorskip("jax")
    from sevenhues.training import model

    game = load(name)
    net = Network.read(untrained(game, tmp_path / "net.npz"))
    weights = {name: jax.numpy.asarray(array) for name, array in net.weights.items()}
    positions = [midway(game, plies) for plies in range(16)]
    seen = np.array(
        [game.observation_encoder().encode(one, 0) + game.network_input_encoder().encode(one, 0) for one in positions],
        np.uint8,
    )
    logits, values = model.forward(
        weights, encoding.layout(game, 2, resolve_options(game, {})), jax.numpy.asarray(seen), np.float32
    )
    outputs = net(InputEncoder(game, 2)([(one, 0) for one in positions]))
    assert np.allclose(outputs[0], logits, atol=1e-4)
    assert np.allclose(outputs[1], values, atol=1e-4)
    assert np.ptp(outputs[1]) > 0.01


def test_written_network_is_half_as_large_and_gives_close_outputs(tmp_path: Path) -> None:
    game = load("rainbow")
    net = Network.read(untrained(game, tmp_path / "net.npz", width=64))
    net.write(tmp_path / "ships.npz")
    ships = Network.read(tmp_path / "ships.npz")
    assert ships.metadata == net.metadata
    encoded = InputEncoder(game, 2)([(midway(game, 5), 0)])
    assert np.allclose(net(encoded)[0], ships(encoded)[0], atol=0.02)
    assert (tmp_path / "ships.npz").stat().st_size < 0.6 * (tmp_path / "net.npz").stat().st_size


def test_network_of_another_game_is_refused(tmp_path: Path) -> None:
    net = Network.read(untrained(load("nimble"), tmp_path / "net.npz"))
    with pytest.raises(BadOption, match="the network is for nimble with 2 seats, not rainbow with 2 seats"):
        NetworkBot(load("rainbow"), net)


def test_master_of_a_game_with_a_network_plays_by_it() -> None:
    shipped = [
        load(name)
        for name in names()
        if any(level.search in NETWORK_SEARCHES for level in load(name).bot_support().levels())
    ]
    assert shipped
    for game in shipped:
        file = resource_path(game, NETWORK_FILE)
        assert file.stat().st_size < 2_000_000
        net = Network.read(file)
        assert (net.metadata["game"], net.metadata["rules_version"]) == (game.id, game.rules_version)
        assert net.metadata["measured"], "the metadata of the network holds its measured strength"
        position = midway(game, 8)
        seat = position.to_act()[0]
        assert make(game, "master").choose(position, seat, Rng(1)) == NetworkBot(game, net).choose(
            position, seat, Rng(2)
        )
        assert {level.search for level in game.bot_support().benchmark_levels()} == {"flat"}, (
            "the search that it replaced is still a benchmark level"
        )


@pytest.mark.slow
def test_shipped_network_beats_random_play_and_estimates_wins() -> None:
    game = load("rainbow")
    evaluator = NetworkEvaluator(game, Network.read(resource_path(game, NETWORK_FILE)))
    won, estimates = 0, []
    for i in range(20):
        position = deal(game, b"ships %d" % i)
        seat, rng = i % 2, Rng(i)
        while (turn := position.pick_seat(rng)) >= 0:
            if turn == seat:
                estimates.append(evaluator.values([position])[0][seat])
                position.play(seat, make(game, "master").choose(position.resample(seat, rng), seat, rng))
            else:
                position.play(turn, position.pick(turn, rng))
        won += position.outcome().winners == [seat]
    assert won >= 18
    assert sum(estimates) / len(estimates) > 0.7
