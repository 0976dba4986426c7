"""The board widget: shows a canvas and lets the player pick hit areas with the mouse or a cursor."""

from collections.abc import Callable

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from sevenhues.render.canvas import BOLD, DIM, Canvas, HitArea

BACKGROUND = "#1b1721"
FOREGROUND = "#f5ecdc"
ACCENT = "#ffd35c"
HIGHLIGHT = "#40364b"
MUTED = "#8d8096"
SELECTABLE_DOT = "•"  # in a corner of a selectable card
MARKS = {
    "selectable": (Style(bgcolor=HIGHLIGHT, color=FOREGROUND), ""),
    "picked": (Style(bgcolor=MUTED, color=BACKGROUND, bold=True), FOREGROUND),
    "hovered": (Style(bgcolor=ACCENT, color=BACKGROUND, bold=True), ACCENT),
}  # the style of plain text, and the colour of the edges of a card


class Board(ScrollView, can_focus=True):
    """Shows a canvas, highlights the selectable hit areas and reports the picked one."""

    BINDINGS = [
        Binding("up", "move_cursor(0,-1)", show=False),
        Binding("down", "move_cursor(0,1)", show=False),
        Binding("left", "move_cursor(-1,0)", show=False),
        Binding("right", "move_cursor(1,0)", show=False),
        Binding("enter,space", "pick", show=False),
    ]

    class Picked(Message):
        """A hit area was picked."""

        def __init__(self, area: HitArea) -> None:
            super().__init__()
            self.area = area

    class Hovered(Message):
        """The cursor or the mouse moved onto a hit area."""

        def __init__(self, area: HitArea) -> None:
            super().__init__()
            self.area = area

    def __init__(self, render_canvas: Callable[[int, int], Canvas]) -> None:
        super().__init__(id="board")
        self._render_canvas = render_canvas  # renders the table for a width and a height
        self.canvas = Canvas(0, 0, False, [])
        self.remaining_moves: list[str] = []
        self.picked: list[str] = []
        self.cursor: str | None = None  # the name of the hit area under the cursor
        self._hovered: str | None = None
        self._strips: list[Strip] = []
        self._origin = (0, 0)  # of the canvas in the virtual size

    def show_selection(self, remaining_moves: list[str], picked: list[str]) -> None:
        """Render the table again, with the moves and hit areas of the current selection."""
        self.remaining_moves, self.picked = remaining_moves, picked
        self._rerender()

    def on_resize(self) -> None:
        self._rerender()

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        if has_focus and self.cursor is None and (areas := self.selectable()):
            self.cursor = areas[-1].name
        self._draw()

    def selectable(self) -> list[HitArea]:
        """Return the hit areas of the remaining moves."""
        return [area for area in self.canvas.hit_areas if any(text in self.remaining_moves for text in area.moves)]

    def region_of(self, area: HitArea) -> Region:
        """Return the visible region of a hit area in this widget."""
        x, y = self._origin
        return Region(area.x + x, area.y + y, area.width, area.height).translate(-self.scroll_offset)

    def _rerender(self) -> None:
        visible = self.container_size
        self.canvas = self._render_canvas(visible.width, visible.height)
        names = [area.name for area in self.canvas.hit_areas]
        if self.cursor not in names:
            self.cursor = None
        if self.cursor is None and self.has_focus and (areas := self.selectable()):
            self.cursor = areas[-1].name
        width, height = self.canvas.size()
        self._origin = max(0, (visible.width - width) // 2), max(0, (visible.height - height) // 2)
        self.virtual_size = Size(width + self._origin[0], height + self._origin[1])
        self._draw()

    def _draw(self) -> None:
        """Compose the lines of the canvas with the marks of its hit areas."""
        (x, y), (width, height) = self._origin, self.canvas.size()
        grid = [[" "] * width for _ in range(height)]
        styles = [[Style.null()] * width for _ in range(height)]
        for run in self.canvas.runs:
            style = _style(run.colours, run.weight)
            for i, letter in enumerate(run.text):
                grid[run.y][run.x + i] = letter
                styles[run.y][run.x + i] = style
        for area in self.canvas.hit_areas:
            kind = self._mark_kind(area)
            if kind is not None:
                _draw_mark(area, kind, grid, styles)
        pad = Segment(" " * x)
        rows = [Strip([pad, *_segments(*row)]) for row in zip(grid, styles, strict=True)]
        self._strips = [Strip([])] * y + rows
        self.refresh()

    def _mark_kind(self, area: HitArea) -> str | None:
        if area.name == self._hovered or (area.name == self.cursor and self.has_focus):
            return "hovered"
        if area.name in self.picked:
            return "picked"
        return "selectable" if any(text in self.remaining_moves for text in area.moves) else None

    def render_line(self, y: int) -> Strip:
        scroll_x, scroll_y = self.scroll_offset
        line = y + scroll_y
        strip = self._strips[line] if line < len(self._strips) else Strip([])
        width = self.container_size.width
        return strip.crop_extend(scroll_x, scroll_x + width, self.rich_style).apply_style(self.rich_style)

    def _area_under(self, event: events.MouseEvent) -> HitArea | None:
        at = event.get_content_offset(self)
        if at is None:
            return None
        areas = [area for area in self.canvas.hit_areas if self.region_of(area).contains(at.x, at.y)]
        return areas[-1] if areas else None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._set_hovered(self._area_under(event))

    def on_leave(self) -> None:
        self._set_hovered(None)

    def _set_hovered(self, area: HitArea | None) -> None:
        name = area.name if area else None
        if name != self._hovered:
            self._hovered = name
            self._draw()
            if area is not None:
                self.post_message(self.Hovered(area))

    def on_click(self, event: events.Click) -> None:
        if area := self._area_under(event):
            self.cursor = area.name
            self.post_message(self.Picked(area))

    def action_pick(self) -> None:
        for area in self.canvas.hit_areas:
            if area.name == self.cursor:
                self.post_message(self.Picked(area))
                return

    def action_move_cursor(self, right: int, down: int) -> None:
        """Move the cursor to the nearest hit area in a direction."""
        current = [area for area in self.canvas.hit_areas if area.name == self.cursor]
        selectable = self.selectable()
        if not current:
            self.cursor = selectable[0].name if selectable else None
        else:
            x, y = _middle(current[0])
            candidates: list[tuple[float, str]] = []
            for area in selectable:
                distance_x, distance_y = _middle(area)[0] - x, _middle(area)[1] - y
                forward = distance_x * right + distance_y * down
                sideways = abs(distance_x * down) + abs(distance_y * right)
                if forward > 0 and area.name != self.cursor:
                    candidates.append((forward + 2.5 * sideways, area.name))
            if candidates:
                self.cursor = min(candidates)[1]
        self._draw()
        for area in self.canvas.hit_areas:
            if area.name == self.cursor:
                at = Region(area.x + self._origin[0], area.y + self._origin[1], area.width, area.height)
                self.scroll_to_region(at, animate=False)
                self.post_message(self.Hovered(area))


def _middle(area: HitArea) -> tuple[float, float]:
    return area.x + area.width / 2, 2 * area.y + area.height  # a line is as high as two columns are wide


def _style(colours: tuple[int, int], weight: int) -> Style:
    foreground, background = colours
    return Style(
        color=f"color({foreground})" if foreground >= 0 else MUTED if weight == DIM else None,
        bgcolor=f"color({background})" if background >= 0 else None,
        bold=weight == BOLD,
    )


def _draw_mark(area: HitArea, kind: str, grid: list[list[str]], styles: list[list[Style]]) -> None:
    """Mark a hit area: tint plain text, draw edges on a card, or a dot in its corner if it is only selectable."""
    plain, edge = MARKS[kind]
    has_dot = False
    for y in range(area.y, area.y + area.height):
        card_columns = [x for x in range(area.x, area.x + area.width) if styles[y][x].bgcolor]
        for x in range(area.x, area.x + area.width):
            if x not in card_columns:
                styles[y][x] = plain
        if not card_columns:
            continue
        if edge:
            for x, edge_letter in ((card_columns[0], "▌"), (card_columns[-1], "▐")):
                if grid[y][x] == " ":
                    grid[y][x] = edge_letter
                    styles[y][x] += Style(color=edge)
                else:
                    styles[y][x] += Style(color=BACKGROUND, bgcolor=edge)  # keep the letter readable
        elif not has_dot:
            has_dot = True
            free = [x for x in card_columns if grid[y][x] == " "]
            if free:
                grid[y][free[0]] = SELECTABLE_DOT


def _segments(letters: list[str], styles: list[Style]) -> list[Segment]:
    """Join neighbouring letters of the same style."""
    segments: list[Segment] = []
    start = 0
    for i in range(1, len(letters) + 1):
        if i == len(letters) or styles[i] != styles[start]:
            segments.append(Segment("".join(letters[start:i]), styles[start]))
            start = i
    return segments
