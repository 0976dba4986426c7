"""Nimble in a real browser: races at speed, over slow lines, by touch, from two ends of a tablet and of a keyboard."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect

from tests.browser.slow_proxy import Delay
from tests.browser.test_accessibility import AXE
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]

# Plays by what the page says, as somebody would who hears it: the pile's frame goes where it is wanted. `slip` is how
# often a card is laid although it does not fit. What each key did is looked for before anything can be heard.
PLAYER = """
({ players, pace, slip }) => {
  const sides = players === 1 ? [[" ", "1", "2", "3", "t"]] : [["a", "q", "w", "e", "d"], ["l", "u", "i", "o", "j"]];
  const chance = { state: 12345 };
  const dice = () => (chance.state = (chance.state * 1103515245 + 12345) % 2147483648) / 2147483648;
  window.shown = [];
  const label = (node) => node.getAttribute("aria-label") ?? "";
  const look = () => [...document.querySelectorAll(".nimble button")].map(label).join("|");
  const play = (keys, at) => {
    const seat = document.querySelectorAll("section.seat")[at];
    if (!seat || document.querySelector(".countdown")) return;
    const hand = [...seat.querySelectorAll(".hand button")].map(label);
    if (hand.some((text) => text.includes("coming up"))) return; // nobody plays a card they have not seen
    const card = /: (.*), wants .*\\. Take back/.exec(hand.find((text) => text.startsWith("Your pile")) ?? "")?.[1];
    const stacks = [...document.querySelectorAll(".shelf button")].map(label);
    const wants = stacks.map((text) => /wants (.*), \\d+ high/.exec(text)?.[1]);
    let stack = card ? wants.indexOf(card) : -1;
    if (card && stack < 0 && dice() < slip) stack = Math.floor(dice() * 3);
    const empty = hand.some((text) => text.startsWith("Your set is empty"));
    const key = stack >= 0 ? keys[1 + stack] : empty ? keys[4] : keys[0];
    const before = look();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    queueMicrotask(() => window.shown.push(look() !== before)); // no answer can have come by then
  };
  sides.forEach((keys, at) => setInterval(() => play(keys, at), pace));
}
"""
LANES = "() => [...document.querySelectorAll('.lanes li')].map((node) => Number(node.querySelector('b').textContent))"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Bots that give people a chance."""
    with ServerProcess(tmp_path_factory.mktemp("race"), pace=120) as running:
        yield running


def lay(person: User, seats: list[dict[str, Any]], **options: str) -> str:
    """Lay a table of Nimble and go there; returns its path."""
    person.open()
    person.context.request.get(f"{person.url}/api/me")
    wish = {"game": "nimble", "seats": seats, "options": options}
    answer = person.context.request.post(f"{person.url}/api/tables", data=wish)
    assert answer.ok, answer.text()
    path = f"/t/{answer.json()['id']}"
    person.open(path)
    return path


def join(person: User, path: str, name: str) -> None:
    person.open()
    person.context.request.get(f"{person.url}/api/me")
    answer = person.context.request.post(f"{person.url}/api/tables/{path[3:]}/join", data={"name": name})
    assert answer.ok, answer.text()
    person.open(path)


def play(page: Page, pace: int, players: int = 1, slip: float = 0) -> None:
    expect(page.locator(".shelf")).to_be_visible(timeout=20_000)
    page.evaluate(PLAYER, {"players": players, "pace": pace, "slip": slip})


