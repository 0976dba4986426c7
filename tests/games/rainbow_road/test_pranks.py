"""The pranks, rule by rule: a position, a move, and the result.

Mostly on this ring, where seat 1 moves the Rain Fairy in the first, sunny round: it descends from b4.
    - 3 - 2S 4a / - 4 1b 6R -
"""

from collections import Counter

import pytest

from sevenhues.core.position import WATCHER
from sevenhues.core.rng import Rng
from sevenhues.games.rainbow_road import game
from sevenhues.games.rainbow_road.rules import RoadPosition
from tests.games.rainbow_road.positions import discards, legal_moves, play, refusal, ring, table

PLAYS = "P4a5 P1b3 stop"
RING = "- 3 - 2S 4a / - 4 1b 6R -"


def rain(held: str, moves: str = "", hands: str = "") -> RoadPosition:
    """Let seat 1 move the Rain Fairy on the ring above, with these pranks."""
    position = table("3246", PLAYS, hands=hands, pranks=f"/ {held}")
    assert ring(position) == RING
    assert position.to_act() == [1]
    return play(position, moves)


# ── When ───────────────────────────────────────────────────────────────────────────────────────────────


def test_rr20_only_the_mover_of_rain_may_use_a_prank() -> None:
    position = table("3246", "P4a5 P1b3", pranks="jump trash / skip exchange")
    assert legal_moves(position) == "+ - stop"  # seat 0, moving Sunny, holds jump and trash
    for move in ("jump+", "trash:a2"):
        error = refusal(position, move)
        assert (error.rule, error.key) == ("RR-20", "not-rain")


def test_rr20_one_prank_per_round_is_shown_and_used_up() -> None:
    position = rain("jump teleport", "jump-")
    assert legal_moves(position) == "stop"
    error = refusal(position, "teleport:b2")
    assert (error.rule, error.key) == ("RR-20", "one-prank")
    assert game.view(position, 0)["pranks"][1] == {"count": 1, "held": None, "used": ["jump"]}
    view = game.view(position, 1)
    assert view["pranks"][1] == {"count": 1, "held": ["teleport"], "used": ["jump"]}
    assert view["walk"] is not None
    assert view["walk"]["pranked"]


def test_rr20_second_prank_is_allowed_in_another_round() -> None:
    position = table("3246", f"{PLAYS} trash:b3 stop P3a1 P5b3 stop", pranks="/ trash jump")
    assert position.to_act() == [1]
    assert "jump+" in legal_moves(position).split()


def test_rr20_only_held_pranks_are_allowed() -> None:
    error = refusal(rain("jump teleport"), "skip+")
    assert (error.rule, error.key, error.parameters) == ("RR-20", "not-held", {"prank": "skip"})


def test_rr20_prank_without_effect_is_allowed() -> None:
    position = rain("exchange jump", "exchange:a5,b2")  # two 4s
    assert (ring(position), game.view(position, 0)["pranks"][1]["used"]) == (
        "- 3 - 2S 4 / - 4a 1b 6R -",
        ["exchange"],
    )
    assert play(rain("jump teleport"), "jump+").scores() == play(rain("jump teleport"), "+").scores() == [0, 1]


LATE = {
    "exchange:a2,b2": "RR-21",
    "trash:a2": "RR-25",
    "teleport:b2": "RR-26",
    "recycle:4>b3": "RR-27",
}


@pytest.mark.parametrize("move", LATE)
def test_prank_before_the_first_hop_is_refused_after_it(move: str) -> None:
    prank = move.split(":")[0]
    position = rain(f"{prank} jump", "-")
    assert legal_moves(position) == "jump- stop"
    error = refusal(position, move)
    assert (error.rule, error.key) == (LATE[move], f"{prank}-late")


# ── Exchange ───────────────────────────────────────────────────────────────────────────────────────────


def test_rr21_exchange_swaps_two_cards_anywhere_and_markers_stay_with_them() -> None:
    assert ring(rain("exchange jump", "exchange:a2,b2")) == "- 4 - 2S 4a / - 3 1b 6R -"
    assert ring(rain("exchange jump", "exchange:a5,b3")) == "- 3 - 2S 1b / - 4 4a 6R -"
    assert ring(rain("exchange jump", "exchange:a2,b3")) == "- 1b - 2S 4a / - 4 3 6R -"


