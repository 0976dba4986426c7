"""Kuhn poker and Leduc poker in the contract of a game, as OpenSpiel has them; `make bench` compiles them."""

from itertools import permutations
from typing import Any, ClassVar, Final

from mypy_extensions import i64, mypyc_attr

from sevenhues.core import json_checks
from sevenhues.core.encoder import Encoder, Feature
from sevenhues.core.errors import BadRecord, Refusal
from sevenhues.core.game import Game, Setup
from sevenhues.core.moves import refuse
from sevenhues.core.options import Option, Options
from sevenhues.core.position import NOBODY, Outcome, Position, rank
from sevenhues.core.rng import Dealer, Rng

HIDDEN: Final = 9  # the code of a card that a viewer does not see
PASS: Final = 0  # Kuhn's moves
BET: Final = 1
FOLD: Final = 0  # Leduc's moves
CALL: Final = 1
RAISE: Final = 2
MOVE_BITS: Final = 2
MOVE_MASK: Final = 3
KUHN_PACKS: Final = list(permutations(range(3)))
LEDUC_PACKS: Final = list(permutations(range(6)))


class PokerPosition(Position):
    """Two hands of one card each, perhaps a public card, and all bets so far."""

    max_moves: ClassVar[int]

    def __init__(self, pack: tuple[int, ...]) -> None:
        self.seats = 2
        self.pack = pack  # the cards of seats 0 and 1, then those that come later; never changed, so copies share it
        self.history: i64 = 0  # every move plus 1, the last one in the lowest bits
        self.turn: i64 = 0
        self.over = False

    @property
    def moves(self) -> list[int]:
        """Return all moves so far."""
        moves: list[int] = []
        history = self.history
        while history:
            moves.append((history & MOVE_MASK) - 1)
            history >>= MOVE_BITS
        moves.reverse()
        return moves

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
        open_places = 2 + self.public_cards()
        showdown = self.is_showdown()
        cards: list[int] = []
        for place, card in enumerate(self.pack):
            shown = place == seat or showdown if place < 2 else place < open_places
            cards.append(card if shown else HIDDEN)
        return cards

    def to_act(self) -> list[int]:
        return [] if self.over else [self.turn]

    def pick_seat(self, rng: Rng) -> int:
        if self.over:
            return NOBODY
        return self.turn

    def scores(self) -> list[int]:
        return self.chips() if self.over else [0, 0]

    def outcome(self) -> Outcome | None:
        if not self.over:
            return None
        places = rank(self.chips())
        winners = [] if places == [1, 1] else [places.index(1)]
        return Outcome("showdown" if self.is_showdown() else "fold", winners, places)

    def resample(self, seat: int, rng: Rng) -> "PokerPosition":
        copy = self.copy()
        seen = self.seen(seat)
        unseen = sorted(set(self.pack) - set(seen))
        rng.shuffle(unseen)
        copy.pack = tuple([unseen.pop() if card == HIDDEN else card for card in seen])
        return copy

    def copy(self) -> "PokerPosition":
        raise NotImplementedError

    def key(self) -> tuple[int, ...]:
        return (*self.pack, *self.moves)

    def all_pieces(self) -> list[int]:
        return list(self.pack)


@mypyc_attr(free_list_len=1)
class KuhnPosition(PokerPosition):
    """The moves are PASS and BET."""

    max_moves = 3

    def legal(self, seat: int) -> list[int]:
        return [] if self.over or seat != self.turn else [PASS, BET]

    def pick(self, seat: int, rng: Rng) -> int:
        return rng.below(2)

    def play(self, seat: int, move: int) -> None:
        choice: i64 = move
        before = self.history
        self.history = before << MOVE_BITS | (choice + 1)
        self.turn = 1 - self.turn
        # The game ends with a pass that is not the first move, and with a bet that answers one.
        self.over = before != 0 if choice == PASS else (before & MOVE_MASK) == BET + 1

    def is_showdown(self) -> bool:
        return self.over and (self._last_move() == BET or not self._was_bet())

    def _last_move(self) -> i64:
        return (self.history & MOVE_MASK) - 1

    def _was_bet(self) -> bool:
        """Return whether the move before the last one is a bet."""
        return (self.history >> MOVE_BITS) & MOVE_MASK == BET + 1

    def chips(self) -> list[int]:
        is_first_higher = self.pack[0] > self.pack[1]
        if self._last_move() == BET:
            return [2, -2] if is_first_higher else [-2, 2]
        # A pass that answers a bet folds, and the other seat, whose turn it would be, wins.
        wins = self.turn == 0 if self._was_bet() else is_first_higher
        return [1, -1] if wins else [-1, 1]

    def copy(self) -> "KuhnPosition":
        copy = KuhnPosition(self.pack)
        copy.history = self.history
        copy.turn = self.turn
        copy.over = self.over
        return copy


