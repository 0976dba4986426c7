"""Text drawings of Rainbow for terminals, and descriptions of moves."""

from sevenhues.games.rainbow.notation import MOVE_NUMBERS
from sevenhues.games.rainbow.pieces import BLIND, FACES, LIGHT, SHADE
from sevenhues.games.rainbow.view_types import HandCard, Last, RainbowView, RowCard
from sevenhues.render import ansi


def draw(view: RainbowView, colour: bool) -> str:
    """Draw a view: the opponent's hand above, the row in the middle, the viewer's hand below."""
    me = 1 if view["viewer"] == 1 else 0
    row = [_card(card["face"], colour) for card in view["row"]]
    next_card = view["next"]
    lines = [
        ansi.bold(f"Round {view['round']}", colour) + "   " + describe_choices(view),
        "",
        _hand_line(view, 1 - me, colour),
        "",
        f"  {'row':<14}" + (" ".join(row) or ansi.dim("empty", colour)),
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
    """Return the foreground and background colour of a face."""
    number = FACES.find(face)
    if number < 0:
        return ansi.HIDDEN
    return {LIGHT: ansi.LIGHT, SHADE: ansi.SHADE}.get(number) or ansi.HUES[number]


def _hand_line(view: RainbowView, seat: int, colour: bool) -> str:
    def shown(card: HandCard | None) -> str:
        return ansi.dim(" · ", colour) if card is None else _card(card["face"], colour)

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


def describe_choices(view: RainbowView) -> str:
    """Describe what the seat to act may do."""
    if view["turn"] is None:
        return "the game is over"
    choices = [
        ("turn over a card of the row (F)", view["may_turn_over"]),
        ("play a card, as seen (S) or blind (B)", view["may_play"]),
        ("end the turn (E)", view["may_end"]),
    ]
    who = "you" if view["turn"] == view["viewer"] else f"seat {view['turn']}"
    return f"{who} may " + ", or ".join(text for text, may in choices if may)


def describe_last_move(last: Last | None) -> str:
    """Describe the last move and what it ended; empty before the first move."""
    if last is None:
        return ""
    who, move, face = f"Seat {last['seat']}", last["move"], last["face"]
    if face is None:
        sentence = f"{who} ended the turn"
    elif move[0] == "F":
        sentence = f"{who} turned over card {move[1]}: {face} came up"
    else:
        how = "as seen" if MOVE_NUMBERS[move] < BLIND else "blind"
        sentence = f"{who} played card {move[1]} {how}: {face} came up"
    end = last["round_end"]
    if end is not None:
        count = f"{len(end['row'])} card{'s' if len(end['row']) > 1 else ''}"
        row = " ".join(card["face"] for card in end["row"])
        why = {"shade": "Shade loses", "clash": f"{face} was there already", "rainbow": "A RAINBOW"}
        sentence += f". {why[str(last['end'])]}: seat {end['taker']} takes {count} ({row})"
    return sentence + "."