def check_axe(page: Page, where: str) -> None:
    """Axe finds nothing on the board; pages and their frame have a test of their own."""
    page.add_script_tag(path=AXE)
    found: list[dict[str, Any]] = page.evaluate(
        "async (rules) => (await axe.run('.nimble', { runOnly: rules })).violations",
        ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"],
    )
    assert [(where, one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found] == []


def started(page: Page) -> None:
    expect(page.locator(".shelf")).to_be_visible()
    expect(page.locator(".countdown")).to_have_count(0, timeout=6000)


def finish(person: User, seconds: int = 120) -> dict[str, Any]:
    """Wait for the end as the page shows it, and check that what it shows is what the server told last."""
    page = person.page
    expect(page.locator(".nimble.over")).to_be_visible(timeout=seconds * 1000)
    last = person.updates[-1]
    assert last["result"] is not None, "the page showed an end that the server had not told"
    view: dict[str, Any] = last["eyes"][0]["view"]
    page.wait_for_timeout(400)
    assert shown(page) == truth(view)
    assert sorted(page.evaluate(LANES)) == sorted(player["left"] for player in view["players"])
    return view


def shown(page: Page) -> list[str]:
    names: list[str] = page.locator(".shelf button").evaluate_all("(all) => all.map((node) => node.ariaLabel)")
    return [name.replace(" book", "") for name in names]


BOOKS = {
    "A": "Alice",
    "M": "Moby-Dick",
    "E": "Eighty Days",
    "W": "War of the Worlds",
    "P": "Pinocchio",
    "Q": "Don Quixote",
}


def truth(view: dict[str, Any]) -> list[str]:
    return [
        f"Stack {number}, wants {BOOKS[stack['top']['circle']]}, {stack['height']} high"
        for number, stack in enumerate(view["stacks"], 1)
    ]


BOT = {"kind": "bot", "level": "flat"}
ME = {"kind": "me"}
OPEN = {"kind": "open"}


def test_two_people_and_two_bots_at_speed(new_user: NewUser) -> None:
    ada, kofi = new_user(plain=False), new_user(plain=False, phone=True)
    path = lay(ada, [ME, OPEN, BOT, BOT])
    join(kofi, path, "Kofi")
    expect(ada.page.locator(".countdown")).to_be_visible()
    assert [name for name in shown(ada.page) if "wants" in name] == []
    play(ada.page, 90)
    play(kofi.page, 110)
    view = finish(ada)
    assert finish(kofi)["stacks"] == view["stacks"]
    assert view["result"]["reason"] in ("out", "stalemate")
    expect(ada.page.get_by_role("img", name="Cards left over time")).to_be_visible()
    assert ada.page.locator(".told li").count() == 4


def test_an_audited_race_lays_its_stacks_open(new_user: NewUser) -> None:
    ada, kofi = new_user(plain=False, bypass_csp=True), new_user(plain=False, dark=True)
    path = lay(ada, [ME, OPEN, BOT, BOT], checking="audit")
    join(kofi, path, "Kofi")
    play(ada.page, 90, slip=0.3)
    play(kofi.page, 110)
    view = finish(ada)
    finish(kofi)
    result = view["result"]
    assert 0 in result["disqualified"], "30 slips in a hundred, and none was a mistake"
    assert 1 not in result["disqualified"], "somebody who never slipped was struck: a lost race laid a card for them"
    assert ada.page.locator(".fan .mistake").count() == len(result["mistakes"])
    assert ada.page.locator(".stacks li").count() == len(result["mistakes"])
    assert [ada.page.locator(".fan").nth(i).locator(".card").count() for i in range(3)] == [
        len(cards) for cards in result["stacks"]
    ]
    check_axe(ada.page, "after an audited race")


@pytest.mark.parametrize("milliseconds", [20, 80, 200])
def test_a_slow_line_stays_playable_and_never_shows_a_false_end(
    browser: Browser, server: ServerProcess, milliseconds: int
) -> None:
    with Delay(server.port, milliseconds, seed=milliseconds) as line:
        ada, kofi = (User(browser, line.url, plain=False) for _ in range(2))
        path = lay(ada, [ME, OPEN], checking="audit")
        join(kofi, path, "Kofi")
        play(ada.page, 90)
        play(kofi.page, 100)
        view = finish(ada, 55)
        assert finish(kofi, 20)["stacks"] == view["stacks"]
        # Nobody meant a card that does not fit: on a slow line too, no lost race may lay one.
        assert view["result"]["mistakes"] == []
        for one in (ada, kofi):
            at_once: list[bool] = one.page.evaluate("window.shown")
            assert len(at_once) > 20
            assert sum(at_once) >= 0.9 * len(at_once), "what is done shows at once, not when the answer comes"
            assert one.errors == []
            one.context.close()
        assert line.late > 0


def test_two_on_one_keyboard(new_user: NewUser) -> None:
    ada = new_user(plain=False)
    lay(ada, [{"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Kofi"}])
    expect(ada.page.locator("section.seat")).to_have_count(2)
    play(ada.page, 90, players=2)
    view = finish(ada)
    assert {card["owner"] for stack in view["result"]["stacks"] for card in stack} == {0, 1}
    expect(ada.page.get_by_text("A race: two had the same colour ready")).to_be_visible()


def test_two_ends_of_a_tablet(browser: Browser, server: ServerProcess) -> None:
    both = User(browser, server.url, plain=False)
    page = both.page
    page.set_viewport_size({"width": 768, "height": 1024})
    sent: list[dict[str, Any]] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: sent.append(json.loads(frame)))

    page.on("websocket", listen)
    lay(both, [{"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Kofi"}])
    started(page)
    seats = page.locator("section.seat")
    near, far = (seats.nth(i).bounding_box() for i in range(2))
    assert near
    assert far
    assert far["y"] + far["height"] <= near["y"]
    for seat in range(2):
        seats.nth(seat).locator(".flip").dispatch_event("pointerdown", {"button": 0})
    expect(page.get_by_text("set 27 · pile 1").or_(page.get_by_text("set 28 · pile 1"))).to_have_count(2)

    # Each presses the part of a stack that is nearest: it is their card that goes there, or comes back with a flag.
    stack = page.locator('[data-stack="2"]').bounding_box()
    assert stack
    for share, seat in ((0.8, 0), (0.2, 1)):
        sent.clear()
        page.mouse.move(stack["x"] + stack["width"] / 2, stack["y"] + stack["height"] * share)
        page.mouse.down()
        page.mouse.up()
        page.wait_for_timeout(250)
        assert [(move["seat"], move["text"][:2]) for move in sent] == [(seat, "p2")]
    # A card pulled from the pile to the set is taken back; one held for a while, too.
    for seat in range(2):
        pile = seats.nth(seat).locator(".hand button").first.bounding_box()
        own = seats.nth(seat).locator("[data-set]").bounding_box()
        assert pile
        assert own
        for pulled in (True, False):
            seats.nth(seat).locator(".flip").dispatch_event("pointerdown", {"button": 0})
            page.wait_for_timeout(350)
            sent.clear()
            page.mouse.move(pile["x"] + 40, pile["y"] + 60)
            page.mouse.down()
            if pulled:
                page.mouse.move(own["x"] + 40, own["y"] + 60, steps=5)
            else:
                page.wait_for_timeout(300)
            page.mouse.up()
            page.wait_for_timeout(250)
            assert [(move["seat"], move["text"]) for move in sent] == [(seat, "b")]
    play(page, 100, players=2)
    expect(page.locator(".nimble.over")).to_be_visible(timeout=120_000)
    assert both.updates[-1]["result"] is not None
    assert both.errors == []
    both.context.close()


