"""Every game keeps the laws of the contract, and a game that breaks one is reported."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from librt.vecs import vec
from mypy_extensions import i64

from sevenhues import COMPILED, Rng, deal, load, names
from sevenhues.core.arrays import as_array
from sevenhues.core.encoder import Encoder, Feature
from sevenhues.core.game import Game, Setup, resolve_options
from sevenhues.core.options import Options
from sevenhues.core.position import WATCHER, Position
from sevenhues.testing import LawBroken, check_game, option_sets
from tests.toy_games.duel import CARDS, Duel, DuelObservation, DuelPosition


@pytest.mark.parametrize("name", names())
def test_every_game_keeps_the_laws(name: str) -> None:
    game = load(name)
    many_moves = game.move_count(game.max_seats, resolve_options(game, {})) > 500
    assert check_game(game, games=1, probes=1 if many_moves else 2, max_plies=8 if many_moves else 25) > 0


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize(
    ("seed", "share"),
    [
        pytest.param(1, 0.05, marks=pytest.mark.slow),
        *[pytest.param(1 + n, 1, marks=pytest.mark.long) for n in range(4)],
    ],
)
def test_long_games_keep_the_laws(name: str, seed: int, share: float) -> None:
    """Check hundreds of random games where the game is compiled, dozens where it is not, or a share of them."""
    game = load(name)
    variants = (game.max_seats - game.min_seats + 1) * len(list(option_sets(game)))
    many_moves = game.move_count(game.max_seats, resolve_options(game, {})) > 500
    games = (16 if many_moves else 60) if COMPILED else (4 if many_moves else 6)
    plies = (60 if many_moves and share < 1 else 300) if COMPILED else 40 if many_moves else 200
    assert check_game(game, games=max(1, int(games * share) // variants), seed=seed, max_plies=plies) > 0


@pytest.mark.parametrize("name", names())
def test_views_match_their_declared_types(name: str) -> None:
    game = load(name)
    for seats in range(game.min_seats, game.max_seats + 1):
        position, rng = deal(game, b"types", seats), Rng(seats)
        for _ in range(300 if COMPILED else 60):
            for viewer in (*range(seats), WATCHER):
                msgspec.convert(game.view(position, viewer), game.view_type, strict=True)
            msgspec.convert(game.full_view(position), game.view_type, strict=True)
            seat = position.pick_seat(rng)
            if seat < 0:
                break
            position.play(seat, position.pick(seat, rng))


def duel(**methods: Callable[..., Any]) -> Game[Any]:
    """Return Duel with some methods of its position replaced."""
    name = f"Broken{len(globals())}"
    broken = type(name, (DuelPosition,), {**methods, "__module__": __name__})
    globals()[name] = broken  # so that it can be pickled

    class Broken(Duel):
        def start(self, setup: Setup, seats: int, options: Options) -> DuelPosition:
            position: DuelPosition = broken(super().start(setup, seats, options).hands)
            return position

    return Broken()


def duel_game(**methods: Callable[..., Any]) -> Game[Any]:
    """Return Duel with some methods of the game replaced."""
    game: Game[Any] = type("BrokenGame", (Duel,), methods)()
    return game


def shares_hands(self: DuelPosition) -> DuelPosition:
    copy = type(self)(self.hands)
    copy.played = [list(cards) for cards in self.played]
    return copy


def loses_plays(self: DuelPosition) -> DuelPosition:
    return type(self)([list(hand) for hand in self.hands])


def resamples_own_hand(self: DuelPosition, seat: int, rng: Rng) -> Position:
    return DuelPosition.resample(self, WATCHER, rng)


def swaps_hands(self: Duel, position: DuelPosition) -> Setup:
    return {"hands": Duel.setup(self, position)["hands"][::-1]}


def forgets_played_cards(self: Duel, position: DuelPosition) -> Setup:
    left = [card for card in CARDS if card not in position.hands[0] + position.hands[1]]
    return {"hands": [sorted(hand + [left.pop() for _ in range(2 - len(hand))]) for hand in position.hands]}


def resamples_the_true_deal(self: DuelPosition, seat: int, rng: Rng) -> Position:
    return self.copy()


def resamples_one_deal(self: DuelPosition, seat: int, rng: Rng) -> Position:
    return DuelPosition.resample(self, seat, Rng(1))


def depends_on_the_true_deal(self: DuelPosition, seat: int, rng: Rng) -> Position:
    copy = self.copy()
    others = [other for other in (0, 1) if other != seat]
    held = [card for other in others for card in self.hands[other]]
    gone = self.played[0] + self.played[1] + (self.hands[seat] if seat >= 0 else [])
    pool = held + [card for card in CARDS if card not in held and card not in gone]
    rng.shuffle(pool)
    for other in others:
        copy.hands[other] = [pool.pop() for _ in self.hands[other]]
    return copy


def shows_other_hand(self: Duel, position: DuelPosition, seat: int) -> dict[str, Any]:
    return {**Duel.view(self, position, seat), "leak": position.hands[seat == 0]}


def shows_parity(position: DuelPosition, seat: int) -> list[int]:
    return [*DuelObservation().encode(position, seat)[:-1], sum(position.hands[seat == 0]) % 2]


def shows_other_sum(position: DuelPosition, seat: int) -> list[int]:
    return [sum(position.hands[seat == 0])]


def encoder(
    encode: Callable[[DuelPosition, int], list[int]], *layout: Feature
) -> Callable[[Game[Any]], Encoder[DuelPosition]]:
    """Return a method of a game that returns an encoder, by default with the layout of Duel's observation."""

    class BrokenEncoder(DuelObservation):
        def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
            return layout or super().layout(seats, options)

        def encode(self, position: DuelPosition, seat: int) -> list[int]:
            return encode(position, seat)

    return lambda game: BrokenEncoder()


