"""Setup, rounds and fairies, rule by rule: a position, a move, and the result. Pranks are in test_pranks.py.

Fields are written as the cards on a2, a4, b2 and b4; seat 0 starts if nothing else is said.
"""

from collections import Counter
from typing import Any

import pytest

from sevenhues.core.errors import BadRecord
from sevenhues.core.game import resolve_options
from sevenhues.core.position import WATCHER
from sevenhues.core.rng import Dealer
from sevenhues.games.rainbow_road import game
from sevenhues.games.rainbow_road.pieces import PRANKS
from tests.games.rainbow_road.positions import deal, discards, legal_moves, play, reach, refusal, ring, table

DEFAULTS = resolve_options(game, {})


def dealt(seed: int) -> dict[str, Any]:
    return game.deal(2, DEFAULTS, Dealer(bytes([seed])), None)


# ── Setup ──────────────────────────────────────────────────────────────────────────────────────────────


def test_rr1_three_cards_of_each_number_are_dealt_to_hands_field_and_box() -> None:
    for seed in range(20):
        setup = dealt(seed)
        assert [len(hand) for hand in setup["hands"]] == [8, 8]
        assert [len(cards) for cards in setup["field"]] == [2, 2]
        shown = Counter(number for cards in setup["hands"] + setup["field"] for number in cards)
        (box,) = [number for number in range(1, 8) if shown[number] == 2]
        assert shown == Counter({number: 2 if number == box else 3 for number in range(1, 8)})
    assert len({str(dealt(seed)["hands"]) for seed in range(20)}) == 20


@pytest.mark.parametrize(
    ("hands", "where"),
    [
        ([[1, 1, 1, 2, 2, 2, 3, 3], [1, 3, 4, 4, 5, 5, 6, 6]], r"setup\.hands\[1\]\[0\]: 1 is a card too many.*RR-1"),
        ([[1, 1, 1, 2, 2, 2, 3], [3, 3, 4, 4, 5, 5, 6, 6]], r"setup\.hands\[0\]: expected a list of 8"),
        ([[1, 1, 1, 2, 2, 2, 3, 8], [3, 3, 4, 4, 5, 5, 6, 6]], r"setup\.hands\[0\]\[7\]: .* from 1 to 7, found 8"),
        ([[1, 1, 1, 2, 2, 2, 3, "3"], [3, 3, 4, 4, 5, 5, 6, 6]], r"setup\.hands\[0\]\[7\]"),
        ([[1, 1, 1, 2, 2, 2, 3, 3]], r"setup\.hands: expected a list of 2"),
    ],
)
def test_rr1_setup_with_other_cards_is_refused(hands: object, where: str) -> None:
    with pytest.raises(BadRecord, match=where):
        game.start({**deal("7766"), "hands": hands}, 2, DEFAULTS)


def test_rr1_extra_card_in_the_field_is_refused() -> None:
    setup = deal("7766", hands="7 / 6")
    with pytest.raises(BadRecord, match=r"setup\.field\[1\]\[1\]: 7 is a card too many"):
        game.start({**setup, "field": [[7, 7], [6, 7]]}, 2, DEFAULTS)


def test_rr1_hands_are_hidden_from_other_viewers() -> None:
    one, other = table("3527", hands="1 1 2 / 7 7 6"), table("3527", hands="1 1 2 / 5 5 6")
    assert game.setup(one)["hands"][1] != game.setup(other)["hands"][1]
    view = game.view(one, 0)
    assert view["hands"][1] == {"count": 8, "numbers": None}
    assert view["hands"][0]["numbers"] == game.setup(one)["hands"][0]
    assert [hand["numbers"] for hand in game.view(one, WATCHER)["hands"]] == [None, None]


def test_rr2_open_cards_lie_on_spots_2_and_4() -> None:
    assert ring(table("3527")) == "- 3S - 5 - / - 2 - 7R -"


def test_rr3_spots_form_a_ring_in_order() -> None:
    position = table("7676", "P7a1 P1b1")
    assert [spot["spot"] for spot in game.view(position, 0)["ring"]] == [
        "a1",
        "a2",
        "a3",
        "a4",
        "a5",
        "b1",
        "b2",
        "b3",
        "b4",
        "b5",
    ]
    assert ring(position) == "7a 7 - 6S - / 1b 7R - 6 -"
    assert list(reach(position)) == ["- a2", "- a1"]
    # From a1 the next card that way round is b4, across the end of the ring.
    assert refusal(play(position, "- -"), "-").parameters["spot"] == "b4"


