"""Games that one seat plays against bots: one at a time, or many stepped in one loop. Compiled, so without NumPy."""

from collections.abc import Callable
from typing import Any, Final

from librt.vecs import append, vec
from mypy_extensions import i64, u8

from sevenhues.adapters.joint_step import joint_step
from sevenhues.adapters.rewards import SHAPED, final_rewards, lowest_reward, potential
from sevenhues.core.bot_support import Bot
from sevenhues.core.copying import Copyable
from sevenhues.core.game import Game
from sevenhues.core.options import Options
from sevenhues.core.play import bot_move
from sevenhues.core.position import NOBODY, Position
from sevenhues.core.rng import Rng

ILLEGAL: Final = "illegal"
TRUNCATED: Final = "truncated"


class SeatGame(Copyable):
    """A game of one seat against bots. A step is a move and the bots' replies, or a joint step of all seats."""

    def __init__(
        self,
        game: Game[Any],
        position: Position,
        seat: int,
        bots: dict[int, Bot],
        rng: Rng,
        wait: int,
        max_length: int,
        reward_kind: str,
        illegal_reward: float,
    ) -> None:
        self.game = game
        self.position = position
        self.seat = seat
        self.bots = bots  # by seat, of all other seats
        self.notified = list(bots.values())
        self.rng = rng
        self.wait = wait  # the action that makes no move in a simultaneous game, otherwise -1
        self.max_length = max_length  # in moves or joint steps
        self.reward_kind = reward_kind
        self.illegal_reward = illegal_reward  # of an action that loses the game
        self.potential = 0.0  # of the seat, if rewards are shaped
        self.steps = 0
        self.moves: list[int] = []  # seat, move, seat, move and so on
        self.legal: vec[i64] = vec[i64]()  # the actions of the seat
        # The results of the last step.
        self.made = False
        self.terminated = False
        self.truncated = False
        self.reward = 0.0
        # The results of a game that has ended.
        self.reason = ""
        self.place = 0
        self.score = 0

    def __reduce__(self) -> tuple[Any, ...]:
        state = dict(super().__reduce__()[2])
        del state["legal"]  # an array cannot be pickled
        arguments = (self.game, self.position, self.seat, self.bots, self.rng, self.wait, self.max_length)
        return resumed, ((*arguments, self.reward_kind, self.illegal_reward), state)

    def begin(self) -> None:
        """Announce the game to the bots, and let those move that come before the seat."""
        for seat, bot in self.bots.items():
            bot.begin_game(seat)
        if self.wait < 0:
            self._play_bots()
        self._list_actions()
        if self.reward_kind == SHAPED:
            self._shape()

    def ended(self) -> bool:
        """Return whether the game is over or truncated."""
        return self.terminated or self.truncated

    def step(self, action: int) -> None:
        """Make a step. An illegal action ends the game; in a simultaneous game it is not made."""
        self._step(action)
        if self.reward_kind == SHAPED:
            self.reward += self._shape()

    def _shape(self) -> float:
        """Return by how much the potential of the seat has changed since the last call."""
        before = self.potential
        self.potential = 0.0 if self.terminated else potential(self.game, self.position, self.seat)
        return self.potential - before

    def _step(self, action: int) -> None:
        self.reward = 0.0
        if self.wait >= 0:
            self.made = self._joint_step(action)
        elif self._is_legal(action):
            self.made = True
            self._play(self.seat, action)
            self._play_bots()
        else:
            self.made = False
            self.terminated = True
            self.reward = self.illegal_reward
            self._finish(ILLEGAL)
            return
        self._list_actions()
        # The seat has no actions when it waits for bots that are out of steps, or when the game is over.
        if len(self.legal) == 0 and not self.position.to_act():
            self.terminated = True
            outcome = self.position.outcome()
            assert outcome is not None
            self.reward = final_rewards(self.game, self.position, self.reward_kind)[self.seat]
            self.place = outcome.places[self.seat]
            self._finish(outcome.reason)
        elif self.steps >= self.max_length:
            self.truncated = True
            self._finish(TRUNCATED)

    def _finish(self, reason: str) -> None:
        self.reason = reason
        self.score = self.position.scores()[self.seat]

    def _list_actions(self) -> None:
        self.legal = self.position.legal_array(self.seat)
        if self.wait >= 0 and len(self.legal) > 0:
            self.legal = append(self.legal, self.wait)

    def _is_legal(self, action: int) -> bool:
        legal = self.legal
        i: i64 = 0
        while i < len(legal):
            if legal[i] == action:
                return True
            i += 1
        return False

    def _play(self, seat: int, move: int) -> None:
        self.position.play(seat, move)
        self.steps += 1
        self._note_move(seat, move)

    def _note_move(self, seat: int, move: int) -> None:
        """Record a move that was made, and tell the bots."""
        self.moves.append(seat)
        self.moves.append(move)
        for bot in self.notified:
            bot.observe_move(seat, move)

    def _play_bots(self) -> None:
        """Make the bots' moves until the seat is to act."""
        while self.steps < self.max_length:
            seat = self.position.pick_seat(self.rng)
            if seat == NOBODY or seat == self.seat:
                return
            self._play(seat, bot_move(self.game, self.position, seat, self.bots[seat], self.rng))

    def _joint_step(self, action: int) -> bool:
        """Make a joint step; return whether the move of the seat was made."""
        actions = [self.wait] * self.position.seats
        actions[self.seat] = action
        turn = self.position.to_act()
        for seat, bot in self.bots.items():
            if seat in turn:
                actions[seat] = bot_move(self.game, self.position, seat, bot, self.rng)
        order = [seat for seat in range(len(actions)) if actions[seat] != self.wait]
        self.rng.shuffle(order)
        self.steps += 1
        made = False
        for seat, move in joint_step(self.game, self.position, actions, order):
            self._note_move(seat, move)
            if seat == self.seat:
                made = True
        return made


