"""End, ranking and mistakes of a game: the rules from NB-12 on."""

from sevenhues.core.game import resolve_options
from sevenhues.core.rng import Rng
from sevenhues.games.nimble import game
from tests.games.nimble.positions import ALL_CARDS, CHAIN, ended, lay, may, name, play, refusal, shown, table, tops

# Seat 0 starts stacks 1 and 2 with AM and QW, seat 1 stack 3 with WE: frames M, W and E fit.
MINE = "AM QW MQ QE AP"
THEIRS = "WE MA EA PQ"

# Every card of frame A goes onto the stacks, and circle A comes to lie on top of all three. Two cards more of seat 0
# can be laid on the way.
LAST_A_0 = "AM AE MA AW WA AP PA AQ QA EA"
LAST_A_1 = "AM MA AE EA AW WA AP PA AQ QA"
TWO_MORE = "AM AE ME EM MA AW WA AP PA AQ QA EA"


# ── End ────────────────────────────────────────────────────────────────────────────────────────────────


def test_nb12_first_of_two_players_with_one_card_left_wins() -> None:
    position = table(CHAIN, "EM AW", targets="011", moves=lay(0, 1, 27))
    assert (position.scores(), position.outcome()) == ([2, 28], None)
    outcome = ended(play(position, lay(0, 1)))
    assert (outcome.reason, outcome.winners, position.scores()) == ("out", [0], [1, 28])


def test_nb12_first_of_three_players_without_cards_wins() -> None:
    position = table(CHAIN, "EM", "AW", targets="012", moves=lay(0, 1, 28))
    assert (position.scores(), position.outcome()) == ([1, 29, 29], None)
    outcome = ended(play(position, lay(0, 1)))
    assert (outcome.reason, outcome.winners, position.scores()) == ("out", [0], [0, 29, 29])


def test_nb12_player_who_gave_no_card_places_thirty() -> None:
    position = table("PQ", "QA", "EM", CHAIN, targets="012", moves=lay(3, 2, 29))
    assert (position.scores(), position.outcome()) == ([29, 29, 29, 1], None)
    assert ended(play(position, lay(3, 2))).winners == [3]


def test_nb12_every_move_after_the_end_is_refused() -> None:
    position = table(CHAIN, "EM AW", targets="011", moves=lay(0, 1, 28))
    for seat, move in ((1, "f"), (0, "p1/29"), (1, "p1/1")):
        error = refusal(position, seat, move)
        assert (error.rule, error.parameters, error.legal) == ("G-2", {"reason": "out"}, [])
    assert position.pick_seat(Rng(0)) == -1


def test_nb13_others_rank_by_fewest_cards_and_equal_counts_share() -> None:
    moves = "0f 0b 1f " + lay(2, 1, 29)
    position = table("EM", "AW", CHAIN, "MA", targets="201", moves=moves)
    assert position.scores() == [29, 29, 0, 30]
    assert ended(position).places == [2, 2, 1, 4]


def test_nb13_set_and_pile_count_together() -> None:
    position = table("PM ME", "AW", CHAIN, targets="201", moves=lay(0, 1) + "0f 0f")  # ME on AM
    assert (position.scores(), shown(position, 0)) == ([28, 29, 29], "26 AE 2")
    assert tops(position) == "ME PM AW"


def test_nb14_game_ends_when_no_card_fits_and_equal_counts_share() -> None:
    moves = lay(0, 1, 7) + lay(0, 2) + lay(1, 3, 8) + "1f"
    position = table(LAST_A_0, LAST_A_1, targets="001", moves=moves)
    assert (tops(position), position.outcome()) == ("QA EA AQ", None)
    outcome = ended(play(position, "1p3"))
    assert (outcome.reason, outcome.winners, outcome.places) == ("stalemate", [0, 1], [1, 1])
    assert position.scores() == [20, 20]


def test_nb14_fewest_cards_win_a_stalemate() -> None:
    moves = lay(0, 1, 9) + lay(0, 2) + lay(1, 3, 9)
    position = table(TWO_MORE, LAST_A_1, targets="001", moves=moves)
    outcome = ended(position)
    assert (outcome.reason, outcome.winners, outcome.places) == ("stalemate", [0], [1, 2])
    assert position.scores() == [18, 20]


def test_nb14_fitting_card_deep_in_a_set_prevents_stalemate() -> None:
    late = sorted(ALL_CARDS, key=lambda card: card[0] in "AM")  # frames A and M, the only ones that fit, at the bottom
    late.remove("AM")
    position = table(LAST_A_0, " ".join(["AM", *late]), targets="001", moves=lay(0, 1, 7) + lay(0, 2))
    assert (tops(position), position.outcome()) == ("QA EA AM", None)
    assert may(play(position, "1f " * 20), 1) == "b f"
    assert may(play(position, "1f"), 1) == "b f p1 p2"


def test_nb14_audited_game_ends_in_stalemate() -> None:
    moves = lay(0, 1, 7) + lay(0, 2) + lay(1, 3, 9)
    assert ended(table(LAST_A_0, LAST_A_1, targets="001", moves=moves, checking="audit")).reason == "stalemate"


def test_nb14_going_out_takes_precedence_over_stalemate() -> None:
    # Seat 1 throws its frames A away; seat 0 lays all its cards but WQ, and at last circle A on the third stack.
    others = [card for card in ALL_CARDS if card not in ("AM", "WA", "QA", "EA", "WQ")]
    mine = " ".join(["AM", *others, "WA", "QA", "EA", "WQ"])
    moves = lay(1, 1, 5) + lay(0, 1, 25) + lay(0, 2) + lay(0, 3) + "0f"
    position = table(mine, "EM PM AM AE AW AP AQ", targets="011", moves=moves, checking="audit")
    assert position.outcome() is None
    assert ended(play(position, "0p1")).reason == "out"
    assert tops(position) == "EA WA QA"


