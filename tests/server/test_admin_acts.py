"""Acts of operators take effect at once, are in the audit log, and are told to the people whom they concern."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from sevenhues.core import deal_proof
from sevenhues.protocol import admin as protocol
from sevenhues.server.accounts.restrictions import Restriction, restrict
from sevenhues.server.live.live_table import LiveTable
from sevenhues.server.operators import audit_log, personal_data
from sevenhues.server.operators.audit_log import Operator
from sevenhues.server.ratings.contests import player_of, unrated
from sevenhues.server.store import Store, StoreFailed
from sevenhues.server.store.backup import COLUMNS
from sevenhues.server.store.postgres import PostgresStore
from sevenhues.server.store.sqlite import SqliteStore
from sevenhues.server.table import commands, events
from sevenhues.server.table.state import Decision, Table
from tests.server.operators import Site
from tests.server.services import Postgres

pytestmark = pytest.mark.anyio
ADA = "ad" * 16
OLGA = Operator("Olga", "command line")
DAY_MS = 86_400_000
PAIR = {"game": "rainbow", "seats": [{"kind": "me"}, {"kind": "open"}]}


async def test_every_act_is_in_the_audit_log_with_who_did_it_and_by_which_way(tmp_path: Path) -> None:
    async with Site.opened(tmp_path) as site:
        ada, user_id = await site.person("Ada")
        table = (await ada.post("/api/tables", json=PAIR)).json()["id"]
        line, page = site.operator(), await site.page()
        person = f"/api/admin/people/{user_id}"
        later = {"starts": site.clock.now_ms + DAY_MS, "seconds": 3600}
        announcement = (await page.post("/api/admin/announcements", json=later)).json()["id"]
        address = {"address": "203.0.113.9", "reason": "floods", "seconds": 60}
        acts: list[tuple[str, str, Any]] = [
            ("DELETE", f"/api/admin/announcements/{announcement}", None),
            ("POST", f"{person}/name", {"name": "Ada L"}),
            ("POST", f"{person}/mute", {"reason": "noise", "seconds": 60}),
            ("DELETE", f"{person}/mute", None),
            ("POST", f"{person}/flag", {"reason": "moves like a bot"}),
            ("DELETE", f"{person}/flag", None),
            ("POST", f"{person}/ban", {"reason": "insults"}),
            ("DELETE", f"{person}/ban", None),
            ("POST", "/api/admin/addresses/ban", address),
            ("POST", "/api/admin/addresses/unban", {"address": "203.0.113.9"}),
            ("GET", f"{person}/export", None),
            ("POST", f"/api/admin/tables/{table}/end", {"reason": "stuck"}),
            ("DELETE", person, None),
        ]
        for number, (method, path, body) in enumerate(acts):
            answer = await (page if number % 2 else line).request(method, path, json=body)
            assert answer.status_code == 200, (path, answer.text)
        log = list(reversed(await site.acts()))
        kinds = ["link", "sign-in", "announce", "withdraw", "rename", "mute", "unmute", "flag", "unflag"]
        kinds += ["ban", "unban", "ban", "unban"]
        assert [entry["act"] for entry in log] == [*kinds, "export", "end-table", "delete"]
        assert [entry["number"] for entry in log] == list(range(1, len(log) + 1))
        assert {entry["operator"] for entry in log} == {"Olga"}
        ways = ["page" if number % 2 else "command line" for number in range(len(acts))]
        assert [entry["way"] for entry in log] == ["command line", "link", "page", *ways]
        assert log[9]["details"] == {"reason": "insults", "until": None}
        assert log[5]["details"]["until"] == site.clock.now_ms + 60_000
        assert {entry["target"] for entry in log if entry["act"] in ("rename", "mute", "delete")} == {user_id}
        assert "Ada" not in json.dumps(log), "no name, which would outlive the person's data"


async def test_refused_act_is_not_in_the_audit_log(tmp_path: Path) -> None:
    async with Site.opened(tmp_path) as site:
        _, user_id = await site.person("Ada")
        line = site.operator()
        person = f"/api/admin/people/{user_id}"
        refusals = [
            ("POST", f"{person}/name", {"name": "\u202e"}, 400),
            ("POST", f"{person}/ban", {"reason": ""}, 400),
            ("POST", f"{person}/ban", {"reason": "x", "seconds": 0}, 400),
            ("POST", f"{person}/mute", {"reason": "a\0b"}, 400),
            ("POST", f"{person}/flag", {"reason": "\u202e"}, 400),
            ("DELETE", f"{person}/ban", None, 404),
            ("POST", f"/api/admin/people/{'0' * 32}/ban", {"reason": "x"}, 404),
            ("DELETE", "/api/admin/people/none", None, 404),
            ("POST", "/api/admin/tables/none-at-all/end", {"reason": "x"}, 404),
            ("POST", "/api/admin/addresses/ban", {"address": "here", "reason": "x", "seconds": 9}, 400),
            ("POST", "/api/admin/addresses/ban", {"address": "::1", "reason": "x", "seconds": 31 * 86_400}, 400),
            ("POST", "/api/admin/announcements", {"starts": 0, "seconds": 60}, 400),
            ("POST", "/api/admin/announcements", {"starts": 2**52, "seconds": 60, "note": "\x07"}, 400),
            ("DELETE", "/api/admin/announcements/none", None, 404),
        ]
        for method, path, body, status in refusals:
            answer = await line.request(method, path, json=body)
            assert answer.status_code == status, (path, answer.text)
            assert answer.json()["text"]
        assert await site.acts() == []


async def test_audit_log_of_sqlite_cannot_be_changed(tmp_path: Path) -> None:
    async with Site.opened(tmp_path) as site:
        await site.store.write(audit_log.record(1, OLGA, "ban", ADA, reason="insults"))
        before = await site.store.read(audit_log.latest(99, 9))
    with closing(sqlite3.connect(tmp_path / "sevenhues.db")) as db:
        for statement in (
            "UPDATE audit_log SET operator = 'Eve'",
            "DELETE FROM audit_log",
            "REPLACE INTO audit_log VALUES (1, 1, 'Eve', 'page', 'ban', 'x', '{}')",
            "INSERT INTO audit_log VALUES (1, 1, 'Eve', 'page', 'ban', 'x', '{}') ON CONFLICT DO UPDATE SET at = 2",
        ):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                db.execute(statement)
        db.rollback()
    async with Site.opened(tmp_path) as site:
        assert await site.store.read(audit_log.latest(99, 9)) == before


@pytest.mark.slow
async def test_audit_log_of_postgresql_cannot_be_changed(postgres: Postgres) -> None:
    address = postgres.database(f"t{uuid4().hex}")
    store = PostgresStore(address)
    await store.open()
    await store.write(audit_log.record(1, OLGA, "ban", ADA, reason="insults"))
    before = await store.read(audit_log.latest(99, 9))
    db = await asyncpg.connect(address)
    for statement in (
        "UPDATE audit_log SET operator = 'Eve'",
        "DELETE FROM audit_log",
        "TRUNCATE audit_log",
        "INSERT INTO audit_log VALUES (1, 1, 'Eve', 'x', 'x', 'x', '{}') ON CONFLICT (number) DO UPDATE SET at = 2",
    ):
        with pytest.raises(asyncpg.RaiseError, match="append-only"):
            await db.execute(statement)
    await db.close()
    assert await store.read(audit_log.latest(99, 9)) == before
    await store.close()


async def test_act_whose_log_entry_cannot_be_written_is_not_done(tmp_path: Path) -> None:
    async with Site.opened(tmp_path) as site:
        ada, user_id = await site.person("Ada")
        await site.store.execute(
            ("CREATE TRIGGER full BEFORE INSERT ON audit_log BEGIN SELECT RAISE(ABORT, 'full'); END", ())
        )
        answer = await site.operator().post(f"/api/admin/people/{user_id}/ban", json={"reason": "insults"})
        assert answer.status_code == 503
        assert (await site.operator().delete(f"/api/admin/people/{user_id}")).status_code == 503
        await site.context.operators.refresh()
        assert (await ada.get("/api/me")).json()["banned"] is None
        assert (await ada.patch("/api/me", json={"name": "Ada L"})).status_code == 200


async def test_banned_person_reads_and_changes_nothing_until_the_ban_ends(tmp_path: Path) -> None:
    async with Site.opened(tmp_path) as site:
        ada, user_id = await site.person("Ada")
        ban = {"reason": "insults at tables", "seconds": 60}
        assert (await site.operator().post(f"/api/admin/people/{user_id}/ban", json=ban)).status_code == 200
        for method, path in (
            ("PATCH", "/api/me"),
            ("POST", "/api/tables"),
            ("POST", "/api/records"),
            ("DELETE", "/api/me"),
            ("POST", "/api/me/transfer-code"),
            ("POST", "/api/me/passkeys/challenge"),
        ):
            answer = await ada.request(method, path, json={} if method != "DELETE" else None)
            assert (answer.status_code, answer.json()["key"]) == (403, "banned"), path
            assert "insults at tables" in answer.json()["text"]
            assert "until 2001-09-09 01:47 UTC" in answer.json()["text"]
        for path in ("/", "/api/games", "/api/tables?which=open", "/api/ratings/rainbow"):
            assert (await ada.get(path)).status_code == 200
        me = (await ada.get("/api/me")).json()
        assert me["banned"] == {"reason": "insults at tables", "until": site.clock.now_ms + 60_000}
        site.clock.now_ms += 60_000
        assert (await ada.patch("/api/me", json={"name": "Ada L"})).status_code == 200
        assert (await ada.get("/api/me")).json()["banned"] is None


@pytest.mark.parametrize(
    ("banned", "same", "other"),
    [("203.0.113.9", "203.0.113.9", "203.0.113.10"), ("2001:db8::1", "2001:db8::2:3", "2001:db8:0:1::1")],
)
async def test_banned_address_gets_no_guests_and_no_changes(tmp_path: Path, banned: str, same: str, other: str) -> None:
    async with Site.opened(tmp_path) as site:
        ada, user_id = await site.person("Ada", same)
        body = {"address": banned, "reason": "floods", "seconds": 60}
        assert (await site.operator().post("/api/admin/addresses/ban", json=body)).status_code == 200
        assert (await site.client(same).get("/api/me")).json()["key"] == "banned"
        assert (await site.client(same).post("/api/me/transfer", json={"code": "x"})).json()["key"] == "banned"
        assert (await ada.post("/api/tables", json=PAIR)).json()["key"] == "banned"
        me = await ada.get("/api/me")
        assert (me.json()["id"], me.json()["banned"]["reason"]) == (user_id, "floods")
        assert (await site.client(other).get("/api/me")).status_code == 200
        assert (await site.operator(same).get("/api/admin/status")).status_code == 200
        site.clock.now_ms += 60_000
        assert (await site.client(same).get("/api/me")).status_code == 200
        assert (await ada.post("/api/tables", json=PAIR)).status_code == 201


async def test_ban_that_was_stored_before_the_start_holds(tmp_path: Path) -> None:
    async with Site.opened(tmp_path) as site:
        ada, user_id = await site.person("Ada")
        await site.store.write(restrict(Restriction(user_id, "banned", None, "insults", 1)))
        cookies = dict(ada.cookies)
    async with Site.opened(tmp_path) as site:
        ada = site.client()
        ada.cookies.update(cookies)
        assert (await ada.post("/api/tables", json=PAIR)).json()["key"] == "banned"


async def test_renamed_person_has_the_name_at_tables_and_a_similar_name_is_reported(tmp_path: Path) -> None:
    async with Site.opened(tmp_path) as site:
        ada, user_id = await site.person("Rude Name")
        _, other = await site.person("Zoë")
        table = (await ada.post("/api/tables", json=PAIR)).json()["id"]
        answer = await site.operator().post(f"/api/admin/people/{user_id}/name", json={"name": " \uff3aoe "})
        renamed = answer.json()
        assert (renamed["name"], [one["id"] for one in renamed["lookalikes"]]) == ("Zoe", [other])
        assert (await ada.get("/api/me")).json()["name"] == "Zoe"
        assert (await ada.get(f"/api/tables/{table}")).json()["seats"][0]["name"] == "Zoe"
        log = await site.store.log(table)
        assert [entry.event.name for entry in log if isinstance(entry.event, events.SeatTaken)] == ["Zoe"]
        listed = (await site.operator().get("/api/admin/people", params={"q": "zoe"})).json()["people"]
        assert {one["id"]: one["lookalikes"] for one in listed} == {user_id: [other], other: [user_id]}


async def test_own_rename_tells_of_an_active_player_with_a_similar_name(tmp_path: Path) -> None:
    async with Site.opened(tmp_path) as site:
        ada, _ = await site.person("Ada")
        _, zoe = await site.person("Zo\u00eb")
        assert (await ada.patch("/api/me", json={"name": "Zoe"})).json()["similar_name"] is False
        row = ("rainbow", player_of(zoe).id, zoe, 25.0, 8.0, 1, 1)
        columns = "game, player, user_id, mu, sigma, games, opponents"
        await site.store.execute((f"INSERT INTO ratings ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", row))
        assert (await ada.patch("/api/me", json={"name": "Z0e"})).json()["similar_name"] is True
        assert (await ada.patch("/api/me", json={"name": "Ada"})).json()["similar_name"] is False


async def test_people_are_found_by_id_profile_and_name(tmp_path: Path) -> None:
    async with Site.opened(tmp_path) as site:
        ids = {name: (await site.person(name))[1] for name in ("Ada", "Adam", "Ben", "\u0410d\u0430 B")}
        guest = site.client("192.0.2.5")
        unnamed = (await guest.get("/api/me")).json()["id"]
        line = site.operator()

        async def found(q: str) -> list[str]:
            answer = (await line.get("/api/admin/people", params={"q": q})).json()
            return [one["id"] for one in answer["people"]]

        assert await found("ada") == [ids["Ada"], ids["Adam"], ids["\u0410d\u0430 B"]]
        assert await found("adab") == [ids["\u0410d\u0430 B"]]
        assert await found(ids["Ben"]) == await found(player_of(ids["Ben"]).id) == [ids["Ben"]]
        assert await found("nobody") == await found(unnamed) == []
        await guest.post("/api/tables", json=PAIR)
        assert await found(unnamed) == await found(player_of(unnamed).id) == [unnamed]
        assert set(await found("")) == set(ids.values())
        details = (await line.get(f"/api/admin/people/{unnamed}")).json()
        assert (details["person"]["chosen"], len(details["tables"])) == (False, 1)


async def start(live_table: LiveTable, *user_ids: str) -> None:
    """Add the entropy of all players, so that the game starts."""
    for user_id in user_ids:
        await live_table.act(partial(_commit, user_id))
    for user_id in user_ids:
        await live_table.act(partial(_reveal, user_id))


def _commit(user_id: str, table: Table, now_ms: int) -> Decision | None:
    return commands.commit_entropy(table, user_id, deal_proof.entropy_commitment(f"entropy-of-{user_id}"))


def _reveal(user_id: str, table: Table, now_ms: int) -> Decision | None:
    return commands.add_entropy(table, user_id, f"entropy-of-{user_id}")


async def test_operator_ends_a_game_without_a_rating_and_removes_a_table_that_waits(tmp_path: Path) -> None:
    async with Site.opened(tmp_path) as site:
        ada, user_id = await site.person("Ada")
        waiting = (await ada.post("/api/tables", json=PAIR)).json()["id"]
        ben, other = await site.person("Ben", "192.0.2.2")
        playing = (await ada.post("/api/tables", json=PAIR)).json()["id"]
        await ben.post(f"/api/tables/{playing}/join", json={})
        live_table = await site.live_tables.get(playing)
        await start(live_table, user_id, other)
        assert live_table.table.status == "playing"
        line, reason = site.operator(), {"reason": "stuck"}
        for table in (waiting, playing):
            assert (await line.post(f"/api/admin/tables/{table}/end", json=reason)).status_code == 200
        assert (await ada.get(f"/api/tables/{waiting}")).status_code == 404
        ended = (await ada.get(f"/api/tables/{playing}")).json()
        assert (ended["result"]["reason"], ended["result"]["winners"]) == ("abandoned", [])
        assert ended["unrated"] == "abandoned"
        assert (await ada.get(f"/api/tables/{playing}/ratings")).json()["seats"] == []
        site.live_tables.evict_all()
        assert unrated((await site.live_tables.get(playing)).table) == "abandoned", "also when its log is read again"
        assert (await line.post(f"/api/admin/tables/{playing}/end", json=reason)).json()["key"] == "over"
        found = (await line.get("/api/admin/tables", params={"q": playing[2:9], "status": "finished"})).json()
        assert [table["id"] for table in found["tables"]] == [playing]


async def test_announcement_is_shown_until_it_is_withdrawn_or_over(tmp_path: Path) -> None:
    async with Site.opened(tmp_path) as site:
        ada, _ = await site.person("Ada")
        line, now_ms = site.operator(), site.clock.now_ms
        assert (await ada.get("/api/maintenance")).json() == {"windows": []}
        for hours, note in ((5, " New\u3000games! "), (2, "")):
            body = {"starts": now_ms + hours * 3_600_000, "seconds": 3600, "note": note}
            assert (await line.post("/api/admin/announcements", json=body)).status_code == 201
        windows = (await ada.get("/api/maintenance")).json()["windows"]
        assert [one["note"] for one in windows] == ["", "New games!"], "the earliest first"
        assert (await ada.get("/api/me")).json()["maintenance"] == windows
        first = (await line.get("/api/admin/announcements")).json()["announcements"][0]
        assert (await line.delete(f"/api/admin/announcements/{first['id']}")).status_code == 200
        assert (await ada.get("/api/maintenance")).json() == {"windows": windows[1:]}
        site.clock.now_ms += 6 * 3_600_000
        assert (await ada.get("/api/maintenance")).json() == {"windows": []}


async def test_status_shows_load_and_problems(tmp_path: Path) -> None:
    async with Site.opened(tmp_path) as site:
        await site.person("Ada")
        (process,) = (await site.operator().get("/api/admin/status")).json()["processes"]
        assert process["pid"] > 0
        assert process["memory_mb"] > 10
        assert {"connections", "tables", "searches", "loop_delay_ms", "store_ms", "problems"} <= set(process)


def test_every_table_of_the_store_with_a_user_is_exported() -> None:
    """A new table is added to the export, or to the tables that hold nothing of a person."""
    known = {*personal_data.USER_COLUMNS, *personal_data.PLAYER_COLUMNS, personal_data.EVENTS}
    assert known | set(personal_data.NOT_PERSONAL) == set(COLUMNS)
    assert not known & set(personal_data.NOT_PERSONAL)
    names_a_user = {"user_id", "owner_id", "subject", "player", "target", "excused", "loser", "winner"}
    for table, columns in COLUMNS.items():
        exported = {*personal_data.USER_COLUMNS.get(table, ()), *personal_data.PLAYER_COLUMNS.get(table, ())}
        if table in ("ratings", "bot_accounts"):  # have the user beside the player
            exported.add("player")
        assert names_a_user & set(columns) <= exported, table


def value_for(table: str, column: str) -> Any:
    """Return a value of Ada's for a column of a row."""
    if column in personal_data.USER_COLUMNS.get(table, ()):
        return ADA
    if column in personal_data.PLAYER_COLUMNS.get(table, ()):
        return player_of(ADA).id
    if table == "events" and column == "body":
        return events.encode(events.SeatTaken(0, ADA, "Ada"))
    if column == "details":
        return "{}"
    if column in ("public_key", "body"):
        return b"\x00\xff"
    if column in personal_data.SECRETS:
        return f"secret {table}"
    return "t" if column in ("table_id", "id") else 1