@pytest.mark.parametrize(
    ("field", "first", "expected"),
    [
        ("3527", 0, "- 3S - 5 - / - 2 - 7R -"),
        ("5372", 0, "- 5 - 3S - / - 7R - 2 -"),
        ("3527", 1, "- 3 - 5R - / - 2S - 7 -"),
        ("4466", 0, "- 4 - 4S - / - 6 - 6R -"),  # ties: further right for the owner of the half
        ("4466", 1, "- 4 - 4R - / - 6 - 6S -"),
    ],
)
def test_rr4_sunny_starts_on_the_first_players_lowest_and_rain_on_the_others_highest_card(
    field: str, first: int, expected: str
) -> None:
    position = table(field, first=first)
    assert (ring(position), position.to_act()) == (expected, [first])


def test_rr4_starting_seat_is_random_by_default() -> None:
    firsts = Counter(dealt(seed)["first"] for seed in range(100))
    assert set(firsts) == {0, 1}
    assert min(firsts.values()) > 25


@pytest.mark.parametrize("first", [2, -1, True, "0", None])
def test_rr4_setup_with_another_starting_seat_is_refused(first: object) -> None:
    with pytest.raises(BadRecord, match=r"setup\.first"):
        game.start({**deal("3527"), "first": first}, 2, DEFAULTS)


def test_rr5_each_seat_is_dealt_two_of_six_pranks() -> None:
    setups = [dealt(seed)["pranks"] for seed in range(60)]
    for pranks in setups:
        assert [len(held) for held in pranks] == [2, 2]
        assert len(set(pranks[0] + pranks[1])) == 4
    assert {name for pranks in setups for name in pranks[0]} == set(PRANKS)


@pytest.mark.parametrize(
    ("pranks", "where"),
    [
        ([["jump", "skip"], ["trash", "jump"]], r"setup\.pranks\[1\]\[1\]: jump is dealt twice.*RR-5"),
        ([["jump", "jump"], ["trash", "skip"]], r"setup\.pranks\[0\]\[1\]: jump is dealt twice"),
        (
            [["jump", "fly"], ["trash", "skip"]],
            r"setup\.pranks\[0\]\[1\]: 'fly' is not a prank: expected ex.*RR-5",
        ),
        ([["jump"], ["trash", "skip"]], r"setup\.pranks\[0\]: expected a list of 2"),
        ([["jump", 3], ["trash", "skip"]], r"setup\.pranks\[0\]\[1\]: expected text"),
    ],
)
def test_rr5_setup_with_other_pranks_is_refused(pranks: object, where: str) -> None:
    with pytest.raises(BadRecord, match=where):
        game.start({**deal("3527"), "pranks": pranks}, 2, DEFAULTS)


@pytest.mark.parametrize("key", ["hands", "field", "pranks", "first"])
def test_setup_with_missing_parts_is_refused(key: str) -> None:
    setup = deal("3527")
    del setup[key]
    with pytest.raises(BadRecord, match=f"setup: the key '{key}' is missing"):
        game.start(setup, 2, DEFAULTS)


def test_rr5_pranks_are_hidden_from_other_viewers() -> None:
    view = game.view(table("3527", pranks="jump skip / trash recycle"), 0)
    assert view["pranks"][0] == {"count": 2, "held": ["jump", "skip"], "used": []}
    assert view["pranks"][1] == {"count": 2, "held": None, "used": []}


def test_rr6_game_starts_sunny_at_zero_points_and_lasts_eight_rounds() -> None:
    position = table("3527")
    view = game.view(position, 0)
    assert (view["round"], view["weather"], view["scores"]) == (1, "sunny", [0, 0])
    plays = 0
    while position.to_act():
        seat = position.to_act()[0]
        plays += position.phase < 2
        position.play(seat, 35 if position.phase >= 2 else position.legal(seat)[0])
    assert plays == 16
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.reason == "rounds"


# ── A round ────────────────────────────────────────────────────────────────────────────────────────────


