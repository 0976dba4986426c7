"""Text drawing of Flip & Slide: the patch as hexagons, with the coordinates used in moves."""

from typing import Final

from sevenhues.games.flip_and_slide.pieces import COLOURS, HUES
from sevenhues.games.flip_and_slide.view_types import FlipAndSlideView, Last, Tile
from sevenhues.render import ansi

MIN_WIDTH: Final = 8  # columns from one hexagon to the next; even
HEIGHT: Final = 3  # lines from one row of hexagons to the next
CLOVER: Final = "♣"
MAY: Final = "+"
BARRED: Final = "x"
MARGIN: Final = "  "


def draw(view: FlipAndSlideView, colour: bool) -> str:
    """Draw a view as text."""
    lines = [ansi.bold(heading(view), colour) + "   " + prompt(view), ""]
    lines += HexDrawing(view, colour).lines()
    lines += ["", *[_run_line(view, seat, colour) for seat in range(len(view["runs"]))]]
    hidden = " ".join(f"{letter}{count}" for letter, count in view["hidden"].items() if count)
    lines.append(f"{MARGIN}{'under clovers':<18}{hidden or 'nothing'}")
    if view["turn"] is not None:
        lines.append(f"{MARGIN}{'marks':<18}{legend(view)}")
    return "\n".join(line.rstrip() for line in lines)


