"""Records: parsing, refusals and exact replay."""

import json
import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sevenhues import Rng, deal, load
from sevenhues.core import record
from sevenhues.core.errors import BadRecord, InvalidRecord
from sevenhues.core.play import random_game

RAINBOW = load("rainbow")


def finished(seed: str = "a") -> dict[str, Any]:
    """Play a random game, and return the JSON object of its record."""
    position = deal(RAINBOW, seed.encode())
    game_record = record.begin(RAINBOW, position, {}, ["Ada", "bot:random"])
    game_record.moves = random_game(RAINBOW, position, Rng.seeded(seed))
    game_record.result = record.result_of(position)
    fields: dict[str, Any] = json.loads(record.write(game_record))
    return fields


def read(fields: object) -> record.Record:
    return record.read(json.dumps(fields))


def check(fields: object) -> None:
    for _ in record.replay(read(fields)):
        pass


GAME = finished()


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in GAME.items() if name != key}


def with_setup(**changes: object) -> dict[str, Any]:
    return GAME | {"setup": GAME["setup"] | changes}


def test_record_of_a_finished_game_replays_and_is_written_unchanged() -> None:
    check(GAME)
    assert json.loads(record.write(read(GAME))) == GAME


def test_unknown_keys_of_a_record_are_kept() -> None:
    fields = GAME | {"event": {"place": "Utrecht", "names": ["Zoë"]}, "setup": GAME["setup"] | {"note": "x"}}
    check(fields)
    assert json.loads(record.write(read(fields))) == fields


def test_option_with_its_default_value_is_accepted_and_not_written() -> None:
    assert json.loads(record.write(read(GAME | {"options": {"memory_aid": False}})))["options"] == {}
    assert json.loads(record.write(read(GAME | {"options": {"memory_aid": True}})))["options"] == {"memory_aid": True}


def test_byte_order_mark_is_ignored() -> None:
    assert record.read(b"\xef\xbb\xbf" + json.dumps(GAME).encode()).seats == ["Ada", "bot:random"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ([], "the record: expected an object, found a list of 0"),
        (None, "the record: expected an object, found null"),
        (without("format"), "the key 'format' is missing"),
        (GAME | {"format": 2}, "format: expected 1, found 2"),
        (GAME | {"format": True}, "format: expected 1, found true"),
        (without("game"), "the key 'game' is missing"),
        (GAME | {"game": "chess"}, "game: there is no game 'chess'; games: .*rainbow"),
        (GAME | {"game": ["rainbow"]}, "game: expected text, found a list of 1"),
        (without("options"), "the key 'options' is missing"),
        (GAME | {"options": {"speed": 1}}, "options: Rainbow has no option 'speed'; its options: memory_aid"),
        (GAME | {"options": {"memory_aid": 1}}, "options: option memory_aid is false or true, not 1"),
        (GAME | {"seats": ["Ada"]}, "seats: Rainbow is for 2 seats, not 1"),
        (GAME | {"seats": ["Ada", "Bo", "Cy"]}, "seats: Rainbow is for 2 seats, not 3"),
        (GAME | {"seats": ["Ada", 7]}, r"seats\[1\]: expected text, found 7"),
        (without("setup"), "the key 'setup' is missing"),
        (GAME | {"setup": {"deck": GAME["setup"]["deck"]}}, "setup: the key 'first' is missing"),
        (GAME | {"setup": {"first": 0}}, "setup: the key 'deck' is missing"),
        (with_setup(deck=GAME["setup"]["deck"][:56]), "setup.deck: expected a list of 57, found a list of 56"),
        (with_setup(deck=["RW"] * 57), r"setup\.deck\[1\]: RW is a card too many"),
        (with_setup(deck=[None] * 57), r"setup\.deck\[0\]: expected text, found null"),
        (without("moves"), "the key 'moves' is missing"),
        (GAME | {"moves": "0 S1"}, "moves: expected a list, found '0 S1'"),
        (GAME | {"moves": [5]}, r"moves\[0\]: expected text, found 5"),
        (GAME | {"moves": ["0 S4"]}, r"moves\[0\]: 'S4' is not a move of Rainbow; .*G-3"),
        (GAME | {"moves": ["0 s1"]}, r"moves\[0\]: .*G-3"),
        (GAME | {"moves": ["0 S1\n"]}, r"moves\[0\]: .*G-3"),
        (GAME | {"moves": ["0  S1"]}, r"moves\[0\]: .*G-3"),
        (GAME | {"moves": ["0 S1 @5"]}, r"moves\[0\]: .*G-3"),
        (GAME | {"moves": ["2 S1"]}, r"moves\[0\]: there is no seat '2': the seats are 0 to 1"),
        (GAME | {"moves": ["-1 S1"]}, r"moves\[0\]: there is no seat '-1'"),
        (GAME | {"moves": ["00 S1"]}, r"moves\[0\]: there is no seat '00'"),
        (GAME | {"moves": ["١ S1"]}, r"moves\[0\]: there is no seat"),
        (GAME | {"result": {}}, "result: the key 'reason' is missing"),
        (GAME | {"result": {"reason": "deck", "scores": [1], "winners": []}}, "result.scores: expected a list of 2"),
        (GAME | {"result": {"reason": "deck", "scores": [1, 2.5], "winners": []}}, r"result\.scores\[1\]"),
        (GAME | {"result": {"reason": "deck", "scores": [1, 2], "winners": [2]}}, r"result\.winners\[0\]"),
        (GAME | {"result": {"reason": "deck", "scores": [1, 2], "winners": [0, 0]}}, "listed twice"),
    ],
)
def test_malformed_record_is_refused_before_it_is_replayed(fields: object, message: str) -> None:
    with pytest.raises(BadRecord, match=message):
        read(fields)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "line 1 column 1: not JSON"),
        (json.dumps(GAME)[:-20].encode(), "not JSON"),
        (b"\xff\xfe", "byte 0: not UTF-8"),
        (b"[" * 100_000, "not JSON that can be read"),
        (b"1" * 5000, "not JSON that can be read"),
        (b'{"format": 1, "game": "\\ud800"}', "half of a surrogate pair"),
        (b'{"format": 1, "moves": [], "moves": []}', "the key 'moves' is repeated"),
        (b'{"format": NaN}', "not JSON: NaN"),
        (b'{"x": {"y": [-Infinity]}}', "not JSON: -Infinity"),
        (b"\x00" * 1_000_000, "not JSON"),
    ],
)
def test_invalid_json_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(BadRecord, match=message):
        record.read(data)


