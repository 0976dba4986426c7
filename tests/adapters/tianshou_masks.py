"""Play random games through Tianshou's wrapper for PettingZoo. Run by test_tianshou.py, with the names of the games.

An illegal action raises an error, so games that end show that Tianshou's policies find the masks.
"""

import sys

from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector
from tianshou.env import DummyVectorEnv
from tianshou.env.pettingzoo_env import PettingZooEnv

from sevenhues.adapters import pettingzoo

GAMES = 3


def main() -> None:
    for name in sys.argv[1:]:
        table = PettingZooEnv(pettingzoo.env(name))
        players = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=table.action_space) for _ in table.agents]
        learners = MultiAgentOffPolicyAlgorithm(algorithms=players, env=table)
        collector = Collector(learners, DummyVectorEnv([lambda name=name: PettingZooEnv(pettingzoo.env(name))]))
        collector.reset()
        print(name, collector.collect(n_episode=GAMES).n_collected_episodes)


if __name__ == "__main__":
    main()
