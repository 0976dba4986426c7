"""Routes of lessons: the lesson of a game, and answers to attempts. Nothing is stored."""

from litestar import MediaType, Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody

from sevenhues import protocol
from sevenhues.core.resources import ENGLISH
from sevenhues.server.answers.lessons import lesson_answer, lesson_in
from sevenhues.server.live.messages import encoder


@get("/api/games/{game:str}/lesson", tags=["games"], sync_to_thread=False)
def show_lesson(game: FromPath[str], language: FromQuery[str] = ENGLISH) -> protocol.Lesson:
    """Return the steps of a game's lesson; in English if there is no translation."""
    return lesson_in(game, language)


@post("/api/games/{game:str}/lesson/{step:str}", tags=["games"], status_code=200)
async def try_step(game: FromPath[str], step: FromPath[str], data: JSONBody[protocol.LessonTry]) -> Response[bytes]:
    """Answer an attempt at a step of a lesson; without moves, return the beginning of the step."""
    return Response(encoder.encode(lesson_answer(game, step, data)), media_type=MediaType.JSON)


ROUTES = (show_lesson, try_step)
