"""Plans a move in Rainbow Road: a look ahead at all that one may do, in all that the opponent may hold."""

from typing import Final

from sevenhues.core.rng import Rng
from sevenhues.games.rainbow_road.bots.endgame import solve
from sevenhues.games.rainbow_road.bots.hypotheses import Line, World, lines, mean
from sevenhues.games.rainbow_road.bots.lookahead import Lookahead
from sevenhues.games.rainbow_road.pieces import ROUNDS
from sevenhues.games.rainbow_road.rules import RoadPosition

LAST: Final = ROUNDS - 1


class Planner:
    """How far and how wide somebody thinks."""

    def __init__(self, rounds: int, most_worlds: int = 0, width: int = 8, enough: int = 2) -> None:
        self.rounds = rounds  # to think through at most
        self.most_worlds = most_worlds  # to imagine at most; 0 for all
        self.width = width  # lines that are worth a second look and, less two each time, further ones
        self.enough = enough  # worlds that a deeper look has to cover to count

    def plan(
        self, position: RoadPosition, seat: int, moves: list[int], held: list[World], ahead: Lookahead, rng: Rng
    ) -> list[float]:
        """Value moves: all of them in every world to the end of a round, the best of them further."""
        rng.shuffle(held)
        if self.most_worlds and len(held) > self.most_worlds:
            held = held[: self.most_worlds]
        running = lines(position, moves)
        if self.rounds > 1 and position.round == LAST:
            for line in running:
                line.value = mean(solve(line.position, seat, held, ahead), held, len(held))
            return best_by_move(moves, running)
        near = min([line.position.round for line in running]) + 1
        ahead.horizon = min(near, ROUNDS)
        held = held[: self._look(running, held, seat, ahead)]
        values = best_by_move(moves, running)
        for depth in range(1, self.rounds):
            # The last two rounds are played out to the end, first with the best pranks, then with all.
            if near + depth > ROUNDS:
                if ahead.thorough or position.round < LAST - 1:
                    break
                ahead.thorough = True
            if position.round < LAST - 1:
                running = sorted(running, key=_by_value)[: max(self.width - 2 * depth, 2)]
            ahead.horizon = min(near + depth, ROUNDS)
            if len(running) == 1 or not self._deepen(running, held, seat, ahead):
                break
            values = raised(values, moves, running)
        return values

    def _look(self, running: list[Line], held: list[World], seat: int, ahead: Lookahead) -> int:
        """Value lines in one world after the other, in the first whatever the time; return in how many."""
        done = 0
        ahead.hurried = False
        for world in held:
            for line in running:
                line.worths.append(ahead.value(line.position, world.hand, world.held, seat))
            if ahead.stopped:
                break
            done += 1
            ahead.hurried = True
        for line in running:
            line.value = mean(line.worths, held, done)
        return done

    def _deepen(self, running: list[Line], held: list[World], seat: int, ahead: Lookahead) -> bool:
        """Value lines anew by a deeper look, in as many worlds as time allows; tell whether those were enough.

        Worlds that are left out keep what they were found to be worth, and change as the others did on average.
        """
        done = 0
        weight = 0.0
        changes = [0.0] * len(running)
        for i in range(len(held)):
            found = [ahead.value(line.position, held[i].hand, held[i].held, seat) for line in running]
            if ahead.stopped:
                break
            done += 1
            weight += held[i].weight
            for j in range(len(running)):
                changes[j] += held[i].weight * (found[j] - running[j].worths[i])
                running[j].worths[i] = found[j]
        if done < min(self.enough, len(held)):
            return False
        for j in range(len(running)):
            for i in range(done, len(held)):
                running[j].worths[i] += changes[j] / weight
            running[j].value = mean(running[j].worths, held, len(held))
        return True


def _by_value(line: Line) -> float:
    return -line.value


def best_by_move(moves: list[int], running: list[Line]) -> list[float]:
    """Return for every move the value of the best line that it begins."""
    values = [-1.0] * len(moves)
    for line in running:
        at = moves.index(line.move)
        values[at] = max(values[at], line.value)
    # A move that has no line of its own only leads where an earlier one does.
    low = min([line.value for line in running])
    return [value if value >= 0.0 else low for value in values]


def raised(values: list[float], moves: list[int], running: list[Line]) -> list[float]:
    """Return the values by a deeper look; moves that were not looked at again stay below those that were."""
    low = min([line.value for line in running])
    again = [line.move for line in running]
    found = best_by_move(moves, running)
    return [found[i] if moves[i] in again else min(values[i], low) for i in range(len(moves))]
