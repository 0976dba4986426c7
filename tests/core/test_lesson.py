"""Lessons are parsed, attempts evaluated, and check_lesson reports errors."""

import json
import sys
from copy import deepcopy
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from sevenhues.core import lesson
from sevenhues.core.errors import BadRecord
from sevenhues.core.game import Game
from sevenhues.core.lesson import matches
from sevenhues.core.resources import lesson_folder
from sevenhues.testing import check_lesson
from tests.toy_games.duel import Duel

STEPS: dict[str, Any] = {
    "deals": {"small": {"seats": 2, "setup": {"hands": [[1, 2], [3, 4]]}}},
    "steps": [
        {
            "id": "high",
            "deal": "small",
            "seat": 0,
            "turns": [
                {
                    "right": ["2"],
                    "then": ["1 3"],
                    "wrong": [{"say": "low", "moves": ["1"], "then": ["1 4"]}],
                    "refused": {"5": "DU-1"},
                    "offer": ["5"],
                },
                {"right": ["*"], "mark": True},
            ],
        }
    ],
    "puzzles": [{"id": "look", "kind": "win", "deal": "small", "moves": ["0 1"], "seat": 1, "turns": []}],
}
TEXTS: dict[str, Any] = {
    "about": "A short lesson.",
    "names": ["Mira"],
    "steps": {
        "high": {
            "title": "High",
            "text": "Play high (DU-1).",
            "turns": [
                {
                    "ask": "Play the 2.",
                    "right": "Yes.",
                    "wrong": {"low": "Too low."},
                    "offer": {"5": "Play a 5"},
                },
                {"ask": "And the other.", "right": "Yes.", "wrong": {}},
            ],
        },
        "look": {"title": "Look", "text": "Just look.", "turns": []},
    },
}


def duel_with_lesson(folder: Path, steps: Any = STEPS, texts: Any = TEXTS) -> Game[Any]:
    """Return Duel as if its code were in a folder with rules and a lesson."""
    lesson_files = folder / "lesson"
    lesson_files.mkdir(parents=True, exist_ok=True)
    (lesson_files / "steps.json").write_text(json.dumps(steps), "utf-8")
    (lesson_files / "en.json").write_text(json.dumps(texts), "utf-8")
    (folder / "RULES.md").write_text("- **DU-1** You play a card that you hold.", "utf-8")
    module = ModuleType(f"duel_with_lesson_{folder.name}")
    module.__file__ = str(folder / "game.py")
    sys.modules[module.__name__] = module
    game: Game[Any] = type("DuelWithLesson", (Duel,), {"__module__": module.__name__})()
    return game


def changed(data: Any, *path: str | int, to: Any) -> Any:
    """Return a copy of JSON data with one value changed."""
    copy = deepcopy(data)
    part = copy
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = to
    return copy


def test_attempts_advance_through_the_turns_of_a_step(tmp_path: Path) -> None:
    game = duel_with_lesson(tmp_path)
    checked = check_lesson(game)
    step = checked.steps[0]
    begun = lesson.attempt(game, step, [])
    assert (begun.verdict, begun.turn, begun.solution, len(begun.frames)) == ("begun", 0, "2", 1)
    right = lesson.attempt(game, step, ["2"])
    assert (right.verdict, right.turn, right.solution) == ("right", 1, "1")
    assert [f"{move.seat} {move.text}" for move in right.moves] == ["0 2", "1 3"]
    assert len(right.frames) == 2
    wrong = lesson.attempt(game, step, ["1"])
    assert (wrong.verdict, wrong.say, wrong.solution, wrong.moves[-1].text) == ("wrong", "low", None, "4")
    refused = lesson.attempt(game, step, ["5"])
    assert (refused.verdict, refused.frames) == ("refused", [])
    assert refused.refusal is not None
    assert refused.refusal.rule == "DU-1"
    assert lesson.attempt(game, step, ["2", "1"]).solution is None
    for tries in (["1", "2"], ["5", "2"], ["2", "1", "2"]):
        with pytest.raises(BadRecord, match="no move is expected"):
            lesson.attempt(game, step, tries)