def test_rr7_each_seat_plays_a_marked_card_to_its_own_half() -> None:
    position = table("3527", "P4a3")
    assert (ring(position), position.to_act()) == ("- 3S 4a 5 - / - 2 - 7R -", [1])
    assert ring(play(position, "P4b5")) == "- 3S 4a 5 - / - 2 - 7R 4b"
    assert [hand["count"] for hand in game.view(position, WATCHER)["hands"]] == [7, 7]


def test_rr7_second_player_sees_the_card_of_the_first() -> None:
    last = game.view(table("3527", "P4a3"), 1)["last"]
    assert last is not None
    assert (last["seat"], last["move"], last["card"], last["spots"]) == (0, "P4a3", {"card": 5, "number": 4}, ["a3"])


def test_rr7_only_cards_in_hand_are_played_to_the_own_half_before_the_fairies_move() -> None:
    position = table("3527", hands="1 1 1 2 2 4 4 4 /")
    assert legal_moves(position) == "P1a1 P1a3 P1a5 P2a1 P2a3 P2a5 P4a1 P4a3 P4a5"
    error = refusal(position, "P7a1")
    assert (error.rule, error.key, error.parameters) == ("RR-7", "no-such-card", {"number": 7})
    error = refusal(position, "P1b1")
    assert (error.rule, error.key, str(error)) == (
        "RR-7",
        "other-half",
        "b1 is in your opponent's half: play to a1, a3 or a5. (RR-7)",
    )
    for move in ("stop", "+", "jump-", "trash:a2", "exchange:a2,b4"):
        error = refusal(position, move)
        assert (error.rule, error.key) == ("RR-7", "play-first")


def test_rr8_card_is_played_to_an_empty_spot_while_there_is_one() -> None:
    position = table("3527", hands="6 6 6 4 4 4 5 5 /")
    assert legal_moves(position) == "P4a1 P4a3 P4a5 P5a1 P5a3 P5a5 P6a1 P6a3 P6a5"
    error = refusal(position, "P4a4")
    assert (error.rule, error.key, error.parameters) == ("RR-8", "fill-empty", {"spot": "a4", "places": "a1, a3 or a5"})


THREE_ROUNDS = "P6a1 P7b1 stop stop P6b3 P6a3 stop stop P7b5 P5a5 stop stop"


def test_rr8_without_an_empty_spot_a_card_without_a_fairy_is_replaced() -> None:
    position = table("3527", THREE_ROUNDS, hands="1 1 2 4 4 / 1 2 3 3 4")
    assert ring(position) == "6 3S 6 5 5 / 7 2 6 7R 7"
    assert position.to_act() == [1]
    assert set(legal_moves(position).split()) == {
        f"P{number}b{spot}" for number in (1, 2, 3, 4) for spot in (1, 2, 3, 5)
    }
    error = refusal(position, "P4b4")
    assert (error.rule, error.key) == ("RR-8", "fairy-there")
    assert error.parameters == {"spot": "b4", "places": "b1, b2, b3 or b5"}
    play(position, "P4b2")
    assert (ring(position), discards(position)) == ("6 3S 6 5 5 / 7 4b 6 7R 7", [2])
    play(position, "P1a5 stop stop P2a3")
    assert (ring(position), discards(position)) == ("6 3S 2a 5 1 / 7 4 6 7R 7", [6, 5, 2])


@pytest.mark.parametrize(
    ("moves", "sunny_mover"),
    [
        ("P4a1 P1b1", 0),  # sunny: the higher card moves Sunny
        ("P1a1 P4b1", 1),
        ("P4a1 P4b1", 0),  # equal: the seat that started the round
        ("P4a1 P1b1 stop stop P4a3 P1b3", 1),  # rainy: the lower card moves Sunny
        ("P4a1 P1b1 stop stop P1a3 P4b3", 0),
        ("P4a1 P1b1 stop stop P1a3 P1b3", 0),  # equal again: seat 0 started
        ("P1a1 P4b1 stop stop P1b3 P1a3", 1),  # and here seat 1 did
    ],
)
def test_rr9_cards_and_weather_decide_who_moves_which_fairy(moves: str, sunny_mover: int) -> None:
    position = table("6657", moves)
    movers = {"sunny": sunny_mover, "rain": 1 - sunny_mover}
    view = game.view(position, WATCHER)
    assert (view["phase"], view["movers"], position.to_act()) == ("sunny", movers, [sunny_mover])
    assert view["last"] is not None
    assert view["last"]["movers"] == movers
    assert play(position, "stop").to_act() == [1 - sunny_mover]


