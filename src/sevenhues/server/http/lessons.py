"""The routes of lessons: what there is to learn of a game, and answers to tries. Nothing is stored here."""

from typing import Any

import msgspec
from litestar import MediaType, Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody

from sevenhues import protocol
from sevenhues.core import lesson, record
from sevenhues.core.errors import BadRecord
from sevenhues.core.game import ENGLISH, Game, Position
from sevenhues.core.lesson import Attempt, Lesson, Step
from sevenhues.protocol import Drawn, LessonAnswer, LessonFrame, LessonTry, Moved, Result
from sevenhues.server.errors import Declined, problem_of
from sevenhues.server.http.tables import game_named

_encoder = msgspec.json.Encoder()


@get("/api/games/{game:str}/lesson", tags=["games"], sync_to_thread=False)
def show_lesson(game: FromPath[str], language: FromQuery[str] = ENGLISH) -> protocol.Lesson:
    """Return a game's lesson: its steps in words; in English where it is not told in that language."""
    found = game_named(game)
    steps = _lesson(found).steps
    words = lesson.words(found, language)
    told = [_told(found, step, words["steps"][step.id]) for step in steps]
    return protocol.Lesson(found.id, words["about"], words["names"], told)


@post("/api/games/{game:str}/lesson/{step:str}", tags=["games"], status_code=200)
async def try_step(game: FromPath[str], step: FromPath[str], data: JSONBody[LessonTry]) -> Response[bytes]:
    """Answer a try in a step of a lesson; without moves, show the step as it begins."""
    found = game_named(game)
    asked = _lesson(found).step(step)
    if asked is None:
        raise Declined("no-step", step=step[:40])
    try:
        attempt = lesson.attempt(found, asked, data.moves)
    except BadRecord as error:
        raise Declined("bad-try", what=str(error)) from None
    return Response(_encoder.encode(_answer(found, asked, attempt, data.text)), media_type=MediaType.JSON)


def _lesson(game: Game[Any]) -> Lesson:
    found = lesson.read(game)
    if found is None:
        raise Declined("no-lesson", title=game.title)
    return found


def _told(game: Game[Any], step: Step, words: dict[str, Any]) -> protocol.LessonStep:
    turns = [
        protocol.LessonTurn(
            said["ask"],
            said["right"],
            said["wrong"],
            said.get("hint"),
            [protocol.Offered(move, said["offer"][move]) for move in turn.offer],
            turn.mark,
        )
        for turn, said in zip(step.turns, words["turns"], strict=True)
    ]
    options = dict(game.settle(step.options))
    return protocol.LessonStep(step.id, step.kind, step.seat, options, words["title"], words["text"], turns)


def _answer(game: Game[Any], step: Step, attempt: Attempt, text: bool) -> LessonAnswer:
    first = len(attempt.moves) - len(attempt.frames) + 1
    return LessonAnswer(
        attempt.verdict,
        attempt.turn,
        [Moved(move.seat, move.text) for move in attempt.moves],
        [_frame(game, step, position, first + at, text) for at, position in enumerate(attempt.frames)],
        attempt.say,
        attempt.shown,
        problem_of(attempt.refusal) if attempt.refusal is not None else None,
    )


def _frame(game: Game[Any], step: Step, position: Position, ply: int, text: bool) -> LessonFrame:
    view = game.view(position, step.seat)
    ended = record.result_of(position)
    return LessonFrame(
        ply,
        position.to_act(),
        position.scores(),
        msgspec.Raw(_encoder.encode(view)),
        game.legal_texts(position, step.seat),
        Result(**ended) if ended is not None else None,
        Drawn(game.draw(view, False), game.tell(view)) if text else None,
    )


ROUTES = (show_lesson, try_step)
