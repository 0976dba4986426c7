"""The commands `analyse` and `belief`."""

import json
from pathlib import Path

import pytest

from tests.cli.command import complaint, invoke


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the first moves of a game of turns, and a whole race."""
    folder = tmp_path_factory.mktemp("saved")
    for name in ("rainbow", "nimble"):
        assert invoke("simulate", name, "-n", "1", "--seed", "cli", "--save", str(folder)).returncode == 0
    whole = json.loads((folder / "rainbow-000000.json").read_text())
    del whole["result"]
    whole["moves"] = whole["moves"][:12]
    (folder / "short.json").write_text(json.dumps(whole))
    return folder


@pytest.mark.slow
def test_analyse_prints_a_report_and_repeats_with_its_seed(saved: Path) -> None:
    args = ("analyse", str(saved / "short.json"), "--simulations", "20", "--seed", "s")
    done = invoke(*args)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Rainbow, 12 moves, ")
    assert "not finished; judged by master, 20 simulations a decision" in done.stdout
    assert "own choices" in done.stdout
    assert invoke(*args).stdout == done.stdout


@pytest.mark.slow
def test_analyse_writes_json_and_a_plot(saved: Path, tmp_path: Path) -> None:
    picture = tmp_path / "story.png"
    done = invoke("analyse", str(saved / "short.json"), "--simulations", "10", "--json", "--plot", str(picture))
    story = json.loads(done.stdout)
    assert len(story["chances"]) == 13
    assert story["simulations"] == 10
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_analyse_reports_pace_and_lost_races_of_a_race(saved: Path, tmp_path: Path) -> None:
    picture = tmp_path / "race.png"
    done = invoke("analyse", str(saved / "nimble-000000.json"), "--plot", str(picture))
    assert "moves a minute" in done.stdout
    assert "races lost" in done.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("command", ["analyse", "belief"])
def test_invalid_files_are_refused(command: str, saved: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{")
    assert "no record: line 1 column 2" in complaint(invoke(command, str(bad)), 2)
    whole = json.loads((saved / "short.json").read_text())
    bad.write_text(json.dumps(whole | {"moves": ["0 E", "1 E"]}))
    assert "unsound: ply 0" in complaint(invoke(command, str(bad)), 1)
    assert "No such file" in complaint(invoke(command, str(tmp_path / "none")), 2)


def test_belief_prints_the_odds_of_hidden_faces(saved: Path) -> None:
    file = str(saved / "short.json")
    output = json.loads(invoke("belief", file, "--ply", "5", "--seat", "1", "--json").stdout)
    assert (output["ply"], output["seat"]) == (5, 1)
    assert output["symbols"] == list("ROYGBIVWK")
    assert all(abs(sum(face["chances"]) - 1) < 1e-9 for face in output["faces"])
    text = invoke("belief", file, "--ply", "5", "--seat", "1").stdout
    assert "Rainbow, ply 5 of 12, as seat 1 can know it" in text
    assert text.count("\n") == 2 + len(output["faces"])
    assert "there is no seat 2" in complaint(invoke("belief", file, "--seat", "2"), 2)
    assert "there is no ply 13" in complaint(invoke("belief", file, "--ply", "13"), 2)
    assert "Nimble tells no odds" in complaint(invoke("belief", str(saved / "nimble-000000.json")), 2)
