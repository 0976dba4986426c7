"""The commands `analyse` and `belief`."""

import json
from pathlib import Path

import pytest

from tests.cli.command import error_message, invoke


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the first moves of two games of turns, and a whole race."""
    folder = tmp_path_factory.mktemp("saved")
    for name in ("rainbow", "rainbow-road", "nimble"):
        assert invoke("simulate", name, "-n", "1", "--seed", "cli", "--save", str(folder)).returncode == 0
    for name, moves, short in (("rainbow", 12, "short"), ("rainbow-road", 6, "short-road")):
        complete = json.loads((folder / f"{name}-000000.json").read_text())
        del complete["result"]
        complete["moves"] = complete["moves"][:moves]
        (folder / f"{short}.json").write_text(json.dumps(complete))
    return folder


@pytest.mark.slow
def test_analyse_prints_a_report_and_repeats_with_its_seed(saved: Path) -> None:
    args = ("analyse", str(saved / "short.json"), "--simulations", "20", "--seed", "s")
    done = invoke(*args)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Rainbow, 12 moves, ")
    assert "not finished; evaluated by master, 20 simulations per decision" in done.stdout
    assert "own choices" in done.stdout
    assert invoke(*args).stdout == done.stdout


@pytest.mark.slow
def test_analyse_writes_json_and_a_plot(saved: Path, tmp_path: Path) -> None:
    plot = tmp_path / "report.png"
    done = invoke("analyse", str(saved / "short.json"), "--simulations", "10", "--json", "--plot", str(plot))
    report = json.loads(done.stdout)
    assert len(report["chances"]) == 13
    assert report["simulations"] == 10
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_analyse_reports_pace_and_lost_races_of_a_race(saved: Path, tmp_path: Path) -> None:
    plot = tmp_path / "race.png"
    done = invoke("analyse", str(saved / "nimble-000000.json"), "--plot", str(plot))
    assert "moves a minute" in done.stdout
    assert "races lost" in done.stdout
    assert plot.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("command", ["analyse", "belief"])
def test_invalid_files_are_refused(command: str, saved: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{")
    assert "not a record: line 1 column 2" in error_message(invoke(command, str(bad)), 2)
    complete = json.loads((saved / "short.json").read_text())
    bad.write_text(json.dumps(complete | {"moves": ["0 E", "1 E"]}))
    assert "invalid: ply 0" in error_message(invoke(command, str(bad)), 1)
    assert "No such file" in error_message(invoke(command, str(tmp_path / "none")), 2)


def test_belief_prints_the_odds_of_hidden_faces(saved: Path) -> None:
    file = str(saved / "short.json")
    output = json.loads(invoke("belief", file, "--ply", "5", "--seat", "1", "--json").stdout)
    assert (output["ply"], output["seat"]) == (5, 1)
    assert output["symbols"] == list("ROYGBIVWK")
    assert all(abs(sum(face["chances"]) - 1) < 1e-9 for face in output["faces"])
    text = invoke("belief", file, "--ply", "5", "--seat", "1").stdout
    assert "Rainbow, ply 5 of 12, known to seat 1" in text
    assert text.count("\n") == 2 + len(output["faces"])
    assert "there is no seat 2" in error_message(invoke("belief", file, "--seat", "2"), 2)
    assert "there is no ply 13" in error_message(invoke("belief", file, "--ply", "13"), 2)
    assert "Nimble does not compute the odds" in error_message(invoke("belief", str(saved / "nimble-000000.json")), 2)


@pytest.mark.slow
def test_reports_on_many_records_do_not_depend_on_the_number_of_processes(saved: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{")
    # Rainbow's analysis uses a network, whose last digits depend on how a processor adds.
    files = [str(saved / "short-road.json"), str(saved / "nimble-000000.json")]
    args = ("--simulations", "10", "--seed", "s")
    single = [invoke("analyse", file, "--json", *args).stdout for file in files]
    for jobs in ([], ["--jobs", "2"]):
        done = invoke("analyse", files[0], str(bad), files[1], "--json", *args, *jobs)
        assert (done.returncode, done.stdout) == (2, "".join(single))
        assert f"{bad}: not a record" in done.stderr
    headed = invoke("analyse", *files, *args).stdout
    assert [headed.count(f"{file}\n") for file in files] == [1, 1]
    assert "--plot is for one record" in error_message(invoke("analyse", *files, "--plot", str(tmp_path / "p.png")), 2)