class HexDrawing:
    """A grid of characters with the patch drawn as hexagons. A styled text occupies the first of its columns."""

    def __init__(self, view: FlipAndSlideView, colour: bool) -> None:
        self.colour = colour
        tiles = {parse_cell(tile["cell"]): tile for tile in view["tiles"]}
        free = {parse_cell(text) for text in open_cells(view)}
        cells = [*tiles, *free]
        longest = max(len(_text(q, r)) for q, r in cells)
        self.width = max(MIN_WIDTH, longest + 1 + (longest + 1) % 2)
        self.top = min(r for _, r in cells)
        bottom = max(r for _, r in cells)
        self.left = min(2 * q + r for q, r in cells) * (self.width // 2)
        right = max(2 * q + r for q, r in cells) * (self.width // 2)
        height = HEIGHT * (bottom - self.top + 1) + 1
        self.grid = [[" "] * (right - self.left + self.width + 1) for _ in range(height)]
        for q, r in free:
            self._write(q, r, 2, _text(q, r), ansi.dim(_text(q, r), colour))
        for (q, r), tile in tiles.items():
            self._hexagon(q, r)
            self._face(q, r, tile)

    def lines(self) -> list[str]:
        """Return the lines of the drawing, without empty lines above and below."""
        drawn = ["".join(line) for line in self.grid]
        rows = [i for i, line in enumerate(drawn) if line.strip()]
        return [MARGIN + line for line in drawn[rows[0] : rows[-1] + 1]]

    def _corner(self, q: int, r: int) -> tuple[int, int]:
        return (2 * q + r) * (self.width // 2) - self.left, HEIGHT * (r - self.top)

    def _hexagon(self, q: int, r: int) -> None:
        x, y = self._corner(q, r)
        half = self.width // 2
        rising = "." + "-" * (half - 3) + "'"
        falling = rising[::-1]
        for line, first, second in ((y, rising, falling), (y + HEIGHT, falling, rising)):
            for i in range(half - 1):
                self.grid[line][x + 1 + i] = first[i]
                self.grid[line][x + half + 1 + i] = second[i]
        for line in (y + 1, y + 2):
            self.grid[line][x] = self.grid[line][x + self.width] = "|"

    def _face(self, q: int, r: int, tile: Tile) -> None:
        mark = BARRED if tile["barred"] else MAY if tile["may_flip"] or tile["reach"] else " "
        face = tile["face"]
        if face is None:
            text, colours = f"P{tile['seat']}", ansi.LIGHT
        elif face in COLOURS:
            text, colours = face, ansi.HUES[COLOURS.index(face)]
        elif "under" in tile:
            text, colours = tile["under"].lower(), ansi.HIDDEN
        else:
            text, colours = CLOVER, ansi.HIDDEN
        block = ansi.block(text, colours, self.colour)
        self._write(q, r, 1, f" [{text}]{mark}", f" {block}{mark}")
        self._write(q, r, 2, _text(q, r), _text(q, r))

    def _write(self, q: int, r: int, line: int, text: str, styled: str) -> None:
        """Write `styled`, which is as wide as `text`, in the middle of a hexagon."""
        x, y = self._corner(q, r)
        at = x + 1 + (self.width - 1 - len(text)) // 2
        row = self.grid[y + line]
        row[at : at + len(text)] = [styled, *[""] * (len(text) - 1)]


def parse_cell(cell: str) -> tuple[int, int]:
    """Return the coordinates of a cell."""
    q, r = cell.split(",")
    return int(q), int(r)


def _text(q: int, r: int) -> str:
    return f"{q},{r}"


def open_cells(view: FlipAndSlideView) -> list[str]:
    """Return the cells that a tile can be put on now."""
    cells = [*view["places"], *[jump["cell"] for jump in view["jumps"]]]
    for tile in view["tiles"]:
        cells += tile["reach"]
    return cells


def heading(view: FlipAndSlideView) -> str:
    """Return the number of the turn as a heading."""
    return f"Turn {view['turn_number']} of {view['turn_limit']}" if view["turn_number"] else "Before the first turn"


def prompt(view: FlipAndSlideView) -> str:
    """Describe what the seat to act may do."""
    if view["turn"] is None:
        return "the game is over"
    seat = "you" if view["turn"] == view["viewer"] else f"seat {view['turn']}"
    if view["phase"] == "place":
        return f"{seat} may place the player tile P{view['turn']} beside the patch (@)"
    if view["phase"] == "jump":
        landings = " ".join("J" + jump["cell"] for jump in view["jumps"])
        return f"{seat} must jump: {landings}"
    choices = [
        ("flip a clover (F)", any(tile["may_flip"] for tile in view["tiles"])),
        ("slide a tile (S)", any(tile["reach"] for tile in view["tiles"])),
    ]
    left = "" if len(view["runs"]) == 1 else f", {_count(view['actions_left'], 'action')} left"
    repeated = "; second time in this position, a third is a draw" if view["stood"] > 1 else ""
    return f"{seat} may " + " or ".join(text for text, may in choices if may) + left + repeated


def _run_line(view: FlipAndSlideView, seat: int, colour: bool) -> str:
    name = f"beside P{seat}" + (" (you)" if seat == view["viewer"] else "")
    faces = {tile["tile"]: tile["face"] for tile in view["tiles"]}
    run = {faces[tile] for tile in view["runs"][seat]}
    places = [
        ansi.block(letter, ansi.HUES[hue], colour) if letter in run else ansi.dim(" · ", colour)
        for hue, letter in enumerate(COLOURS)
    ]
    return f"{MARGIN}{name:<18}{''.join(places)}  {_count(len(run), 'colour')} of {HUES} in a run"


def legend(view: FlipAndSlideView) -> str:
    """Explain the marks of the drawing."""
    parts = ["a cell without a frame " + ("is free" if view["phase"] == "place" else "can be reached")]
    if view["phase"] == "act":
        parts.insert(0, f"{MAY} may be flipped or slid")
    if view["barred_by"] is not None:
        parts.append(f"{BARRED} barred: seat {view['barred_by']} has just slid it")
    if view["previous"] is not None:
        parts.append(f"no jump back to {view['previous']}")
    return ", ".join(parts)


def describe_last_move(view: FlipAndSlideView) -> str:
    """Describe the last move in a sentence."""
    last = view["last"]
    if last is None:
        return ""
    text = _describe_move(last)
    for seat in last["empty_turns"]:
        text += f" Seat {seat} has no legal action: its turn is empty."
    if view["winner"] is not None:
        cells = {tile["tile"]: tile["cell"] for tile in view["tiles"]}
        rainbow = " ".join(cells[tile] for tile in view["runs"][view["winner"]])
        text += f" The rainbow beside P{view['winner']}: {rainbow}."
    return text


def _describe_move(last: Last) -> str:
    seat, path = f"Seat {last['seat']}", last["way"]
    if last["kind"] == "place":
        return f"{seat} placed its player tile on {path[-1]}."
    if last["kind"] == "flip":
        return f"{seat} flipped {path[-1]}: {last['face']} came up."
    what = last["face"] or "its player tile"
    if last["kind"] == "slide":
        return f"{seat} slid {what} from {path[0]} to {path[-1]}, {_count(len(path) - 1, 'space')}."
    return f"{seat} jumped from {path[0]} to {path[-1]} over {_count(len(path) - 2, 'tile')}."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