def test_a_phone_holds_the_whole_race_and_thumbs_can_play_it(new_user: NewUser) -> None:
    ada = new_user(plain=False, phone=True, bypass_csp=True)
    page = ada.page
    lay(ada, [ME, BOT])
    started(page)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    for name in (".shelf button", ".hand button", ".actions button"):
        for box in page.locator(name).evaluate_all("(all) => all.map((node) => node.getBoundingClientRect().toJSON())"):
            assert box["width"] >= 44
            assert box["height"] >= 43.5
            assert box["x"] >= 0
            assert box["right"] <= 360
            assert box["bottom"] <= 780, name
    page.get_by_role("button", name="Flip", exact=True).tap()
    pile = page.get_by_role("button", name="Your pile, 1 card")
    expect(pile).to_be_visible()
    page.get_by_role("button", name="Take back", exact=True).tap()
    expect(page.get_by_role("button", name="Your pile is empty")).to_be_visible()
    page.locator("[data-set]").tap()
    expect(pile).to_be_visible()
    page.locator('[data-stack="1"]').tap()
    page.wait_for_timeout(600)
    view = ada.updates[-1]["eyes"][0]["view"]
    names = page.locator(".hand button").evaluate_all("(all) => all.map((node) => node.ariaLabel).join()")
    check_axe(page, "in the middle of a race")
    assert ("Your pile is empty" in names) == (view["players"][0]["pile"] == 0)


def test_nothing_moves_where_motion_is_unwelcome(new_user: NewUser) -> None:
    ada = new_user(plain=False, still=True)
    lay(ada, [ME, BOT])
    started(ada.page)
    ada.page.keyboard.press("Space")
    expect(ada.page.locator(".heap.fresh").first).to_be_visible()
    assert ada.page.evaluate("() => document.getAnimations().length") == 0


def test_coming_back_in_the_middle_of_a_race(new_user: NewUser) -> None:
    ada = new_user(plain=False)
    lay(ada, [ME, BOT])
    play(ada.page, 100)
    ada.page.wait_for_timeout(6000)
    ada.page.reload()
    expect(ada.page.locator(".shelf")).to_be_visible()
    assert ada.page.locator(".countdown").count() == 0
    play(ada.page, 90)
    finish(ada)
    expect(ada.page.get_by_text("Races are counted since you came.")).to_be_visible()