def resumed(arguments: tuple[Any, ...], state: dict[str, Any]) -> SeatGame:
    """Return a game as it was when it was copied or pickled."""
    game = SeatGame(*arguments)
    for name, value in state.items():
        setattr(game, name, value)
    game._list_actions()
    return game


class SeatGames:
    """Many games of one seat against bots, stepped in one loop.

    Observations and masks lie in arrays that are allocated once, game after game. Only games that ended have results.
    `draw_seeds` returns seeds for further games of a number: two for each game, the deal's and the bots'.
    """

    def __init__(
        self,
        game: Game[Any],
        seats: int,
        options: Options,
        seat: int,
        bots: list[dict[int, Bot]],
        wait: int,
        max_length: int,
        reward_kind: str,
        draw_seeds: Callable[[int], list[int]],
    ) -> None:
        self.game = game
        self.seats = seats
        self.options = options
        self.seat = seat
        self.bots = bots  # by game
        self.wait = wait
        self.max_length = max_length
        self.reward_kind = reward_kind
        self.illegal_reward = lowest_reward(game, seats, options, reward_kind)
        self.draw_seeds = draw_seeds
        self.encoder = game.observation_encoder()
        count = len(bots)
        self.games: list[SeatGame] = []  # empty before the first deal
        self.seeds: list[list[int]] = [[] for _ in range(count)]  # not used yet, the next at the end
        self.width: i64 = sum([feature.size for feature in self.encoder.layout(seats, options)])
        self.actions: i64 = game.move_count(seats, options) + (1 if wait >= 0 else 0)
        self.observations: vec[i64] = vec[i64]([0] * (count * self.width))
        self.masks: vec[u8] = vec[u8]([0] * (count * self.actions))
        self.marked: list[vec[i64]] = [vec[i64]() for _ in range(count)]  # the actions that the masks show
        self.made: vec[u8] = vec[u8]([0] * count)
        self.ended: list[int] = []  # the games that ended with the last step, ascending

    def __reduce__(self) -> tuple[Any, ...]:
        arguments = (self.game, self.seats, self.options, self.seat, self.bots, self.wait, self.max_length)
        return restored, ((*arguments, self.reward_kind, self.draw_seeds), self.games, self.seeds, self.ended)

    def deal(self, chosen: list[int]) -> None:
        """Begin new games with these numbers, and write what they show."""
        for number in chosen:
            self._deal(number)
            self._write(number)

    def deal_all(self) -> None:
        """Begin all games anew."""
        self.games = []
        self.ended = []
        for number in range(len(self.bots)):
            self._deal(number)
            self._write(number)

    def _deal(self, number: int) -> None:
        seeds = self.seeds[number]
        if not seeds:
            seeds = self.draw_seeds(number)
            self.seeds[number] = seeds
        # Bots must not be able to compute the deal from their generator, so it has a seed of its own.
        position = self.game.quick_start(self.seats, self.options, Rng(seeds.pop()))
        rng = Rng(seeds.pop())
        game = SeatGame(
            self.game,
            position,
            self.seat,
            self.bots[number],
            rng,
            self.wait,
            self.max_length,
            self.reward_kind,
            self.illegal_reward,
        )
        if number == len(self.games):
            self.games.append(game)
        else:
            self.games[number] = game
        game.begin()

    def step(self, actions: list[int]) -> None:
        """Make a step in every game that goes on, and begin a new game in place of each other one."""
        self.ended = []
        for number in range(len(self.games)):
            game = self.games[number]
            if game.ended():
                self._deal(number)
            else:
                game.step(actions[number])
                if game.ended():
                    self.ended.append(number)
            self._write(number)

    def _write(self, number: int) -> None:
        """Write what a game shows into the arrays."""
        row: i64 = number
        game = self.games[number]
        self.encoder.write(game.position, self.seat, self.observations, row * self.width)
        start = row * self.actions
        masks = self.masks
        marked = self.marked[number]
        i: i64 = 0
        while i < len(marked):
            masks[start + marked[i]] = 0
            i += 1
        legal = game.legal
        i = 0
        while i < len(legal):
            masks[start + legal[i]] = 1
            i += 1
        self.marked[number] = legal
        self.made[row] = 1 if game.made else 0


def restored(
    arguments: tuple[Any, ...], games: list[SeatGame], seeds: list[list[int]], ended: list[int]
) -> "SeatGames":
    """Return games as they were when they were copied or pickled."""
    copy = SeatGames(*arguments)
    copy.games = games
    copy.seeds = seeds
    for number in range(len(games)):
        copy._write(number)
    copy.ended = ended
    return copy
