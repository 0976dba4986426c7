"""Text drawings of Rainbow Road for terminals, and descriptions of moves."""

from typing import Final

from sevenhues.games.rainbow_road.pieces import HALF
from sevenhues.games.rainbow_road.view_types import Card, Last, RoadView, Spot, Walk
from sevenhues.render import ansi

SPOT_WIDTH: Final = 7
LABEL_WIDTH: Final = 16
SIDE: Final = "      │"

OWN_MARKER: Final = "●"
OTHER_MARKER: Final = "○"
FAIRY_NAMES: Final = {"sunny": "Sunny", "rain": "Rain"}
FAIRY_COLOURS: Final = {"sunny": ansi.LIGHT, "rain": ansi.HIDDEN}  # differs from the colours of all numbers
WEATHER_TEXTS: Final = {
    "sunny": ("SUNNY", "Sunny climbs, Rain descends"),
    "rainy": ("RAINY", "Rain climbs, Sunny descends"),
}
HIGHER_CARD_TEXTS: Final = {
    "sunny": "the higher card moves Sunny, the lower one Rain",
    "rainy": "the higher card moves Rain, the lower one Sunny",
}
PRANK_TEXTS: Final = {
    "exchange": "before the first hop: swap two cards without a fairy",
    "jump": "as a hop: onto the next card, whatever its number",
    "skip": "as a hop: over the next card, onto the one after it",
    "trash": "before the first hop: discard a card without a fairy",
    "teleport": "before the first hop: put the Rain Fairy on another card",
    "recycle": "before the first hop: a discard replaces a card played this round",
}


def draw(view: RoadView, colour: bool) -> str:
    """Draw a view: the ring with the viewer's half below, hands, pranks, discards and points."""
    me = 1 if view["viewer"] == 1 else 0
    mine = [*range(HALF * me, HALF * me + HALF)]
    theirs = [*range(HALF * (1 - me) + HALF - 1, HALF * (1 - me) - 1, -1)]
    lines = [
        ansi.bold(f"Round {view['round']} of 8", colour) + f"   {describe_choices(view)}",
        "",
        _seat_line(view, 1 - me, colour),
        *_hand_lines(view, 1 - me, colour),
        *_prank_lines(view, 1 - me, colour),
        "",
        *_half(view, theirs, "╭╮", colour),
        *_middle(view, colour),
        *reversed(_half(view, mine, "╰╯", colour)),
        "",
        _seat_line(view, me, colour),
        *_hand_lines(view, me, colour),
        *_prank_lines(view, me, colour),
        f"  {'discards':<{LABEL_WIDTH}}" + (_cards(view["discards"], colour) or ansi.dim("none", colour)),
        f"  {'rounds':<{LABEL_WIDTH}}" + "  ".join(f"{gains[me]}:{gains[1 - me]}" for gains in view["gains"]),
    ]
    return "\n".join(line.rstrip() for line in lines)


def describe_choices(view: RoadView) -> str:
    """Describe what the seat to act may do."""
    if view["turn"] is None:
        return "the game is over"
    mine = view["turn"] == view["viewer"]
    who = "you" if mine else f"seat {view['turn']}"
    walk = view["walk"]
    if walk is None:
        places = " ".join(view["places"])
        return f"{who} {'play' if mine else 'plays'} a card to {places}; {HIGHER_CARD_TEXTS[view['weather']]}"
    ways = [way for way in "+-" if any(step["hops"][0] == way for step in walk["reach"])]
    text = f"{who} {'move' if mine else 'moves'} the {FAIRY_NAMES[walk['fairy']]} Fairy: {', '.join([*ways, 'stop'])}"
    if walk["fairy"] == "rain" and not walk["pranked"] and view["pranks"][walk["seat"]]["count"]:
        text += ", or a prank that fits"
    return f"{text} ({_points(walk['points'])} so far)"


def _half(view: RoadView, spots: list[int], corners: str, colour: bool) -> list[str]:
    """Draw a half of the ring from its labels inward; reversed, it is the lower half."""
    me = 1 if view["viewer"] == 1 else 0
    ring = [view["ring"][spot] for spot in spots]
    names = "".join(f"{spot['spot']:^{SPOT_WIDTH}}" for spot in ring)
    cards = "".join(_card_cell(spot, me, spot["spot"] == view["owed"], colour) for spot in ring)
    fairies = "".join(_fairy_cell(spot, colour) for spot in ring)
    reach = "".join(_reach_cell(view["walk"], spot["spot"], colour) for spot in ring)
    return [
        f"{'':8}{names}",
        f"{'':6}{corners[0]}─{cards}─{corners[1]}",
        f"{SIDE} {fairies} │",
        f"{SIDE} {reach} │",
    ]


def _card_cell(spot: Spot, me: int, owed: bool, colour: bool) -> str:
    card, marker = spot["card"], spot["marker"]
    mark = "─" if marker is None else OWN_MARKER if marker == me else OTHER_MARKER
    shown = _number(card["number"], colour) if card else "(!)" if owed else " · "
    return f"─{mark}{shown}──"


def _fairy_cell(spot: Spot, colour: bool) -> str:
    fairy = spot["fairy"]
    if fairy is None:
        return " " * SPOT_WIDTH
    if not colour:
        return f"{FAIRY_NAMES[fairy]:^{SPOT_WIDTH}}"
    block = ansi.block(FAIRY_NAMES[fairy], FAIRY_COLOURS[fairy], colour)
    return block if fairy == "sunny" else f"{block} "


