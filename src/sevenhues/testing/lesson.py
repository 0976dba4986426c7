"""check_lesson: checks a lesson against the rules of its game, and its texts against each other in all languages."""

import re
from typing import Any

from sevenhues.core import lesson
from sevenhues.core.errors import IllegalMove
from sevenhues.core.game import Game
from sevenhues.core.lesson import OTHER, STEPS, Lesson, Step, Turn, matches
from sevenhues.core.moves import legal_texts, parse
from sevenhues.core.play import play_text
from sevenhues.core.position import Position
from sevenhues.core.resources import ENGLISH, lesson_folder, rules_text

MAX_LENGTHS = {"title": 44, "text": 420, "ask": 120, "right": 260, "hint": 200}  # characters, in English
MAX_LENGTH = 260  # of all other texts
RULE = r"\b[A-Z]{1,3}-\d+\b"
SWATCH = r"<[a-z-]+>"
MAX_BRANCHES = 400  # sequences of right moves that are followed in a step
MIN_TRANSLATED_LENGTH = 20  # a longer text differs from the English one


def check_lesson(game: Game[Any], languages: list[str] | None = None) -> Lesson:
    """Check a lesson and return it; raise AssertionError with the place of the first error.

    Every position can be replayed, right moves are legal, and refused moves are refused by the stated rule. There is a
    text for every possible attempt, and the texts correspond in all languages (by default in those that exist).
    """
    data = lesson.read(game)
    folder = lesson_folder(game)
    assert data is not None, f"{game.title} has no lesson"
    assert folder is not None
    ids = [step.id for step in data.steps]
    assert len(set(ids)) == len(ids), f"{game.id}: the ids of steps are not unique: {ids}"
    english = lesson.texts(game)
    assert set(english) == {"about", "names", "steps"}, f"{game.id}: the keys of the texts are {sorted(english)}"
    assert list(english["steps"]) == ids, f"{game.id}: texts of the steps {list(english['steps'])}, steps {ids}"
    names = max(step.seats for step in data.steps) - 1
    assert len(english["names"]) == names, f"{game.id}: there must be a name for each of {names} other seats"
    for step in data.steps:
        path = f"{game.id}, {step.id}"
        texts = english["steps"][step.id]
        _check_texts(texts, step, path)
        position = step.start(game)
        if step.turns:
            _check_turn(game, step, 0, position, path, texts, [MAX_BRANCHES])
    existing = sorted(file.stem for file in folder.glob("*.json") if file.name != STEPS)
    rules = set(re.findall(RULE, rules_text(game)))
    for language in languages or existing:
        assert (folder / f"{language}.json").is_file(), f"{game.id}: no texts in {language}"
        _check_language(lesson.texts(game, language), english, f"{game.id}, {language}", rules, language == ENGLISH)
    return data


def _check_turn(
    game: Game[Any], step: Step, index: int, position: Position, path: str, texts: dict[str, Any], branches: list[int]
) -> None:
    """Try every move in a turn, and continue after every right one. `branches` holds how many may still follow."""
    branches[0] -= 1
    assert branches[0] >= 0, f"{path}: more than {MAX_BRANCHES} sequences of right moves"
    turn, path = step.turns[index], f"{path}, turn {index + 1}"
    assert step.seat in position.to_act(), f"{path}: seat {step.seat} is not to act, but {position.to_act()}"
    legal = legal_texts(game, position, step.seat)
    for pattern in [*turn.right, *[move for wrong in turn.wrong for move in wrong.moves]]:
        assert any(matches([pattern], text) for text in legal), f"{path}: {pattern} is not legal; legal: {legal}"
    wrongs = [turn.find_wrong(text) for text in legal]
    for wrong in turn.wrong:
        assert wrong in wrongs, f"{path}: earlier patterns match every move of {wrong.say}"
    has_other = any(wrong is not None and wrong.say == OTHER for wrong in wrongs)
    has_text = OTHER in texts["turns"][index]["wrong"]
    assert has_text == has_other, f"{path}: there must be a text {OTHER!r} exactly if an unlisted move is legal"
    _check_refused(game, step, turn, position, path)
    for text, reply in zip(legal, wrongs, strict=True):
        following = position.copy()
        play_text(game, following, step.seat, text)
        for played in turn.then if reply is None else reply.then:
            play_text(game, following, played.seat, played.text)
        if reply is None and index + 1 < len(step.turns):
            _check_turn(game, step, index + 1, following, path, texts, branches)


