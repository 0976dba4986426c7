"""Kuhn poker and Leduc poker in the contract of a game, as OpenSpiel has them."""

from typing import Any, ClassVar

from sevenhues.core import json_checks
from sevenhues.core.encoder import Encoder, Feature
from sevenhues.core.errors import BadRecord, Refusal
from sevenhues.core.game import Game, Setup
from sevenhues.core.moves import refuse
from sevenhues.core.options import Option, Options
from sevenhues.core.position import Outcome, Position, rank
from sevenhues.core.rng import Dealer, Rng

HIDDEN = 9  # the code of a card that a viewer does not see
FOLD, CALL, RAISE = 0, 1, 2


class PokerPosition(Position):
    """Two hands of one card each, perhaps a public card, and all bets so far."""

    max_moves: ClassVar[int]

    def __init__(self, pack: list[int]) -> None:
        self.seats = 2
        self.pack = pack  # the cards of seats 0 and 1, then those that come later
        self.moves: list[int] = []

    def chips(self) -> list[int]:
        """Return what each seat has won or lost at the end."""
        raise NotImplementedError

    def is_showdown(self) -> bool:
        """Return whether the game has ended with open cards."""
        raise NotImplementedError

    def public_cards(self) -> int:
        """Return how many cards lie open beside the hands."""
        return 0

    def seen(self, seat: int) -> list[int]:
        """Return the cards that a seat or WATCHER has seen, by place in the pack; HIDDEN for others."""
        shown = {place for place in (0, 1) if place == seat or self.is_showdown()}
        shown |= set(range(2, 2 + self.public_cards()))
        return [card if place in shown else HIDDEN for place, card in enumerate(self.pack)]

    def play(self, seat: int, move: int) -> None:
        self.moves.append(move)

    def scores(self) -> list[int]:
        return [0, 0] if self.to_act() else self.chips()

    def outcome(self) -> Outcome | None:
        if self.to_act():
            return None
        places = rank(self.scores())
        winners = [] if places == [1, 1] else [places.index(1)]
        return Outcome("showdown" if self.is_showdown() else "fold", winners, places)

    def copy(self) -> "PokerPosition":
        copy = type(self)(list(self.pack))
        copy.moves = list(self.moves)
        return copy

    def resample(self, seat: int, rng: Rng) -> "PokerPosition":
        copy = self.copy()
        seen = self.seen(seat)
        unseen = sorted(set(self.pack) - set(seen))
        rng.shuffle(unseen)
        copy.pack = [unseen.pop() if card == HIDDEN else card for card in seen]
        return copy

    def key(self) -> tuple[int, ...]:
        return (*self.pack, *self.moves)

    def all_pieces(self) -> list[int]:
        return self.pack


class KuhnPosition(PokerPosition):
    """Moves are 0, pass, and 1, bet."""

    max_moves = 3

    def to_act(self) -> list[int]:
        over = len(self.moves) == 3 or self.moves in ([0, 0], [1, 0], [1, 1])
        return [] if over else [len(self.moves) % 2]

    def legal(self, seat: int) -> list[int]:
        return [0, 1] if seat in self.to_act() else []

    def is_showdown(self) -> bool:
        return not self.to_act() and (self.moves == [0, 0] or self.moves[-1] == 1)

    def chips(self) -> list[int]:
        bet = 2 if self.moves[-2:] == [1, 1] else 1
        winner = int(self.pack[1] > self.pack[0]) if self.is_showdown() else len(self.moves) % 2
        return [-bet, bet] if winner else [bet, -bet]