def test_first_repeated_key_is_named_in_one_pass_over_the_pairs() -> None:
    """A repeated key is detected by its hash: the number of comparisons grows with the number of keys."""
    comparisons = 0

    class Key(str):
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            nonlocal comparisons
            comparisons += 1
            return str(self) == other

        __hash__ = str.__hash__

    keys = [Key(f"key {i}") for i in range(5000)]
    with pytest.raises(BadRecord, match="the key 'key 4000' is repeated"):
        record._unique_keys([(key, None) for key in [*keys, Key("key 4000"), Key("key 0")]])
    assert comparisons < 50


def test_object_with_thousands_of_repeated_keys_is_refused_at_once() -> None:
    keys = [f"k{number}" for number in range(50_000)]
    pairs = [f'"{key}":0' for key in (*keys, *reversed(keys))]
    began = time.process_time()
    with pytest.raises(BadRecord, match="the key 'k49999' is repeated in an object"):
        record.read("{" + ",".join(pairs) + "}")
    # It takes less than 0.1 s. To look through all keys for each of them would take more than a minute.
    assert time.process_time() - began < 20


def test_illegal_move_error_names_ply_seat_move_rule_and_legal_moves() -> None:
    first = GAME["setup"]["first"]
    with pytest.raises(InvalidRecord) as caught:
        check(GAME | {"moves": [f"{first} S1", f"{first} S2"]})
    assert caught.value.ply == 1
    assert str(caught.value).startswith(f"ply 1: seat {first} may not play S2: Turn over a card")
    assert "(RB-9)" in str(caught.value)
    assert str(caught.value).endswith(f"(RB-9) Legal: for seat {first} E F1")


def test_g1_move_out_of_turn_is_invalid() -> None:
    other = 1 - GAME["setup"]["first"]
    expected = r"ply 0: seat \d may not play S1: It is not seat \d's turn.*\(G-1\) Legal: for seat \d B1 .* S3$"
    with pytest.raises(InvalidRecord, match=expected):
        check(GAME | {"moves": [f"{other} S1"]})


def test_g2_move_after_the_end_is_invalid() -> None:
    with pytest.raises(InvalidRecord, match=r"The game is over \(deck\)\. \(G-2\)") as caught:
        check(GAME | {"moves": [*GAME["moves"], "0 E"]})
    assert caught.value.ply == len(GAME["moves"])


