"""PettingZoo: `env` for games by turns, `parallel_env` for simultaneous games.

>>> from sevenhues.adapters.pettingzoo import env
>>> table = env("rainbow")
>>> table.reset(seed=1)
>>> for agent in table.agent_iter():
...     observation, reward, termination, truncation, info = table.last()
...     over = termination or truncation
...     table.step(None if over else table.action_space(agent).sample(observation["action_mask"]))
"""

import os
from typing import Any, SupportsIndex

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.conversions import parallel_to_aec
except ImportError as error:
    raise ImportError('sevenhues.adapters.pettingzoo needs PettingZoo: pip install "sevenhues[pettingzoo]"') from error

from sevenhues.adapters import rendering
from sevenhues.adapters.configured_game import FLAG, ConfiguredGame, Mask, Numbers
from sevenhues.adapters.joint_step import joint_step
from sevenhues.adapters.reset_needed import NOT_RESET
from sevenhues.adapters.rewards import WIN
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game
from sevenhues.core.position import WATCHER, Position
from sevenhues.core.record import Record
from sevenhues.core.rng import Rng

Observation = dict[str, Numbers | Mask]
Infos = dict[str, dict[str, Any]]
MODES = (*rendering.MODES, "human")  # human: text that is printed
SEED_BYTES = 16  # drawn if no seed is given


def env(
    game: str | Game[Any],
    seats: SupportsIndex | None = None,
    max_length: SupportsIndex | None = None,
    render_mode: str | None = None,
    reward: str = WIN,
    **options: object,
) -> AECEnv[str, Any, Any]:
    """Make an environment in which agents act one after another. `options` are those of the game.

    `reward` is "win", "score" or "shaped".
    """
    configured = ConfiguredGame(game, seats, options, reward)
    if configured.game.simultaneous:
        converted: AECEnv[str, Any, Any] = parallel_to_aec(JointStepEnv(configured, max_length, render_mode))
        return converted
    return TurnEnv(configured, max_length, render_mode)


def parallel_env(
    game: str | Game[Any],
    seats: SupportsIndex | None = None,
    max_length: SupportsIndex | None = None,
    render_mode: str | None = None,
    reward: str = WIN,
    **options: object,
) -> "JointStepEnv":
    """Make an environment in which all agents act in every step. `options` are those of the game.

    `reward` is "win", "score" or "shaped".
    """
    configured = ConfiguredGame(game, seats, options, reward)
    if not configured.game.simultaneous:
        raise BadOption(f"{configured.game.title} is played by turns: use env, not parallel_env")
    return JointStepEnv(configured, max_length, render_mode)


