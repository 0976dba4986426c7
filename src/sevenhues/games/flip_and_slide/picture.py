"""A picture of Flip & Slide: the patch of hexagons, each player's longest run, and the colours under clovers."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sevenhues.games.flip_and_slide.drawing import describe_last_move, parse_cell
from sevenhues.games.flip_and_slide.pieces import COLOURS
from sevenhues.games.flip_and_slide.view_types import FlipAndSlideView, Tile
from sevenhues.render.pieces import CORE, FACES, FOCUS, INK, PAPER, Sign, chip, hexagon
from sevenhues.render.svg import SANS, Svg, number
from sevenhues.render.table import HEIGHT, LEFT, MEADOW, MUTED, PANEL, TEXT, WIDTH, Place, Plate, Table, full_names

MARGIN: Final = 26
MAX_RADIUS: Final = 64
SMALL_RADIUS: Final = 21  # of the player tile on a plate
ROOT_3: Final = 1.7320508
CLOVER: Final = "M12 11.2C10 9.6 7.6 8 7.6 5.7A2.6 2.6 0 0 1 12 4.2a2.6 2.6 0 0 1 4.4 1.5C16.4 8 14 9.6 12 11.2Z"
CLOVER_GROUND: Final = "#F6EFDB"
CLOVER_GREEN: Final = "#5F7A48"
CLOVER_LINE: Final = "#7F9468"
LOCK: Final = "M7 11V8a5 5 0 0 1 10 0v3h1.500v10h-13V11ZM9.500 11h5V8a2.500 2.500 0 0 0-5 0Z"


class PlayerTile(NamedTuple):
    """The tile of a player: black and white, with a sign."""

    name: str
    ground: str
    print: str
    dashed: bool
    glyph: str


PLAYER_TILES: Final = (
    PlayerTile(
        "pot",
        INK,
        PAPER,
        False,
        "M4 9h16v2.2h-1.3A8 8 0 0 1 20 15.4c0 2.4-1.2 4.4-3 5.6l.8 1.5h-3l-.5-.7a11 11 0 0 1-4.6 0l-.5.7h-3L7 21"
        "c-1.8-1.2-3-3.2-3-5.6a8 8 0 0 1 1.3-4.2H4ZM7 7.6a2.5 2.5 0 0 1 4.6-1.4A2.6 2.6 0 0 1 16.8 7.6Z",
    ),
    PlayerTile("hat", PAPER, INK, False, "M7 3h10l1.2 10H5.8ZM5.6 14.4h12.8l.3 2.4H22v3H2v-3h3.3Z"),
    PlayerTile(
        "horseshoe",
        INK,
        PAPER,
        True,
        "M12 2a8.4 8.4 0 0 0-8.4 8.6c0 4 1.2 6.8 2.2 9.1H4V23h6.6c-1-3.6-2.6-7.5-2.6-12.4A4 4 0 0 1 12 6.2a4 4 0 0 1 "
        "4 4.4c0 4.9-1.6 8.8-2.6 12.4H20v-3.3h-1.8c1-2.3 2.2-5.1 2.2-9.1A8.4 8.4 0 0 0 12 2Z",
    ),
    PlayerTile(
        "key",
        PAPER,
        INK,
        True,
        "M12 1.5a5.5 5.5 0 0 0-1.6 10.8V22h5.8v-3h-2.6v-2h2.6v-3h-2.6v-1.7A5.5 5.5 0 0 0 12 1.5Z"
        "M12 4.7a2.3 2.3 0 1 1 0 4.6 2.3 2.3 0 0 1 0-4.6Z",
    ),
)


def picture(view: FlipAndSlideView, names: Sequence[str]) -> str:
    """Draw a view as SVG."""
    seats = len(view["runs"])
    players = full_names(names, seats)
    table = Table("Flip & Slide", MEADOW, players)
    _grass(table)
    _Patch(table.svg, view).draw()
    table.panel(_status(view, players))
    places = table.plates([_plate(view, seat) for seat in range(seats)])
    tiles = _Tiles(table.svg, SMALL_RADIUS)
    for seat, place in enumerate(places):
        _run(tiles, view, seat, place)
    bottom = places[-1].y + places[-1].height
    if seats < 4:
        _hidden(table.svg, view, bottom + 44)
        bottom += 76
    table.caption(describe_last_move(view), bottom)
    return table.document()


def _status(view: FlipAndSlideView, names: Sequence[str]) -> str:
    if view["turn"] is None:
        if view["winner"] is not None:
            return f"{names[view['winner']]} wins"
        return "Not solved" if len(view["runs"]) == 1 else "A draw"
    if view["phase"] == "place":
        return "Placing player tiles"
    return f"Turn {view['turn_number']} of {view['turn_limit']}"


def _plate(view: FlipAndSlideView, seat: int) -> Plate:
    turn = view["turn"]
    return Plate(seat, "", len(view["runs"][seat]), "in a run", turn == seat, view["winner"] == seat, 40)


def _run(tiles: "_Tiles", view: FlipAndSlideView, seat: int, place: Place) -> None:
    """Draw a seat's longest run on its plate, as seven places from red to violet, and its tile."""
    svg = tiles.svg
    player = PLAYER_TILES[seat]
    tiles.begin(player.name, place.x + 31, place.y + place.height / 2 - 14, player.ground)
    tiles.draw_player(player)
    svg.end("g")
    faces = {tile["tile"]: tile["face"] for tile in view["tiles"]}
    run = [faces[tile] for tile in view["runs"][seat]]
    size, step = 21, 24
    y = place.y + place.height - 26
    for i, colour in enumerate(COLOURS):
        x = place.x + 26 + step * i
        if colour in run:
            chip(svg, x, y, size, FACES[colour])
        else:
            svg.add(
                "rect",
                x=x - size / 2,
                y=y - size / 2,
                width=size,
                height=size,
                rx=4,
                fill="none",
                stroke="#8D8096",
                stroke_width=1.5,
                stroke_dasharray="3 3",
            )


