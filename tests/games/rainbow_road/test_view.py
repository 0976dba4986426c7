"""Views, notation, refusals and the drawing in a terminal."""

import re

import pytest

from sevenhues.core.errors import BadNotation, IllegalMove
from sevenhues.core.game import resolve_options
from sevenhues.core.moves import check_notation, legal_texts, parse
from sevenhues.core.play import deal
from sevenhues.core.position import WATCHER
from sevenhues.core.resources import rules_text
from sevenhues.core.rng import Rng
from sevenhues.games.rainbow_road import game
from sevenhues.games.rainbow_road.notation import REFUSALS
from sevenhues.games.rainbow_road.pieces import MOVE_COUNT, MOVES
from sevenhues.games.rainbow_road.rules import RoadPosition
from sevenhues.games.rainbow_road.view_types import Last
from tests.games.rainbow_road.positions import play, ring, table

PLAYS = "P4a5 P1b3 stop"  # on 3246: - 3 - 2S 4a / - 4 1b 6R -, seat 1 moves Rain


def last(position: RoadPosition) -> Last:
    shown = game.view(position, WATCHER)["last"]
    assert shown is not None
    return shown


def cards(position: RoadPosition) -> list[int]:
    """Return the id of the card on each spot, 0 for none."""
    return [spot["card"]["card"] if spot["card"] else 0 for spot in game.view(position, 0)["ring"]]


# ── Views ──────────────────────────────────────────────────────────────────────────────────────────────


def test_full_view_shows_the_hands_and_pranks() -> None:
    position = deal(game, b"views", 2)
    setup, view = game.setup(position), game.full_view(position)
    assert [hand["numbers"] for hand in view["hands"]] == setup["hands"]
    assert [pranks["held"] for pranks in view["pranks"]] == setup["pranks"]


def test_cards_are_numbered_when_first_shown_and_keep_their_numbers() -> None:
    moves = f"{PLAYS} trash:b2 stop P7a1 P5b2 stop"
    position = table("3246", moves, pranks="recycle jump / trash exchange")
    assert cards(position) == [7, 1, 0, 2, 5, 0, 8, 6, 4, 0]
    assert game.view(position, 1)["discards"] == [{"card": 3, "number": 4}]
    play(position, "recycle:4>a1")
    assert cards(position) == [3, 1, 0, 2, 5, 0, 8, 6, 4, 0]
    assert game.view(position, 1)["discards"] == [{"card": 7, "number": 7}]
    assert cards(table("3246", f"{PLAYS} exchange:a2,b2", pranks="/ exchange")) == [0, 3, 0, 2, 5, 0, 1, 6, 4, 0]


def test_discard_pile_is_newest_first_and_recycling_takes_the_newest_of_a_number() -> None:
    def pile(position: RoadPosition) -> list[tuple[int, int]]:
        return [(card["card"], card["number"]) for card in game.view(position, 1)["discards"]]

    position = table(
        "5424",
        "P1a1 P1b1 stop stop  P7a3 P5b3 stop stop  P3b5 P2a5 stop stop  P6b3 P3a2 stop stop  P6a3 P7b5 stop",
        pranks="recycle /",
    )
    assert ring(position) == "1 3 6a 4S 2 / 1 2 6 4R 7b"
    assert pile(position) == [(9, 3), (7, 7), (1, 5), (8, 5)]
    play(position, "recycle:5>a3")
    assert (ring(position), cards(position)[2]) == ("1 3 5a 4S 2 / 1 2 6 4R 7b", 1)
    assert pile(position) == [(13, 6), (9, 3), (7, 7), (8, 5)]


