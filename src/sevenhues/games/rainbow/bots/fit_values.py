"""Fits value_table.json by playing policy.py against itself; `main()` writes the file.

Every pass plays many games by the current values, with random moves now and then. It then moves the value of every
state toward the mean result of the rounds in which the state occurred.
"""

from typing import Final

from mypy_extensions import i64

from sevenhues.core.play import deal
from sevenhues.core.position import WATCHER
from sevenhues.core.rng import Rng
from sevenhues.games.rainbow.bots.policy import KnownTable, best_move
from sevenhues.games.rainbow.bots.value_table import (
    HANDOVER_STATES,
    SAFE_CARD_COUNTS,
    SAFE_FLIP_COUNTS,
    TURN_STATES,
    ValueTable,
    value_path,
)
from sevenhues.games.rainbow.game import Rainbow
from sevenhues.games.rainbow.pieces import BLIND, END
from sevenhues.games.rainbow.rules import TURN_CONTINUES, TURN_ENDED, RainbowPosition

RANDOM_MOVE_INTERVAL: Final = 10  # one move in so many is random
PRIOR_ROUNDS: Final = 20.0  # the weight of the current value, in rounds
LEARNING_RATE: Final = 0.4  # with 1.0 the values would oscillate


class ValueFitter:
    """Sums the results of rounds by the states that occurred in them."""

    def __init__(self, values: ValueTable) -> None:
        self.values = values
        self.sums = [0.0] * (TURN_STATES + HANDOVER_STATES)
        self.counts = [0.0] * (TURN_STATES + HANDOVER_STATES)
        self.visited: list[tuple[int, int]] = []  # seat and state, in the current round

    def play(self, position: RainbowPosition, rng: Rng) -> None:
        """Play a game and add the results of its rounds."""
        while not position.over:
            seat = position.turn
            table = KnownTable(position)
            self.visited.append((seat, table.turn_index()))
            move: i64 = best_move(position, self.values)
            if rng.below(RANDOM_MOVE_INTERVAL) == 0:
                move = position.pick(seat, rng)
            before = position.scores()
            handover = table.handover_index(position.row_length, table.known_to_opponent)
            position.play(seat, move)
            if position.last_end == TURN_ENDED:
                if move != END:
                    newly_known = 1 if move < BLIND else 0
                    handover = table.handover_index(position.row_length, table.known_to_opponent + newly_known)
                self.visited.append((seat, TURN_STATES + handover))
            elif position.last_end != TURN_CONTINUES:
                after = position.scores()
                self._add_result(after[0] - before[0] - after[1] + before[1], position.turn)
        self.visited = []  # RB-21 a row still on the table counts for nobody

    def _add_result(self, net: int, beginner: int) -> None:
        """Add the cards that seat 0 won more than seat 1 in a round, and the value of starting the next one."""
        for seat, state in self.visited:
            result = float(net) if seat == 0 else -float(net)
            result += self.values.round_start if beginner == seat else -self.values.round_start
            self.sums[state] += result
            self.counts[state] += 1.0
        self.visited = []

    def fitted(self) -> ValueTable:
        """Return the values, moved toward the mean results."""
        old = self.values.turn + self.values.handover
        new = old.copy()
        for i in range(len(old)):
            if self.counts[i] > 0.0:
                prior = PRIOR_ROUNDS / (self.counts[i] + PRIOR_ROUNDS)
                new[i] += LEARNING_RATE * (1.0 - prior) * (self.sums[i] / self.counts[i] - old[i])
        total = 0.0
        count = 0.0
        for i in range(SAFE_CARD_COUNTS * SAFE_FLIP_COUNTS):
            total += self.sums[i]
            count += self.counts[i]
        return ValueTable(new[:TURN_STATES], new[TURN_STATES:], total / count)


def fit(values: ValueTable, passes: int, games: int, seed: str) -> ValueTable:
    """Fit values in several passes of `games` games each."""
    rng = Rng.seeded(seed)
    dealt = deal(Rainbow(), seed.encode())
    for _ in range(passes):
        fitter = ValueFitter(values)
        for _ in range(games):
            fitter.play(dealt.resample(WATCHER, rng), rng)
        values = fitter.fitted()
    return values


def main(passes: int = 40, games: int = 20_000, seed: str = "rainbow") -> None:
    """Fit the values from zero and write value_table.json."""
    values = fit(ValueTable([0.0] * TURN_STATES, [0.0] * HANDOVER_STATES, 0.0), passes, games, seed)
    value_path().write_text(values.to_json(), encoding="utf-8")
