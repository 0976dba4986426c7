"""The test suites of the frameworks, for every game with every number of seats and all values of its options.

`python -m tests.adapters.suites` runs them all and writes the matrix of docs/research.md from what passed. It takes
a quarter of an hour. `-k TEXT` runs those whose name contains a text, and writes nothing.
"""

import argparse
import re
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any, Literal
from xml.etree import ElementTree

import gymnasium
import pyspiel
from gymnasium.utils.env_checker import check_env
from open_spiel.python import rl_environment
from open_spiel.python.algorithms.generate_playthrough import playthrough
from open_spiel.python.algorithms.random_agent import RandomAgent
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.test.render_test import render_test
from pettingzoo.test.state_test import state_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from sevenhues import load, names
from sevenhues.adapters import openspiel
from sevenhues.adapters.gymnasium import register as register_gymnasium
from sevenhues.adapters.pettingzoo import env, parallel_env
from sevenhues.adapters.rendering import SVG

register_gymnasium()
openspiel.register()
PAGE = Path(__file__).parents[2] / "docs" / "research.md"
MATRIX = re.compile(r"(<!-- suites -->\n).*?(<!-- end -->\n)", re.DOTALL)
PASSED, NOT_APPLICABLE = "✓", "–"
RL_STEPS = 400  # joint steps of a game of Nimble, which has no bound
# PettingZoo warns of every observation that is a dictionary, but for its own environments, which it knows by name.
EXPECTED_WARNINGS = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "Action mask numpy array is all zeros",
)


@dataclass(frozen=True)
class Variant:
    """A game with a number of seats and values for its options."""

    game: str
    seats: int
    options: dict[str, Any]

    @property
    def default(self) -> bool:
        """Return whether all options have their defaults."""
        return all(option.default == self.options[option.name] for option in load(self.game).options)

    @property
    def simultaneous(self) -> bool:
        return load(self.game).simultaneous

    def __str__(self) -> str:
        values = [f"{name}={value}".lower() for name, value in self.options.items()]
        return "-".join([self.game, str(self.seats), *values])


@dataclass(frozen=True)
class Suite:
    """A suite of a framework."""

    framework: str
    name: str
    run: Callable[[Variant], None]
    applies: Callable[[Variant], bool] = lambda variant: True

    def __str__(self) -> str:
        return f"{self.framework.lower()}-{self.name}"


def variants() -> list[Variant]:
    """Return every game with every number of seats and all values of its options."""
    found = []
    for name in names():
        game = load(name)
        for seats in range(game.min_seats, game.max_seats + 1):
            for values in product(*[option.choices for option in game.options]):
                options = {option.name: value for option, value in zip(game.options, values, strict=True)}
                found.append(Variant(name, seats, options))
    return found


def turns(variant: Variant, **arguments: Any) -> Any:
    return env(variant.game, variant.seats, **arguments, **variant.options)


def joint(variant: Variant) -> Any:
    return parallel_env(variant.game, variant.seats, **variant.options)


def pettingzoo_api(variant: Variant) -> None:
    api_test(turns(variant), num_cycles=100)


def pettingzoo_seed(variant: Variant) -> None:
    seed_test(lambda: turns(variant), num_cycles=60)


def pettingzoo_parallel(variant: Variant) -> None:
    parallel_api_test(joint(variant), num_cycles=500)
    parallel_seed_test(lambda: joint(variant), num_cycles=200)


def pettingzoo_state(variant: Variant) -> None:
    if variant.simultaneous:
        state_test(turns(variant), joint(variant))
    else:
        state_test(TerminateIllegalWrapper(turns(variant), illegal_reward=-1), turns(variant))


def pettingzoo_render(variant: Variant) -> None:
    render_test(lambda render_mode: turns(variant, render_mode=render_mode), {SVG: ElementTree.fromstring})


def gymnasium_checker(variant: Variant) -> None:
    title = "".join(word.capitalize() for word in variant.game.split("-"))
    for seat in range(variant.seats):
        made = gymnasium.make(f"sevenhues/{title}-v0", seats=variant.seats, seat=seat, **variant.options)
        check_env(made.unwrapped)


def openspiel_game(variant: Variant, **parameters: Any) -> Any:
    all_parameters = {"players": variant.seats, **parameters, **variant.options}
    return pyspiel.load_game(f"sevenhues_{variant.game.replace('-', '_')}", all_parameters)


def openspiel_simulation(variant: Variant) -> None:
    for serialize in (True, False):
        pyspiel.random_sim_test(openspiel_game(variant), num_sims=1, serialize=serialize, verbose=False)


