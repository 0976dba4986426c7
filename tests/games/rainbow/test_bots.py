"""Rainbow's bots: odds, evaluation, forgetting and the order of levels."""

import pytest

from sevenhues import COMPILED, Rng, bots, deal
from sevenhues.arena.match import Match, pairings, play_all, tasks
from sevenhues.arena.players import Player
from sevenhues.core.play import bot_game
from sevenhues.executors.local import ThisProcess
from sevenhues.games.rainbow import game
from sevenhues.games.rainbow.bots.fit_values import fit
from sevenhues.games.rainbow.bots.heuristics import LimitedMemory, RainbowHeuristics, visible_faces
from sevenhues.games.rainbow.bots.policy import best_move, safe_chance
from sevenhues.games.rainbow.bots.value_table import (
    FITTED_VALUES,
    HANDOVER_STATES,
    TURN_STATES,
    ValueTable,
    value_path,
)
from sevenhues.games.rainbow.pieces import CARDS, FACES, PACK, face_of
from sevenhues.games.rainbow.rules import MADE_RAINBOW, RainbowPosition
from tests.games.rainbow.positions import row, table

HEURISTICS = RainbowHeuristics()
MANY_GAMES = pytest.mark.slow if COMPILED else pytest.mark.long


def best(position: RainbowPosition) -> str:
    return game.text(position, position.turn, best_move(position, FITTED_VALUES))


@pytest.mark.parametrize("seen", FACES)
@pytest.mark.parametrize("colours", ["", "R", "RO", "YGBV", "ROYGB"])
def test_chance_of_an_unseen_face_follows_from_the_pack(seen: str, colours: str) -> None:
    face = FACES.index(seen)
    others = [FACES[low + high - face] for low, high in PACK if face in (low, high)]
    safe = [other for other in others if other not in colours and other != "K"]
    mask = sum(1 << FACES.index(colour) for colour in colours)
    assert safe_chance(face, mask) == pytest.approx(len(safe) / len(others))


def test_policy_does_not_play_a_colour_already_in_the_row() -> None:
    # Red lies, and seat 1 sees red or shade on all its cards.
    clash = table("RG RO BO", "OR GR BK", "S1 E")
    assert row(clash) == "R"
    assert best(clash) in {"B1", "B2", "B3", "F1"}


def test_policy_finishes_a_rainbow_with_a_safe_card() -> None:
    position = table("RB OB YB", "RG RI RV", "S1 E S1 E S2 E S2 E S3 E")
    assert row(position) == "RGOIY"
    position.play(1, best_move(position, FITTED_VALUES))
    assert position.last_end == MADE_RAINBOW


@pytest.mark.parametrize(("lead", "over"), [(0, 0.5), (20, 0.9)])
def test_lead_raises_the_estimated_chance(lead: int, over: float) -> None:
    position = table("RG")
    position.pile_0 = (1 << lead) - 1
    mine, other = HEURISTICS.values(position)
    assert mine + other == pytest.approx(1)
    assert mine >= over - 0.1


def test_playout_ends_with_the_round_and_is_evaluated_there() -> None:
    position = deal(game, b"round")
    values = HEURISTICS.playout(position, Rng(1))
    assert (position.round, position.row_length) == (2, 0)
    assert sum(values) == pytest.approx(1)


def test_forgetful_bot_keeps_open_faces_and_forgets_hidden_ones() -> None:
    rng = Rng(5)
    position = deal(game, b"forget")
    for _ in range(60):
        position.play(position.turn, position.pick(position.turn, rng))
    seat = position.turn
    no_memory, full_memory = LimitedMemory(0, 0), LimitedMemory(100, 100)
    agree = {"open": 0, "hidden": 0, "all": 0}
    for _ in range(40):
        guessed, remembered = no_memory.resample(position, seat, rng), full_memory.resample(position, seat, rng)
        assert isinstance(guessed, RainbowPosition)
        assert isinstance(remembered, RainbowPosition)
        for side in (0, 1):
            visible, known = visible_faces(position, seat, side), position.known(seat, side)
            assert visible & ~known == 0, "visible faces are known"
            for card in range(CARDS):
                same = face_of(guessed.deck, card, side) == face_of(position.deck, card, side)
                if (visible >> card) & 1:
                    assert same
                elif (known >> card) & 1:
                    agree["hidden"] += same
                    agree["all"] += 1
                    assert face_of(remembered.deck, card, side) == face_of(position.deck, card, side)
        assert guessed.legal(seat) == position.legal(seat)
    assert agree["hidden"] < 0.4 * agree["all"]


def test_forgetting_depends_only_on_what_the_seat_has_seen() -> None:
    rng = Rng(6)
    position = deal(game, b"forget")
    for _ in range(40):
        position.play(position.turn, position.pick(position.turn, rng))
    half = LimitedMemory(50, 50)
    for seat in (0, 1):
        other = position.resample(seat, rng)
        one, two = half.resample(position, seat, Rng(9)), half.resample(other, seat, Rng(9))
        assert one.key() == two.key()


def test_stored_values_are_written_as_they_were_read() -> None:
    assert (len(FITTED_VALUES.turn), len(FITTED_VALUES.handover)) == (TURN_STATES, HANDOVER_STATES)
    assert FITTED_VALUES.to_json() == value_path().read_text(encoding="utf-8")


def test_fitted_values_rate_a_long_row_worse_than_a_short_one() -> None:
    values = fit(ValueTable([0.0] * TURN_STATES, [0.0] * HANDOVER_STATES, 0.0), 3, 15, "test")
    five, two = values.handover[5 * 4 : 6 * 4], values.handover[2 * 4 : 3 * 4]
    assert min(five) < -1
    assert sum(five) < sum(two)


@pytest.mark.parametrize("name", ["seedling", "player", pytest.param("expert", marks=pytest.mark.slow), "master"])
def test_every_level_beats_random_play(name: str) -> None:
    bot, rng = bots.make(game, name, "12"), Rng(4)
    won = 0
    for seed in range(3):
        position = deal(game, bytes([seed]))
        bot_game(game, position, [bot, bots.RandomBot()], rng)
        scores = position.scores()
        won += scores[0] > scores[1]
    assert won >= 2


@pytest.mark.parametrize(
    ("better", "worse", "games"),
    [
        pytest.param("master", "seedling", 6, marks=pytest.mark.slow),
        pytest.param("player", "seedling", 60, marks=MANY_GAMES),
        pytest.param("master", "player", 30, marks=MANY_GAMES),
    ],
)
def test_levels_are_in_order(better: str, worse: str, games: int) -> None:
    match = Match("rainbow", 2, {"memory_aid": False}, "order", "60")
    listed = pairings([Player(better), Player(worse)], 2)
    results = list(play_all(match, list(tasks(listed, 2, games)), ThisProcess()))
    wins = sum(result.winners == [result.seat] for result in results)
    assert wins > games / 2
