"""Duel, a minimal game with hidden information.

Each of two players holds two secret cards of six. They play them in turn, and the higher sum wins.
"""

from typing import Any, ClassVar

from sevenhues.core import json_checks
from sevenhues.core.bot_support import Bot
from sevenhues.core.encoder import Encoder, Feature
from sevenhues.core.errors import BadRecord, Refusal
from sevenhues.core.game import Game, Setup
from sevenhues.core.moves import refuse
from sevenhues.core.options import Option, Options
from sevenhues.core.position import Outcome, Position, rank
from sevenhues.core.rng import Dealer, Rng

CARDS = range(1, 7)


class DuelPosition(Position):
    def __init__(self, hands: list[list[int]]) -> None:
        self.seats = 2
        self.hands = hands
        self.played: list[list[int]] = [[], []]

    def to_act(self) -> list[int]:
        plays = len(self.played[0]) + len(self.played[1])
        return [] if plays == 4 else [plays % 2]

    def legal(self, seat: int) -> list[int]:
        return sorted(card - 1 for card in self.hands[seat]) if seat in self.to_act() else []

    def play(self, seat: int, move: int) -> None:
        self.hands[seat].remove(move + 1)
        self.played[seat].append(move + 1)

    def scores(self) -> list[int]:
        return [sum(cards) for cards in self.played]

    def outcome(self) -> Outcome | None:
        if self.to_act():
            return None
        places = rank(self.scores())
        return Outcome("played", [seat for seat in (0, 1) if places == [1, 2][:: 1 - 2 * seat]], places)

    def copy(self) -> "DuelPosition":
        copy = type(self)([list(hand) for hand in self.hands])
        copy.played = [list(cards) for cards in self.played]
        return copy

    def resample(self, seat: int, rng: Rng) -> "DuelPosition":
        copy = self.copy()
        known = self.played[0] + self.played[1] + (self.hands[seat] if seat >= 0 else [])
        unseen = [card for card in CARDS if card not in known]
        rng.shuffle(unseen)
        for other in (0, 1):
            if other != seat:
                copy.hands[other] = [unseen.pop() for _ in self.hands[other]]
        return copy

    def key(self) -> tuple[int, ...]:
        parts = [*(sorted(hand) for hand in self.hands), *self.played]
        return tuple(number for part in parts for number in (*part, 0))

    def all_pieces(self) -> list[int]:
        held = [card for cards in self.hands + self.played for card in cards]
        return held + [card for card in CARDS if card not in held]


class DuelObservation(Encoder[DuelPosition]):
    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return (Feature("mine", 6, 1, "1 for each card held"), Feature("played", 6, 1, "1 for each card played"))

    def encode(self, position: DuelPosition, seat: int) -> list[int]:
        mine = position.hands[seat] if seat >= 0 else []
        played = position.played[0] + position.played[1]
        return [int(card in mine) for card in CARDS] + [int(card in played) for card in CARDS]


class Duel(Game[DuelPosition]):
    id = "duel"
    title = "Duel"
    min_seats = 2
    max_seats = 2
    rules_version = 1
    options: ClassVar[tuple[Option, ...]] = ()
    simultaneous = False
    view_type = dict
    move_pattern = "[1-6]"
    move_examples = "1 to 6"
    refusals = {"not-yours": Refusal("DU-1", "You do not hold the {card}.")}

    def deal(self, seats: int, options: Options, dealer: Dealer, previous: list[int] | None) -> Setup:
        cards = list(CARDS)
        dealer.shuffle(cards)
        return {"hands": [sorted(cards[:2]), sorted(cards[2:4])]}

    def start(self, setup: Setup, seats: int, options: Options) -> DuelPosition:
        hands = json_checks.require_list(json_checks.require_key(setup, "hands", "setup"), "setup.hands", 2)
        for seat, hand in enumerate(hands):
            for i, card in enumerate(json_checks.require_list(hand, f"setup.hands[{seat}]", 2)):
                json_checks.require_int(card, f"setup.hands[{seat}][{i}]", 1, 6)
        if len({card for hand in hands for card in hand}) != 4:
            raise BadRecord("setup.hands", "a card is repeated")
        return DuelPosition([list(hand) for hand in hands])

    def setup(self, position: DuelPosition) -> Setup:
        return {"hands": [sorted(hand + played) for hand, played in zip(position.hands, position.played, strict=True)]}

    def text(self, position: DuelPosition, seat: int, move: int) -> str:
        return str(move + 1)

    def read(self, position: DuelPosition, seat: int, text: str) -> int:
        move = int(text) - 1
        if move not in position.legal(seat):
            raise refuse(self, position, seat, text, "not-yours", {"card": text})
        return move

    def view(self, position: DuelPosition, seat: int) -> dict[str, Any]:
        mine = sorted(position.hands[seat]) if seat >= 0 else []
        return {"mine": mine, "played": position.played, "turn": position.to_act()}

    def move_count(self, seats: int, options: Options) -> int:
        return 6

    def observation_encoder(self) -> Encoder[DuelPosition]:
        return DuelObservation()


class Highest(Bot):
    """Plays the highest card and records the positions and moves it is given."""

    def __init__(self) -> None:
        self.positions: list[Position] = []
        self.moves: list[tuple[int, int]] = []

    def choose(self, position: Position, seat: int, rng: Rng) -> int:
        self.positions.append(position)
        return position.legal(seat)[-1]

    def observe_move(self, seat: int, move: int) -> None:
        self.moves.append((seat, move))


game = Duel()
