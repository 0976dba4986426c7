"""Measures the frameworks' own games in the environment it is run in; prints JSON. See run.py."""

import json
import sys
import warnings
from typing import Any

import rlcard
from loops import cards, states, turns
from numbers_drawn import numbers
from open_spiel.python.games.kuhn_poker import KuhnPokerGame
from pettingzoo.classic import chess_v6, hanabi_v5, leduc_holdem_v4
from timing import rate

GAMES: list[tuple[str, str, Any, Any]] = [
    ("PettingZoo", "leduc_holdem_v4", turns, leduc_holdem_v4.env),
    ("PettingZoo", "hanabi_v5", turns, hanabi_v5.env),
    ("PettingZoo", "chess_v6", turns, chess_v6.env),
    ("OpenSpiel", "python_kuhn_poker", states, KuhnPokerGame),
    ("RLCard", "uno", cards, lambda: rlcard.make("uno")),
]


def main() -> None:
    warnings.simplefilter("ignore")
    seconds, draw = float(sys.argv[1]), numbers()
    rows = []
    for framework, name, play, make in GAMES:
        table = make()
        steps = rate(lambda play=play, table=table: int(play(table, draw)), seconds)  # type: ignore[misc]
        rows.append({"through": framework, "game": name, "steps": steps})
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