class SilentEncoder(DuelObservation):
    """An encoder that leaves the array as it is."""

    def write(self, position: DuelPosition, seat: int, numbers: vec[i64], start: i64) -> None:
        pass


def is_never_over(self: DuelPosition) -> list[int]:
    return DuelPosition.to_act(self) or [0]


BROKEN = {
    "1: a copy has the key": duel(copy=loses_plays),
    "1: playing on a copy": duel(copy=shares_hands),
    "1: a position can be pickled": duel(__reduce__=lambda self: (lambda: None, ())),
    "2: legal.* is ascending": duel(legal=lambda self, seat: DuelPosition.legal(self, seat)[::-1]),
    "2: legal.* is in range": duel_game(move_count=lambda self, seats, options: 4),
    "2: legal.* is empty exactly": duel(legal=lambda self, seat: sorted(card - 1 for card in self.hands[seat])),
    "2: legal_array.* has the moves": duel(legal_array=lambda self, seat: as_array(self.legal(seat)[1:])),
    "2: mark_legal.* marks the moves": duel(mark_legal=lambda self, seat, flags, start: len(self.legal(seat))),
    "2: to_act is empty exactly": duel(outcome=lambda self: None),
    "2: pick returns": duel(pick=lambda self, seat, rng: self.legal(seat)[0]),
    "2: pick_seat returns": duel(pick_seat=lambda self, rng: -1 if not self.to_act() else 0),
    "3: moves have distinct texts": duel_game(text=lambda self, position, seat, move: "1"),
    "3: parsing": duel_game(read=lambda self, position, seat, text: position.legal(seat)[0]),
    "4: replaying the record": duel_game(setup=swaps_hands),
    "5: resampling for viewer . changes nothing": duel(resample=resamples_own_hand),
    "5: .*(looks the same|can be replayed|setup of viewer)": duel_game(setup=forgets_played_cards),
    "5: resampling for viewer 0": duel_game(view=shows_other_hand),
    "5: resampling for viewer [01]": duel_game(observation_encoder=encoder(shows_parity)),
    "6: more than one deal fits": duel(resample=resamples_one_deal),
    "7: resampling for viewer .* not on the true deal": duel(resample=resamples_the_true_deal),
    "7: resampling for viewer": duel(resample=depends_on_the_true_deal),
    "8: all_pieces returns every piece": duel(all_pieces=lambda self: self.hands[0] + self.hands[1]),
    "is plain JSON": duel_game(view=lambda self, position, seat: {"turn": tuple(position.to_act())}),
    "the observation of . fits": duel_game(observation_encoder=encoder(lambda position, seat: [2] * 12)),
    "the observation of . is written": duel_game(observation_encoder=lambda game: SilentEncoder()),
    "the information state of . fits": duel_game(information_state_encoder=encoder(lambda position, seat: [1])),
    "5: resampling for viewer . changes": duel_game(
        information_state_encoder=encoder(shows_other_sum, Feature("hand", 1, 12, "the sum of a hand"))
    ),
    "no game has more than 3 moves": duel_game(max_plies=lambda self, seats, options: 3),
    "dealer_choices returns choices": duel_game(dealer_choices=lambda self, setup, seats, options: [1]),
    "deal returns the same setup": duel_game(
        deal=lambda self, seats, options, dealer, previous, calls=[0]: changing(calls)
    ),
}


def changing(calls: list[int]) -> Setup:
    """Return a setup that differs from call to call."""
    calls[0] += 1
    return {"hands": [[1, 2], [3, 4 + calls[0] % 3]]}


@pytest.mark.parametrize("law", BROKEN)
def test_game_that_breaks_a_law_is_reported(law: str) -> None:
    with pytest.raises(LawBroken, match=law) as caught:
        check_game(BROKEN[law], games=30)
    assert "Duel, 2 seats, options {}" in caught.value.__notes__[0]
