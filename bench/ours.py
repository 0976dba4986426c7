"""Measures our games in the environment it is run in; prints JSON. See run.py."""

import json
import sys
from typing import Any

from numbers_drawn import numbers
from timing import rate

import sevenhues


def measure(name: str, seats: int, seconds: float) -> dict[str, Any]:
    game, rng = sevenhues.load(name), sevenhues.Rng(1)
    deals: list[sevenhues.Position] = [sevenhues.deal(game, bytes([i]), seats) for i in range(16)]
    draw, turn = numbers(), [0]

    def fresh() -> sevenhues.Position:
        turn[0] += 1
        return deals[turn[0] % len(deals)].copy()

    def playout() -> int:
        return sevenhues.playout(fresh(), rng)

    def turn_by_turn() -> int:
        position, decisions = fresh(), 0
        while to_act := position.to_act():
            seat = to_act[0]
            moves = position.legal(seat)
            position.play(seat, moves[draw() % len(moves)])
            decisions += 1
        return decisions

    def all_at_once() -> int:
        position, decisions = fresh(), 0
        while to_act := position.to_act():
            seat = to_act[draw() % len(to_act)]
            moves = position.legal(seat)
            position.play(seat, moves[draw() % len(moves)])
            decisions += 1
        return decisions

    def copies() -> int:
        copy = deals[0].copy
        for _ in range(1000):
            copy()
        return 1000

    return {
        "game": name,
        "seats": seats,
        "playout": rate(playout, seconds),
        "python": rate(all_at_once if game.simultaneous else turn_by_turn, seconds),
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
