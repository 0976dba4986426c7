"""Matches, simulations and analyses on Ray clusters of this machine, also when a node ends in the middle.

`make test-long` installs Ray (requirements/ray.txt).
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cli.command import COMMAND, wait_for

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: `make test-long` installs it"),
]

ROOT = Path(__file__).parents[2]
ENVIRONMENT = os.environ | {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # without it Ray looks for this machine's address in a network
    "PYTHONWARNINGS": "ignore",
}
MAX_CONNECTIONS = 20
MATCH = ("arena", "rainbow", "--bots", "seedling,player", "-n", "400", "--seed", "cluster", "--budget", "20", "--json")


class Cluster:
    """A cluster of two nodes with one processor each, and a head without processors.

    Commands reach it by `RAY_ADDRESS`, or by the server of Ray's client on the head.
    """

    def __init__(self, by_client: bool = False) -> None:
        self.by_client = by_client
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.executors.ray_nodes", *["client"] * by_client],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=ENVIRONMENT,
            cwd=ROOT,
        )
        self.address = self._read("address ").split()[1]

    def _read(self, start: str) -> str:
        """Return the next line of output that starts like this; Ray prints others."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(start):
                return line
        raise AssertionError(f"the cluster ended before it printed {start!r}")

    def kill_node(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("kill\n")
        self.process.stdin.flush()
        self._read("killed")

    def close(self) -> None:
        self.process.communicate(timeout=120)

    def start(self, *args: str) -> subprocess.Popen[str]:
        """Start the command `sevenhues` on this cluster."""
        return subprocess.Popen(
            [COMMAND, *args, "--on", self.address if self.by_client else "ray"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=ENVIRONMENT | {"RAY_ADDRESS": "" if self.by_client else self.address},
        )

    def run(self, *args: str) -> str:
        """Run the command `sevenhues` on this cluster and return its output.

        The server of Ray's client gives each connection half a minute, which is not enough on a busy machine.
        """
        for _ in range(MAX_CONNECTIONS if self.by_client else 1):
            running = self.start(*args)
            output, errors = running.communicate(timeout=600)
            if "cannot connect to a Ray cluster" not in errors:
                break
        assert running.returncode == 0, errors
        return output


@pytest.fixture
def cluster(request: pytest.FixtureRequest) -> Iterator[Cluster]:
    started = Cluster(by_client=request.param == "client")
    yield started
    started.close()


by_address = pytest.mark.parametrize("cluster", ["address"], indirect=True)
both_ways = pytest.mark.parametrize("cluster", ["address", "client"], indirect=True)


def alone(*args: str) -> str:
    """Run the command in one process, without a cluster."""
    done = subprocess.run([COMMAND, *args], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def without_times(text: str) -> str:
    """Remove what was measured from JSON."""
    times = "seconds|games_per_second|decisions_per_second|simulations_per_second|ms_per_decision"
    return re.sub(rf'"({times})": (\[[^]]*\]|[\d.]+),? ?', "", text)


def saved(folder: Path) -> list[str]:
    return without_times((folder / "results.jsonl").read_text(encoding="utf-8")).splitlines()


@both_ways
def test_match_of_400_games_equals_the_match_in_one_process(cluster: Cluster, tmp_path: Path) -> None:
    expected = alone(*MATCH, "--save", str(tmp_path / "one"))
    output = cluster.run(*MATCH, "--save", str(tmp_path / "ray"))
    assert without_times(output) == without_times(expected)
    assert saved(tmp_path / "ray") == saved(tmp_path / "one")
    assert len(saved(tmp_path / "ray")) == 1 + 400
    # The finished match is complete: nothing is played again.
    before = (tmp_path / "ray" / "results.jsonl").read_bytes()
    assert cluster.run(*MATCH, "--save", str(tmp_path / "ray")) == output
    assert (tmp_path / "ray" / "results.jsonl").read_bytes() == before


@by_address
def test_killed_node_costs_no_game_and_doubles_none(cluster: Cluster, tmp_path: Path) -> None:
    expected = alone(*MATCH, "--save", str(tmp_path / "one"))
    results = tmp_path / "ray" / "results.jsonl"
    running = cluster.start(*MATCH, "--save", str(tmp_path / "ray"))
    wait_for(lambda: running.poll() is not None or (results.exists() and results.read_text().count("\n") > 3))
    assert running.poll() is None, running.communicate()
    played = results.read_text().count("\n") - 1
    cluster.kill_node()
    output, errors = running.communicate(timeout=600)
    assert running.returncode == 0, errors
    assert played < 400, "the node was killed in the middle"
    assert without_times(output) == without_times(expected)
    assert saved(tmp_path / "ray") == saved(tmp_path / "one")


@both_ways
def test_simulations_and_analyses_equal_those_of_one_process(cluster: Cluster, tmp_path: Path) -> None:
    simulate = ("simulate", "rainbow-road", "-n", "300", "--seed", "s", "--json", "--save")
    expected = alone(*simulate, str(tmp_path / "one"))
    assert without_times(cluster.run(*simulate, str(tmp_path / "ray"))) == without_times(expected)
    files = sorted((tmp_path / "one").iterdir())
    assert len(files) == 300
    for file in files:
        assert (tmp_path / "ray" / file.name).read_bytes() == file.read_bytes()
    analyse = ("analyse", *map(str, files[:6]), "--simulations", "4", "--json")
    output = cluster.run(*analyse)
    assert output == alone(*analyse)
    assert len([json.loads(line) for line in output.splitlines()]) == 6


def test_address_without_a_cluster_is_reported() -> None:
    done = subprocess.run(
        [COMMAND, *MATCH, "--on", "ray"],
        capture_output=True,
        text=True,
        env=ENVIRONMENT | {"RAY_ADDRESS": ""},
        check=False,
    )
    assert done.returncode == 2
    assert "sevenhues: cannot connect to a Ray cluster (ray): " in done.stderr
    assert "Traceback" not in done.stderr
