"""The notation of Nimble: moves and setups as text, and refusals of moves."""

import re
from typing import Any, Final

from sevenhues.core import bits, json_checks
from sevenhues.core.errors import BadRecord, Refusal, shorten
from sevenhues.core.game import Setup
from sevenhues.games.nimble.pieces import (
    COLOUR_MASK,
    COLOURS,
    FLIP,
    MOVES,
    PACK,
    PLACE,
    SET,
    STACKS,
    TAKE_BACK,
    TURN_OVER,
    card_text,
    count_at,
)
from sevenhues.games.nimble.rules import NimblePosition

MOVE_PATTERN: Final = "f|p[1-3]|b|t"
MOVE_EXAMPLES: Final = "f, p1 to p3, b and t"
MOVE_NUMBERS: Final = {text: move for move, text in enumerate(MOVES)}
CARD_BYTES: Final = {card_text(card): card for card in PACK}
CONDITIONAL: Final = "(p[1-3])/([1-9][0-9]{0,2})"  # NB-11 a placement, on the condition that the stack has this height

REFUSALS: Final = {
    "set-empty": Refusal("NB-6", "Your set is empty: turn your discard pile over (t)."),
    "pile-empty": Refusal("NB-7", "Your discard pile is empty: flip a card first (f)."),
    "does-not-fit": Refusal(
        "NB-7", "{card} does not fit stack {stack}: the frame must be {circle}, the circle on top."
    ),
    "nothing-to-take-back": Refusal("NB-8", "Your discard pile is empty: there is nothing to take back."),
    "set-not-empty": Refusal("NB-9", "Your set is not empty yet ({count} left): flip on (f) before you turn over."),
    "too-late": Refusal(
        "NB-11", "A card came on top of stack {stack} first: it was {seen} high and is {height}. Your card stays."
    ),
    "never-so-high": Refusal("NB-11", "Stack {stack} is {height} high, not {seen}: look again. Your card stays."),
}


def split_condition(text: str) -> tuple[str, int]:
    """Split a text into the move and the height of its condition, 0 without one (NB-11)."""
    match = re.fullmatch(CONDITIONAL, text, re.ASCII)
    return (text, 0) if match is None else (match[1], int(match[2]))


def refusal_reason(position: NimblePosition, seat: int, move: int) -> tuple[str, dict[str, str | int]]:
    """Return why a move is illegal: a key of REFUSALS and its parameters."""
    mark = count_at(position.marks, seat)
    if move == FLIP:
        return "set-empty", {}
    if move == TURN_OVER:
        return "set-not-empty", {"count": bits.count(position.held(seat) >> mark)}
    if move == TAKE_BACK:
        return "nothing-to-take-back", {}
    if mark == 0:
        return "pile-empty", {}
    stack = move - PLACE
    circle = position.sets[position.top(stack)] & COLOUR_MASK
    card = card_text(position.sets[SET * seat + mark - 1])
    return "does-not-fit", {"card": card, "stack": stack + 1, "circle": COLOURS[circle]}


def set_texts(sets: bytes) -> list[list[str]]:
    """Return sets as a record lists them."""
    return [[card_text(card) for card in sets[start : start + SET]] for start in range(0, len(sets), SET)]


def read_setup(setup: Setup, seats: int) -> tuple[bytes, tuple[int, ...]]:
    """Parse the sets and the seats that start the stacks; raise BadRecord if the setup is invalid."""
    texts = json_checks.require_list(json_checks.require_key(setup, "sets", "setup"), "setup.sets", seats)
    givers = json_checks.require_list(json_checks.require_key(setup, "targets", "setup"), "setup.targets", STACKS)
    sets = b"".join([_read_set(cards, f"setup.sets[{seat}]") for seat, cards in enumerate(texts)])
    targets = [json_checks.require_int(seat, f"setup.targets[{i}]", 0, seats - 1) for i, seat in enumerate(givers)]
    # NB-3 With two players one gives two cards; otherwise no player gives more than one.
    most_given = max([targets.count(seat) for seat in targets])
    if most_given != (2 if seats == 2 else 1):
        expected = {2: "one seat twice, the other once", 3: "each seat once", 4: "three different seats"}[seats]
        raise BadRecord("setup.targets", f"expected {expected}, found {targets} (NB-3)")
    return sets, tuple(targets)


def _read_set(value: Any, where: str) -> bytes:
    cards = bytearray()
    for i, text in enumerate(json_checks.require_list(value, where, SET)):
        card = CARD_BYTES.get(text) if isinstance(text, str) else None
        if card is None:
            raise _no_card(text, f"{where}[{i}]")
        if card in cards:
            raise BadRecord(f"{where}[{i}]", f"{text} is a card too many: a set has every card once (NB-2)")
        cards.append(card)
    return bytes(cards)


def _no_card(value: Any, where: str) -> BadRecord:
    text = json_checks.require_text(value, where)
    return BadRecord(where, f"{shorten(text)} is no card: expected two different letters of {COLOURS} (NB-1)")
