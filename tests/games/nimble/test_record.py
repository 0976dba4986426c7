"""Records of Nimble carry times, hold accepted moves only, and are refused where something is wrong."""

import json
from typing import Any

import pytest

from sevenhues.core import record
from sevenhues.core.errors import BadRecord, InvalidRecord
from sevenhues.core.play import TimedMove, deal, random_game
from sevenhues.core.rng import Rng
from sevenhues.games.nimble import game
from tests.games.nimble.positions import CHAIN, lay, setup

DEALT = setup("AM QW MQ QE", "WE MA EA", targets="001")


def whole(*moves: str, **changes: Any) -> dict[str, Any]:
    base = {"format": 1, "game": "nimble", "options": {}, "seats": ["Ada", "Bo"], "setup": DEALT}
    return base | {"moves": list(moves)} | changes


def read(value: dict[str, Any]) -> record.Record:
    return record.read(json.dumps(value), game)


def lines(value: dict[str, Any]) -> list[dict[str, Any]]:
    return list(record.trace(read(value)))


def test_trace_lists_every_seat_with_its_legal_moves() -> None:
    assert lines(whole("0 f @0", "1 f @0", "1 p1 @812")) == [
        {"ply": 0, "to_act": [0, 1], "legal": {"0": ["f"], "1": ["f"]}, "scores": [28, 29], "over": False},
        {"ply": 1, "to_act": [0, 1], "legal": {"0": ["b", "f", "p1"], "1": ["f"]}, "scores": [28, 29], "over": False},
        {
            "ply": 2,
            "to_act": [0, 1],
            "legal": {"0": ["b", "f", "p1"], "1": ["b", "f", "p1"]},
            "scores": [28, 29],
            "over": False,
        },
        {"ply": 3, "to_act": [0, 1], "legal": {"0": ["b", "f"], "1": ["f"]}, "scores": [28, 28], "over": False},
    ]


def test_trace_of_a_finished_game_ends_with_reason_and_winners() -> None:
    moves = [f"{move[0]} {move[1:]} @{n}" for n, move in enumerate(lay(0, 1, 28).split())]
    dealt = setup(CHAIN, "EM AW", targets="011")
    result = {"reason": "out", "scores": [1, 28], "winners": [0]}
    *_, last = lines(whole(*moves, setup=dealt, result=result))
    assert last == {"ply": 56, "to_act": [], "legal": {}, "scores": [1, 28], "over": True} | {
        "reason": "out",
        "winners": [0],
    }
    with pytest.raises(InvalidRecord, match=r"ply 56: the result gives winners as \[1\]"):
        lines(whole(*moves, setup=dealt, result=result | {"winners": [1]}))
    with pytest.raises(
        InvalidRecord, match=r"ply 56: seat 1 may not play f: The game is over \(out\)\. \(G-2\) Legal: nothing"
    ):
        lines(whole(*moves, "1 f @99", setup=dealt))


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (["0 f"], r"moves\[0\]: '0 f' is not a move: expected \"<seat> <move> @<milliseconds>\" \(G-3\)"),
        (["0 f 5"], r"moves\[0\]: expected @<milliseconds since the start>, found '5'"),
        (["0 f @"], r"moves\[0\]: expected @<milliseconds"),
        (["0 f @-1"], r"moves\[0\]: expected @<milliseconds"),
        (["0 f @1.5"], r"moves\[0\]: expected @<milliseconds"),
        (["0 f @007"], r"moves\[0\]: expected @<milliseconds"),
        (["0 f @5", "1 f @4"], r"moves\[1\]: times must not decrease: @4 comes after @5"),
        (["2 f @0"], r"moves\[0\]: there is no seat '2'"),
        (["0 F @0"], r"moves\[0\]: 'F' is not a move of Nimble; its moves are f, p1 to p3, b and t \(G-3\)"),
        (["0 f @0", "0 p1/1 @1"], r"moves\[1\]: 'p1/1' is not a move of Nimble.*G-3"),
    ],
)
def test_malformed_moves_of_a_record_are_refused(moves: list[str], message: str) -> None:
    with pytest.raises(BadRecord, match=message):
        read(whole(*moves))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"options": {"checking": "none"}}, "option checking is referee or audit, not 'none'"),
        ({"seats": ["Ada"]}, "Nimble is for 2 to 4 seats, not 1"),
        ({"seats": ["Ada", "Bo", "Cy"]}, r"setup\.sets: expected a list of 3, found a list of 2"),
        ({"setup": {"sets": DEALT["sets"]}}, "setup: the key 'targets' is missing"),
        ({"setup": {"targets": [0, 0, 1]}}, "setup: the key 'sets' is missing"),
        ({"setup": DEALT | {"sets": [DEALT["sets"][0], ["AM"]]}}, r"setup\.sets\[1\]: expected a list of 30"),
    ],
)
def test_malformed_setups_and_options_of_a_record_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(BadRecord, match=message):
        read(whole(**changes))


def test_record_with_a_move_that_breaks_a_rule_is_invalid() -> None:
    with pytest.raises(
        InvalidRecord,
        match=r"ply 1: seat 0 may not play p2: MQ does not fit.*\(NB-7\) Legal: for seat 0 b f p1; for seat 1 ",
    ):
        lines(whole("0 f @0", "0 p2 @1"))
    assert len(lines(whole("0 f @0", "0 p2 @1", options={"checking": "audit"}))) == 3


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("checking", ["referee", "audit"])
def test_record_of_a_random_game_has_times_and_replays(seats: int, checking: str) -> None:
    position = deal(game, b"record", seats, {"checking": checking})
    written = record.begin(game, position, {"checking": checking})
    written.moves = random_game(game, position, Rng(seats))
    written.result = record.result_of(position)
    back = record.read(record.write(written), game)
    assert back.moves == written.moves
    assert all(isinstance(move, TimedMove) and move.at_ms is not None for move in back.moves)
    *_, last = record.replay(back)
    assert last.key() == position.key()