# ── Mistakes ───────────────────────────────────────────────────────────────────────────────────────────


def test_nb15_referee_refuses_cards_that_do_not_fit_by_default() -> None:
    assert resolve_options(game, {}) == {"checking": "referee"}
    position = table(MINE, THEIRS, targets="001", moves="0f")
    assert refusal(position, 0, "p3").rule == "NB-7"


def test_nb15_audit_accepts_cards_that_do_not_fit() -> None:
    position = table(MINE, THEIRS, targets="001", moves="0f", checking="audit")
    assert may(position, 0) == "b f p1 p2 p3"
    assert tops(play(position, "0p3")) == "AM QW MQ"
    assert game.mistakes(position) == []  # judged only after the game
    assert game.view(position, 0)["result"] is None


def test_nb16_each_mistake_lists_stack_height_card_and_owner() -> None:
    # Seat 1 lays AW on EM, PQ on QE, WP rightly on AW, and AE on WP.
    moves = "1f 1p2 1f 1p3 1f 1p2 1f 1p2 " + lay(0, 1, 28)
    position = table(CHAIN, "EM QE AW PQ WP AE", targets="011", moves=moves, checking="audit")
    mistakes = [(m["stack"], m["height"], name(m["card"]), m["owner"]) for m in game.mistakes(position)]
    assert mistakes == [(2, 2, "AW", 1), (2, 4, "AE", 1), (3, 2, "PQ", 1)]
    result = game.view(position, 0)["result"]
    assert result is not None
    assert (result["mistakes"], result["disqualified"]) == (game.mistakes(position), [1])
    assert [[name(card) for card in stack] for stack in result["stacks"]][1:] == [
        ["EM", "AW", "WP", "AE"],
        ["QE", "PQ"],
    ]


def test_nb16_fitting_card_on_top_of_a_mistake_is_no_mistake() -> None:
    # Seat 1 lays PA on AM, wrongly; seat 0 goes on from there with AE.
    moves = "1f 1p1 " + lay(0, 1, 28)
    position = table(CHAIN.replace("MA ", "") + " MA", "EM AW PA", targets="011", moves=moves, checking="audit")
    assert [(m["height"], name(m["card"]), m["owner"]) for m in game.mistakes(position)] == [(2, "PA", 1)]
    assert ended(position).places == [1, 2]


def test_nb16_player_with_a_mistake_ranks_behind_all_others() -> None:
    # Seat 1 lays one card, wrongly; seat 2 none.
    moves = "1f 1p3 " + lay(0, 1, 29)
    position = table(CHAIN, "EM AW", "WP", targets="012", moves=moves, checking="audit")
    outcome = ended(position)
    assert position.scores() == [0, 28, 29]
    assert (outcome.winners, outcome.places) == ([0], [1, 3, 2])


def test_nb16_players_with_mistakes_share_the_last_place() -> None:
    moves = "1f 1p3 1f 1p3 3f 3p3 " + lay(0, 1, 29)
    position = table(CHAIN, "EM AW", "WP", "PQ EW", targets="012", moves=moves, checking="audit")
    assert position.scores() == [0, 27, 29, 29]
    assert ended(position).places == [1, 3, 2, 3]


def test_nb16_refused_placement_is_no_mistake() -> None:
    position = table(CHAIN, "EM AW PA", targets="011", moves="1f", checking="audit")
    refusal(position, 1, "p1/9")
    assert position.mistaken == 0


def test_nb17_fewest_cards_win_when_the_first_out_is_disqualified() -> None:
    moves = lay(2, 2) + "0f 0p3 0f " + "0p1 " + lay(0, 1, 27)  # MA on WP is wrong; seat 2 lays MW on EM
    position = table(CHAIN, "EM", "WP MW", targets="012", moves=moves, checking="audit")
    outcome = ended(position)
    assert position.scores() == [0, 29, 28]
    assert (outcome.reason, outcome.winners, outcome.places) == ("out", [2], [3, 2, 1])


def test_nb17_equal_counts_share_the_win_after_a_disqualification() -> None:
    moves = "0f 0p3 " + lay(0, 1, 28)
    position = table(CHAIN, "EM", "WP", targets="012", moves=moves, checking="audit")
    outcome = ended(position)
    assert (position.scores(), outcome.winners, outcome.places) == ([0, 29, 29], [1, 2], [3, 1, 1])


def test_nb17_disqualification_applies_to_a_stalemate() -> None:
    # Seat 0 has fewer cards left, but laid PE on AE; seat 1 wins.
    moves = lay(0, 1, 9) + "0f 0p2 0f 0p2 " + lay(1, 3, 9)
    mine = "AM AE ME EM MA AW WA AP PA AQ QA PE EA"
    position = table(mine, LAST_A_1, targets="001", moves=moves, checking="audit")
    outcome = ended(position)
    assert position.scores() == [17, 20]
    assert (outcome.reason, outcome.winners, outcome.places) == ("stalemate", [1], [2, 1])


def test_nb17_no_player_wins_when_all_are_disqualified() -> None:
    moves = "1f 1p2 0f 0p3 " + lay(0, 1, 27)  # AW on EM, MA on WA
    position = table(CHAIN, "EM WA AW", targets="011", moves=moves, checking="audit")
    outcome = ended(position)
    assert (outcome.winners, outcome.places) == ([], [1, 1])
    assert {mistake["owner"] for mistake in game.mistakes(position)} == {0, 1}
