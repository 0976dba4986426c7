"""Learns what moments are worth by playing policy.py against itself; `main()` prints a new lore.py.

Every pass plays many games with the worth known so far, now and then a random move, and takes for every moment the
mean of what its round came to.
"""

from mypy_extensions import i64

from sevenhues.core.play import deal
from sevenhues.core.position import WATCHER
from sevenhues.core.rng import Rng
from sevenhues.games.rainbow.bots.policy import FLIPS, LEAVINGS, MOMENTS, SAFE, Eyes, Lore, best_move
from sevenhues.games.rainbow.game import Rainbow
from sevenhues.games.rainbow.pieces import BLIND, END
from sevenhues.games.rainbow.rules import GOES_ON, TURN_ENDED, RainbowPosition

ODD = 10  # one move in so many is random
PRIOR = 20.0  # rounds that the worth known so far counts for at least
PACE = 0.4  # how much of a new mean is believed: all of it would make the worth swing to and fro


class Pupil:
    """Sums of what moments came to."""

    def __init__(self, lore: Lore) -> None:
        self.lore = lore
        self.sums = [0.0] * (MOMENTS + LEAVINGS)
        self.counts = [0.0] * (MOMENTS + LEAVINGS)
        self.visited: list[tuple[int, int]] = []  # seat, moment; for one round

    def play(self, position: RainbowPosition, rng: Rng) -> None:
        """Play a game and take in what its rounds came to."""
        while not position.over:
            seat = position.turn
            eyes = Eyes(position)
            self.visited.append((seat, eyes.index()))
            move: i64 = best_move(position, self.lore)
            if rng.below(ODD) == 0:
                move = position.pick(seat, rng)
            before = position.scores()
            leaving = eyes.leaving(position.row_length, eyes.told)
            position.play(seat, move)
            if position.last_end == TURN_ENDED:
                if move != END:
                    fresh = 1 if move < BLIND else 0
                    leaving = eyes.leaving(position.row_length, eyes.told + fresh)
                self.visited.append((seat, MOMENTS + leaving))
            elif position.last_end != GOES_ON:
                after = position.scores()
                self._settle(after[0] - before[0] - after[1] + before[1], position.turn)
        self.visited = []  # RB-21 a row still on the table counts for nobody

    def _settle(self, net: int, beginner: int) -> None:
        for seat, moment in self.visited:
            result = float(net) if seat == 0 else -float(net)
            result += self.lore.start if beginner == seat else -self.lore.start
            self.sums[moment] += result
            self.counts[moment] += 1.0
        self.visited = []

    def learnt(self) -> Lore:
        """Return the worth as it looks now."""
        old = self.lore.moment + self.lore.left
        new = old.copy()
        for i in range(len(old)):
            if self.counts[i] > 0.0:
                doubt = PRIOR / (self.counts[i] + PRIOR)
                new[i] += PACE * (1.0 - doubt) * (self.sums[i] / self.counts[i] - old[i])
        start = 0.0
        total = 0.0
        for i in range(SAFE * FLIPS):
            start += self.sums[i]
            total += self.counts[i]
        return Lore(new[:MOMENTS], new[MOMENTS:], start / total)


def learn(lore: Lore, passes: int, games: int, seed: str) -> Lore:
    """Play `games` games a pass; return what was learnt."""
    rng = Rng.seeded(seed)
    dealt = deal(Rainbow(), seed.encode())
    for _ in range(passes):
        pupil = Pupil(lore)
        for _ in range(games):
            pupil.play(dealt.resample(WATCHER, rng), rng)
        lore = pupil.learnt()
    return lore


def main(passes: int = 40, games: int = 20_000, seed: str = "rainbow") -> None:
    """Print lore.py anew."""
    lore = learn(Lore([0.0] * MOMENTS, [0.0] * LEAVINGS, 0.0), passes, games, seed)
    print('"""What moments of Rainbow are worth, in cards: numbers that learn.py found by self-play. See policy.py."""')
    print(f"\nfrom typing import Final\n\nSTART: Final = {lore.start:.2f}")
    width = SAFE * FLIPS
    for name, numbers in (("MOMENT", lore.moment), ("LEFT", lore.left)):
        print(f"{name}: Final[list[float]] = [")
        for at in range(0, len(numbers), width):
            print("    " + " ".join([f"{number:.2f}," for number in numbers[at : at + width]]))
        print("]")
