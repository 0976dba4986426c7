"""Coin, a solo game with hidden information. It has only positions, which is all that a search needs.

A coin and a ten-sided die are hidden. `SAFE` wins if the die is below 6. `GUESS` leads to a call of the coin, which
wins if it is right. `LOOK` reveals the coin before the call, but then the die must be below 8 as well.
"""

from sevenhues import Outcome, Position, Rng
from sevenhues.core.bot_support import Heuristics

SAFE, GUESS, LOOK, CALL = 0, 1, 2, 3  # CALL + coin
SIDES = 10


class CoinPosition(Position):
    def __init__(self, coin: int, die: int, may_look: bool) -> None:
        self.seats = 1
        self.coin = coin
        self.die = die
        self.may_look = may_look
        self.moves: list[int] = []

    def to_act(self) -> list[int]:
        return [] if self.moves and (self.moves[-1] == SAFE or self.moves[-1] >= CALL) else [0]

    def legal(self, seat: int) -> list[int]:
        if not self.to_act():
            return []
        if self.moves:
            return [CALL, CALL + 1]
        return [SAFE, GUESS, LOOK] if self.may_look else [SAFE, GUESS]

    def play(self, seat: int, move: int) -> None:
        self.moves.append(move)

    def scores(self) -> list[int]:
        if self.to_act():
            return [0]
        if self.moves == [SAFE]:
            return [int(self.die < 6)]
        right = self.moves[-1] == CALL + self.coin
        return [int(right and (self.moves[0] == GUESS or self.die < 8))]

    def outcome(self) -> Outcome | None:
        return None if self.to_act() else Outcome("called", [0] if self.scores()[0] else [], [1])

    def copy(self) -> "CoinPosition":
        copy = CoinPosition(self.coin, self.die, self.may_look)
        copy.moves = list(self.moves)
        return copy

    def resample(self, seat: int, rng: Rng) -> "CoinPosition":
        copy = self.copy()
        copy.die = int(rng.below(SIDES))
        if LOOK not in self.moves:
            copy.coin = int(rng.below(2))
        return copy

    def key(self) -> tuple[int, ...]:
        return (self.coin, self.die, self.may_look, *self.moves)

    def all_pieces(self) -> list[int]:
        return []


class CoinHeuristics(Heuristics[CoinPosition]):
    def observation_key(self, position: CoinPosition, seat: int) -> int:
        return position.coin + 1 if position.moves == [LOOK] else 0
