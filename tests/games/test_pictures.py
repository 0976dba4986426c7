"""The picture of a view has all pieces of the view, each with a letter or sign beside its colour."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from sevenhues import Rng, deal, load, names
from sevenhues.core.game import Game
from sevenhues.core.position import WATCHER, Position
from sevenhues.games.flip_and_slide.picture import CLOVER, PLAYER_TILES
from sevenhues.games.nimble.picture import BOOKS
from sevenhues.render.pieces import COLOURS, FACES

SVG = "{http://www.w3.org/2000/svg}"
PIECES = Path(__file__).parents[2] / "web/src/pieces"
PLAYERS = ("Ada & Bo", "<Cy>", "Di", "Ed")


class Picture:
    """A picture, and what is written in it."""

    def __init__(self, game: Game[Any], view: Any, names: tuple[str, ...] = PLAYERS) -> None:
        self.root = ElementTree.fromstring(game.renderer().picture(view, names))
        self.texts = Counter(str(element.text) for element in self.root.iter(f"{SVG}text"))
        self.title = str(self.root[0].text)
        self.groups = [element for element in self.root.iter(f"{SVG}g") if "aria-label" in element.attrib]
        self.labels = Counter(group.attrib["aria-label"] for group in self.groups)

    def labelled(self, *endings: str) -> Counter[str]:
        return Counter({label: count for label, count in self.labels.items() if label.endswith(endings)})


def positions(name: str, seats: int, seed: int = 1) -> Iterator[Position]:
    """Yield the first, some middle and the last position of a random game."""
    position, rng = deal(load(name), f"picture {seed}".encode(), seats), Rng(seed)
    ply = 0
    while (seat := position.pick_seat(rng)) >= 0:
        if ply in (0, 1, 7, 20, 45):
            yield position
        position.play(seat, position.pick(seat, rng))
        ply += 1
        if ply == 700:
            return
    yield position


def views(name: str, seats: int) -> Iterator[Any]:
    """Yield the views of all seats, a watcher and one who sees everything."""
    game = load(name)
    for position in positions(name, seats):
        yield from [game.view(position, viewer) for viewer in [*range(seats), WATCHER]]
        yield game.full_view(position)


def face(letter: str) -> str:
    return f"{FACES[letter].name if letter in FACES else 'hidden'} card"


def test_rainbow_shows_row_hands_deck_and_piles() -> None:
    game = load("rainbow")
    for view in views("rainbow", 2):
        shown = Picture(game, view)
        ends = [end["face"] for end in view.get("ends", [])] or ([view["next"]] if view["next"] else [])
        cards = [*view["row"], *[card for hand in view["hands"] for card in hand if card is not None]]
        assert shown.labelled(" card") == Counter([face(card["face"]) for card in cards] + [face(end) for end in ends])
        under = [FACES[card["under"]].name for card in cards if card.get("under", "?") in FACES]
        assert shown.labelled(*[sign.name for sign in FACES.values()]) == Counter(under)
        assert shown.texts[f"{view['deck']} left"] == 1
        for seat, count in enumerate(view["piles"]):
            assert shown.labels[f"{PLAYERS[seat]}: {count} won"] == 1
        if view["turn"] is not None:
            assert shown.title == f"Rainbow: Round {view['round']}"


def test_rainbow_road_shows_ring_fairies_hands_and_pranks() -> None:
    game = load("rainbow-road")
    for view in views("rainbow-road", 2):
        shown = Picture(game, view)
        numbers = [spot["card"]["number"] for spot in view["ring"] if spot["card"]]
        numbers += [card["number"] for card in view["discards"]]
        hidden = 0
        for hand in view["hands"]:
            numbers += hand["numbers"] or []
            hidden += hand["count"] if hand["numbers"] is None else 0
        expected = Counter(f"{digit} card" for digit in numbers) + Counter({"hidden card": hidden})
        assert shown.labelled(" card") == expected
        assert shown.labelled("Fairy") == {"Sunny Fairy": 1, "Rain Fairy": 1}
        for seat, pranks in enumerate(view["pranks"]):
            assert all(shown.texts[prank] == 1 for prank in [*(pranks["held"] or []), *pranks["used"]])
            assert shown.labels[f"{PLAYERS[seat]}: {view['scores'][seat]} points"] == 1
        unknown = sum(pranks["count"] for pranks in view["pranks"] if pranks["held"] is None)
        assert shown.labels["prank"] == unknown
        assert shown.texts["Sunny" if view["weather"] == "sunny" else "Rainy"] >= 1


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_flip_and_slide_shows_every_tile_on_its_cell(seats: int) -> None:
    game = load("flip-and-slide")
    for view in views("flip-and-slide", seats):
        shown = Picture(game, view)
        kinds = {"?": "clover"} | {letter: FACES[letter].name for letter in COLOURS}
        for tile in view["tiles"]:
            kind = PLAYER_TILES[tile["seat"]].name if tile["seat"] is not None else kinds[tile["face"]]
            assert shown.labels[f"{kind} {tile['cell']}"] == 1
        for seat, run in enumerate(view["runs"]):
            assert shown.labels[f"{PLAYERS[seat]}: {len(run)} in a run"] == 1
        chips = sum(map(len, view["runs"])) + 7 * (seats < 4) + sum("under" in tile for tile in view["tiles"])
        assert shown.labelled(*kinds.values()).total() == chips


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nimble_shows_stacks_piles_and_sets(seats: int) -> None:
    game = load("nimble")
    for view in views("nimble", seats):
        shown = Picture(game, view)
        cards = [stack["top"] for stack in view["stacks"]]
        for seat, player in enumerate(view["players"]):
            cards += [player["top"]] if player["top"] else []
            cards += player.get("coming", [])
            assert shown.labels[f"{PLAYERS[seat]}: {player['left']} left"] == 1
        expected = Counter(f"{BOOKS[card['frame']].name} around {BOOKS[card['circle']].name}" for card in cards)
        assert Counter({label: n for label, n in shown.labels.items() if " around " in label}) == expected
        sets = Counter(f"set of {player['set']} cards" for player in view["players"] if player["set"])
        assert shown.labelled("cards") == sets


@pytest.mark.parametrize("name", names())
def test_every_coloured_piece_has_a_glyph(name: str) -> None:
    game = load(name)
    signs = (*FACES.values(), *BOOKS.values())
    for view in views(name, 2):
        for group in Picture(game, view).groups:
            label = group.attrib["aria-label"]
            if not label.endswith("Fairy"):  # the fairies differ in shape
                fills = {element.get("fill") for element in group.iter()}
                paths = {element.get("d") for element in group.iter()}
                assert {sign.hue for sign in signs} & fills == {sign.hue for sign in signs if sign.glyph in paths}, (
                    label
                )


@pytest.mark.parametrize("name", names())
def test_picture_shows_who_is_to_act_and_who_won(name: str) -> None:
    game = load(name)
    for position in positions(name, 2, 3):
        shown = Picture(game, game.view(position, WATCHER))
        outcome = position.outcome()
        if outcome is not None and len(outcome.winners) == 1:
            assert shown.title.endswith(f": {PLAYERS[outcome.winners[0]]} wins")
        assert game.title.endswith(shown.title.partition(":")[0])
        for player in PLAYERS[:2]:
            assert shown.texts[player] >= 1


@pytest.mark.parametrize("name", names())
def test_seats_without_names_are_shown_by_their_numbers(name: str) -> None:
    game = load(name)
    shown = Picture(game, game.view(next(positions(name, 2)), 0), ("", ""))
    assert shown.texts["Seat 0"] >= 1
    assert shown.texts["Seat 1"] >= 1


@pytest.mark.parametrize("name", names())
def test_picture_does_not_depend_on_hidden_cards(name: str) -> None:
    game = load(name)
    for position in positions(name, 2, 5):
        for viewer in (0, 1, WATCHER):
            drawn = game.renderer().picture(game.view(position, viewer), PLAYERS)
            for world in range(3):
                resampled = position.resample(viewer, Rng(world))
                assert game.renderer().picture(game.view(resampled, viewer), PLAYERS) == drawn


def test_pictures_and_boards_have_the_same_colours_and_signs() -> None:
    sources = {path.name: path.read_text(encoding="utf-8") for path in PIECES.glob("*.ts")}
    for file, signs in (("faces.ts", FACES), ("books.ts", BOOKS)):
        for sign in signs.values():
            assert f'"{sign.hue}"' in sources[file], sign.name
            assert f'"{sign.glyph}"' in sources[file], sign.name
    for tile in PLAYER_TILES:
        assert f'"{tile.glyph}"' in sources["tiles.ts"], tile.name
    assert f'"{CLOVER}"' in sources["tiles.ts"]
