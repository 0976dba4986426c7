"""check_lesson: holds a game's lesson to its rules, and its words to each other in every language."""

import re
from typing import Any

from sevenhues.core import lesson
from sevenhues.core.errors import IllegalMove
from sevenhues.core.game import Game
from sevenhues.core.lesson import OTHER, STEPS, Lesson, Step, Turn, fits
from sevenhues.core.moves import legal_texts, parse
from sevenhues.core.play import play_text
from sevenhues.core.position import Position
from sevenhues.core.resources import ENGLISH, lesson_folder, rules_text

MOST = {"title": 44, "text": 420, "ask": 120, "right": 260, "hint": 200}  # characters, in English
RULE = r"\b[A-Z]{1,3}-\d+\b"
SWATCH = r"<[a-z-]+>"
BRANCHES = 400  # ways through a step that are followed


def check_lesson(game: Game[Any], languages: list[str] | None = None) -> Lesson:
    """Raise AssertionError, with the place, at the first thing that is wrong; returns the lesson.

    Every position replays, what is asked for is legal, what is said to be refused is refused by that rule, and
    there are words for whatever may be tried, the same in every language.
    """
    found = lesson.read(game)
    folder = lesson_folder(game)
    assert found is not None, f"{game.title} has no lesson"
    assert folder is not None
    ids = [step.id for step in found.steps]
    assert len(set(ids)) == len(ids), f"{game.id}: a step's id is there twice: {ids}"
    words = lesson.words(game)
    assert set(words) == {"about", "names", "steps"}, f"{game.id}: the words are {sorted(words)}"
    assert list(words["steps"]) == ids, f"{game.id}: words for {list(words['steps'])}, steps {ids}"
    assert len(words["names"]) == max(step.seats for step in found.steps) - 1, f"{game.id}: a name for each other seat"
    for step in found.steps:
        where = f"{game.id}, {step.id}"
        _check_words(words["steps"][step.id], step, where)
        position = step.start(game)
        if step.turns:
            _check_turn(game, step, 0, position, where, words["steps"][step.id], [BRANCHES])
    told = languages or sorted(path.stem for path in folder.glob("*.json") if path.name != STEPS)
    rules = set(re.findall(RULE, rules_text(game)))
    for language in told:
        assert (folder / f"{language}.json").is_file(), f"{game.id}: no words in {language}"
        _check_language(lesson.words(game, language), words, f"{game.id}, {language}", rules, language == ENGLISH)
    return found


def _check_turn(
    game: Game[Any], step: Step, at: int, position: Position, where: str, words: dict[str, Any], left: list[int]
) -> None:
    """Try everything in a turn, and go on after every right move."""
    left[0] -= 1
    assert left[0] >= 0, f"{where}: more than {BRANCHES} ways lead through it"
    turn, where = step.turns[at], f"{where}, turn {at + 1}"
    assert step.seat in position.to_act(), f"{where}: seat {step.seat} is not to act, but {position.to_act()}"
    legal = legal_texts(game, position, step.seat)
    for pattern in [*turn.right, *[move for wrong in turn.wrong for move in wrong.moves]]:
        assert any(fits([pattern], text) for text in legal), f"{where}: {pattern} is not legal; legal: {legal}"
    said = [turn.says(text) for text in legal]
    for foreseen in turn.wrong:
        assert foreseen in said, f"{where}: nothing is left for {foreseen.say}, what comes first takes it all"
    other = any(wrong is not None and wrong.say == OTHER for wrong in said)
    assert (OTHER in words["turns"][at]["wrong"]) == other, f"{where}: words for {OTHER!r} exactly if one can try it"
    _check_refused(game, step, turn, position, where)
    for text, wrong in zip(legal, said, strict=True):
        following = position.copy()
        play_text(game, following, step.seat, text)
        for played in turn.then if wrong is None else wrong.then:
            play_text(game, following, played.seat, played.text)
        if wrong is None and at + 1 < len(step.turns):
            _check_turn(game, step, at + 1, following, where, words, left)


def _check_refused(game: Game[Any], step: Step, turn: Turn, position: Position, where: str) -> None:
    for text, rule in turn.refused.items():
        by = _refusal(game, step, position, text)
        assert by == rule, f"{where}: {text} is {f'refused by {by}' if by else 'legal'}, not refused by {rule}"
    legal = legal_texts(game, position, step.seat)
    for text in turn.offer:
        assert text in legal or text in turn.refused, f"{where}: {text} is offered, but neither legal nor refused"


def _refusal(game: Game[Any], step: Step, position: Position, text: str) -> str | None:
    """Return the rule that a move is refused by; None if it is legal."""
    try:
        parse(game, position, step.seat, text)
    except IllegalMove as refusal:
        return refusal.rule
    return None


def _check_words(words: dict[str, Any], step: Step, where: str) -> None:
    assert set(words) == {"title", "text", "turns"}, f"{where}: the words are {sorted(words)}"
    assert len(words["turns"]) == len(step.turns), (
        f"{where}: words for {len(words['turns'])} turns of {len(step.turns)}"
    )
    for at, (said, turn) in enumerate(zip(words["turns"], step.turns, strict=True)):
        assert set(said) - {"hint", "offer"} == {"ask", "right", "wrong"}, f"{where}, turn {at + 1}: {sorted(said)}"
        keys = {wrong.say for wrong in turn.wrong}
        assert set(said["wrong"]) - {OTHER} == keys, f"{where}, turn {at + 1}: wrong are {sorted(keys)}"
        assert list(said.get("offer", {})) == turn.offer, f"{where}, turn {at + 1}: words for what is offered"
    for key, text in _flat(words).items():
        most = MOST.get(key.rsplit(".", 1)[-1], 260)
        assert len(text) <= most, f"{where}, {key}: {len(text)} characters, at most {most}"


def _check_language(told: dict[str, Any], english: dict[str, Any], where: str, rules: set[str], same: bool) -> None:
    here, there = _flat(told), _flat(english)
    assert list(here) == list(there), f"{where}: {sorted(set(here) ^ set(there)) or 'another order'}"
    for key, text in here.items():
        assert text.strip(), f"{where}, {key}: no words"
        assert set(re.findall(RULE, text)) <= rules, f"{where}, {key}: there is no such rule: {text}"
        for mark in (RULE, SWATCH):
            marks = sorted(re.findall(mark, text))
            assert marks == sorted(re.findall(mark, there[key])), f"{where}, {key}: not the marks of English: {text}"
        assert text.count("**") % 2 == 0, f"{where}, {key}: half a pair of **"
        if not same and len(text) > 20:
            assert text != there[key], f"{where}, {key}: still English"


def _flat(value: Any, name: str = "") -> dict[str, str]:
    """List all texts by the way to them."""
    if isinstance(value, str):
        return {name: value}
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    flat: dict[str, str] = {}
    for key, part in parts:
        flat |= _flat(part, f"{name}.{key}" if name else str(key))
    return flat
