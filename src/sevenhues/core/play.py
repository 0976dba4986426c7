"""Loops over a position: playing moves given as text, random games, and games between bots."""

from collections.abc import Collection, Mapping, Sequence
from operator import index
from typing import Any, NamedTuple, SupportsIndex

from librt.vecs import vec
from mypy_extensions import i64

from sevenhues.core.arrays import as_list
from sevenhues.core.bot_support import Bot, ReactionModel
from sevenhues.core.errors import IllegalMove
from sevenhues.core.game import Game, check_seats, default_seats, resolve_options
from sevenhues.core.moves import legal_texts, parse
from sevenhues.core.options import Options
from sevenhues.core.position import P, Position
from sevenhues.core.rng import Dealer, Rng

RANDOM_INTERVAL_MS = 500  # between the moves of a random simultaneous game


class TimedMove(NamedTuple):
    """A move that was made: the seat, its text and, in a simultaneous game, the time since the start."""

    seat: int
    text: str
    at_ms: int | None


class RaceMove(NamedTuple):
    """What a bot sends in a race, and how long after it saw the position."""

    text: str
    delay_seconds: float


class Playouts(NamedTuple):
    """Random games: the number of their decisions, and the sum of each seat's scores at their ends."""

    decisions: int
    scores: list[int]


def deal(
    game: Game[P],
    seed: bytes,
    seats: SupportsIndex | None = None,
    options: Mapping[str, object] | None = None,
    previous: list[int] | None = None,
) -> P:
    """Deal a game from a seed; by default for two, or for the nearest number of seats that the game allows."""
    count = default_seats(game) if seats is None else check_seats(game, seats)
    resolved = resolve_options(game, options or {})
    return game.start(game.deal(count, resolved, Dealer(seed), previous), count, resolved)


def quick_deal(
    game: Game[P], rng: Rng, seats: SupportsIndex | None = None, options: Mapping[str, object] | None = None
) -> P:
    """Deal a game for a simulation: twenty times as fast as `deal`, the same for the same `rng`, and not provable.

    Give bots another generator: the deal can be computed from what this one draws next.
    """
    count = default_seats(game) if seats is None else check_seats(game, seats)
    return game.quick_start(count, resolve_options(game, options or {}), rng)


def playout(position: Position, rng: Rng) -> int:
    """Play uniformly random moves to the end, in place; return the number of decisions."""
    decisions: i64 = 0
    while True:
        seat = position.pick_seat(rng)
        if seat < 0:
            return decisions
        position.play(seat, position.pick(seat, rng))
        decisions += 1


def playouts(game: Game[P], count: int, seats: int, options: Options, rng: Rng) -> Playouts:
    """Deal games for a simulation and play uniformly random moves to their ends."""
    decisions: i64 = 0
    totals: vec[i64] = vec[i64]([0] * seats)
    for _ in range(count):
        position = game.quick_start(seats, options, rng)
        decisions += playout(position, rng)
        scores = position.scores()
        for seat in range(seats):
            totals[seat] += scores[seat]
    return Playouts(decisions, as_list(totals))


def play_text(game: Game[P], position: P, seat: int, text: str) -> int:
    """Parse and play a move given as text; the position is unchanged if it is refused."""
    move = parse(game, position, seat, text)
    position.play(seat, move)
    return move


def random_game(game: Game[P], position: P, rng: Rng) -> list[TimedMove]:
    """Play like `playout`, and return the moves."""
    moves: list[TimedMove] = []
    while True:
        seat = position.pick_seat(rng)
        if seat < 0:
            return moves
        move = position.pick(seat, rng)
        moves.append(timed_move(game, position, seat, move, len(moves)))
        position.play(seat, move)


def bot_move(game: Game[P], position: P, seat: int, bot: Bot, rng: Rng) -> int:
    """Ask a bot for its move. It is given a resampled position, so that it cannot read hidden information.

    A bot that plays at random is not asked, because resampling takes longer than its choice.
    """
    if bot.plays_at_random:
        return position.pick(seat, rng)
    move = _ask(bot, position.resample(seat, rng), seat, rng)
    if move not in position.legal(seat):
        legal = " ".join(legal_texts(game, position, seat))
        raise ValueError(f"{type(bot).__name__} chose {move}, which is not legal here; legal: {legal}")
    return move


