"""The contract: what a game, a position and a bot are to everything else in Seven Hues."""

import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from math import exp
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, TypeVar

from mypy_extensions import mypyc_attr

from sevenhues.core.errors import BadNotation, BadOption, IllegalMove, Refusal, shorten
from sevenhues.core.json_checks import describe
from sevenhues.core.report_types import Beliefs, Chronicle
from sevenhues.core.rng import Dealer, Rng
from sevenhues.render.canvas import Scene

WATCHER: Final = -1  # a seat that only looks on: valid in view, features and resample
NOBODY: Final = -1  # what pick_seat answers when the game is over
NET: Final = "net.npz"  # the network that plays for a game, beside its code
ENGLISH: Final = "en"  # the language that everything is written in first
LANGUAGE: Final = re.compile("[a-z]{2,3}")  # how languages are named

OptionValue = bool | int | str
Options = Mapping[str, OptionValue]
Setup = dict[str, Any]  # the JSON object of a record
View = Mapping[str, Any]  # a game's own TypedDict

GENERAL_REFUSALS: Final = {
    "not-your-turn": Refusal("G-1", "It is not seat {seat}'s turn: {turn} to act."),
    "game-over": Refusal("G-2", "The game is over ({reason})."),
}


class Outcome:
    """How a game ended: why, who won, and the place of every seat (1 is best, equal ones share)."""

    def __init__(self, reason: str, winners: list[int], places: list[int]) -> None:
        self.reason = reason
        self.winners = winners
        self.places = places

    def __repr__(self) -> str:
        return f"Outcome({self.reason!r}, winners={self.winners}, places={self.places})"


def rank(strengths: list[int]) -> list[int]:
    """Give each seat its place: 1 and the number of seats that are stronger."""
    return [1 + sum([other > strength for other in strengths]) for strength in strengths]


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class Position(ABC):
    """The whole truth at one moment. Mutable; no chance, no clock, no input or output.

    A position also keeps what each seat has seen so far, because `resample` must respect it.
    """

    seats: int

    @abstractmethod
    def to_act(self) -> list[int]:
        """List every seat that may move now, ascending; empty when the game is over."""

    @abstractmethod
    def legal(self, seat: int) -> list[int]:
        """List the legal moves of a seat, ascending; empty if it may not act."""

    @abstractmethod
    def play(self, seat: int, move: int) -> None:
        """Make a move that is known to be legal, in place."""

    @abstractmethod
    def scores(self) -> list[int]:
        """Count what the game's rules call the score, for every seat."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Tell how the game ended, or None while it goes on."""

    @abstractmethod
    def copy(self) -> "Position":
        """Return an equal position that shares nothing that can change."""

    @abstractmethod
    def resample(self, seat: int, rng: Rng) -> "Position":
        """Return a random position that `seat` cannot tell from this one.

        It depends on what the seat has seen, and on `rng`, alone: never on the truth.
        """

    @abstractmethod
    def key(self) -> tuple[int, ...]:
        """Identify the position: equal keys, equal futures (what led here, as shown in `last`, aside)."""

    @abstractmethod
    def census(self) -> list[int]:
        """List every piece of the game, wherever it lies, as a number; the same multiset at all times."""

    def pick(self, seat: int, rng: Rng) -> int:
        """Return a uniformly random legal move. Games that can avoid building the list override this."""
        moves = self.legal(seat)
        return moves[rng.below(len(moves))]

    def pick_seat(self, rng: Rng) -> int:
        """Return a random seat of `to_act`, or NOBODY when the game is over. Override it likewise."""
        seats = self.to_act()
        if not seats:
            return NOBODY
        return seats[rng.below(len(seats))]


P = TypeVar("P", bound=Position)


class Option:
    """A choice that a table makes before a game; the default comes first among the choices.

    One that `helps` makes the game easier unless it is left at its default: such games are not rated.
    """

    def __init__(self, name: str, choices: tuple[OptionValue, ...], about: str, helps: bool = False) -> None:
        self.name = name
        self.choices = choices
        self.about = about
        self.helps = helps

    @property
    def default(self) -> OptionValue:
        return self.choices[0]

    def check(self, value: object) -> OptionValue:
        """Return the value if it is one of the choices, type included."""
        for choice in self.choices:
            if type(choice) is type(value) and choice == value:
                return choice
        raise BadOption(f"option {self.name} is {self._listed()}, not {describe(value)}")

    def read(self, text: str) -> OptionValue:
        """Read a value as a person types it."""
        for choice in self.choices:
            if option_text(choice) == text.lower():
                return choice
        raise BadOption(f"option {self.name} is {self._listed()}, not {shorten(text)}")

    def _listed(self) -> str:
        return " or ".join([option_text(choice) for choice in self.choices])


