"""Notifications of a running server: one message a turn, none to who looks at the table, and what people choose."""

import json
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sevenhues import names
from sevenhues.client import Client
from sevenhues.core import registry
from sevenhues.core.moves import legal_texts
from sevenhues.server.accounts import vacations
from sevenhues.server.jobs import notification_sender
from sevenhues.server.jobs.notification_sender import NotificationSender
from sevenhues.server.live.live_table import LiveTable
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.metrics import Metrics
from sevenhues.server.notifications import queries
from sevenhues.server.notifications.notices import DAY_MS, DELAY_MS
from sevenhues.server.notifications.web_push import PushSender, channel_id, load_key
from sevenhues.server.table import commands
from sevenhues.server.table.commands import SeatSpec, TableSpec
from sevenhues.server.table.events import ClockSettings
from sevenhues.server.table.state import Decision, Table
from tests.server.conftest import OPTIONS
from tests.server.live_tables import RAINBOW, FakeClock, open_live_tables
from tests.server.notified_players import (
    DAYS_TO_A_MOVE,
    LOOPBACK,
    choose,
    join_and_start,
    of_kind,
    play_turn,
    players,
    subscribe,
    take_turn,
    wait_for_push,
    wait_for_settings,
    wait_until_sent,
)
from tests.server.play import start_game, wait_until
from tests.server.process import ServerProcess
from tests.server.push_service import Browser, PushService, serving_pushes

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
MAX_SECONDS = 2.0  # from a move to its message, unless the machine is too busy for one of several
TURNS = 4
HOUR_MS = 3_600_000