def _ask(bot: Any, position: Position, seat: int, rng: Rng) -> int:
    """Return what a bot chooses as an integer: bots that learn choose NumPy's. The bot is untyped for that reason."""
    move = bot.choose(position, seat, rng)
    try:
        return index(move)
    except TypeError:
        raise ValueError(f"{type(bot).__name__} chose {move!r}; a move is an integer") from None


def race_move(game: Game[P], position: P, seat: int, choice: int, reactions: ReactionModel[Any], rng: Rng) -> RaceMove:
    """Turn a bot's choice in a race into what it sends, with its mistakes and its reaction time.

    The text is conditional: it is refused if another player was faster, and the bot then chooses again.
    """
    move = reactions.mistake(position, seat, choice, rng)
    text = game.conditional_text(position, seat, move)
    return RaceMove(text, reactions.delay(position, seat, move, rng))


def bot_game(
    game: Game[P],
    position: P,
    bots: Sequence[Bot],
    rng: Rng,
    seeing_hidden: Collection[int] = (),
    max_moves: int = 0,
    reactions: Sequence[ReactionModel[Any]] = (),
) -> list[TimedMove]:
    """Let bots, one per seat, play to the end, and return the moves. Every bot observes every move.

    Seats in `seeing_hidden` are given the true position: an upper bound for fair players. With `max_moves`, the game
    is left after so many moves, for games that their rules do not end. A simultaneous game is a race in simulated
    time, with the reactions of each seat.
    """
    for seat, bot in enumerate(bots):
        bot.begin_game(seat)
    if game.simultaneous:
        models = reactions or [ReactionModel()] * position.seats
        return _race(game, position, bots, rng, seeing_hidden, max_moves, models)
    moves: list[TimedMove] = []
    while True:
        seat = position.pick_seat(rng)
        if seat < 0 or len(moves) == max_moves > 0:
            return moves
        move = _choose(game, position, seat, bots[seat], rng, seeing_hidden)
        moves.append(timed_move(game, position, seat, move, len(moves)))
        _play(position, seat, move, bots)


def _race(
    game: Game[P],
    position: P,
    bots: Sequence[Bot],
    rng: Rng,
    seeing_hidden: Collection[int],
    max_moves: int,
    reactions: Sequence[ReactionModel[Any]],
) -> list[TimedMove]:
    """Play in simulated time: every seat chooses a move and sends it after its reaction time.

    A move that is refused by then, because another seat was faster, is not played, and the seat chooses again.
    """
    moves: list[TimedMove] = []
    now = 0.0
    sending = [""] * position.seats  # what each seat is about to send
    due = [0.0] * position.seats  # when, in seconds
    while len(moves) < max_moves or max_moves == 0:
        for seat in position.to_act():
            if not sending[seat]:
                choice = _choose(game, position, seat, bots[seat], rng, seeing_hidden)
                sent = race_move(game, position, seat, choice, reactions[seat], rng)
                sending[seat] = sent.text
                due[seat] = now + sent.delay_seconds
        waiting = [seat for seat in range(position.seats) if sending[seat]]
        if position.outcome() is not None or not waiting:
            break
        first = min(waiting, key=due.__getitem__)
        now, text, sending[first] = due[first], sending[first], ""
        try:
            move = parse(game, position, first, text)
        except IllegalMove:
            continue
        moves.append(TimedMove(first, game.text(position, first, move), int(now * 1000)))
        _play(position, first, move, bots)
    return moves


def _choose(game: Game[P], position: P, seat: int, bot: Bot, rng: Rng, seeing_hidden: Collection[int]) -> int:
    return _ask(bot, position.copy(), seat, rng) if seat in seeing_hidden else bot_move(game, position, seat, bot, rng)


def _play(position: Position, seat: int, move: int, bots: Sequence[Bot]) -> None:
    position.play(seat, move)
    for bot in bots:
        bot.observe_move(seat, move)


def timed_move(game: Game[P], position: P, seat: int, move: int, ply: int) -> TimedMove:
    """Return a move as records have it; in a simultaneous game the moves are at regular intervals."""
    at_ms = RANDOM_INTERVAL_MS * (ply + 1) if game.simultaneous else None
    return TimedMove(seat, game.text(position, seat, move), at_ms)
