"""Nimble's bots: policies, lookahead, reaction times, mistakes and the order of levels."""

import pytest

from sevenhues import COMPILED, Rng, bots, deal
from sevenhues.arena.match import Match, pairings, play_all, tasks
from sevenhues.arena.players import Player
from sevenhues.core import record
from sevenhues.core.bot_support import ReactionModel
from sevenhues.core.play import bot_game
from sevenhues.executors.local import ThisProcess
from sevenhues.games.nimble import game
from sevenhues.games.nimble.bots.heuristics import (
    MIN_FLIP_SECONDS,
    MIN_PLACEMENT_SECONDS,
    NimbleHeuristics,
    NimbleReactionModel,
    PlanningHeuristics,
    misread_stacks,
)
from sevenhues.games.nimble.pieces import FLIP, MOVES, PLACE, TAKE_BACK, TURN_OVER
from sevenhues.games.nimble.rules import NimblePosition
from tests.games.nimble.positions import table

MANY_GAMES = pytest.mark.slow if COMPILED else pytest.mark.long
NAMES = ["seedling", "player", "expert", "master"]
SIMPLE, BACKS, PLANS = NimbleHeuristics(takes_back=False), NimbleHeuristics(), PlanningHeuristics()
LEVELS = {level.name: level for level in game.bot_support().levels()}

# Stacks show A, M and E; seat 0's cards are those behind the first two, seat 1's those behind its first.
STACKS = "QA QM {}", "QE {}"


def with_stacks(mine: str, moves: str = "", theirs: str = "WP", checking: str = "referee") -> NimblePosition:
    """Set up three stacks that show A, M and E, and play moves."""
    return table(STACKS[0].format(mine), STACKS[1].format(theirs), targets="001", moves=moves, checking=checking)


def chosen(heuristics: NimbleHeuristics, position: NimblePosition, seat: int = 0) -> str:
    return MOVES[heuristics.policy(position, seat, Rng(1))]


def planned(position: NimblePosition, sees_hidden: bool = False) -> str:
    """Return what the planner would do as seat 0."""
    moves = position.legal(0)
    values = PLANS.evaluate_moves(position, 0, moves, sees_hidden, 1, 0.0, Rng(1))
    assert all(0.0 <= value <= 1.0 for value in values)
    return MOVES[moves[values.index(max(values))]]


@pytest.mark.parametrize("checking", ["referee", "audit"])
@pytest.mark.parametrize(
    ("mine", "moves", "simple", "backs", "plans"),
    [
        ("AW PW", "", "f", "f", "f"),  # nothing on the pile
        ("AW PW", "0f", "p1", "p1", "p1"),  # a card that fits
        ("MW PW", "0f 0f", "f", "b", "b"),  # the one beneath fits
        ("EW PW WP", "0f 0f 0f", "f", "f", "f"),  # two back, while what comes next is as likely to fit
        ("PW WP", "0f 0f", "f", "f", "f"),  # none of the pile fits
    ],
)
def test_heuristics_place_fitting_cards_and_take_back_ones_that_fit(
    mine: str, moves: str, simple: str, backs: str, plans: str, checking: str
) -> None:
    position = with_stacks(mine, moves, checking=checking)
    assert (chosen(SIMPLE, position), chosen(BACKS, position), planned(position)) == (simple, backs, plans)


def seen_through(mine: str, steps: int) -> NimblePosition:
    """Flip through the whole set and over, and some cards on, so that its order is known."""
    position = with_stacks(mine)
    for _ in range(28):
        position.play(0, FLIP)
    position.play(0, TURN_OVER)
    for _ in range(steps):
        position.play(0, FLIP)
    return position


def test_planner_takes_the_shorter_way_through_a_known_set() -> None:
    # Two back lies AW; ahead first nothing fits, then at once something does.
    far = seen_through("AW PW WP PQ WQ PA WA QP QW", 3)
    assert chosen(BACKS, far) == "f"
    assert planned(far) == "b"
    near = seen_through("AW PW WP MW PQ WQ", 3)
    assert planned(near) == "f"


def test_planner_does_not_take_back_for_a_stack_that_a_rival_will_cover() -> None:
    open_table = with_stacks("AW PW", "0f 0f", "WP")
    assert planned(open_table) == "b"
    opponent = with_stacks("AW PW", "0f 0f 1f", "AP")
    assert planned(opponent) == "f"


def test_lookahead_uses_unflipped_cards_only_if_it_sees_them() -> None:
    good, bad = with_stacks("EW PW WP AM ME", "0f 0f 0f"), with_stacks("EW PW WP PQ WQ QP QW PA WA", "0f 0f 0f")
    assert planned(good, sees_hidden=True) == "f"
    assert planned(bad, sees_hidden=True) == "b"
    rng, moves = Rng(2), good.legal(0)
    honest = PLANS.evaluate_moves(good, 0, moves, False, 1, 0.0, Rng(1))
    for _ in range(5):
        fiction = good.resample(0, rng)
        assert PLANS.evaluate_moves(fiction, 0, moves, False, 1, 0.0, Rng(1)) == honest


def test_fewer_cards_raise_the_value_and_a_mistake_has_none() -> None:
    equal, ahead = with_stacks("PW"), with_stacks("AW WP", "0f 0p1")
    assert ahead.left(0) == equal.left(0) - 1
    assert PLANS.values(ahead)[0] > PLANS.values(equal)[0] + 0.03
    tempted = with_stacks("PW", "0f", checking="audit")
    moves = tempted.legal(0)
    values = dict(zip(moves, PLANS.evaluate_moves(tempted, 0, moves, False, 1, 0.0, Rng(1)), strict=True))
    assert [values[PLACE + stack] for stack in range(3)] == [0.0] * 3 < [values[FLIP]] * 3
    wrong = with_stacks("PW", "0f 0p1", checking="audit")
    assert PLANS.values(wrong)[0] == 0.0 < PLANS.values(wrong)[1]


