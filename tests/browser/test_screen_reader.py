"""Each game is finished by screen reader and keyboard alone, one of them from the home page to the end."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.positions import (
    NIMBLE,
    RAINBOW,
    ROAD,
    last_round_of_rainbow,
    last_round_of_rainbow_road,
    race_to_finish_alone,
)
from tests.browser.prepared_tables import PreparedTables
from tests.browser.screen_reader import Node, ScreenReader
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]
STARTS = ["last-round", pytest.param("home-page", marks=pytest.mark.long)]
HUES = ("red", "orange", "yellow", "green", "blue", "indigo", "violet")
FACES = re.compile(rf"\b({'|'.join(HUES)}|light|shade)\b", re.IGNORECASE)
LOG = "Moves"
RING = "The road, ten spots in a ring"
OWN_MOVE = "^You "
OWN_MOVE_OR_QUESTION = "^You"
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven")
PATIENCE = 200.0  # seconds for a whole game; reached on failure only
LOOK_AGAIN = 3.0  # seconds without an answer to a move, after which the page is read again
PAUSE = 0.3  # seconds between two readings while there is nothing to do
MOVES_BY_TAB = 4  # before the single keys are used


@pytest.fixture
def tables(server: ServerProcess) -> PreparedTables:
    return PreparedTables(server.data)


@pytest.fixture
def user(new_user: NewUser) -> User:
    return new_user(plain=False, still=True)


def start_from_home_page(user: User, title: str, **choices: str) -> ScreenReader:
    """Go from the home page to a table with a bot, by way of the game's settings."""
    reader = ScreenReader(user)
    user.open()
    reader.wait_for("Play a bot", "button", within=title)
    reader.tab_to(f"Options for {title}", most=90)
    reader.press("Enter")
    reader.wait_for("Start game", "button")
    reader.wait_for_focus()  # a new page takes the focus
    for choice, wanted in choices.items():
        reader.tab_to(f"^{choice.replace('_', ' ')}")
        reader.press("Home")
        focus = reader.focus
        for _ in range(12):
            if focus and re.search(wanted, str(focus.states.get("value"))):
                break
            reader.press("ArrowDown")
            focus = reader.focus
        assert focus is not None
        assert re.search(wanted, str(focus.states.get("value"))), f"{choice} has no {wanted}"
    reader.tab_to("^Start game")
    reader.press("Enter")
    if title == "Nimble":
        reader.wait_for("^Ready$", "button")
        reader.wait_for_focus()
        reader.tab_to("^Ready$")
        reader.press("Enter")
    reader.wait_for("Board", "region")
    return reader


def finish(reader: ScreenReader, act: Callable[[list[Node]], bool], own: str = OWN_MOVE) -> None:
    """Act whenever something may be done, until the result has the focus; on the way the focus is never lost."""
    deadline = time.monotonic() + PATIENCE
    acted = False
    while True:
        assert time.monotonic() < deadline, f"the game does not end:\n{reader}"
        if acted:
            reader.wait_for_focus()
        nodes = reader.nodes()
        if any(node.role == "heading" and re.search(r"\bwon\b|^Draw", node.text) for node in nodes):
            reader.wait_for_focus(r"\bwon\b|^Draw")
            return
        known = len(reader.announcements())
        acted = act(nodes)
        reader.listen(known, own if acted else "", LOOK_AGAIN if acted else PAUSE)


def check_announcements(reader: ScreenReader, since: int = 0) -> None:
    """Everything in the log that happened after a ply was announced when it happened."""

    def without_faces(text: str) -> str:
        # A line no longer says a face that has been hidden since.
        return re.sub(r":\s*…", "", FACES.sub("…", re.sub(r"^\d+ ", "", text))).replace(" .", ".")

    lines = {
        without_faces(node.text)
        for node in reader.nodes()
        if node.role == "listitem" and LOG in node.within and _ply(node.text) > since
    }
    announced = [without_faces(text) for text in reader.announcements()]
    assert len(lines) >= 3
    assert any(text.startswith("Your turn") for text in announced)
    # Moves that come faster than they can be read out are announced together.
    assert [line for line in lines if not any(line in text for text in announced)] == []