def _hidden(svg: Svg, view: FlipAndSlideView, y: float) -> None:
    """Draw how many tiles of each colour lie under clovers."""
    svg.text(LEFT, y - 18, f"under {view['clovers']} clovers", 19, MUTED, SANS, 400)
    step = 42
    for i, colour in enumerate(COLOURS):
        x = LEFT + 12 + step * i
        chip(svg, x, y + 4, 24, FACES[colour])
        svg.text(x, y + 38, str(view["hidden"][colour]), 19, TEXT, SANS, anchor="middle")


def _grass(table: Table) -> None:
    path = ""
    for i in range(44):
        x = PANEL + 24 + (i * 331) % (WIDTH - PANEL - 48)
        y = 26 + (i * 197) % (HEIGHT - 50)
        path += f"M{x} {y}q-2-8-7-11M{x} {y}v-14M{x} {y}q2-8 7-11"
    table.svg.add("path", d=path, fill="none", stroke=table.mat.motif, stroke_width=3, stroke_linecap="round")


class _Tiles:
    """Draws tiles of one size."""

    def __init__(self, svg: Svg, radius: float) -> None:
        self.svg = svg
        self.radius = radius
        self.outline = hexagon(radius * 0.956, radius * 0.16)
        self.panel = hexagon(radius * 0.84, radius * 0.14)
        self.line = hexagon(radius * 0.8, radius * 0.13)
        size = radius * 0.86
        scale = f"translate({number(-size / 2)} {number(-size / 2)}) scale({size / 24:.4f})"
        self.leaves = [f"rotate({90 * quarter}) {scale}" for quarter in range(4)]

    def begin(self, label: str, x: float, y: float, ground: str) -> None:
        """Begin a tile with its middle at x and y; the next marks are on it until the group is ended."""
        svg = self.svg
        svg.begin("g", aria_label=label, transform=f"translate({number(x)} {number(y)})")
        edge = f"translate(0 {number(self.radius * 0.07)})"
        svg.add("path", d=self.outline, transform=edge, fill=CORE, stroke=INK, stroke_width=1.4)
        svg.add("path", d=self.outline, fill=ground, stroke=INK, stroke_width=1.4)

    def draw_colour(self, sign: Sign) -> None:
        """Draw a colour on the tile that was begun."""
        svg, radius = self.svg, self.radius
        svg.add("path", d=self.panel, fill=sign.hue)
        svg.glyph(sign.glyph, 0, -radius * 0.1, radius * 0.78, sign.print)
        svg.text(0, radius * 0.66, sign.letter, radius * 0.32, sign.print, anchor="middle")

    def draw_clover(self) -> None:
        """Draw a clover on the tile that was begun."""
        self.svg.add("path", d=self.line, fill="none", stroke=CLOVER_LINE)
        for leaf in self.leaves:
            self.svg.add("path", d=CLOVER, transform=leaf, fill=CLOVER_GREEN)

    def draw_player(self, player: PlayerTile) -> None:
        """Draw the sign of a player on the tile that was begun."""
        svg, radius = self.svg, self.radius
        dashes = "5 4" if player.dashed else None
        width = radius * 0.04
        svg.add("path", d=self.line, fill="none", stroke=player.print, stroke_width=width, stroke_dasharray=dashes)
        svg.glyph(player.glyph, 0, 0, radius * 0.92, player.print)


