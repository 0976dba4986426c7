"""Notation of Rainbow Road: moves and setups as text, and why a move is refused."""

from typing import Any, Final

from sevenhues.core import bits, json_checks
from sevenhues.core.errors import BadRecord, Refusal, any_of, shorten
from sevenhues.core.game import Setup
from sevenhues.games.rainbow_road.board import FOLLOWING, RAIN, SUNNY
from sevenhues.games.rainbow_road.pieces import (
    COPIES,
    FIRST_OPEN,
    HALF,
    HAND_SIZE,
    MOVES,
    NO_SPOT,
    NUMBERS,
    OPEN,
    PRANKS,
    PRANKS_EACH,
    SECOND_OPEN,
    SPOTS,
    WAYS,
    count_of,
    listed,
    next_spot,
    number_at,
    tally_of,
)
from sevenhues.games.rainbow_road.rules import RoadPosition

Why = tuple[str, dict[str, str | int]]  # a key of REFUSALS, and its parameters


def _pattern() -> str:
    """Return a pattern that matches only moves: an exchange names the earlier spot first."""
    pairs = [f"{spot},(?:{'|'.join(SPOTS[i + 1 :])})" for i, spot in enumerate(SPOTS[:-1])]
    spot = "[ab][1-5]"
    return (
        f"P[1-7]{spot}|stop|(?:jump|skip)?[+-]|(?:trash|teleport):{spot}"
        f"|exchange:(?:{'|'.join(pairs)})|recycle:[1-7]>{spot}"
    )


MOVE_PATTERN: Final = _pattern()
MOVE_EXAMPLES: Final = (
    "P5a3, + and -, jump+ and jump-, skip+ and skip-, "
    "exchange:a2,b4 (the earlier spot first), trash:b3, teleport:a5, recycle:7>a3 and stop"
)
MOVE_NUMBERS: Final = tuple([{text: move for move, text in enumerate(texts)} for texts in MOVES])

REFUSALS: Final = {
    "play-first": Refusal("RR-7", "Play a card from your hand first: the fairies move when both cards are down."),
    "no-such-card": Refusal("RR-7", "You have no {number} in your hand."),
    "other-half": Refusal("RR-7", "{spot} is in your opponent's half: play to {places}."),
    "owed": Refusal("RR-25", "A card was trashed from {owed}: your next card goes there."),
    "fill-empty": Refusal("RR-8", "{spot} has a card already: while you have an empty spot, play to {places}."),
    "fairy-there": Refusal("RR-8", "A fairy stands on {spot}: replace the card on {places}."),
    "cards-down": Refusal("RR-10", "Both cards are down: move the {fairy} Fairy now, or stop."),
    "turned-round": Refusal("RR-15", "The {fairy} Fairy goes {way} this time: it cannot turn round."),
    "clockwise": Refusal("RR-29", "At this table fairies always go clockwise, which is -."),
    "climbs": Refusal(
        "RR-13",
        "The {fairy} Fairy climbs now: the {number} on {spot}, the next card, is lower than {here}.",
    ),
    "descends": Refusal(
        "RR-13",
        "The {fairy} Fairy descends now: the {number} on {spot}, the next card, is higher than {here}.",
    ),
    "leap": Refusal(
        "RR-17", "To leap over the Rain Fairy, its card, the {number} on {spot}, would have to be {here} or {side}."
    ),
    "blocked": Refusal("RR-18", "The Sunny Fairy on {spot} blocks the Rain Fairy."),
    "not-rain": Refusal("RR-20", "Pranks are for the mover of the Rain Fairy, and the Sunny Fairy moves now."),
    "one-prank": Refusal("RR-20", "You have used a prank this round already."),
    "not-held": Refusal("RR-20", "You do not hold {prank}."),
    "exchange-late": Refusal("RR-21", "Cards are exchanged before the first hop."),
    "exchange-empty": Refusal("RR-21", "There is no card on {spot} to exchange."),
    "exchange-fairy": Refusal("RR-21", "A fairy stands on {spot}: exchange two cards without one."),
    "jump-sunny": Refusal("RR-22", "The Sunny Fairy stands on {spot}: you cannot jump onto its card."),
    "skip-sunny": Refusal("RR-23", "The Sunny Fairy stands on {spot}: you cannot skip onto its card."),
    "trash-late": Refusal("RR-25", "A card is trashed before the first hop."),
    "trash-empty": Refusal("RR-25", "There is no card on {spot} to trash."),
    "trash-fairy": Refusal("RR-25", "A fairy stands on {spot}: trash a card without one."),
    "teleport-late": Refusal("RR-26", "The Rain Fairy is teleported before the first hop."),
    "teleport-empty": Refusal("RR-26", "There is no card on {spot} to teleport to."),
    "teleport-sunny": Refusal("RR-26", "The Sunny Fairy stands on {spot}: teleport to another card."),
    "teleport-same": Refusal("RR-26", "The Rain Fairy is on {spot} already: teleport to another card."),
    "recycle-late": Refusal("RR-27", "A card is recycled before the first hop."),
    "recycle-nothing": Refusal("RR-27", "The discard pile is empty: there is nothing to recycle."),
    "recycle-missing": Refusal("RR-27", "There is no {number} in the discard pile."),
    "recycle-unmarked": Refusal("RR-27", "{spot} has no marker: put it in place of a card played this round."),
    "recycle-sunny": Refusal("RR-27", "The Sunny Fairy stands on {spot}: its card cannot be replaced."),
}