def test_reaction_times_of_levels_match_their_settings() -> None:
    position, rng = with_stacks("AW PW", "0f"), Rng(7)
    for name, level in LEVELS.items():
        reactions = level.reactions
        assert isinstance(reactions, NimbleReactionModel)
        for move, least, median in [
            (PLACE, MIN_PLACEMENT_SECONDS, reactions.place_seconds),
            (FLIP, MIN_FLIP_SECONDS, reactions.flip_seconds),
            (TAKE_BACK, MIN_FLIP_SECONDS, reactions.flip_seconds),
        ]:
            times = sorted([reactions.delay(position, 0, move, rng) for _ in range(2000)])
            assert times[0] > least, name
            assert times[1000] == pytest.approx(median, rel=0.05)
        assert reactions.delay(position, 0, TURN_OVER, Rng(3)) > reactions.delay(position, 0, FLIP, Rng(3))
    medians = [
        level.reactions.place_seconds for level in LEVELS.values() if isinstance(level.reactions, NimbleReactionModel)
    ]
    assert medians == sorted(medians, reverse=True)


def share(reactions: ReactionModel[NimblePosition], position: NimblePosition, meant: int, other: int) -> float:
    """Return the share of decisions in which `other` is made instead of `meant`; no further move may occur."""
    rng = Rng(5)
    done = [reactions.mistake(position, 0, meant, rng) for _ in range(20_000)]
    assert set(done) <= {meant, other}
    return done.count(other) / len(done)


def test_mistake_rates_of_levels_match_their_settings() -> None:
    tempts, fits, neither = with_stacks("PA WP", "0f"), with_stacks("AW WP", "0f"), with_stacks("PW WP", "0f")
    assert (misread_stacks(tempts, 0), misread_stacks(fits, 0), misread_stacks(neither, 0)) == (1, 0, 0)
    before = 1.0
    for name in NAMES:
        reactions = LEVELS[name].reactions
        assert isinstance(reactions, NimbleReactionModel)
        misread, overlooked = share(reactions, tempts, FLIP, PLACE), share(reactions, fits, PLACE, FLIP)
        assert misread == pytest.approx(reactions.misreads / 1000, rel=0.15, abs=0.0007)
        assert overlooked == pytest.approx(reactions.overlooks / 1000, rel=0.15, abs=0.0007)
        assert share(reactions, neither, FLIP, FLIP) == share(reactions, tempts, TAKE_BACK, TAKE_BACK) == 1.0
        assert misread < before
        before = misread


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("checking", ["referee", "audit"])
def test_races_of_levels_end_and_their_record_replays(seats: int, checking: str) -> None:
    position = deal(game, b"levels", seats, {"checking": checking})
    written = record.begin(game, position, {"checking": checking})
    names = NAMES[-seats:]
    playing = [bots.make(game, name, "1") for name in names]
    written.moves = bot_game(
        game, position, playing, Rng(seats), max_moves=2000, reactions=[LEVELS[n].reactions for n in names]
    )
    assert position.outcome() is not None
    *_, last = record.replay(record.read(record.write(written), game))
    assert last.key() == position.key()


def mistaken_in_audits(reactions: NimbleReactionModel) -> int:
    """Return in how many of 12 games a simple player with these reactions made a mistake (NB-16)."""
    mistaken_games = 0
    for seed in range(12):
        position = deal(game, bytes([seed]), 2, {"checking": "audit"})
        playing = [bots.make(game, "player") for _ in range(2)]
        bot_game(
            game,
            position,
            playing,
            Rng(seed),
            max_moves=1000,
            reactions=[reactions, NimbleReactionModel(reactions.place_seconds, reactions.flip_seconds, 0, 0)],
        )
        assert position.outcome() is not None
        assert not position.mistaken & 0b10, "a player that never misreads makes no mistake"
        mistaken_games += position.mistaken & 1
    return mistaken_games


def test_misreading_in_an_audited_game_is_a_mistake() -> None:
    assert mistaken_in_audits(NimbleReactionModel(0.7, 0.45, 0, 0)) == 0
    assert mistaken_in_audits(NimbleReactionModel(0.7, 0.45, 0, 200)) >= 8


def test_games_between_planners_end() -> None:
    for seed in range(30):
        position = deal(game, f"fro {seed}".encode())
        playing = [bots.make(game, "master") for _ in range(2)]
        moves = bot_game(game, position, playing, Rng(seed), max_moves=1000, reactions=[LEVELS["master"].reactions] * 2)
        assert position.outcome() is not None, f"seed {seed}: {len(moves)} moves"


def wins(better: str, worse: str, games: int, reactions_of: str | None = None) -> float:
    match = Match("nimble", 2, {"checking": "referee"}, "order", "1", reactions_of)
    listed = pairings([Player(better), Player(worse)], 2)
    results = list(play_all(match, list(tasks(listed, 2, games)), ThisProcess()))
    return sum([1 / len(result.winners) for result in results if result.seat in result.winners])


@pytest.mark.parametrize(
    ("better", "worse"), [("seedling", "random"), ("player", "seedling"), ("expert", "player"), ("master", "expert")]
)
def test_levels_are_in_order(better: str, worse: str) -> None:
    assert wins(better, worse, 20) >= 14


@MANY_GAMES
def test_planner_wins_at_equal_speed() -> None:
    assert wins("master", "player", 300, "player") > 160
