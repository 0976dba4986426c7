"""Lessons: prepared positions of a game with tasks to solve, and the reply to every attempt.

A lesson is data beside the code of its game: `lesson/steps.json`, and its texts in `lesson/<language>.json`. A `*` in
a move matches any characters.
"""

import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from sevenhues.core import json_checks
from sevenhues.core.errors import BadNotation, BadRecord, IllegalMove, shorten
from sevenhues.core.game import Game, resolve_options
from sevenhues.core.moves import legal_texts, parse
from sevenhues.core.play import TimedMove, play_text
from sevenhues.core.position import Position
from sevenhues.core.resources import ENGLISH, LANGUAGE, lesson_folder

STEPS: Final = "steps.json"
Kind = Literal["step", "win", "trap"]
PUZZLES: Final[tuple[Kind, ...]] = ("win", "trap")  # a certain win to find, a trap to avoid
Verdict = Literal["begun", "right", "wrong", "refused"]
OTHER: Final = "other"  # the key of the reply to legal moves that a turn does not list
MAX_SEATS: Final = 16


class WrongMoves(NamedTuple):
    """Legal moves that do not solve a turn: the key of the reply, and the moves of other seats that show why."""

    say: str
    moves: list[str]
    then: list[TimedMove]


class Turn(NamedTuple):
    """One task: the moves that solve it, the moves of other seats that follow, and replies to other attempts."""

    right: list[str]
    then: list[TimedMove]
    wrong: list[WrongMoves]
    refused: dict[str, str]  # illegal moves, and the rule that forbids each
    offer: list[str]  # moves that are offered beside the board, legal or not
    mark: bool  # the right move is marked from the start

    def find_wrong(self, text: str) -> WrongMoves | None:
        """Return the entry of a legal move that is not right; None if it is right."""
        if matches(self.right, text):
            return None
        for wrong in self.wrong:
            if matches(wrong.moves, text):
                return wrong
        return WrongMoves(OTHER, [], [])


class Step(NamedTuple):
    """A position, and the turns of one seat in it. A step without turns is only read."""

    id: str
    kind: Kind
    seats: int
    options: dict[str, Any]
    setup: dict[str, Any]
    moves: list[TimedMove]
    seat: int
    turns: list[Turn]

    def start(self, game: Game[Any]) -> Position:
        """Return the position with which the step starts."""
        position: Position = game.start(self.setup, self.seats, resolve_options(game, self.options))
        for move in self.moves:
            play_text(game, position, move.seat, move.text)
        return position


class Lesson(NamedTuple):
    """All steps of a game, with its puzzles last."""

    steps: list[Step]

    def step(self, id: str) -> Step | None:
        """Return the step with an id; None if there is none."""
        return next((step for step in self.steps if step.id == id), None)


class Attempt(NamedTuple):
    """The result of an attempt.

    `frames` are the positions to show, the last one after all `moves`. `turn` is the next turn to solve; it is the
    number of turns when the step is done. `solution` is a move that solves it.
    """

    verdict: Verdict
    turn: int
    moves: list[TimedMove]
    frames: list[Position]
    say: str | None = None  # the key of the reply, if the verdict is wrong
    solution: str | None = None  # if the verdict is begun or right, and the step is not done
    refusal: IllegalMove | BadNotation | None = None


def matches(patterns: Sequence[str], text: str) -> bool:
    """Return whether a move matches one of several patterns, in which `*` matches any characters."""
    return any([re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), text) is not None for pattern in patterns])


def attempt(game: Game[Any], step: Step, tries: Sequence[str]) -> Attempt:
    """Play the moves that a seat tried in a step; raise BadRecord unless all but the last are right."""
    position = step.start(game)
    moves = list(step.moves)
    result = Attempt("begun", 0, moves, [position.copy()], None, _solution(game, step, position, 0))
    for i, text in enumerate(tries):
        if result.solution is None:
            raise BadRecord(f"moves[{i}]", f"no move is expected after one that was {result.verdict}")
        result = _try_move(game, step, position, result.turn, moves, text)
    return result


def _try_move(game: Game[Any], step: Step, position: Position, turn: int, moves: list[TimedMove], text: str) -> Attempt:
    """Play a move and the moves that follow it, and return the verdict. A refused move changes nothing."""
    task = step.turns[turn]
    try:
        move = parse(game, position, step.seat, text)
    except (IllegalMove, BadNotation) as refusal:
        return Attempt("refused", turn, moves, [], refusal=refusal)
    canonical = game.text(position, step.seat, move)
    wrong = task.find_wrong(canonical)
    frames = []
    for played in [TimedMove(step.seat, canonical, None), *(task.then if wrong is None else wrong.then)]:
        play_text(game, position, played.seat, played.text)
        moves.append(played)
        frames.append(position.copy())
    if wrong is not None:
        return Attempt("wrong", turn, moves, frames, wrong.say)
    return Attempt("right", turn + 1, moves, frames, None, _solution(game, step, position, turn + 1))


def _solution(game: Game[Any], step: Step, position: Position, turn: int) -> str | None:
    """Return a right move; None if the step is done."""
    if turn == len(step.turns):
        return None
    legal = legal_texts(game, position, step.seat)
    return next(text for pattern in step.turns[turn].right for text in legal if matches([pattern], text))


# Reading


