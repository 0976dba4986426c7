"""Exact odds equal those of all fitting decks, enumerated and sampled."""

from collections import Counter
from fractions import Fraction

import pytest

from sevenhues.core.play import deal
from sevenhues.core.position import WATCHER
from sevenhues.core.rng import Rng
from sevenhues.games.rainbow import game
from sevenhues.games.rainbow.exact_odds import Odds, SeatOdds
from sevenhues.games.rainbow.pieces import CARDS, FACE_COUNT, FACES, face_of
from sevenhues.games.rainbow.rules import RainbowPosition
from tests.games.rainbow.positions import full_deck
from tests.games.rainbow.test_belief import deck_of, decks_that_fit, known

SMALL = [
    ("RO OY YR", "R. O. Y."),
    ("RO OY YG RG", "R. .Y Y. .G"),
    ("RO OY YR WK", "R. .. Y. .."),
    ("RO RO RY WR", "R. R. .. .R"),
    ("RW WK KR OW", ".. .. .. .."),
    ("RO YO RY GB GI", "R. .O .. G. .."),
    ("KR KO OW WR YK", "K. .O .W .. .K"),
    ("RO RO RY RY OY OY", "R. .R O. .. .Y .."),
]


@pytest.mark.parametrize(("cards", "seen"), SMALL)
def test_exact_odds_equal_the_enumeration_of_all_fitting_decks(cards: str, seen: str) -> None:
    """Enumerate every layout of the loose cards and count faces by place: the fractions are exactly equal."""
    marks = seen.split()
    decks = decks_that_fit(cards.split(), marks)
    ways = sum(decks.values())
    odds = Odds(deck_of(full_deck(cards)), *known(seen))
    for at, mark in enumerate(marks):
        for side in (0, 1):
            if mark[side] != ".":
                continue
            for face in range(FACE_COUNT):
                fitting = sum(count for deck, count in decks.items() if deck[at][side] == FACES[face])
                if mark[1 - side] != ".":
                    shown = FACES.index(mark[1 - side])
                    odds_of_face = Fraction(odds.backs[shown][face], odds.total * odds.wanted[shown])
                else:
                    odds_of_face = Fraction(odds.free[face], odds.total * odds.unknown * 2)
                assert odds_of_face == Fraction(fitting, ways), (at, side, FACES[face])


def played(seed: str, plies: int) -> RainbowPosition:
    position, rng = deal(game, seed.encode()), Rng(3)
    for _ in range(plies):
        position.play(position.turn, position.pick(position.turn, rng))
    return position


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "plies", "viewer"), [("a", 30, 0), ("b", 60, 1), ("c", 80, 0), ("d", 45, WATCHER), ("e", 5, 1)]
)
def test_resampling_in_a_real_game_agrees_with_the_exact_odds(seed: str, plies: int, viewer: int) -> None:
    position, rng, samples = played(seed, plies), Rng(11), 2000
    odds = SeatOdds(position, viewer)
    hidden = [(card, side) for card in range(CARDS) for side in (0, 1) if not odds.has_seen(card, side)]
    counts: Counter[tuple[int, int, int]] = Counter()
    for _ in range(samples):
        deck = position.resample(viewer, rng).deck
        counts.update((card, side, face_of(deck, card, side)) for card, side in hidden)
    worst = 0.0
    for card, side in hidden:
        chances = odds.chances(card, side)
        assert sum(chances) == pytest.approx(1.0, abs=1e-12)
        chi_square, degrees = 0.0, -1
        for face, chance in enumerate(chances):
            count = counts[card, side, face]
            if chance == 0.0:
                assert count == 0, "an impossible face came up"
            elif samples * chance >= 5:
                chi_square += (count - samples * chance) ** 2 / (samples * chance)
                degrees += 1
        worst = max(worst, (chi_square - degrees) / (2 * max(degrees, 1)) ** 0.5)
    assert worst < 6.0, "a chi-square this large is not a coincidence, even as the worst of a hundred faces"


@pytest.mark.parametrize("viewer", [0, 1, WATCHER])
def test_exact_odds_depend_only_on_what_the_seat_has_seen(viewer: int) -> None:
    for plies in (0, 9, 33, 70):
        position = played("secret", plies)
        beliefs = game.bot_support().beliefs(position, viewer)
        other = game.bot_support().beliefs(position.resample(viewer, Rng(plies)), viewer)
        assert beliefs is not None
        assert other is not None
        assert beliefs.to_json() == other.to_json()


def test_beliefs_list_every_hidden_face_once_and_seen_faces_are_certain() -> None:
    position = played("places", 40)
    view = game.view(position, 0)
    beliefs = game.bot_support().beliefs(position, 0)
    assert beliefs is not None
    assert beliefs.symbols == list(FACES)
    places = [(face.where, face.seat, face.at, face.side) for face in beliefs.faces]
    assert len(set(places)) == len(places)
    assert sum(face.where == "row" for face in beliefs.faces) == len(view["row"])
    for face in beliefs.faces:
        assert sum(face.chances) == pytest.approx(1.0, abs=1e-12)
        if face.where == "hand":
            held = view["hands"][face.seat][face.at - 1]
            assert held is not None
            assert held["face"] == face.seen, "`seen` is the other face of the card"
            assert face.chances[FACES.index(face.seen)] == 0.0, "RB-1 the two faces of a card differ"
    truth, odds = position.deck, SeatOdds(position, 0)
    for card in range(CARDS):
        for side in (0, 1):
            chance = odds.chances(card, side)[face_of(truth, card, side)]
            assert chance > 0.0
            assert chance == 1.0 or not odds.has_seen(card, side)


def test_faces_that_fit_no_deck_are_an_error() -> None:
    deck = deck_of(full_deck("RW"))
    impossible = bytes([7 << 4 | 8] * 9) + deck[9:]
    with pytest.raises(ValueError, match="fit no deck"):
        Odds(impossible, *known("W. W. W. W. W. W. W. W. W."))