@pytest.fixture(scope="module")
def service() -> Iterator[PushService]:
    with serving_pushes() as running:
        yield running


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.long)])
def notifying_server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that notifies, over SQLite in `make test` and over PostgreSQL too in `make test-long`."""
    options: tuple[str, ...] = ()
    if request.param == "postgres":
        options = request.getfixturevalue("new_shared_store")()
    with ServerProcess(tmp_path_factory.mktemp("notifying"), *OPTIONS, LOOPBACK, *options) as running:
        yield running.url
        assert '"level": "error"' not in running.logged()


async def test_one_message_a_turn_arrives_within_two_seconds(notifying_server: str, service: PushService) -> None:
    async with players(notifying_server, "Ada", "Ben") as (ada, ben):
        browsers = service.browser("turns-ada"), service.browser("turns-ben")
        for user, browser in zip((ada, ben), browsers, strict=True):
            await subscribe(user, browser)
        table = await join_and_start(ada, ben)
        await wait_for_push(service, browsers[0], "turn", table)
        seconds: list[float] = []
        for turn in range(TURNS):
            mover, other = (ada, ben) if turn % 2 == 0 else (ben, ada)
            browser = browsers[1 - turn % 2]
            before = len(of_kind(service.pushed(browser), "turn", table))
            await take_turn(mover, table)
            moved = time.monotonic()
            pushed = (await wait_for_push(service, browser, "turn", table, before + 1))[-1]
            seconds.append(pushed.at - moved)
            assert pushed.message == {
                "kind": "turn",
                "table": table,
                "game": "rainbow",
                "opponents": [mover.me.name],
                "link": f"/t/{table}",
                "title": "Your turn",
                "text": f"Rainbow with {mover.me.name}",
            }
            await wait_until_sent(service, other, mover, browser)
            assert len(of_kind(service.pushed(browser), "turn", table)) == before + 1
        assert min(seconds) < MAX_SECONDS


async def test_player_who_looks_at_the_table_is_not_notified(notifying_server: str, service: PushService) -> None:
    async with players(notifying_server, "Ada", "Ben") as (ada, ben):
        browser = service.browser("looking")
        await subscribe(ben, browser)
        table = await join_and_start(ada, ben)
        async with ben.live(table) as live:
            await live.set_visible(True)
            await take_turn(ada, table)
            await wait_until(lambda: bool(live.seat_view().legal))
            await live.set_visible(True)  # as the ping of an open page: it has seen the move
            await wait_until_sent(service, ben, ada, browser)
        assert of_kind(service.pushed(browser), "turn", table) == []
        await take_turn(ben, table)
        async with ben.live(table) as live:  # an open page that is not visible
            await live.set_visible(True)
            await live.set_visible(False)
            await take_turn(ada, table)
            await wait_for_push(service, browser, "turn", table)


async def test_visible_page_whose_connection_was_lost_has_not_seen_the_move(
    notifying_server: str, service: PushService
) -> None:
    async with players(notifying_server, "Ada", "Ben") as (ada, ben):
        browser = service.browser("lost")
        await subscribe(ben, browser)
        table = await join_and_start(ada, ben)
        async with ben.live(table) as live:
            await live.set_visible(True)
            await take_turn(ada, table)
            await wait_until_sent(service, ben, ada, browser)
            assert of_kind(service.pushed(browser), "turn", table) == [], "it may still have seen it"
        await wait_for_push(service, browser, "turn", table)


async def test_gone_subscription_is_never_used_again(notifying_server: str, service: PushService) -> None:
    async with players(notifying_server, "Ada", "Ben") as (ada, ben):
        gone, kept = service.browser("gone"), service.browser("kept")
        table = await join_and_start(ada, ben)
        for devices, browser in enumerate((gone, kept), 1):
            assert (await subscribe(ben, browser))["devices"] == devices
        service.answer_with(gone, 410)
        await take_turn(ada, table)
        await wait_for_push(service, kept, "turn", table)
        await wait_for_settings(ben, lambda settings: settings["devices"] == 1)
        service.answer_with(gone, 201)
        await take_turn(ben, table)
        await take_turn(ada, table)
        await wait_for_push(service, kept, "turn", table, 2)
        await wait_until_sent(service, ben, ada, kept)
        assert service.requests.count("/push/gone") == 1
        assert service.pushed(gone) == []


async def test_failing_push_service_is_tried_again(notifying_server: str, service: PushService) -> None:
    async with players(notifying_server, "Ada", "Ben") as (ada, ben):
        browser = service.browser("failing")
        await subscribe(ben, browser)
        service.answer_with(browser, 503)
        table = await join_and_start(ada, ben)
        await take_turn(ada, table)
        await wait_until(lambda: service.requests.count("/push/failing") >= 1)
        service.answer_with(browser, 201)
        assert len(await wait_for_push(service, browser, "turn", table)) == 1


async def test_new_opponent_and_rematch_send_messages(notifying_server: str, service: PushService) -> None:
    async with players(notifying_server, "Ada", "Ben") as (ada, ben):
        browser = service.browser("kinds")
        await subscribe(ada, browser)
        table = (await ada.create_table("rainbow", ["me", "open"], **DAYS_TO_A_MOVE)).id
        await ben.join(table)
        (joined,) = await wait_for_push(service, browser, "joined", table)
        assert joined.message["title"] == "Your opponent is here"
        async with ada.live(table) as first, ben.live(table) as second:
            await start_game(first, second)
            await first.resign(0)
            await second.rematch()
        (rematch,) = await wait_for_push(service, browser, "rematch", table)
        assert rematch.message["opponents"] == ["Ben"]


async def test_only_chosen_kinds_are_sent(notifying_server: str, service: PushService) -> None:
    async with players(notifying_server, "Ada", "Ben") as (ada, ben):
        browser = service.browser("chosen")
        await subscribe(ben, browser)
        answer = await choose(ben, kinds=["joined", "deadline"])
        assert answer.json()["kinds"] == ["joined", "deadline"]
        table = await join_and_start(ada, ben)
        await take_turn(ada, table)
        await wait_until_sent(service, ben, ada, browser)
        assert of_kind(service.pushed(browser), "turn", table) == []


async def test_nothing_is_sent_in_quiet_hours(notifying_server: str, service: PushService) -> None:
    async with players(notifying_server, "Ada", "Ben") as (ada, ben):
        quiet, awake = service.browser("quiet"), service.browser("awake")
        await subscribe(ben, quiet)
        await subscribe(ada, awake)
        now = datetime.now(UTC)
        start, end = ((now + timedelta(hours=hours)).hour * 60 for hours in (-1, 2))
        await choose(ben, kinds=["turn"], quiet={"start": start, "end": end, "time_zone": "UTC"})
        table = await join_and_start(ada, ben)
        await take_turn(ada, table)
        await wait_until_sent(service, ada, ben, awake)
        assert service.pushed(quiet) == []
        await choose(ben, kinds=["turn"], quiet=None)
        await take_turn(ben, table)
        await take_turn(ada, table)
        assert len(await wait_for_push(service, quiet, "turn", table)) == 1, "the last turn alone"


async def test_one_click_stops_everything(notifying_server: str, service: PushService) -> None:
    async with players(notifying_server, "Ada", "Ben") as (ada, ben):
        browsers = [service.browser(f"stop-{number}") for number in range(2)]
        awake = service.browser("stop-awake")
        for browser in browsers:
            await subscribe(ben, browser)
        await subscribe(ada, awake)
        table = await join_and_start(ada, ben)
        stopped = (await ben._http.delete("/api/me/notifications")).json()
        assert (stopped["devices"], stopped["email"]) == (0, None)
        await take_turn(ada, table)
        await wait_until_sent(service, ada, ben, awake)
        assert [of_kind(service.pushed(browser), "turn", table) for browser in browsers] == [[], []]


async def test_device_is_removed_by_its_user_alone(notifying_server: str, service: PushService) -> None:
    async with players(notifying_server, "Ada", "Ben") as (ada, ben):
        browser = service.browser("own")
        await subscribe(ben, browser)
        body = {"endpoint": browser.endpoint}
        await ada._http.post("/api/me/notifications/push/remove", json=body)
        assert (await ben._http.get("/api/me/notifications")).json()["devices"] == 1
        assert (await ben._http.post("/api/me/notifications/push/remove", json=body)).json()["devices"] == 0
        # The same browser, signed in as another person, is theirs from then on.
        await subscribe(ben, browser)
        await subscribe(ada, browser)
        assert (await ben._http.get("/api/me/notifications")).json()["devices"] == 0


async def test_user_has_a_bounded_number_of_devices(notifying_server: str, service: PushService) -> None:
    async with players(notifying_server, "Ada") as (ada,):
        for number in range(12):
            settings = await subscribe(ada, service.browser(f"many-{number}"))
        assert settings["devices"] == 10


@pytest.mark.parametrize("game", [name for name in names() if not registry.load(name).simultaneous])
async def test_message_holds_no_secret_of_the_game(notifying_server: str, service: PushService, game: str) -> None:
    async with players(notifying_server, "Ada", "Ben") as (ada, ben):
        browser = service.browser(f"secrets-{game}")
        await subscribe(ben, browser)
        table = await join_and_start(ada, ben, game)
        async with ada.live(table) as live:
            await live.select_views(*(live.table.your_seats if live.table else []))
            await play_turn(live)
            pushed = (await wait_for_push(service, browser, "turn", table))[-1]
            await live.resign(live.table.your_seats[0] if live.table else 0)
        record = json.loads(await ada.record(table))
        fixed = ["turn", table, game, ["Ada"], f"/t/{table}", "Your turn", f"{registry.load(game).title} with Ada"]
        assert list(pushed.message.values()) == fixed
        proof = json.dumps(record["deal"]) if "deal" in record else json.dumps(record)
        secrets = {text for text in json.loads(proof).values() if isinstance(text, str) and len(text) > 8}
        assert secrets, "the record names the secret of the deal"
        assert not [text for text in secrets if text.encode() in pushed.text]


async def test_race_notifies_of_no_turn(notifying_server: str, service: PushService) -> None:
    async with players(notifying_server, "Ada", "Ben") as (ada, ben):
        browser = service.browser("race")
        await subscribe(ben, browser)
        table = await ada.create_table("nimble", ["me", "open"])
        await ben.join(table.id)
        async with ada.live(table.id) as first, ben.live(table.id) as second:
            await start_game(first, second)
        await wait_until_sent(service, ben, ada, browser)
        assert of_kind(service.pushed(browser), "turn", table.id) == []


async def test_deleted_person_leaves_nothing_behind(service: PushService, data: Path) -> None:
    browser = service.browser("deleted")
    service.answer_with(browser, 503)  # so that messages wait in the outbox
    with ServerProcess(data, *OPTIONS, LOOPBACK) as server:
        async with players(server.url, "Ada", "Ben") as (ada, ben):
            await subscribe(ben, browser)
            await choose(ben, kinds=["turn"], quiet={"start": 1, "end": 2, "time_zone": "Europe/Berlin"})
            table = await join_and_start(ada, ben)
            await take_turn(ada, table)
            await wait_until(lambda: "/push/deleted" in service.requests)
            user_id = ben.me.id
            assert all(rows_of(server, user_id).values())
            await ben.delete()
            assert rows_of(server, user_id) == {"notification_settings": 0, "notification_channels": 0, "outbox": 0}
        server.stop()
        assert b"/push/deleted" not in (data / "sevenhues.db").read_bytes()


def _move(table: Table, now_ms: int, user_id: str, seat: int, ply: int, text: str) -> Decision | None:
    return commands.move(table, user_id, seat, ply, text, None, now_ms)


def _add_entropy(table: Table, now_ms: int, user_id: str) -> Decision | None:
    return commands.add_entropy(table, user_id, "x" * 20)


class DayGame:
    """A game with three days to a move, whose clock a test sets, and what waits to be sent about it."""

    def __init__(self, clock: FakeClock, live_tables: LiveTables, sender: NotificationSender, game: LiveTable) -> None:
        self.clock = clock
        self.live_tables = live_tables
        self.id = game.id
        self.table = game.table
        self._game = game
        self._sender = sender

    @property
    def to_move(self) -> str:
        (seat,) = self.table.to_act()
        user_id = self.table.seats[seat].user_id
        assert user_id is not None
        return user_id

    async def pass_turn(self) -> None:
        """Play a short turn."""
        (seat,), user_id = self.table.to_act(), self.to_move
        while self.to_move == user_id:
            legal = legal_texts(RAINBOW, self.table.position, seat)
            text = "E" if "E" in legal else legal[0]
            await self._game.act(partial(_move, user_id=user_id, seat=seat, ply=self.table.ply, text=text))

    def set_time(self, now_ms: int) -> None:
        self.clock.now_ms = now_ms
        self._sender.wake()

    def waiting(self) -> set[tuple[str, str, int]]:
        """Return the user, the kind and the time of every message in the outbox; one being sent has another time."""
        with closing(sqlite3.connect(self.live_tables.settings.database)) as db:
            return set(db.execute("SELECT user_id, kind, due FROM outbox"))

    async def wait_for(self, waiting: set[tuple[str, str, int]]) -> None:
        """Wait until just these messages are left, and none is being sent."""
        await wait_until(lambda: self.waiting() == waiting)


@asynccontextmanager
async def day_game(data: Path, browsers: dict[str, Browser], monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[DayGame]:
    """Start a game over days of Ada and Ben in this process, and have its first messages sent."""
    monkeypatch.setattr(notification_sender, "START_SECONDS", 0.0)
    clock = FakeClock()
    live_tables = await open_live_tables(data, clock)
    push = PushSender(load_key(data / "push.key"), "https://games.example.org", to_loopback=True)
    sender = NotificationSender(live_tables.store, live_tables, push, None, 0, Metrics())
    live_tables.services.notices_stored = sender.wake
    try:
        for user_id, browser in browsers.items():
            body = browser.body
            channel = queries.Channel(
                channel_id(browser.endpoint),
                user_id,
                "push",
                browser.endpoint,
                "en",
                body["p256dh"],
                body["auth"],
                None,
                clock.now_ms,
            )
            await live_tables.store.write(queries.save_channel(channel, clock.now_ms))
        spec = TableSpec((SeatSpec("me"), SeatSpec("open")), clock=ClockSettings("move", 3 * 24 * 3600))
        game = await live_tables.create(RAINBOW, spec, "ada", "Ada")
        await game.act(lambda table, now_ms: commands.take_seat(table, "ben", "Ben", None))
        for user_id in browsers:
            await game.act(partial(_add_entropy, user_id=user_id))
        day = DayGame(clock, live_tables, sender, game)
        # The deal decides which seat moves first: both are to be reminded until one has moved.
        reminders = {(user_id, "deadline", clock.now_ms + 2 * DAY_MS) for user_id in browsers}
        assert reminders <= day.waiting()
        clock.now_ms += DELAY_MS
        await sender.open(alone=True)
        await day.wait_for(reminders)
        yield day
    finally:
        await sender.close()
        await live_tables.close()


async def test_player_is_reminded_a_day_before_their_time_runs_out(
    service: PushService, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browsers = {user_id: service.browser(f"reminded-{user_id}") for user_id in ("ada", "ben")}
    async with day_game(data, browsers, monkeypatch) as game:
        first, first_due = game.to_move, game.clock.now_ms - DELAY_MS + 2 * DAY_MS
        game.set_time(game.clock.now_ms + HOUR_MS)
        await game.pass_turn()
        second, moved = game.to_move, game.clock.now_ms
        due = moved + 2 * DAY_MS
        assert game.table.clocks is not None
        assert game.table.clocks.expires_at() == due + DAY_MS
        # The reminder is stored with the turn that it is about.
        reminders = {(first, "deadline", first_due), (second, "deadline", due)}
        assert game.waiting() == {*reminders, (second, "turn", moved + DELAY_MS)}
        game.set_time(moved + DELAY_MS)
        await game.wait_for(reminders)
        # A player who has moved in time is not reminded, and nobody is before their last day.
        game.set_time(due - 1)
        await game.wait_for({(second, "deadline", due)})
        assert [of_kind(service.pushed(browser), "deadline", game.id) for browser in browsers.values()] == [[], []]
        game.set_time(due)
        await game.wait_for(set())
        assert of_kind(service.pushed(browsers[first]), "deadline", game.id) == []
        (reminder,) = of_kind(service.pushed(browsers[second]), "deadline", game.id)
        opponent = {"ada": "Ada", "ben": "Ben"}[first]
        assert reminder.message["title"] == "You have one day left"
        assert reminder.message["text"] == f"Rainbow with {opponent}"


async def test_turn_that_another_has_followed_sends_no_message(
    service: PushService, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browsers = {user_id: service.browser(f"followed-{user_id}") for user_id in ("ada", "ben")}
    async with day_game(data, browsers, monkeypatch) as game:
        first, current = game.to_move, game.live_tables.current
        await game.pass_turn()
        second = game.to_move

        async def pass_two_turns(table_id: str) -> Table:
            """Have the next turn of the same player begin between the claim of a message and its sending."""
            monkeypatch.setattr(game.live_tables, "current", current)
            for _ in range(2):
                await game.pass_turn()
            return await current(table_id)

        monkeypatch.setattr(game.live_tables, "current", pass_two_turns)
        began = game.clock.now_ms + DELAY_MS
        game.set_time(began)
        turns = {(user_id, "turn", began + DELAY_MS) for user_id in (first, second)}
        reminders = {(user_id, "deadline", began + 2 * DAY_MS) for user_id in (first, second)}
        await game.wait_for(turns | reminders)
        game.set_time(began + DELAY_MS)
        await game.wait_for(reminders)
        assert len(of_kind(service.pushed(browsers[second]), "turn", game.id)) == 1


async def test_holidays_move_the_reminder_and_coming_back_early_moves_it_back(
    service: PushService, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browsers = {user_id: service.browser(f"holiday-{user_id}") for user_id in ("ada", "ben")}
    async with day_game(data, browsers, monkeypatch) as game:
        user_id, due, store = game.to_move, game.clock.now_ms - DELAY_MS + 2 * DAY_MS, game.live_tables.store
        game.set_time(due - HOUR_MS)
        assert await store.write(vacations.begin(user_id, 20, game.clock.now_ms))
        await game.live_tables.renew_vacations(user_id)
        game.set_time(due)
        await game.wait_for({(user_id, "deadline", due + 20 * DAY_MS)})
        game.set_time(due + 5 * DAY_MS - HOUR_MS)  # back after five days
        await store.write(vacations.end(user_id, game.clock.now_ms))
        await game.live_tables.renew_vacations(user_id)
        await game.wait_for({(user_id, "deadline", due + 5 * DAY_MS)})
        assert of_kind(service.pushed(browsers[user_id]), "deadline", game.id) == []
        game.set_time(due + 5 * DAY_MS)
        await game.wait_for(set())
        assert len(of_kind(service.pushed(browsers[user_id]), "deadline", game.id)) == 1
        assert game.table.clocks is not None
        assert game.table.clocks.expires_at() == game.clock.now_ms + DAY_MS


def rows_of(server: ServerProcess, user_id: str) -> dict[str, int]:
    """Count a user's rows in the tables of notifications."""
    with closing(sqlite3.connect(server.data / "sevenhues.db")) as db:
        tables = ("notification_settings", "notification_channels", "outbox")
        sql = "SELECT count(*) FROM {} WHERE user_id = ?"
        return {name: db.execute(sql.format(name), (user_id,)).fetchone()[0] for name in tables}


