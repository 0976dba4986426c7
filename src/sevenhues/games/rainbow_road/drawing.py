"""Rainbow Road in a terminal: the ring drawn with the viewer's half below, and the last move told."""

from typing import Final

from sevenhues.games.rainbow_road.pieces import HALF
from sevenhues.games.rainbow_road.view_types import Card, Last, RoadView, Spot, Walk
from sevenhues.render import ansi

WIDTH: Final = 7  # of a spot
LEFT: Final = 16  # of the names before each line
SIDE: Final = "      │"

MINE: Final = "●"
THEIRS: Final = "○"
NAMES: Final = {"sunny": "Sunny", "rain": "Rain"}
PAPERS: Final = {"sunny": ansi.LIGHT, "rain": ansi.HIDDEN}  # no number's hue
ORDERS: Final = {
    "sunny": ("SUNNY", "Sunny climbs, Rain descends"),
    "rainy": ("RAINY", "Rain climbs, Sunny descends"),
}
HIGHER: Final = {
    "sunny": "the higher card moves Sunny, the lower one Rain",
    "rainy": "the higher card moves Rain, the lower one Sunny",
}
PRANK_LINES: Final = {
    "exchange": "before the first hop: swap two cards without a fairy",
    "jump": "as a hop: onto the next card, whatever its number",
    "skip": "as a hop: over the next card, onto the one after it",
    "trash": "before the first hop: discard a card without a fairy",
    "teleport": "before the first hop: put the Rain Fairy on another card",
    "recycle": "before the first hop: a discard replaces a card played this round",
}


def draw(view: RoadView, colour: bool) -> str:
    """Draw the ring, the hands and what the viewer may think of next."""
    me = 1 if view["viewer"] == 1 else 0
    mine = [*range(HALF * me, HALF * me + HALF)]
    theirs = [*range(HALF * (1 - me) + HALF - 1, HALF * (1 - me) - 1, -1)]
    lines = [
        ansi.strong(f"Round {view['round']} of 8", colour) + f"   {asked(view)}",
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
        f"  {'discards':<{LEFT}}" + (_cards(view["discards"], colour) or ansi.faint("none", colour)),
        f"  {'rounds':<{LEFT}}" + "  ".join(f"{gains[me]}:{gains[1 - me]}" for gains in view["gains"]),
    ]
    return "\n".join(line.rstrip() for line in lines)


def asked(view: RoadView) -> str:
    """Say who may do what."""
    if view["turn"] is None:
        return "the game is over"
    mine = view["turn"] == view["viewer"]
    who = "you" if mine else f"seat {view['turn']}"
    walk = view["walk"]
    if walk is None:
        places = " ".join(view["places"])
        return f"{who} {'play' if mine else 'plays'} a card to {places}; {HIGHER[view['weather']]}"
    ways = [way for way in "+-" if any(step["hops"][0] == way for step in walk["reach"])]
    text = f"{who} {'move' if mine else 'moves'} the {NAMES[walk['fairy']]} Fairy: {', '.join([*ways, 'stop'])}"
    if walk["fairy"] == "rain" and not walk["pranked"] and view["pranks"][walk["seat"]]["count"]:
        text += ", or a prank that fits"
    return f"{text} ({_points(walk['points'])} so far)"


def _half(view: RoadView, spots: list[int], corners: str, colour: bool) -> list[str]:
    """Draw one half from its names inwards; reversed it is the lower one."""
    me = 1 if view["viewer"] == 1 else 0
    ring = [view["ring"][spot] for spot in spots]
    names = "".join(f"{spot['spot']:^{WIDTH}}" for spot in ring)
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
    mark = "─" if marker is None else MINE if marker == me else THEIRS
    shown = _number(card["number"], colour) if card else "(!)" if owed else " · "
    return f"─{mark}{shown}──"


def _fairy_cell(spot: Spot, colour: bool) -> str:
    fairy = spot["fairy"]
    if fairy is None:
        return " " * WIDTH
    if not colour:
        return f"{NAMES[fairy]:^{WIDTH}}"
    block = ansi.block(NAMES[fairy], PAPERS[fairy], colour)
    return block if fairy == "sunny" else f"{block} "


