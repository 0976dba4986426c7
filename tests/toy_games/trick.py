"""Trick, a shorter Duel: each player plays one of two secret cards, and the higher card wins."""

from sevenhues.core.game import Setup
from sevenhues.core.options import Options
from tests.toy_games.duel import Duel, DuelPosition


class TrickPosition(DuelPosition):
    def to_act(self) -> list[int]:
        plays = len(self.played[0]) + len(self.played[1])
        return [] if plays == 2 else [plays]


class Trick(Duel):
    id = "trick"
    title = "Trick"

    def start(self, setup: Setup, seats: int, options: Options) -> TrickPosition:
        return TrickPosition(super().start(setup, seats, options).hands)


game = Trick()
