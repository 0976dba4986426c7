"""Measures the frameworks' own games; prints JSON. Run by run.py, with the names of the frameworks."""

import json
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from loops import play_openspiel, play_pettingzoo_turns, play_rlcard
from random_numbers import number_source
from timing import rate


def pettingzoo_games() -> Iterator[tuple[str, Any, Any]]:
    from pettingzoo.classic import chess_v6, hanabi_v5, leduc_holdem_v4

    for module in (leduc_holdem_v4, hanabi_v5, chess_v6):
        yield module.__name__.rpartition(".")[2], play_pettingzoo_turns, module.env()


def openspiel_games() -> Iterator[tuple[str, Any, Any]]:
    from open_spiel.python.games.kuhn_poker import KuhnPokerGame

    yield "python_kuhn_poker", play_openspiel, KuhnPokerGame()


def rlcard_games() -> Iterator[tuple[str, Any, Any]]:
    import rlcard

    yield "uno", play_rlcard, rlcard.make("uno")


GAMES = {"PettingZoo": pettingzoo_games, "OpenSpiel": openspiel_games, "RLCard": rlcard_games}


def main() -> None:
    warnings.simplefilter("ignore")
    seconds, draw = float(sys.argv[1]), number_source()
    rows = []
    for framework in sys.argv[2:]:
        for name, play, game in GAMES[framework]():
            steps = rate(lambda play=play, game=game: int(play(game, draw)), seconds)  # type: ignore[misc]
            rows.append({"framework": framework, "game": name, "steps": steps})
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
