"""A training from start to end: minutes, progress, and a file from which it goes on."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from sevenhues.batch import twin as find_twin
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game, resolve_options
from sevenhues.nets import encoding
from sevenhues.nets.network import NET, Net, arrays, write
from sevenhues.training import evaluation
from sevenhues.training.ppo import Learner, Settings, Trainer

LATER = 0.1  # of the urge to vary, at the end
SMALL = {"games": 256, "parts": 4, "width": 128, "layers": 2}  # on a processor, to see that all works
SITTING = 0.25  # seconds that iterations take together at least, where they can
MOST_TIMES = 64
LATEST, MEAN, SQUARE = "latest/", "mean/", "square/"


def usual() -> Settings:
    """Return settings that suit the machine."""
    return Settings() if jax.default_backend() != "cpu" else replace(Settings(), **SMALL)


class Training:
    """One training of one game."""

    def __init__(
        self,
        game: Game[Any],
        minutes: float,
        out: Path,
        seats: int | None = None,
        settings: Settings | None = None,
        against: Path | None = None,
        seed: int = 0,
        yard: int = 4096,
    ) -> None:
        self.game = game
        self.minutes = minutes
        self.out = out
        self.settings = settings or usual()
        self.twin = find_twin(game, seats)
        self.yard = yard
        dtype = jnp.float32 if jax.default_backend() == "cpu" else jnp.bfloat16
        self.trainer = Trainer(
            self.twin, encoding.layout(game, self.twin.seats, resolve_options(game, {})), self.settings, dtype
        )
        self.frozen: Any = None
        if against is not None:
            rival = Net.read(against)
            rival.check(game, self.twin.seats)
            self.frozen = {name: jnp.asarray(array) for name, array in rival.weights.items()}
        self.against = against
        self.spent = 0.0  # seconds of training, in all sittings
        self.moves = 0
        self.curve: list[dict[str, float]] = []
        self.learner = self.trainer.start(jax.random.key(seed), self.frozen)  # who responds begins as the other
        if out.exists():
            self._resume()
        self._measure = jax.jit(self._shares)

    def run(self, every: float, tell: Callable[[dict[str, float]], None]) -> None:
        """Train until the minutes are over; tell how it goes, and keep it, every so many seconds."""
        for told in self._sittings(every):
            self.curve.append(told)
            tell(told)
            self.save()

    def _sittings(self, every: float) -> Iterator[dict[str, float]]:
        whole = self.minutes * 60
        times = 1
        self._train(0)
        yield self._told({}, 0.0, 0)
        while self.spent < whole:
            spent, moves = self.spent, self.moves
            told: dict[str, float] = {}
            while self.spent - spent < every and self.spent < whole:
                before = self.spent
                told = self._train(times)
                if self.spent - before < SITTING and times < MOST_TIMES:
                    times *= 2
            yield self._told(told, self.spent - spent, self.moves - moves)

    def _train(self, times: int) -> dict[str, float]:
        """Make some iterations; none at all just compiles them, and takes no time of the training."""
        start = perf_counter()
        part = min(self.spent / (self.minutes * 60), 1.0)
        rate = jnp.float32(self.settings.rate * (1 - part))
        entropy = jnp.float32(self.settings.entropy * (1 - (1 - LATER) * part))
        self.learner, seen = self.trainer.run(self.learner, rate, entropy, self.frozen, jnp.int32(times))
        told = {name: float(number) for name, number in seen.items()}
        if times:
            self.spent += perf_counter() - start
            self.moves += times * self.settings.games * self.settings.plies
        return told

    def _told(self, told: dict[str, float], seconds: float, moves: int) -> dict[str, float]:
        shares = self._measure(self.learner.averaged, self.frozen, jax.random.key(self.moves % 2**31))
        return {
            "seconds": round(self.spent, 1),
            "moves": self.moves,
            "per_second": round(moves / seconds) if seconds else 0,
            **{name: round(number, 4) for name, number in told.items()},
            **{name: round(float(share), 4) for name, share in shares.items()},
        }

    def _shares(self, weights: Any, frozen: Any, key: Any) -> dict[str, Any]:
        twin = self.twin
        learnt = evaluation.greedily(self.trainer, weights)
        rivals = {"random": evaluation.randomly(twin), "plain": evaluation.plainly(twin)}
        if frozen is not None:
            rivals["frozen"] = evaluation.greedily(self.trainer, frozen)
        return {
            f"vs_{name}": evaluation.share(twin, learnt, rival, self.yard, key)
            for name, rival in rivals.items()
            if rival is not None
        }

    def card(self) -> dict[str, Any]:
        """Say what was trained, how, and what came of it."""
        return {
            "game": self.game.id,
            "rules_version": self.game.rules_version,
            "seats": self.twin.seats,
            "seconds": round(self.spent, 1),
            "moves": self.moves,
            "device": jax.devices()[0].device_kind,
            "settings": asdict(self.settings),
            "against": self.against.name if self.against else None,
            "curve": self.curve,
        }

    def save(self) -> None:
        """Keep everything that is needed to go on."""
        learner = self.learner
        adam = learner.adam
        kept: dict[str, Any] = {"steps": adam["steps"], "key": jax.random.key_data(learner.key)}
        trees = {NET: learner.averaged, LATEST: learner.weights, MEAN: adam["mean"], SQUARE: adam["square"]}
        for prefix, tree in trees.items():
            kept |= {prefix + name: array for name, array in tree.items()}
        write(self.out, {name: np.asarray(array) for name, array in kept.items()}, self.card())

    def _resume(self) -> None:
        card = Net.read(self.out).card
        Net({}, card).check(self.game, self.twin.seats)
        kept = arrays(self.out)
        if LATEST + "w0" not in kept:
            raise BadOption(f"{self.out} holds a network that is done: name another file with --out")

        def tree(prefix: str) -> dict[str, Any]:
            return {name: jnp.asarray(kept[prefix + name]) for name in self.learner.weights}

        shapes = {name: array.shape for name, array in kept.items() if name.startswith(LATEST)}
        if shapes != {LATEST + name: array.shape for name, array in self.learner.weights.items()}:
            raise BadOption(f"{self.out} holds a network of another size: name another file with --out")
        adam = {"mean": tree(MEAN), "square": tree(SQUARE), "steps": jnp.int32(kept["steps"])}
        key = jax.random.wrap_key_data(jnp.asarray(kept["key"]))
        self.learner = Learner(tree(LATEST), tree(NET), adam, self.learner.states, key)
        self.spent, self.moves, self.curve = card["seconds"], card["moves"], card["curve"]


def line(told: dict[str, float]) -> str:
    """Write progress for people."""
    shares = "   ".join(f"{name[3:]} {told[name]:.1%}" for name in told if name.startswith("vs_"))
    learnt = f"entropy {told['entropy']:.2f}   error {told['error']:.3f}   " if "entropy" in told else ""
    return (
        f"{told['seconds'] / 60:6.2f} min {told['moves'] / 1e6:9,.1f} M moves "
        f"{told['per_second'] / 1e6:7.2f} M/s   {learnt}wins against {shares}"
    )
