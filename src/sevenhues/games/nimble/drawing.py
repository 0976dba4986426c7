"""Text drawing of Nimble."""

from typing import Final

from sevenhues.games.nimble.pieces import COLOURS, FLIP, MOVES, TAKE_BACK
from sevenhues.games.nimble.view_types import Card, Last, NimbleView, Player, Result
from sevenhues.render import ansi

# Foreground and background of the six colours, in the order of COLOURS.
HUES: Final = ((16, 44), (231, 18), (16, 228), (231, 124), (16, 71), (231, 98))


def draw(view: NimbleView, colour: bool) -> str:
    """Draw a view as text."""
    stacks, result = view["stacks"], view["result"]
    lines = [
        prompt(view, colour),
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


def prompt(view: NimbleView, colour: bool) -> str:
    """Describe the goal of the race and what the viewer may do."""
    if view["result"] is not None:
        return ansi.bold("The game is over", colour)
    goal = "one card" if view["goal"] else "no card"
    text = ansi.bold("All play at once", colour) + f": the first with {goal} left ends the game"
    if view["viewer"] >= 0:
        me = view["players"][view["viewer"]]
        choices = [
            ("flip (f)", me["may_flip"]),
            ("place on a stack (p1 p2 p3)", me["may_take_back"]),
            ("take back (b)", me["may_take_back"]),
            ("turn over (t)", me["may_turn_over"]),
        ]
        text += "\nYou may " + ", ".join([choice for choice, may in choices if may])
    return text


def _card(card: Card | None, colour: bool) -> str:
    if card is None:
        return ansi.dim("  --  ", colour)
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
        f"   left {player['left']:>2} {ansi.dim(bar, colour)}" + (f"   next {coming}" if coming else "")
    )


def result_lines(result: Result, colour: bool) -> list[str]:
    """Return the ranking and the cards that did not fit."""
    disqualified = result["disqualified"]
    order = sorted([(place, seat) for seat, place in enumerate(result["places"]) if seat not in disqualified])
    ranking = [f"{place}. seat {seat}" for place, seat in order]
    lines = [f"  {'ranking':<14}" + ", ".join(ranking + [f"seat {seat} disqualified" for seat in disqualified])]
    for mistake in result["mistakes"]:
        below = result["stacks"][mistake["stack"] - 1][mistake["height"] - 2]
        lines.append(
            f"  {'mistake':<14}stack {mistake['stack']}, height {mistake['height']}: seat {mistake['owner']}'s"
            f" {_card(mistake['card'], colour).strip()} on {_card(below, colour).strip()}"
        )
    return lines


def describe_last_move(last: Last | None) -> str:
    """Describe the last move in a sentence."""
    if last is None:
        return ""
    seat, card = f"Seat {last['seat']}", last["card"]
    if card is None:
        return f"{seat} turned the discard pile over."
    text = card["frame"] + card["circle"]
    if last["move"] == MOVES[FLIP]:
        return f"{seat} flipped {text}."
    if last["move"] == MOVES[TAKE_BACK]:
        return f"{seat} took {text} back."
    covered = last["covered"]
    on = f" on {covered['frame']}{covered['circle']}" if covered else ""
    return f"{seat} placed {text}{on}, stack {last['stack']}."
