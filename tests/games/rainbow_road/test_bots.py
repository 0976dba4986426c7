"""Rainbow Road's bots: fairy moves, hypotheses, the solver of the last round and the order of levels."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest

from sevenhues import COMPILED, Rng, bots, deal
from sevenhues.arena.match import Match, pairings, play_all, tasks
from sevenhues.arena.players import Player
from sevenhues.core.game import resolve_options
from sevenhues.core.play import bot_game, bot_move
from sevenhues.executors.local import ThisProcess
from sevenhues.games.rainbow_road import game
from sevenhues.games.rainbow_road.board import FOLLOWING, LEADING, RAIN, SUNNY
from sevenhues.games.rainbow_road.bots.endgame import solve
from sevenhues.games.rainbow_road.bots.evaluation import Evaluation
from sevenhues.games.rainbow_road.bots.fairy_moves import POINTS_AT, RainMoves
from sevenhues.games.rainbow_road.bots.heuristics import EVALUATION, NaiveLookaheadHeuristics, RoadHeuristics
from sevenhues.games.rainbow_road.bots.hypotheses import Hypothesis, all_hypotheses, candidate_lines, mean
from sevenhues.games.rainbow_road.bots.lookahead import Lookahead
from sevenhues.games.rainbow_road.bots.planner import Planner
from sevenhues.games.rainbow_road.pieces import ALL_PRANKS, MOVES, ROUNDS, STOP, all_gains, listed, tally_of
from sevenhues.games.rainbow_road.rules import RoadPosition
from tests.games.rainbow_road.positions import table

LEVELS = ("seedling", "player", "expert", "master")
OPTIONS: tuple[dict[str, str], ...] = ({}, {"direction": "clockwise"}, {"leap": "free"})
LAST_ROUND = ROUNDS - 1
MANY_GAMES = pytest.mark.slow if COMPILED else pytest.mark.long


def reached(number: int, phase: int, seed: int) -> RoadPosition:
    """Play at random, with few pranks, to the start of a phase of a round, and make the score close."""
    position, rng = deal(game, f"reach {seed}".encode(), 2, OPTIONS[seed % 3]), Rng(seed)
    while (position.round, position.phase) != (number, phase) or position.hopped:
        move = position.pick(position.turn, rng)
        if move < STOP + 3 or rng.below(4) == 0:
            position.play(position.turn, move)
    position.gains_0, position.gains_1 = rng.below(3), rng.below(3)
    return position


def lookahead() -> Lookahead:
    search = Lookahead(EVALUATION, float("inf"), 10**9)
    search.thorough = True
    return search


def exhaustive_value(position: RoadPosition, seat: int) -> float:
    """Value a position for a seat by exhaustive search, all cards known."""
    outcome = position.outcome()
    if outcome is not None:
        return float(outcome.winners == [seat])
    wanted = float(position.turn == seat)
    for move in position.legal(position.turn):
        after = position.copy()
        after.play(position.turn, move)
        if exhaustive_value(after, seat) == wanted:
            return wanted
    return 1.0 - wanted


@pytest.mark.parametrize(
    ("number", "phase", "seeds"),
    [(LAST_ROUND, LEADING, 12), (LAST_ROUND, SUNNY, 30), (LAST_ROUND, RAIN, 30), (LAST_ROUND - 1, RAIN, 3)],
)
def test_look_ahead_with_all_cards_known_equals_exhaustive_search(number: int, phase: int, seeds: int) -> None:
    values = []
    for seed in range(seeds):
        position = reached(number, phase, seed)
        for seat in (0, 1):
            truth = exhaustive_value(position, seat)
            other = 1 - seat
            assert lookahead().value(position, position.hand(other), position.held(other), seat) == truth
            values.append(truth)
    assert {0.0, 1.0} == set(values)


@pytest.mark.parametrize("prank", range(6))
def test_rain_moves_equal_those_that_the_rules_allow(prank: int) -> None:
    used = 0
    for seed in range(12):
        position = reached(4, RAIN, seed)
        position.held_0 = position.held_1 = 1 << prank
        moves = RainMoves()
        moves.numbers, moves.discards = position.numbers, position.discards
        moves.sunny, moves.rain = position.sunny, position.rain
        moves.marks = 1 << position.mark_0 | 1 << position.mark_1
        moves.first_way, moves.climbs = int(position.clockwise), position.climbing()
        by_rules: dict[bool, set[tuple[int, int, int]]] = {True: set(), False: set()}
        for line in candidate_lines(position, position.legal(position.turn)):
            after = line.position
            before = all_gains(position.gains_0) + all_gains(position.gains_1)
            points = all_gains(after.gains_0) + all_gains(after.gains_1) - before
            by_rules[after.held(position.turn) == 0].add((points, after.rain, after.numbers))
        results = moves.results(1 << prank, True)
        decoded = {(result >> POINTS_AT, result >> 30 & 15, result & (1 << 30) - 1) for result in results}
        assert decoded == by_rules[True] | by_rules[False]
        assert moves.max_plain_points() == max(by_rules[False])[0]
        if by_rules[True]:
            used += 1
            assert moves.max_prank_points(1 << prank) == max(by_rules[True])[0]
    assert used > 3


def count_hypotheses(position: RoadPosition, seat: int) -> Counter[tuple[int, int]]:
    """Enumerate every card in the box and every set of pranks, and count the resulting hands of the other seat."""
    other = 1 - seat
    unseen = listed(position.box_card() + position.hand(other))
    mine = position.dealt_pranks_1 if seat else position.dealt_pranks_0
    gone = position.dealt_pranks_0 & ~position.held_0 | position.dealt_pranks_1 & ~position.held_1
    spare = [prank for prank in (1, 2, 4, 8, 16, 32) if prank & ALL_PRANKS & ~mine & ~gone]
    prank_count = int(position.held(other)).bit_count()
    return Counter(
        (tally_of(unseen[:i] + unseen[i + 1 :]), sum(pranks))
        for i in range(len(unseen))
        for pranks in combinations(spare, prank_count)
    )


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("number", "phase"), [(0, LEADING), (3, RAIN), (6, FOLLOWING)])
def test_hypotheses_cover_all_deals_of_unseen_cards_and_pranks(seat: int, number: int, phase: int) -> None:
    for seed in range(5):
        position = reached(number, phase, seed)
        weights = {(one.hand, one.held): one.weight for one in all_hypotheses(position, seat)}
        assert weights == count_hypotheses(position, seat)
        assert len(weights) <= 42


def exhaustive_values(position: RoadPosition, seat: int, hypotheses: Sequence[Hypothesis]) -> list[float]:
    """Value every hypothesis by exhaustive search; the seat decides once for all, the other seat for each."""
    outcome = position.outcome()
    if outcome is not None:
        return [float(outcome.winners == [seat])] * len(hypotheses)
    if position.turn == seat:
        children = [exhaustive_values(played(position, move), seat, hypotheses) for move in position.legal(seat)]
        return max(children, key=lambda child: mean(child, list(hypotheses), len(hypotheses)))
    values = []
    for hypothesis in hypotheses:
        known = position.copy()
        if seat:
            known.hand_0, known.held_0 = hypothesis.hand, hypothesis.held
        else:
            known.hand_1, known.held_1 = hypothesis.hand, hypothesis.held
        assert position.phase >= SUNNY, "the other seat has played its card"
        values.append(exhaustive_value(known, seat))
    return values


def played(position: RoadPosition, move: int) -> RoadPosition:
    after = position.copy()
    after.play(position.turn, move)
    return after


@pytest.mark.parametrize("phase", [FOLLOWING, SUNNY])
def test_last_round_solver_equals_exhaustive_search_over_all_hypotheses(phase: int) -> None:
    values = []
    for seed in range(24):
        position = reached(LAST_ROUND, phase, seed)
        seat = position.turn
        hypotheses = all_hypotheses(position, seat)
        value = mean(solve(position, seat, hypotheses, lookahead()), hypotheses, len(hypotheses))
        truth = mean(exhaustive_values(position, seat, hypotheses), hypotheses, len(hypotheses))
        assert value == pytest.approx(truth)
        values.append(value)
    assert min(values) == 0
    assert max(values) == 1
    assert any(0 < value < 1 for value in values), "hidden information matters in some position"


def test_hidden_information_never_raises_the_value() -> None:
    less = 0
    for seed in range(60):
        position = reached(LAST_ROUND, LEADING, seed)
        seat = position.turn
        hypotheses = all_hypotheses(position, seat)
        blind = mean(solve(position, seat, hypotheses, lookahead()), hypotheses, len(hypotheses))
        known = [lookahead().value(position, one.hand, one.held, seat) for one in hypotheses]
        seeing = mean(known, hypotheses, len(hypotheses))
        assert blind <= seeing + 1e-9
        less += blind < seeing - 1e-9
    assert less > 0


def test_master_plays_the_solved_last_round() -> None:
    heuristics = game.bot_support().levels()[-1].heuristics
    for seed in range(12):
        position = reached(LAST_ROUND, FOLLOWING, seed)
        seat = position.turn
        moves, hypotheses = position.legal(seat), all_hypotheses(position, seat)
        if len(moves) == 1:
            continue
        values = heuristics.evaluate_moves(position, seat, moves, False, 1, float("inf"), Rng(1))
        assert max(values) == pytest.approx(
            mean(solve(position, seat, hypotheses, lookahead()), hypotheses, len(hypotheses))
        )


def test_every_level_has_a_description_of_one_line() -> None:
    listed_levels = game.bot_support().levels()
    assert tuple(level.name for level in listed_levels) == LEVELS
    lines_shown = [level.about for level in listed_levels]
    assert len(set(lines_shown)) == 4
    assert all(line.endswith(".") and "\n" not in line and len(line) <= 80 for line in lines_shown)


@pytest.mark.parametrize("name", [*LEVELS[:3], pytest.param(LEVELS[3], marks=pytest.mark.slow)])
def test_every_level_beats_random_play(name: str) -> None:
    bot, rng = bots.make(game, name, "2"), Rng(4)
    won = 0
    for seed, options in enumerate(OPTIONS):
        position = deal(game, bytes([seed]), 2, options)
        bot_game(game, position, [bot, bots.RandomBot()], rng)
        outcome = position.outcome()
        assert outcome is not None
        won += outcome.winners == [0]
    assert won >= 2


@pytest.mark.parametrize("name", LEVELS)
def test_choice_depends_only_on_what_the_seat_has_seen(name: str) -> None:
    bot = bots.make(game, name, "2")
    for seed in range(4):
        for number, phase in ((1, LEADING), (4, FOLLOWING), (3, SUNNY), (5, RAIN), (LAST_ROUND, LEADING)):
            position = reached(number, phase, seed)
            seat = position.turn
            other = position.resample(seat, Rng(seed + 9))
            assert bot.choose(position, seat, Rng(seed)) == bot.choose(other, seat, Rng(seed))


def test_seedling_spends_a_prank_that_stronger_levels_keep() -> None:
    # In the first round, Sunny has stayed; from its 2 the Rain Fairy gets nowhere but over the 6, by a skip, to the 1.
    position = table("3512", "P7a1 P6b3 stop", pranks="exchange jump / skip recycle")
    assert (position.phase, position.turn) == (RAIN, 1)
    chosen = {name: MOVES[1][bot_move(game, position, 1, bots.make(game, name, "9"), Rng(3))] for name in LEVELS}
    assert (chosen["seedling"], chosen["expert"], chosen["master"]) == ("skip-", "stop", "stop")


def test_player_ignores_card_counts_and_pranks() -> None:
    position = reached(6, FOLLOWING, 2)
    seat = position.turn
    real = {listed(hypothesis.hand)[0] for hypothesis in all_hypotheses(position, seat)}
    hypotheses = NaiveLookaheadHeuristics(Planner(1, 200), Evaluation()).hypotheses(position, seat, Rng(1))
    assert {hypothesis.held for hypothesis in hypotheses} == {0}
    assert {len(listed(hypothesis.hand)) for hypothesis in hypotheses} == {len(listed(position.hand(1 - seat)))}
    assert {listed(hypothesis.hand)[0] for hypothesis in hypotheses} > real


def test_lead_pranks_and_better_hand_raise_the_estimated_chance() -> None:
    position = table("3526")
    position.held_0 = position.held_1 = 0
    position.hand_0 = position.hand_1 = tally_of([2, 3, 4, 5])
    heuristics = RoadHeuristics()
    even = heuristics.values(position)
    assert sum(even) == pytest.approx(1)
    position.gains_0 = 3
    assert heuristics.values(position)[0] > even[0] + 0.1
    position.gains_0 = 0
    position.held_0 = 2
    assert heuristics.values(position)[0] > even[0]
    position.held_0 = 0
    position.hand_0 = tally_of([1, 3, 4, 7])
    assert heuristics.values(position)[0] > even[0]


def test_value_of_holdings_is_antisymmetric() -> None:
    for seed in range(20):
        one, left = reached(seed % 7, LEADING, seed), ROUNDS - seed % 7
        mine = EVALUATION.holding(one.hand_0, one.hand_1, one.held_0, one.held_1, left)
        assert mine == pytest.approx(-EVALUATION.holding(one.hand_1, one.hand_0, one.held_1, one.held_0, left))


@pytest.mark.parametrize(
    ("better", "worse", "games"),
    [
        pytest.param("master", "seedling", 6, marks=pytest.mark.slow),
        pytest.param("player", "seedling", 60, marks=MANY_GAMES),
        pytest.param("master", "player", 30, marks=MANY_GAMES),
    ],
)
def test_levels_are_in_order(better: str, worse: str, games: int) -> None:
    match = Match("rainbow-road", 2, resolve_options(game, {}), "order", "20")
    listed_pairs = pairings([Player(better), Player(worse)], 2)
    results = list(play_all(match, list(tasks(listed_pairs, 2, games)), ThisProcess()))
    wins = sum(result.winners == [result.seat] for result in results)
    assert wins > games / 2
