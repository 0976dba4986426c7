"""A sitting: what the app needs of a table, whether it is dealt here or stands at a server."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from sevenhues.bots import Hint
from sevenhues.core.game import Game


class Glimpse:
    """A table at one moment through one pair of eyes: a seat's, or a watcher's."""

    def __init__(self, seat: int, ply: int) -> None:
        self.seat = seat
        self.ply = ply
        self.view: Any = None  # None while there is nothing to see
        self.legal: list[str] = []
        self.turn: list[int] = []
        self.scores: list[int] = []
        self.log: list[str] = []
        self.over = ""  # how the game ended, in a sentence


class Sitting(ABC):
    """The people of one terminal at a table."""

    game: Game[Any]
    names: list[str]  # by seat
    mine: list[int]  # seats that are played from here; none is watching
    renews = True  # a game may be left for another at any time

    def __init__(self) -> None:
        self.changed: Callable[[], None] = lambda: None  # told whenever there is something new to see
        self.said: Callable[[str], None] = lambda text: None  # told what a person should read

    @abstractmethod
    async def run(self) -> None:
        """Keep the table going until this is cancelled."""

    @abstractmethod
    def turn(self) -> list[int]:
        """List the seats that may move now, for everybody to know."""

    @abstractmethod
    def note(self) -> str:
        """Say what everybody waits for, if for anything but a move."""

    def clocks(self) -> list[float]:
        """List the seconds left to each seat; nothing where nobody counts them."""
        return []

    @abstractmethod
    def glimpse(self, seat: int) -> Glimpse:
        """Look through a seat of ours, or as a watcher."""

    @abstractmethod
    async def look(self, seat: int | None) -> None:
        """Say whose eyes look at the screen from now on: nobody's while it is handed over."""

    @abstractmethod
    async def move(self, seat: int, text: str) -> None:
        """Make a move, or raise a SevenHuesError that says why not."""

    @abstractmethod
    async def hint(self, seat: int) -> list[Hint]:
        """Ask what a strong bot would do, from no more than the seat has seen."""

    @abstractmethod
    async def again(self) -> None:
        """Have another game, or say what that takes."""