def test_rr9_view_says_which_fairy_each_card_in_hand_would_move() -> None:
    position = table("3527", "P4a1", hands="/ 1 1 3 4 4 6 6 7")
    assert [(choice["number"], choice["moves"]) for choice in game.view(position, 1)["choices"]] == [
        (1, "rain"),
        (3, "rain"),
        (4, "rain"),  # equal: seat 0 started
        (6, "sunny"),
        (7, "sunny"),
    ]
    assert game.view(position, 0)["choices"] == game.view(position, WATCHER)["choices"] == []


def test_rr10_sunny_moves_first_then_rain_and_each_hop_scores() -> None:
    position = table("3547", "P4a3 P1b3")
    assert ring(position) == "- 3S 4a 5 - / - 4 1b 7R -"
    assert play(position, "+").scores() == [1, 0]
    assert play(position, "+").scores() == [2, 0]
    assert play(position, "stop").to_act() == [1]
    assert game.view(position, 0)["phase"] == "rain"
    assert play(position, "-").scores() == [2, 1]
    view = game.view(position, 1)
    assert (view["gains"], view["walk"] and view["walk"]["points"]) == ([[2, 1]], 1)


def test_rr10_cards_are_not_played_while_fairies_move() -> None:
    position = table("3527", "P4a3 P1b3")
    error = refusal(position, "P1a1")
    assert (error.rule, error.key, error.parameters) == ("RR-10", "cards-down", {"fairy": "Sunny"})


def test_rr11_after_a_round_weather_changes_markers_go_and_sunnys_mover_starts() -> None:
    position = table("3527", "P1a3 P4b3 stop stop", hands="1 4 / 4 1")
    view = game.view(position, 0)
    assert (view["round"], view["weather"], view["climbs"], view["movers"]) == (2, "rainy", "rain", None)
    assert ring(position) == "- 3S 1 5 - / - 2 4 7R -"
    assert position.to_act() == [1]
    assert view["last"] is not None
    assert view["last"]["round_end"] == {"round": 1, "gains": [0, 0], "starter": 1}
    view = game.view(play(position, "P1b1 P4a1 stop stop"), 0)
    assert (view["round"], view["weather"], view["climbs"], position.to_act()) == (3, "sunny", "sunny", [1])


def test_rr12_most_points_win() -> None:
    position = table("3547", "P4a3 P1b3 + stop stop")
    while position.to_act():
        seat = position.to_act()[0]
        position.play(seat, 35 if position.phase >= 2 else position.legal(seat)[0])
    outcome = position.outcome()
    assert outcome is not None
    assert (position.scores(), outcome.winners, outcome.places) == ([1, 0], [0], [1, 2])
    assert game.view(position, 0)["result"] == {"winner": 0, "decided_by": "points"}


def test_rr12_tie_is_broken_by_points_in_the_last_round() -> None:
    position = table(
        "5514",
        "P3b3 P7a3 stop stop  P5a1 P1b5 stop stop  P4b1 P6a5 + stop stop  P6a5 P6b5 stop stop"
        "  P7a2 P4b2 stop stop  P1a1 P7b5 stop stop  P3a2 P2b1 stop stop  P2a3 P2b4 stop + stop",
        first=1,
    )
    view, outcome = game.view(position, 0), position.outcome()
    assert (view["scores"], view["gains"][2], view["gains"][7]) == ([1, 1], [1, 0], [0, 1])
    assert outcome is not None
    assert outcome.winners == [1]  # though seat 0 moved Sunny in the last round
    assert view["result"] == {"winner": 1, "decided_by": "last"}