def _check_refused(game: Game[Any], step: Step, turn: Turn, position: Position, path: str) -> None:
    for text, rule in turn.refused.items():
        actual = _refusing_rule(game, step, position, text)
        status = f"refused by {actual}" if actual else "legal"
        assert actual == rule, f"{path}: {text} is {status}, not refused by {rule}"
    legal = legal_texts(game, position, step.seat)
    for text in turn.offer:
        assert text in legal or text in turn.refused, f"{path}: {text} is offered, but neither legal nor refused"


def _refusing_rule(game: Game[Any], step: Step, position: Position, text: str) -> str | None:
    """Return the rule that refuses a move; None if the move is legal."""
    try:
        parse(game, position, step.seat, text)
    except IllegalMove as refusal:
        return refusal.rule
    return None


def _check_texts(texts: dict[str, Any], step: Step, path: str) -> None:
    assert set(texts) == {"title", "text", "turns"}, f"{path}: the keys of the texts are {sorted(texts)}"
    count = len(texts["turns"])
    assert count == len(step.turns), f"{path}: texts of {count} turns, but there are {len(step.turns)}"
    for i, (turn_texts, turn) in enumerate(zip(texts["turns"], step.turns, strict=True)):
        turn_path = f"{path}, turn {i + 1}"
        keys = set(turn_texts) - {"hint", "offer"}
        assert keys == {"ask", "right", "wrong"}, f"{turn_path}: the keys of the texts are {sorted(turn_texts)}"
        replies = sorted({wrong.say for wrong in turn.wrong})
        listed = sorted(set(turn_texts["wrong"]) - {OTHER})
        assert listed == replies, f"{turn_path}: the keys of wrong must be {replies}, not {listed}"
        offered = list(turn_texts.get("offer", {}))
        assert offered == turn.offer, f"{turn_path}: the keys of offer must be {turn.offer}"
    for key, text in _flatten(texts).items():
        max_length = MAX_LENGTHS.get(key.rsplit(".", 1)[-1], MAX_LENGTH)
        assert len(text) <= max_length, f"{path}, {key}: {len(text)} characters, at most {max_length}"


def _check_language(
    translation: dict[str, Any], english: dict[str, Any], path: str, rules: set[str], is_english: bool
) -> None:
    texts, originals = _flatten(translation), _flatten(english)
    different = sorted(set(texts) ^ set(originals)) or "the order of the keys"
    assert list(texts) == list(originals), f"{path}: differs from English in {different}"
    for key, text in texts.items():
        original = originals[key]
        assert text.strip(), f"{path}, {key}: the text is empty"
        assert set(re.findall(RULE, text)) <= rules, f"{path}, {key}: there is no such rule: {text}"
        for pattern in (RULE, SWATCH):
            same = sorted(re.findall(pattern, text)) == sorted(re.findall(pattern, original))
            assert same, f"{path}, {key}: the rules or swatches differ from English: {text}"
        assert text.count("**") % 2 == 0, f"{path}, {key}: a ** is not closed"
        if not is_english and len(text) > MIN_TRANSLATED_LENGTH:
            assert text != original, f"{path}, {key}: not translated"


def _flatten(value: Any, path: str = "") -> dict[str, str]:
    """Return all texts by their paths."""
    if isinstance(value, str):
        return {path: value}
    items = value.items() if isinstance(value, dict) else enumerate(value)
    texts: dict[str, str] = {}
    for key, item in items:
        texts |= _flatten(item, f"{path}.{key}" if path else str(key))
    return texts
