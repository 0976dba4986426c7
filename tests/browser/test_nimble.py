"""Nimble's board in a real browser: whole races by mouse, touch and key, slow connections, and shared devices."""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, Page, WebSocket, WebSocketRoute, expect

from sevenhues import load
from tests.browser.board_positions import before_the_end
from tests.browser.page_checks import AXE, AXE_RULES, check_phone
from tests.browser.positions import race
from tests.browser.prepared_tables import PreparedTables, Start
from tests.browser.slow_proxy import Delay
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]
GAME = load("nimble")
BOOKS = {
    "A": "Alice",
    "M": "Moby-Dick",
    "E": "Eighty Days",
    "W": "War of the Worlds",
    "P": "Pinocchio",
    "Q": "Don Quixote",
}
KEYS = {
    1: [{"f": " ", "p1": "1", "p2": "2", "p3": "3", "t": "t"}],
    2: [
        {"f": "a", "p1": "q", "p2": "w", "p3": "e", "t": "d"},
        {"f": "l", "p1": "u", "p2": "i", "p3": "o", "t": "j"},
    ],
}
PATIENCE = 60.0  # seconds in which nobody moves; reached on failure only

# What the player of a section would do by what the page says: place the card where it is wanted, else flip, else turn
# the pile over. Nothing before the start, with a card that is not known yet, or once all are placed.
DECIDE = """async ([at, wrong, keys]) => {
    await new Promise(requestAnimationFrame);
    if (document.querySelector(".nimble.over")) return { move: "over" };
    const seat = document.querySelectorAll("section.seat")[at];
    if (!seat || document.querySelector(".countdown")) return { move: "" };
    const label = (node) => node.getAttribute("aria-label") ?? "";
    const hand = [...seat.querySelectorAll(".hand button")].map(label);
    if (hand.some((text) => text.includes("coming up"))) return { move: "" };
    const card = /: (.*), wants .*\\. Take back/.exec(hand.find((text) => text.startsWith("Your pile")) ?? "")?.[1];
    const stacks = [...document.querySelectorAll(".shelf button")].map(label);
    const wants = stacks.map((text) => /wants (.*), \\d+ high/.exec(text)?.[1]);
    let stack = card ? wants.findIndex((want) => (want === card) !== wrong) : -1;
    const empty = hand.some((text) => text.startsWith("Your set is empty"));
    if (empty && hand.some((text) => text.startsWith("Your pile is empty"))) return { move: "" }; // placed them all
    const move = stack >= 0 ? `p${stack + 1}` : empty ? "t" : "f";
    if (keys) {
        // Nothing can have come between what was seen and what is done, nor before the page shows it.
        const look = () => [...document.querySelectorAll(".nimble button")].map(label).join("|");
        const before = look();
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: keys[move], bubbles: true, cancelable: true }));
        await new Promise(queueMicrotask);
        return { move, shown: look() !== before };
    }
    const place = move[0] === "p" ? `[data-stack="${move[1]}"]` : "[data-set]";
    const target = (move[0] === "p" ? document : seat).querySelector(place);
    const { x, y, width, height } = target.getBoundingClientRect();
    return { move, x: x + width / 2, y: y + height * 0.75 };
}"""


@pytest.fixture
def tables(server: ServerProcess) -> PreparedTables:
    return PreparedTables(server.data)