def option_text(value: object) -> str:
    """Write an option's value as a person types it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class Feature:
    """A named run of `size` numbers in a game's features, each from 0 to `high`."""

    def __init__(self, name: str, size: int, high: int, about: str) -> None:
        self.name = name
        self.size = size
        self.high = high
        self.about = about


@mypyc_attr(allow_interpreted_subclasses=True)
class Game(ABC, Generic[P]):
    """The rules of one game, apart from any table. One object serves everybody: it holds no state."""

    id: ClassVar[str]
    title: ClassVar[str]
    min_seats: ClassVar[int]
    max_seats: ClassVar[int]
    rules_version: ClassVar[int]
    options: ClassVar[tuple[Option, ...]]
    simultaneous: ClassVar[bool]  # everybody at once: records carry times
    hides: ClassVar[bool] = True  # a seat may see what others may not: who shares a screen needs a curtain
    view_type: ClassVar[type]
    move_pattern: ClassVar[str]  # a regular expression that every move's text matches
    move_examples: ClassVar[str]  # how a message describes the notation
    refusals: ClassVar[Mapping[str, Refusal]]  # every reason this game can refuse a move for

    @abstractmethod
    def deal(self, seats: int, options: Options, dealer: Dealer, previous: list[int] | None) -> Setup:
        """Draw a setup: all the chance there is. `previous` are the last game's winners at this table."""

    @abstractmethod
    def start(self, setup: Setup, seats: int, options: Options) -> P:
        """Check a setup and lay it out; raises BadRecord with the place in it and what is wrong."""

    @abstractmethod
    def setup(self, position: P) -> Setup:
        """Return the setup that `start` needs to get here, for a resampled position too."""

    @abstractmethod
    def text(self, position: P, seat: int, move: int) -> str:
        """Write a move in the game's notation."""

    @abstractmethod
    def read(self, position: P, seat: int, text: str) -> int:
        """Read the text of a move that matches `move_pattern`, by a seat that may act.

        Returns a legal move, or raises what `refuse` builds, with the rule the move breaks.
        """

    @abstractmethod
    def view(self, position: P, seat: int) -> View:
        """Build what a seat (or WATCHER) may see, up from nothing and never cut down from the truth."""

    @abstractmethod
    def move_count(self, seats: int, options: Options) -> int:
        """Every move is in range(move_count): masks for learners."""

    @abstractmethod
    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        """Name the numbers of `features`, in order."""

    @abstractmethod
    def features(self, position: P, seat: int) -> list[int]:
        """Return what a seat (or WATCHER) knows as numbers."""

    @abstractmethod
    def draw(self, view: Any, colour: bool) -> str:
        """Draw a view for the terminal; letters always, colour where there is one."""

    @abstractmethod
    def tell(self, view: Any) -> str:
        """Say in a sentence what the last move showed this viewer; empty before the first move."""

    def paint(self, view: Any, legal: list[str], scene: Scene) -> None:
        """Paint a view where one can point at things: coloured text, and the places that legal moves are part of.

        Here it is the drawing, with nothing to point at: moves are then chosen from their list.
        """
        scene.paste(self.draw(view, scene.colour))

    def opened(self, position: P) -> View:
        """Build the view of somebody who may see everything: of a game that is over, and of no other.

        It is a watcher's, with what is hidden filled in; here, for games that hide nothing worth looking at, just that.
        """
        return self.view(position, WATCHER)

    def most_plies(self, seats: int, options: Options) -> int | None:
        """Bound the moves of a game, or return None where the rules let it go on for ever."""
        return None

    def undeal(self, setup: Setup, seats: int, options: Options) -> list[int]:
        """Return choices of a dealer that deal this setup; ValueError if it is never dealt.

        Without it the game does everything but be an OpenSpiel game whose hidden information can be resampled.
        """
        raise NotImplementedError(f"{self.title} cannot tell how a setup was dealt")

    def recall_layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        """Name the numbers of `recall`, in order; nothing where a game has none."""
        return ()

    def recall(self, position: P, seat: int) -> list[int]:
        """Return what, beside the moves, tells all that a seat (or WATCHER) has seen from the deal till now."""
        return []

    def memory_layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        """Name the numbers of `memory`, in order; nothing where `features` tell all."""
        return ()

    def memory(self, position: P, seat: int) -> list[int]:
        """Return what, beside `features`, a seat that remembers everything knows of what matters now, as few numbers.

        With `features` it is all that a network is told.
        """
        return []

    def twin(self, seats: int, options: Options) -> Any:
        """Return the game's batched twin (core.twin.Twin); it needs JAX, which is imported here and not before."""
        raise BadOption(f"{self.title} has no batched twin")

    def guarded(self, position: P, seat: int, move: int) -> str:
        """Write a move as somebody sends it who sees this position: `parse` refuses it if a race was lost meanwhile."""
        return self.text(position, seat, move)

    def beliefs(self, position: P, seat: int) -> Beliefs | None:
        """Tell the exact odds of what is hidden, for a seat (or WATCHER) that remembers all; None if nothing tells."""
        return None

    def chronicle(self, position: P, moves: list[tuple[int, int, int]]) -> Chronicle | None:
        """Tell the story of a race from its start by its moves, each a seat, a move and when (ms); None if it has none.

        `position` is the start, and is played on in place.
        """
        return None

    def rules(self, language: str = ENGLISH) -> str:
        """Return the rules in our own words, from the RULES.md beside the game's code.

        In another language they are RULES.<language>.md; where there is none, English.
        """
        english = self.beside("RULES.md")
        told = english.with_name(f"RULES.{language}.md") if LANGUAGE.fullmatch(language) else english
        return (told if told.is_file() else english).read_text(encoding="utf-8")

    def languages(self) -> list[str]:
        """List the languages that the rules are in, English first."""
        others = [file.name.split(".")[1] for file in self.beside("RULES.md").parent.glob("RULES.*.md")]
        return [ENGLISH, *sorted(others)]

    def lesson(self) -> Path | None:
        """Return the folder of its lesson (see core.lesson), `lesson` beside the game's code; None if there is none."""
        folder = self.beside("lesson")
        return folder if folder.is_dir() else None

    def beside(self, name: str) -> Path:
        """Return the path of a file that lies beside the game's code."""
        return Path(str(sys.modules[type(self).__module__].__file__)).with_name(name)

    def parse(self, position: P, seat: int, text: str) -> int:
        """Read the text of a move; raises BadNotation or IllegalMove."""
        self.check_notation(text)
        outcome = position.outcome()
        if outcome is not None:
            raise self.refuse(position, seat, text, "game-over", {"reason": outcome.reason})
        turn = position.to_act()
        if seat not in turn:
            who = " and ".join([f"seat {other}" for other in turn])
            raise self.refuse(position, seat, text, "not-your-turn", {"seat": seat, "turn": who})
        return self.read(position, seat, text)

    def check_notation(self, text: str) -> None:
        """Refuse text that is no move of this game in any position (G-3)."""
        if re.fullmatch(self.move_pattern, text, re.ASCII) is None:
            raise BadNotation(self.title, text, self.move_examples)

    def refuse(self, position: P, seat: int, text: str, key: str, parameters: Mapping[str, str | int]) -> IllegalMove:
        """Build the refusal of a move, with what would have been legal."""
        refusal = GENERAL_REFUSALS.get(key) or self.refusals[key]
        return IllegalMove(key, refusal, parameters, seat, text, self.legal_texts(position, seat))

    def legal_texts(self, position: P, seat: int) -> list[str]:
        """List a seat's legal moves in notation, in ASCII order."""
        return sorted([self.text(position, seat, move) for move in position.legal(seat)])

    def check_seats(self, seats: int) -> int:
        """Return the number of seats if the game is played by so many."""
        if not self.min_seats <= seats <= self.max_seats:
            fits = str(self.min_seats)
            if self.max_seats > self.min_seats:
                fits += f" to {self.max_seats}"
            raise BadOption(f"{self.title} is for {fits} seats, not {seats}")
        return seats

    def settle(self, given: Mapping[str, object]) -> dict[str, OptionValue]:
        """Check options and fill in the defaults of those not given."""
        known = {option.name: option for option in self.options}
        for name in given:
            if name not in known:
                names = ", ".join(known) or "none"
                raise BadOption(f"{self.title} has no option {shorten(name)}; its options: {names}")
        return {name: option.check(given[name]) if name in given else option.default for name, option in known.items()}

    def guide(self) -> "Guide":
        """Return what this game teaches bots."""
        return Guide()

    def levels(self) -> "list[Level]":
        """List the bots this game offers by name, the weakest first; their names are also people's words."""
        return []

    def yardsticks(self) -> "list[Level]":
        """List bots that are no levels, but that others are measured against."""
        return []


