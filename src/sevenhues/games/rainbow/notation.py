"""Rainbow in words: moves and setups as text, why a move is refused, and the table drawn in a terminal."""

from typing import Any, Final

from sevenhues.core import json_checks
from sevenhues.core.errors import BadRecord, Refusal, shorten
from sevenhues.core.game import Setup
from sevenhues.games.rainbow.pieces import (
    BLIND,
    CARDS,
    END,
    FACES,
    HAND,
    LIGHT,
    MOVES,
    NO_CARD,
    PACK,
    SHADE,
    STANDARD,
    TURN_OVER,
    card_byte,
    card_in,
    face_of,
)
from sevenhues.games.rainbow.rules import RainbowPosition
from sevenhues.games.rainbow.view_types import HandCard, Last, RainbowView, RowCard
from sevenhues.render import ansi

MOVE_PATTERN: Final = "F[1-5]|[SB][1-3]|E"
MOVE_EXAMPLES: Final = "F1 to F5, S1 to S3, B1 to B3 and E"
MOVE_NUMBERS: Final = {text: move for move, text in enumerate(MOVES)}

COPIES: Final = {pair: PACK.count(pair) for pair in PACK}

REFUSALS: Final = {
    "no-such-card": Refusal("RB-9", "There is no card {place} in the row: it has {length}."),
    "turned-already": Refusal("RB-10", "You have just turned a card over: play one now, or end your turn if you may."),
    "turn-over-first": Refusal("RB-9", "Turn over a card of the row before you play another."),
    "empty-slot": Refusal("RB-8", "Slot {slot} of your hand is empty."),
    "play-first": Refusal("RB-12", "Play a card before you end your turn."),
}


def why_not(position: RainbowPosition, move: int) -> tuple[str, dict[str, str | int]]:
    """Tell why the seat to act may not make a move: a key of REFUSALS, and its parameters."""
    if move == END:
        return "play-first", {}
    if move < STANDARD:
        if position.turned:
            return "turned-already", {}
        return "no-such-card", {"place": move - TURN_OVER + 1, "length": position.row_length}
    slot = (move - STANDARD) % HAND
    if card_in(position.hands, position.turn, slot) == NO_CARD:
        return "empty-slot", {"slot": slot + 1}
    return "turn-over-first", {}


def deck_texts(deck: bytes) -> list[str]:
    """Write a deck as a record does."""
    return [FACES[face_of(deck, card, 0)] + FACES[face_of(deck, card, 1)] for card in range(CARDS)]


def read_setup(setup: Setup) -> tuple[bytes, int]:
    """Read the deck and the first seat; raises BadRecord."""
    texts = json_checks.a_list(json_checks.part(setup, "deck", "setup"), "setup.deck", CARDS)
    first = json_checks.a_number(json_checks.part(setup, "first", "setup"), "setup.first", 0, 1)
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
    text = json_checks.a_text(value, where)
    faces = [FACES.find(face) for face in text]
    if len(text) != 2 or -1 in faces or faces[0] == faces[1]:
        raise BadRecord(where, f"{shorten(text)} is no card: expected two different letters of {FACES} (RB-1)")
    return faces[0], faces[1]


def draw(view: RainbowView, colour: bool) -> str:
    """Draw the table as its viewer sees it."""
    me = 1 if view["viewer"] == 1 else 0
    row = [_card(card["face"], colour) for card in view["row"]]
    next_card = view["next"]
    lines = [
        ansi.strong(f"Round {view['round']}", colour) + "   " + asked(view),
        "",
        _hand_line(view, 1 - me, colour),
        "",
        f"  {'row':<14}" + (" ".join(row) or ansi.faint("empty", colour)),
        *_under_line(view["row"], colour),
        _numbers([True] * len(row)),
        f"  {'deck':<14}{view['deck']} left"
        + (f", your next {_card(next_card, colour)}" if next_card else "")
        + "".join(f", next {_card(end['face'], colour)}{_card(end['under'], colour)}" for end in view.get("ends", [])),
        "",
        _hand_line(view, me, colour),
        _numbers([card is not None for card in view["hands"][me]]),
    ]
    return "\n".join(line.rstrip() for line in lines)


def _card(face: str, colour: bool) -> str:
    return ansi.block(face, hue(face), colour)


def hue(face: str) -> tuple[int, int]:
    """Return ink and paper of a face."""
    at = FACES.find(face)
    if at < 0:
        return ansi.HIDDEN
    return {LIGHT: ansi.LIGHT, SHADE: ansi.SHADE}.get(at) or ansi.HUES[at]


def _hand_line(view: RainbowView, seat: int, colour: bool) -> str:
    def shown(card: HandCard | None) -> str:
        return ansi.faint(" · ", colour) if card is None else _card(card["face"], colour)

    name = f"seat {seat}" + (" (you)" if seat == view["viewer"] else "")
    hand = view["hands"][seat]
    cards = " ".join(shown(card) for card in hand)
    backs = [_card(card["under"], colour) for card in hand if card is not None and "under" in card]
    return f"  {name:<14}{cards}   pile {view['piles'][seat]}" + (f"   backs {' '.join(backs)}" if backs else "")


def _numbers(cards: list[bool]) -> str:
    return " " * 16 + " ".join(f" {i + 1} " if card else "   " for i, card in enumerate(cards))


def _under_line(row: list[RowCard], colour: bool) -> list[str]:
    if not any("under" in card for card in row):
        return []
    return [f"  {'under':<14}" + " ".join(_card(card["under"], colour) for card in row)]


def asked(view: RainbowView) -> str:
    """Say who may do what."""
    if view["turn"] is None:
        return "the game is over"
    choices = [
        ("turn over a card of the row (F)", view["may_turn_over"]),
        ("play a card, standard (S) or blind (B)", view["may_play"]),
        ("end the turn (E)", view["may_end"]),
    ]
    who = "you" if view["turn"] == view["viewer"] else f"seat {view['turn']}"
    return f"{who} may " + ", or ".join(text for text, may in choices if may)


def describe_last_move(last: Last | None) -> str:
    """Say what the last move showed."""
    if last is None:
        return ""
    who, move, face = f"Seat {last['seat']}", last["move"], last["face"]
    if face is None:
        told = f"{who} ended the turn"
    elif move[0] == "F":
        told = f"{who} turned over card {move[1]}: {face} came up"
    else:
        how = "standard" if MOVE_NUMBERS[move] < BLIND else "blind"
        told = f"{who} played slot {move[1]} {how}: {face} came up"
    end = last["round_end"]
    if end is not None:
        count = f"{len(end['row'])} card{'s' if len(end['row']) > 1 else ''}"
        row = " ".join(card["face"] for card in end["row"])
        why = {"shade": "Shade loses", "clash": f"{face} was there already", "rainbow": "A RAINBOW"}
        told += f". {why[str(last['end'])]}: seat {end['taker']} takes {count} ({row})"
    return told + "."