def _ply(line: str) -> int:
    number = re.match(r"(\d+) ", line)
    return int(number[1]) if number else -1


def enabled(nodes: list[Node], pattern: str, within: str) -> list[Node]:
    return [node for node in matching(nodes, pattern, within) if node.role == "button" and node.enabled]


def matching(nodes: list[Node], pattern: str, within: str = "") -> list[Node]:
    return [node for node in nodes if re.search(pattern, node.text) and (not within or within in node.within)]


@pytest.mark.parametrize("start", STARTS)
def test_rainbow_is_finished_by_screen_reader(user: User, tables: PreparedTables, start: str) -> None:
    if start == "home-page":
        reader = start_from_home_page(user, "Rainbow", Player_2="Beginner")
    else:
        reader = ScreenReader(user)
        tables.seat(RAINBOW, last_round_of_rainbow(), user, bots=["seedling"])
        reader.wait_for("Board", "region")
    turns = 0

    def choose(card: Node, how: str, key: str) -> None:
        """Pick a card and play it: by Tab and arrows at first, then by the keys that the buttons name."""
        if turns > MOVES_BY_TAB:
            reader.press(card.text.split()[2].rstrip(","))
        else:
            reader.tab_to("^Your card", "Your cards")
            reader.press("Home")
            reader.tab_to(re.escape(card.text), key="ArrowRight")
            reader.press("Enter")
        reader.wait_for("Selected", "button", "Your cards")
        press(how, key)

    def press(button: str, key: str) -> None:
        if turns > MOVES_BY_TAB:
            reader.press(key)
        else:
            reader.tab_to(f"^{button}.* {key.upper()}$", "Actions")
            reader.press("Enter")

    def act(nodes: list[Node]) -> bool:
        """Play a card whose colour is not in the row, then end the turn."""
        nonlocal turns
        if matching(nodes, "^Go on", "Board"):
            reader.press("Enter")
            return False
        cards = enabled(nodes, "^Your card", "Your cards")
        row = " ".join(node.text for node in matching(nodes, r"^Row \d"))
        fitting = [node for node in cards if node.text.split()[3] not in row]
        turns += 1
        if fitting:
            choose(fitting[0], f"Play as {fitting[0].text.split()[3]}", "s")
        elif enabled(nodes, "^End turn", "Actions"):
            press("End turn", "e")
        elif cards:
            choose(cards[0], "Play the hidden side", "b")
        else:
            return False
        return True

    finish(reader, act)
    check_announcements(reader, 0 if start == "home-page" else len(last_round_of_rainbow().moves))


@pytest.mark.parametrize("start", STARTS)
def test_rainbow_road_is_finished_by_screen_reader(user: User, tables: PreparedTables, start: str) -> None:
    if start == "home-page":
        reader = start_from_home_page(user, "Rainbow Road", Player_2="Beginner")
    else:
        reader = ScreenReader(user)
        tables.seat(ROAD, last_round_of_rainbow_road(), user, bots=["seedling"])
        reader.wait_for("Board", "region")
    turns = 0

    def act(nodes: list[Node]) -> bool:
        """Play the first card to the first spot it may go to; walk where it brings most, else stop."""
        nonlocal turns
        cards = enabled(nodes, r"card", "Your hand")
        spots = enabled(nodes, r"point", RING)
        stop = enabled(nodes, "^Stop here", "Actions")
        if not (cards or stop):
            return False
        turns += 1
        if cards:
            if turns > MOVES_BY_TAB:
                reader.press(str(NUMBERS.index(cards[0].text.split(",")[0]) + 1))
                reader.wait_for_focus(r"^[ab][1-5]\b", RING)
            else:
                reader.tab_to(re.escape(cards[0].text), "Your hand")
                reader.press("Enter")
                reader.tab_to(" to [ab][1-5]$", "Actions", key="Shift+Tab")
            reader.press("Enter")
        elif spots:
            best = max(spots, key=lambda node: int(re.findall(r"(\d+) point", node.text)[0]))
            reader.tab_to(r"^[ab][1-5]\b", RING)
            reader.tab_to(re.escape(best.text), key="ArrowRight")
            reader.press("Enter")
        elif turns > MOVES_BY_TAB:
            reader.press("x")
        elif reader.tab_to_if_present(
            "^Stop here", "Actions", may_vanish=True
        ):  # a walk that cannot go on stops itself
            reader.press("Enter")
        return True

    finish(reader, act, OWN_MOVE_OR_QUESTION)
    check_announcements(reader, 0 if start == "home-page" else len(last_round_of_rainbow_road().moves))


