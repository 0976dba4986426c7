"""Reports add up, depend only on what seats know, name better moves and are reproducible."""

import json
from typing import Any

import pytest

from sevenhues import load, names
from sevenhues.analysis import analyse
from sevenhues.analysis.evaluator import Evaluator
from sevenhues.analysis.text_report import format_report
from sevenhues.core import record
from sevenhues.core.game import Game
from sevenhues.core.play import TimedMove, deal, random_game
from sevenhues.core.record import Record
from sevenhues.core.rng import Rng
from tests.toy_games import duel, trick

TURNS = [name for name in names() if not load(name).simultaneous]
RACES = [name for name in names() if load(name).simultaneous]


def random_record(game: Game[Any], seed: str, max_moves: int, seats: int | None = None) -> Record:
    position = deal(game, seed.encode(), seats)
    game_record = record.begin(game, position, {})
    game_record.moves = random_game(game, position, Rng.seeded(seed))[:max_moves]
    *_, last = record.replay(game_record)
    game_record.result = record.result_of(last)
    return game_record


def hands(game: Game[Any], first: list[int], second: list[int], moves: str) -> Record:
    """Write a small game down: the cards of both, and those they play."""
    played = [TimedMove(ply % 2, text, None) for ply, text in enumerate(moves.split())]
    game_record = Record(game, {}, ["Ada", "Bo"], {"hands": [first, second]}, played, None, {})
    *_, last = record.replay(game_record)
    game_record.result = record.result_of(last)
    return game_record


def check_sums(report: dict[str, Any]) -> None:
    chances, moves, count = report["chances"], report["moves"], report["seats"]
    assert len(chances) == len(moves) + 1 == len(report["scores"])
    for row in chances:
        assert all(0.0 <= chance <= 1.0 for chance in row)
        assert count == 1 or sum(row) == pytest.approx(1.0, abs=1e-5)
    for seat, one in enumerate(report["sums"]):
        parts = one["start"] + one["choice"] + one["others"] + one["luck"] + one["outside"]
        assert parts == pytest.approx(one["end"], abs=1e-5)
        own = sum(move["choice"] for move in moves if move["seat"] == seat)
        assert own == pytest.approx(one["choice"], abs=1e-4)
    for ply, move in enumerate(moves):
        seat = move["seat"]
        change = chances[ply + 1][seat] - chances[ply][seat]
        assert move["choice"] + move["luck"] == pytest.approx(change, abs=1e-5)
        assert move["choice"] <= 0.0
        assert (move["best"] is not None) == (move["choice"] <= -0.02)
        assert move["best"] != move["move"]
        if move["forced"]:
            assert move["choice"] == 0.0


@pytest.mark.slow
@pytest.mark.parametrize("name", TURNS)
def test_report_adds_up_and_is_reproducible(name: str) -> None:
    game = load(name)
    game_record = random_record(game, "story", 10 if game.bot_support().levels() else 2)
    report = analyse(game_record, "a", 12)
    check_sums(report)
    assert analyse(game_record, "a", 12) == report
    assert json.loads(json.dumps(report)) == report
    if game.bot_support().levels():
        assert any(move["choice"] < 0.0 for move in report["moves"]), "random play errs"
        assert analyse(game_record, "b", 12)["chances"] != report["chances"]


@pytest.mark.slow
def test_report_of_a_four_player_game_adds_up_for_each_seat() -> None:
    for name in TURNS:
        game = load(name)
        if game.max_seats > 2:
            report = analyse(random_record(game, "four", 8, game.max_seats), "a", 6)
            assert len(report["sums"]) == game.max_seats
            check_sums(report)


@pytest.mark.slow
@pytest.mark.parametrize("name", TURNS)
def test_evaluation_depends_only_on_what_the_seat_knows(name: str) -> None:
    """Two deals that the deciding seat cannot distinguish get the same evaluation."""
    game = load(name)
    game_record = random_record(game, "eyes", 12 if game.bot_support().levels() else 2)
    evaluator = Evaluator(game, 10)
    for position in record.replay(game_record):
        seat = position.to_act()[0]
        moves = position.legal(seat)
        if len(moves) > 1:
            other = position.resample(seat, Rng(4))
            evaluations = [evaluator.evaluate(one, seat, moves[0], Rng(8)) for one in (position, other)]
            assert evaluations[0] == evaluations[1]


def test_game_without_choices_is_attributed_to_luck() -> None:
    """In Duel every card is played, so the deal decides the game."""
    report = analyse(hands(duel.game, [3, 4], [2, 6], "3 2 4 6"), "a", 400)
    check_sums(report)
    assert [move["choice"] for move in report["moves"]] == [0.0] * 4
    assert [move["forced"] for move in report["moves"]] == [False, False, True, True]
    # Of the six hands against 3 and 4, two have less than 7 in sum, two have 7 and two have more.
    assert report["chances"][0][0] == pytest.approx(0.5, abs=0.06)
    assert report["sums"][0] == {**report["sums"][0], "choice": 0.0, "others": 0.0, "end": 0.0, "outside": 0.0}
    assert report["hidden"] is True


def test_worse_card_is_attributed_to_choice_with_the_better_move() -> None:
    """The 6 always wins. The 2 wins only against the 1, which the opponent plays in a quarter of all cases."""
    report = analyse(hands(trick.game, [2, 6], [3, 4], "2 4"), "a", 400)
    check_sums(report)
    first, second = report["moves"]
    assert report["chances"][0][0] == 1.0
    assert first["choice"] == pytest.approx(-0.75, abs=0.08)
    assert first["best"] == "6"
    assert second["choice"] == 0.0
    assert report["turning"][0] == {"ply": 0, "kind": "choice"}
    assert report["sums"][1]["others"] == pytest.approx(-first["choice"], abs=1e-5)


def test_resignation_is_attributed_outside_the_game() -> None:
    game_record = hands(trick.game, [5, 6], [3, 4], "5")
    game_record.result = {"reason": "resigned", "scores": [5, 0], "winners": [1]}
    report = analyse(game_record, "a", 100)
    check_sums(report)
    assert report["chances"][-1][0] == pytest.approx(1.0, abs=0.01)
    assert report["sums"][0]["outside"] == pytest.approx(-1.0, abs=0.01)
    assert "outside" in format_report(report, "Trick")


def test_report_of_an_unfinished_game_ends_with_an_estimate() -> None:
    report = analyse(hands(trick.game, [1, 2], [3, 4], ""), "a", 100)
    check_sums(report)
    assert report["result"] is None
    assert report["sums"][0]["outside"] == 0.0
    assert report["chances"][0][0] == 0.0


def test_progress_is_reported_up_to_the_end() -> None:
    steps: list[tuple[int, int]] = []
    analyse(hands(trick.game, [2, 6], [3, 4], "6 4"), "a", 10, lambda done, of: steps.append((done, of)))
    assert steps == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_text_report_uses_the_names_of_the_record() -> None:
    text = format_report(analyse(hands(trick.game, [2, 6], [3, 4], "2 4"), "a", 100), "Trick")
    assert "seat 0 (Ada)" in text
    assert "seat 1 (Bo) won (played)" in text


@pytest.mark.parametrize("name", RACES)
def test_race_report_has_times_scores_and_facts_instead_of_chances(name: str) -> None:
    game_record = random_record(load(name), "race", 200)
    report = analyse(game_record)
    assert report["chances"] is None
    assert report["times"] == [move.at_ms for move in game_record.moves]
    assert len(report["scores"]) == 201
    assert report["race_report"]["facts"]
    assert json.loads(json.dumps(report)) == report
