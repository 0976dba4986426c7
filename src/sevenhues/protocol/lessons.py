"""Lessons: what there is to learn of a game, and what is answered to a try."""

from typing import Annotated, Literal

import msgspec

from sevenhues.protocol.live import Drawn, Moved
from sevenhues.protocol.tables import Problem, Result


class Offered(msgspec.Struct):
    """A move that can be tried beside the board, whether it is legal or not."""

    move: str
    label: str


class LessonTurn(msgspec.Struct):
    """One thing to do in a step, and what is said to it; `wrong` by the name that an answer gives as `say`."""

    ask: str
    right: str
    wrong: dict[str, str]
    hint: str | None
    offer: list[Offered]
    mark: bool  # the right move is marked from the start


class LessonStep(msgspec.Struct):
    """A prepared position with one idea, or a puzzle: a sure win to find, a trap to avoid."""

    id: str
    kind: Literal["step", "win", "trap"]
    seat: int
    options: dict[str, bool | int | str]
    title: str
    text: str
    turns: list[LessonTurn]  # none: there is only something to read


class Lesson(msgspec.Struct):
    """A game's lesson, told in one language. `names` are the others' at the table, in the order of seats."""

    game: str
    about: str
    names: list[str]
    steps: list[LessonStep]


class LessonTry(msgspec.Struct, forbid_unknown_fields=True):
    """The moves of the one who learns, from the start of a step: all but the last have been right."""

    moves: Annotated[list[Annotated[str, msgspec.Meta(max_length=64)]], msgspec.Meta(max_length=32)] = []
    text: bool = False  # views come as text too


class LessonFrame(msgspec.Struct):
    """A position as the one who learns sees it; the view is of the game's own type."""

    ply: int
    turn: list[int]
    scores: list[int]
    view: msgspec.Raw
    legal: list[str]
    result: Result | None = None
    text: Drawn | None = None


class LessonAnswer(msgspec.Struct):
    """What came of a try. A wrong one is played and answered, to be looked at: the step goes on from before it."""

    verdict: Literal["begun", "right", "wrong", "refused"]
    turn: int  # the one that is asked next; as many as there are once the step is done
    moves: list[Moved]  # all that led to the last frame
    frames: list[LessonFrame]
    say: str | None = None  # the name of what is said to a wrong try
    shown: str | None = None  # a right move, for who asks; after a begin or a right try
    refusal: Problem | None = None  # why a try is refused, with the rule
