"""The contents of an OpenSpiel state: the dealer's choices, the position and all moves."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from sevenhues.adapters.configured_game import ConfiguredGame
from sevenhues.adapters.joint_step import joint_step
from sevenhues.core.position import WATCHER, Position
from sevenhues.core.rng import Rng, ScriptedDealer

# OpenSpiel's player ids other than seats.
CHANCE = -1
SIMULTANEOUS = -2
TERMINAL = -4


class OpenSpielState:
    """The state of a game. A copy shares everything that does not change."""

    __slots__ = (
        "choice_counts",
        "choices",
        "configured",
        "joint_actions",
        "max_length",
        "moves",
        "pending",
        "player",
        "position",
        "recording",
    )

    def __init__(self, configured: ConfiguredGame, max_length: int) -> None:
        dealer = ScriptedDealer([])
        configured.game.deal(configured.seats, configured.options, dealer, None)
        self.configured = configured
        self.max_length = max_length
        self.choice_counts = tuple(dealer.ranges)  # the number of alternatives of each choice of the dealer
        self.choices: list[int] = []
        self.position: Position | None = None  # until all is dealt
        self.moves: list[tuple[int, int]] = []  # seat and move, of all moves so far
        self.joint_actions: list[list[int]] = []  # in a simultaneous game: every seat's action, by joint step
        self.pending = False  # chance has yet to choose the order of the last joint step
        self.player = CHANCE
        self.recording = False  # only OpenSpiel's history is being written: actions have no effect

    def copy(self) -> "OpenSpielState":
        copy = OpenSpielState.__new__(OpenSpielState)
        copy.configured = self.configured
        copy.max_length = self.max_length
        copy.choice_counts = self.choice_counts
        copy.choices = self.choices if self.position is not None else self.choices.copy()
        copy.position = None if self.position is None else self.position.copy()
        copy.moves = self.moves.copy()
        copy.joint_actions = self.joint_actions.copy()
        copy.pending = self.pending
        copy.player = self.player
        copy.recording = self.recording
        return copy

    def __deepcopy__(self, memo: object) -> "OpenSpielState":
        return self.copy()

    def dealt_position(self) -> Position:
        """Return the position of a game that has been dealt."""
        assert self.position is not None
        return self.position

    def is_over(self) -> bool:
        return self.player == TERMINAL

    def choose(self, choice: int) -> None:
        """Make one of the dealer's choices; deal after the last one."""
        self.choices.append(choice)
        if len(self.choices) == len(self.choice_counts):
            configured, dealer = self.configured, ScriptedDealer(self.choices)
            setup = configured.game.deal(configured.seats, configured.options, dealer, None)
            if tuple(dealer.ranges) != self.choice_counts:
                raise ValueError(
                    f"the deal of {configured.game.title} does not always ask for the same choices,"
                    " so it has no chance nodes"
                )
            self.position = configured.game.start(setup, configured.seats, configured.options)
            self._set_player(0)

    def play(self, move: int) -> None:
        """Make the move of the seat to act."""
        self.dealt_position().play(self.player, move)
        self.moves.append((self.player, move))
        self._set_player(len(self.moves))

    def choose_all(self, actions: list[int]) -> None:
        """Set the actions of all seats. If several seats move, chance chooses their order."""
        self.joint_actions.append(list(actions))
        self.pending = len(self.moving_seats()) > 1
        if self.pending:
            self.player = CHANCE
        else:
            self.resolve(self.moving_seats())

    def moving_seats(self) -> tuple[int, ...]:
        """Return the seats that did not choose to wait in the last joint step."""
        return tuple(seat for seat, action in enumerate(self.joint_actions[-1]) if action != self.configured.wait)

    def resolve(self, order: tuple[int, ...]) -> None:
        """Make the moves of a joint step in this order."""
        self.pending = False
        self.moves += joint_step(self.configured.game, self.dealt_position(), self.joint_actions[-1], order)
        self._set_player(len(self.joint_actions))

    def _set_player(self, steps: int) -> None:
        """Set the player to act, after so many moves or joint steps."""
        turn = self.dealt_position().to_act()
        if not turn or steps == self.max_length:
            self.player = TERMINAL
        else:
            self.player = SIMULTANEOUS if self.configured.game.simultaneous else turn[0]

    def returns(self) -> list[float]:
        if self.position is None:
            return [0.0] * self.configured.seats
        return self.configured.rewards(self.position)

    def observation(self, seat: int) -> list[int]:
        """Return the observation of a seat or WATCHER; empty before the deal."""
        return [] if self.position is None else self.configured.encode(self.position, seat)

    def observation_text(self, seat: int) -> str:
        """Return the view of a seat or WATCHER as JSON; empty before the deal."""
        return "" if self.position is None else json.dumps(self.configured.game.view(self.position, seat))

    def private_text(self, seat: int) -> str:
        """Return what the view of a seat shows and that of a watcher does not, as JSON; empty before the deal."""
        if self.position is None:
            return ""
        view = self.configured.game.view
        return json.dumps(_difference(view(self.position, seat), view(self.position, WATCHER)))

    def information_state(self, seat: int) -> list[int]:
        """Return the seat, its observation and information state, and all moves, as numbers; empty before the deal."""
        if self.position is None:
            return []
        game = self.configured.game
        moves = [move + 1 for _, move in self.moves]
        return [
            max(seat, 0),
            *self.configured.encode(self.position, seat),
            *game.information_state_encoder().encode(self.position, seat),
            *moves,
        ]

    def information_state_text(self, seat: int) -> str:
        """Return a text that is equal for two states exactly if a seat or WATCHER cannot distinguish them.

        It holds the moves, the seat's own actions in joint steps (an action need not become a move), and all that the
        seat has seen. If the game has no information state encoder, it holds a hash of the position that the game
        resamples with a fixed seed: that position depends only on what the seat has seen.
        """
        if self.position is None:
            return f"{seat}"
        game = self.configured.game
        numbers = game.information_state_encoder().encode(self.position, seat)
        if numbers:
            known = bytes(numbers).hex() if max(numbers) < 256 else str(numbers)
        else:
            resampled = game.setup(self.position.resample(seat, Rng(0)))
            known = sha256(json.dumps(resampled, sort_keys=True).encode()).hexdigest()
        moves = " ".join([f"{mover}.{move}" for mover, move in self.moves])
        if not game.simultaneous:
            return f"{seat}|{known}|{moves}"
        if seat >= 0:
            own_actions = " ".join([str(actions[seat]) for actions in self.joint_actions])
        else:
            own_actions = str(len(self.joint_actions))
        return f"{seat}|{known}|{moves}|{own_actions}"

    def text(self) -> str:
        """Return the whole state as text."""
        if self.position is None:
            return f"choices {self.choices}"
        setup = json.dumps(self.configured.game.setup(self.position))
        moves = " ".join([f"{seat}.{move}" for seat, move in self.moves])
        return f"{setup} {moves} {self.joint_actions or ''}{' pending' if self.pending else ''}"

    def resampled(self, seat: int, rng: Rng) -> "OpenSpielState":
        """Return another state that a seat cannot distinguish from this one."""
        configured, copy = self.configured, self.copy()
        copy.position = self.dealt_position().resample(seat, rng)
        setup = configured.game.setup(copy.position)
        copy.choices = configured.game.dealer_choices(setup, configured.seats, configured.options)
        return copy


def _difference(seen: Any, public: Any) -> Any:
    """Return the parts of a JSON value that another one does not have: of a list, its items by index."""
    if isinstance(seen, Mapping) and isinstance(public, Mapping):
        missing = object()
        return {
            key: _difference(value, public.get(key, missing))
            for key, value in seen.items()
            if value != public.get(key, missing)
        }
    if isinstance(seen, list) and isinstance(public, list) and len(seen) == len(public):
        return _difference(dict(enumerate(seen)), dict(enumerate(public)))
    return seen