@pytest.mark.parametrize(
    ("moves", "shown"),
    [
        ("P4a5", {"seat": 0, "move": "P4a5", "fairy": None, "spots": ["a5"], "card": {"card": 5, "number": 4}}),
        ("P4a5 P1b3", {"seat": 1, "spots": ["b3"], "movers": {"sunny": 0, "rain": 1}}),
        ("P4a5 P1b3 +", {"fairy": "sunny", "spots": ["a4", "a5"], "points": 1, "ended": False}),
        ("P4a5 P1b3 stop", {"fairy": "sunny", "spots": [], "points": 0, "ended": True, "round_end": None}),
        (f"{PLAYS} -", {"seat": 1, "fairy": "rain", "spots": ["b4", "b3"], "points": 1}),
        (f"{PLAYS} jump-", {"spots": ["b4", "b3"], "points": 1}),
        (f"{PLAYS} skip-", {"spots": ["b4", "b3", "b2"], "points": 1}),
        (f"{PLAYS} trash:b3", {"spots": ["b3"], "out": {"card": 6, "number": 1}, "points": 0}),
        (f"{PLAYS} exchange:a2,b2", {"spots": ["a2", "b2"], "card": None, "out": None}),
        (f"{PLAYS} teleport:b2", {"spots": ["b4", "b2"], "points": 0}),
        (f"{PLAYS} - stop", {"ended": True, "round_end": {"round": 1, "gains": [0, 1], "starter": 0}}),
    ],
)
def test_last_move_is_in_the_view(moves: str, shown: dict[str, object]) -> None:
    prank = moves.split()[-1].split(":")[0].rstrip("+-")
    seen = last(table("3246", moves, pranks=f"/ {prank}" if prank.isalpha() and prank != "stop" else ""))
    assert {key: value for key, value in seen.items() if key in shown} == shown


def test_recycling_shows_both_cards_in_the_view() -> None:
    moves = f"{PLAYS} trash:b2 stop P7a1 P5b2 stop recycle:4>a1"
    seen = last(table("3246", moves, pranks="recycle / trash"))
    assert (seen["card"], seen["out"], seen["spots"]) == ({"card": 3, "number": 4}, {"card": 7, "number": 7}, ["a1"])


def test_replaced_card_is_in_the_view() -> None:
    moves = "P6a1 P7b1 stop stop P6b3 P6a3 stop stop P7b5 P5a5 stop stop P4b2"
    assert last(table("3527", moves))["out"] == {"card": 3, "number": 2}


def test_walk_lists_the_hops_and_points_to_each_card() -> None:
    walk = game.view(table("7751", "P6a5 P7b3 stop stop P2b5 P1a1"), 1)["walk"]
    assert walk is not None
    assert (walk["fairy"], walk["seat"], walk["origin"], walk["way"], walk["points"]) == ("sunny", 0, "a4", None, 0)
    assert walk["reach"][2] == {"spot": "b4", "hops": ["+", "+", "+"], "points": 4}


def test_features_mirror_with_the_seats() -> None:
    """The same game with the seats changed gives the same numbers."""
    one = table("3246", "P4a5 P1b3 + stop -", pranks="jump skip / trash recycle", hands="7 / 5")
    setup = game.setup(one)
    mirrored = {key: value[::-1] for key, value in setup.items() if key != "first"}
    other = game.start({**mirrored, "first": 1}, 2, resolve_options(game, {}))
    play(other, "P4b5 P1a3 + stop -")
    assert game.observation_encoder().encode(one, 0) == game.observation_encoder().encode(other, 1)
    assert game.observation_encoder().encode(one, 1) == game.observation_encoder().encode(other, 0)
    assert game.observation_encoder().encode(one, 0) != game.observation_encoder().encode(one, 1)
    assert one.legal(1) == other.legal(0)


def test_features_match_their_layout() -> None:
    numbers = iter(
        game.observation_encoder().encode(table("3246", f"{PLAYS} -", pranks="jump skip / trash recycle"), 1)
    )
    named = {
        feature.name: [next(numbers) for _ in range(feature.size)]
        for feature in game.observation_encoder().layout(2, resolve_options(game, {}))
    }
    assert named["road"] == [0, 4, 1, 6, 0, 0, 3, 0, 2, 4]
    assert (named["sunny_fairy"], named["rain_fairy"], named["origin"]) == ([8], [2], [3])
    assert (named["my_marker"], named["other_marker"], named["owed"]) == ([2], [9], [10])
    assert (named["ways"], named["hopped"], named["pranked"], named["phase"]) == ([2], [1], [0], [3])
    assert (named["my_pranks"], named["prank_counts"]) == ([0, 0, 0, 1, 0, 1], [2, 2])
    assert (named["scores"], named["gains"], named["hand_sizes"]) == ([1, 0], [1, 0], [7, 7])