class _Patch:
    """Draws the patch, as large as it fits beside the panel."""

    def __init__(self, svg: Svg, view: FlipAndSlideView) -> None:
        self.svg = svg
        self.view = view
        self.free = view["places"] + [jump["cell"] for jump in view["jumps"]]
        last = view["last"]
        way = last["way"] if last is not None else []
        cells = [self._unit(cell) for cell in [*[tile["cell"] for tile in view["tiles"]], *self.free, *way]]
        left, right = min(x for x, _ in cells), max(x for x, _ in cells)
        top, bottom = min(y for _, y in cells), max(y for _, y in cells)
        width, height = WIDTH - PANEL - 2 * MARGIN, HEIGHT - 2 * MARGIN
        self.radius = min(MAX_RADIUS, width / (right - left + ROOT_3), height / (bottom - top + 2.1))
        self.tiles = _Tiles(svg, self.radius)
        self.x = PANEL + 4 + (WIDTH - PANEL) / 2 - (left + right) / 2 * self.radius
        self.y = HEIGHT / 2 - (top + bottom) / 2 * self.radius

    def draw(self) -> None:
        """Draw free cells, tiles and marks."""
        view, last = self.view, self.view["last"]
        outline = hexagon(self.radius * 0.9, self.radius * 0.14)
        for cell in self.free:
            x, y = self._middle(cell)
            place = f"translate({number(x)} {number(y)})"
            self.svg.add(
                "path",
                d=outline,
                transform=place,
                fill="none",
                stroke=FOCUS,
                stroke_width=2,
                stroke_dasharray="6 5",
            )
        for tile in sorted(view["tiles"], key=lambda tile: self._unit(tile["cell"])[1]):
            self._tile(tile)
        if view["winner"] is not None:
            for tile in view["tiles"]:
                if tile["tile"] in view["runs"][view["winner"]]:
                    self._ring(tile["cell"])
        elif last is not None:
            self._path(last["way"])
            self._ring(last["way"][-1])

    def _unit(self, cell: str) -> tuple[float, float]:
        """Return the middle of a cell, in radii."""
        q, r = parse_cell(cell)
        return ROOT_3 * (q + r / 2), 1.5 * r

    def _middle(self, cell: str) -> tuple[float, float]:
        x, y = self._unit(cell)
        return self.x + x * self.radius, self.y + y * self.radius

    def _ring(self, cell: str) -> None:
        x, y = self._middle(cell)
        place = f"translate({number(x)} {number(y)})"
        width = max(3, self.radius * 0.08)
        outline = hexagon(self.radius, self.radius * 0.16)
        self.svg.add("path", d=outline, transform=place, fill="none", stroke=FOCUS, stroke_width=width)

    def _path(self, way: list[str]) -> None:
        """Draw the path of a slide or jump, up to the tile that made it."""
        points = [self._middle(cell) for cell in way]
        if len(points) > 1:
            path = "M" + "L".join([f"{number(x)} {number(y)}" for x, y in points[:-1]])
            (last_x, last_y), (x, y) = points[-1], points[-2]
            path += f"L{number((x + last_x) / 2)} {number((y + last_y) / 2)}"
            self.svg.add(
                "path",
                d=path,
                fill="none",
                stroke=FOCUS,
                stroke_width=4,
                stroke_dasharray="1 9",
                stroke_linecap="round",
                stroke_linejoin="round",
            )

    def _tile(self, tile: Tile) -> None:
        x, y = self._middle(tile["cell"])
        tiles, cell, seat = self.tiles, tile["cell"], tile["seat"]
        sign = FACES.get(tile["face"] or "")
        if seat is not None:
            player = PLAYER_TILES[seat]
            tiles.begin(f"{player.name} {cell}", x, y, player.ground)
            tiles.draw_player(player)
        elif sign is not None:
            tiles.begin(f"{sign.name} {cell}", x, y, PAPER)
            tiles.draw_colour(sign)
        else:
            tiles.begin(f"clover {cell}", x, y, CLOVER_GROUND)
            tiles.draw_clover()
            under = FACES.get(tile.get("under", ""))
            if under:
                chip(self.svg, 0, 0, self.radius * 0.6, under)
        if tile["barred"]:
            self._lock(self.radius * 0.5, -self.radius * 0.5)
        self.svg.end("g")

    def _lock(self, x: float, y: float) -> None:
        """Mark a tile that may not be slid this turn."""
        self.svg.add("circle", cx=x, cy=y, r=self.radius * 0.3, fill=PAPER, stroke=INK, stroke_width=1.6)
        self.svg.glyph(LOCK, x, y, self.radius * 0.4, INK)
