"""The board: a scene on the screen, where one points at places with the mouse or with a cursor."""

from collections.abc import Callable

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from sevenhues.render.canvas import FAINT, STRONG, Canvas, HitArea

GROUND = "#1b1721"
INK = "#f5ecdc"
FOCUS = "#ffd35c"
LIT = "#40364b"
QUIET = "#8d8096"
DOT = "•"  # on a card that can be picked
MARKS = {
    "lit": (Style(bgcolor=LIT, color=INK), ""),
    "picked": (Style(bgcolor=QUIET, color=GROUND, bold=True), INK),
    "pointed": (Style(bgcolor=FOCUS, color=GROUND, bold=True), FOCUS),
}  # the look of plain ground, and the colour of a card's edges


class Board(ScrollView, can_focus=True):
    """Shows a scene, lights the places that can be picked, and tells which one is."""

    BINDINGS = [
        Binding("up", "go(0,-1)", show=False),
        Binding("down", "go(0,1)", show=False),
        Binding("left", "go(-1,0)", show=False),
        Binding("right", "go(1,0)", show=False),
        Binding("enter,space", "pick", show=False),
    ]

    class Picked(Message):
        """A place was pointed at."""

        def __init__(self, place: HitArea) -> None:
            super().__init__()
            self.place = place

    class Pointed(Message):
        """The cursor or the mouse came to a place."""

        def __init__(self, place: HitArea) -> None:
            super().__init__()
            self.place = place

    def __init__(self, paint: Callable[[int, int], Canvas]) -> None:
        super().__init__(id="board")
        self._paint = paint  # paints the table in so much room
        self.scene = Canvas(0, 0, False, [])
        self.left: list[str] = []
        self.picked: list[str] = []
        self.cursor: str | None = None  # the name of the place that keys would pick
        self._hover: str | None = None
        self._strips: list[Strip] = []
        self._at = (0, 0)  # where the scene begins in the virtual size

    def show(self, left: list[str], picked: list[str]) -> None:
        """Paint the table anew, with these moves left to choose among."""
        self.left, self.picked = left, picked
        self._repaint()

    def on_resize(self) -> None:
        self._repaint()

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        if has_focus and self.cursor is None and (lit := self.lit()):
            self.cursor = lit[-1].name
        self._draw()

    def lit(self) -> list[HitArea]:
        """List the places that one of the moves left goes through."""
        return [place for place in self.scene.places if any(text in self.left for text in place.moves)]

    def where(self, place: HitArea) -> Region:
        """Return where a place is within this widget."""
        x, y = self._at
        return Region(place.x + x, place.y + y, place.width, place.height).translate(-self.scroll_offset)

    def _repaint(self) -> None:
        room = self.container_size
        self.scene = self._paint(room.width, room.height)
        names = [place.name for place in self.scene.places]
        if self.cursor not in names:
            self.cursor = None
        if self.cursor is None and self.has_focus and (lit := self.lit()):
            self.cursor = lit[-1].name
        width, height = self.scene.size()
        self._at = max(0, (room.width - width) // 2), max(0, (room.height - height) // 2)
        self.virtual_size = Size(width + self._at[0], height + self._at[1])
        self._draw()

    def _draw(self) -> None:
        """Compose the lines of the scene, with what is lit, picked and pointed at."""
        (x, y), (width, height) = self._at, self.scene.size()
        grid = [[" "] * width for _ in range(height)]
        styles = [[Style.null()] * width for _ in range(height)]
        for run in self.scene.runs:
            style = _style(run.colours, run.weight)
            for i, letter in enumerate(run.text):
                grid[run.y][run.x + i] = letter
                styles[run.y][run.x + i] = style
        for place in self.scene.places:
            kind = self._kind(place)
            if kind is not None:
                _mark(place, kind, grid, styles)
        pad = Segment(" " * x)
        rows = [Strip([pad, *_segments(*row)]) for row in zip(grid, styles, strict=True)]
        self._strips = [Strip([])] * y + rows
        self.refresh()

    def _kind(self, place: HitArea) -> str | None:
        if place.name == self._hover or (place.name == self.cursor and self.has_focus):
            return "pointed"
        if place.name in self.picked:
            return "picked"
        return "lit" if any(text in self.left for text in place.moves) else None

    def render_line(self, y: int) -> Strip:
        scroll_x, scroll_y = self.scroll_offset
        line = y + scroll_y
        strip = self._strips[line] if line < len(self._strips) else Strip([])
        width = self.container_size.width
        return strip.crop_extend(scroll_x, scroll_x + width, self.rich_style).apply_style(self.rich_style)

    def _under(self, event: events.MouseEvent) -> HitArea | None:
        at = event.get_content_offset(self)
        if at is None:
            return None
        found = [place for place in self.scene.places if self.where(place).contains(at.x, at.y)]
        return found[-1] if found else None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._hovering(self._under(event))

    def on_leave(self) -> None:
        self._hovering(None)

    def _hovering(self, place: HitArea | None) -> None:
        name = place.name if place else None
        if name != self._hover:
            self._hover = name
            self._draw()
            if place is not None:
                self.post_message(self.Pointed(place))

    def on_click(self, event: events.Click) -> None:
        if place := self._under(event):
            self.cursor = place.name
            self.post_message(self.Picked(place))

    def action_pick(self) -> None:
        for place in self.scene.places:
            if place.name == self.cursor:
                self.post_message(self.Picked(place))
                return

    def action_go(self, right: int, down: int) -> None:
        """Move the cursor to the nearest place that way."""
        here = [place for place in self.scene.places if place.name == self.cursor]
        lit = self.lit()
        if not here:
            self.cursor = lit[0].name if lit else None
        else:
            x, y = _middle(here[0])
            ahead: list[tuple[float, str]] = []
            for place in lit:
                far_x, far_y = _middle(place)[0] - x, _middle(place)[1] - y
                forward = far_x * right + far_y * down
                aside = abs(far_x * down) + abs(far_y * right)
                if forward > 0 and place.name != self.cursor:
                    ahead.append((forward + 2.5 * aside, place.name))
            if ahead:
                self.cursor = min(ahead)[1]
        self._draw()
        for place in self.scene.places:
            if place.name == self.cursor:
                at = Region(place.x + self._at[0], place.y + self._at[1], place.width, place.height)
                self.scroll_to_region(at, animate=False)
                self.post_message(self.Pointed(place))


def _middle(place: HitArea) -> tuple[float, float]:
    return place.x + place.width / 2, 2 * place.y + place.height  # a line is as high as two columns are wide


def _style(colours: tuple[int, int], weight: int) -> Style:
    ink, paper = colours
    return Style(
        color=f"color({ink})" if ink >= 0 else QUIET if weight == FAINT else None,
        bgcolor=f"color({paper})" if paper >= 0 else None,
        bold=weight == STRONG,
    )


def _mark(place: HitArea, kind: str, grid: list[list[str]], styles: list[list[Style]]) -> None:
    """Mark a place: plain ground is tinted, and a card keeps its paper and gets edges, or a dot in its corner."""
    ground, edge = MARKS[kind]
    dotted = False
    for y in range(place.y, place.y + place.height):
        carded = [x for x in range(place.x, place.x + place.width) if styles[y][x].bgcolor]
        for x in range(place.x, place.x + place.width):
            if x not in carded:
                styles[y][x] = ground
        if not carded:
            continue
        if edge:
            for x, bar in ((carded[0], "▌"), (carded[-1], "▐")):
                if grid[y][x] == " ":
                    grid[y][x] = bar
                    styles[y][x] += Style(color=edge)
                else:
                    styles[y][x] += Style(color=GROUND, bgcolor=edge)  # a letter stays to be read
        elif not dotted:
            dotted = True
            free = [x for x in carded if grid[y][x] == " "]
            if free:
                grid[y][free[0]] = DOT


def _segments(letters: list[str], styles: list[Style]) -> list[Segment]:
    """Join neighbours of one style."""
    joined: list[Segment] = []
    start = 0
    for i in range(1, len(letters) + 1):
        if i == len(letters) or styles[i] != styles[start]:
            joined.append(Segment("".join(letters[start:i]), styles[start]))
            start = i
    return joined
