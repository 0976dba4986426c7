"""Lessons on the wire, and answers to attempts."""

from typing import Annotated, Literal

import msgspec

from sevenhues.protocol.live import Moved, TextView
from sevenhues.protocol.tables import Problem, Result


class Offered(msgspec.Struct):
    """A move, legal or not, that is offered as a button beside the board."""

    move: str
    label: str


class LessonTurn(msgspec.Struct):
    """A task of a step, and the texts that answer attempts; `wrong` by the key that an answer gives as `say`."""

    ask: str
    right: str
    wrong: dict[str, str]
    hint: str | None
    offer: list[Offered]
    mark: bool  # the right move is marked from the start


class LessonStep(msgspec.Struct):
    """A prepared position that teaches one idea, or a puzzle: a sure win to find, a trap to avoid."""

    id: str
    kind: Literal["step", "win", "trap"]
    seat: int
    options: dict[str, bool | int | str]
    title: str
    text: str
    turns: list[LessonTurn]  # empty if there is only text to read


class Lesson(msgspec.Struct):
    """A game's lesson in one language. `names` are the names of the other players, in the order of seats."""

    game: str
    about: str
    names: list[str]
    steps: list[LessonStep]


class LessonTry(msgspec.Struct, forbid_unknown_fields=True):
    """The learner's moves from the start of a step; all but the last have been right."""

    moves: Annotated[list[Annotated[str, msgspec.Meta(max_length=64)]], msgspec.Meta(max_length=32)] = []
    text: bool = False  # send views as text too


class LessonFrame(msgspec.Struct):
    """A position as the learner sees it; the type of the view depends on the game."""

    ply: int
    turn: list[int]
    scores: list[int]
    view: msgspec.Raw
    legal: list[str]
    result: Result | None = None
    text: TextView | None = None


class LessonAnswer(msgspec.Struct):
    """The answer to an attempt. A wrong move is played and answered in `frames`; the step continues from before it."""

    verdict: Literal["begun", "right", "wrong", "refused"]
    turn: int  # the next task; the number of tasks once the step is done
    moves: list[Moved]  # all moves that led to the last frame
    frames: list[LessonFrame]
    say: str | None = None  # the key of the text for a wrong attempt
    shown: str | None = None  # a right move of the next task, for a learner who asks
    refusal: Problem | None = None  # why an attempt is refused, with the rule