def test_rr21_card_with_a_fairy_cannot_be_exchanged() -> None:
    position = rain("exchange jump")
    pairs = [move for move in legal_moves(position).split() if move.startswith("exchange")]
    assert pairs == [f"exchange:{pair}" for pair in ["a2,a5", "a2,b2", "a2,b3", "a5,b2", "a5,b3", "b2,b3"]]
    for move, key, spot in (
        ("exchange:a2,a4", "exchange-fairy", "a4"),
        ("exchange:b2,b4", "exchange-fairy", "b4"),
        ("exchange:a1,a2", "exchange-empty", "a1"),
    ):
        error = refusal(position, move)
        assert (error.rule, error.key, error.parameters) == ("RR-21", key, {"spot": spot})


def test_rr21_move_follows_the_cards_after_the_exchange() -> None:
    position = rain("exchange jump", "exchange:b2,b3 - -")
    assert (ring(position), position.scores()) == ("- 3 - 2S 4a / - 1Rb 4 6 -", [0, 2])


def test_rr21_exchange_does_not_change_who_moves_which_fairy() -> None:
    position = rain("exchange jump", "exchange:a5,b3 stop")  # the 4 now lies in seat 1's half
    assert position.to_act() == [0]  # who moved Sunny starts


# ── Jump and skip ──────────────────────────────────────────────────────────────────────────────────────


def test_rr22_jump_goes_to_the_next_card_of_any_number_for_1_point() -> None:
    position = rain("jump teleport", "-")
    assert refusal(position, "-").rule == "RR-13"  # 4 is higher than 1
    play(position, "jump-")
    assert (ring(position), position.scores()) == ("- 3 - 2S 4a / - 4R 1b 6 -", [0, 2])


def test_rr22_jump_onto_the_sunny_fairys_card_is_refused() -> None:
    position = rain("jump teleport", "+")
    assert ring(position) == "- 3R - 2S 4a / - 4 1b 6 -"
    assert legal_moves(position) == "stop"
    error = refusal(position, "jump+")
    assert (error.rule, error.key, error.parameters) == ("RR-22", "jump-sunny", {"spot": "a4"})


def test_rr23_skip_passes_over_a_card_and_scores_only_the_landing() -> None:
    position = rain("skip teleport", "skip-")
    assert (ring(position), position.scores()) == ("- 3 - 2S 4a / - 4R 1b 6 -", [0, 1])
    last = game.view(position, 0)["last"]
    assert last is not None
    assert (last["spots"], last["points"]) == (["b4", "b3", "b2"], 1)


def test_rr23_skip_ignores_the_numbers() -> None:
    position = rain("skip teleport", "- skip-")  # from 1 over a 4 onto a 4
    assert (ring(position), position.scores()) == ("- 3 - 2S 4Ra / - 4 1b 6 -", [0, 2])


def test_rr23_skip_onto_the_sunny_fairys_card_is_refused() -> None:
    position = rain("skip teleport")
    error = refusal(position, "skip+")  # over a2 onto a4
    assert (error.rule, error.key, error.parameters) == ("RR-23", "skip-sunny", {"spot": "a4"})


def test_rr23_skip_over_the_sunny_fairys_card_is_allowed() -> None:
    position = rain("skip teleport", "+ skip+")
    assert (ring(position), position.scores()) == ("- 3 - 2S 4Ra / - 4 1b 6 -", [0, 2])


def test_rr24_move_continues_in_order_after_a_jump_or_skip() -> None:
    position = rain("skip teleport", "skip- -")  # 4, then 4
    assert (ring(position), position.scores()) == ("- 3 - 2S 4Ra / - 4 1b 6 -", [0, 2])
    position = rain("jump teleport", "- jump- -")  # 1, then 4 by the jump, then 4
    assert (ring(position), position.scores()) == ("- 3 - 2S 4Ra / - 4 1b 6 -", [0, 3])
    assert refusal(rain("jump teleport", "jump-"), "-").rule == "RR-13"  # 1, then 4


def test_rr15_jump_and_skip_keep_the_direction() -> None:
    position = rain("jump skip", "-")
    assert legal_moves(position) == "jump- skip- stop"
    for move in ("jump+", "skip+"):
        error = refusal(position, move)
        assert (error.rule, error.key) == ("RR-15", "turned-round")
    assert legal_moves(rain("jump teleport", "jump-")) == "stop"


def test_rr19_rain_returns_to_its_origin_after_a_skip_over_sunny() -> None:
    position = table("7355", "P4a5 P6b5 stop", pranks="skip jump /")
    assert ring(position) == "- 7 - 3S 4a / - 5 - 5R 6b"
    play(position, "- - skip- - -")
    assert position.scores() == [5, 0]
    view = game.view(position, 0)
    assert (view["round"], view["phase"], position.to_act()) == (2, "play", [1])
    assert ring(position) == "- 7 - 3S 4 / - 5 - 5R 6"


