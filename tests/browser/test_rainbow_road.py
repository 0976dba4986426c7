"""Rainbow Road's board in a real browser: whole games, every prank, every way to hold it, and no secret told."""

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect

from sevenhues.core import record
from sevenhues.core.game import WATCHER
from sevenhues.games.rainbow_road import game
from sevenhues.server.identity import COOKIE, new_identity
from tests.browser.prepared_tables import Reached, Seat, Tables, search
from tests.browser.test_accessibility import check_axe, check_phone
from tests.browser.test_hidden_information import check_frames, finished
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]
ADA, JONAS = new_identity(), new_identity()
BOT = Seat("Bot", level="greedy")
PRANKS = ["exchange", "jump", "skip", "trash", "teleport", "recycle"]


def hops(chance: Random, legal: list[str]) -> str:
    """Walk more often than not, and keep all pranks."""
    walks = [text for text in legal if text in ("+", "-")]
    if walks and chance.random() < 0.8:
        return chance.choice(walks)
    return chance.choice([text for text in legal if text in ("stop", "+", "-") or text[0] == "P"])


def moves_rain(view: Any, seat: int = 0) -> bool:
    return bool(view["turn"] == seat and view["phase"] == "rain")


def laid_tables() -> dict[str, Reached]:
    """Find a position for every prank, the last round, and a walk that only its mover knows to be over."""

    def usable(prank: str) -> Callable[[Any], bool]:
        def wanted(view: Any) -> bool:
            held = moves_rain(view) and prank in view["pranks"][0]["held"]
            if held and prank in ("jump", "skip"):
                return any(hop["move"].startswith(prank) for hop in view["walk"]["prank_hops"])
            if held and prank == "recycle":
                marked = [spot for spot in view["ring"] if spot["marker"] is not None and spot["fairy"] != "sunny"]
                return bool(view["discards"] and marked)
            return bool(held and not view["walk"]["points"] and view["walk"]["way"] is None)

        return wanted

    def secretly_over(view: Any) -> bool:
        walk = view["walk"]
        late = {"exchange", "trash", "teleport", "recycle"} >= set(view["pranks"][0]["held"] or ["jump"])
        return moves_rain(view) and late and walk["points"] > 0 and not walk["reach"] and not walk["forced"]

    tables = {prank: search(game, usable(prank), hops) for prank in PRANKS}
    tables["over"] = search(game, secretly_over, hops)
    tables["walk"] = search(game, lambda view: moves_rain(view) and len(view["walk"]["reach"]) > 2, hops)
    tables["look"] = tables["recycle"]
    tables["last"] = search(game, lambda view: view["turn"] == 0 and view["round"] == 8, hops)
    return tables


@pytest.fixture(scope="module")
def server(server: ServerProcess) -> ServerProcess:
    """Serve a house where some tables are laid already."""
    server.stop()
    tables = Tables(server.data)
    for name, reached in laid_tables().items():
        tables.lay(f"road-{name}", game, reached, [Seat("Ada", ADA), Seat("Jonas", JONAS)])
    last = search(game, lambda view: view["turn"] == 0 and view["round"] == 8, hops)
    tables.lay("road-shared", game, last, [Seat("Ada", ADA), Seat("Jonas", ADA)])
    tables.lay("road-keys", game, last, [Seat("Ada", ADA), BOT])
    tables.lay("road-still", game, last, [Seat("Ada", ADA), BOT])
    tables.store()
    server.start()
    return server


OFFERS = """() => {
    if (document.querySelector("#result-title")) return "nothing"
    if (document.querySelector(".hand button[aria-disabled=false]")) return "card"
    const said = [...document.querySelectorAll(".actions button:not(:disabled)")].map((one) => one.innerText)
    if (said.length === 0 || said.some((text) => text.startsWith("Stay"))) return "nothing"
    return said.length > 1 ? "walk" : "stop"
}"""  # what the board lets one do now


