"""OpenSpiel's own information-set search plays one of our games against random moves.

python examples/ismcts.py --game rainbow_road --games 20 --simulations 40
"""

import argparse
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from sevenhues.adapters import openspiel


def searcher(game: Any, simulations: int, dice: np.random.RandomState) -> Any:
    """Make OpenSpiel's bot; what it cannot see is dealt anew for every simulation."""
    bot = ISMCTSBot(game, RandomRolloutEvaluator(1, dice), uct_c=1.0, max_simulations=simulations, random_state=dice)
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, dice.random_sample))
    return bot


def play(game: Any, bot: Any, seat: int, dice: np.random.RandomState) -> float:
    """Let the bot play a game against random moves; return what it gained."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.current_player() == seat:
            state.apply_action(bot.step(state))
        else:
            state.apply_action(dice.choice(state.legal_actions()))
    gained: float = state.returns()[seat]
    return gained


def win_share(name: str, games: int, simulations: int, seed: int) -> float:
    """Return the share of games the bot wins, draws counting half, changing seats after each."""
    openspiel.register()
    dice = np.random.RandomState(seed)
    game = pyspiel.load_game(f"sevenhues_{name}")
    gains = [play(game, searcher(game, simulations, dice), number % 2, dice) for number in range(games)]
    return (1 + sum(gains) / games) / 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--game", default="rainbow_road", help="rainbow_road, rainbow or flip_and_slide")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--simulations", type=int, default=40, help="for each move")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    share = win_share(given.game, given.games, given.simulations, given.seed)
    print(f"The search wins {share:.0%} of {given.games} games of {given.game} against random moves.")


if __name__ == "__main__":
    main()
