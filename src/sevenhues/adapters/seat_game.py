"""Games that one seat plays against bots: one at a time, or many stepped in one loop. Compiled, so without NumPy."""

from collections.abc import Callable
from typing import Any, Final

from librt.vecs import vec
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
        actions: int,
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
        self.actions = actions  # how many there are
        self.wait = wait  # the action that makes no move in a simultaneous game, otherwise -1
        self.max_length = max_length  # in moves or joint steps
        self.reward_kind = reward_kind
        self.illegal_reward = illegal_reward  # of an action that loses the game
        self.potential = 0.0  # of the seat, if rewards are shaped
        self.steps = 0
        self.moves: list[int] = []  # seat, move, seat, move and so on
        # The flags of the legal actions of the seat: `actions` of them, from `row` on.
        self.mask: vec[u8] = vec[u8]()
        self.row: i64 = 0
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
        del state["mask"], state["row"]  # an array cannot be pickled
        arguments = (self.game, self.position, self.seat, self.bots, self.rng, self.actions, self.wait, self.max_length)
        return resumed, ((*arguments, self.reward_kind, self.illegal_reward), state)

    def begin(self) -> None:
        """Announce the game to the bots, and let those move that come before the seat."""
        self.begin_row(self._new_mask(), 0)

    def begin_row(self, mask: vec[u8], row: i64) -> None:
        """Begin the game as `begin` does, and write the mask into an array of zeros, from `row` on."""
        for seat, bot in self.bots.items():
            bot.begin_game(seat)
        if self.wait < 0:
            self._play_bots()
        self.mark_actions(mask, row)
        if self.reward_kind == SHAPED:
            self._shape()

    def ended(self) -> bool:
        """Return whether the game is over or truncated."""
        return self.terminated or self.truncated

    def step(self, action: int) -> None:
        """Make a step. An illegal action ends the game; in a simultaneous game it is not made."""
        self.step_row(action, self._new_mask(), 0)

    def step_row(self, action: int, mask: vec[u8], row: i64) -> None:
        """Make a step as `step` does, and write the mask into an array of zeros, from `row` on."""
        self._step(action, mask, row)
        if self.reward_kind == SHAPED:
            self.reward += self._shape()

    def _shape(self) -> float:
        """Return by how much the potential of the seat has changed since the last call."""
        before = self.potential
        self.potential = 0.0 if self.terminated else potential(self.game, self.position, self.seat)
        return self.potential - before

    def _step(self, action: int, mask: vec[u8], row: i64) -> None:
        self.reward = 0.0
        if self.wait >= 0:
            self.made = self._joint_step(action)
        elif self._is_legal(action):
            self.made = True
            self._play(self.seat, action)
            self._play_bots()
        else:
            self.mark_actions(mask, row)
            self.made = False
            self.terminated = True
            self.reward = self.illegal_reward
            self._finish(ILLEGAL)
            return
        legal = self.mark_actions(mask, row)
        # The seat has no actions when it waits for bots that are out of steps, or when the game is over.
        if legal == 0 and not self.position.to_act():
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

    def results(self) -> dict[str, Any]:
        """Return whether the last action was made, and the results of a game that has ended."""
        return {"made": self.made, "reason": self.reason, "place": self.place, "score": self.score}

    def _new_mask(self) -> vec[u8]:
        return vec[u8]([0] * i64(self.actions))

    def mark_actions(self, mask: vec[u8], row: i64) -> int:
        """Write the mask into an array of zeros, from `row` on; return the number of legal moves."""
        self.mask = mask
        self.row = row
        legal = self.position.mark_legal(self.seat, mask, row)
        if legal and self.wait >= 0:
            mask[row + self.wait] = 1
        return legal

    def mask_bytes(self) -> bytearray:
        """Return a copy of the mask, which is the whole array."""
        return bytearray(self.mask)

    def _is_legal(self, action: int) -> bool:
        return 0 <= action < self.actions and self.mask[self.row + action] == 1

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
    game.mark_actions(game._new_mask(), 0)
    return game


class SeatGames:
    """Many games of one seat against bots, stepped in one loop.

    Observations and masks lie in arrays, game after game. Only games that ended have results.
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
        self.made: vec[u8] = vec[u8]([0] * count)
        self.ended: list[int] = []  # the games that ended with the last step, ascending

    def __reduce__(self) -> tuple[Any, ...]:
        arguments = (self.game, self.seats, self.options, self.seat, self.bots, self.wait, self.max_length)
        return restored, ((*arguments, self.reward_kind, self.draw_seeds), self.games, self.seeds, self.ended)

    def deal(self, chosen: list[int]) -> None:
        """Begin new games with these numbers, and write what they show."""
        for number in chosen:
            row = number * self.actions
            end = row + self.actions
            while row < end:
                self.masks[row] = 0
                row += 1
            self._deal(number)
            self._write(number)

    def deal_all(self) -> None:
        """Begin all games anew."""
        self.games = []
        self.ended = []
        self._clear_masks()
        for number in range(len(self.bots)):
            self._deal(number)
            self._write(number)

    def _clear_masks(self) -> None:
        # A new array, because the compiler fills it with zeros faster than a loop.
        self.masks = vec[u8]([0] * (len(self.bots) * self.actions))

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
            self.actions,
            self.wait,
            self.max_length,
            self.reward_kind,
            self.illegal_reward,
        )
        if number == len(self.games):
            self.games.append(game)
        else:
            self.games[number] = game
        game.begin_row(self.masks, number * self.actions)

    def step(self, actions: list[int]) -> None:
        """Make a step in every game that goes on, and begin a new game in place of each other one."""
        self.ended = []
        self._clear_masks()  # each game keeps its old mask until its step
        for number in range(len(self.games)):
            game = self.games[number]
            if game.ended():
                self._deal(number)
            else:
                game.step_row(actions[number], self.masks, number * self.actions)
                if game.ended():
                    self.ended.append(number)
            self._write(number)

    def _write(self, number: int) -> None:
        """Write what a game shows, except for its mask, into the arrays."""
        row: i64 = number
        game = self.games[number]
        self.encoder.write(game.position, self.seat, self.observations, row * self.width)
        self.made[row] = 1 if game.made else 0


def restored(
    arguments: tuple[Any, ...], games: list[SeatGame], seeds: list[list[int]], ended: list[int]
) -> "SeatGames":
    """Return games as they were when they were copied or pickled."""
    copy = SeatGames(*arguments)
    copy.games = games
    copy.seeds = seeds
    for number in range(len(games)):
        games[number].mark_actions(copy.masks, number * copy.actions)
        copy._write(number)
    copy.ended = ended
    return copy