class Player(NamedTuple):
    """Somebody at Rainbow Road's board."""

    user: User

    @property
    def page(self) -> Page:
        return self.user.page

    @property
    def eye(self) -> dict[str, Any]:
        eye: dict[str, Any] = self.user.updates[-1]["eyes"][0]
        return eye

    @property
    def view(self) -> dict[str, Any]:
        view: dict[str, Any] = self.eye["view"]
        return view

    @property
    def stop(self) -> Locator:
        return self.page.get_by_role("button", name="Stop").last

    def spot(self, name: str) -> Locator:
        return self.page.locator(f"[data-spot={name}]")

    def number(self, number: int) -> Locator:
        """Return the card of the hand with this number."""
        return self.page.locator(f".hand button:has([data-at='hand:{number}'])")

    def prank(self, name: str) -> Locator:
        return self.page.locator(f"[data-prank={name}]")

    def sit(self, server: ServerProcess, table: str, identity: str = ADA) -> None:
        cookie = Tables(server.data).cookie(identity)
        self.user.context.add_cookies([{"name": COOKIE, "value": cookie, "url": server.url}])
        self.user.open(f"/t/{table}")
        expect(self.page.get_by_role("list", name="The road")).to_be_visible()

    def act(self) -> bool:
        """Do by tap what the board offers, if it offers anything: a card to a spot, a walk, a stop."""
        offers: str = self.page.evaluate(OFFERS)
        if offers == "card":
            self.page.locator(".hand button[aria-disabled=false]").last.click()
            self.page.locator("[data-spot].lit").last.click()
        elif offers == "walk":
            self.page.get_by_role("group", name="Actions").get_by_role("button").first.click()
        elif offers == "stop":  # at once, before a forced stop takes the button away
            self.page.evaluate("document.querySelector('.actions button:not(:disabled)')?.click()")
        return offers != "nothing"

    def until(self, come: Callable[[], bool], seconds: int = 20) -> None:
        for _ in range(seconds * 20):
            if come():
                return
            self.page.wait_for_timeout(50)
        raise AssertionError("it did not come")

    def until_ply(self, ply: int) -> None:
        self.until(lambda: self.user.updates[-1]["ply"] >= ply)


@pytest.fixture
def player(new_user: NewUser) -> Callable[..., Player]:
    return lambda **settings: Player(new_user(plain=False, **settings))


Players = Callable[..., Player]


def play_on(*players: Player, seconds: int = 60) -> None:
    """Let everybody act when they can, until the result is shown to all."""
    for _ in range(seconds * 20):
        for one in players:
            one.act()
        if all(one.page.locator("#result-title").count() for one in players):
            return
        players[0].page.wait_for_timeout(50)
    raise AssertionError("the game does not end")


def test_two_people_play_a_whole_game_and_a_watcher_sees_no_secret(player: Players) -> None:
    ada, jonas, watcher = player(), player(), player()
    ada.user.open()
    ada.user.card("Rainbow Road").get_by_role("button", name="Invite").click()
    expect(ada.page.get_by_role("heading", name="The table is laid")).to_be_visible()
    link = "/t/" + ada.page.url.rsplit("/", 1)[1]
    jonas.user.open(link)
    jonas.page.get_by_label("Your name").fill("Jonas")
    jonas.page.get_by_role("button", name="Sit down").click()
    watcher.user.open(link)
    for one in (ada, jonas, watcher):
        expect(one.page.get_by_role("list", name="The road")).to_be_visible()
    # The own half lies below, whoever looks.
    for one, near in ((ada, "a1"), (jonas, "b1"), (watcher, "a1")):
        assert one.page.locator("[data-spot]").first.get_attribute("data-spot") == near
    hidden = watcher.page.locator("main").inner_html()
    assert "data-prank" not in hidden
    assert "hand:" not in hidden
    expect(watcher.page.get_by_role("img", name="8 cards, 2 pranks").first).to_be_visible()

    play_on(ada, jonas)
    expect(ada.page.locator("#result-title")).to_contain_text("won")
    whole = finished(ada.user)
    played = [position.copy() for position in record.replay(whole)]
    check_frames(ada.user, game, played, {0})
    check_frames(jonas.user, game, played, {1})
    check_frames(watcher.user, game, played, {WATCHER})


def test_a_whole_game_against_a_bot_on_a_phone(player: Players) -> None:
    ada = player(phone=True)
    ada.user.play_bot("Rainbow Road")
    expect(ada.page.get_by_role("list", name="The road")).to_be_visible()
    check_phone(ada.page, "road")
    play_on(ada)
    expect(ada.page.get_by_text("After eight rounds").or_(ada.page.get_by_text("points are equal"))).to_be_visible()