def why_not(position: RoadPosition, text: str) -> Why:
    """Return why the seat to act may not make a move."""
    if text[0] == "P":
        return _why_not_play(position, int(text[1]), text[2:])
    if position.phase <= FOLLOWING:
        return "play-first", {}
    if text[0] in WAYS:
        return _why_not_way(position, text) or _why_not_hop(position, WAYS.index(text))
    prank = text.split(":")[0].rstrip(WAYS)
    if position.phase != RAIN:
        return "not-rain", {}
    if position.pranked:
        return "one-prank", {}
    if not (position.held(position.turn) >> PRANKS.index(prank)) & 1:
        return "not-held", {"prank": prank}
    if prank in ("jump", "skip"):
        way = WAYS.index(text[-1])
        spot = position.ahead(way)
        if prank == "skip":
            spot = next_spot(position.numbers, spot, way)
        return _why_not_way(position, text[-1]) or (f"{prank}-sunny", {"spot": SPOTS[spot]})
    if position.hopped:
        return f"{prank}-late", {}
    if prank == "recycle":
        return _why_not_recycle(position, int(text[8]), SPOTS.index(text[10:]))
    return _why_not_spots(position, prank, text.split(":")[1].split(","))


def _why_not_play(position: RoadPosition, number: int, text: str) -> Why:
    if position.phase > FOLLOWING:
        return "cards-down", {"fairy": _fairy(position)}
    seat, spot = position.turn, SPOTS.index(text)
    places = any_of([SPOTS[HALF * seat + place] for place in bits.members(position.places(seat))])
    if spot // HALF != seat:
        return "other-half", {"spot": text, "places": places}
    if not count_of(position.hand(seat), number):
        return "no-such-card", {"number": number}
    if position.owed != NO_SPOT and position.owed // HALF == seat:
        return "owed", {"owed": SPOTS[position.owed]}
    full = all([number_at(position.numbers, HALF * seat + place) > 0 for place in range(HALF)])
    return "fairy-there" if full else "fill-empty", {"spot": text, "places": places}


def _why_not_way(position: RoadPosition, way: str) -> Why | None:
    if (position.ways >> WAYS.index(way)) & 1:
        return None
    if position.clockwise:
        return "clockwise", {}
    return "turned-round", {"fairy": _fairy(position), "way": "anticlockwise" if way == "-" else "clockwise"}


def _why_not_hop(position: RoadPosition, way: int) -> Why:
    spot = position.ahead(way)
    here = number_at(position.numbers, position.standing())
    number = number_at(position.numbers, spot)
    if position.phase == RAIN and spot == position.sunny:
        return "blocked", {"spot": SPOTS[spot]}
    if position.phase == SUNNY and spot == position.rain:
        side = "higher" if position.climbing() else "lower"
        return "leap", {"spot": SPOTS[spot], "number": number, "here": here, "side": side}
    parameters: dict[str, str | int] = {"fairy": _fairy(position), "spot": SPOTS[spot], "number": number, "here": here}
    return "climbs" if position.climbing() else "descends", parameters


