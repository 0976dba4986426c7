"""The command line: output, refusals and exit statuses."""

import json
import re
import signal
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sevenhues import COMPILED, names
from sevenhues.render.pieces import FACES
from tests.cli.command import COMMAND, error_message, invoke, sevenhues, wait_for


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three whole games."""
    folder = tmp_path_factory.mktemp("saved")
    assert invoke("simulate", "rainbow", "-n", "3", "--seed", "cli", "--save", str(folder)).returncode == 0
    return folder


@pytest.fixture
def game(saved: Path) -> Path:
    return saved / "rainbow-000000.json"


def edited_copy(path: Path, folder: Path, **changes: object) -> Path:
    copy = folder / "edited.json"
    copy.write_text(json.dumps(json.loads(path.read_text()) | changes))
    return copy


def test_version_says_whether_the_package_is_compiled() -> None:
    build = "compiled" if COMPILED else "pure Python"
    for run in (sevenhues, invoke):
        assert re.fullmatch(rf"sevenhues \d+\.\d+\.\S+ \({build}\)\n", run("--version").stdout)


def test_help_lists_every_command() -> None:
    output = invoke("--help").stdout
    for name in ("games", "deal", "replay", "verify", "simulate", "rules", "play", "arena", "bots", "hint"):
        assert re.search(rf"^  {name} +\S", output, re.MULTILINE)
        assert "Usage: sevenhues " + name in invoke(name, "-h").stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["nonsense"], "No such command 'nonsense'"),
        (["deal"], "Missing argument 'GAME'"),
        (["deal", "chess"], "there is no game 'chess'; games: "),
        (["deal", "rainbow", "--seats", "3"], "Rainbow is for 2 seats, not 3"),
        (["deal", "rainbow", "--seats", "0"], "Rainbow is for 2 seats, not 0"),
        (["deal", "rainbow", "--seats", "x"], "'x' is not a valid integer"),
        (["deal", "rainbow", "-o", "speed=1"], "Rainbow has no option 'speed'; its options: memory_aid"),
        (["deal", "rainbow", "-o", "memory_aid=maybe"], "option memory_aid is false or true, not 'maybe'"),
        (["deal", "rainbow", "-o", "memory_aid"], "an option is written as NAME=VALUE"),
        (["simulate", "rainbow", "-n", "0"], "0 is not in the range x>=1"),
        (["simulate", "rainbow", "--on", "moon"], "'moon' is not a cluster: ray, or ray://HOST:PORT"),
        (["simulate", "rainbow", "--on", "ray://host"], "'ray://host' is not a cluster: ray, or ray://HOST:PORT"),
        (["simulate", "rainbow", "--on", "ray", "--jobs", "2"], "--jobs is for this machine; a Ray cluster uses all"),
        (["replay", "/no/such/file"], "/no/such/file: No such file or directory"),
        (["play", "rainbow", "--seat", "2"], "there is no seat 2: the seats are 0 to 1"),
        (["verify"], "Missing argument 'FILE...'"),
    ],
)
def test_misuse_is_reported_in_two_lines_at_most(args: list[str], message: str) -> None:
    assert message in error_message(invoke(*args), 2)


def test_games_are_listed_as_text_and_json() -> None:
    output = invoke("games").stdout
    listed = json.loads(invoke("games", "--json").stdout)
    assert [game["id"] for game in listed] == list(names())
    for game in listed:
        assert re.search(rf"^{game['id']} +{re.escape(game['title'])}, ", output, re.MULTILINE)


def test_deal_prints_a_record_that_follows_from_its_seed(tmp_path: Path) -> None:
    deals = [invoke("deal", "rainbow", *seed).stdout for seed in (["--seed", "a"], ["--seed", "a"], [], [])]
    assert deals[0] == deals[1]
    assert len(set(deals)) == 3
    record = json.loads(deals[0])
    assert (record["format"], record["game"], record["moves"], len(record["setup"]["deck"])) == (1, "rainbow", [], 57)
    assert sevenhues("verify", "-", stdin=deals[0]).stdout == "standard input: valid: Rainbow, 0 moves, not finished\n"


def test_deal_writes_the_options() -> None:
    assert json.loads(invoke("deal", "rainbow", "-o", "memory_aid=true").stdout)["options"] == {"memory_aid": True}


def test_verify_reports_each_file_and_exits_with_the_worst_status(saved: Path, game: Path, tmp_path: Path) -> None:
    files = sorted(map(str, saved.iterdir()))
    done = invoke("verify", *files)
    assert (done.returncode, done.stdout.count(": valid: Rainbow")) == (0, 3)
    invalid = edited_copy(game, tmp_path, moves=["0 E", "1 E"])
    done = invoke("verify", files[0], str(invalid))
    assert (done.returncode, done.stdout.count(": valid: ")) == (1, 1)
    assert re.search(r"edited\.json: invalid: ply 0: seat 0 may not play E: .*\((RB-12|G-1)\)", done.stderr)
    done = invoke("verify", str(invalid), "/no/such/file", files[0])
    assert (done.returncode, done.stdout.count(": valid: "), done.stderr.count("sevenhues: ")) == (2, 1, 2)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff" * 1_000_000, "not UTF-8"),
        (b"[" * 1_000_000, "not JSON that can be read"),
        (b"{}", "the key 'format' is missing"),
    ],
)
def test_invalid_records_are_refused(data: bytes, message: str) -> None:
    for command in (["verify", "-"], ["replay", "-"], ["replay", "--trace", "-"]):
        assert message in error_message(invoke(*command, stdin=data), 2)


def test_replay_draws_a_position_in_letters_with_its_legal_moves(game: Path) -> None:
    output = invoke("replay", str(game), "--ply", "3").stdout
    heading = re.match(r"Rainbow, ply 3 of \d+, seen by seat (\d)\n", output)
    assert heading
    assert "\x1b[" not in output
    assert len(re.findall(r"\[[ROYGBIVWK]\]", output)) >= 6
    assert f"\nseat {heading[1]} may play: " in output


def test_replay_shows_everything_to_the_viewer_everything(game: Path) -> None:
    truth = json.loads(game.read_text())["setup"]["deck"]
    output = invoke("replay", str(game), "--ply", "0", "--seat", "everything").stdout
    assert "seen by a viewer who sees everything" in output
    for seat, cards in ((0, truth[:3]), (1, truth[-1:-4:-1])):
        hand, backs = re.findall(rf"seat {seat} +(.*?) +pile 0   backs (.*)", output)[0]
        assert re.findall(r"[A-Z]", hand) == [card[seat] for card in cards]
        assert re.findall(r"[A-Z]", backs) == [card[1 - seat] for card in cards]
    assert "?" not in output.split("deck")[0]


def test_replay_shows_legal_moves_only_to_the_seat_to_act(game: Path) -> None:
    for viewer in ("0", "1", "watcher"):
        output = invoke("replay", str(game), "--ply", "3", "--seat", viewer).stdout
        assert (f"\nseat {viewer} may play: " in output) != bool(re.search(r"\nto act: seat \d\n", output))


def test_replay_shows_the_end_by_default_and_hides_hands_from_a_watcher(game: Path) -> None:
    output = invoke("replay", str(game)).stdout
    result = json.loads(game.read_text())["result"]
    assert "The game is over (deck): " in output
    assert " : ".join(map(str, result["scores"])) in output
    assert output.count("[?]") >= 3


def test_force_color_adds_colour_and_no_color_removes_it(game: Path) -> None:
    forced = invoke("replay", str(game), "--ply", "0", FORCE_COLOR="1").stdout
    assert "\x1b[" in forced
    plain = re.sub(r"\x1b\[[0-9;]*m", "", forced)
    assert len(re.findall(r" [ROYGBIVWK] ", plain)) >= 6
    assert "\x1b[" not in invoke("replay", str(game), "--ply", "0", FORCE_COLOR="1", NO_COLOR="1").stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--ply", "-1"], "there is no ply -1: the record has plies 0 to "),
        (["--ply", "9999"], "there is no ply 9999"),
        (["--seat", "2"], "there is no seat 2: the seats are 0 to 1"),
        (["--seat", "x"], "'x' is not a seat"),
    ],
)
def test_replay_refuses_unknown_plies_and_seats(game: Path, args: list[str], message: str) -> None:
    assert message in error_message(invoke("replay", str(game), *args), 2)


def test_replay_writes_a_picture_of_the_view(game: Path, tmp_path: Path) -> None:
    named = edited_copy(game, tmp_path, seats=["Ada <1>", "seat 1"])
    shown: dict[str, list[str]] = {}
    for viewer in ("0", "everything"):
        file = tmp_path / f"{viewer}.svg"
        assert invoke("replay", str(named), "--ply", "3", "--seat", viewer, "--picture", str(file)).stdout == ""
        root = ElementTree.fromstring(file.read_text(encoding="utf-8"))
        assert {"Ada <1>", "Seat 1"} <= {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
        shown[viewer] = [element.get("aria-label", "") for element in root.iter()]
    hues = {sign.name for sign in FACES.values()}
    assert [len(hues.intersection(labels)) > 0 for labels in shown.values()] == [False, True]  # the faces below
    pixels = tmp_path / "move.png"
    invoke("replay", str(named), "--picture", str(pixels))
    assert pixels.read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--picture", "move.gif"], "a picture is an .svg or a .png file, not move.gif"),
        (["--picture", "no/such/folder/move.svg"], "move.svg: No such file or directory"),
        (["--picture", "move.svg", "--trace"], "cannot be combined with --ply, --seat or --picture"),
    ],
)
def test_replay_refuses_pictures_that_it_cannot_write(game: Path, args: list[str], message: str) -> None:
    assert message in error_message(invoke("replay", str(game), *args), 2)


def test_trace_goes_to_stdout_and_stops_at_an_illegal_move(game: Path, tmp_path: Path) -> None:
    lines = invoke("replay", "--trace", str(game)).stdout.splitlines()
    complete = json.loads(game.read_text())
    assert [json.loads(line)["ply"] for line in lines] == list(range(len(complete["moves"]) + 1))
    broken = edited_copy(game, tmp_path, moves=[*complete["moves"][:4], "0 F5"])
    done = invoke("replay", "--trace", str(broken))
    assert done.stdout.splitlines() == lines[:5]
    assert re.search(r"ply 4: seat 0 may not play F5: .*\((RB-\d+|G-1)\) Legal: ", error_message(done, 1))


def test_wrong_result_exits_with_status_1(game: Path, tmp_path: Path) -> None:
    result = json.loads(game.read_text())["result"]
    wrong = edited_copy(game, tmp_path, result=result | {"scores": [57, 0]})
    assert "the result gives scores as [57, 0], but the moves lead to" in error_message(invoke("replay", str(wrong)), 1)


def test_control_characters_in_names_are_removed(game: Path, tmp_path: Path) -> None:
    hostile = edited_copy(game, tmp_path, seats=["\x1b[2Jboo", "b\x07o"])
    for seat in ("0", "1"):
        output = invoke("replay", str(hostile), "--seat", seat).stdout
        assert "o)" in output
        assert not re.search(r"[\x00-\x09\x0b-\x1f]", output)


def test_simulate_reports_and_repeats_with_its_seed() -> None:
    once, again = (
        json.loads(invoke("simulate", "rainbow", "-n", "40", "--seed", "s", "--json").stdout) for _ in range(2)
    )
    for report in (once, again):
        for measurement in ("seconds", "games_per_second", "decisions_per_second"):
            assert report.pop(measurement) > 0
    assert once == again
    assert (once["games"], once["seats"], once["seed"], once["reasons"]) == (40, 2, "s", {"deck": 1.0})
    assert sum(once["win_shares"]) + once["nobody_won"] == pytest.approx(1)
    assert once["length"]["shortest"] <= once["length"]["mean"] <= once["length"]["longest"]
    output = invoke("simulate", "rainbow", "-n", "5")
    assert "decisions" in output.stdout
    assert output.stderr == ""


@pytest.mark.slow
def test_simulated_games_do_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    args = ("simulate", "rainbow", "-n", "30", "--seed", "s", "--save")
    assert invoke(*args, str(tmp_path / "one")).returncode == 0
    assert sevenhues(*args, str(tmp_path / "two"), "--jobs", "2").returncode == 0
    games = {file.name: file.read_bytes() for file in (tmp_path / "one").iterdir()}
    assert len(games) == 30
    assert {file.name: file.read_bytes() for file in (tmp_path / "two").iterdir()} == games


def test_simulate_reports_that_it_cannot_save(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "file" in error_message(invoke("simulate", "rainbow", "-n", "1", "--save", str(tmp_path / "file" / "x")), 2)


@pytest.mark.parametrize("name", names())
def test_every_game_works_with_every_command(name: str, tmp_path: Path) -> None:
    assert f"{name}" in invoke("games").stdout
    assert "**" in invoke("rules", name).stdout
    assert invoke("verify", "-", stdin=invoke("deal", name).stdout).returncode == 0
    assert invoke("simulate", name, "-n", "2", "--save", str(tmp_path)).returncode == 0
    files = sorted(map(str, tmp_path.iterdir()))
    assert invoke("verify", *files).returncode == 0
    assert "ply" in invoke("replay", files[0], "--ply", "2").stdout
    assert "The game is over" in invoke("replay", files[1]).stdout
    assert "You left the game" in invoke("play", name, stdin="?\nxyzzy\nq\n").stdout


def test_play_accepts_moves_refuses_invalid_ones_and_saves(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    typed = "nonsense\ne\ns1\ne\n"
    done = invoke("play", "rainbow", "--seed", "1", "--save", str(file), stdin=typed)
    assert "'nonsense' is not a move of Rainbow" in done.stdout
    assert "Play a card before you end your turn. (RB-12) You can play: B1 B2 B3" in done.stdout
    assert "Seat 0 played card 1 as seen" in done.stdout
    assert done.returncode == 0
    assert json.loads(file.read_text())["moves"][:2] == ["0 S1", "0 E"]
    assert invoke("verify", str(file)).returncode == 0


def test_play_accepts_moves_in_upper_and_lower_case() -> None:
    for typed in ("P5a3", "p5a3", "P5A3"):
        done = invoke("play", "rainbow-road", "--seed", "5", stdin=f"{typed}\nq\n")
        assert "Seat 0 played a 5 to a3." in done.stdout


def test_play_uses_the_chosen_bot_and_gives_hints(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    done = invoke("play", "rainbow", "--seed", "1", "--bot", "seedling", "--save", str(file), stdin="hint\nq\n")
    assert re.search(r"would play [SBFE]\d \(\d+ %\), or ", done.stdout)
    assert json.loads(file.read_text())["seats"] == ["you", "bot:seedling"]
    assert "its bots: random, greedy" in error_message(invoke("play", "rainbow", "--bot", "x"), 2)


def test_play_runs_a_whole_game(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    done = invoke("play", "rainbow", "--seed", "1", "--save", str(file), stdin="s1\ne\ns2\ns3\nf1\n" * 200)
    assert "The game is over (deck): " in done.stdout
    assert invoke("verify", str(file)).returncode == 0


def test_interrupt_exits_with_status_130_and_no_traceback(tmp_path: Path) -> None:
    command = [str(COMMAND), "simulate", "rainbow", "-n", "100000000", "--save", str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        try:
            wait_for(lambda: any(tmp_path.iterdir()) or running.poll() is not None)
            running.send_signal(signal.SIGINT)
            _, errors = running.communicate(timeout=60)
        finally:
            running.kill()
    assert running.returncode == 130
    assert "Traceback" not in errors


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("deal rainbow --seed $'\\xff'", 0),
        ("simulate rainbow -n 2 --seed $'\\xff'", 0),
        ("games >&-", 0),
        ("verify - <&-", 2),
        ("play rainbow <&-", 0),
        (f"replay /dev/null --seat {'9' * 5000}", 2),
        ("replay /dev/null --trace --ply 3", 2),
    ],
)
def test_odd_arguments_and_closed_streams_cause_no_traceback(command: str, status: int) -> None:
    done = subprocess.run(["bash", "-c", f"'{COMMAND}' {command}"], capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (status, False), done.stderr


def test_empty_seed_is_a_seed() -> None:
    assert invoke("deal", "rainbow", "--seed", "").stdout == invoke("deal", "rainbow", "--seed", "").stdout


def test_command_without_arguments_prints_help() -> None:
    done = invoke()
    assert (done.returncode, done.stdout.startswith("Usage: sevenhues "), done.stderr) == (0, True, "")


def test_error_messages_are_short_and_without_control_characters(game: Path, tmp_path: Path) -> None:
    hostile_parts: list[dict[str, object]] = [
        {"options": {"memory_aid": "\x1b]0;boo\x07\n\n"}},
        {"game": "x" * 1_000_000},
        {"options": {"y" * 1_000_000: 1}},
        {"options": {"memory_aid": [[[]]] * 10_000}},
    ]
    for hostile in hostile_parts:
        message = error_message(invoke("verify", str(edited_copy(game, tmp_path, **hostile))), 2)
        assert len(message) < 2200
        assert not re.search(r"[\x00-\x1f]", message)


def test_position_before_an_illegal_move_is_shown(game: Path, tmp_path: Path) -> None:
    complete = json.loads(game.read_text())
    broken = edited_copy(game, tmp_path, moves=[*complete["moves"][:20], "0 F5"])
    done = invoke("replay", str(broken), "--ply", "3")
    assert done.stdout.startswith("Rainbow, ply 3 of 21")
    assert "ply 20: seat 0 may not play F5" in error_message(done, 1)


def test_play_refuses_an_unwritable_file_before_the_game() -> None:
    done = invoke("play", "rainbow", "--save", "/no/such/folder/game.json", stdin="s1\n")
    assert "/no/such/folder/game.json: No such file" in error_message(done, 2)
    assert done.stdout == ""


def test_closed_output_pipe_is_no_error(game: Path) -> None:
    command = f"'{COMMAND}' replay --trace '{game}' | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert json.loads(done.stdout)["ply"] == 0
    assert done.stderr == ""


def test_hint_prints_the_best_moves_and_repeats_with_its_seed(game: Path) -> None:
    args = ("hint", str(game), "--ply", "0", "--budget", "80", "--seed", "x")
    output = invoke(*args)
    assert output.returncode == 0
    assert re.fullmatch(r"Rainbow, seat [01]:\n(  \S+ +\d+\.\d %\n){3}", output.stdout)
    assert invoke(*args).stdout == output.stdout
    hint = json.loads(invoke(*args, "--json", "--top", "1").stdout)
    assert hint["ply"] == 0
    assert hint["moves"][0]["text"] == output.stdout.split()[3]


def test_hint_says_why_there_is_none(game: Path, tmp_path: Path) -> None:
    assert "the game is over: choose an earlier position with --ply" in error_message(invoke("hint", str(game)), 2)
    assert "there is no ply 9999" in error_message(invoke("hint", str(game), "--ply", "9999"), 2)
    assert "seat 7 is not to act: choose --seat" in error_message(
        invoke("hint", str(game), "--ply", "0", "--seat", "7"), 2
    )
    assert "a time such as" in error_message(invoke("hint", str(game), "--ply", "0", "--budget", "fast"), 2)
    assert "S9" in error_message(invoke("hint", str(edited_copy(game, tmp_path, moves=["0 S9"]))), 2)
    assert "ply 0" in error_message(invoke("hint", str(edited_copy(game, tmp_path, moves=["0 F1"]))), 1)
