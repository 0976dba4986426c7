"""The packed position agrees with a model of plain lists after every move."""

from itertools import pairwise

import pytest

from sevenhues.core.moves import legal_texts
from sevenhues.core.play import deal
from sevenhues.core.rng import Rng
from sevenhues.games.nimble import game
from sevenhues.games.nimble.rules import NimblePosition
from tests.games.nimble.positions import name


class Model:
    """Nimble as it lies on a table: the top of a set is its first card, the top of a pile or stack its last."""

    def __init__(self, dealt: dict[str, list[list[str]]], targets: list[int], audit: bool) -> None:
        self.audit = audit
        self.sets = [list(cards) for cards in dealt["sets"]]
        self.piles: list[list[str]] = [[] for _ in self.sets]
        self.stacks = [[(self.sets[seat].pop(0), seat)] for seat in targets]
        self.reason = ""

    def left(self) -> list[int]:
        return [len(cards) + len(pile) for cards, pile in zip(self.sets, self.piles, strict=True)]

    def fits(self, card: str, stack: int) -> bool:
        return card[0] == self.stacks[stack][-1][0][1]

    def legal(self, seat: int) -> list[str]:
        if self.reason:
            return []
        pile = self.piles[seat]
        places = [f"p{n + 1}" for n in range(3) if pile and (self.audit or self.fits(pile[-1], n))]
        return ["b"] * bool(pile) + ["f"] * bool(self.sets[seat]) + places + ["t"] * (not self.sets[seat])

    def play(self, seat: int, move: str) -> None:
        if move == "f":
            self.piles[seat].append(self.sets[seat].pop(0))
        elif move == "b":
            self.sets[seat].insert(0, self.piles[seat].pop())
        elif move == "t":
            self.sets[seat], self.piles[seat] = self.piles[seat], []
        else:
            self.stacks[int(move[1]) - 1].append((self.piles[seat].pop(), seat))
            held = [card for cards in self.sets + self.piles for card in cards]
            if self.left()[seat] == (1 if len(self.sets) == 2 else 0):
                self.reason = "out"
            elif not any(self.fits(card, stack) for card in held for stack in range(3)):
                self.reason = "stalemate"

    def mistaken(self) -> set[int]:
        pairs = [pair for stack in self.stacks for pair in pairwise(stack)]
        return {owner for (below, _), (card, owner) in pairs if card[0] != below[1]}

    def winners(self) -> list[int]:
        left = {seat: count for seat, count in enumerate(self.left()) if seat not in self.mistaken()}
        return [seat for seat, count in left.items() if count == min(left.values())]


def agree(position: NimblePosition, model: Model) -> None:
    view, outcome = game.view(position, 0), position.outcome()
    assert position.scores() == model.left()
    assert [legal_texts(game, position, seat) for seat in range(position.seats)] == [
        model.legal(seat) for seat in range(position.seats)
    ]
    assert [(name(stack["top"]), stack["top"]["owner"]) for stack in view["stacks"]] == [s[-1] for s in model.stacks]
    assert [stack["height"] for stack in view["stacks"]] == [len(stack) for stack in model.stacks]
    assert [player["top"] and name(player["top"]) for player in view["players"]] == [
        pile[-1] if pile else None for pile in model.piles
    ]
    assert (outcome.reason if outcome else "") == model.reason


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("checking", ["referee", "audit"])
def test_packed_position_agrees_with_a_list_model(seats: int, checking: str) -> None:
    for number in range(4):
        rng = Rng(number)
        position = deal(game, bytes([number]), seats, {"checking": checking})
        dealt = game.setup(position)
        model = Model({"sets": dealt["sets"]}, dealt["targets"], checking == "audit")
        agree(position, model)
        while (seat := position.pick_seat(rng)) >= 0:
            move = position.pick(seat, rng)
            model.play(seat, game.text(position, seat, move))
            position.play(seat, move)
            agree(position, model)
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winners == model.winners()
        assert {mistake["owner"] for mistake in game.mistakes(position)} == model.mistaken()