@pytest.fixture(scope="module")
def slow_bots(client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server whose bots are slow enough for users to get a move in."""
    with ServerProcess(tmp_path_factory.mktemp("race"), bot_min_move_ms=120) as running:
        yield running


def begun() -> int:
    """A race that began ten seconds ago: nobody waits for its countdown, and it is not given up yet."""
    return int(time.time() * 1000) - 10_000


class Racer:
    """A player in front of a page, who acts by `mouse`, `touch` or `keys`.

    Cards come while a hand is on its way. With `script` the page itself presses the key the moment it decides.
    """

    def __init__(self, user: User, by: str, section: int = 0, sections: int = 1) -> None:
        self.user = user
        self.page = user.page
        self.by = by
        self.section = section
        self.keys = KEYS[sections][section]
        self.shown_at_once: list[bool] = []

    def act(self, *, wrong: bool = False) -> str:
        """Make a move, if there is one to make: a placement that fits, or does not where it shall be `wrong`."""
        keys = self.keys if self.by == "script" else None
        decided: dict[str, Any] = self.page.evaluate(DECIDE, [self.section, wrong, keys])
        move: str = decided["move"]
        if move in ("", "over"):
            return move
        if self.by == "keys":
            self.page.keyboard.press(self.keys[move])
        elif self.by == "script":
            self.shown_at_once.append(decided["shown"])
        elif self.by == "touch":
            self.page.touchscreen.tap(decided["x"], decided["y"])
        else:
            self.page.mouse.click(decided["x"], decided["y"])
        return move


def finish(*racers: Racer) -> list[dict[str, Any]]:
    """Race to the end; each page shows the end that the server sent. Return the last view of each racer."""
    seen, deadline = -1, 0.0
    while not all([racer.act() == "over" for racer in racers]):
        if seen != (seen := sum(len(racer.user.updates) for racer in racers)):
            deadline = time.monotonic() + PATIENCE
        assert time.monotonic() < deadline, f"nobody moves any more: {[racer.user.updates[-1:] for racer in racers]}"
    return [check_end(racer.user) for racer in racers]


def check_end(user: User) -> dict[str, Any]:
    last = user.updates[-1]
    assert last["result"] is not None, "the page showed an end that the server had not sent"
    view: dict[str, Any] = last["views"][0]["view"]
    user.wait_until(lambda: stack_labels(user.page) == expected_labels(view))
    left = [int(text) for text in user.page.locator(".lanes li b").all_inner_texts()]
    assert sorted(left) == sorted(player["left"] for player in view["players"])
    return view


def stack_labels(page: Page) -> list[str]:
    labels: list[str] = page.locator(".shelf button").evaluate_all("(all) => all.map((node) => node.ariaLabel)")
    return [label.replace(" book", "") for label in labels]


def expected_labels(view: dict[str, Any]) -> list[str]:
    return [
        f"Stack {number}, wants {BOOKS[stack['top']['circle']]}, {stack['height']} high"
        for number, stack in enumerate(view["stacks"], 1)
    ]


def check_axe(page: Page, where: str) -> None:
    """Axe finds nothing on the board; the rest of the page has a test of its own."""
    page.evaluate(AXE.read_text("utf-8"))
    violations: list[Any] = page.evaluate(
        "async (rules) => (await axe.run('.nimble', { runOnly: rules })).violations.map(({ id, nodes }) =>"
        " [id, nodes.map(({ html }) => html.slice(0, 200))])",
        AXE_RULES,
    )
    assert (where, violations) == (where, [])


def box(locator: Locator) -> FloatRect:
    found = locator.bounding_box()
    assert found is not None
    return found


@pytest.mark.long
def test_two_users_race_from_the_home_page_to_the_end_by_mouse_and_touch(new_user: NewUser) -> None:
    ada, kofi = new_user(plain=False), new_user(plain=False, phone=True)
    ada.open()
    ada.card("Nimble").get_by_role("button", name="Invite").click()
    expect(ada.page.get_by_role("heading", name="Invite a friend")).to_be_visible()
    kofi.open("/t/" + ada.page.url.rsplit("/", 1)[1])
    kofi.page.get_by_label("Your name").fill("Kofi")
    kofi.page.get_by_role("button", name="Join").tap()
    kofi.page.get_by_role("button", name="Ready", exact=True).tap()
    expect(kofi.page.get_by_text("Waiting for")).to_be_visible()
    ada.page.get_by_role("button", name="Ready", exact=True).click()
    expect(ada.page.locator(".shelf")).to_be_visible()
    if ada.page.locator(".countdown").count():
        # Before the start the stacks are face down.
        labels = ada.page.evaluate(
            "() => document.querySelector('.countdown')"
            " && [...document.querySelectorAll('.shelf button')].map((one) => one.ariaLabel)"
        )
        assert [label for label in labels or [] if "wants" in label] == []
    first, second = finish(Racer(ada, "mouse"), Racer(kofi, "touch"))
    assert first["stacks"] == second["stacks"]
    assert first["result"]["reason"] in ("out", "stalemate")
    expect(ada.page.get_by_role("img", name="Cards left over time")).to_be_visible()
    expect(ada.page.locator(".players li")).to_have_count(2)


@pytest.mark.long
def test_two_players_on_one_keyboard_race_from_the_home_page_to_the_end(new_user: NewUser) -> None:
    both = new_user(plain=False)
    both.open()
    both.card("Nimble").get_by_role("button", name="Same device").click()
    for seat, name in enumerate(["Ada", "Kofi"], 1):
        both.page.get_by_label(f"Name of player {seat}").fill(name)
    both.page.get_by_role("button", name="Start game").click()
    both.page.get_by_role("button", name="Ready", exact=True).click()
    expect(both.page.locator("section.seat")).to_have_count(2)
    view, _ = finish(*[Racer(both, "keys", section, 2) for section in range(2)])
    assert {card["owner"] for stack in view["result"]["stacks"] for card in stack} == {0, 1}
    expect(both.page.get_by_text("A race: two players had a card for the same stack")).to_be_visible()


@pytest.mark.long
def test_two_users_and_two_bots_see_the_same_end(browser: Browser, slow_bots: ServerProcess) -> None:
    users = [User(browser, slow_bots.url, plain=False), User(browser, slow_bots.url, plain=False)]
    prepare(PreparedTables(slow_bots.data), race(3, 4), users, bots=["flat", "flat"])
    views = finish(*[Racer(user, "keys") for user in users])
    assert views[0]["stacks"] == views[1]["stacks"]
    expect(users[0].page.locator(".players li")).to_have_count(4)
    for user in users:
        assert user.errors == []
        user.context.close()


def test_race_against_a_bot_waits_until_its_player_is_ready(new_user: NewUser) -> None:
    ada = new_user(plain=False, phone=True)
    ada.open(ada.create_table("nimble", {"kind": "me"}, {"kind": "bot", "level": "random"}))
    ready = ada.page.get_by_role("button", name="Ready", exact=True)
    expect(ada.page.get_by_text("Flip your cards and place each one")).to_be_visible()
    assert box(ready)["y"] + box(ready)["height"] <= 780
    assert ada.table["status"] == "waiting"
    assert ada.updates == []
    ready.tap()
    expect(ada.page.locator(".countdown")).to_be_visible()


def prepare(tables: PreparedTables, start: Start, users: list[User], **more: Any) -> None:
    tables.seat(GAME, start, *users, began=begun(), **more)
    for user in users:
        expect(user.page.locator(".shelf")).to_be_visible()
        expect(user.page.locator(".countdown")).to_have_count(0)


def test_audited_race_shows_each_mistake_at_the_end(new_user: NewUser, tables: PreparedTables) -> None:
    ada, kofi = new_user(plain=False, bypass_csp=True), new_user(plain=False, dark=True)
    prepare(tables, race(8), [ada, kofi], options={"checking": "audit"})
    racers = [Racer(ada, "script"), Racer(kofi, "script")]
    ada.wait_until(lambda: racers[0].act(wrong=True).startswith("p"))
    views = finish(*racers)
    result = views[0]["result"]
    assert result["disqualified"] == [0]
    assert [mistake["owner"] for mistake in result["mistakes"]] == [0]
    expect(ada.page.locator(".fan .mistake")).to_have_count(1)
    expect(ada.page.locator(".audit li")).to_have_count(1)
    for number, cards in enumerate(result["stacks"]):
        expect(ada.page.locator(".fan").nth(number).locator(".card")).to_have_count(len(cards))
    check_axe(ada.page, "after an audited race")


@pytest.mark.parametrize(("width", "height"), [(390, 664), (1366, 650)])
def test_result_does_not_cover_the_graph_of_a_race(
    new_user: NewUser, tables: PreparedTables, width: int, height: int
) -> None:
    ada, kofi = new_user(plain=False, still=True), new_user()
    ada.page.set_viewport_size({"width": width, "height": height})
    start, mover, text = before_the_end("nimble")
    tables.seat(GAME, start, *([ada, kofi] if mover == 1 else [kofi, ada]), began=begun())
    kofi.page.get_by_role("button", name=text, exact=True).first.click()
    graph = box(ada.page.get_by_role("img", name="Cards left over time"))
    result = box(ada.page.get_by_role("region", name="won"))
    assert graph["y"] >= 0
    assert graph["y"] + graph["height"] <= result["y"]


# The seeds make one of the first pieces late. The share of moves that are shown at once varies from run to run.
@pytest.mark.parametrize(
    ("milliseconds", "seed", "left"),
    [(80, 1, 12), *[pytest.param(delay, 1, 99, marks=pytest.mark.long) for delay in (20, 80, 200)]],
)
def test_slow_connection_shows_moves_at_once_and_never_a_false_end(
    browser: Browser, server: ServerProcess, milliseconds: int, seed: int, left: int
) -> None:
    with Delay(server.port, milliseconds, seed=seed) as proxy:
        users = [User(browser, proxy.url, plain=False) for _ in range(2)]
        prepare(PreparedTables(server.data), race(left), users, options={"checking": "audit"})
        racers = [Racer(user, "script") for user in users]
        views = finish(*racers)
        assert views[0]["stacks"] == views[1]["stacks"]
        # Nobody placed a card that does not fit: a race that was lost on the way places none either.
        assert views[0]["result"]["mistakes"] == []
        for racer in racers:
            assert len(racer.shown_at_once) > 10
            assert sum(racer.shown_at_once) >= 0.9 * len(racer.shown_at_once)
            assert racer.user.errors == []
            racer.user.context.close()
        assert proxy.late > 0


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_move_without_an_answer_is_shown_as_being_sent(new_user: NewUser, tables: PreparedTables, phone: bool) -> None:
    ada, kofi = new_user(plain=False, phone=phone), new_user(plain=False)
    held: list[tuple[WebSocketRoute, str | bytes]] = []

    def hold_moves(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if json.loads(message)["type"] == "move":
                held.append((server, message))
            else:
                server.send(message)

        route.on_message(pass_on)

    ada.page.route_web_socket("**/live", hold_moves)
    prepare(tables, race(), [ada, kofi])
    sending = ada.page.locator(".board").get_by_text("Sending…")
    ada.page.locator(".flip").dispatch_event("pointerdown", {"button": 0})
    expect(sending).to_be_in_viewport()
    server, message = held[0]
    server.send(message)
    expect(sending).to_have_count(0)


def test_two_ends_of_a_tablet_press_hold_and_drag_their_own_cards(new_user: NewUser, tables: PreparedTables) -> None:
    both = new_user(plain=False)
    page = both.page
    page.set_viewport_size({"width": 768, "height": 1024})
    moves: list[tuple[int, str]] = []

    def collect(message: str | bytes) -> None:
        frame = json.loads(message)
        if frame["type"] == "move":
            moves.append((frame["seat"], frame["text"].split("/")[0]))

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", collect)

    page.on("websocket", listen)
    tables.seat(GAME, race(), both, both, began=begun())
    seats = page.locator("section.seat")
    expect(seats).to_have_count(2)
    expect(page.locator(".countdown")).to_have_count(0)
    near, far = box(seats.nth(0)), box(seats.nth(1))
    assert far["y"] + far["height"] <= near["y"]
    expected: list[tuple[int, str]] = []

    def sends(seat: int, text: str) -> None:
        """Wait until exactly this move was sent, and the page is ready for the next gesture."""
        expected.append((seat, text))
        both.wait_until(lambda: len(moves) >= len(expected))
        assert moves == expected
        page.wait_for_function(
            """() => ![...document.querySelectorAll(".hand button")].some((one) => /coming up/.test(one.ariaLabel))
                && document.getAnimations().every((animation) => animation.playState !== "running")"""
        )

    def flip(seat: int) -> None:
        seats.nth(seat).locator(".flip").dispatch_event("pointerdown", {"button": 0})
        sends(seat, "f")

    # Each player presses the part of a stack that is nearest to them.
    stack = box(page.locator('[data-stack="2"]'))
    for share, seat in ((0.8, 0), (0.2, 1)):
        flip(seat)
        page.mouse.move(stack["x"] + stack["width"] / 2, stack["y"] + stack["height"] * share)
        page.mouse.down()
        page.mouse.up()
        sends(seat, "p2")
    # A card that is dragged from the pile to the set is taken back, and so is one that is held for a while.
    for seat in range(2):
        for dragged in (True, False):
            flip(seat)
            pile, own = box(seats.nth(seat).locator(".hand button").first), box(seats.nth(seat).locator("[data-set]"))
            page.mouse.move(pile["x"] + 40, pile["y"] + 60)
            page.mouse.down()
            if dragged:
                page.mouse.move(own["x"] + 40, own["y"] + 60, steps=5)
                page.mouse.up()
                sends(seat, "b")
            else:
                sends(seat, "b")
                page.mouse.up()
    assert moves == expected


def test_phone_shows_the_whole_race_and_is_played_by_touch(new_user: NewUser, tables: PreparedTables) -> None:
    ada, kofi = new_user(plain=False, phone=True, bypass_csp=True), new_user(plain=False)
    prepare(tables, race(), [ada, kofi])
    page = ada.page
    check_phone(page, "race")
    for name in (".shelf button", ".hand button", ".actions button"):
        for rect in page.locator(name).evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().toJSON())"):
            assert rect["width"] >= 44
            assert rect["height"] >= 43.5
            assert rect["x"] >= 0
            assert rect["right"] <= 360
            assert rect["bottom"] <= 780, name
    page.get_by_role("button", name="Flip", exact=True).tap()
    pile = page.get_by_role("button", name="Your pile, 1 card")
    expect(pile).to_be_visible()
    page.get_by_role("button", name="Take back", exact=True).tap()
    expect(page.get_by_role("button", name="Your pile is empty")).to_be_visible()
    page.locator("[data-set]").tap()
    expect(pile).to_be_visible()

    def answers() -> int:
        return sum(frame["type"] in ("accepted", "refused") for frame in ada.frames)

    ada.wait_until(lambda: answers() == 3)
    page.locator('[data-stack="1"]').tap()
    ada.wait_until(lambda: answers() == 4)
    hand = page.locator(".hand")
    if ada.updates[-1]["views"][0]["view"]["players"][0]["pile"] == 0:
        expect(hand.get_by_role("button", name="Your pile is empty")).to_be_visible()
    else:
        expect(hand.get_by_role("button", name="Your pile, 1 card")).to_be_visible()
    check_axe(page, "in the middle of a race")
    page.get_by_role("button", name="Overview").tap()
    overview = page.get_by_role("dialog", name="Overview")
    for text in ("Other players", "Six books", "Don Quixote", "Controls"):
        expect(overview.get_by_text(text, exact=True).first).to_be_in_viewport()


def test_reduced_motion_replaces_animations_by_a_ring(new_user: NewUser, tables: PreparedTables) -> None:
    ada, kofi = new_user(plain=False, still=True), new_user(plain=False)
    # The ring is gone after a second: the page records what it sees meanwhile.
    ada.page.add_init_script(
        """window.seen = { rings: 0, animations: 0 };
        new MutationObserver(() => {
            seen.rings += document.querySelectorAll(".cards.changed").length;
            seen.animations += document.getAnimations().length;
        }).observe(document, { subtree: true, childList: true, attributes: true });"""
    )
    prepare(tables, race(), [ada, kofi])
    ada.page.evaluate("seen.animations = seen.rings = 0")
    ada.page.keyboard.press("Space")
    ada.page.wait_for_function("() => seen.rings > 0")
    assert ada.page.evaluate("seen.animations") == 0


@pytest.mark.long
def test_reload_in_the_middle_of_a_race_goes_on_without_a_countdown(new_user: NewUser, tables: PreparedTables) -> None:
    ada, kofi = new_user(plain=False), new_user(plain=False)
    prepare(tables, race(8), [ada, kofi])
    racers = [Racer(ada, "keys"), Racer(kofi, "keys")]
    ply = ada.updates[-1]["ply"]
    ada.wait_until(lambda: all([racer.act() for racer in racers]) and ada.updates[-1]["ply"] >= ply + 6)
    assert ada.updates[-1]["result"] is None
    ada.page.reload()
    expect(ada.page.locator(".shelf")).to_be_visible()
    assert ada.page.locator(".countdown").count() == 0
    finish(*racers)
    expect(ada.page.get_by_text("Races are counted from when you joined.")).to_be_visible()