@pytest.mark.parametrize(
    "result",
    [
        {"reason": "rounds"},
        {"scores": [0, 0]},
        {"winners": [0, 1]},
        {"winners": []},
        {"reason": "resigned"},  # the game had ended by its rules
    ],
)
def test_result_that_contradicts_the_replay_is_invalid(result: dict[str, object]) -> None:
    with pytest.raises(InvalidRecord, match=f"ply {len(GAME['moves'])}: the result"):
        check(GAME | {"result": GAME["result"] | result})


def test_result_of_an_unfinished_game_is_invalid() -> None:
    with pytest.raises(InvalidRecord, match="but it is not over"):
        check(GAME | {"moves": GAME["moves"][:-1]})


@pytest.mark.parametrize("reason", ["resigned", "timeout", "abandoned"])
def test_game_may_be_resigned_timed_out_or_abandoned_at_any_position(reason: str) -> None:
    check(GAME | {"moves": [], "result": {"reason": reason, "scores": [0, 0], "winners": [1]}})
    with pytest.raises(InvalidRecord, match="scores"):
        check(GAME | {"moves": [], "result": {"reason": reason, "scores": [3, 0], "winners": [1]}})


def test_trace_has_one_line_per_position_and_stops_before_an_illegal_move() -> None:
    lines = list(record.trace(read(GAME)))
    assert [line["ply"] for line in lines] == list(range(len(GAME["moves"]) + 1))
    first = GAME["setup"]["first"]
    assert lines[0] == {
        "ply": 0,
        "to_act": [first],
        "legal": {str(first): ["B1", "B2", "B3", "S1", "S2", "S3"]},
        "scores": [0, 0],
        "over": False,
    }
    assert lines[-1] == {"ply": len(GAME["moves"]), "to_act": [], "legal": {}, "over": True, **GAME["result"]}
    broken = record.trace(read(GAME | {"moves": [*GAME["moves"][:5], f"{first} F5"]}))
    assert [next(broken)["ply"] for _ in range(6)] == [0, 1, 2, 3, 4, 5]
    with pytest.raises(InvalidRecord, match="ply 5"):
        next(broken)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def read_and_replay(data: bytes | str) -> None:
    """Read and replay a record. Only errors other than BadRecord and InvalidRecord are raised."""
    with suppress(BadRecord, InvalidRecord):
        for _ in record.replay(record.read(data)):
            pass


@settings(max_examples=300)
@given(st.binary() | st.text().map(str.encode))
def test_random_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(BadRecord):
        record.read(data)


@settings(max_examples=300)
@given(JSON_VALUES)
def test_random_json_is_refused(value: object) -> None:
    with pytest.raises(BadRecord):
        record.read(json.dumps(value))


@settings(max_examples=400)
@given(st.sampled_from([*record.KEYS, "deck", "first"]), JSON_VALUES)
def test_record_with_one_random_part_raises_no_other_error(key: str, value: object) -> None:
    read_and_replay(json.dumps(with_setup(**{key: value}) if key in ("deck", "first") else GAME | {key: value}))


@settings(max_examples=300)
@given(st.integers(0, len(json.dumps(GAME)) - 1))
def test_truncated_record_is_refused(length: int) -> None:
    with pytest.raises(BadRecord):
        record.read(json.dumps(GAME)[:length])


@settings(max_examples=300)
@given(st.integers(0, 56), st.integers(0, 56), st.booleans())
def test_duplicate_card_is_refused_and_another_deck_order_raises_no_other_error(
    one: int, other: int, copy: bool
) -> None:
    deck = list(GAME["setup"]["deck"])
    deck[one], deck[other] = deck[other], deck[other] if copy else deck[one]
    if sorted(map(sorted, deck)) != sorted(map(sorted, GAME["setup"]["deck"])):
        with pytest.raises(BadRecord, match="a card too many"):
            read(with_setup(deck=deck))
    else:
        read_and_replay(json.dumps(with_setup(deck=deck)))


@settings(max_examples=300)
@given(st.lists(st.tuples(st.integers(0, len(GAME["moves"])), st.sampled_from(["F1", "S1", "E"]), st.integers(0, 2))))
def test_record_with_inserted_moves_raises_no_other_error(changes: list[tuple[int, str, int]]) -> None:
    moves = list(GAME["moves"])
    for at, text, seat in changes:
        moves.insert(at, f"{seat} {text}")
    read_and_replay(json.dumps(GAME | {"moves": moves}))