# ── Trash ──────────────────────────────────────────────────────────────────────────────────────────────


def test_rr25_trash_discards_a_card_with_its_marker() -> None:
    position = rain("trash jump", "trash:b3")
    assert (ring(position), discards(position)) == ("- 3 - 2S 4a / - 4 - 6R -", [1])
    assert legal_moves(position) == "+ - stop"  # the move goes on: b2 is next now


def test_rr25_any_card_without_a_fairy_can_be_trashed() -> None:
    position = rain("trash jump")
    assert [move for move in legal_moves(position).split() if "trash" in move] == [
        "trash:a2",
        "trash:a5",
        "trash:b2",
        "trash:b3",
    ]
    for move, key in (("trash:a4", "trash-fairy"), ("trash:b4", "trash-fairy"), ("trash:a1", "trash-empty")):
        error = refusal(position, move)
        assert (error.rule, error.key, error.parameters) == ("RR-25", key, {"spot": move[-2:]})


@pytest.mark.parametrize(("spot", "owner"), [("a2", 0), ("b2", 1), ("b3", 1)])
def test_rr25_next_card_of_that_half_must_fill_the_empty_spot(spot: str, owner: int) -> None:
    position = rain("trash jump", f"trash:{spot} stop")
    assert game.view(position, WATCHER)["owed"] == spot
    if owner == 1:
        assert game.view(position, WATCHER)["places"] == ["a1", "a3"]  # not seat 0's concern
        play(position, legal_moves(position).split()[0])
    assert position.to_act() == [owner]
    assert {move[2:] for move in legal_moves(position).split()} == {spot}
    other = "a1" if owner == 0 else "b1"
    error = refusal(position, f"P{legal_moves(position)[1]}{other}")
    assert (error.rule, error.key, error.parameters) == ("RR-25", "owed", {"owed": spot})
    play(position, legal_moves(position).split()[0])
    assert game.view(position, WATCHER)["owed"] is None


# ── Teleport ───────────────────────────────────────────────────────────────────────────────────────────


def test_rr26_teleport_scores_nothing_and_the_move_begins_there() -> None:
    position = rain("teleport jump", "teleport:b2")
    assert (ring(position), position.scores()) == ("- 3 - 2S 4a / - 4R 1b 6 -", [0, 0])
    view = game.view(position, 0)
    assert view["walk"] is not None
    assert view["walk"]["origin"] == "b2"
    assert legal_moves(position) == "+ - stop"  # both ways are still open
    assert play(position, "-").scores() == [0, 1]


def test_rr26_teleport_goes_to_any_other_card_except_the_sunny_fairys() -> None:
    position = rain("teleport jump")
    assert [move[-2:] for move in legal_moves(position).split() if "teleport" in move] == ["a2", "a5", "b2", "b3"]
    for spot, key in (("a4", "teleport-sunny"), ("b4", "teleport-same"), ("b5", "teleport-empty")):
        error = refusal(position, f"teleport:{spot}")
        assert (error.rule, error.key, error.parameters) == ("RR-26", key, {"spot": spot})


def test_rr26_passing_the_spot_before_the_teleport_does_not_end_the_move() -> None:
    """RR-19 counts from where the move began, which is where it was put."""
    position = table("3246", "P4a5 P7b5 stop", pranks="teleport jump /")
    assert ring(position) == "- 3 - 2S 4a / - 4 - 6R 7b"
    play(position, "teleport:b5 - -")
    assert (ring(position), position.scores(), position.to_act()) == ("- 3 - 2S 4a / - 4R - 6 7b", [2, 0], [0])


# ── Recycle ────────────────────────────────────────────────────────────────────────────────────────────

# Round 1: seat 1 trashes the 4 on b2. Round 2, rainy: seat 0 plays a 7 to a1 and moves Rain, seat 1 a 5 to b2.
RECYCLE = f"{PLAYS} trash:b2 stop P7a1 P5b2"
RECYCLE_RING = "7a 3 - 2S 4 / - 5b 1 6R -"


def recycling(moves: str = "stop") -> RoadPosition:
    position = table("3246", RECYCLE, pranks="recycle jump / trash skip")
    assert (ring(position), discards(position), position.to_act()) == (RECYCLE_RING, [4], [1])
    return play(position, moves)


