"""A user at Rainbow's board: waits until it is ready, presses what is enabled, and looks for faces it must not show."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.user import User

FACES_TS = (Path(__file__).parents[2] / "web/src/pieces/faces.ts").read_text("utf-8")
SIGNS = {
    letter: (hue, glyph)
    for letter, hue, glyph in re.findall(
        r'\b([A-Z]): \{\s*letter: "\w",\s*hue: "(#\w+)",.*?glyph: "([^"]+)"', FACES_TS, re.DOTALL
    )
}
WORDS = dict(
    zip("ROYGBIVWK", ["red", "orange", "yellow", "green", "blue", "indigo", "violet", "light", "shade"], strict=True)
)
IS_ENABLED = ":not([aria-disabled='true'])"
ENABLED = ", ".join(f".table {part} button{IS_ENABLED}" for part in (".mine", ".row .piece", ".actions"))
# The board shows a position, the end of a round has been dismissed, and nothing moves any more.
READY = """(ply) => {
    document.querySelector(".on")?.click();
    const shown = Number(document.querySelector(".board")?.dataset.ply ?? -1);
    return shown >= ply && !document.querySelector(".on")
        && document.getAnimations().every((animation) => animation.playState !== "running");
}"""


class RainbowBoard:
    """A user at Rainbow's board."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.page = user.page

    @property
    def update(self) -> dict[str, Any]:
        return self.user.updates[-1]

    @property
    def ply(self) -> int:
        ply: int = self.update["ply"]
        return ply

    @property
    def view(self) -> Any:
        return self.update["views"][0]["view"]

    @property
    def playable(self) -> Locator:
        """The cards of the own hand that may be played."""
        return self.page.locator(f".mine button{IS_ENABLED}")

    @property
    def turnable(self) -> Locator:
        """The cards of the row that may be turned over."""
        return self.page.locator(f".table .row .piece button{IS_ENABLED}")

    @property
    def enabled(self) -> Locator:
        return self.page.locator(ENABLED)

    def action(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("group", name="Actions").get_by_role("button", name=name)

    def row_labels(self) -> list[str]:
        """Return the accessible names of the row's cards, without what only follows from the last move."""
        labels = [
            card.get_attribute("aria-label") or "" for card in self.page.locator(".table .row .piece button").all()
        ]
        return [label.replace(" Just came up.", "") for label in labels]

    # -- Waiting

    def wait_for_ply(self, ply: int) -> None:
        """Wait until a position has come and the board is ready in it."""
        self.user.wait_for_ply(ply)
        self.page.wait_for_function(READY, arg=ply)

    def wait_for_turn(self, seat: int = 0) -> None:
        """Wait until a seat may act and the board shows it."""
        self.user.wait_until(lambda: bool(self.user.updates) and self.update["turn"] == [seat])
        self.wait_for_ply(self.ply)
        expect(self.enabled.first).to_be_visible()

    # -- Acting

    def play_card(self, how: str = "Play") -> int:
        """Play the first card that may be played; return the ply it leads to."""
        ply = self.ply
        self.playable.first.click()
        self.action(how).first.click()
        return ply + 1

    def make_random_move(self, rng: Random) -> int:
        """Make a move by what is enabled; return the ply it leads to."""
        expect(self.enabled.first).to_be_visible()
        ply = self.ply
        if self.playable.count():
            rng.choice(self.playable.all()).click()
            self.action(re.compile("Play blind|hidden side") if rng.random() < 0.3 else "Play").first.click()
        elif self.turnable.count() and rng.random() < 0.7:
            rng.choice(self.turnable.all()).click()
        else:
            self.action("End turn").click()
        return ply + 1

    def finish(self, rng: Random) -> None:
        """Make a move whenever seat 0 is to act, until the board shows the end."""
        while True:
            self.user.wait_until(
                lambda: bool(self.user.updates) and (self.update["turn"] == [0] or self.update["result"])
            )
            if self.update["result"]:
                break
            self.wait_for_turn()
            self.user.wait_for_ply(self.make_random_move(rng))
        self.wait_for_ply(self.ply)

    def hand_over(self) -> None:
        """Pass the shared device on, unless the curtain has fallen by itself a while after the last move."""
        button = self.page.get_by_role("button", name="Pass the device now")
        expect(button.or_(self.page.get_by_role("heading", name="Pass the device to"))).to_be_visible()
        button.evaluate_all("(all) => all.forEach((one) => one.click())")

    # -- What the page contains

    def faces_in_page(self) -> set[str]:
        """Return the faces that the page contains: by hue, by glyph, in any attribute, label or announcement."""
        self.page.wait_for_function("() => document.getAnimations().every((one) => one.playState !== 'running')")
        html, texts = self.page.evaluate(
            """() => {
                const copy = document.body.cloneNode(true);
                // The arch printed on the board and in the logo shows all hues and no card.
                copy.querySelectorAll("header, .place").forEach((node) => node.remove());
                const written = [...copy.querySelectorAll(".log ol, [aria-live]")].map((node) => node.textContent);
                const attributes = [...copy.querySelectorAll("*")]
                    .flatMap((node) => [...node.attributes])
                    .filter(({ name }) => !["class", "style", "d"].includes(name))
                    .map(({ value }) => value);
                return [copy.innerHTML, [...written, ...attributes].join(" ")];
            }"""
        )
        texts = texts.replace("so does shade", "")  # a sentence of the advice, which names no card
        signs = {letter for letter, (hue, glyph) in SIGNS.items() if hue.lower() in html.lower() or glyph in html}
        return signs | {letter for letter, word in WORDS.items() if re.search(rf"\b{word}\b", texts, re.IGNORECASE)}

    def check_no_hidden_face(self) -> None:
        """The page contains no face that the view does not show."""
        assert self.faces_in_page() - set(_faces(self.view)) == set(), self.view


def _faces(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, part in value.items():
            if name in ("face", "under", "next") and part in SIGNS:
                yield part
            yield from _faces(part)
    elif isinstance(value, list):
        for part in value:
            yield from _faces(part)


def invite(host: User, guest: User) -> str:
    """Seat two users at a new table of Rainbow, from the home page; return its path."""
    host.open()
    host.card("Rainbow").get_by_role("button", name="Invite").click()
    expect(host.page.get_by_role("heading", name="Invite a friend")).to_be_visible()
    path = "/t/" + host.page.url.rsplit("/", 1)[1]
    guest.open(path)
    guest.page.get_by_label("Your name").fill("Mira")
    guest.page.get_by_role("button", name="Join").click()
    for user in (host, guest):
        expect(user.page.get_by_role("list", name="Your cards")).to_be_visible()
    return path


def play_bot(user: User, level: str = "seedling") -> RainbowBoard:
    """Create a table with a bot, and wait for the user's turn."""
    user.open()
    expect(user.card("Rainbow")).to_be_visible()
    answer = user.page.request.post(
        f"{user.url}/api/tables",
        data={"game": "rainbow", "seats": [{"kind": "me"}, {"kind": "bot", "level": level}]},
    )
    user.open(f"/t/{answer.json()['id']}")
    board = RainbowBoard(user)
    board.wait_for_turn()
    return board