def openspiel_playthrough(variant: Variant) -> None:
    length = {"max_length": 4} if variant.simultaneous else {}
    lines = playthrough(str(openspiel_game(variant, **length)), None, seed=1).splitlines()
    assert sum(line.startswith("PrivateObservationString(0)") for line in lines) > 0
    assert sum(line.startswith("PublicObservationString()") for line in lines) > 0


def openspiel_rl_environment(variant: Variant) -> None:
    """Play a game of OpenSpiel's random agents."""
    length = {"max_length": RL_STEPS} if variant.simultaneous else {}
    kind = rl_environment.ObservationType.OBSERVATION
    environment = rl_environment.Environment(openspiel_game(variant, **length), observation_type=kind)
    actions = environment.action_spec()["num_actions"]
    agents = [RandomAgent(seat, actions) for seat in range(variant.seats)]
    step = environment.reset()
    width = environment.observation_spec()["info_state"][0]
    while not step.last():
        assert {len(seen) for seen in step.observations["info_state"]} == {width}
        acting = agents if step.is_simultaneous_move() else [agents[step.current_player()]]
        step = environment.step([agent.step(step).action for agent in acting])
    assert len(step.rewards) == variant.seats


def pgx_api(variant: Variant) -> None:
    import jax
    import jax.numpy as jnp
    from pgx._src import api_test as suite

    from sevenhues.adapters import pgx

    theirs = pgx.make(variant.game, variant.seats, **variant.options)
    suite.EnvId = Literal[theirs.id]  # it accepts only its own games
    # Its own function samples along axis 1, which the mask of a single game does not have.
    suite.act_randomly = jax.jit(
        lambda key, mask: jax.random.categorical(key, jnp.log(mask.astype(jnp.float32)), axis=-1)
    )
    suite.api_test(theirs, 1)


SUITES = [
    Suite("PettingZoo", "api_test", pettingzoo_api),
    Suite("PettingZoo", "seed_test", pettingzoo_seed),
    Suite("PettingZoo", "parallel_api_test", pettingzoo_parallel, lambda variant: variant.simultaneous),
    Suite("PettingZoo", "state_test", pettingzoo_state),
    Suite("PettingZoo", "render_test", pettingzoo_render),
    Suite("Gymnasium", "check_env", gymnasium_checker),
    Suite("OpenSpiel", "random_sim_test", openspiel_simulation),
    Suite("OpenSpiel", "playthrough", openspiel_playthrough),
    Suite("OpenSpiel", "rl_environment", openspiel_rl_environment),
    Suite("Pgx", "api_test", pgx_api),
]


def matrix(result: Callable[[Suite, Variant], str]) -> str:
    """Return the table of the page: one row for each variant, one column for each suite."""
    head = ["variant", *[f"{suite.framework} `{suite.name}`" for suite in SUITES]]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for variant in variants():
        seats = f"{variant.seats} seat{'s' * (variant.seats > 1)}"
        changed = [
            option.name.replace("_", " ")
            + ("" if option.choices == (False, True) else f" {variant.options[option.name]}")
            for option in load(variant.game).options
            if variant.options[option.name] != option.default
        ]
        cells = [result(suite, variant) if suite.applies(variant) else NOT_APPLICABLE for suite in SUITES]
        lines.append("| " + " | ".join([", ".join([load(variant.game).title, seats, *changed]), *cells]) + " |")
    return "\n".join(lines) + "\n"


def page_with(table: str) -> str:
    """Return docs/research.md with another matrix."""
    return MATRIX.sub(lambda found: f"{found[1]}\n{table}\n{found[2]}", PAGE.read_text(encoding="utf-8"))


def outcome(suite: Suite, variant: Variant) -> str:
    """Run a suite; return the mark of the matrix, or the name of the error."""
    start = process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for text in EXPECTED_WARNINGS:
                warnings.filterwarnings("ignore", text)
            suite.run(variant)
        mark = PASSED
    except Exception as error:
        mark = type(error).__name__
        print(f"{suite} {variant}: {error}", file=sys.stderr)
    print(f"{suite} {variant}: {mark}, {process_time() - start:.1f} s", flush=True)
    return mark


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("-k", default="", help="run only suites and variants whose name contains this text")
    args = parser.parse_args()
    pairs = [(suite, variant) for suite in SUITES for variant in variants() if suite.applies(variant)]
    results = {}
    for suite, variant in pairs:
        name = f"{suite} {variant}"
        if args.k in name:
            results[name] = outcome(suite, variant)
    if not args.k:
        PAGE.write_text(page_with(matrix(lambda suite, variant: results[f"{suite} {variant}"])), encoding="utf-8")
    passed = list(results.values()).count(PASSED)
    print(f"{passed} of {len(results)} passed")
    return int(passed < len(results))


if __name__ == "__main__":
    sys.exit(main())
