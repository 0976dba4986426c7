"""How an OpenSpiel game went so far: the dealer's choices, the position, every move."""

import json
from hashlib import sha256

from sevenhues.adapters.configured_game import Variant
from sevenhues.adapters.joint_step import play_tick
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng, ScriptedDealer

# OpenSpiel's numbers for who is to act when it is no player.
CHANCE = -1
SIMULTANEOUS = -2
TERMINAL = -4


class Course:
    """A game under way; copied with what can change, sharing what cannot."""

    __slots__ = ("asked", "choices", "idle", "joint", "longest", "moves", "pending", "player", "position", "variant")

    def __init__(self, variant: Variant, longest: int) -> None:
        dealer = ScriptedDealer([])
        variant.game.deal(variant.seats, variant.options, dealer, None)
        self.variant = variant
        self.longest = longest
        self.asked = tuple(dealer.asked)  # among how many things the dealer chooses each time
        self.choices: list[int] = []
        self.position: Position | None = None  # until all is dealt
        self.moves: list[tuple[int, int]] = []  # made so far: seat and move
        self.joint: list[list[int]] = []  # where everybody acts at once: what each seat chose, tick by tick
        self.pending = False  # the last tick waits for chance to say who comes first
        self.player = CHANCE
        self.idle = False  # only OpenSpiel's history is being written

    def copy(self) -> "Course":
        twin = Course.__new__(Course)
        twin.variant = self.variant
        twin.longest = self.longest
        twin.asked = self.asked
        twin.choices = self.choices if self.position is not None else self.choices.copy()
        twin.position = None if self.position is None else self.position.copy()
        twin.moves = self.moves.copy()
        twin.joint = self.joint.copy()
        twin.pending = self.pending
        twin.player = self.player
        twin.idle = self.idle
        return twin

    def __deepcopy__(self, memo: object) -> "Course":
        return self.copy()

    def table(self) -> Position:
        """Return the position of a game that has been dealt."""
        assert self.position is not None
        return self.position

    def is_over(self) -> bool:
        return self.player == TERMINAL

    def choose(self, choice: int) -> None:
        """Make one of the dealer's choices, and deal after the last."""
        self.choices.append(choice)
        if len(self.choices) == len(self.asked):
            variant, dealer = self.variant, ScriptedDealer(self.choices)
            setup = variant.game.deal(variant.seats, variant.options, dealer, None)
            if tuple(dealer.asked) != self.asked:
                raise ValueError(f"{variant.game.title} deals by other choices each time: it has no chance nodes")
            self.position = variant.game.start(setup, variant.seats, variant.options)
            self._go_on(0)

    def play(self, move: int) -> None:
        """Make the move of the seat whose turn it is."""
        self.table().play(self.player, move)
        self.moves.append((self.player, move))
        self._go_on(len(self.moves))

    def choose_all(self, actions: list[int]) -> None:
        """Choose for all seats at once; with several moves it is for chance to say which comes first."""
        self.joint.append(list(actions))
        self.pending = len(self.acting()) > 1
        if self.pending:
            self.player = CHANCE
        else:
            self.resolve(self.acting())

    def acting(self) -> tuple[int, ...]:
        """List the seats that did not choose to wait in the last tick."""
        return tuple(seat for seat, action in enumerate(self.joint[-1]) if action != self.variant.wait)

    def resolve(self, order: tuple[int, ...]) -> None:
        """Make the moves of a tick in this order."""
        self.pending = False
        self.moves += play_tick(self.variant, self.table(), self.joint[-1], order)
        self._go_on(len(self.joint))

    def _go_on(self, played: int) -> None:
        turn = self.table().to_act()
        if not turn or played == self.longest:
            self.player = TERMINAL
        else:
            self.player = SIMULTANEOUS if self.variant.game.simultaneous else turn[0]

    def returns(self) -> list[float]:
        if self.position is None:
            return [0.0] * self.variant.seats
        return self.variant.rewards(self.position)

    def seen(self, seat: int) -> list[int]:
        """Return the features of a seat or WATCHER; nothing before the deal."""
        return [] if self.position is None else self.variant.game.observation_encoder().encode(self.position, seat)

    def seen_text(self, seat: int) -> str:
        """Return the view of a seat or WATCHER."""
        return "" if self.position is None else json.dumps(self.variant.game.view(self.position, seat))

    def recalled(self, seat: int) -> list[int]:
        """Return what a seat or WATCHER sees, what it has seen and every move, as numbers."""
        if self.position is None:
            return []
        game = self.variant.game
        moves = [move + 1 for _, move in self.moves]
        return [
            max(seat, 0),
            *game.observation_encoder().encode(self.position, seat),
            *game.information_state_encoder().encode(self.position, seat),
            *moves,
        ]

    def known_text(self, seat: int) -> str:
        """Return a text that is the same exactly in those positions which a seat or WATCHER cannot tell apart.

        It has the moves, what the seat itself chose where not every choice became a move, and all that it has seen. A
        game that cannot recall that is asked for the position it resamples with fixed numbers: that one follows from
        what the seat has seen, and fits nothing else.
        """
        if self.position is None:
            return f"{seat}"
        game = self.variant.game
        numbers = game.information_state_encoder().encode(self.position, seat)
        if numbers:
            known = bytes(numbers).hex() if max(numbers) < 256 else str(numbers)
        else:
            fiction = game.setup(self.position.resample(seat, Rng(0)))
            known = sha256(json.dumps(fiction, sort_keys=True).encode()).hexdigest()
        moves = " ".join([f"{who}.{move}" for who, move in self.moves])
        if not game.simultaneous:
            return f"{seat}|{known}|{moves}"
        chosen = " ".join([str(actions[seat]) for actions in self.joint]) if seat >= 0 else len(self.joint)
        return f"{seat}|{known}|{moves}|{chosen}"

    def told(self) -> str:
        """Write all of it down."""
        if self.position is None:
            return f"choices {self.choices}"
        setup = json.dumps(self.variant.game.setup(self.position))
        moves = " ".join([f"{seat}.{move}" for seat, move in self.moves])
        return f"{setup} {moves} {self.joint or ''}{' pending' if self.pending else ''}"

    def resampled(self, seat: int, rng: Rng) -> "Course":
        """Return another course of the game that a seat cannot tell from this one."""
        variant, twin = self.variant, self.copy()
        twin.position = self.table().resample(seat, rng)
        setup = variant.game.setup(twin.position)
        twin.choices = variant.game.dealer_choices(setup, variant.seats, variant.options)
        return twin
