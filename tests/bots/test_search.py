"""Searches find the better move, do not use hidden information and keep to their budget."""

import time
from collections import Counter
from typing import Any

import pytest

from sevenhues import Bot, Game, Position, Rng, bots, deal, load, names
from sevenhues.bots import Budget, FlatMonteCarloBot, GreedyBot, IsmctsBot, PolicyBot
from sevenhues.bots.levels import perfect_information_bot
from sevenhues.core.bot_support import BotSupport, Heuristics, Level
from sevenhues.core.errors import BadOption
from sevenhues.core.game import resolve_options
from sevenhues.core.play import bot_game, bot_move
from sevenhues.core.position import Outcome, outcome_values
from tests.toy_games.coin import CALL, GUESS, LOOK, SAFE, CoinHeuristics, CoinPosition
from tests.toy_games.duel import DuelPosition
from tests.toy_games.duel import game as duel

SEARCHES = (GreedyBot, FlatMonteCarloBot, IsmctsBot)


class OneCard(DuelPosition):
    """Duel ended by one card each, so that it matters which."""

    def to_act(self) -> list[int]:
        return super().to_act() if len(self.played[1]) == 0 else []


@pytest.mark.parametrize("search", SEARCHES)
def test_every_search_plays_the_card_that_wins_more_often(search: type[GreedyBot]) -> None:
    for seed in range(5):
        bot = search(Heuristics(), Budget(simulations=200))
        assert bot.choose(OneCard([[2, 5], [1, 6]]), 0, Rng(seed)) == 5 - 1
        assert bot.simulations == pytest.approx(200, abs=140)
        assert 0 < bot.scored_moves[0].value < 1


def test_tree_search_does_not_rely_on_hidden_information() -> None:
    # If the coin is known, a call always wins; otherwise it wins half the time.
    for seed in range(5):
        bot = IsmctsBot(CoinHeuristics(), Budget(simulations=400))
        assert bot.choose(CoinPosition(0, 0, may_look=False), 0, Rng(seed)) == SAFE
        assert bot.scored_moves[0].value == pytest.approx(0.6, abs=0.12)


def test_tree_search_values_information_that_a_move_reveals() -> None:
    for seed in range(5):
        bot = IsmctsBot(CoinHeuristics(), Budget(simulations=600))
        position = CoinPosition(1, 0, may_look=True)
        assert bot.choose(position, 0, Rng(seed)) == LOOK
        assert bot.scored_moves[0].value == pytest.approx(0.8, abs=0.15)
        position.play(0, LOOK)
        assert bot.choose(position, 0, Rng(seed)) == CALL + 1


def test_tree_search_without_observation_keys_ignores_revealed_information() -> None:
    chosen = Counter(
        IsmctsBot(Heuristics(), Budget(simulations=400)).choose(CoinPosition(0, 0, True), 0, Rng(seed))
        for seed in range(5)
    )
    assert chosen == {SAFE: 5}


@pytest.mark.parametrize("coin", [0, 1])
def test_search_that_sees_hidden_information_calls_the_coin(coin: int) -> None:
    bot = IsmctsBot(CoinHeuristics(), Budget(simulations=100), sees_hidden=True)
    position = CoinPosition(coin, 9, may_look=False)
    assert bot.choose(position, 0, Rng(1)) == GUESS
    position.play(0, GUESS)
    assert bot.choose(position, 0, Rng(1)) == CALL + coin


def test_only_seats_that_see_hidden_information_get_the_true_position() -> None:
    class Recorder(Bot):
        """Records the opponent's hands in the positions that it is given."""

        def __init__(self) -> None:
            self.seen: set[tuple[int, ...]] = set()

        def choose(self, position: Position, seat: int, rng: Rng) -> int:
            assert isinstance(position, DuelPosition)
            if not position.played[1]:
                self.seen.add(tuple(sorted(position.hands[1 - seat])))
            return position.legal(seat)[0]

    fair, cheater = Recorder(), Recorder()
    for seed in range(30):
        bot_game(duel, DuelPosition([[1, 2], [3, 4]]), [fair, bots.RandomBot()], Rng(seed))
        bot_game(duel, DuelPosition([[1, 2], [3, 4]]), [cheater, bots.RandomBot()], Rng(seed), seeing_hidden=[0])
    assert len(fair.seen) == 6
    assert cheater.seen == {(3, 4)}


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("bot", ["random", "greedy", "flat", "ismcts"])
def test_every_search_plays_every_game_and_repeats_with_its_seed(name: str, bot: str) -> None:
    game = load(name)
    many_moves = game.move_count(game.max_seats, resolve_options(game, {})) > 500
    for seats in {game.min_seats, game.max_seats}:
        plies = seats + 1 if many_moves else 5  # all player tiles are placed first
        assert start_of(game, seats, bot, plies) == start_of(game, seats, bot, plies)