def test_rr27_recycle_puts_a_discard_in_place_of_a_card_played_this_round() -> None:
    position = recycling()
    assert [move for move in legal_moves(position).split() if "recycle" in move] == ["recycle:4>a1", "recycle:4>b2"]
    play(position, "recycle:4>a1")
    assert (ring(position), discards(position)) == ("4a 3 - 2S 4 / - 5b 1 6R -", [7])
    assert position.to_act() == [0]
    assert ring(recycling("stop recycle:4>b2")) == "7a 3 - 2S 4 / - 4b 1 6R -"


def test_rr27_recycle_replaces_only_marked_cards_by_discards() -> None:
    position = recycling()
    for move, key, parameters in (
        ("recycle:7>a1", "recycle-missing", {"number": 7}),
        ("recycle:4>a2", "recycle-unmarked", {"spot": "a2"}),
        ("recycle:4>a3", "recycle-unmarked", {"spot": "a3"}),
    ):
        error = refusal(position, move)
        assert (error.rule, error.key, error.parameters) == ("RR-27", key, parameters)


def test_rr27_recycle_needs_a_discard() -> None:
    position = rain("recycle jump")
    assert "recycle" not in legal_moves(position)
    error = refusal(position, "recycle:4>b3")
    assert (error.rule, error.key) == ("RR-27", "recycle-nothing")


def test_rr27_sunny_fairys_card_cannot_be_recycled() -> None:
    position = table("3246", f"{PLAYS} trash:b2 stop P1a3 P5b2 - stop", pranks="/ trash recycle")
    assert (ring(position), position.to_act()) == ("- 3 1Sa 2 4 / - 5b 1 6R -", [1])
    assert [move for move in legal_moves(position).split() if "recycle" in move] == ["recycle:4>b2"]
    error = refusal(position, "recycle:4>a3")
    assert (error.rule, error.key, error.parameters) == ("RR-27", "recycle-sunny", {"spot": "a3"})


def test_random_moves_are_uniform_over_pranks_of_every_kind() -> None:
    position = table("3246", f"{PLAYS} trash:b2 stop P7a1 P5b2 stop", pranks="recycle exchange / trash skip")
    moves, rng, samples = position.legal(0), Rng(1), 6000
    assert len(moves) == 14  # stop, +, ten exchanges, two recyclings
    counts = Counter(position.pick(0, rng) for _ in range(samples))
    assert sorted(counts) == moves
    assert max(abs(count - samples / len(moves)) for count in counts.values()) < 5 * (samples / len(moves)) ** 0.5


# ── What the others can tell ───────────────────────────────────────────────────────────────────────────


def test_rr28_rain_move_ends_by_stop_even_when_forced() -> None:
    position = rain("recycle jump", "+")
    assert legal_moves(position) == "stop"  # Sunny is next, and neither prank will do
    assert position.to_act() == [1]


def test_rr28_view_of_others_does_not_depend_on_held_pranks() -> None:
    for moves in ("", "+", "-", "- stop"):
        seen = set()
        for held in ("exchange jump", "skip trash", "teleport recycle", "recycle exchange", "skip jump"):
            position = table("3246", f"{PLAYS} {moves}", pranks=f"{'trash teleport' if 'j' in held else ''} / {held}")
            seen.add(
                str(
                    [
                        game.view(position, WATCHER),
                        game.observation_encoder().encode(position, WATCHER),
                        position.to_act(),
                    ]
                )
            )
        assert len(seen) == 1


def test_rr28_forced_stop_is_shown_only_when_every_viewer_can_infer_it() -> None:
    def forced(position: RoadPosition) -> list[bool]:
        walks = [game.view(position, viewer)["walk"] for viewer in (0, 1, WATCHER)]
        return [walk["forced"] for walk in walks if walk is not None]

    assert forced(rain("recycle jump", "+")) == [False] * 3  # only stop is legal, but that is the mover's secret
    assert forced(rain("jump recycle", "jump-")) == [True] * 3  # a prank was used, and 4 is higher than 1
    assert forced(table("5767", "P1a5 P1b5 stop stop P7a3 P3b1 stop stop P4b3 P6a1 + +")) == [True] * 3  # Sunny


def test_rr28_jump_target_is_shown_only_to_its_holder() -> None:
    position = rain("jump skip")
    walks = [game.view(position, viewer)["walk"] for viewer in (0, 1, WATCHER)]
    assert [walk and walk["prank_hops"] for walk in walks] == [
        [],
        [
            {"move": "jump+", "spot": "a2", "points": 1},
            {"move": "jump-", "spot": "b3", "points": 1},
            {"move": "skip-", "spot": "b2", "points": 1},
        ],
        [],
    ]
