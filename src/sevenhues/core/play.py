"""The loops over a Position: playing by text, at random, and with bots."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from mypy_extensions import i64

from sevenhues.core.bot_support import Bot, ReactionModel
from sevenhues.core.errors import IllegalMove
from sevenhues.core.game import Game, check_seats, resolve_options
from sevenhues.core.moves import legal_texts, parse
from sevenhues.core.position import P, Position
from sevenhues.core.rng import Dealer, Rng

PACE = 500  # milliseconds between the moves of a random simultaneous game


class Played(NamedTuple):
    """A move that was made: the seat, its text and, where everybody acts at once, when (ms)."""

    seat: int
    text: str
    at: int | None


def deal(
    game: Game[P],
    seed: bytes,
    seats: int | None = None,
    options: Mapping[str, object] | None = None,
    previous: list[int] | None = None,
) -> P:
    """Deal a game from a seed; with no number of seats, for two or as many as it takes."""
    if seats is None:
        seats = min(max(game.min_seats, 2), game.max_seats)
    check_seats(game, seats)
    settled = resolve_options(game, options or {})
    return game.start(game.deal(seats, settled, Dealer(seed), previous), seats, settled)


def playout(position: Position, rng: Rng) -> int:
    """Play uniformly random moves to the end, in place; return how many decisions that took."""
    decisions: i64 = 0
    while True:
        seat = position.pick_seat(rng)
        if seat < 0:
            return decisions
        position.play(seat, position.pick(seat, rng))
        decisions += 1


def play_text(game: Game[P], position: P, seat: int, text: str) -> int:
    """Check and make a move given as text; the position is untouched if it is refused."""
    move = parse(game, position, seat, text)
    position.play(seat, move)
    return move


def random_game(game: Game[P], position: P, rng: Rng) -> list[Played]:
    """Play like `playout`, and write every move down."""
    moves: list[Played] = []
    while True:
        seat = position.pick_seat(rng)
        if seat < 0:
            return moves
        move = position.pick(seat, rng)
        moves.append(_played(game, position, seat, move, len(moves)))
        position.play(seat, move)


def bot_move(game: Game[P], position: P, seat: int, bot: Bot, rng: Rng) -> int:
    """Ask a bot for its move. It is shown a resampled position: even a cheat reads a fiction."""
    move = bot.choose(position.resample(seat, rng), seat, rng)
    if move not in position.legal(seat):
        legal = " ".join(legal_texts(game, position, seat))
        raise ValueError(f"{type(bot).__name__} chose {move}, which is not legal here; legal: {legal}")
    return move


def bot_game(
    game: Game[P],
    position: P,
    bots: Sequence[Bot],
    rng: Rng,
    peeking: Collection[int] = (),
    most: int = 0,
    paces: Sequence[ReactionModel[Any]] = (),
) -> list[Played]:
    """Let bots, one a seat, play to the end; each is told of every move. Return the moves.

    Seats that are `peeking` are shown the truth: no fair player, but a bound on what fair ones could reach. With
    `most`, the game is left after so many moves, as bots may go on for ever where the rules let them. Where everybody
    acts at once they race, each at the pace of its seat.
    """
    if game.simultaneous:
        return _race(game, position, bots, rng, peeking, most, paces or [ReactionModel()] * position.seats)
    moves: list[Played] = []
    while True:
        seat = position.pick_seat(rng)
        if seat < 0 or len(moves) == most > 0:
            return moves
        move = _chosen(game, position, seat, bots[seat], rng, peeking)
        moves.append(_played(game, position, seat, move, len(moves)))
        _made(position, seat, move, bots)


def _race(
    game: Game[P],
    position: P,
    bots: Sequence[Bot],
    rng: Rng,
    peeking: Collection[int],
    most: int,
    paces: Sequence[ReactionModel[Any]],
) -> list[Played]:
    """Play in simulated time: every seat looks, chooses, and has made its move a delay later, if it still stands then.

    It stands if the game does not refuse what the seat sent when it looked (`guarded`). Otherwise the race is lost, and
    the seat looks again.
    """
    moves: list[Played] = []
    now = 0.0
    sent = [""] * position.seats  # what each seat's hand is about to do
    due = [0.0] * position.seats  # and when, in seconds
    while len(moves) < most or most == 0:
        for seat in position.to_act():
            if not sent[seat]:
                meant = _chosen(game, position, seat, bots[seat], rng, peeking)
                move = paces[seat].mistake(position, seat, meant, rng)
                sent[seat] = game.conditional_text(position, seat, move)
                due[seat] = now + paces[seat].delay(position, seat, move, rng)
        busy = [seat for seat in range(position.seats) if sent[seat]]
        if position.outcome() is not None or not busy:
            break
        first = min(busy, key=due.__getitem__)
        now, text, sent[first] = due[first], sent[first], ""
        try:
            move = parse(game, position, first, text)
        except IllegalMove:
            continue
        moves.append(Played(first, game.text(position, first, move), int(now * 1000)))
        _made(position, first, move, bots)
    return moves


def _chosen(game: Game[P], position: P, seat: int, bot: Bot, rng: Rng, peeking: Collection[int]) -> int:
    return bot.choose(position.copy(), seat, rng) if seat in peeking else bot_move(game, position, seat, bot, rng)


def _made(position: Position, seat: int, move: int, bots: Sequence[Bot]) -> None:
    position.play(seat, move)
    for bot in bots:
        bot.observe_move(seat, move)


def _played(game: Game[P], position: P, seat: int, move: int, ply: int) -> Played:
    at = PACE * (ply + 1) if game.simultaneous else None
    return Played(seat, game.text(position, seat, move), at)
