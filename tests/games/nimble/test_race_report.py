"""The race report of a game of Nimble: pace, idle time, races and missed chances."""

from sevenhues.core.report_types import RaceReport
from sevenhues.games.nimble import game
from sevenhues.games.nimble.notation import MOVE_NUMBERS
from tests.games.nimble.positions import setup


def race_report(*sets: str, targets: str, moves: str) -> RaceReport:
    """Play moves like "0f@500" and return their report."""
    position = game.start(setup(*sets, targets=targets), len(sets), {"checking": "referee"})
    played = []
    for text in moves.split():
        move, at = text.split("@")
        played.append((int(move[0]), MOVE_NUMBERS[move[1:]], int(at)))
    report = game.bot_support().race_report(position, played)
    assert report is not None
    return report


def fact(report: RaceReport, key: str) -> list[float]:
    return next(one.values for one in report.facts if one.key == key)


def moments(report: RaceReport, key: str) -> list[tuple[int, int, dict[str, str | int]]]:
    return [(one.ply, one.seat, one.parameters) for one in report.moments if one.key == key]


def test_pace_is_moves_per_minute_until_the_end() -> None:
    report = race_report("AM AE MQ", "AW WP PE", targets="001", moves="0f@1000 0f@2000 1f@2500 0f@30000")
    assert fact(report, "pace") == [6.0, 2.0]


def test_pauses_count_from_the_start_and_up_to_the_end() -> None:
    report = race_report("AM AE MQ", "AW WP PE", targets="001", moves="0f@3500 0f@4000 1f@10000 0f@20000")
    assert fact(report, "idle") == [3.5 + 16.0, 10.0 + 10.0]
    assert fact(report, "pause") == [16.0, 10.0]
    assert (3, 0, {"seconds": 16}) in moments(report, "pause")
    assert (2, 1, {"seconds": 10}) in moments(report, "pause")


def test_first_seat_to_reach_a_stack_wins_the_race() -> None:
    """The stacks show M, E and W. Both flip a card with frame M; seat 1 places first."""
    report = race_report("AM AE MQ", "AW MP PE", targets="001", moves="0f@500 1f@600 1p1@1500")
    assert fact(report, "races_won") == [0.0, 1.0]
    assert fact(report, "races_lost") == [1.0, 0.0]
    assert fact(report, "reaction") == [-1.0, 0.9]
    assert moments(report, "race-lost") == [(2, 0, {"card": "MQ", "stack": 1, "winner": 1})]
    assert "seat 1 was there first" in next(one.about for one in report.moments if one.key == "race-lost")


def test_flipping_past_a_fitting_card_counts_as_passed_over() -> None:
    report = race_report("AM AE MQ PA", "AW AP PE", targets="001", moves="0f@500 0f@900 1f@1000")
    assert fact(report, "passed") == [1.0, 0.0]
    assert moments(report, "passed") == [(1, 0, {"card": "MQ", "stack": 1})]


def test_fitting_card_under_the_top_counts_as_left() -> None:
    """PA covers MQ, which fits stack 1: taking PA back would have uncovered it."""
    report = race_report("AM AE MQ PA QA", "AW AP PE", targets="001", moves="0f@500 0f@900 0f@1300")
    assert fact(report, "under") == [1.0, 0.0]
    assert moments(report, "under") == [(2, 0, {"card": "MQ", "stack": 1})]


def test_taking_back_is_no_missed_chance() -> None:
    report = race_report("AM AE MQ PA QA", "AW AP PE", targets="001", moves="0f@500 0f@900 0b@1300 0p1@1500")
    assert fact(report, "under") == [0.0, 0.0]
    assert fact(report, "placed") == [1.0, 0.0]
    assert fact(report, "reaction") == [0.2, -1.0]


def test_change_of_lead_is_reported() -> None:
    report = race_report("AM AE MQ", "AW WP PE", targets="001", moves="1f@500 1p3@900 1f@1000 1p3@1400")
    assert moments(report, "lead") == [(3, 1, {"left": 27})]