class LeducPosition(PokerPosition):
    """Two rounds of bets, with a public card between them. The moves are FOLD, CALL and RAISE."""

    max_moves = 8

    def __init__(self, pack: list[int]) -> None:
        super().__init__(pack)
        self.stakes = [1, 1]
        self.round = 0
        self.raises = 0
        self.calls = 0
        self.turn = 0
        self.folded = -1

    def to_act(self) -> list[int]:
        return [] if self.round == 2 or self.folded >= 0 else [self.turn]

    def legal(self, seat: int) -> list[int]:
        if seat not in self.to_act():
            return []
        fold = [FOLD] if self.stakes[seat] < max(self.stakes) else []
        return [*fold, CALL, *([RAISE] if self.raises < 2 else [])]

    def play(self, seat: int, move: int) -> None:
        super().play(seat, move)
        self.turn = 1 - seat
        if move == FOLD:
            self.folded = seat
            return
        self.stakes[seat] = max(self.stakes) + (0 if move == CALL else 4 if self.round else 2)
        self.raises += move == RAISE
        self.calls = 1 if move == RAISE else self.calls + 1
        if self.calls == 2:
            self.round += 1
            self.raises = self.calls = self.turn = 0

    def is_showdown(self) -> bool:
        return self.round == 2

    def public_cards(self) -> int:
        return min(self.round, 1)

    def chips(self) -> list[int]:
        if self.folded >= 0:
            lost = self.stakes[self.folded]
            return [-lost, lost] if self.folded == 0 else [lost, -lost]
        strengths = [(card // 2 == self.pack[2] // 2, card // 2) for card in self.pack[:2]]
        sign = (strengths[0] > strengths[1]) - (strengths[0] < strengths[1])
        return [sign * self.stakes[0], -sign * self.stakes[0]]

    def copy(self) -> "LeducPosition":
        copy = LeducPosition(list(self.pack))
        copy.moves = list(self.moves)
        copy.stakes = list(self.stakes)
        copy.round, copy.raises, copy.calls = self.round, self.raises, self.calls
        copy.turn, copy.folded = self.turn, self.folded
        return copy


class PokerObservation(Encoder[PokerPosition]):
    def __init__(self, cards: int, max_moves: int) -> None:
        self.cards = cards
        self.max_moves = max_moves

    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return (
            Feature("turn", 1, 2, "the seat to act, or 2"),
            Feature("cards", self.cards, HIDDEN, "the cards as dealt, or 9"),
            Feature("moves", self.max_moves, 3, "every move plus 1, then 0"),
        )

    def encode(self, position: PokerPosition, seat: int) -> list[int]:
        moves = [move + 1 for move in position.moves]
        return [*(position.to_act() or [2]), *position.seen(seat), *moves, *[0] * (self.max_moves - len(moves))]


class Poker(Game[PokerPosition]):
    min_seats = 2
    max_seats = 2
    rules_version = 1
    options: ClassVar[tuple[Option, ...]] = ()
    simultaneous = False
    view_type = dict
    refusals = {"not-now": Refusal("PO-1", "You cannot do this now.")}
    position_type: ClassVar[type[PokerPosition]]
    cards: ClassVar[int]
    most_chips: ClassVar[int]  # that a player can lose
    texts: ClassVar[str]  # the letter of each move

    def deal(self, seats: int, options: Options, dealer: Dealer, previous: list[int] | None) -> Setup:
        pack = list(range(self.cards))
        dealer.shuffle(pack)
        return {"pack": pack}

    def start(self, setup: Setup, seats: int, options: Options) -> PokerPosition:
        pack = json_checks.require_list(json_checks.require_key(setup, "pack", "setup"), "setup.pack", self.cards)
        for i, card in enumerate(pack):
            json_checks.require_int(card, f"setup.pack[{i}]", 0, self.cards - 1)
        if len(set(pack)) != self.cards:
            raise BadRecord("setup.pack", "a card is repeated")
        return self.position_type(list(pack))

    def setup(self, position: PokerPosition) -> Setup:
        return {"pack": position.pack}

    def text(self, position: PokerPosition, seat: int, move: int) -> str:
        return self.texts[move]

    def read(self, position: PokerPosition, seat: int, text: str) -> int:
        move = self.texts.index(text)
        if move not in position.legal(seat):
            raise refuse(self, position, seat, text, "not-now", {})
        return move

    def view(self, position: PokerPosition, seat: int) -> dict[str, Any]:
        return {"cards": position.seen(seat), "moves": list(position.moves), "turn": position.to_act()}

    def move_count(self, seats: int, options: Options) -> int:
        return len(self.texts)

    def payoffs(self, position: PokerPosition, outcome: Outcome) -> list[float]:
        return [float(chips) for chips in position.scores()]

    def max_payoff(self, seats: int, options: Options) -> float:
        return float(self.most_chips)

    def max_plies(self, seats: int, options: Options) -> int:
        return self.position_type.max_moves

    def observation_encoder(self) -> Encoder[PokerPosition]:
        return PokerObservation(self.cards, self.position_type.max_moves)


class Kuhn(Poker):
    id = "kuhn"
    title = "Kuhn poker"
    position_type = KuhnPosition
    cards = 3
    most_chips = 2
    texts = "pb"
    move_pattern = "[pb]"
    move_examples = "p and b"


class Leduc(Poker):
    id = "leduc"
    title = "Leduc poker"
    position_type = LeducPosition
    cards = 6
    most_chips = 13
    texts = "fcr"
    move_pattern = "[fcr]"
    move_examples = "f, c and r"
