"""A game of each kind from the home page to its end, by somebody who hears the page and has a keyboard."""

import re
import time
from collections.abc import Callable

from tests.browser.screen_reader import Ears, Heard, focus
from tests.browser.user import User

NewUser = Callable[..., User]
HUES = ("red", "orange", "yellow", "green", "blue", "indigo", "violet")
FACES = re.compile(rf"\b({'|'.join(HUES)}|light|shade|a face now hidden)\b", re.IGNORECASE)
STORY = "The story so far"
ROAD = "The road, ten spots in a ring"
OWN = "^You "  # one has done something oneself
NEXT = "^You"  # or is asked for the next step
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven")
PATIENCE = 150.0  # with a whole game, on a busy machine
LOOK_AGAIN = 3.0  # seconds without an answer: perhaps it was somebody else's turn already
BY_TAB = 4  # moves, until one has learned the keys


def sit_down(new_user: NewUser, title: str, **choices: str) -> Ears:
    """From the home page to a table with a gentle bot, by way of the game's settings."""
    ada = new_user(plain=False, still=True)
    ears = Ears(ada)
    ada.open()
    ears.until("Play a bot", "button", within=title)
    ears.tab_to(f"Settings for {title}", most=90)
    ears.press("Enter")
    ears.until("Lay the table", "button")
    assert ears.focused is not None, "a new page has the keyboard"
    for choice, wanted in choices.items():
        ears.tab_to(f"^{choice.replace('_', ' ')}")
        ears.press("Home")
        at = ears.focused
        for _ in range(12):
            if at and re.search(wanted, str(at.states.get("value"))):
                break
            ears.press("ArrowDown")
            at = ears.focused
        assert at is not None
        assert re.search(wanted, str(at.states.get("value"))), f"{choice} has no {wanted}"
    ears.tab_to("^Lay the table")
    ears.press("Enter")
    ears.until("Board", "region")
    return ears


def play(ears: Ears, act: Callable[[list[Heard]], bool], own: str = OWN, seconds: float = PATIENCE) -> None:
    """Act whenever something may be done, until the result is read out; the keyboard is never lost on the way."""
    deadline = time.monotonic() + seconds
    acted = False
    while True:
        heard = ears.everything()
        at = focus(heard)
        assert not acted or at, f"the keyboard is nowhere after a move in\n{ears}"
        ended = [one.text for one in heard if one.role == "heading" and re.search(r"\bwon\b|^A draw", one.text)]
        if ended:
            assert at is not None
            assert at.text == ended[0], "the end is where the keyboard is"
            return
        known = len(ears.news())
        acted = act(heard)
        if acted:
            ears.listen(known, own, LOOK_AGAIN)
        assert time.monotonic() < deadline, f"the game does not end:\n{ears}"
        if not acted:
            ears.listen(known)


def check_told(ears: Ears) -> None:
    """Everything that happened was announced when it happened."""

    def told(text: str) -> str:
        return FACES.sub("…", re.sub(r"^\d+ ", "", text)).replace(" .", ".").replace("….", "…")

    story = {
        told(one.text)
        for one in ears.everything()
        if one.role == "listitem" and STORY in one.within and re.match(r"\d+ ", one.text)
    }
    announced = [told(text) for text in ears.news()]
    assert len(story) > 5
    assert any(text.startswith("Your turn") for text in announced)
    # Where moves come faster than they can be told, several are told in one breath.
    assert [line for line in story if not any(line in text for text in announced)] == []


def able(heard: list[Heard], pattern: str, within: str) -> list[Heard]:
    return [one for one in named(heard, pattern, within) if one.role == "button" and one.able]


def named(heard: list[Heard], pattern: str, within: str = "") -> list[Heard]:
    return [one for one in heard if re.search(pattern, one.text) and (not within or within in one.within)]


def test_rainbow_by_ear(new_user: NewUser) -> None:
    ears = sit_down(new_user, "Rainbow", Seat_2="seedling")
    turns = 0

    def choose(card: Heard, how: str, key: str) -> None:
        """Pick a card and play it: by Tab and arrows at first, then by the keys that the buttons name."""
        if turns > BY_TAB:
            ears.press(card.text.split()[2].rstrip(","))
        else:
            ears.tab_to("^Your card", "Your cards")
            ears.press("Home")
            ears.tab_to(re.escape(card.text), key="ArrowRight")
            ears.press("Enter")
            ears.until("Selected", "button", "Your cards")
        press(how, key)

    def press(button: str, key: str) -> None:
        if turns > BY_TAB:
            ears.press(key)
        else:
            ears.tab_to(f"^{button}.* {key.upper()}$", "Actions")
            ears.press("Enter")

    def act(heard: list[Heard]) -> bool:
        """Play a card whose colour does not lie in the row, then end the turn."""
        nonlocal turns
        if named(heard, "^Go on", "Board"):
            ears.press("Enter")
            return False
        cards = able(heard, "^Your card", "Your cards")
        row = " ".join(one.text for one in named(heard, r"^Row \d"))
        fits = [one for one in cards if one.text.split()[3] not in row]
        turns += 1
        if fits:
            choose(fits[0], f"Play as {fits[0].text.split()[3]}", "s")
        elif able(heard, "^End turn", "Actions"):
            press("End turn", "e")
        elif cards:
            choose(cards[0], "Play blind", "b")
        else:
            return False
        return True

    play(ears, act)
    check_told(ears)