def _reach_cell(walk: Walk | None, spot: str, colour: bool) -> str:
    points = [str(step["points"]) for step in walk["reach"] if step["spot"] == spot] if walk else []
    text = f"{'/'.join(points) + ' pt' if points else '':^{WIDTH}}"
    return ansi.strong(text, colour) if points else text


def _middle(view: RoadView, colour: bool) -> list[str]:
    """Write the weather inside the ring, and which way is which."""
    inside = WIDTH * HALF
    weather, order = ORDERS[view["weather"]]
    gap = inside - len(weather) - len(order) - 3
    sky = ansi.block(weather, PAPERS["sunny" if view["weather"] == "sunny" else "rain"], colour)
    return [
        f"{SIDE} {'← +':<{inside - 3}}- → │",
        f"{SIDE} {'':{gap // 2}}{sky} {order}{'':{gap - gap // 2}} │",
        f"{SIDE} {'← -':<{inside - 3}}+ → │",
    ]


def _seat_line(view: RoadView, seat: int, colour: bool) -> str:
    name = f"seat {seat}" + (" (you)" if seat == view["viewer"] else "")
    parts = [ansi.strong(_points(view["scores"][seat]), colour)]
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
    return f"  {name:<{LEFT}}" + ", ".join(parts)


def _hand_lines(view: RoadView, seat: int, colour: bool) -> list[str]:
    numbers = view["hands"][seat]["numbers"]
    if numbers is None:
        return []
    lines = [f"  {'hand':<{LEFT}}" + (" ".join(_number(number, colour) for number in numbers) or "empty")]
    moves = {choice["number"]: choice["moves"] for choice in view["choices"]}
    if any(moves.values()):
        fairies = [NAMES[fairy][0] if (fairy := moves[number]) else " " for number in numbers]
        lines.append(f"  {'moves':<{LEFT}} " + "   ".join(fairies) + "    Sunny or Rain")
    return lines


def _prank_lines(view: RoadView, seat: int, colour: bool) -> list[str]:
    held = view["pranks"][seat]["held"]
    if held is None:
        return []
    walk = view["walk"]
    hops = walk["prank_hops"] if walk else []
    lines: list[str] = []
    for prank in held:
        line = PRANK_LINES[prank]
        leads = [f"{hop['move']} to {hop['spot']}" for hop in hops if hop["move"].startswith(prank)]
        if leads:
            line += f" ({', '.join(leads)}, 1 pt)"
        lines.append(f"  {'' if lines else 'pranks':<{LEFT}}{ansi.strong(f'{prank:<9}', colour)} {line}")
    return lines or [f"  {'pranks':<{LEFT}}" + ansi.faint("none", colour)]


def _number(number: int, colour: bool) -> str:
    return ansi.block(str(number), ansi.HUES[number - 1], colour)


def _cards(cards: list[Card], colour: bool) -> str:
    return " ".join(_number(card["number"], colour) for card in cards)


def _points(points: int) -> str:
    return counted(points, "point")


def counted(count: int, thing: str) -> str:
    """Write how many there are."""
    return f"{count} {thing}" + ("" if count == 1 else "s")


def describe_last_move(view: RoadView) -> str:
    """Say what the last move showed."""
    last = view["last"]
    if last is None:
        return ""
    told = f"Seat {last['seat']} " + _told_move(last)
    movers, end = last["movers"], last["round_end"]
    if movers is not None:
        told += f". Seat {movers['sunny']} moves the Sunny Fairy, seat {movers['rain']} the Rain Fairy"
    if last["ended"] and last["move"] != "stop":
        told += ", where its move began and ends"
    if end is not None:
        told += f". Round {end['round']} is over: seat 0 gained {end['gains'][0]}, seat 1 {end['gains'][1]}"
        if view["turn"] is not None:
            told += f". It turns {view['weather']}, and seat {end['starter']} starts"
    return told + "."


def _told_move(last: Last) -> str:
    move, spots, out, card = last["move"], last["spots"], last["out"], last["card"]
    fairy = NAMES[last["fairy"]] + " Fairy" if last["fairy"] else ""
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