# ── Notation ───────────────────────────────────────────────────────────────────────────────────────────


def test_every_move_has_a_distinct_text_for_each_seat() -> None:
    for texts in MOVES:
        assert len(set(texts)) == len(texts) == MOVE_COUNT
        for text in texts:
            check_notation(game, text)
    assert set(MOVES[0]) ^ set(MOVES[1]) == {
        f"P{n}{half}{spot}" for n in range(1, 8) for half in "ab" for spot in range(1, 6)
    }


@pytest.mark.parametrize(
    "text",
    ["P8a1", "P0a1", "P1a6", "P1c1", "p1a1", "P1", "", "++", "jump", "Stop", "exchange:b4,a2", "exchange:a2,a2",
     "exchange:a2", "trash:", "trash:a0", "teleport:b6", "recycle:8>a1", "recycle:1>", "recycle:1a1", "stop ",
     "+\n", "P٣a1"],
)  # fmt: skip
def test_g3_malformed_move_text_is_refused(text: str) -> None:
    with pytest.raises(BadNotation, match="is not a move of Rainbow Road"):
        parse(game, table("3246"), 0, text)


def test_every_move_is_legal_or_refused_with_a_rule() -> None:
    """Every illegal move in random games is refused with a rule and the legal moves."""
    rules, seen = rules_text(game), set()
    texts = sorted({*MOVES[0], *MOVES[1]})
    for seed, options in ((b"one", {}), (b"two", {"direction": "clockwise"}), (b"three", {"leap": "free"})):
        position, rng = deal(game, seed, None, options), Rng(8)
        while position.to_act():
            seat = position.turn
            legal = set(legal_texts(game, position, seat))
            for text in texts:
                if text in legal:
                    assert MOVES[seat][parse(game, position, seat, text)] == text
                    continue
                with pytest.raises(IllegalMove) as caught:
                    parse(game, position, seat, text)
                assert set(caught.value.legal) == legal
                seen.add(caught.value.key)
            position.play(seat, position.pick(seat, rng))
    assert seen <= set(REFUSALS)
    assert all(f"**{refusal.rule}**" in rules for refusal in REFUSALS.values())


def test_rules_are_numbered_without_gaps() -> None:
    assert re.findall(r"^- \*\*RR-(\d+)\*\*", rules_text(game), re.M) == [str(n) for n in range(1, 31)]


def test_rulings_are_marked_in_the_rules() -> None:
    rules = re.split(r"^- \*\*RR-(\d+)\*\*", rules_text(game), flags=re.M)
    assert [int(n) for n, text in zip(rules[1::2], rules[2::2], strict=True) if "**ruling**" in text] == [
        *(2, 4, 9, 15, 17, 23, 24, 28)
    ]


# ── The terminal ───────────────────────────────────────────────────────────────────────────────────────


def test_drawing_has_the_viewers_half_of_the_ring_below() -> None:
    position = table("7751", "P6a5 P7b3 stop stop P2b5 P1a1")
    drawn = game.renderer().draw(game.view(position, 0), colour=False).split("\n")
    assert drawn[0] == "Round 2 of 8   you move the Sunny Fairy: +, -, stop (0 points so far)"
    assert drawn[4:14] == [
        "          b5     b4     b3     b2     b1",
        "      ╭──○[2]────[1]────[7]────[5]──── · ───╮",
        "      │                       Rain          │",
        "      │         4 pt   3 pt                 │",
        "      │ ← +                             - → │",
        "      │ [RAINY] Rain climbs, Sunny descends │",
        "      │ ← -                             + → │",
        "      │  2 pt   1 pt                 1 pt   │",
        "      │                       Sunny         │",
        "      ╰──●[1]────[7]──── · ────[7]────[6]───╯",
    ]
    assert drawn[14] == "          a1     a2     a3     a4     a5"
    other = game.renderer().draw(game.view(position, 1), colour=False).split("\n")
    assert other[4] == "          a5     a4     a3     a2     a1"
    assert other[13] == "      ╰─── · ────[5]────[7]────[1]───●[2]───╯"


