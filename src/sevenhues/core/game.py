"""The contract of a game: what every part of Seven Hues asks of it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from operator import index
from typing import Any, ClassVar, Generic, SupportsIndex

from mypy_extensions import mypyc_attr

from sevenhues.core.bot_support import BotSupport
from sevenhues.core.copying import Copyable
from sevenhues.core.encoder import EmptyEncoder, Encoder
from sevenhues.core.errors import BadOption, Refusal, shorten
from sevenhues.core.options import Option, Options, OptionValue
from sevenhues.core.position import WATCHER, Outcome, P, win_payoffs
from sevenhues.core.renderer import Renderer
from sevenhues.core.rng import Dealer, Rng

Setup = dict[str, Any]  # the JSON object of a record
View = Mapping[str, Any]  # a TypedDict of the game


@mypyc_attr(allow_interpreted_subclasses=True)
class Game(Copyable, ABC, Generic[P]):
    """The rules of one game. An instance is stateless and shared by all tables."""

    id: ClassVar[str]
    title: ClassVar[str]
    min_seats: ClassVar[int]
    max_seats: ClassVar[int]
    rules_version: ClassVar[int]
    options: ClassVar[tuple[Option, ...]]
    simultaneous: ClassVar[bool]  # everybody acts at once: records carry times
    hidden_information: ClassVar[bool] = True  # views differ between seats: players who share a screen need a curtain
    view_type: ClassVar[type]
    move_pattern: ClassVar[str]  # a regular expression that the text of every move matches
    move_examples: ClassVar[str]  # how an error message describes the notation
    refusals: ClassVar[Mapping[str, Refusal]]  # every reason for which this game refuses a move

    @abstractmethod
    def deal(self, seats: int, options: Options, dealer: Dealer, previous: list[int] | None) -> Setup:
        """Draw a setup: all randomness of the game. `previous` are the winners of the last game at this table."""

    @abstractmethod
    def start(self, setup: Setup, seats: int, options: Options) -> P:
        """Validate a setup and return its starting position; raises BadRecord with the place of the error in it."""

    @abstractmethod
    def setup(self, position: P) -> Setup:
        """Return the setup from which `start` leads to this position, also for a resampled position."""

    @abstractmethod
    def text(self, position: P, seat: int, move: int) -> str:
        """Write a move in the game's notation."""

    @abstractmethod
    def read(self, position: P, seat: int, text: str) -> int:
        """Parse the text of a move that matches `move_pattern`, by a seat that may act.

        Return a legal move, or raise what `moves.refuse` builds, with the rule that the move breaks.
        """

    @abstractmethod
    def view(self, position: P, seat: int) -> View:
        """Build what a seat (or WATCHER) may see, from what it has seen and never by removing from the full state."""

    @abstractmethod
    def move_count(self, seats: int, options: Options) -> int:
        """Return a bound: every move is in range(move_count)."""

    @abstractmethod
    def observation_encoder(self) -> Encoder[P]:
        """Return the encoder of what a seat knows: the observation of learners."""

    def quick_start(self, seats: int, options: Options, rng: Rng) -> P:
        """Return a random starting position, as likely as `deal` and `start` lead to it, for simulations.

        Override it where the position can be dealt without a setup. Nobody can verify such a deal.
        """
        seed = f"{rng.next()}/{rng.next()}".encode()
        return self.start(self.deal(seats, options, Dealer(seed), None), seats, options)

    def information_state_encoder(self) -> Encoder[P]:
        """Return an encoder of what, with the moves, identifies everything a seat has seen since the deal.

        Without one, learners get no information state.
        """
        return EmptyEncoder()

    def network_input_encoder(self) -> Encoder[P]:
        """Return an encoder of what networks read after the observation: a summary of what a seat remembers."""
        return EmptyEncoder()

    def full_view(self, position: P) -> View:
        """Build a watcher's view with everything hidden filled in. It is shown of finished games only."""
        return self.view(position, WATCHER)

    def max_plies(self, seats: int, options: Options) -> int | None:
        """Return a bound on the number of moves of a game, or None if the rules set none."""
        return None

    def payoffs(self, position: P, outcome: Outcome) -> list[float]:
        """Return what every seat wins or loses with a finished game; of several seats the sum is 0.

        By default winners share 1 and losers share -1. Override it where the amount matters, as in poker.
        """
        return win_payoffs(outcome)

    def max_payoff(self, seats: int, options: Options) -> float:
        """Return a bound: no payoff is above it, or below its negative."""
        return 1.0

    def dealer_choices(self, setup: Setup, seats: int, options: Options) -> list[int]:
        """Return the choices of a dealer that lead to this setup; raises ValueError if it is never dealt.

        Only OpenSpiel needs it, to resample states.
        """
        raise NotImplementedError(f"{self.title} cannot tell how a setup was dealt")

    def conditional_text(self, position: P, seat: int, move: int) -> str:
        """Write a move with the condition that its target is as this position shows it: see `check_condition`."""
        return self.text(position, seat, move)

    def check_condition(self, position: P, seat: int, text: str) -> str:
        """Return the text of a move without its condition; raise IllegalMove if the condition no longer holds."""
        return text

    def renderer(self) -> Renderer:
        """Return what renders views as text."""
        return Renderer()

    def bot_support(self) -> BotSupport[P]:
        """Return what bots, learners and analysis use."""
        return BotSupport()


def check_seats(game: Game[Any], wanted: SupportsIndex) -> int:
    """Return the number of seats if the game can be played by so many; raise BadOption otherwise."""
    seats = index(wanted)
    if not game.min_seats <= seats <= game.max_seats:
        allowed = str(game.min_seats)
        if game.max_seats > game.min_seats:
            allowed += f" to {game.max_seats}"
        raise BadOption(f"{game.title} is for {allowed} seats, not {seats}")
    return seats


def default_seats(game: Game[Any]) -> int:
    """Return two, or the nearest number of seats that the game allows."""
    return min(max(game.min_seats, 2), game.max_seats)


def resolve_options(game: Game[Any], chosen: Mapping[str, object]) -> dict[str, OptionValue]:
    """Check options, and fill in the defaults of those that are missing; raise BadOption if one is wrong."""
    known = {option.name: option for option in game.options}
    for name in chosen:
        if name not in known:
            names = ", ".join(known) or "none"
            raise BadOption(f"{game.title} has no option {shorten(name)}; its options: {names}")
    return {name: option.check(chosen[name]) if name in chosen else option.default for name, option in known.items()}
