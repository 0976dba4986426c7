"""The arena from the command line: matches are played, resumed, repeated and refused."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from sevenhues import Rng, deal, load
from sevenhues.arena.match import Match, Result, Task, pairings, play_all, play_one, seat_players, tasks
from sevenhues.arena.players import Player
from sevenhues.arena.report import interval, rate, report
from sevenhues.arena.results_file import ResultsFile
from sevenhues.core.bot_support import ReactionModel
from sevenhues.executors.local import ThisProcess
from tests.cli.command import COMMAND, error_message, invoke, sevenhues, wait_for

OWN_BOT = """
from sevenhues import Bot

class First(Bot):
    def choose(self, position, seat, rng):
        return position.legal(seat)[0]

class Any(First):
    def choose(self, position, seat, rng):
        return position.pick(seat, rng)

class Broken(First):
    def choose(self, position, seat, rng):
        raise KeyError("no plan")

class Cheat(First):
    def choose(self, position, seat, rng):
        return 999

class Needy(First):
    def __init__(self, brain):
        self.brain = brain

NUMBER = 7
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    file = tmp_path / "own.py"
    file.write_text(OWN_BOT)
    return file


def arena(*args: str, run: Callable[..., CompletedProcess[str]] = invoke) -> dict[str, Any]:
    """Run a match by the command and return its report."""
    done = run("arena", *args, "--json")
    assert done.returncode == 0, done.stderr
    summary: dict[str, Any] = json.loads(done.stdout)
    return summary


def without_times(summary: dict[str, Any]) -> dict[str, Any]:
    for row in summary["bots"]:
        for name in ("ms_per_decision", "decisions_per_second", "simulations_per_second"):
            del row[name]
    return summary


@pytest.mark.slow
def test_every_pair_of_bots_plays_every_deal_from_each_side(tmp_path: Path) -> None:
    save = tmp_path / "match"
    summary = arena(
        "rainbow", "--bots", "random,seedling,player", "-n", "2", "--seed", "a", "--budget", "20", "--save", str(save)
    )
    assert [(row["bot"], row["against"], row["games"]) for row in summary["pairings"]] == [
        ("random", "seedling", 2),
        ("random", "player", 2),
        ("seedling", "player", 2),
    ]
    for row in summary["pairings"]:
        assert row["wins"] + row["losses"] + row["drawn"] == 2
        assert row["low"] <= row["share"] <= row["high"]
    assert [row["bot"] for row in summary["bots"]][-1] == "random"
    lines = [json.loads(line) for line in (save / "results.jsonl").read_text().splitlines()]
    assert lines[0]["seed"] == "a"
    sides = sorted((tuple(line["bots"]), line["deal"]) for line in lines[1:] if "player" not in line["bots"])
    both = [("random", "seedling"), ("seedling", "random")]
    assert sides == [(bots, 0) for bots in both]


@pytest.mark.slow
def test_match_is_repeated_by_its_seed_in_one_process_or_two() -> None:
    args = ("rainbow", "--bots", "random,ismcts", "-n", "2", "--seed", "again", "--budget", "3")
    one = without_times(arena(*args))
    assert one == without_times(arena(*args, "--jobs", "2", run=sevenhues))
    assert one["bots"][0]["bot"] == "ismcts"