def test_colour_does_not_change_the_drawing_otherwise() -> None:
    position, rng = deal(game, b"colour"), Rng(3)
    while position.to_act():
        for viewer in (0, 1, WATCHER):
            view = game.view(position, viewer)
            plain, coloured = (
                game.renderer().draw(view, False),
                re.sub("\x1b[^m]*m", "", game.renderer().draw(view, True)),
            )
            blanked = re.sub(r"[\[\]]", " ", plain)
            assert [line.split() for line in coloured.split("\n")] == [line.split() for line in blanked.split("\n")]
        position.play(position.turn, position.pick(position.turn, rng))


def test_drawing_hides_cards_and_pranks_of_others() -> None:
    one = table("3246", PLAYS, hands="7 7 / 5 5", pranks="jump skip / trash recycle")
    other = table("3246", PLAYS, hands="7 7 / 6 6", pranks="jump skip / teleport exchange")
    assert game.view(one, 1) != game.view(other, 1)
    for viewer in (0, WATCHER):
        assert game.renderer().draw(game.view(one, viewer), False) == game.renderer().draw(
            game.view(other, viewer), False
        )


@pytest.mark.parametrize(
    ("moves", "description"),
    [
        ("", ""),
        ("P4a5", "Seat 0 played a 4 to a5."),
        ("P4a5 P1b3", "Seat 1 played a 1 to b3. Seat 0 moves the Sunny Fairy, seat 1 the Rain Fairy."),
        ("P4a5 P1b3 +", "Seat 0 hopped with the Sunny Fairy from a4 to a5 for 1 point."),
        (f"{PLAYS} skip-", "Seat 1 skipped with the Rain Fairy from b4 over b3 to b2 for 1 point."),
        (f"{PLAYS} trash:b3", "Seat 1 trashed the 1 on b3."),
        (f"{PLAYS} exchange:a2,b2", "Seat 1 exchanged the cards on a2 and b2."),
        (f"{PLAYS} teleport:b2", "Seat 1 teleported the Rain Fairy from b4 to b2."),
        (
            f"{PLAYS} stop",
            "Seat 1 stopped the Rain Fairy. Round 1 is over: seat 0 gained 0, seat 1 0."
            " It turns rainy, and seat 0 starts.",
        ),
    ],
)
def test_last_move_is_described(moves: str, description: str) -> None:
    prank = (moves.split() or ["stop"])[-1].split(":")[0].rstrip("+-")
    position = table("3246", moves, pranks=f"/ {prank}" if prank.isalpha() and prank != "stop" else "")
    assert game.renderer().describe_last_move(game.view(position, WATCHER)) == description


def test_leap_return_and_replacement_are_described() -> None:
    leap = table("7751", "P6a5 P7b3 stop stop P2b5 P1a1 + +")
    assert (
        game.renderer().describe_last_move(game.view(leap, 0))
        == "Seat 0 leapt with the Sunny Fairy from a5 over b2 to b3 for 2 points."
    )
    home = table("3351", "P4a5 P2b5 + + + + +")
    assert game.renderer().describe_last_move(game.view(home, 0)) == (
        "Seat 0 hopped with the Sunny Fairy from a2 to a4 for 1 point, where its move began and ends."
    )
    moves = "P6a1 P7b1 stop stop P6b3 P6a3 stop stop P7b5 P5a5 stop stop P4b2"
    assert (
        game.renderer().describe_last_move(game.view(table("3527", moves), 0))
        == "Seat 1 played a 4 to b2; the 2 there was discarded."
    )
