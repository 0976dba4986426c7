"""Notation of Rainbow: moves and setups as text, and why a move is refused."""

from typing import Any, Final

from sevenhues.core import json_checks
from sevenhues.core.errors import BadRecord, Refusal, shorten
from sevenhues.core.game import Setup
from sevenhues.games.rainbow.pieces import (
    CARDS,
    END,
    FACES,
    HAND_SIZE,
    MOVES,
    NO_CARD,
    PACK,
    STANDARD,
    TURN_OVER,
    card_byte,
    card_in,
    face_of,
)
from sevenhues.games.rainbow.rules import RainbowPosition

MOVE_PATTERN: Final = "F[1-5]|[SB][1-3]|E"
MOVE_EXAMPLES: Final = "F1 to F5, S1 to S3, B1 to B3 and E"
MOVE_NUMBERS: Final = {text: move for move, text in enumerate(MOVES)}

COPIES: Final = {pair: PACK.count(pair) for pair in PACK}

REFUSALS: Final = {
    "no-such-card": Refusal("RB-9", "There is no card {place} in the row: it has {length}."),
    "turned-already": Refusal("RB-10", "You have just turned a card over: play one now, or end your turn if you may."),
    "turn-over-first": Refusal("RB-9", "Turn over a card of the row before you play another."),
    "empty-slot": Refusal("RB-8", "You have no card {slot} in your hand."),
    "play-first": Refusal("RB-12", "Play a card before you end your turn."),
}


def why_not(position: RainbowPosition, move: int) -> tuple[str, dict[str, str | int]]:
    """Return why the seat to act may not make a move: a key of REFUSALS, and its parameters."""
    if move == END:
        return "play-first", {}
    if move < STANDARD:
        if position.turned:
            return "turned-already", {}
        return "no-such-card", {"place": move - TURN_OVER + 1, "length": position.row_length}
    slot = (move - STANDARD) % HAND_SIZE
    if card_in(position.hands, position.turn, slot) == NO_CARD:
        return "empty-slot", {"slot": slot + 1}
    return "turn-over-first", {}


def deck_texts(deck: bytes) -> list[str]:
    """Write a deck in the format of records."""
    return [FACES[face_of(deck, card, 0)] + FACES[face_of(deck, card, 1)] for card in range(CARDS)]


def read_setup(setup: Setup) -> tuple[bytes, int]:
    """Validate a setup and return its deck and first seat; raise BadRecord if it is wrong."""
    texts = json_checks.require_list(json_checks.require_key(setup, "deck", "setup"), "setup.deck", CARDS)
    first = json_checks.require_int(json_checks.require_key(setup, "first", "setup"), "setup.first", 0, 1)
    left = COPIES.copy()
    deck = bytearray()
    for i, text in enumerate(texts):
        one, other = _read_card(text, f"setup.deck[{i}]")
        pair = (min(one, other), max(one, other))
        if left[pair] == 0:
            raise BadRecord(f"setup.deck[{i}]", f"{text} is a card too many: there are {COPIES[pair]} (RB-2)")
        left[pair] -= 1
        deck.append(card_byte(one, other))
    return bytes(deck), first


def _read_card(value: Any, where: str) -> tuple[int, int]:
    text = json_checks.require_text(value, where)
    faces = [FACES.find(face) for face in text]
    if len(text) != 2 or -1 in faces or faces[0] == faces[1]:
        raise BadRecord(where, f"{shorten(text)} is not a card: expected two different letters of {FACES} (RB-1)")
    return faces[0], faces[1]