@mypyc_attr(free_list_len=1)
class LeducPosition(PokerPosition):
    """Two rounds of bets, with a public card between them. The moves are FOLD, CALL and RAISE."""

    max_moves = 8

    def __init__(self, pack: tuple[int, ...]) -> None:
        super().__init__(pack)
        self.stake_0: i64 = 1
        self.stake_1: i64 = 1
        self.round: i64 = 0
        self.raises: i64 = 0
        self.calls: i64 = 0
        self.folded: i64 = NOBODY

    def _may_fold(self) -> bool:
        """Return whether the other seat has put in more than the seat to act."""
        return self.stake_0 < self.stake_1 if self.turn == 0 else self.stake_1 < self.stake_0

    def legal(self, seat: int) -> list[int]:
        if self.over or seat != self.turn:
            return []
        if self._may_fold():
            return [FOLD, CALL, RAISE] if self.raises < 2 else [FOLD, CALL]
        return [CALL, RAISE] if self.raises < 2 else [CALL]

    def pick(self, seat: int, rng: Rng) -> int:
        lowest: i64 = FOLD if self._may_fold() else CALL
        highest: i64 = RAISE if self.raises < 2 else CALL
        return lowest + rng.below(highest - lowest + 1)

    def play(self, seat: int, move: int) -> None:
        self.history = self.history << MOVE_BITS | (move + 1)
        mover = self.turn
        self.turn = 1 - mover
        if move == FOLD:
            self.folded = mover
            self.over = True
            return
        stake = max(self.stake_0, self.stake_1)
        if move == RAISE:
            stake += 4 if self.round else 2
            self.raises += 1
            self.calls = 1
        else:
            self.calls += 1
        if mover == 0:
            self.stake_0 = stake
        else:
            self.stake_1 = stake
        if self.calls == 2:
            self.round += 1
            self.raises = 0
            self.calls = 0
            self.turn = 0
            self.over = self.round == 2

    def is_showdown(self) -> bool:
        return self.round == 2

    def public_cards(self) -> int:
        return 1 if self.round else 0

    def chips(self) -> list[int]:
        if self.folded >= 0:
            return [-self.stake_0, self.stake_0] if self.folded == 0 else [self.stake_1, -self.stake_1]
        first, second, public = self.pack[0] // 2, self.pack[1] // 2, self.pack[2] // 2
        if first == second:
            return [0, 0]
        wins = first == public or (second != public and first > second)
        return [self.stake_0, -self.stake_0] if wins else [-self.stake_0, self.stake_0]

    def copy(self) -> "LeducPosition":
        copy = LeducPosition(self.pack)
        copy.history = self.history
        copy.turn = self.turn
        copy.over = self.over
        copy.stake_0 = self.stake_0
        copy.stake_1 = self.stake_1
        copy.round = self.round
        copy.raises = self.raises
        copy.calls = self.calls
        copy.folded = self.folded
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
        numbers = [0] * (1 + self.cards + self.max_moves)
        numbers[0] = 2 if position.over else position.turn
        seen = position.seen(seat)
        at: i64 = 1
        for card in seen:
            numbers[at] = card
            at += 1
        history = position.history
        while history:
            at += 1
            history >>= MOVE_BITS
        history = position.history
        while history:
            at -= 1
            numbers[at] = history & MOVE_MASK
            history >>= MOVE_BITS
        return numbers


class Poker(Game[PokerPosition]):
    min_seats = 2
    max_seats = 2
    rules_version = 1
    options: ClassVar[tuple[Option, ...]] = ()
    simultaneous = False
    view_type = dict
    refusals = {"not-now": Refusal("PO-1", "You cannot do this now.")}
    cards: ClassVar[int]
    max_moves: ClassVar[int]
    most_chips: ClassVar[int]  # that a player can lose
    texts: ClassVar[str]  # the letter of each move

    def new_position(self, pack: tuple[int, ...]) -> PokerPosition:
        """Return the start of a game with these cards."""
        raise NotImplementedError

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
        return self.new_position(tuple(pack))

    def setup(self, position: PokerPosition) -> Setup:
        return {"pack": list(position.pack)}

    def text(self, position: PokerPosition, seat: int, move: int) -> str:
        return self.texts[move]

    def read(self, position: PokerPosition, seat: int, text: str) -> int:
        move = self.texts.index(text)
        if move not in position.legal(seat):
            raise refuse(self, position, seat, text, "not-now", {})
        return move

    def view(self, position: PokerPosition, seat: int) -> dict[str, Any]:
        return {"cards": position.seen(seat), "moves": position.moves, "turn": position.to_act()}

    def move_count(self, seats: int, options: Options) -> int:
        return len(self.texts)

    def payoffs(self, position: PokerPosition, outcome: Outcome) -> list[float]:
        first, second = position.chips()
        return [float(first), float(second)]

    def max_payoff(self, seats: int, options: Options) -> float:
        return float(self.most_chips)

    def max_plies(self, seats: int, options: Options) -> int:
        return self.max_moves

    def observation_encoder(self) -> Encoder[PokerPosition]:
        return PokerObservation(self.cards, self.max_moves)


class Kuhn(Poker):
    id = "kuhn"
    title = "Kuhn poker"
    cards = 3
    max_moves = KuhnPosition.max_moves
    most_chips = 2
    texts = "pb"
    move_pattern = "[pb]"
    move_examples = "p and b"

    def new_position(self, pack: tuple[int, ...]) -> KuhnPosition:
        return KuhnPosition(pack)

    def quick_start(self, seats: int, options: Options, rng: Rng) -> KuhnPosition:
        return KuhnPosition(KUHN_PACKS[rng.below(len(KUHN_PACKS))])


class Leduc(Poker):
    id = "leduc"
    title = "Leduc poker"
    cards = 6
    max_moves = LeducPosition.max_moves
    most_chips = 13
    texts = "fcr"
    move_pattern = "[fcr]"
    move_examples = "f, c and r"

    def new_position(self, pack: tuple[int, ...]) -> LeducPosition:
        return LeducPosition(pack)

    def quick_start(self, seats: int, options: Options, rng: Rng) -> LeducPosition:
        return LeducPosition(LEDUC_PACKS[rng.below(len(LEDUC_PACKS))])