def test_rr12_further_tie_is_won_by_sunnys_mover_in_the_last_round() -> None:
    position = table(
        "4256",
        "P6b5 P7a5 stop stop  P1a3 P4b1 stop stop  P2a1 P3b3 stop stop  P7b5 P3a4 stop stop"
        "  P2a4 P3b1 stop stop  P7b5 P4a1 stop stop  P5a5 P1b1 stop stop  P5a4 P1b1",
        first=1,
    )
    view = game.view(position, 0)
    assert (view["movers"], view["result"]) == ({"sunny": 1, "rain": 0}, None)
    play(position, "+ stop - stop")
    view, outcome = game.view(position, 0), position.outcome()
    assert (view["scores"], view["gains"][7]) == ([1, 1], [1, 1])
    assert outcome is not None
    assert (outcome.winners, outcome.places) == ([1], [2, 1])
    assert view["result"] == {"winner": 1, "decided_by": "sunny"}
    assert "Bo wins" in game.renderer().picture(view, ["Ada", "Bo"])


# ── How fairies move ───────────────────────────────────────────────────────────────────────────────────


def test_rr13_in_the_sun_sunny_climbs_and_rain_descends() -> None:
    position = table("3344", "P5a5 P3b3")
    assert ring(position) == "- 3 - 3S 5a / - 4 3b 4R -"
    assert reach(position) == {"+ a5": 1, "- a2": 1, "- b3": 3, "- b2": 4, "- a5": 5}  # - leaps over b4
    play(position, "stop")
    assert reach(position) == {"+ a2": 1, "- b3": 1}  # from b4: a2 is 3, then Sunny blocks; b3 is 3, then b2 is 4
    error = refusal(play(position, "-"), "-")
    assert (error.rule, error.key) == ("RR-13", "descends")
    assert str(error) == "The Rain Fairy descends now: the 4 on b2, the next card, is higher than 3. (RR-13)"


def test_rr13_in_the_rain_sunny_descends_and_rain_climbs() -> None:
    position = table("3355", "P5a5 P4b3 stop stop P2a1 P6b5")
    assert ring(position) == "2a 3 - 3S 5 / - 5 4 5R 6b"
    assert reach(position) == {"- a2": 1, "- a1": 2}
    error = refusal(position, "+")
    assert (error.rule, error.key) == ("RR-13", "descends")
    play(position, "stop")
    assert reach(position) == {"+ b5": 1}
    error = refusal(position, "-")
    assert (error.rule, error.key) == ("RR-13", "climbs")
    assert str(error) == "The Rain Fairy climbs now: the 4 on b3, the next card, is lower than 5. (RR-13)"


def test_rr14_empty_spots_are_skipped_and_score_nothing() -> None:
    position = table("2356", "P1a1 P7b5")
    assert ring(position) == "1a 2S - 3 - / - 5 - 6R 7b"
    assert reach(position) == {"+ a4": 1, "+ b2": 2, "+ b5": 4}
    play(position, "+ +")
    assert (ring(position), position.scores()) == ("1a 2 - 3 - / - 5S - 6R 7b", [0, 2])


def test_rr15_first_hop_decides_the_direction() -> None:
    position = table("3344", "P5a5 P3b3")
    assert legal_moves(position) == "+ - stop"
    assert game.view(position, 0)["walk"] is not None
    play(position, "-")
    assert legal_moves(position) == "- stop"  # back to a4, an equal number, would follow
    error = refusal(position, "+")
    assert (error.rule, error.key) == ("RR-15", "turned-round")
    assert error.text == "The Sunny Fairy goes clockwise this time: it cannot turn round."
    assert legal_moves(play(position, "stop")) != "- stop"  # the other fairy chooses its direction itself


def test_rr16_mover_may_stop_at_any_time_and_a_fairy_that_stays_scores_nothing() -> None:
    position = table("3344", "P5a5 P3b3")
    assert "stop" in legal_moves(position).split()
    assert "stop" in legal_moves(play(position, "-")).split()
    assert play(table("3344", "P5a5 P3b3"), "stop stop").scores() == [0, 0]


def test_rr16_a_fairy_that_cannot_move_can_only_stop() -> None:
    position = table("5767", "P1a5 P1b5 stop stop P7a3 P3b1 stop stop P4b3 P6a1")
    assert ring(position) == "6a 5S 7 7 1 / 3 6 4b 7R 1"
    assert legal_moves(play(position, "+ +")) == "stop"
    assert play(position, "stop").scores() == [2, 0]