def test_rainbow_road_by_ear(new_user: NewUser) -> None:
    ears = sit_down(new_user, "Rainbow Road", Seat_2="seedling")
    turns = 0

    def act(heard: list[Heard]) -> bool:
        """Play the first card to the first spot it may go to; walk where it brings most, else stop."""
        nonlocal turns
        cards = able(heard, r"card", "Your hand")
        spots = able(heard, r"point", ROAD)
        stop = able(heard, "^Stop here", "Actions")
        if not (cards or stop):
            return False
        turns += 1
        if cards:
            if turns > BY_TAB:
                ears.press(str(NUMBERS.index(cards[0].text.split(",")[0]) + 1))
                ears.come_to(r"^[ab][1-5]\b", ROAD)
            else:
                ears.tab_to(re.escape(cards[0].text), "Your hand")
                ears.press("Enter")
                ears.tab_to(" to [ab][1-5]$", "Actions", key="Shift+Tab")
            ears.press("Enter")
        elif spots:
            best = max(spots, key=lambda one: int(re.findall(r"(\d+) point", one.text)[0]))
            ears.tab_to(r"^[ab][1-5]\b", ROAD)
            ears.tab_to(re.escape(best.text), key="ArrowRight")
            ears.press("Enter")
        elif turns > BY_TAB:
            ears.press("x")
        else:
            ears.tab_to("^Stop here", "Actions")
            ears.press("Enter")
        return True

    play(ears, act, NEXT)
    check_told(ears)


def test_flip_and_slide_by_ear(new_user: NewUser) -> None:
    ears = sit_down(new_user, "Rainbow Flip & Slide", Seat_2="seedling")

    def act(heard: list[Heard]) -> bool:
        """Place one's tile, then flip clovers; where none can be flipped, slide a tile."""
        places = able(heard, "^Place it here", "Board")
        flips = able(heard, "^Clover.*Can be flipped", "Board")
        slides = able(heard, "^Your pot.*Can slide", "Board") or able(heard, "Can slide", "Board")
        if not (places or flips or slides):
            return False
        if places:
            assert len({one.text for one in places}) == len(places), "no two cells sound alike"
            ears.tab_to("^Place it here")
            ears.press("ArrowDown", "ArrowRight")
            ears.tab_to("^Place it here")
            ears.press("Enter")
        elif flips:
            ears.tab_to("^Clover.*Can be flipped", key="n")
            ears.press("f")
        else:
            ears.tab_to(re.escape(slides[0].text), key="n")
            ears.press("Enter")
            ears.until("^Slide here", "button")
            for arrow in ("ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"):
                ears.press(arrow)
                at = ears.focused
                if at and at.text.startswith("Slide here"):
                    break
            ears.press("Enter")
        return True

    play(ears, act)
    check_told(ears)


def test_nimble_by_ear(new_user: NewUser) -> None:
    # Against quick hands, so that it ends soon even where this player is slow.
    ears = sit_down(new_user, "Nimble", Seat_2="master", Mistakes="referee")
    ears.hear(r"^Go! 1 wants .*2 wants .*3 wants", 0)

    def act(heard: list[Heard]) -> bool:
        """Place the pile's card where it is wanted, else flip; turn the pile over when the set is empty."""
        pile = named(heard, "^Your pile, ")
        if pile and "coming up" in pile[0].text:
            return False  # it is not known yet
        card = re.search(": (.*), wants ", pile[0].text) if pile else None
        wants = [re.search("wants (.*), ", one.text) for one in able(heard, "^Stack", "Stacks")]
        stack = next((at for at, found in enumerate(wants, 1) if card and found and found[1] == card[1]), 0)
        if stack:
            ears.press(str(stack))
        elif named(heard, "^Your set is empty"):
            ears.press("t")
        else:
            ears.press("Space")
        return False

    play(ears, act)