async def fill(store: Store) -> None:
    """Store a row of Ada's in every table."""
    for table, columns in COLUMNS.items():
        marks = ", ".join("?" * len(columns))
        values = tuple(value_for(table, column) for column in columns)
        await store.write(_insert(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", values))


def _insert(sql: str, values: tuple[Any, ...]) -> Any:
    yield sql, values


async def test_export_holds_every_row_of_a_person_and_no_secret(tmp_path: Path) -> None:
    async with Site.opened(tmp_path) as site:
        await fill(site.store)
        answer = await site.operator().get(f"/api/admin/people/{ADA}/export")
        assert answer.status_code == 200, answer.text
        export = protocol.AdminExport(**json.loads(answer.text))
        assert (export.user_id, export.player) == (ADA, player_of(ADA).id)
        assert [table for table, rows in export.rows.items() if len(rows) != 1] == []
        assert set(export.rows) == set(COLUMNS) - set(personal_data.NOT_PERSONAL)
        assert "secret" not in answer.text
        assert export.rows["passkeys"][0]["public_key"] == "AP8="
        assert export.rows["events"][0]["event"]["name"] == "Ada"
        nothing = await site.store.read(personal_data.export("be" * 16))
        assert [table for table, rows in nothing.items() if rows] == []


async def test_export_has_what_a_person_did_and_nothing_of_others(tmp_path: Path) -> None:
    async with Site.opened(tmp_path) as site:
        ada, user_id = await site.person("Ada")
        ben, _ = await site.person("Benjamin", "192.0.2.2")
        table = (await ada.post("/api/tables", json=PAIR)).json()["id"]
        await ben.post(f"/api/tables/{table}/join", json={})
        export = (await site.operator().get(f"/api/admin/people/{user_id}/export")).json()["rows"]
        kinds = [one["event"]["kind"] for one in export["events"]]
        assert kinds == ["created", "seat-taken"]
        log = await site.store.log(table)
        assert isinstance(log[0].event, events.Created)
        assert log[0].event.secret not in json.dumps(export)
        assert "Benjamin" not in json.dumps(export)


@pytest.mark.parametrize("store_of", [SqliteStore], ids=["sqlite"])
async def test_two_transactions_under_one_number_conflict(
    tmp_path: Path, store_of: Callable[[Path], SqliteStore]
) -> None:
    store = store_of(tmp_path / "sevenhues.db")
    await store.open()
    attempts = 0

    async def always_late() -> int:
        nonlocal attempts
        attempts += 1
        return await store.write(_insert("INSERT INTO audit_log VALUES (1, 1, 'o', 'w', 'a', 't', '{}')", ()))

    await always_late()
    with pytest.raises(StoreFailed, match="audit log"):
        await audit_log.retried(always_late)
    assert attempts == audit_log.MAX_ATTEMPTS + 1
    await store.close()
