"""PettingZoo: `env` for games by turns, `parallel_env` for games in which everybody acts at once.

>>> from sevenhues.adapters.pettingzoo import env
>>> table = env("rainbow")
>>> table.reset(seed=1)
>>> for agent in table.agent_iter():
...     observation, reward, termination, truncation, info = table.last()
...     over = termination or truncation
...     table.step(None if over else table.action_space(agent).sample(observation["action_mask"]))
"""

import os
from typing import Any

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.conversions import parallel_to_aec
except ImportError as error:
    raise ImportError('sevenhues.adapters.pettingzoo needs PettingZoo: pip install "sevenhues[pettingzoo]"') from error

from sevenhues.adapters.configured_game import Mask, Numbers, Variant
from sevenhues.adapters.joint_step import play_tick
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game
from sevenhues.core.position import WATCHER, Position
from sevenhues.core.rng import Rng

Observation = dict[str, Numbers | Mask]
Infos = dict[str, dict[str, Any]]


def env(
    game: str | Game[Any],
    seats: int | None = None,
    max_length: int | None = None,
    render_mode: str | None = None,
    **options: object,
) -> AECEnv[str, Any, Any]:
    """Make an environment in which agents act one after another; options are the game's own."""
    variant = Variant(game, seats, options)
    if variant.game.simultaneous:
        made: AECEnv[str, Any, Any] = parallel_to_aec(TickEnv(variant, max_length, render_mode))
        return made
    return TurnEnv(variant, max_length, render_mode)


def parallel_env(
    game: str | Game[Any],
    seats: int | None = None,
    max_length: int | None = None,
    render_mode: str | None = None,
    **options: object,
) -> "TickEnv":
    """Make an environment in which all agents act in every tick; options are the game's own."""
    variant = Variant(game, seats, options)
    if not variant.game.simultaneous:
        raise BadOption(f"{variant.game.title} is played by turns: use env, not parallel_env")
    return TickEnv(variant, max_length, render_mode)


class _Seats:
    """What both kinds of environment have: agents, spaces, deals that follow from a seed, a drawing."""

    def __init__(self, variant: Variant, max_length: int | None, render_mode: str | None) -> None:
        if render_mode not in (None, "ansi", "human"):
            raise ValueError(f"render_mode is None, 'ansi' or 'human', not {render_mode!r}")
        self.variant = variant
        self.longest = variant.longest(max_length)
        self.render_mode = render_mode
        self.metadata: dict[str, Any] = {
            "name": f"sevenhues_{variant.game.id.replace('-', '_')}_v0",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": variant.game.simultaneous,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(variant.seats)]
        self.agents: list[str] = []
        self.seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: self._seen() for agent in self.possible_agents}
        self.action_spaces: dict[str, Any] = {
            agent: spaces.Discrete(variant.action_count) for agent in self.possible_agents
        }
        self.position: Position
        self.seed = ""
        self.deals = 0

    def _seen(self) -> Any:
        variant = self.variant
        return spaces.Dict(
            {
                "observation": spaces.Box(0, variant.highs.astype(variant.dtype), dtype=variant.dtype.type),
                "action_mask": spaces.Box(0, 1, (variant.action_count,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def _deal(self, seed: int | None) -> None:
        """Deal the next game: the n-th since a seed was given, from 0, from the text `seed/n`."""
        if seed is not None or not self.seed:
            self.seed = str(seed) if seed is not None else os.urandom(16).hex()
            self.deals = 0
        name = f"{self.seed}/{self.deals}"
        self.deals += 1
        self.position = self.variant.deal(name)
        self.rng = Rng.seeded(f"{name}/ties")
        self.agents = self.possible_agents.copy()
        self.played = 0

    def _see(self, seat: int, actions: list[int]) -> Observation:
        return {"observation": self.variant.numbers(self.position, seat), "action_mask": self.variant.mask(actions)}

    def render(self) -> Any:
        """Draw what the seat to act sees, or a watcher where several act or the game is over."""
        turn = self.position.to_act()
        game = self.variant.game
        drawn = game.renderer().draw(game.view(self.position, turn[0] if len(turn) == 1 else WATCHER), False)
        if self.render_mode != "human":
            return drawn
        print(drawn)
        return None

    def close(self) -> None:
        """There is nothing to close."""


class TurnEnv(_Seats, AECEnv[str, Any, Any]):
    """A game by turns. Rewards come at the end; an action that is not legal raises ValueError."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._deal(seed)
        agents = self.agents
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: Infos = {agent: {} for agent in agents}
        self._skip_agent_selection: str | None = None
        self._over = False
        self._next()

    def _next(self) -> None:
        """Turn to the seat that is to act."""
        turn = self.position.to_act()
        if not turn or self.played == self.longest:
            self._finish(bool(turn))
            return
        self._seat = turn[0]
        self._legal = self.position.legal(self._seat)
        self.agent_selection = self.possible_agents[self._seat]

    def _finish(self, cut_off: bool) -> None:
        self._over = True
        self._legal = []
        agents = self.agents
        self.rewards = dict(zip(agents, self.variant.rewards(self.position), strict=True))
        self.terminations = dict.fromkeys(agents, not cut_off)
        self.truncations = dict.fromkeys(agents, cut_off)
        self.infos = dict(zip(agents, self.variant.ending(self.position), strict=True))
        self._accumulate_rewards()
        self._deads_step_first()

    def observe(self, agent: str) -> Observation:
        seat = self.seat_of[agent]
        return self._see(seat, self._legal if not self._over and seat == self._seat else [])

    def step(self, action: Any) -> None:
        if self._over:
            self._was_dead_step(action)
            return
        move = None if action is None else int(action)
        if move not in self._legal:
            legal = " ".join(map(str, self._legal))
            raise ValueError(f"{self.agent_selection} may not play {action}; its action_mask allows {legal}")
        self.position.play(self._seat, move)
        self.played += 1
        self._next()


class TickEnv(_Seats, ParallelEnv[str, Any, Any]):
    """A game in which everybody acts at once. In a tick each agent makes one move, or waits (the last action).

    Who moves first within a tick is drawn anew for each, from the seed. An action that is not legal, and a move that
    lost a race against one that came before it in the tick, is not made; `infos[agent]["made"]` tells.
    """

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self._deal(seed)
        return self._seen_by_all(), {agent: {} for agent in self.agents}

    def _seen_by_all(self) -> dict[str, Any]:
        variant, position = self.variant, self.position
        return {
            agent: self._see(seat, variant.actions(position, seat)) for seat, agent in enumerate(self.possible_agents)
        }

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any], Infos]:
        agents = self.agents
        chosen = [int(actions.get(agent, self.variant.wait)) for agent in agents]
        order = [seat for seat, action in enumerate(chosen) if action != self.variant.wait]
        self.rng.shuffle(order)
        made = {seat for seat, _ in play_tick(self.variant, self.position, chosen, order)}
        self.played += 1
        over = not self.position.to_act()
        cut_off = not over and self.played == self.longest
        infos: Infos = {agent: {"made": seat in made} for seat, agent in enumerate(agents)}
        if over or cut_off:
            for agent, end in zip(agents, self.variant.ending(self.position), strict=True):
                infos[agent].update(end)
            self.agents = []
        return (
            self._seen_by_all(),
            dict(zip(agents, self.variant.rewards(self.position), strict=True)),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, cut_off),
            infos,
        )
