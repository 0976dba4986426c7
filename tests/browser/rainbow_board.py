"""Hands on Rainbow's board: they press what is lit; and eyes that search a page for faces it may not show."""

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
ABLE = ":not([aria-disabled='true'])"
LIT = ", ".join(f".table {part} button{ABLE}" for part in (".mine", ".row", ".actions"))


class Mat:
    """A person at Rainbow's board."""

    def __init__(self, person: User) -> None:
        self.person = person
        self.page = person.page

    @property
    def view(self) -> Any:
        return self.person.updates[-1]["eyes"][0]["view"]

    @property
    def cards(self) -> Locator:
        return self.page.locator(f".mine button{ABLE}")

    @property
    def row(self) -> Locator:
        return self.page.locator(f".table .row button{ABLE}")

    def do(self, name: str) -> Locator:
        return self.page.get_by_role("group", name="Actions").get_by_role("button", name=name)

    def lying(self) -> list[str | None]:
        """Return what is read out of the row."""
        return [one.get_attribute("aria-label") for one in self.page.locator(".table .row button").all()]

    def wait(self, ply: int) -> None:
        """Wait until a position is shown, and any round that ended on the way taken in."""

        def shown() -> bool:
            return bool(
                self.page.evaluate(
                    """(ply) => {
                        document.querySelector(".on")?.click();
                        const shown = Number(document.querySelector(".board")?.dataset.ply ?? -1);
                        return shown >= ply && !document.querySelector(".on");
                    }""",
                    ply,
                )
            )

        self.person.wait_for_ply(ply)
        self.person.wait_until(shown)

    def my_turn(self) -> None:
        """Wait for seat 0's turn, as it is shown."""
        self.person.wait_until(lambda: self.person.updates[-1]["turn"] == [0])
        self.wait(self.person.updates[-1]["ply"])
        self.lit()

    def lit(self) -> None:
        expect(self.page.locator(LIT).first).to_be_visible()

    def act(self, chance: Random) -> int:
        """Press something that is lit; return the number of moves there will have been."""
        self.lit()
        ply: int = self.person.updates[-1]["ply"]
        if self.cards.count():
            chance.choice(self.cards.all()).click()
            self.do("Play blind" if chance.random() < 0.3 else "Play").first.click()
        elif self.row.count() and chance.random() < 0.7:
            chance.choice(self.row.all()).click()
        else:
            self.do("End turn").click()
        return ply + 1

    def land(self) -> None:
        """Wait until whatever moves has landed."""
        self.page.evaluate("Promise.allSettled(document.getAnimations().map((one) => one.finished)).then(() => 0)")

    # -- What the page holds

    def faces(self) -> set[str]:
        """Return the faces that can be found in the page: by hue, by glyph, in labels, titles and the log."""
        self.land()
        html, told = self.page.evaluate(
            """() => {
                const copy = document.body.cloneNode(true);
                // What is printed on the mat and in the mark shows all hues and no card.
                copy.querySelectorAll("header, .place").forEach((one) => one.remove());
                const labels = [...copy.querySelectorAll("[aria-label], [title], .log ol, [aria-live]")];
                const said = (one) => (one.matches("ol, [aria-live]") ? one.textContent : "");
                const told = labels.map((one) => `${one.getAttribute("aria-label")} ${one.title} ${said(one)}`);
                return [copy.innerHTML, told.join(" ")];
            }"""
        )
        told = told.replace("shade loses", "")  # the advice names no card
        found = {letter for letter, (hue, glyph) in SIGNS.items() if hue.lower() in html.lower() or glyph in html}
        return found | {letter for letter, word in WORDS.items() if re.search(rf"\b{word}\b", told, re.IGNORECASE)}

    def check_faces(self) -> None:
        """The page holds no face that the view does not show."""
        seen = set(_faces(self.view))
        assert self.faces() <= seen, (self.faces() - seen, self.view)


def _faces(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, part in value.items():
            if name in ("face", "under", "next") and part in SIGNS:
                yield part
            yield from _faces(part)
    elif isinstance(value, list):
        for part in value:
            yield from _faces(part)


def sit_together(host: User, guest: User) -> str:
    """Seat two people at one table of Rainbow; return its path."""
    host.open()
    host.card("Rainbow").get_by_role("button", name="Invite").click()
    expect(host.page.get_by_role("heading", name="The table is laid")).to_be_visible()
    link = "/t/" + host.page.url.rsplit("/", 1)[1]
    guest.open(link)
    guest.page.get_by_label("Your name").fill("Mira")
    guest.page.get_by_role("button", name="Sit down").click()
    for one in (host, guest):
        expect(one.page.get_by_role("list", name="Your cards")).to_be_visible()
    return link


def sit_with_bot(person: User, level: str = "seedling") -> Mat:
    """Lay a table with a quick bot, and wait for one's turn."""
    person.open()
    expect(person.card("Rainbow")).to_be_visible()
    answer = person.page.request.post(
        f"{person.url}/api/tables",
        data={"game": "rainbow", "seats": [{"kind": "me"}, {"kind": "bot", "level": level}]},
    )
    person.open(f"/t/{answer.json()['id']}")
    mat = Mat(person)
    mat.lit()
    return mat