def test_rr17_worked_example_sunny_leaps_over_rain_for_four_points() -> None:
    """Rainy, the Sunny Fairy on 7; ahead 6, 5 under the Rain Fairy, 7, 1."""
    position = table("7751", "P6a5 P7b3 stop stop P2b5 P1a1")
    assert ring(position) == "1a 7 - 7S 6 / - 5R 7 1 2b"
    assert (game.view(position, 0)["weather"], position.to_act()) == ("rainy", [0])
    assert reach(position) == {"+ a5": 1, "+ b3": 3, "+ b4": 4, "- a2": 1, "- a1": 2}
    scores = [play(position, "+").scores()[0] for _ in range(3)]
    assert scores == [1, 3, 4]
    assert legal_moves(position) == "stop"  # 2 is higher than 1
    last = game.view(play(table("7751", "P6a5 P7b3 stop stop P2b5 P1a1"), "+ +"), 1)["last"]
    assert last is not None
    assert (last["spots"], last["points"]) == (["a5", "b2", "b3"], 2)


def test_rr17_card_leapt_over_must_be_next_in_order() -> None:
    position = table("5634", "P1a1 P2b1 stop stop P4b3 P7a3 -")
    assert ring(position) == "1S 5 7a 6 - / 2 3 4b 4R -"
    error = refusal(position, "-")
    assert (error.rule, error.key) == ("RR-17", "leap")
    assert error.parameters == {"spot": "b4", "number": 4, "here": 1, "side": "lower"}


def test_rr18_worked_example_sunny_blocks_rain_after_two_points() -> None:
    """Sunny, the Rain Fairy on 6; ahead 4, 4, then 3 under the Sunny Fairy."""
    position = table("5362", "P4a5 P4b1 stop")
    assert ring(position) == "- 5 - 3S 4a / 4b 6R - 2 -"
    assert game.view(position, 0)["weather"] == "sunny"
    assert reach(position)["- a5"] == 2
    play(position, "- -")
    assert (ring(position), position.scores()) == ("- 5 - 3S 4Ra / 4b 6 - 2 -", [0, 2])
    error = refusal(position, "-")
    assert (error.rule, error.key, error.parameters) == ("RR-18", "blocked", {"spot": "a4"})


def test_rr19_fairy_back_at_its_origin_stops_and_scores_that_card() -> None:
    position = table("3351", "P4a5 P2b5")
    assert ring(position) == "- 3 - 3S 4a / - 5R - 1 2b"
    assert reach(position) == {"+ a5": 1, "+ b4": 3, "+ b5": 4, "+ a2": 5, "+ a4": 6, "- a2": 1}
    play(position, "+ + + + +")
    assert (ring(position), position.scores()) == ("- 3 - 3S 4a / - 5R - 1 2b", [6, 0])
    view = game.view(position, 0)
    assert (view["phase"], position.to_act()) == ("rain", [1])
    assert view["last"] is not None
    assert (view["last"]["ended"], view["last"]["round_end"]) == (True, None)


# ── Options ────────────────────────────────────────────────────────────────────────────────────────────


def test_rr29_clockwise_fairies_always_go_backward() -> None:
    position = table("3344", "P5a5 P3b3", pranks="/ jump skip", direction="clockwise")
    assert legal_moves(position) == "- stop"
    error = refusal(position, "+")
    assert (error.rule, error.key) == ("RR-29", "clockwise")
    assert reach(position) == {"- a2": 1, "- b3": 3, "- b2": 4, "- a5": 5}
    play(position, "stop")
    assert legal_moves(position) == "- jump- skip- stop"
    assert refusal(position, "jump+").rule == refusal(position, "skip+").rule == "RR-29"


def test_rr30_with_free_leaps_the_card_leapt_over_may_have_any_number() -> None:
    moves = "P1a1 P2b1 stop stop P4b3 P7a3 -"
    assert legal_moves(table("5634", moves)) == "stop"
    position = table("5634", moves, leap="free")
    assert (ring(position), legal_moves(position)) == ("1S 5 7a 6 - / 2 3 4b 4R -", "- stop")
    play(position, "-")
    assert (ring(position), position.scores()) == ("1 5 7a 6 - / 2 3 4Sb 4R -", [0, 3])