class _BaseEnv:
    """The base of both environments: agents, spaces, deals from a seed, and rendering."""

    def __init__(self, configured: ConfiguredGame, max_length: SupportsIndex | None, render_mode: str | None) -> None:
        self.configured = configured
        self.max_length = configured.max_length(max_length)
        self.render_mode = rendering.check_render_mode(render_mode, MODES)
        self.metadata: dict[str, Any] = {
            "name": f"sevenhues_{configured.game.id.replace('-', '_')}_v0",
            "render_modes": list(MODES),
            "is_parallelizable": configured.game.simultaneous,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(configured.seats)]
        self.agents: list[str] = []
        self.seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.action_spaces: dict[str, Any] = {
            agent: spaces.Discrete(configured.action_count) for agent in self.possible_agents
        }
        self.state_space = spaces.Box(
            0, np.tile(configured.highs, configured.seats).astype(configured.dtype), dtype=configured.dtype.type
        )
        self.position: Position = NOT_RESET
        self.moves: list[tuple[int, int]] = []  # seats and moves of this game
        self.rng: Rng = NOT_RESET  # draws the order of the moves of a joint step
        self.seed = ""
        self.deals = 0
        self.potentials: list[float] = []  # of all seats, if rewards are shaped

    def _observation_space(self) -> Any:
        configured = self.configured
        return spaces.Dict(
            {
                "observation": spaces.Box(0, configured.highs.astype(configured.dtype), dtype=configured.dtype.type),
                "action_mask": spaces.Box(0, 1, (configured.action_count,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def _deal(self, seed: int | None) -> None:
        """Deal the next game. The n-th game after a seed was set (from 0) is dealt by `Rng.seeded("seed/n")`."""
        if seed is not None or not self.seed:
            self.seed = str(seed) if seed is not None else os.urandom(SEED_BYTES).hex()
            self.deals = 0
        self.rng = Rng.seeded(f"{self.seed}/{self.deals}")
        self.deals += 1
        self.position = self.configured.deal(self.rng)
        self.agents = self.possible_agents.copy()
        self.moves = []
        self.steps = 0
        self.potentials = self.configured.potentials(self.position)

    def state(self) -> Any:
        """Return the observations of all seats, one after another: what they know together."""
        configured = self.configured
        return np.concatenate([configured.observation(self.position, seat) for seat in range(configured.seats)])

    def _new_rewards(self) -> list[float]:
        """Return every seat's reward for the last step."""
        rewards = self.configured.rewards(self.position)
        if self.potentials:
            before, self.potentials = self.potentials, self.configured.potentials(self.position)
            rewards = [rewards[seat] + self.potentials[seat] - before[seat] for seat in range(self.configured.seats)]
        return rewards

    def record(self) -> Record:
        """Return the record of the game so far, which servers and `sevenhues replay` open."""
        return self.configured.record(self.position, self.moves, self._ended())

    def _ended(self) -> bool:
        return self.steps >= self.max_length or not self.position.to_act()

    def _infos(self, ended: bool) -> Infos:
        return dict(zip(self.possible_agents, self.configured.infos(self.position, ended), strict=True))

    def _observation(self, seat: int, mask: Mask) -> Observation:
        return {"observation": self.configured.observation(self.position, seat), "action_mask": mask}

    def render(self) -> Any:
        """Draw the view of the seat to act; that of a watcher if several seats may act or the game is over."""
        turn = self.position.to_act()
        viewer = turn[0] if len(turn) == 1 else WATCHER
        drawn = rendering.draw(self.configured.game, self.position, viewer, self.render_mode, self.possible_agents)
        if self.render_mode != "human":
            return drawn
        print(drawn)
        return None

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""


class TurnEnv(_BaseEnv, AECEnv[str, Any, Any]):
    """A game by turns. Unless they are shaped, rewards are given at the end. An illegal action raises ValueError."""

    def __init__(self, configured: ConfiguredGame, max_length: SupportsIndex | None, render_mode: str | None) -> None:
        super().__init__(configured, max_length, render_mode)
        self.agent_selection = NOT_RESET
        self._over: bool = NOT_RESET

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._deal(seed)
        agents = self.agents
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos = self._infos(ended=False)
        self._skip_agent_selection: str | None = None
        self._over = False
        self._select_next()

    def _select_next(self) -> None:
        """Select the agent of the seat to act."""
        turn = self.position.to_act()
        if not turn or self.steps == self.max_length:
            self._finish(bool(turn))
            return
        self._seat = seat = turn[0]
        self._flags = self.position.legal_flags(seat, self.configured.action_count)
        self.agent_selection = self.possible_agents[seat]

    def _finish(self, truncated: bool) -> None:
        self._over = True
        agents = self.agents
        if not self.potentials:
            self._reward()
        self.terminations = dict.fromkeys(agents, not truncated)
        self.truncations = dict.fromkeys(agents, truncated)
        self.infos = self._infos(ended=True)
        self._deads_step_first()

    def observe(self, agent: str) -> Observation:
        seat, configured = self.seat_of[agent], self.configured
        if self._over or seat != self._seat:
            return self._observation(seat, np.zeros(configured.action_count, np.int8))
        # A copy, because the learner may write to it.
        return self._observation(seat, np.frombuffer(self._flags[:], FLAG))

    def step(self, action: Any) -> None:
        if self._over:
            self._was_dead_step(action)
            return
        move = -1 if action is None else int(action)
        if not (0 <= move < len(self._flags) and self._flags[move]):
            legal = " ".join([str(move) for move, flag in enumerate(self._flags) if flag])
            raise ValueError(f"{self.agent_selection} may not play {action}; its action_mask allows {legal}")
        self.position.play(self._seat, move)
        self.moves.append((self._seat, move))
        self.steps += 1
        if self.potentials:
            self._cumulative_rewards[self.agent_selection] = 0.0
            self._reward()
        self._select_next()

    def _reward(self) -> None:
        """Reward the last move."""
        self.rewards = dict(zip(self.agents, self._new_rewards(), strict=True))
        self._accumulate_rewards()


class JointStepEnv(_BaseEnv, ParallelEnv[str, Any, Any]):
    """A simultaneous game. In each step every agent makes one move, or waits (the last action).

    The order of the moves within a step is drawn from the seed. Illegal actions are not made, nor are moves that lost
    a race against an earlier move of the step; `infos[agent]["made"]` holds whether the agent's move was made.
    """

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self._deal(seed)
        return self._observations(), {agent: {"made": False, **info} for agent, info in self._infos(False).items()}

    def _observations(self) -> dict[str, Any]:
        configured, position = self.configured, self.position
        return {
            agent: self._observation(seat, configured.legal_mask(position, seat))
            for seat, agent in enumerate(self.possible_agents)
        }

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any], Infos]:
        agents = self.agents
        chosen = [int(actions.get(agent, self.configured.wait)) for agent in agents]
        order = [seat for seat, action in enumerate(chosen) if action != self.configured.wait]
        self.rng.shuffle(order)
        played = joint_step(self.configured.game, self.position, chosen, order)
        self.moves += played
        made = {seat for seat, _ in played}
        self.steps += 1
        over = not self.position.to_act()
        truncated = not over and self.steps == self.max_length
        results = self._infos(over or truncated)
        infos: Infos = {agent: {"made": seat in made, **results[agent]} for seat, agent in enumerate(agents)}
        if over or truncated:
            self.agents = []
        return (
            self._observations(),
            dict(zip(agents, self._new_rewards(), strict=True)),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, truncated),
            infos,
        )
