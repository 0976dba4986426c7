"""Plays matches: every pairing of bots, every deal from each side, in one process or several."""

import signal
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from sevenhues.arena.players import Entrant
from sevenhues.bots.budget import Think
from sevenhues.bots.levels import find
from sevenhues.core import registry
from sevenhues.core.bot_support import Bot
from sevenhues.core.errors import SevenHuesError
from sevenhues.core.game import Game
from sevenhues.core.options import OptionValue
from sevenhues.core.play import bot_game, deal
from sevenhues.core.position import Outcome, Position
from sevenhues.core.rng import Rng

MOST_MOVES = 5000  # of a game that the rules do not end; then nobody has won
UNFINISHED = "unfinished"


class BotFailed(SevenHuesError):
    """A bot raised an error, or chose a move that is not legal."""


@dataclass(frozen=True)
class Match:
    """What is played: all that a result depends on."""

    game: str
    seats: int
    options: dict[str, OptionValue]
    seed: str
    think: str
    pace_of: str | None = None  # where all act at once: the bot whose pace all have, or None for each its own


class Pairing(NamedTuple):
    """A bot on its own, against others that are all alike (None where the game is for one)."""

    lone: Entrant
    others: Entrant | None


class Task(NamedTuple):
    """One game: a deal, and the seat of the pairing's lone bot."""

    pairing: Pairing
    deal: int
    seat: int


@dataclass(frozen=True)
class Result:
    """How a game went; the lists are by seat."""

    bots: list[str]
    deal: int
    seat: int
    winners: list[int]
    places: list[int]
    scores: list[int]
    decisions: list[int]
    simulations: list[int]
    seconds: list[float]


def pairings(entrants: list[Entrant], seats: int) -> list[Pairing]:
    """List who meets whom. With more than two seats each bot of a pair is the lone one once."""
    if seats == 1:
        return [Pairing(entrant, None) for entrant in entrants]
    found: list[Pairing] = []
    for i, one in enumerate(entrants):
        for other in entrants[i + 1 :]:
            found.append(Pairing(one, other))
            if seats > 2:
                found.append(Pairing(other, one))
    return found


def tasks(listed: list[Pairing], seats: int, games: int) -> Iterator[Task]:
    """List all games, a deal in all pairings and from all sides before the next; whole deals, so perhaps more games."""
    for number in range(-(-games // seats)):
        for pairing in listed:
            for seat in range(seats):
                yield Task(pairing, number, seat)


def seated(task: Task, seats: int) -> list[Entrant]:
    """Say which bot sits where."""
    others = task.pairing.others or task.pairing.lone
    return [task.pairing.lone if seat == task.seat else others for seat in range(seats)]


class Watched(Bot):
    """A bot with a stopwatch, whose mistakes are told in a line."""

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
            raise BotFailed(f"the bot {self.name} failed: {type(error).__name__}: {error}") from error
        self.seconds += time.perf_counter() - start
        self.decisions += 1
        if move not in legal:
            raise BotFailed(f"the bot {self.name} chose {move!r}, which is not legal; legal: {legal}")
        return move

    def observe_move(self, seat: int, move: int) -> None:
        self.bot.observe_move(seat, move)


def play_one(match: Match, task: Task) -> Result:
    """Play one game. Bots are shown resampled positions; only one that peeks sees the truth."""
    game: Game[Any] = registry.load(match.game)
    sitting = seated(task, match.seats)
    think = Think.read(match.think)
    bots = [Watched(entrant.make(game, think), entrant.name) for entrant in sitting]
    position = deal(game, f"{match.seed}/{task.deal}".encode(), match.seats, match.options)
    keys = [entrant.key for entrant in sitting]
    rng = Rng.seeded(f"{match.seed}/{task.deal}/{'/'.join(keys)}")
    peeking = [seat for seat, entrant in enumerate(sitting) if entrant.peeks]
    same = find(game, match.pace_of).reactions if match.pace_of else None
    paces = [same or entrant.pace(game) for entrant in sitting]
    bot_game(game, position, bots, rng, peeking, MOST_MOVES, paces)
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
    )


def play_all(match: Match, todo: list[Task], jobs: int) -> Iterator[Result]:
    """Yield results as they come; in order with one job."""
    if jobs == 1:
        for task in todo:
            yield play_one(match, task)
        return
    pool = ProcessPoolExecutor(jobs, initializer=_leave_interrupts_to_the_parent)
    try:
        left = iter(todo)
        running: set[Future[Result]] = set()
        while True:
            for task in islice(left, 2 * jobs - len(running)):
                running.add(pool.submit(play_one, match, task))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
