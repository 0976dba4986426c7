"""Measures the frameworks' own games; prints JSON. Run by run.py."""

import json
import sys
import warnings
from typing import Any

import rlcard
from loops import play_openspiel, play_pettingzoo_turns, play_rlcard
from open_spiel.python.games.kuhn_poker import KuhnPokerGame
from pettingzoo.classic import chess_v6, hanabi_v5, leduc_holdem_v4
from random_numbers import number_source
from timing import rate

GAMES: list[tuple[str, str, Any, Any]] = [
    ("PettingZoo", "leduc_holdem_v4", play_pettingzoo_turns, leduc_holdem_v4.env),
    ("PettingZoo", "hanabi_v5", play_pettingzoo_turns, hanabi_v5.env),
    ("PettingZoo", "chess_v6", play_pettingzoo_turns, chess_v6.env),
    ("OpenSpiel", "python_kuhn_poker", play_openspiel, KuhnPokerGame),
    ("RLCard", "uno", play_rlcard, lambda: rlcard.make("uno")),
]


def main() -> None:
    warnings.simplefilter("ignore")
    seconds, draw = float(sys.argv[1]), number_source()
    rows = []
    for framework, name, play, make in GAMES:
        environment = make()
        steps = rate(lambda play=play, environment=environment: int(play(environment, draw)), seconds)  # type: ignore[misc]
        rows.append({"framework": framework, "game": name, "steps": steps})
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
