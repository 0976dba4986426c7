"""Lessons: prepared positions of a game to play on, one idea at a time, and what is answered to every try.

A game's lesson is data beside its code: `lesson/steps.json`, and its words in `lesson/<language>.json`. In a move a `*`
stands for any letters.
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
PUZZLES: Final[tuple[Kind, ...]] = ("win", "trap")  # a sure win to find, a trap to avoid
Verdict = Literal["begun", "right", "wrong", "refused"]
OTHER: Final = "other"  # the words for a legal move that a turn does not name


class Wrong(NamedTuple):
    """Legal moves that are not the idea: what is said of them, and how the others show why."""

    say: str
    moves: list[str]
    then: list[TimedMove]


class Turn(NamedTuple):
    """One thing to do: the moves that do it, what the others do next, and other tries that the lesson foresees."""

    right: list[str]
    then: list[TimedMove]
    wrong: list[Wrong]
    refused: dict[str, str]  # moves that a rule forbids here, and the rule
    offer: list[str]  # moves that are offered beside the board, whether legal or not
    mark: bool  # the right move is marked from the start

    def says(self, text: str) -> Wrong | None:
        """Find what is said of a legal move; None if it is right."""
        if fits(self.right, text):
            return None
        for wrong in self.wrong:
            if fits(wrong.moves, text):
                return wrong
        return Wrong(OTHER, [], [])


class Step(NamedTuple):
    """A position and what a seat does in it. Without turns there is only something to read."""

    id: str
    kind: Kind
    seats: int
    options: dict[str, Any]
    setup: dict[str, Any]
    moves: list[TimedMove]
    seat: int
    turns: list[Turn]

    def start(self, game: Game[Any]) -> Position:
        """Lay the position out."""
        position: Position = game.start(self.setup, self.seats, resolve_options(game, self.options))
        for move in self.moves:
            play_text(game, position, move.seat, move.text)
        return position


class Lesson(NamedTuple):
    """All steps of a game, its puzzles last."""

    steps: list[Step]

    def step(self, id: str) -> Step | None:
        return next((step for step in self.steps if step.id == id), None)


class Attempt(NamedTuple):
    """What came of a try.

    `frames` are the positions to be looked at, the last one after all `moves`; `turn` is the one asked next, as many as
    there are once the step is done, and `shown` a move that does it.
    """

    verdict: Verdict
    turn: int
    moves: list[TimedMove]
    frames: list[Position]
    say: str | None = None  # to a wrong try
    shown: str | None = None  # begun or right
    refusal: IllegalMove | BadNotation | None = None


def fits(patterns: Sequence[str], text: str) -> bool:
    """Tell whether a move is among some, `*` standing for any letters."""
    return any([re.fullmatch(re.escape(one).replace(r"\*", ".*"), text) is not None for one in patterns])


def attempt(game: Game[Any], step: Step, tries: Sequence[str]) -> Attempt:
    """Follow a step through the seat's tries: all but the last must have been right; raises BadRecord if not."""
    position = step.start(game)
    moves = list(step.moves)
    made = Attempt("begun", 0, moves, [position.copy()], None, _shown(game, step, position, 0))
    for at, text in enumerate(tries):
        if made.shown is None:
            raise BadRecord(f"moves[{at}]", f"nothing is asked after what was {made.verdict}")
        made = _judge(game, step, position, made.turn, moves, text)
    return made


def _judge(game: Game[Any], step: Step, position: Position, turn: int, moves: list[TimedMove], text: str) -> Attempt:
    """Try a move in a turn, and play it, what follows and what answers a wrong one; a refused one changes nothing."""
    asked = step.turns[turn]
    try:
        move = parse(game, position, step.seat, text)
    except (IllegalMove, BadNotation) as refusal:
        return Attempt("refused", turn, moves, [], refusal=refusal)
    plain = game.text(position, step.seat, move)
    wrong = asked.says(plain)
    frames = []
    for played in [TimedMove(step.seat, plain, None), *(asked.then if wrong is None else wrong.then)]:
        play_text(game, position, played.seat, played.text)
        moves.append(played)
        frames.append(position.copy())
    if wrong is not None:
        return Attempt("wrong", turn, moves, frames, wrong.say)
    return Attempt("right", turn + 1, moves, frames, None, _shown(game, step, position, turn + 1))


def _shown(game: Game[Any], step: Step, position: Position, turn: int) -> str | None:
    """Find a right move; None once there is nothing left to do."""
    if turn == len(step.turns):
        return None
    legal = legal_texts(game, position, step.seat)
    return next(text for one in step.turns[turn].right for text in legal if fits([one], text))


# -- Reading -------------------------------------------------------------------------------------------------------


def read(game: Game[Any]) -> Lesson | None:
    """Read a game's lesson; None where it has none. Raises BadRecord with the place of what is wrong."""
    folder = lesson_folder(game)
    return None if folder is None else _read(folder)


