"""The times that bots need for their moves in games against themselves. This module runs in Pyodide too."""

import json
from collections.abc import Callable
from importlib import import_module
from time import process_time

from sevenhues import bots
from sevenhues.core import registry
from sevenhues.core.play import bot_move
from sevenhues.core.rng import Rng
from sevenhues.nets import loading
from sevenhues.offline import networks
from sevenhues.offline.searches import DEFAULT_SIMULATIONS
from tests.offline.transcripts import PYODIDE, table

MAX_MOVES = 120  # of a game


def move_times(name: str, level: str, simulations: int, number: int) -> str:
    """Return the milliseconds of CPU time for each move of a game, as JSON; simulations 0 are those of offline play."""
    game = registry.load(name)
    device = import_module("device") if PYODIDE else None
    if device is not None:
        loading.use_reader(networks.reader(device))
    cpu_ms: Callable[[], float] = (lambda: process_time() * 1000) if device is None else device.cpu_ms
    position, rng = table(game, number), Rng(number)
    budget = simulations or bots.find(game, level).fixed_simulations or DEFAULT_SIMULATIONS
    players = [bots.make(game, level, budget) for _ in range(position.seats)]
    times: list[float] = []
    while len(times) < MAX_MOVES and (seat := position.pick_seat(rng)) >= 0:
        began = cpu_ms()
        move = bot_move(game, position, seat, players[seat], rng)
        times.append(round(cpu_ms() - began, 1))
        position.play(seat, move)
    return json.dumps(times)