def _reach_cell(walk: Walk | None, spot: str, colour: bool) -> str:
    points = [str(step["points"]) for step in walk["reach"] if step["spot"] == spot] if walk else []
    text = f"{'/'.join(points) + ' pt' if points else '':^{SPOT_WIDTH}}"
    return ansi.bold(text, colour) if points else text


def _middle(view: RoadView, colour: bool) -> list[str]:
    """Draw the inside of the ring: the weather and the ways."""
    inside = SPOT_WIDTH * HALF
    weather, order = WEATHER_TEXTS[view["weather"]]
    gap = inside - len(weather) - len(order) - 3
    weather_block = ansi.block(weather, FAIRY_COLOURS["sunny" if view["weather"] == "sunny" else "rain"], colour)
    return [
        f"{SIDE} {'← +':<{inside - 3}}- → │",
        f"{SIDE} {'':{gap // 2}}{weather_block} {order}{'':{gap - gap // 2}} │",
        f"{SIDE} {'← -':<{inside - 3}}+ → │",
    ]


def _seat_line(view: RoadView, seat: int, colour: bool) -> str:
    name = f"seat {seat}" + (" (you)" if seat == view["viewer"] else "")
    parts = [ansi.bold(_points(view["scores"][seat]), colour)]
    movers = view["movers"]
    if movers is not None:
        parts.append("moves " + ("Sunny" if movers["sunny"] == seat else "Rain"))
    hand, pranks = view["hands"][seat], view["pranks"][seat]
    if hand["numbers"] is None:
        parts.append(counted(hand["count"], "card"))
    if pranks["held"] is None:
        parts.append(counted(pranks["count"], "prank"))
    if pranks["used"]:
        parts.append("used " + " and ".join(pranks["used"]))
    return f"  {name:<{LABEL_WIDTH}}" + ", ".join(parts)


def _hand_lines(view: RoadView, seat: int, colour: bool) -> list[str]:
    numbers = view["hands"][seat]["numbers"]
    if numbers is None:
        return []
    lines = [f"  {'hand':<{LABEL_WIDTH}}" + (" ".join(_number(number, colour) for number in numbers) or "empty")]
    moves = {choice["number"]: choice["moves"] for choice in view["choices"]}
    if any(moves.values()):
        fairies = [FAIRY_NAMES[fairy][0] if (fairy := moves[number]) else " " for number in numbers]
        lines.append(f"  {'moves':<{LABEL_WIDTH}} " + "   ".join(fairies) + "    Sunny or Rain")
    return lines


def _prank_lines(view: RoadView, seat: int, colour: bool) -> list[str]:
    held = view["pranks"][seat]["held"]
    if held is None:
        return []
    walk = view["walk"]
    hops = walk["prank_hops"] if walk else []
    lines: list[str] = []
    for prank in held:
        line = PRANK_TEXTS[prank]
        targets = [f"{hop['move']} to {hop['spot']}" for hop in hops if hop["move"].startswith(prank)]
        if targets:
            line += f" ({', '.join(targets)}, 1 pt)"
        lines.append(f"  {'' if lines else 'pranks':<{LABEL_WIDTH}}{ansi.bold(f'{prank:<9}', colour)} {line}")
    return lines or [f"  {'pranks':<{LABEL_WIDTH}}" + ansi.dim("none", colour)]


def _number(number: int, colour: bool) -> str:
    return ansi.block(str(number), ansi.HUES[number - 1], colour)


def _cards(cards: list[Card], colour: bool) -> str:
    return " ".join(_number(card["number"], colour) for card in cards)


def _points(points: int) -> str:
    return counted(points, "point")


def counted(count: int, thing: str) -> str:
    """Return a count with its noun, such as "2 cards"."""
    return f"{count} {thing}" + ("" if count == 1 else "s")


def describe_last_move(view: RoadView) -> str:
    """Describe the last move and what it ended; empty before the first move."""
    last = view["last"]
    if last is None:
        return ""
    sentence = f"Seat {last['seat']} " + _describe_move(last)
    movers, end = last["movers"], last["round_end"]
    if movers is not None:
        sentence += f". Seat {movers['sunny']} moves the Sunny Fairy, seat {movers['rain']} the Rain Fairy"
    if last["ended"] and last["move"] != "stop":
        sentence += ", where its move began and ends"
    if end is not None:
        sentence += f". Round {end['round']} is over: seat 0 gained {end['gains'][0]}, seat 1 {end['gains'][1]}"
        if view["turn"] is not None:
            sentence += f". It turns {view['weather']}, and seat {end['starter']} starts"
    return sentence + "."


def _describe_move(last: Last) -> str:
    move, spots, out, card = last["move"], last["spots"], last["out"], last["card"]
    fairy = FAIRY_NAMES[last["fairy"]] + " Fairy" if last["fairy"] else ""
    discarded = f"; the {out['number']} there was discarded" if out else ""
    prank = move.split(":")[0].rstrip("+-")
    if prank == "stop":
        return f"stopped the {fairy}"
    if prank == "trash" and out:
        return f"trashed the {out['number']} on {spots[0]}"
    if prank == "exchange":
        return f"exchanged the cards on {spots[0]} and {spots[1]}"
    if prank == "teleport":
        return f"teleported the {fairy} from {spots[0]} to {spots[1]}"
    if card is not None:
        did = "recycled" if prank == "recycle" else "played"
        return f"{did} a {card['number']} to {spots[0]}{discarded}"
    over = f" over {spots[1]}" if len(spots) > 2 else ""
    how = {"jump": "jumped", "skip": "skipped"}.get(prank) or ("leapt" if over else "hopped")
    return f"{how} with the {fairy} from {spots[0]}{over} to {spots[-1]} for {_points(last['points'])}"
