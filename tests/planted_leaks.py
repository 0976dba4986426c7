"""Leaks planted in games: one field of what a seat gets depends on one bit of what it may not see."""

import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from sevenhues import Rng
from sevenhues.core.bot_support import BotSupport
from sevenhues.core.encoder import Encoder, Feature
from sevenhues.core.errors import IllegalMove, Refusal
from sevenhues.core.game import Game, Setup, View, resolve_options
from sevenhues.core.options import Options
from sevenhues.core.position import Position
from sevenhues.core.renderer import Renderer
from sevenhues.core.report_types import Belief, Beliefs
from sevenhues.core.rng import Dealer
from sevenhues.testing.hidden_information import resampling_changes_nothing_seen, resampling_finds_other_deals
from sevenhues.testing.observed_game import LawBroken, ObservedGame

MAX_PLIES = 40
PROBES = 8  # positions of a game that are probed
WORLDS = 4  # resampled deals at each
CLASS_VARIABLES = [
    "id",
    "title",
    "min_seats",
    "max_seats",
    "rules_version",
    "options",
    "simultaneous",
    "hidden_information",
    "view_type",
    "move_pattern",
    "move_examples",
    "refusals",
]
ENCODERS = ("observation", "information_state", "network_input")
Path = tuple[str, ...]


class Leak(NamedTuple):
    """A place for a leak: a part of what a seat gets, and the field in it. In a path, * stands for any number."""

    part: str  # "view", an encoder, "refusal", "beliefs", "picture" or "potential"
    path: Path

    def __str__(self) -> str:
        return " ".join([self.part, ".".join(self.path)])


def secret(position: Position) -> bool:
    """Return one bit of everything about a position."""
    return bool(zlib.crc32(repr(position.key()).encode()) & 1)


def changed(value: Any) -> Any:
    """Return another value of the same kind."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return value + "."
    return [*value, 0] if isinstance(value, list) else {**value, "more": 0}


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path of every value that has no parts."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from leaves(item, (*path, str(key)))
    elif isinstance(value, list) and value:
        for item in value:
            yield from leaves(item, (*path, "*"))
    else:
        yield path


def with_leak(value: Any, path: Path) -> Any:
    """Return a copy of a value in which the first leaf of a path is changed."""
    done = False

    def copy(value: Any, left: Path) -> Any:
        nonlocal done
        if not left:
            leaf = not isinstance(value, dict | list) or not value
            if leaf and not done:
                done = True
                return changed(value)
            return value
        if isinstance(value, dict):
            return {key: copy(item, left[1:]) if key == left[0] else item for key, item in value.items()}
        if isinstance(value, list) and left[0] == "*":
            return [copy(item, left[1:]) for item in value]
        return value

    return copy(value, path)


class LeakyEncoder(Encoder[Any]):
    """An encoder one number of which depends on hidden information."""

    def __init__(self, inner: Encoder[Any], at: int) -> None:
        self._inner = inner
        self._at = at

    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return self._inner.layout(seats, options)

    def encode(self, position: Any, seat: int) -> list[int]:
        numbers = list(self._inner.encode(position, seat))
        numbers[self._at] += secret(position)
        return numbers


class LeakyBotSupport(BotSupport[Any]):
    """The potential, or beliefs one field of which, depend on hidden information."""

    def __init__(self, inner: BotSupport[Any], leak: Leak) -> None:
        self._inner = inner
        self._leak = leak

    def potential(self, position: Any, seat: int) -> float:
        return self._inner.potential(position, seat) + (self._leak.part == "potential" and secret(position))

    def beliefs(self, position: Any, seat: int) -> Beliefs | None:
        beliefs = self._inner.beliefs(position, seat)
        if beliefs is None or self._leak.part != "beliefs" or not secret(position):
            return beliefs
        value = with_leak(beliefs.to_json(), self._leak.path)
        return Beliefs(value["symbols"], [Belief(**face) for face in value["faces"]])


class LeakyRenderer(Renderer):
    """Pictures that depend on the position of the last view, and not only on the view."""

    def __init__(self, game: "LeakyGame") -> None:
        self._game = game

    def picture(self, view: Any, names: Sequence[str]) -> str:
        return self._game.inner.renderer().picture(view, names) + "\n" * secret(self._game.viewed)


class LeakyGame(Game[Any]):
    """A game with a leak; everything else is the game's own."""

    def __init__(self, inner: Game[Any], leak: Leak) -> None:
        self.inner = inner
        self.leak = leak
        self.viewed: Any = None  # the position of the last view

    def view(self, position: Any, seat: int) -> View:
        self.viewed = position
        view = self.inner.view(position, seat)
        return with_leak(view, self.leak.path) if self.leak.part == "view" and secret(position) else view

    def renderer(self) -> Renderer:
        return LeakyRenderer(self) if self.leak.part == "picture" else super().renderer()

    def read(self, position: Any, seat: int, text: str) -> int:
        try:
            return self.inner.read(position, seat, text)
        except IllegalMove as error:
            if self.leak.part != "refusal" or not secret(position):
                raise
            raise _changed_refusal(error, self.leak.path[0]) from None

    def _encoder(self, name: str) -> Encoder[Any]:
        encoder: Encoder[Any] = getattr(self.inner, f"{name}_encoder")()
        return LeakyEncoder(encoder, int(self.leak.path[0])) if self.leak.part == name else encoder

    def observation_encoder(self) -> Encoder[Any]:
        return self._encoder("observation")

    def information_state_encoder(self) -> Encoder[Any]:
        return self._encoder("information_state")

    def network_input_encoder(self) -> Encoder[Any]:
        return self._encoder("network_input")

    def bot_support(self) -> BotSupport[Any]:
        support = self.inner.bot_support()
        return LeakyBotSupport(support, self.leak) if self.leak.part in ("beliefs", "potential") else support

    def deal(self, seats: int, options: Options, dealer: Dealer, previous: list[int] | None) -> Setup:
        return self.inner.deal(seats, options, dealer, previous)

    def start(self, setup: Setup, seats: int, options: Options) -> Any:
        return self.inner.start(setup, seats, options)

    def setup(self, position: Any) -> Setup:
        return self.inner.setup(position)

    def text(self, position: Any, seat: int, move: int) -> str:
        return self.inner.text(position, seat, move)

    def move_count(self, seats: int, options: Options) -> int:
        return self.inner.move_count(seats, options)

    def dealer_choices(self, setup: Setup, seats: int, options: Options) -> list[int]:
        return self.inner.dealer_choices(setup, seats, options)

    def check_condition(self, position: Any, seat: int, text: str) -> str:
        return self.inner.check_condition(position, seat, text)