def read(game: Game[Any]) -> Lesson | None:
    """Read the lesson of a game; return None if it has none. Raise BadRecord with the path of an error."""
    folder = lesson_folder(game)
    return None if folder is None else _read_steps(folder)


def texts(game: Game[Any], language: str = ENGLISH) -> dict[str, Any]:
    """Read the texts of a lesson; in English if there is no translation."""
    folder = lesson_folder(game)
    assert folder is not None, f"{game.title} has no lesson"
    english = folder / f"{ENGLISH}.json"
    translated = folder / f"{language}.json" if LANGUAGE.fullmatch(language) else english
    return _read_texts(translated if translated.is_file() else english)


@cache
def _read_texts(path: Path) -> dict[str, Any]:
    return json_checks.require_object(json.loads(path.read_text(encoding="utf-8")), path.name)


@cache
def _read_steps(folder: Path) -> Lesson:
    fields = json_checks.require_object(json.loads((folder / STEPS).read_text(encoding="utf-8")), STEPS)
    deals = json_checks.require_object(json_checks.require_key(fields, "deals", ""), "deals")
    steps = []
    for name in ("steps", "puzzles"):
        for i, value in enumerate(json_checks.require_list(json_checks.require_key(fields, name, ""), name)):
            steps.append(_read_step(value, deals, f"{name}[{i}]", name == "puzzles"))
    return Lesson(steps)


def _read_step(value: object, deals: dict[str, Any], path: str, puzzle: bool) -> Step:
    fields = _require_known_keys(value, path, ("id", "deal", "moves", "seat", "turns", *(["kind"] if puzzle else [])))
    kind: Kind = _read_kind(json_checks.require_key(fields, "kind", path), f"{path}.kind") if puzzle else "step"
    name = json_checks.require_text(json_checks.require_key(fields, "deal", path), f"{path}.deal")
    deal_path = f"deals.{name}"
    deal = _require_known_keys(json_checks.require_key(deals, name, "deals"), deal_path, ("seats", "options", "setup"))
    seats = json_checks.require_int(
        json_checks.require_key(deal, "seats", deal_path), f"{deal_path}.seats", 1, MAX_SEATS
    )
    turns = json_checks.require_list(json_checks.require_key(fields, "turns", path), f"{path}.turns")
    return Step(
        json_checks.require_text(json_checks.require_key(fields, "id", path), f"{path}.id"),
        kind,
        seats,
        json_checks.require_object(deal.get("options", {}), f"{deal_path}.options"),
        json_checks.require_object(json_checks.require_key(deal, "setup", deal_path), f"{deal_path}.setup"),
        _read_moves(fields.get("moves", []), f"{path}.moves", seats),
        json_checks.require_int(json_checks.require_key(fields, "seat", path), f"{path}.seat", 0, seats - 1),
        [_read_turn(turn, f"{path}.turns[{i}]", seats) for i, turn in enumerate(turns)],
    )


def _read_kind(value: object, path: str) -> Kind:
    for kind in PUZZLES:
        if value == kind:
            return kind
    raise BadRecord(path, f"expected {' or '.join(PUZZLES)}, found {json_checks.describe(value)}")


def _read_turn(value: object, path: str, seats: int) -> Turn:
    fields = _require_known_keys(value, path, ("right", "then", "wrong", "refused", "offer", "mark"))
    refused = json_checks.require_object(fields.get("refused", {}), f"{path}.refused")
    wrongs = json_checks.require_list(fields.get("wrong", []), f"{path}.wrong")
    return Turn(
        _read_strings(json_checks.require_key(fields, "right", path), f"{path}.right"),
        _read_moves(fields.get("then", []), f"{path}.then", seats),
        [_read_wrong_moves(wrong, f"{path}.wrong[{i}]", seats) for i, wrong in enumerate(wrongs)],
        {text: json_checks.require_text(rule, f"{path}.refused.{text}") for text, rule in refused.items()},
        _read_strings(fields.get("offer", []), f"{path}.offer"),
        fields.get("mark", False) is True,
    )


def _read_wrong_moves(value: object, path: str, seats: int) -> WrongMoves:
    fields = _require_known_keys(value, path, ("say", "moves", "then"))
    return WrongMoves(
        json_checks.require_text(json_checks.require_key(fields, "say", path), f"{path}.say"),
        _read_strings(json_checks.require_key(fields, "moves", path), f"{path}.moves"),
        _read_moves(fields.get("then", []), f"{path}.then", seats),
    )


def _require_known_keys(value: object, path: str, keys: Sequence[str]) -> dict[str, Any]:
    fields = json_checks.require_object(value, path)
    for key in fields:
        if key not in keys:
            raise BadRecord(path, f"there is no key {shorten(key)}; the keys are {', '.join(keys)}")
    return fields


def _read_strings(value: object, path: str) -> list[str]:
    values = json_checks.require_list(value, path)
    return [json_checks.require_text(text, f"{path}[{i}]") for i, text in enumerate(values)]


def _read_moves(value: object, path: str, seats: int) -> list[TimedMove]:
    """Read moves as in a record, but without times: a lesson has no clock."""
    moves = []
    for i, text in enumerate(_read_strings(value, path)):
        seat, space, move = text.partition(" ")
        if not space or seat not in [str(number) for number in range(seats)]:
            raise BadRecord(f"{path}[{i}]", f'{shorten(text)} is not a move: expected "<seat> <move>"')
        moves.append(TimedMove(int(seat), move, None))
    return moves
