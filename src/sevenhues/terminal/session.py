"""The session interface between the app and a table, which is either local or on a server."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from sevenhues.bots import Hint
from sevenhues.core.errors import SevenHuesError
from sevenhues.core.game import Game
from sevenhues.render.ansi import printable


class Snapshot:
    """The state of a table at one moment, as a viewer (a seat or a watcher) sees it."""

    def __init__(self, viewer: int, ply: int) -> None:
        self.viewer = viewer
        self.ply = ply
        self.view: Any = None  # None before the game starts and while the screen changes hands
        self.legal: list[str] = []
        self.to_act: list[int] = []
        self.scores: list[int] = []
        self.log: list[str] = []
        self.result_text = ""  # the result in a sentence; empty during the game


class Session(ABC):
    """A table, and the seats that are played from this terminal."""

    game: Game[Any]
    names: list[str]  # by seat
    own_seats: list[int]  # the seats played from this terminal; empty for a watcher
    can_restart = True  # a new game can replace an unfinished one

    def __init__(self) -> None:
        self.on_change: Callable[[], None] = lambda: None  # called after every change of the table
        self.on_message: Callable[[str], None] = lambda text: None  # called with a message for the players

    @abstractmethod
    async def run(self) -> None:
        """Run the table until cancelled."""

    @abstractmethod
    def to_act(self) -> list[int]:
        """Return the seats that may move now."""

    @abstractmethod
    def status_text(self) -> str:
        """Describe what the table is waiting for, unless it is a move."""

    def clocks_seconds(self) -> list[float]:
        """Return the time left to each seat; empty without clocks."""
        return []

    @abstractmethod
    def snapshot(self, viewer: int) -> Snapshot:
        """Return the current state as one of the own seats, or a watcher, sees it."""

    @abstractmethod
    async def set_viewer(self, seat: int | None) -> None:
        """Set the seat that is at the screen; None while the screen changes hands."""

    @abstractmethod
    async def move(self, seat: int, text: str) -> None:
        """Make a move, or raise a SevenHuesError with the reason it is refused."""

    async def say(self, seat: int, phrase: str) -> None:
        """Say a phrase to the other players, or raise a SevenHuesError with the reason it is refused."""
        raise SevenHuesError("There's nobody to talk to: this game isn't on a server.")

    @abstractmethod
    async def hint(self, seat: int) -> list[Hint]:
        """Return the best moves of a strong bot that knows what the seat has seen."""

    @abstractmethod
    async def new_game(self) -> None:
        """Start another game, offer a rematch, or raise a SevenHuesError with the reason it is refused."""


def describe_result(result: dict[str, Any], names: list[str]) -> str:
    """Describe the result of a game in a sentence."""
    winners = " and ".join([names[seat] for seat in result["winners"]]) or "nobody"
    scores = " : ".join([str(score) for score in result["scores"]])
    return f"The game is over ({printable(result['reason'])}): {winners} won, {scores}."


def format_hints(hints: list[Hint]) -> str:
    """List the moves of a hint with their chances to win."""
    moves = [hint.text if hint.chance is None else f"{hint.text} ({100 * hint.chance:.0f} %)" for hint in hints]
    return ", or ".join(moves)