@mypyc_attr(allow_interpreted_subclasses=True)
class Guide:
    """What a game teaches players that are programs: all that a search asks of it beside the contract.

    Every answer here suits any game, so that every game can be searched; a game gives better ones. Values run
    from 0, lost, to 1, won.
    """

    horizon: int = 400  # decisions after which a playout stops and is valued as it stands

    def resample(self, position: Position, seat: int, rng: Rng) -> Position:
        """Return a position that fits what a seat remembers; to forget is to fit less than it has seen."""
        return position.resample(seat, rng)

    def weights(self, position: Position, seat: int, moves: list[int]) -> list[float]:
        """Say how promising each move looks, all above 0; an empty list if all look alike."""
        return []

    def policy(self, position: Position, seat: int, rng: Rng) -> int:
        """Choose a move fast, from no more than the seat knows: how playouts go on."""
        return position.pick(seat, rng)

    def playout(self, position: Position, rng: Rng) -> list[float]:
        """Play on, in place, as far as it tells something, and value what it came to for every seat."""
        for _ in range(self.horizon):
            seat = position.pick_seat(rng)
            if seat < 0:
                break
            position.play(seat, self.policy(position, seat, rng))
        return self.values(position)

    def values(self, position: Position) -> list[float]:
        """Estimate every seat's chance to win; here from the scores, where more is better."""
        outcome = position.outcome()
        if outcome is not None:
            return outcome_values(outcome)
        scores = position.scores()
        low = min(scores)
        whole = sum(scores) - low * len(scores) + len(scores) + 1
        return [(score - low + 1) / whole for score in scores]

    def plan(
        self, position: Position, seat: int, moves: list[int], peeks: bool, limit: int, until: float, rng: Rng
    ) -> list[float]:
        """Value every move by a way of this game's own, or return an empty list to have it searched.

        `position` fits what the seat has seen; who `peeks` takes it for the truth, who does not resamples it first.
        A plan stops after `limit` tries or when `perf_counter()` passes `until`, whichever comes first.
        """
        return []

    def sight(self, position: Position, seat: int) -> int:
        """Number what the last move showed a seat beyond the move itself, from 0; 0 if nothing."""
        return 0