def test_star_matches_any_characters_and_no_other_character_is_special() -> None:
    assert matches(["S*"], "S1")
    assert matches(["S0,0>*"], "S0,0>1,-1")
    assert not matches(["S0.0"], "S0,0")
    assert not matches(["S"], "S1")
    assert not matches([], "S1")


def test_game_without_a_lesson_folder_has_no_lesson() -> None:
    assert lesson_folder(Duel()) is None
    assert lesson.read(Duel()) is None


@pytest.mark.parametrize(
    ("path", "to", "message"),
    [
        (("steps", 0, "deal"), "large", "deals: the key 'large' is missing"),
        (("steps", 0, "seat"), 2, r"steps\[0\].seat: expected a whole number from 0 to 1, found 2"),
        (("steps", 0, "more"), 1, r"steps\[0\]: there is no key 'more'"),
        (("steps", 0, "turns", 0, "then"), ["3"], r"steps\[0\].turns\[0\].then\[0\]: '3' is not a move"),
        (("puzzles", 0, "kind"), "joke", r"puzzles\[0\].kind: expected win or trap, found 'joke'"),
    ],
)
def test_malformed_lesson_is_refused_with_the_path_of_the_error(
    tmp_path: Path, path: tuple[Any, ...], to: Any, message: str
) -> None:
    with pytest.raises(BadRecord, match=message):
        lesson.read(duel_with_lesson(tmp_path, changed(STEPS, *path, to=to)))


TURN = ("steps", 0, "turns", 0)
TURN_TEXTS = ("steps", "high", "turns", 0)


@pytest.mark.parametrize(
    ("path", "to", "message"),
    [
        ((*TURN, "right"), ["3"], "3 is not legal"),
        ((*TURN, "refused"), {"5": "DU-2"}, "5 is refused by DU-1, not refused by DU-2"),
        ((*TURN, "refused"), {"1": "DU-1", "5": "DU-1"}, "1 is legal, not refused"),
        ((*TURN, "offer"), ["6"], "the keys of offer must be"),
        (
            (*TURN, "wrong"),
            [{"say": "low", "moves": ["*"]}, {"say": "lower", "moves": ["1"]}],
            "keys of wrong must be",
        ),
        (("steps", 0, "turns", 1, "right"), ["2"], "2 is not legal"),
    ],
)
def test_lesson_that_breaks_the_rules_fails_the_check(
    tmp_path: Path, path: tuple[Any, ...], to: Any, message: str
) -> None:
    with pytest.raises(AssertionError, match=message):
        check_lesson(duel_with_lesson(tmp_path, changed(STEPS, *path, to=to)))


@pytest.mark.parametrize(
    ("path", "to", "message"),
    [
        ((*TURN_TEXTS, "wrong"), {}, "keys of wrong must be"),
        ((*TURN_TEXTS, "wrong"), {"low": "Too low.", "other": "Hm."}, "exactly if an unlisted move is legal"),
        (("steps", "high", "text"), "Play high (DU-99).", "there is no such rule"),
        (("steps", "high", "text"), "high " * 100, "characters, at most"),
        (("steps", "high", "title"), " ", "the text is empty"),
        (("names",), [], "a name for each of 1 other seats"),
    ],
)
def test_lesson_text_that_does_not_match_its_steps_fails_the_check(
    tmp_path: Path, path: tuple[Any, ...], to: Any, message: str
) -> None:
    with pytest.raises(AssertionError, match=message):
        check_lesson(duel_with_lesson(tmp_path, texts=changed(TEXTS, *path, to=to)))


@pytest.mark.parametrize(
    ("path", "to", "message"),
    [
        (("steps", "high", "text"), "Speel hoog.", "rules or swatches differ from English"),
        ((*TURN_TEXTS, "wrong"), {}, "low"),
        (("steps", "look", "text"), "A **half", "is not closed"),
    ],
)
def test_translation_that_differs_from_english_fails_the_check(
    tmp_path: Path, path: tuple[Any, ...], to: Any, message: str
) -> None:
    game = duel_with_lesson(tmp_path)
    (tmp_path / "lesson" / "nl.json").write_text(json.dumps(changed(TEXTS, *path, to=to)), "utf-8")
    with pytest.raises(AssertionError, match=message):
        check_lesson(game, ["en", "nl"])
    with pytest.raises(AssertionError, match="no texts in de"):
        check_lesson(game, ["de"])
