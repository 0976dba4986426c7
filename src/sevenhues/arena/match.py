"""Plays matches: every pairing of bots, every deal from each side."""

import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple

from sevenhues.arena.players import Player
from sevenhues.bots.budget import Budget
from sevenhues.bots.levels import find
from sevenhues.core import registry
from sevenhues.core.bot_support import Bot
from sevenhues.core.errors import SevenHuesError
from sevenhues.core.game import Game
from sevenhues.core.options import OptionValue
from sevenhues.core.play import bot_game, deal
from sevenhues.core.position import Outcome, Position
from sevenhues.core.rng import Rng
from sevenhues.executors.executor import Executor

MAX_MOVES: Final = 5000  # after which a game that the rules do not end is drawn
UNFINISHED: Final = "unfinished"


class BotFailed(SevenHuesError):
    """A bot raised an error, whose traceback is in `trace`, or chose an illegal move."""

    def __init__(self, message: str, trace: str = "") -> None:
        super().__init__(message)
        self.trace = trace  # as text, because a traceback cannot go from process to process

    def __reduce__(self) -> tuple[Any, ...]:
        return BotFailed, (str(self), self.trace)


@dataclass(frozen=True)
class Match:
    """The settings of a match: everything that a result depends on."""

    game: str
    seats: int
    options: dict[str, OptionValue]
    seed: str
    budget: str
    reactions_of: str | None = None  # in a race: the bot whose reactions all players have; None for each its own


class Pairing(NamedTuple):
    """One bot against others that are all alike (None in a game for one)."""

    lone: Player
    others: Player | None


class Task(NamedTuple):
    """One game: a deal, and the seat of the pairing's lone bot."""

    pairing: Pairing
    deal: int
    seat: int


@dataclass(frozen=True)
class Result:
    """The result of a game; the lists are by seat."""

    bots: list[str]
    deal: int
    seat: int
    winners: list[int]
    places: list[int]
    scores: list[int]
    decisions: list[int]
    simulations: list[int]
    seconds: list[float]
    refusals: list[int] = field(default_factory=list)  # answers of language models that were no legal moves


def pairings(players: list[Player], seats: int) -> list[Pairing]:
    """List the pairings. With more than two seats, each bot of a pair is the lone one once."""
    if seats == 1:
        return [Pairing(player, None) for player in players]
    pairs: list[Pairing] = []
    for i, player in enumerate(players):
        for other in players[i + 1 :]:
            pairs.append(Pairing(player, other))
            if seats > 2:
                pairs.append(Pairing(other, player))
    return pairs


def tasks(listed: list[Pairing], seats: int, games: int) -> Iterator[Task]:
    """Yield all games: each deal in all pairings and from all sides. Deals are complete, so there may be more games."""
    for number in range(-(-games // seats)):
        for pairing in listed:
            for seat in range(seats):
                yield Task(pairing, number, seat)


def seat_players(task: Task, seats: int) -> list[Player]:
    """Return the player of each seat."""
    others = task.pairing.others or task.pairing.lone
    return [task.pairing.lone if seat == task.seat else others for seat in range(seats)]


class TimedBot(Bot):
    """Wraps a bot: measures its time and reports its errors as BotFailed."""

    def __init__(self, bot: Bot, name: str) -> None:
        self.bot = bot
        self.name = name
        self.decisions = 0
        self.seconds = 0.0

    def choose(self, position: Position, seat: int, rng: Rng) -> int:
        legal = position.legal(seat)
        start = time.perf_counter()
        try:
            move = self.bot.choose(position, seat, rng)
        except Exception as error:
            message = f"the bot {self.name} failed: {type(error).__name__}: {error}"
            raise BotFailed(message, _trace(error)) from error
        self.seconds += time.perf_counter() - start
        self.decisions += 1
        if isinstance(move, float) or move not in legal:
            raise BotFailed(f"the bot {self.name} chose {move!r}, which is not legal; legal: {legal}")
        return move

    def begin_game(self, seat: int) -> None:
        self.bot.begin_game(seat)

    def observe_move(self, seat: int, move: int) -> None:
        self.bot.observe_move(seat, move)


def _trace(error: Exception) -> str:
    """Return the traceback of an error, from the call of the bot on."""
    within = error.__traceback__.tb_next if error.__traceback__ else None
    return "".join(traceback.format_exception(type(error), error, within)).rstrip()


def play_one(match: Match, task: Task) -> Result:
    """Play one game. Bots are given resampled positions, except players that see hidden information."""
    game: Game[Any] = registry.load(match.game)
    players = seat_players(task, match.seats)
    budget = Budget.parse(match.budget)
    bots = [TimedBot(player.make(game, budget), player.name) for player in players]
    position = deal(game, f"{match.seed}/{task.deal}".encode(), match.seats, match.options)
    keys = [player.key for player in players]
    rng = Rng.seeded(f"{match.seed}/{task.deal}/{'/'.join(keys)}")
    seeing_hidden = [seat for seat, player in enumerate(players) if player.sees_hidden]
    shared = find(game, match.reactions_of).reactions if match.reactions_of else None
    reactions = [shared or player.reactions(game) for player in players]
    bot_game(game, position, bots, rng, seeing_hidden, MAX_MOVES, reactions)
    outcome = position.outcome() or Outcome(UNFINISHED, [], [1] * match.seats)
    return Result(
        bots=keys,
        deal=task.deal,
        seat=task.seat,
        winners=outcome.winners,
        places=outcome.places,
        scores=position.scores(),
        decisions=[bot.decisions for bot in bots],
        simulations=[getattr(bot.bot, "simulations", 0) for bot in bots],
        seconds=[round(bot.seconds, 6) for bot in bots],
        refusals=[getattr(bot.bot, "refusals", 0) for bot in bots],
    )


def play_all(match: Match, todo: list[Task], executor: Executor) -> Iterator[Result]:
    """Yield the results of games in order."""
    return executor.run(partial(play_one, match), todo)