def test_a_shared_device_shows_each_player_their_own(player: Players, server: ServerProcess) -> None:
    ada = player()
    cookie = Tables(server.data).cookie(ADA)
    ada.user.context.add_cookies([{"name": COOKIE, "value": cookie, "url": server.url}])
    ada.user.open("/t/road-shared")
    seen: set[int] = set()
    curtain = ada.page.get_by_role("heading", name="Hand over to")
    road = ada.page.get_by_role("list", name="The road")
    over = curtain.or_(ada.page.locator("#result-title"))
    for _ in range(12):
        expect(curtain.or_(road).first).to_be_visible()
        if ada.page.locator("#result-title").count():
            break
        if curtain.count():
            assert ada.page.locator("[data-spot], [data-prank], [data-at]").count() == 0
            ada.page.keyboard.press("Enter")
            ada.page.keyboard.press("Enter")
            expect(road).to_be_visible()
        seat = ada.eye["seat"]
        seen.add(seat)
        held = ada.view["pranks"][seat]["held"]
        assert [one.get_attribute("data-prank") for one in ada.page.locator("[data-prank]").all()] == held
        assert ada.page.locator("[data-spot]").first.get_attribute("data-spot") == ("b1" if seat else "a1")
        ada.until(lambda: not ada.act() and over.count() > 0)
    assert seen == {0, 1}
    expect(ada.page.locator("#result-title")).to_be_visible()


def play_prank(ada: Player, prank: str) -> None:
    """Play a prank by tap, the simple ones by pulling it onto its target."""
    pull = prank in ("trash", "jump")
    if not pull:
        ada.prank(prank).click()
    if prank == "recycle":
        ada.page.get_by_role("button", name="bring it back").first.click()
    if pull:
        box = ada.prank(prank).bounding_box()
        assert box is not None
        ada.page.mouse.move(box["x"] + 40, box["y"] + 20)
        ada.page.mouse.down()
        ada.page.mouse.move(box["x"] + 60, box["y"] - 40, steps=3)
        target = ada.page.locator("[data-spot].lit").first.bounding_box()
        assert target is not None
        ada.page.mouse.move(target["x"] + 30, target["y"] + 40, steps=4)
        ada.page.mouse.up()
        return
    ada.page.locator("[data-spot].lit").first.click()
    if prank == "exchange":
        expect(ada.page.locator("[data-spot][aria-pressed=true]")).to_have_count(1)
        ada.page.locator("[data-spot].lit").last.click()


@pytest.mark.parametrize("prank", PRANKS)
def test_every_prank_can_be_played(player: Players, server: ServerProcess, prank: str) -> None:
    ada, jonas = player(), player()
    ada.sit(server, f"road-{prank}")
    jonas.sit(server, f"road-{prank}", JONAS)
    ply = ada.user.updates[-1]["ply"]
    assert f"data-prank={prank}" not in jonas.page.content()
    expect(ada.prank(prank)).to_have_attribute("aria-disabled", "false")
    # Only what is legal is lit.
    ada.prank(prank).click()
    lit = {spot.get_attribute("data-spot") for spot in ada.page.locator("[data-spot].lit").all()}
    legal = [text for text in ada.eye["legal"] if text.startswith(prank)]
    if ":" in legal[0]:
        assert lit == {spot for text in legal for spot in text.split(":")[1].split(">")[-1].split(",")}
    else:
        assert lit == {hop["spot"] for hop in ada.view["walk"]["prank_hops"] if hop["move"] in legal}
    ada.page.keyboard.press("Escape")
    expect(ada.page.get_by_role("button", name="Take it back")).to_have_count(0)

    play_prank(ada, prank)
    for one in (ada, jonas):
        one.until_ply(ply + 1)
    assert ada.view["last"]["move"] in legal
    expect(jonas.page.get_by_text(f"Ada plays {prank.capitalize()}", exact=False)).to_be_visible()
    expect(ada.page.locator(".used")).to_contain_text(prank.capitalize())
    if prank == "exchange":
        ada.page.reload()
        expect(ada.stop).to_be_visible()


def test_one_tap_walks_hop_by_hop_and_a_fairy_can_be_pulled(player: Players, server: ServerProcess) -> None:
    ada = player()
    ada.sit(server, "road-walk")
    ply = ada.user.updates[-1]["ply"]
    first = ada.view["walk"]["reach"][0]
    box, to = ada.page.locator(f"[data-fairy={ada.view['walk']['fairy']}]").bounding_box(), ada.spot(first["spot"])
    assert box is not None
    ada.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    ada.page.mouse.down()
    target = to.bounding_box()
    assert target is not None
    ada.page.mouse.move(target["x"] + 40, target["y"] + 70, steps=5)
    expect(ada.page.locator("[data-spot].aimed")).to_have_attribute("data-spot", first["spot"])
    ada.page.mouse.up()
    ada.until_ply(ply + len(first["hops"]))
    expect(ada.page.get_by_role("button", name="Stay here")).to_have_count(0)
    rest = ada.view["walk"]["reach"]
    if rest:
        last = rest[-1]
        ada.spot(last["spot"]).click()
        ada.until_ply(ply + len(first["hops"]) + len(last["hops"]))
        assert ada.view["last"]["spots"][-1] == last["spot"]
    assert ada.view["walk"] is None or ada.view["walk"]["points"] >= first["points"]