# Chance decides how long a game of Flip & Slide is, so that it is given up early.
@pytest.mark.parametrize("moves", [8, pytest.param(1000, marks=pytest.mark.long)])
def test_flip_and_slide_is_played_by_screen_reader_from_the_home_page_to_the_end(user: User, moves: int) -> None:
    reader = start_from_home_page(user, "Rainbow Flip & Slide", Player_2="Medium")
    made = 0

    def resign() -> None:
        for button in ("^This game$", "^Resign$", "^Yes, resign$"):
            reader.wait_for(button, "button")
            reader.tab_to(button, key="Shift+Tab")
            reader.press("Enter")

    def act(nodes: list[Node]) -> bool:
        """Place the own tile, then flip clovers; at every fourth move, and where none can be flipped, slide a tile."""
        nonlocal made
        places = enabled(nodes, "^Place it here", "Board")
        flips = enabled(nodes, "^Clover.*Can be flipped", "Board")
        slides = enabled(nodes, "^Your pot.*Can slide", "Board") or enabled(nodes, "Can slide", "Board")
        if not (places or flips or slides):
            return False
        made += 1
        if made > moves:
            resign()
        elif places:
            assert len({node.text for node in places}) == len(places), "two cells have the same name"
            reader.tab_to("^Place it here")
            reader.press("ArrowDown", "ArrowRight")
            reader.tab_to("^Place it here")
            reader.press("Enter")
        elif flips and not (slides and made % 4 == 0):
            reader.tab_to("^Clover.*Can be flipped", key="n")
            reader.press("f")
        else:
            reader.tab_to(re.escape(slides[0].text), key="n")
            reader.press("Enter")
            reader.wait_for("^Slide here", "button")
            for arrow in ("ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"):
                reader.press(arrow)
                focus = reader.focus
                if focus and focus.text.startswith("Slide here"):
                    break
            reader.press("Enter")
        return True

    finish(reader, act)
    check_announcements(reader)


def play_race(reader: ScreenReader) -> Callable[[list[Node]], bool]:
    def act(nodes: list[Node]) -> bool:
        """Place the pile's card where it is wanted, else flip; turn the pile over when the set is empty."""
        pile = matching(nodes, "^Your pile, ")
        if pile and "coming up" in pile[0].text:
            return False  # the server has not said yet which card it is
        card = re.search(": (.*), wants ", pile[0].text) if pile else None
        wants = [re.search("wants (.*), ", node.text) for node in enabled(nodes, "^Stack", "Stacks")]
        stack = next((number for number, want in enumerate(wants, 1) if card and want and want[1] == card[1]), 0)
        if stack:
            reader.press(str(stack))
        elif matching(nodes, "^Your set is empty"):
            reader.press("t")
        else:
            reader.press("Space")
        return False

    return act


@pytest.mark.long
def test_nimble_is_played_by_screen_reader_from_the_home_page_to_the_end(browser: Browser, tmp_path: Path) -> None:
    # The bots of the shared server act without a pause, faster than a page can show.
    with ServerProcess(tmp_path / "data", bot_min_move_ms=30) as server:
        user = User(browser, server.url, plain=False, still=True)
        reader = start_from_home_page(user, "Nimble", Player_2="Master", Mistakes="referee")
        reader.wait_for_announcement(r"^Go! 1 wants .*2 wants .*3 wants")
        finish(reader, play_race(reader))
        assert user.errors == []
        user.context.close()


def test_nimble_is_won_by_screen_reader(user: User, new_user: NewUser, tables: PreparedTables) -> None:
    reader, opponent = ScreenReader(user), new_user(plain=False)
    began = int(time.time() * 1000) - 10_000
    tables.seat(NIMBLE, race_to_finish_alone(), user, opponent, began=began)
    reader.wait_for("Board", "region")
    finish(reader, play_race(reader))
    assert reader.find("^You won", "heading"), str(reader)
