"""Nimble in words: moves and setups as text, why a move is refused, and the table drawn in a terminal."""

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
    field,
)
from sevenhues.games.nimble.rules import NimblePosition
from sevenhues.games.nimble.view_types import Card, Last, NimbleView, Player, Result
from sevenhues.render import ansi

MOVE_PATTERN: Final = "f|p[1-3]|b|t"
MOVE_EXAMPLES: Final = "f, p1 to p3, b and t"
MOVE_NUMBERS: Final = {text: move for move, text in enumerate(MOVES)}
CARD_BYTES: Final = {card_text(card): card for card in PACK}
GUARDED: Final = "(p[1-3])/([1-9][0-9]{0,2})"  # NB-11 a placement and the height that was seen

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

# Ink and paper of the six colours, in the order of COLOURS.
HUES: Final = ((16, 44), (231, 18), (16, 228), (231, 124), (16, 71), (231, 98))


def split_condition(text: str) -> tuple[str, int]:
    """Split what a player sends into the move and, for a guarded placement, the height seen, else 0 (NB-11)."""
    guarded = re.fullmatch(GUARDED, text, re.ASCII)
    return (text, 0) if guarded is None else (guarded[1], int(guarded[2]))


def why_not(position: NimblePosition, seat: int, move: int) -> tuple[str, dict[str, str | int]]:
    """Tell why a seat may not make a move: a key of REFUSALS, and its parameters."""
    mark = field(position.marks, seat)
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
    """Write sets as a record does."""
    return [[card_text(card) for card in sets[start : start + SET]] for start in range(0, len(sets), SET)]


def read_setup(setup: Setup, seats: int) -> tuple[bytes, tuple[int, ...]]:
    """Read the sets and who starts the stacks; raises BadRecord."""
    texts = json_checks.a_list(json_checks.part(setup, "sets", "setup"), "setup.sets", seats)
    givers = json_checks.a_list(json_checks.part(setup, "targets", "setup"), "setup.targets", STACKS)
    sets = b"".join([_read_set(cards, f"setup.sets[{seat}]") for seat, cards in enumerate(texts)])
    targets = [json_checks.a_number(seat, f"setup.targets[{i}]", 0, seats - 1) for i, seat in enumerate(givers)]
    # NB-3 With two players one gives two cards; otherwise nobody gives more than one.
    given = max([targets.count(seat) for seat in targets])
    if given != (2 if seats == 2 else 1):
        right = {2: "one seat twice, the other once", 3: "each seat once", 4: "three different seats"}[seats]
        raise BadRecord("setup.targets", f"expected {right}, found {targets} (NB-3)")
    return sets, tuple(targets)


def _read_set(value: Any, where: str) -> bytes:
    cards = bytearray()
    for i, text in enumerate(json_checks.a_list(value, where, SET)):
        card = CARD_BYTES.get(text) if isinstance(text, str) else None
        if card is None:
            raise _no_card(text, f"{where}[{i}]")
        if card in cards:
            raise BadRecord(f"{where}[{i}]", f"{text} is a card too many: a set has every card once (NB-2)")
        cards.append(card)
    return bytes(cards)


def _no_card(value: Any, where: str) -> BadRecord:
    text = json_checks.a_text(value, where)
    return BadRecord(where, f"{shorten(text)} is no card: expected two different letters of {COLOURS} (NB-1)")


def draw(view: NimbleView, colour: bool) -> str:
    """Draw the table as everybody sees it."""
    stacks, result = view["stacks"], view["result"]
    lines = [
        asked(view, colour),
        "",
        f"  {'stack':<14}" + "".join([f"{i + 1:^10}" for i in range(len(stacks))]),
        f"  {'top':<14}" + "".join([f"  {_card(stack['top'], colour)}  " for stack in stacks]),
        f"  {'takes frame':<14}" + "".join([f"{stack['top']['circle']:^10}" for stack in stacks]),
        f"  {'height':<14}" + "".join([f"{stack['height']:^10}" for stack in stacks]),
        "",
        *[_player_line(view, seat, colour) for seat in range(len(view["players"]))],
    ]
    if result is not None:
        lines += ["", *result_lines(result, colour)]
    return "\n".join([line.rstrip() for line in lines])


def asked(view: NimbleView, colour: bool) -> str:
    """Say what the race is for, and what the viewer may do."""
    if view["result"] is not None:
        return ansi.strong("The game is over", colour)
    goal = "one card" if view["goal"] else "no card"
    asked = ansi.strong("Everybody at once", colour) + f": who has {goal} left ends the game"
    if view["viewer"] >= 0:
        me = view["players"][view["viewer"]]
        choices = [
            ("flip (f)", me["may_flip"]),
            ("place on a stack (p1 p2 p3)", me["may_take_back"]),
            ("take back (b)", me["may_take_back"]),
            ("turn over (t)", me["may_turn_over"]),
        ]
        asked += "\nYou may " + ", ".join([text for text, may in choices if may])
    return asked


def _card(card: Card | None, colour: bool) -> str:
    if card is None:
        return ansi.faint("  --  ", colour)
    frame, circle = card["frame"], card["circle"]
    if not colour:
        return f" [{frame}{circle}] "
    return "".join([ansi.block(letter, HUES[COLOURS.index(letter)], True) for letter in (frame, circle)])


def _player_line(view: NimbleView, seat: int, colour: bool) -> str:
    player: Player = view["players"][seat]
    name = f"seat {seat}" + (" (you)" if seat == view["viewer"] else "")
    bar = "=" * player["left"]
    coming = "".join([_card(card, colour) for card in player.get("coming", [])])
    return (
        f"  {name:<14}  pile {_card(player['top'], colour)} of {player['pile']:<2}   set {player['set']:>2}"
        f"   left {player['left']:>2} {ansi.faint(bar, colour)}" + (f"   next {coming}" if coming else "")
    )


def result_lines(result: Result, colour: bool) -> list[str]:
    """Tell who came in where, and which cards did not fit."""
    struck = result["disqualified"]
    order = sorted([(place, seat) for seat, place in enumerate(result["places"]) if seat not in struck])
    ranking = [f"{place}. seat {seat}" for place, seat in order]
    lines = [f"  {'ranking':<14}" + ", ".join(ranking + [f"seat {seat} disqualified" for seat in struck])]
    for mistake in result["mistakes"]:
        below = result["stacks"][mistake["stack"] - 1][mistake["height"] - 2]
        lines.append(
            f"  {'mistake':<14}stack {mistake['stack']}, height {mistake['height']}: seat {mistake['owner']}'s"
            f" {_card(mistake['card'], colour).strip()} on {_card(below, colour).strip()}"
        )
    return lines


def describe_last_move(last: Last | None) -> str:
    """Say what the last move showed."""
    if last is None:
        return ""
    who, card = f"Seat {last['seat']}", last["card"]
    if card is None:
        return f"{who} turned the discard pile over."
    text = card["frame"] + card["circle"]
    if last["move"] == MOVES[FLIP]:
        return f"{who} flipped {text}."
    if last["move"] == MOVES[TAKE_BACK]:
        return f"{who} took {text} back."
    covered = last["covered"]
    on = f" on {covered['frame']}{covered['circle']}" if covered else ""
    return f"{who} placed {text}{on}, stack {last['stack']}."
