"""The view with everything open shows both sides of every card."""

from sevenhues.core.play import deal
from sevenhues.core.rng import Rng
from sevenhues.games.rainbow import game


def test_full_view_shows_both_sides_of_the_hands_and_of_the_next_cards() -> None:
    position = deal(game, b"views", 2)
    deck, view = game.setup(position)["deck"], game.full_view(position)
    standing = [(card, seat) for seat, hand in enumerate(view["hands"]) for card in hand if card]
    standing += list(zip(view["ends"], (0, 1), strict=True))
    assert len(standing) == 8
    for card, seat in standing:
        assert (card["face"], card["under"]) == (deck[card["card"]][seat], deck[card["card"]][1 - seat])


def test_full_view_shows_the_faces_below_the_row() -> None:
    position, rng = deal(game, b"views", 2), Rng(1)
    deck, rows = game.setup(position)["deck"], 0
    while position.outcome() is None:
        seat = position.pick_seat(rng)
        position.play(seat, position.pick(seat, rng))
        for card in game.full_view(position)["row"]:
            assert sorted(card["face"] + card["under"]) == sorted(deck[card["card"]])
            rows += 1
    assert rows