def _changed_refusal(error: IllegalMove, field: str) -> IllegalMove:
    key, rule, parameters, legal = error.key, error.rule, dict(error.parameters), list(error.legal)
    if field == "key":
        key = changed(key)
    elif field == "rule":
        rule = changed(rule)
    elif field == "parameters":
        parameters = {name: changed(value) for name, value in parameters.items()} or {"more": 0}
    else:
        legal = legal[1:] or ["x"]
    return IllegalMove(key, Refusal(rule, error.refusal.text), parameters, error.seat, error.move, legal)


def plant(game: Game[Any], leak: Leak) -> Game[Any]:
    """Return the game with a leak."""
    variables = {name: getattr(game, name) for name in CLASS_VARIABLES}
    leaky: Game[Any] = type("Leaky", (LeakyGame,), variables)(game, leak)
    return leaky


def play(game: Game[Any], seats: int, number: int) -> ObservedGame:
    """Play a game of random moves, and observe it."""
    options = resolve_options(game, {})
    observed, rng = ObservedGame(game, seats, options, f"leak {number}"), Rng(number)
    observed.observe()
    while len(observed.moves) < MAX_PLIES and (seat := observed.position.pick_seat(rng)) >= 0:
        observed.play(seat, observed.position.pick(seat, rng))
        observed.observe()
    return observed


def probes(observed: ObservedGame) -> Iterator[int]:
    """Go to several positions of a game, and yield each viewer from which something is hidden there."""
    length = len(observed.moves)
    for ply in sorted({length * part // PROBES for part in range(PROBES + 1)}):
        observed.go_to(ply)
        for viewer in observed.viewers:
            key = observed.position.key()
            if any(observed.position.resample(viewer, Rng(world)).key() != key for world in range(WORLDS)):
                yield viewer


def places(game: Game[Any], seats: int, games: Sequence[int]) -> list[Leak]:
    """List every place for a leak in the positions of some games where something is hidden."""
    found: dict[Leak, None] = {}
    for number in games:
        observed = play(game, seats, number)
        for viewer in probes(observed):
            position = observed.position
            found |= dict.fromkeys(Leak("view", path) for path in leaves(game.view(position, viewer)))
            for name in ENCODERS if viewer >= 0 else ENCODERS[:2]:  # a watcher has no network
                length = len(getattr(game, f"{name}_encoder")().encode(position, viewer))
                found |= dict.fromkeys(Leak(name, (str(at),)) for at in range(length))
            beliefs = game.bot_support().beliefs(position, viewer)
            if beliefs is not None:
                found |= dict.fromkeys(Leak("beliefs", path) for path in leaves(beliefs.to_json()))
    found |= {Leak(part, ()): None for part in ("picture", "potential")}
    found |= dict.fromkeys(Leak("refusal", (field,)) for field in ("key", "rule", "parameters", "legal"))
    return list(found)


def is_caught(game: Game[Any], leak: Leak, seats: int, games: Sequence[int]) -> bool:
    """Tell whether the laws of hidden information report a leak."""
    check: Callable[[ObservedGame, int, Rng], None] = (
        resampling_finds_other_deals if leak.part == "beliefs" else resampling_changes_nothing_seen
    )
    for number in games:
        observed, rng = play(plant(game, leak), seats, number), Rng(number)
        for viewer in probes(observed):
            try:
                for _ in range(WORLDS):
                    check(observed, viewer, rng)
            except LawBroken as error:
                return str(error).startswith("5:")  # the law of hidden information, and no other
    return False
