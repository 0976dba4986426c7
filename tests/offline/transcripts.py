"""Games and choices that follow from a number alone, as text: Pyodide and CPython must write the same.

This module runs in Pyodide too, so it imports nothing but the package's rules and bots.
"""

import json
import platform
from hashlib import sha256
from importlib import import_module
from typing import Any

import msgspec

from sevenhues import bots
from sevenhues.core import registry
from sevenhues.core.bot_support import NETWORK_FILE
from sevenhues.core.game import Game, resolve_options
from sevenhues.core.moves import legal_texts
from sevenhues.core.play import bot_move, deal, timed_move
from sevenhues.core.position import WATCHER, Position
from sevenhues.core.resources import resource_path
from sevenhues.core.rng import Rng
from sevenhues.nets import encoding
from sevenhues.nets.evaluator import NetworkEvaluator, PolicyNetwork
from sevenhues.nets.loading import load_network
from sevenhues.offline import networks

MAX_MOVES = 400  # of a game that its rules do not end
ALL_SEEN = 40  # moves after each of which all views are compared,
SOME_SEEN = 20  # and after every twentieth of the others
RANDOM_MOVES = 30  # before a bot's choice, at most
CHOICES = 3  # of a bot in each game
PYODIDE = platform.system() == "Emscripten"
_encoder = msgspec.json.Encoder()


def table(game: Game[Any], number: int) -> Position:
    """Deal a game; the number decides the seats and the options."""
    rng = Rng(number)
    seats = game.min_seats + rng.below(game.max_seats - game.min_seats + 1)
    options = {option.name: option.choices[rng.below(len(option.choices))] for option in game.options}
    dealt: Position = deal(game, f"offline {number}".encode(), seats, resolve_options(game, options))
    return dealt


def transcript(name: str, number: int) -> bytes:
    """Play a game of random moves; return them, with what every seat and a watcher may see."""
    game = registry.load(name)
    position, rng = table(game, number), Rng(1000 + number)
    lines = [seen(game, position)]
    for ply in range(MAX_MOVES):
        seat = position.pick_seat(rng)
        if seat < 0:
            break
        move = position.pick(seat, rng)
        lines.append(_encoder.encode(timed_move(game, position, seat, move, ply)))
        position.play(seat, move)
        if ply < ALL_SEEN or ply % SOME_SEEN == 0 or position.outcome() is not None:
            lines.append(seen(game, position))
    return b"\n".join([*lines, seen(game, position)])


def seen(game: Game[Any], position: Position) -> bytes:
    seats = range(position.seats)
    outcome = position.outcome()
    return _encoder.encode(
        {
            "views": [game.view(position, seat) for seat in (*seats, WATCHER)],
            "legal": [legal_texts(game, position, seat) for seat in seats],
            "scores": position.scores(),
            "outcome": None if outcome is None else [outcome.reason, outcome.winners, outcome.places],
        }
    )


def digests(name: str, first: int, count: int) -> str:
    """Return the digests of transcripts, as JSON."""
    return json.dumps([sha256(transcript(name, number)).hexdigest() for number in range(first, first + count)])


def choices(name: str, level: str, first: int, count: int) -> str:
    """Return moves that a level chooses in some games, with as many simulations as in offline play, as JSON."""
    return json.dumps([_choices(registry.load(name), level, number) for number in range(first, first + count)])


def _choices(game: Game[Any], level: str, number: int) -> list[str]:
    position, rng = table(game, number), Rng(2000 + number)
    bot = bots.make(game, level, bots.find(game, level).fixed_simulations or 50)
    for _ in range(rng.below(RANDOM_MOVES)):
        seat = position.pick_seat(rng)
        before = position.copy()
        if seat >= 0:
            position.play(seat, position.pick(seat, rng))
        if position.outcome() is not None:
            position = before
            break
    chosen: list[str] = []
    while len(chosen) < CHOICES and (seat := position.pick_seat(rng)) >= 0:
        move = bot_move(game, position, seat, bot, rng)
        chosen.append(game.text(position, seat, move))
        position.play(seat, move)
    return chosen


def evaluations(name: str, first: int, count: int) -> str:
    """Return the move that a game's network likes best, and its logits and its value, for so many observations.

    They are made in random games. In Pyodide the network is run by JavaScript.
    """
    game = registry.load(name)
    evaluator = NetworkEvaluator(game, _network(game))
    seats = evaluator.network.metadata["seats"]
    answers: list[Any] = []
    number = first
    while len(answers) < count:
        position, rng = deal(game, f"network {number}".encode(), seats), Rng(number)
        number += 1
        while len(answers) < count and (seat := position.pick_seat(rng)) >= 0:
            observation = encoding.observe(game, position, seat)
            logits, values = evaluator.network.evaluate(evaluator.features, [observation])
            legal = position.legal(seat)
            ranked = sorted((logits[0][move], move) for move in legal)
            margin = ranked[-1][0] - ranked[-2][0] if len(ranked) > 1 else None
            answers.append([ranked[-1][1], margin, logits[0], values[0]])
            position.play(seat, position.pick(seat, rng))
    return json.dumps(answers)


def _network(game: Game[Any]) -> PolicyNetwork:
    file = str(resource_path(game, NETWORK_FILE))
    return networks.reader(import_module("device"))(file) if PYODIDE else load_network(file)
