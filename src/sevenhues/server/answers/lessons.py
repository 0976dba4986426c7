"""Lessons, and answers to attempts at their steps."""

from typing import Any

import msgspec

from sevenhues import protocol
from sevenhues.core import lesson, record
from sevenhues.core.errors import BadRecord
from sevenhues.core.game import Game, resolve_options
from sevenhues.core.lesson import Attempt, Lesson, Step
from sevenhues.core.moves import legal_texts
from sevenhues.core.position import Position
from sevenhues.protocol import LessonAnswer, LessonFrame, LessonTry, Moved, Result
from sevenhues.server.answers.games import game_named
from sevenhues.server.errors import problem_of
from sevenhues.server.live.messages import encoder, text_view
from sevenhues.server.table.errors import Refused


def lesson_in(game: str, language: str) -> protocol.Lesson:
    """Return the steps of a game's lesson; in English if there is no translation."""
    named = game_named(game)
    steps = _lesson_of(named).steps
    texts = lesson.texts(named, language)
    translated = [_lesson_step(named, step, texts["steps"][step.id]) for step in steps]
    return protocol.Lesson(named.id, texts["about"], texts["names"], translated)


def lesson_answer(game: str, step: str, data: LessonTry) -> LessonAnswer:
    """Answer an attempt at a step of a lesson; without moves, return the beginning of the step."""
    named = game_named(game)
    lesson_step = _lesson_of(named).step(step)
    if lesson_step is None:
        raise Refused("no-step", step=step[:40])
    try:
        attempt = lesson.attempt(named, lesson_step, data.moves)
    except BadRecord as error:
        raise Refused("bad-try", what=str(error)) from None
    return _answer(named, lesson_step, attempt, data.text)


def _lesson_of(game: Game[Any]) -> Lesson:
    game_lesson = lesson.read(game)
    if game_lesson is None:
        raise Refused("no-lesson", title=game.title)
    return game_lesson


def _lesson_step(game: Game[Any], step: Step, texts: dict[str, Any]) -> protocol.LessonStep:
    turns = [
        protocol.LessonTurn(
            text["ask"],
            text["right"],
            text["wrong"],
            text.get("hint"),
            [protocol.Offered(move, text["offer"][move]) for move in turn.offer],
            turn.mark,
        )
        for turn, text in zip(step.turns, texts["turns"], strict=True)
    ]
    options = dict(resolve_options(game, step.options))
    return protocol.LessonStep(step.id, step.kind, step.seat, options, texts["title"], texts["text"], turns)


def _answer(game: Game[Any], step: Step, attempt: Attempt, text: bool) -> LessonAnswer:
    first_ply = len(attempt.moves) - len(attempt.frames) + 1
    return LessonAnswer(
        attempt.verdict,
        attempt.turn,
        [Moved(move.seat, move.text) for move in attempt.moves],
        [_frame(game, step, position, ply, text) for ply, position in enumerate(attempt.frames, first_ply)],
        attempt.say,
        attempt.solution,
        problem_of(attempt.refusal) if attempt.refusal is not None else None,
    )


def _frame(game: Game[Any], step: Step, position: Position, ply: int, text: bool) -> LessonFrame:
    view = game.view(position, step.seat)
    result = record.result_of(position)
    return LessonFrame(
        ply,
        position.to_act(),
        position.scores(),
        msgspec.Raw(encoder.encode(view)),
        legal_texts(game, position, step.seat),
        Result(**result) if result is not None else None,
        text_view(game, view) if text else None,
    )