GOOD: dict[str, Any] = {**Browser("https://push.example.org/a").body}
BAD_REQUESTS: list[tuple[str, str, Any]] = [
    ("PUT", "", None),
    ("PUT", "", b"{"),
    ("PUT", "", b"[]"),
    ("PUT", "", {"kinds": "turn"}),
    ("PUT", "", {"kinds": ["cards"]}),
    ("PUT", "", {"kinds": ["turn"] * 9}),
    ("PUT", "", {"kinds": [], "quiet": {"start": 0, "end": 60}}),
    ("PUT", "", {"kinds": [], "quiet": {"start": -1, "end": 60, "time_zone": "UTC"}}),
    ("PUT", "", {"kinds": [], "quiet": {"start": 0, "end": 1440, "time_zone": "UTC"}}),
    ("PUT", "", {"kinds": [], "quiet": {"start": 0, "end": 1, "time_zone": "Nowhere"}}),
    ("PUT", "", {"kinds": [], "quiet": {"start": 0, "end": 1, "time_zone": "../../../etc/passwd"}}),
    ("PUT", "", {"kinds": [], "more": 1}),
    ("POST", "/push", {}),
    ("POST", "/push", GOOD | {"endpoint": 7}),
    ("POST", "/push", GOOD | {"endpoint": "http://10.0.0.1/a"}),
    ("POST", "/push", GOOD | {"endpoint": "http://169.254.169.254/latest/meta-data"}),
    ("POST", "/push", GOOD | {"endpoint": "https://localhost/a"}),
    ("POST", "/push", GOOD | {"endpoint": "file:///etc/passwd"}),
    ("POST", "/push", GOOD | {"endpoint": "https://push.example.org/" + "a" * 2000}),
    ("POST", "/push", GOOD | {"p256dh": "A" * 87}),
    ("POST", "/push", GOOD | {"auth": "A" * 16}),
    ("POST", "/push", GOOD | {"language": "English"}),
    ("POST", "/push/remove", {"endpoint": ""}),
    ("POST", "/email", {"address": "ada@example.org"}),  # this server sends no e-mail
]


@pytest.mark.parametrize(("method", "path", "body"), BAD_REQUESTS)
async def test_bad_request_gets_a_clear_answer(notifying_server: str, method: str, path: str, body: object) -> None:
    async with Client(notifying_server) as ada:
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json"}
        answer = await ada._http.request(method, f"/api/me/notifications{path}", content=content, headers=headers)
        assert 400 <= answer.status_code < 500, answer.text
        assert len(answer.json()["text"]) > 10
        settings = (await ada._http.get("/api/me/notifications")).json()
        assert (settings["devices"], settings["quiet"], len(settings["kinds"])) == (0, None, 4)


async def test_settings_need_an_account(notifying_server: str) -> None:
    async with Client(notifying_server) as ada:
        for method, path in (("GET", ""), ("PUT", ""), ("DELETE", ""), ("POST", "/push")):
            body = GOOD if method == "POST" else {"kinds": []} if method == "PUT" else None
            ada._http.cookies.clear()
            answer = await ada._http.request(method, f"/api/me/notifications{path}", json=body)
            assert answer.status_code == 401