def start_of(game: Game[Any], seats: int, name: str, plies: int) -> list[int]:
    """Let bots make the first moves with few simulations; return the moves."""
    position, rng, moves = deal(game, b"start", seats), Rng(3), []
    bot = bots.make(game, name, "6")
    for _ in range(plies):
        seat = position.pick_seat(rng)
        moves.append(bot_move(game, position, seat, bot, rng))
        position.play(seat, moves[-1])
    return moves


def test_search_uses_its_whole_time_and_none_for_a_forced_move() -> None:
    bot = IsmctsBot(CoinHeuristics(), Budget(seconds=0.05))
    began = time.perf_counter()
    bot.choose(CoinPosition(0, 0, True), 0, Rng(1))
    assert time.perf_counter() - began >= 0.05
    assert bot.simulations > 0
    forced = IsmctsBot(Heuristics(), Budget(simulations=50))
    assert forced.choose(DuelPosition([[4], [1, 2]]), 0, Rng(1)) == 4 - 1
    assert forced.simulations == 0


def test_search_stops_at_the_limit_of_its_level() -> None:
    bot = IsmctsBot(CoinHeuristics(), Budget(simulations=500), max_simulations=30)
    bot.choose(CoinPosition(0, 0, True), 0, Rng(1))
    assert bot.simulations == 30


def test_policy_bot_plays_the_move_of_the_policy() -> None:
    class Last(Heuristics[Any]):
        def policy(self, position: Position, seat: int, rng: Rng) -> int:
            return position.legal(seat)[-1]

    assert PolicyBot(Last()).choose(OneCard([[2, 5], [1, 6]]), 0, Rng(1)) == 5 - 1


def test_outcome_values_follow_from_the_winners() -> None:
    assert outcome_values(Outcome("x", [1], [2, 1, 3])) == [0, 1, 0]
    assert outcome_values(Outcome("x", [0, 2], [1, 3, 1])) == [0.5, 0, 0.5]
    assert outcome_values(Outcome("x", [], [1, 1])) == [0.5, 0.5]
    assert outcome_values(Outcome("x", [], [1])) == [0]


@pytest.mark.parametrize(
    ("text", "seconds", "simulations", "written"),
    [("200ms", 0.2, 0, "200ms"), ("1.5s", 1.5, 0, "1500ms"), ("400", 0, 400, "400"), (" 2s ", 2, 0, "2000ms")],
)
def test_budget_text_is_parsed_and_normalised(text: str, seconds: float, simulations: int, written: str) -> None:
    budget = Budget.parse(text)
    assert (budget.seconds, budget.simulations, budget.text()) == (seconds, simulations, written)


@pytest.mark.parametrize("text", ["", "0", "0ms", "-5ms", "1.5", "5 minutes", "1e3", "ms", "٣ms"])
def test_malformed_budget_text_is_refused(text: str) -> None:
    with pytest.raises(BadOption, match=r"a time such as 200ms or 1\.5s, or simulations such as 400, not"):
        Budget.parse(text)


def test_bots_are_made_by_name_and_unknown_names_refused() -> None:
    assert isinstance(bots.make(duel, "ismcts", "10"), IsmctsBot)
    with pytest.raises(BadOption, match="Duel has no bot 'deep'; its bots: random, greedy, flat, ismcts"):
        bots.make(duel, "deep")


def test_game_outside_the_package_defines_its_own_levels() -> None:
    class Levels(BotSupport[Any]):
        def levels(self) -> list[Level]:
            return [Level("low", "x", "random", Heuristics()), Level("high", "y", "flat", Heuristics(), 9)]

    class Levelled(type(duel)):  # type: ignore[misc]
        def bot_support(self) -> BotSupport[Any]:
            return Levels()

    game = Levelled()
    assert [level.name for level in bots.levels(game)][-2:] == ["low", "high"]
    made = bots.make(game, "high", "1s")
    assert isinstance(made, FlatMonteCarloBot)
    assert (made.simulation_limit, made.sees_hidden) == (9, False)
    best = perfect_information_bot(game, Budget(seconds=1))
    assert isinstance(best, FlatMonteCarloBot)
    assert best.sees_hidden


class FixedValues(Heuristics[Any]):
    """Heuristics with fixed values for the moves of a decision."""

    def __init__(self, values: list[float]) -> None:
        self.values_given = values

    def evaluate_moves(
        self, position: Position, seat: int, moves: list[int], sees_hidden: bool, limit: int, until: float, rng: Rng
    ) -> list[float]:
        assert limit == 200
        assert until == float("inf")
        assert not sees_hidden
        return self.values_given


@pytest.mark.parametrize("search", SEARCHES)
def test_evaluation_of_a_game_takes_precedence_over_search(search: type[GreedyBot]) -> None:
    position = OneCard([[2, 5], [1, 6]])
    bot = search(FixedValues([0.7, 0.3]), Budget(simulations=200))
    assert bot.choose(position, 0, Rng(1)) == 2 - 1
    assert [(one.move, one.value) for one in bot.scored_moves] == [(1, 0.7), (4, 0.3)]
    assert bot.simulations == 0
    assert search(FixedValues([]), Budget(simulations=200)).choose(position, 0, Rng(1)) == 5 - 1
