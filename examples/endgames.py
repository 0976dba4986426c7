"""Small variants of the games, for exact solving: the end of a game, with few deals.

The rules are those of the game. Only the start differs: the first moves have been made, and the deal is one of a short
list that both seats know. `EndgameGame` is such a variant as a game of the contract, for every adapter and solver.
"""

from typing import Any, NamedTuple

import sevenhues
from sevenhues import Position, Rng
from sevenhues.core.encoder import Encoder
from sevenhues.core.game import Game, Setup, View, resolve_options
from sevenhues.core.options import Options
from sevenhues.core.play import play_text, random_game
from sevenhues.core.position import Outcome
from sevenhues.core.rng import Dealer


class Endgame(NamedTuple):
    """The end of a random game."""

    game: str
    seed: int
    plies: int  # of the random game, before its end
    deals: int


ENDGAMES = {
    "rainbow": Endgame("rainbow", seed=14, plies=4, deals=8),
    "rainbow-road": Endgame("rainbow-road", seed=1, plies=8, deals=8),
}


def starts(endgame: Endgame) -> list[Position]:
    """Return the equally likely starting positions of an endgame.

    Each deal is resampled from the one before it: seat 0 cannot tell the first from the second, nor seat 1 the second
    from the third, and so on.
    """
    game: Any = sevenhues.load(endgame.game)
    rng = Rng(endgame.seed)
    position: Any = sevenhues.quick_deal(game, rng)
    moves = random_game(game, position.copy(), rng)
    for move in moves[: -endgame.plies]:
        play_text(game, position, move.seat, move.text)
    positions = [position]
    for number in range(endgame.deals - 1):
        positions.append(positions[-1].resample(number % 2, rng))
    return positions


class EndgameGame(Game[Any]):
    """An endgame as a game: its deal is one of the starting positions, and all else is as in the whole game."""

    min_seats = max_seats = 2
    options = ()
    simultaneous = False

    def __init__(self, endgame: Endgame) -> None:
        self.whole: Game[Any] = sevenhues.load(endgame.game)
        self.settings = resolve_options(self.whole, {})
        for name in ("rules_version", "view_type", "move_pattern", "move_examples", "refusals"):
            setattr(self, name, getattr(self.whole, name))
        self.id, self.title = f"{endgame.game}-endgame", f"{self.whole.title}, an endgame"  # type: ignore[misc]
        self.starts = starts(endgame)
        self.setups = [self.whole.setup(start) for start in self.starts]

    def deal(self, seats: int, options: Options, dealer: Dealer, previous: list[int] | None) -> Setup:
        return {"deal": dealer.below(len(self.starts))}

    def dealer_choices(self, setup: Setup, seats: int, options: Options) -> list[int]:
        return [setup["deal"]]

    def start(self, setup: Setup, seats: int, options: Options) -> Position:
        return self.starts[setup["deal"]].copy()

    def setup(self, position: Any) -> Setup:
        return {"deal": self.setups.index(self.whole.setup(position))}

    def text(self, position: Any, seat: int, move: int) -> str:
        return self.whole.text(position, seat, move)

    def read(self, position: Any, seat: int, text: str) -> int:
        return self.whole.read(position, seat, text)

    def view(self, position: Any, seat: int) -> View:
        return self.whole.view(position, seat)

    def move_count(self, seats: int, options: Options) -> int:
        return self.whole.move_count(seats, self.settings)

    def max_plies(self, seats: int, options: Options) -> int | None:
        return self.whole.max_plies(seats, self.settings)

    def payoffs(self, position: Any, outcome: Outcome) -> list[float]:
        return self.whole.payoffs(position, outcome)

    def max_payoff(self, seats: int, options: Options) -> float:
        return self.whole.max_payoff(seats, self.settings)

    def observation_encoder(self) -> Encoder[Any]:
        return self.whole.observation_encoder()

    def information_state_encoder(self) -> Encoder[Any]:
        return self.whole.information_state_encoder()