def _why_not_recycle(position: RoadPosition, number: int, spot: int) -> Why:
    if position.discards == 0:
        return "recycle-nothing", {}
    if not count_of(position.discards, number):
        return "recycle-missing", {"number": number}
    marked = spot == position.mark_0 or spot == position.mark_1
    return "recycle-sunny" if marked else "recycle-unmarked", {"spot": SPOTS[spot]}


def _why_not_spots(position: RoadPosition, prank: str, texts: list[str]) -> Why:
    for text in texts:
        spot = SPOTS.index(text)
        if not number_at(position.numbers, spot):
            return f"{prank}-empty", {"spot": text}
        if spot == position.sunny or spot == position.rain:
            if prank == "teleport":
                return "teleport-sunny" if spot == position.sunny else "teleport-same", {"spot": text}
            return f"{prank}-fairy", {"spot": text}
    raise ValueError(f"{prank} of {texts} is legal")


def _fairy(position: RoadPosition) -> str:
    return "Sunny" if position.phase == SUNNY else "Rain"


def setup_of(position: RoadPosition) -> Setup:
    """Write the deal of a position in the format of records."""
    open_cards = [number_at(position.dealt_open, HALF * (i // OPEN) + _open_spot(i % OPEN)) for i in range(2 * OPEN)]
    prank_sets = (position.dealt_pranks_0, position.dealt_pranks_1)
    return {
        "hands": [listed(position.dealt_0), listed(position.dealt_1)],
        "field": [open_cards[:OPEN], open_cards[OPEN:]],
        "pranks": [[PRANKS[i] for i in bits.members(pranks)] for pranks in prank_sets],
        "first": position.first,
    }


def _open_spot(i: int) -> int:
    return SECOND_OPEN if i else FIRST_OPEN


def read_setup(setup: Setup, position: RoadPosition) -> None:
    """Validate a setup and deal it to a new position; raise BadRecord if it is wrong."""
    left = [COPIES] * (NUMBERS + 1)
    hands = _pair(setup, "hands")
    tallies = [tally_of(_cards(hands[seat], f"setup.hands[{seat}]", HAND_SIZE, left)) for seat in range(2)]
    field = _pair(setup, "field")
    open_cards: list[int] = []
    for seat in range(2):
        open_cards += _cards(field[seat], f"setup.field[{seat}]", OPEN, left)
    pranks = _pair(setup, "pranks")
    held: list[int] = []
    for seat in range(2):
        held += _prank_numbers(pranks[seat], f"setup.pranks[{seat}]", held)
    first = json_checks.require_int(json_checks.require_key(setup, "first", "setup"), "setup.first", 0, 1)
    sets = [int(bits.bit(held[2 * seat]) | bits.bit(held[2 * seat + 1])) for seat in range(2)]
    position.lay_out([int(tally) for tally in tallies], open_cards, sets, first)


def _pair(setup: Setup, key: str) -> list[Any]:
    return json_checks.require_list(json_checks.require_key(setup, key, "setup"), f"setup.{key}", 2)


def _cards(value: Any, where: str, length: int, left: list[int]) -> list[int]:
    """Parse a list of cards, and take them from those that are left of each number."""
    cards: list[int] = []
    for i, item in enumerate(json_checks.require_list(value, where, length)):
        number = json_checks.require_int(item, f"{where}[{i}]", 1, NUMBERS)
        if left[number] == 0:
            raise BadRecord(f"{where}[{i}]", f"{number} is a card too many: there are {COPIES} of each number (RR-1)")
        left[number] -= 1
        cards.append(number)
    return cards


def _prank_numbers(value: Any, where: str, taken: list[int]) -> list[int]:
    pranks: list[int] = []
    for i, item in enumerate(json_checks.require_list(value, where, PRANKS_EACH)):
        name = json_checks.require_text(item, f"{where}[{i}]")
        if name not in PRANKS:
            raise BadRecord(f"{where}[{i}]", f"{shorten(name)} is not a prank: expected {', '.join(PRANKS)} (RR-5)")
        prank = PRANKS.index(name)
        if prank in taken or prank in pranks:
            raise BadRecord(f"{where}[{i}]", f"{name} is dealt twice: there is one of each prank (RR-5)")
        pranks.append(prank)
    return pranks