def words(game: Game[Any], language: str = ENGLISH) -> dict[str, Any]:
    """Read the words of a game's lesson; in English where there are none in that language."""
    folder = lesson_folder(game)
    assert folder is not None, f"{game.title} has no lesson"
    told = folder / f"{language}.json" if LANGUAGE.fullmatch(language) else folder / f"{ENGLISH}.json"
    return _words(told if told.is_file() else folder / f"{ENGLISH}.json")


@cache
def _words(path: Path) -> dict[str, Any]:
    return json_checks.an_object(json.loads(path.read_text(encoding="utf-8")), path.name)


@cache
def _read(folder: Path) -> Lesson:
    whole = json_checks.an_object(json.loads((folder / STEPS).read_text(encoding="utf-8")), STEPS)
    deals = json_checks.an_object(json_checks.part(whole, "deals", ""), "deals")
    steps = []
    for name in ("steps", "puzzles"):
        for i, value in enumerate(json_checks.a_list(json_checks.part(whole, name, ""), name)):
            steps.append(_step(value, deals, f"{name}[{i}]", name == "puzzles"))
    return Lesson(steps)


def _step(value: object, deals: dict[str, Any], where: str, puzzle: bool) -> Step:
    whole = _known(value, where, ("id", "deal", "moves", "seat", "turns", *(["kind"] if puzzle else [])))
    kind: Kind = _kind(json_checks.part(whole, "kind", where), f"{where}.kind") if puzzle else "step"
    name = json_checks.a_text(json_checks.part(whole, "deal", where), f"{where}.deal")
    deal = _known(json_checks.part(deals, name, "deals"), f"deals.{name}", ("seats", "options", "setup"))
    seats = json_checks.a_number(json_checks.part(deal, "seats", f"deals.{name}"), f"deals.{name}.seats", 1, 16)
    turns = json_checks.a_list(json_checks.part(whole, "turns", where), f"{where}.turns")
    return Step(
        json_checks.a_text(json_checks.part(whole, "id", where), f"{where}.id"),
        kind,
        seats,
        json_checks.an_object(deal.get("options", {}), f"deals.{name}.options"),
        json_checks.an_object(json_checks.part(deal, "setup", f"deals.{name}"), f"deals.{name}.setup"),
        _moves(whole.get("moves", []), f"{where}.moves", seats),
        json_checks.a_number(json_checks.part(whole, "seat", where), f"{where}.seat", 0, seats - 1),
        [_turn(turn, f"{where}.turns[{i}]", seats) for i, turn in enumerate(turns)],
    )


def _kind(value: object, where: str) -> Kind:
    for kind in PUZZLES:
        if value == kind:
            return kind
    raise BadRecord(where, f"expected {' or '.join(PUZZLES)}, found {json_checks.describe(value)}")


def _turn(value: object, where: str, seats: int) -> Turn:
    whole = _known(value, where, ("right", "then", "wrong", "refused", "offer", "mark"))
    refused = json_checks.an_object(whole.get("refused", {}), f"{where}.refused")
    wrongs = []
    for i, one in enumerate(json_checks.a_list(whole.get("wrong", []), f"{where}.wrong")):
        at = f"{where}.wrong[{i}]"
        wrong = _known(one, at, ("say", "moves", "then"))
        say = json_checks.a_text(json_checks.part(wrong, "say", at), f"{at}.say")
        then = _moves(wrong.get("then", []), f"{at}.then", seats)
        wrongs.append(Wrong(say, _texts(json_checks.part(wrong, "moves", at), f"{at}.moves"), then))
    return Turn(
        _texts(json_checks.part(whole, "right", where), f"{where}.right"),
        _moves(whole.get("then", []), f"{where}.then", seats),
        wrongs,
        {text: json_checks.a_text(rule, f"{where}.refused.{text}") for text, rule in refused.items()},
        _texts(whole.get("offer", []), f"{where}.offer"),
        whole.get("mark", False) is True,
    )


def _known(value: object, where: str, keys: Sequence[str]) -> dict[str, Any]:
    whole = json_checks.an_object(value, where)
    for key in whole:
        if key not in keys:
            raise BadRecord(where, f"there is no key {shorten(key)}; the keys are {', '.join(keys)}")
    return whole


def _texts(value: object, where: str) -> list[str]:
    return [json_checks.a_text(text, f"{where}[{i}]") for i, text in enumerate(json_checks.a_list(value, where))]


def _moves(value: object, where: str, seats: int) -> list[TimedMove]:
    """Read moves as a record has them, without times: a lesson has no clock."""
    moves = []
    for i, text in enumerate(_texts(value, where)):
        seat, space, move = text.partition(" ")
        if not space or seat not in [str(one) for one in range(seats)]:
            raise BadRecord(f"{where}[{i}]", f'{shorten(text)} is no move: expected "<seat> <move>"')
        moves.append(TimedMove(int(seat), move, None))
    return moves