def test_rr28_nothing_is_sent_where_only_the_mover_knows_that_the_walk_is_over(
    player: Players, server: ServerProcess
) -> None:
    ada, jonas = player(), player()
    ada.sit(server, "road-over")
    jonas.sit(server, "road-over", JONAS)
    ply = ada.user.updates[-1]["ply"]
    assert ada.eye["legal"] == ["stop"]
    expect(jonas.page.get_by_role("heading", name="Ada moves the Rain Fairy.")).to_be_visible()
    ada.page.wait_for_timeout(2500)
    assert ada.user.updates[-1]["ply"] == jonas.user.updates[-1]["ply"] == ply
    ada.stop.click()
    jonas.until_ply(ply + 1)
    assert jonas.view["last"]["move"] == "stop"


def test_the_keyboard_is_enough(player: Players, server: ServerProcess) -> None:
    ada = player()
    ada.sit(server, "road-keys")
    keys = ada.page.keyboard

    def press() -> bool:
        offers = ada.page.evaluate(OFFERS)
        if offers == "card":
            keys.press(ada.eye["legal"][0][1])
            keys.press("ArrowRight")
            expect(ada.page.locator("[data-spot].lit:focus")).to_have_count(1)
            keys.press("Enter")
        elif offers == "walk" and ada.page.locator("[data-spot].lit").count():
            ada.page.evaluate("document.activeElement.blur()")
            keys.press("ArrowRight")
            expect(ada.page.locator("[data-spot].lit:focus")).to_have_count(1)
            keys.press("Enter")
        elif offers == "stop":
            keys.press("x")
        return ada.page.locator("#result-title").count() > 0

    ada.until(press)
    assert ada.user.updates[-1]["result"]["reason"] == "rounds"


def test_with_reduced_motion_nothing_moves_and_the_place_keeps_a_ring(player: Players, server: ServerProcess) -> None:
    ada = player(still=True)
    ada.sit(server, "road-still")
    text = ada.eye["legal"][0]
    ada.number(int(text[1])).click()
    ada.spot(text[2:]).click()
    expect(ada.page.locator("[data-spot].fresh").first).to_be_visible()
    assert ada.page.evaluate("document.getAnimations().filter((one) => one.playState === 'running').length") == 0
    assert ada.page.locator(".float").count() == 0


def test_a_card_pulled_to_a_wrong_spot_comes_back_with_the_rule(player: Players, server: ServerProcess) -> None:
    ada = player()
    ada.sit(server, "road-last")
    legal = {text[2:] for text in ada.eye["legal"]}
    wrong = next(spot["spot"] for spot in ada.view["ring"] if spot["spot"] not in legal)
    card = ada.number(int(ada.eye["legal"][0][1])).bounding_box()
    target = ada.spot(wrong).bounding_box()
    assert card is not None
    assert target is not None
    ada.page.mouse.move(card["x"] + 20, card["y"] + 30)
    ada.page.mouse.down()
    ada.page.mouse.move(target["x"] + 30, target["y"] + 40, steps=5)
    ada.page.mouse.up()
    expect(ada.page.get_by_role("button", name="RR-").first).to_be_visible()
    expect(ada.page.locator(".held")).to_have_count(0)


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_axe_finds_nothing(player: Players, server: ServerProcess, phone: bool) -> None:
    ada = player(phone=phone, dark=phone, bypass_csp=True)
    ada.sit(server, "road-last")
    check_axe(ada.page, "a card")
    ada.number(int(ada.eye["legal"][0][1])).click()
    check_axe(ada.page, "a spot")
    ada.sit(server, "road-look")
    check_axe(ada.page, "a walk")
    ada.page.get_by_role("button", name="Look through them").click()
    check_axe(ada.page, "the discards")
    ada.prank("recycle").click()
    check_axe(ada.page, "a prank")
    if phone:
        check_phone(ada.page, "a prank")
