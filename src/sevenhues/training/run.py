"""A training run: schedules, progress reports, and a file from which it resumes."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from sevenhues.batch import make as make_batch_game
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game, resolve_options
from sevenhues.nets import encoding
from sevenhues.nets.evaluator import check
from sevenhues.nets.network import WEIGHTS_PREFIX, Network, read_arrays, write_arrays
from sevenhues.training import evaluation
from sevenhues.training.devices import Devices
from sevenhues.training.ppo import Settings, Trainer, TrainState

FINAL_ENTROPY_SHARE = 0.1  # of the entropy coefficient, at the end of a run
CPU_SETTINGS = {"games": 256, "minibatches": 4, "width": 128, "layers": 2}  # enough to try a training out
MIN_CHUNK_SECONDS = 0.25  # iterations are run in chunks of at least this duration,
MAX_CHUNK_ITERATIONS = 64  # and of at most this many iterations
EVALUATION_GAMES = 4096
LATEST, MEAN, SQUARE = "latest/", "mean/", "square/"  # prefixes of arrays in the file of a run

Report = dict[str, float]


def default_settings() -> Settings:
    """Return the default settings for this machine."""
    return Settings() if jax.default_backend() != "cpu" else replace(Settings(), **CPU_SETTINGS)


class TrainingRun:
    """Trains a network for one game and writes it to a file. If the file exists, the run resumes from it."""

    def __init__(
        self,
        game: Game[Any],
        minutes: float,
        out: Path,
        seats: int | None = None,
        settings: Settings | None = None,
        against: Path | None = None,
        seed: int = 0,
        evaluation_games: int = EVALUATION_GAMES,
        devices: int | None = None,
    ) -> None:
        self.game = game
        self.seconds = minutes * 60
        self.out = out
        self.settings = settings or default_settings()
        self.batch_game = make_batch_game(game, seats)
        self.evaluation_games = evaluation_games
        dtype = jnp.float32 if jax.default_backend() == "cpu" else jnp.bfloat16
        features = encoding.layout(game, self.batch_game.seats, resolve_options(game, {}))
        self.devices = Devices(devices)
        self.trainer = Trainer(self.batch_game, features, self.settings, dtype, self.devices)
        self.frozen: Any = None
        if against is not None:
            opponent = Network.read(against)
            check(opponent.metadata, game, self.batch_game.seats)
            self.frozen = self.devices.copy_to_all(opponent.weights)
        self.against = against
        self.spent_seconds = 0.0  # of training, without compilation and evaluation
        self.moves = 0
        self.curve: list[Report] = []
        self.state = self.trainer.start(jax.random.key(seed), self.frozen)  # a response starts as its opponent
        if out.exists():
            self._resume()
        self._evaluate = jax.jit(self._win_shares)

    def run(self, report_seconds: float, on_report: Callable[[Report], None]) -> None:
        """Train until the time is used up. Report and save every `report_seconds`."""
        for report in self._reports(report_seconds):
            self.curve.append(report)
            on_report(report)
            self.save()

    def _reports(self, report_seconds: float) -> Iterator[Report]:
        iterations = 1
        self._train(0)
        yield self._report({}, 0.0, 0)
        while self.spent_seconds < self.seconds:
            seconds_before, moves_before = self.spent_seconds, self.moves
            metrics: dict[str, float] = {}
            while self.spent_seconds - seconds_before < report_seconds and self.spent_seconds < self.seconds:
                chunk_start = self.spent_seconds
                metrics = self._train(iterations)
                if self.spent_seconds - chunk_start < MIN_CHUNK_SECONDS and iterations < MAX_CHUNK_ITERATIONS:
                    iterations *= 2
            yield self._report(metrics, self.spent_seconds - seconds_before, self.moves - moves_before)

    def _train(self, iterations: int) -> dict[str, float]:
        """Run iterations and return the metrics of the last. With 0 iterations, only compile; no time is counted."""
        start = perf_counter()
        progress = min(self.spent_seconds / self.seconds, 1.0)
        learning_rate = jnp.float32(self.settings.learning_rate * (1 - progress))
        entropy_coef = jnp.float32(self.settings.entropy_coef * (1 - (1 - FINAL_ENTROPY_SHARE) * progress))
        self.state, arrays = self.trainer.run(
            self.state, learning_rate, entropy_coef, self.frozen, jnp.int32(iterations)
        )
        metrics = {name: float(number) for name, number in arrays.items()}
        if iterations:
            self.spent_seconds += perf_counter() - start
            self.moves += iterations * self.settings.games * self.settings.rollout_length
        return metrics

    def _report(self, metrics: dict[str, float], seconds: float, moves: int) -> Report:
        shares = self._evaluate(self.state.averaged, self.frozen, jax.random.key(self.moves % 2**31))
        return {
            "seconds": round(self.spent_seconds, 1),
            "moves": self.moves,
            "per_second": round(moves / seconds) if seconds else 0,
            **{name: round(number, 4) for name, number in metrics.items()},
            **{name: round(float(share), 4) for name, share in shares.items()},
        }

    def _win_shares(self, weights: Any, frozen: Any, key: Any) -> dict[str, Any]:
        batch_game = self.batch_game
        player = evaluation.greedy_player(self.trainer, weights)
        opponents = {
            "random": evaluation.random_player(batch_game),
            "plain": evaluation.plain_player(batch_game),
        }
        if frozen is not None:
            opponents["frozen"] = evaluation.greedy_player(self.trainer, frozen)
        return {
            f"vs_{name}": evaluation.win_share(batch_game, player, opponent, self.evaluation_games, key, self.devices)
            for name, opponent in opponents.items()
            if opponent is not None
        }

    def metadata(self) -> dict[str, Any]:
        """Return what was trained, how, and the curve of its reports."""
        return {
            "game": self.game.id,
            "rules_version": self.game.rules_version,
            "seats": self.batch_game.seats,
            "seconds": round(self.spent_seconds, 1),
            "moves": self.moves,
            "device": jax.devices()[0].device_kind,
            "devices": self.devices.count,
            "settings": asdict(self.settings),
            "against": self.against.name if self.against else None,
            "curve": self.curve,
        }

    def save(self) -> None:
        """Write everything that is needed to resume."""
        state = self.state
        adam = state.adam
        arrays: dict[str, Any] = {"steps": adam["steps"], "key": jax.random.key_data(state.key)}
        trees = {WEIGHTS_PREFIX: state.averaged, LATEST: state.weights, MEAN: adam["mean"], SQUARE: adam["square"]}
        for prefix, tree in trees.items():
            arrays |= {prefix + name: array for name, array in tree.items()}
        write_arrays(self.out, {name: np.asarray(array) for name, array in arrays.items()}, self.metadata())

    def _resume(self) -> None:
        metadata = Network.read(self.out).metadata
        check(metadata, self.game, self.batch_game.seats)
        arrays = read_arrays(self.out)
        if LATEST + "w0" not in arrays:
            raise BadOption(f"{self.out} holds a finished network: name another file with --out")

        def tree(prefix: str) -> dict[str, Any]:
            return {name: jnp.asarray(arrays[prefix + name]) for name in self.state.weights}

        shapes = {name: array.shape for name, array in arrays.items() if name.startswith(LATEST)}
        if shapes != {LATEST + name: array.shape for name, array in self.state.weights.items()}:
            raise BadOption(f"{self.out} holds a network of another size: name another file with --out")
        adam = {"mean": tree(MEAN), "square": tree(SQUARE), "steps": jnp.int32(arrays["steps"])}
        key = jax.random.wrap_key_data(jnp.asarray(arrays["key"]))
        self.state = self.trainer.place(TrainState(tree(LATEST), tree(WEIGHTS_PREFIX), adam, self.state.states, key))
        self.spent_seconds, self.moves, self.curve = metadata["seconds"], metadata["moves"], metadata["curve"]


def progress_line(report: Report) -> str:
    """Format a report as a line of text."""
    shares = "   ".join(f"{name[3:]} {report[name]:.1%}" for name in report if name.startswith("vs_"))
    losses = (
        f"entropy {report['entropy']:.2f}   value loss {report['value_loss']:.3f}   " if "entropy" in report else ""
    )
    return (
        f"{report['seconds'] / 60:6.2f} min {report['moves'] / 1e6:9,.1f} M moves "
        f"{report['per_second'] / 1e6:7.2f} M/s   {losses}wins against {shares}"
    )
