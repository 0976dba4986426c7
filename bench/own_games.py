"""Measures the games of Seven Hues; prints JSON. Run by run.py."""

import json
import sys
from typing import Any

from random_numbers import number_source
from timing import rate

import sevenhues
from sevenhues.core.game import resolve_options

DEALS = 16  # positions that games start from, in turn
COPIES = 1000  # or deals, in one measurement


def measure(name: str, seats: int, seconds: float) -> dict[str, Any]:
    """Return deals, playouts, steps from Python and copies per second of one game.

    Playouts are measured from dealt positions and with a deal for each.
    """
    game, rng = sevenhues.load(name), sevenhues.Rng(1)
    options = resolve_options(game, {})
    deals: list[sevenhues.Position] = [sevenhues.deal(game, bytes([i]), seats) for i in range(DEALS)]
    draw, started = number_source(), [0]

    def new_position() -> sevenhues.Position:
        started[0] += 1
        return deals[started[0] % len(deals)].copy()

    def quick_deals() -> int:
        start = game.quick_start
        for _ in range(COPIES):
            start(seats, options, rng)
        return COPIES

    def playout() -> int:
        return sevenhues.playout(new_position(), rng)

    def dealt_playout() -> int:
        return sevenhues.playout(game.quick_start(seats, options, rng), rng)

    def turn_by_turn() -> int:
        position, decisions = new_position(), 0
        while to_act := position.to_act():
            seat = to_act[0]
            moves = position.legal(seat)
            position.play(seat, moves[draw() % len(moves)])
            decisions += 1
        return decisions

    def simultaneous() -> int:
        position, decisions = new_position(), 0
        while to_act := position.to_act():
            seat = to_act[draw() % len(to_act)]
            moves = position.legal(seat)
            position.play(seat, moves[draw() % len(moves)])
            decisions += 1
        return decisions

    def copies() -> int:
        copy = deals[0].copy
        for _ in range(COPIES):
            copy()
        return COPIES

    return {
        "game": name,
        "seats": seats,
        "deal": rate(quick_deals, seconds / 4),
        "playout": rate(playout, seconds),
        "dealt_playout": rate(dealt_playout, seconds),
        "python": rate(simultaneous if game.simultaneous else turn_by_turn, seconds),
        "copy": rate(copies, seconds / 4),
    }


def main() -> None:
    seconds = float(sys.argv[1])
    rows = []
    for name in sevenhues.names():
        game = sevenhues.load(name)
        for seats in sorted({max(game.min_seats, 2), game.min_seats, game.max_seats}):
            rows.append(measure(name, seats, seconds))
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