def outcome_values(outcome: Outcome) -> list[float]:
    """Value a finished game for every seat: winners share 1; where nobody won, all seats of several do."""
    seats = len(outcome.places)
    if outcome.winners:
        return [1.0 / len(outcome.winners) if seat in outcome.winners else 0.0 for seat in range(seats)]
    return [1.0 / seats if seats > 1 else 0.0] * seats


def reaction(least: float, median: float, spread: float, rng: Rng) -> float:
    """Draw how many seconds a person takes: the shifted log-normal curve of people's reaction times."""
    return least + (median - least) * exp(spread * rng.bell())


@mypyc_attr(allow_interpreted_subclasses=True)
class Pace:
    """How a hand is where everybody acts at once: how long a move takes it, and how it may go wrong.

    Here as for any game: all moves take alike, and none goes wrong. A game gives its levels better ones.
    """

    def delay(self, position: Position, seat: int, move: int, rng: Rng) -> float:
        """Draw the seconds from a look at this position until the move is made, never fewer than a person needs."""
        return reaction(0.35, 0.7, 0.3, rng)

    def slip(self, position: Position, seat: int, move: int, rng: Rng) -> int:
        """Return what is done where `move` was meant: now and then another move, which the rules may refuse."""
        return move


class Level:
    """A bot of a game, by name: a way to search, what guides it, and how many simulations a move it takes at most.

    `search` is one of the ways that sevenhues.bots knows, those by a network take the game's own (NET); `most` 0 is no
    limit but the budget. The pace matters where everybody acts at once.
    """

    def __init__(
        self, name: str, about: str, search: str, guide: Guide, most: int = 0, pace: Pace | None = None
    ) -> None:
        self.name = name
        self.about = about  # a line that a person choosing an opponent reads
        self.search = search
        self.guide = guide
        self.most = most
        self.pace = pace or Pace()


@mypyc_attr(allow_interpreted_subclasses=True)
class Bot(ABC):
    """A player that is a program."""

    @abstractmethod
    def choose(self, position: Position, seat: int, rng: Rng) -> int:
        """Choose a legal move. `position` is a fiction that fits all the seat has seen, never the truth."""

    def hear(self, seat: int, move: int) -> None:
        """Be told of a move that `seat` made; all moves are made openly."""
        return
