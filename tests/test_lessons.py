"""Lessons keep the rules, exist in every language, and have puzzles that are proven in the tests of their game."""

import re
from collections import Counter
from pathlib import Path

import pytest

from sevenhues import load, names
from sevenhues.testing import check_lesson

LANGUAGES = ["en", "nl", "de", "ja"]
GAMES = Path(__file__).parent / "games"


@pytest.mark.parametrize("name", names())
def test_every_lesson_keeps_the_rules_in_every_language(name: str) -> None:
    lesson = check_lesson(load(name), LANGUAGES)
    kinds = Counter(step.kind for step in lesson.steps)
    assert kinds["step"] >= 6
    assert kinds["win"] + kinds["trap"] == 3
    assert kinds["win"] >= 1
    assert kinds["trap"] >= 1


@pytest.mark.parametrize("name", names())
def test_every_puzzle_has_a_proof_named_after_it(name: str) -> None:
    lesson = check_lesson(load(name), LANGUAGES)
    proofs = (GAMES / name.replace("-", "_") / "test_lesson.py").read_text(encoding="utf-8")
    for step in lesson.steps:
        if step.kind != "step":
            test = f"test_{step.kind}_{step.id.replace('-', '_')}"
            assert re.search(rf"def {test}", proofs), f"there is no {test}"