def test_text_report_shows_shares_ratings_and_speed() -> None:
    done = invoke("arena", "rainbow", "--bots", "seedling,random", "-n", "2", "--seed", "x")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Rainbow: 2 games, 2 seats, 30ms per move, seed x (")
    assert lines[2].split() == ["seedling", "–", "random", "100.0%", "34.2%", "to", "100.0%", "2", "0", "0"]
    assert lines[4].split()[0] == "seedling"
    assert "OpenSkill" in lines[3]


@pytest.mark.slow
def test_saved_match_resumes_and_grows(tmp_path: Path) -> None:
    args = ("rainbow", "--bots", "random,seedling", "--budget", "5")
    whole = without_times(arena(*args, "-n", "4", "--seed", "s"))
    save = tmp_path / "match"
    arena(*args, "-n", "2", "--seed", "s", "--save", str(save))
    with (save / "results.jsonl").open("a") as file:
        file.write('{"bots": ["ran')  # as a run that was killed may leave it
    kept = (save / "results.jsonl").read_text().splitlines()[:3]
    grown = without_times(arena(*args, "-n", "4", "--save", str(save)))  # the seed is the one kept there
    assert grown == whole
    assert (save / "results.jsonl").read_text().splitlines()[:3] == kept


@pytest.mark.slow
def test_interrupted_match_says_where_its_results_are(tmp_path: Path) -> None:
    save = tmp_path / "match"
    args = ["arena", "rainbow", "--bots", "random,seedling", "-n", "100000", "--seed", "s", "--save", str(save)]
    running = subprocess.Popen([COMMAND, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    results = save / "results.jsonl"
    try:
        wait_for(lambda: running.poll() is not None or (results.exists() and results.read_text().count("\n") > 3))
        running.send_signal(signal.SIGINT)
        _, output = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == 130
    assert f"games are saved in {results}; run the command again to resume." in output
    assert "Traceback" not in output
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    assert len(lines) > 3


@pytest.fixture(scope="module")
def saved_match(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Play a match; return the command that goes on with it, without its settings."""
    folder = tmp_path_factory.mktemp("match")
    args = ["arena", "rainbow", "--bots", "random,seedling", "-n", "2", "--save", str(folder)]
    assert invoke(*args, "--seed", "s", "--budget", "5").returncode == 0
    return args


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["--seed", "other"], 'holds results with seed "s", not "other"; save to another folder'),
        (["--budget", "6"], 'holds results with budget "5", not "6"; save to another folder'),
        (["-o", "memory_aid=true"], 'holds results with options {"memory_aid": false}, not {"memory_aid": true}'),
    ],
)
def test_results_of_other_settings_are_not_mixed(saved_match: list[str], change: list[str], message: str) -> None:
    assert message in error_message(invoke(*saved_match, "--budget", "5", *change), 2)


def test_foreign_results_file_is_refused_and_not_changed(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_text("dear diary\n")
    done = invoke("arena", "rainbow", "--bots", "random,seedling", "--save", str(tmp_path))
    assert "is not a results file of the arena" in error_message(done, 2)
    assert (tmp_path / "results.jsonl").read_text() == "dear diary\n"


def test_own_bot_is_loaded_from_its_file_and_identified_by_its_content(own: Path, tmp_path: Path) -> None:
    args = ("rainbow", "--bots", "random", "--bot", f"{own}:First", "-n", "2", "--seed", "o", "--save", str(tmp_path))
    summary = arena(*args)
    assert {row["bot"] for row in summary["bots"]} == {"random", "First"}
    own.write_text(OWN_BOT + "# another version is another bot\n")
    arena(*args)
    lines = (tmp_path / "results.jsonl").read_text().splitlines()
    assert len(lines) == 1 + 2 + 2


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Cheat", "the bot Cheat chose 999, which is not legal; legal: "),
        ("Needy", "Needy() failed: TypeError: "),
        ("NUMBER", "NUMBER is not a subclass of sevenhues.Bot"),
        ("Nobody", "own.py has no Nobody"),
    ],
)
def test_faulty_own_bot_is_reported(own: Path, name: str, message: str) -> None:
    done = invoke("arena", "rainbow", "--bots", "random", "--bot", f"{own}:{name}", "-n", "2")
    assert message in error_message(done, 2)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_failing_own_bot_is_reported_with_its_traceback(own: Path, jobs: str) -> None:
    args = ["arena", "rainbow", "--bots", "random", "--bot", f"{own}:Broken", "-n", "2", "--jobs", jobs]
    done = subprocess.run([COMMAND, *args], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    *trace, error = done.stderr.splitlines()
    assert error == "sevenhues: the bot Broken failed: KeyError: 'no plan'"
    assert trace[0] == "Traceback (most recent call last):"
    assert f'File "{own}", line 14, in choose' in trace[1]
    assert trace[-1] == "KeyError: 'no plan'"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "a match needs two bots or more: --bots a,b"),
        (["--bots", "random"], "a match needs two bots or more: --bots a,b"),
        (["--bots", "random,random"], "the bot random is named twice"),
        (["--bots", "random,genius"], "Rainbow has no bot 'genius'; its bots: random, greedy, flat, ismcts, seedling"),
        (["--bots", "random,player", "--budget", "long"], "a time such as 200ms"),
        (["--bots", "random,player@long"], "a time such as 200ms"),
        (["--bots", "player@4,player@4"], "the bot player@4 is named twice"),
        (["--bots", "random,player", "--seats", "3"], "Rainbow is for 2 seats, not 3"),
        (["--bots", "random,player", "-n", "0"], "0 is not in the range x>=1"),
        (["--bots", "random", "--bot", "mine.py"], "given as FILE.py:CLASS, not 'mine.py'"),
        (["--bots", "random", "--bot", "no/such.py:Bot"], "no/such.py: No such file or directory"),
    ],
)
def test_invalid_matches_are_refused(args: list[str], message: str) -> None:
    assert message in error_message(invoke("arena", "rainbow", *args), 2)


def test_each_bot_searches_with_its_own_budget() -> None:
    bots = "ismcts@3,ismcts@6,ismcts"
    args = ("arena", "rainbow", "--bots", bots, "-n", "2", "--seed", "own", "--budget", "4", "--json")
    speeds = {row["bot"]: row for row in json.loads(invoke(*args).stdout)["bots"]}
    simulations = {
        name: round(row["simulations_per_second"] / row["decisions_per_second"]) for name, row in speeds.items()
    }
    assert simulations == {"ismcts@3": 3, "ismcts@6": 6, "ismcts": 4}


@pytest.mark.slow
def test_plot_is_written_or_refused_before_the_match(tmp_path: Path) -> None:
    picture = tmp_path / "match.png"
    args = ("arena", "rainbow", "--bots", "random,seedling", "-n", "2", "--plot", str(picture))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "matplotlib", None)
        assert error_message(invoke(*args), 2) == "a plot needs matplotlib: pip install 'sevenhues[plot]'"
    assert not picture.exists()
    assert invoke(*args).returncode == 0
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_bots_command_lists_each_bot_with_a_line() -> None:
    output = invoke("bots", "rainbow").stdout.splitlines()
    assert [line.split()[0] for line in output][:4] == ["random", "greedy", "flat", "ismcts"]
    assert [line.split()[0] for line in output][4:] == ["seedling", "player", "expert", "master"]
    assert all(len(line.split()) > 3 for line in output)


def test_with_three_seats_each_bot_sits_alone_in_every_seat() -> None:
    a, b = Player("a"), Player("b")
    listed = pairings([a, b], 3)
    assert [(pairing.lone, pairing.others) for pairing in listed] == [(a, b), (b, a)]
    todo = list(tasks(listed, 3, 4))
    assert len(todo) == 2 * 6, "four games are two whole deals of three"
    assert ["".join(player.name for player in seat_players(task, 3)) for task in todo[:6]] == [
        "abb",
        "bab",
        "bba",
        "baa",
        "aba",
        "aab",
    ]


def test_match_of_three_seats_is_played_and_rated(own: Path) -> None:
    summary = arena("nimble", "--seats", "3", "--bots", "random", "--bot", f"{own}:Any", "-n", "3", "--seed", "3")
    assert [(row["bot"], row["against"], row["games"]) for row in summary["pairings"]] == [
        ("random", "Any", 3),
        ("Any", "random", 3),
    ]


def test_reactions_of_gives_all_bots_of_a_race_the_same_reactions(tmp_path: Path) -> None:
    args = ("nimble", "--bots", "seedling,player", "-n", "12", "--seed", "pace", "--budget", "1")
    own = arena(*args, "--save", str(tmp_path))
    same = arena(*args, "--reactions-of", "expert")
    assert (own["reactions_of"], same["reactions_of"]) == (None, "expert")
    assert own["pairings"][0]["share"] < 0.3
    # These two differ only in their reactions.
    assert same["pairings"][0]["share"] > own["pairings"][0]["share"]
    output = invoke(
        "arena", *args[:3], "-n", "2", "--budget", "1", "--seed", "p", "--reactions-of", "expert"
    ).stdout.splitlines()[0]
    assert output.startswith("Nimble: 2 games, 2 seats, 1 simulations per move, reactions of expert, seed p (")
    mixed = error_message(invoke("arena", *args, "--reactions-of", "player", "--save", str(tmp_path)), 2)
    assert 'holds results with reactions_of null, not "player"; save to another folder' in mixed


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (
            ["rainbow", "--bots", "random,player", "--reactions-of", "player"],
            "--reactions-of is for simultaneous games; Rainbow is played in turns",
        ),
        (
            ["nimble", "--bots", "random,player", "--reactions-of", "nobody"],
            "Nimble has no bot 'nobody'; its bots: random",
        ),
    ],
)
def test_invalid_reactions_of_is_refused(args: list[str], message: str) -> None:
    assert message in error_message(invoke("arena", *args), 2)


def test_every_player_races_with_the_reactions_of_its_level(own: Path) -> None:
    nimble = load("nimble")
    models = [level.reactions for level in nimble.bot_support().levels()]
    master, peek = Player("master").reactions(nimble), Player("peek", sees_hidden=True).reactions(nimble)
    position = deal(nimble, b"pace")
    outside = Player("First", str(own), "First")
    for seed in range(20):
        drawn = [model.delay(position, 0, 0, Rng(seed)) for model in (master, peek, models[-1])]
        assert drawn[0] == drawn[1] == drawn[2]
        default = [player.reactions(nimble).delay(position, 0, 0, Rng(seed)) for player in (outside, Player("random"))]
        assert default == [ReactionModel().delay(position, 0, 0, Rng(seed))] * 2
        assert drawn[0] < default[0]


def test_game_over_the_maximum_of_moves_is_drawn(monkeypatch: pytest.MonkeyPatch, own: Path) -> None:
    monkeypatch.setattr("sevenhues.arena.match.MAX_MOVES", 7)
    match = Match("rainbow", 2, {"memory_aid": False}, "p", "8")
    listed = pairings([Player("random"), Player("seedling")], 2)
    played = play_one(match, next(tasks(listed, 2, 2)))
    assert (sum(played.decisions), played.winners, played.places) == (7, [], [1, 1])


def result(bots: str, winners: list[int], deal: int = 0, seat: int = 0) -> Result:
    places = [1 if not winners or i in winners else 2 for i in range(len(bots))]
    ones = [1] * len(bots)
    return Result(list(bots), deal, seat, winners, places, ones, ones, ones, [0.1] * len(bots))


def test_shares_count_decided_games_and_draws_are_separate() -> None:
    a, b = Player("a"), Player("b")
    (pairing,) = pairings([a, b], 2)
    played = [
        (Task(pairing, 0, 0), result("ab", [0])),
        (Task(pairing, 0, 1), result("ba", [1], seat=1)),
        (Task(pairing, 1, 0), result("ab", [1], 1)),
        (Task(pairing, 1, 1), result("ba", [], 1, seat=1)),
    ]
    summary = report([a, b], [pairing], played)
    (row,) = summary["pairings"]
    assert (row["games"], row["wins"], row["losses"], row["drawn"]) == (4, 2, 1, 1)
    assert row["share"] == pytest.approx(2 / 3)
    assert summary["bots"][0]["bot"] == "a"
    assert summary["bots"][0]["decisions_per_second"] == 10


def test_solo_game_without_a_winner_counts_as_lost() -> None:
    a = Player("a")
    (pairing,) = pairings([a], 1)
    played = [(Task(pairing, 0, 0), result("a", [0])), (Task(pairing, 1, 0), result("a", [], 1))]
    (row,) = report([a], [pairing], played)["pairings"]
    assert (row["against"], row["share"], row["drawn"]) == (None, 0.5, 0)


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(50, 100, 0.404, 0.596), (100, 100, 0.963, 1.0), (0, 10, 0.0, 0.278), (0, 0, 0.0, 1.0), (220, 400, 0.501, 0.598)],
)
def test_intervals_are_wilson_intervals(wins: float, games: int, low: float, high: float) -> None:
    assert list(interval(wins, games)) == pytest.approx([low, high], abs=0.0006)


def test_ratings_follow_wins_and_hardly_move_on_draws() -> None:
    won = rate(["a", "b", "c"], [result("ab", [0]), result("bc", [0]), result("ba", [1])] * 5)
    assert won["a"][0] > won["b"][0] > won["c"][0]
    drawn = rate(["a", "b"], [result("ab", [])] * 5)
    assert drawn["a"][0] == pytest.approx(drawn["b"][0], abs=0.5)


def test_only_the_peek_player_is_given_the_true_position() -> None:
    match = Match("rainbow", 2, {"memory_aid": False}, "p", "8")
    peek, fair = Player("peek", sees_hidden=True), Player("random")
    (pairing,) = pairings([peek, fair], 2)
    results = list(play_all(match, list(tasks([pairing], 2, 2)), ThisProcess()))
    assert [r.bots[r.seat] for r in results] == ["peek", "peek"]
    assert all(r.winners == [r.seat] for r in results)


def test_results_file_without_a_folder_keeps_results_in_memory() -> None:
    match = Match("rainbow", 2, {"memory_aid": False}, "p", "8")
    results_file = ResultsFile(None)
    results_file.open(match)
    listed = pairings([Player("random"), Player("seedling")], 2)
    todo = list(tasks(listed, 2, 2))
    results_file.add(play_one(match, todo[1]))
    assert results_file.missing(todo, 2) == [todo[0]]
    assert [r.seat for r in results_file.of(todo, 2)] == [1]


MATCH = ("rainbow", "--bots", "random,greedy", "-n", "8", "--budget", "4", "--seed", "shared")


def test_shards_of_a_match_merge_into_the_whole_match(tmp_path: Path) -> None:
    whole = arena(*MATCH)
    folders = [tmp_path / name for name in ("first", "second")]
    for number, folder in enumerate(folders, 1):
        arena(*MATCH, "--shard", f"{number}/2", "--save", str(folder))
        assert len((folder / "results.jsonl").read_text().splitlines()) == 1 + 4
    merging = [f"--merge={folder}" for folder in folders]
    merged = arena(*MATCH, "--save", str(tmp_path / "all"), *merging, *merging)
    assert without_times(merged) == without_times(whole)
    lines = (tmp_path / "all" / "results.jsonl").read_text().splitlines()
    assert len(lines) == len(set(lines)) == 1 + 8


def test_two_matches_cannot_write_to_one_folder(tmp_path: Path) -> None:
    arena(*MATCH, "--save", str(tmp_path))
    before = (tmp_path / "results.jsonl").read_bytes()
    writing = ResultsFile(tmp_path)
    for args in (("--save", str(tmp_path)), ("--save", str(tmp_path / "other"), "--merge", str(tmp_path))):
        message = error_message(invoke("arena", *MATCH, *args), 2)
        assert f"another match is writing to {tmp_path}; give each its own folder and --shard" in message
    writing.close()
    assert (tmp_path / "results.jsonl").read_bytes() == before
    arena(*MATCH, "--save", str(tmp_path))


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--shard", "0/2"], "'0/2' is not a shard such as 1/4, the first of four"),
        (["--shard", "3/2"], "'3/2' is not a shard"),
        (["--shard", "half"], "'half' is not a shard"),
        (["--shard", "9/9"], "shard 9/9 has no games: there are fewer deals than shards"),
        (["--merge", "no/such"], "Directory 'no/such' does not exist"),
    ],
)
def test_wrong_shards_are_refused(args: list[str], message: str) -> None:
    assert message in error_message(invoke("arena", *MATCH, *args), 2)


def test_shard_without_a_seed_and_folder_of_another_match_are_refused(tmp_path: Path) -> None:
    assert "--shard needs --seed" in error_message(invoke("arena", *MATCH[:-2], "--shard", "1/2"), 2)
    assert f"{tmp_path} has no results.jsonl" in error_message(invoke("arena", *MATCH, "--merge", str(tmp_path)), 2)
    arena(*MATCH[:-1], "another", "--save", str(tmp_path))
    message = error_message(invoke("arena", *MATCH, "--merge", str(tmp_path)), 2)
    assert 'holds results with seed "another", not "shared"' in message
