"""OpenSpiel's information-set search plays a game of Seven Hues against random moves.

python examples/ismcts.py --game rainbow_road --games 20 --simulations 40
"""

import argparse
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from sevenhues.adapters import openspiel


def make_bot(game: Any, simulations: int, random_state: np.random.RandomState) -> Any:
    """Make OpenSpiel's bot. Hidden information is resampled in every simulation."""
    bot = ISMCTSBot(
        game, RandomRolloutEvaluator(1, random_state), uct_c=1.0, max_simulations=simulations, random_state=random_state
    )
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, random_state.random_sample))
    return bot


def play(game: Any, bot: Any, seat: int, random_state: np.random.RandomState) -> float:
    """Play a game of the bot against random moves; return the bot's return."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.current_player() == seat:
            state.apply_action(bot.step(state))
        else:
            state.apply_action(random_state.choice(state.legal_actions()))
    bot_return: float = state.returns()[seat]
    return bot_return


def win_share(name: str, games: int, simulations: int, seed: int) -> float:
    """Return the bot's share of wins; draws count half. The bot changes seats after each game."""
    openspiel.register()
    random_state = np.random.RandomState(seed)
    game = pyspiel.load_game(f"sevenhues_{name}")
    returns = [
        play(game, make_bot(game, simulations, random_state), number % 2, random_state) for number in range(games)
    ]
    return (1 + sum(returns) / games) / 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--game", default="rainbow_road", help="rainbow_road, rainbow or flip_and_slide")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--simulations", type=int, default=40, help="for each move")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    share = win_share(args.game, args.games, args.simulations, args.seed)
    print(f"The search wins {share:.0%} of {args.games} games of {args.game} against random moves.")


if __name__ == "__main__":
    main()
