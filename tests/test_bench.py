"""`make bench` runs: every row of bench/run.py is measured once, for a moment. Nothing here depends on the times."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import sevenhues

RUN = Path(__file__).parents[1] / "bench" / "run.py"
# The own games of PettingZoo and RLCard need packages that the tests have not.
FRAMEWORKS = ["OpenSpiel"]
TABLES = [
    "Equal games, decisions per second of CPU time",
    "The game of docs/adding-a-game.md, random moves a second of CPU time",
    "Random playouts, decisions per second",
    "Random playouts with a deal for each game",
    "Stepped from a Python loop",
    "Dealing a game for a simulation",
    "Copying a dealt position",
    "Through the adapters, decisions per second",
    "Vector environments, steps per second",
    "Information-set tree search of the first move",
]


@pytest.mark.slow
@pytest.mark.skipif(not sevenhues.COMPILED, reason="the bench measures the compiled package")
def test_every_row_of_the_bench_is_measured_and_printed(tmp_path: Path) -> None:
    file = tmp_path / "bench.json"
    python = [f"--{name}={sys.executable}" for name in ("plain", "compiled", "peer")]
    command = [sys.executable, str(RUN), *python, "--seconds=0.001", "--rounds=1", f"--json={file}"]
    done = subprocess.run([*command, "--frameworks", *FRAMEWORKS], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for table in TABLES:
        assert f"\n{table}" in done.stdout
    rows = json.loads(file.read_text(encoding="utf-8"))
    tables = [(row["game"], row["seats"]) for row in rows["compiled"][0]]
    assert {game for game, _ in tables} == set(sevenhues.names())
    for game, seats in tables:
        assert done.stdout.count(f"  {game}, {seats} seats") == 5
    for environment in {row["game"] for row in rows["adapted"][0] if row["framework"] == "make_vec"}:
        assert f"\n  {environment} " in done.stdout
    assert all(row["ratio"] > 0 for row in rows["equal"] + rows["outside"])
