"""Accounts: the cookie, its signing keys, transfer to another device, deletion."""

import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from sevenhues.client import Client, Refused
from sevenhues.core.errors import SevenHuesError
from sevenhues.server.accounts.cookies import SigningKeys, load_keys, rotate_key
from tests.cli.command import error_message, sevenhues
from tests.server.play import start_game, wait_until
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio


async def test_cookie_is_sent_to_the_server_alone(server: ServerProcess) -> None:
    async with Client(server.url) as ada:
        answer = await ada._http.get("/api/me")
        cookie = answer.headers["set-cookie"]
        assert re.search("httponly", cookie, re.I)
        assert re.search("samesite=lax", cookie, re.I)
        assert re.search("path=/", cookie, re.I)
        assert answer.json()["id"] == ada.me.id
        assert re.fullmatch("[A-Z][a-z]+ [A-Z][a-z]+", ada.me.name)


async def test_forged_or_broken_cookie_gets_a_new_user(server: ServerProcess) -> None:
    async with Client(server.url) as ada:
        table = await ada.create_table("rainbow", ["me", "open"])
        for cookie in ("", "x", ada.me.id, f"{ada.me.id}.", f"{ada.me.id}.AAAA", ada.cookie[:-2], "%" * 50):
            async with Client(server.url, cookie=cookie) as other:
                assert other.me.id != ada.me.id
                assert (await other.table(table.id)).your_seats == []


async def test_name_is_chosen_and_unusable_names_are_refused(server: ServerProcess) -> None:
    async with Client(server.url, "Ada  Lovelace ") as ada:
        assert ada.me.name == "Ada Lovelace"
        table = await ada.create_table("rainbow", ["open", "open"])
        for name in ("", "   ", "x" * 41, "a\x00b", "a\u202eb", "\u0301" * 9, "Bot:master", 7):
            answer = await ada._http.patch("/api/me", json={"name": name})
            assert answer.status_code == 400, name
            # The name of a seat is checked alike.
            answer = await ada._http.post(f"/api/tables/{table.id}/join", json={"name": name})
            assert answer.status_code == 400, name
            seats = [{"kind": "me", "name": name}, {"kind": "open"}]
            answer = await ada._http.post("/api/tables", json={"game": "rainbow", "seats": seats})
            assert answer.status_code == 400, name
        assert (await ada._http.patch("/api/me", json={"name": None})).status_code == 400
        assert (await ada._http.get("/api/me")).json()["name"] == "Ada Lovelace"
        assert (await ada.join(table.id, name=" Zoe\t M ")).seats[0].name == "Zoe M"


async def test_request_without_a_cookie_is_refused(server: ServerProcess) -> None:
    async with Client(server.url) as ada:
        table = await ada.create_table("rainbow", ["me", "open"])
        ada._http.cookies.clear()
        with pytest.raises(Refused) as refused:
            await ada.join(table.id)
        assert refused.value.key == "no-identity"


async def test_account_is_transferred_once(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url) as phone, Client(server.url) as thief:
        table = await ada.create_table("rainbow", ["me", "open"])
        code = (await ada.transfer_code()).code
        assert (await phone.transfer(code)).name == "Ada"
        assert (await phone.table(table.id)).your_seats == [0]
        with pytest.raises(Refused) as refused:
            await thief.transfer(code)
        assert refused.value.key == "no-code"
        with pytest.raises(Refused) as refused:
            await thief.transfer("guess")
        assert refused.value.key == "no-code"


async def test_newer_transfer_code_replaces_the_older(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url) as phone:
        older, newer = (await ada.transfer_code()).code, (await ada.transfer_code()).code
        with pytest.raises(Refused):
            await phone.transfer(older)
        assert (await phone.transfer(newer)).id == ada.me.id


async def test_deleted_user_leaves_every_table_and_no_trace(server: ServerProcess) -> None:
    async with Client(server.url, "Augusta King") as ada, Client(server.url, "Ben") as ben:
        table = await ada.create_table("rainbow", ["me", "open"])
        many = await ada.create_table("flip-and-slide", ["me", "open", "bot:random"])
        waiting = await ada.create_table("rainbow", ["me", "open"])
        for one in (table, many, waiting):
            await ben.join(one.id)
        cookie = ada.cookie
        async with ben.live(table.id) as live, ben.live(many.id) as other, ben.live(waiting.id) as third:
            async with ada.live(table.id) as own, ada.live(many.id) as own_other:
                await start_game(own, own_other, live, other)
            await ada.delete()
            await wait_until(lambda: live.table is not None and live.table.result is not None)
            assert live.table is not None
            assert live.table.result is not None
            assert (live.table.result.reason, live.table.result.winners) == ("resigned", [1])
            await wait_until(lambda: live.table is not None and live.table.seats[0].name == "Somebody")
            await wait_until(lambda: other.table is not None and other.table.seats[0].level is not None)
            await wait_until(lambda: other.table is not None and other.table.seats[0].name == "Somebody")
            await wait_until(lambda: third.table is not None and third.table.seats[0].kind == "open")
            assert (await ben.join(waiting.id, 0, "Zoe")).your_seats == [0, 1]
            async with Client(server.url, cookie=cookie) as again:
                assert again.me.id != ada.me.id
                assert (await again.table(table.id)).your_seats == []
    server.stop()
    server.start()
    async with Client(server.url) as zoe:
        assert (await zoe.table(table.id)).seats[0].name == "Somebody"
    for file in server.data.glob("sevenhues.db*"):
        assert b"Augusta King" not in file.read_bytes()


def test_processes_that_start_together_use_the_same_keys(tmp_path: Path) -> None:
    path = tmp_path / "signing.keys"
    together = Barrier(8)

    def load(number: int) -> SigningKeys:
        together.wait()
        return load_keys(path)

    with ThreadPoolExecutor(8) as pool:
        loaded = list(pool.map(load, range(8)))
    cookie = load_keys(path).sign("ab" * 16)
    assert [keys.read(cookie) for keys in loaded] == ["ab" * 16] * 8
    assert os.listdir(tmp_path) == ["signing.keys"]


def test_rotated_key_stays_valid_until_the_next_rotation(tmp_path: Path) -> None:
    path = tmp_path / "signing.keys"
    first = load_keys(path).sign("ab" * 16)
    assert path.stat().st_mode & 0o777 == 0o600
    assert rotate_key(path) == 2
    second = load_keys(path).sign("ab" * 16)
    assert first != second
    assert load_keys(path).read(first) == load_keys(path).read(second) == "ab" * 16
    assert rotate_key(path) == 2
    assert load_keys(path).read(first) is None
    assert load_keys(path).read(second) == "ab" * 16
    assert rotate_key(path, keep=0) == 1
    assert load_keys(path).read(second) is None


async def test_cookie_stays_valid_when_the_command_rotates_keys(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        table = await ada.create_table("rainbow", ["me", "open"])
        server.stop()
        assert sevenhues("rotate-key", "--data", str(server.data)).returncode == 0
        server.start()
        assert (await ada.table(table.id)).your_seats == [0]


@pytest.mark.parametrize("content", ["hello\n", f"\ufeff{'ab' * 32}\n", ""])
def test_invalid_key_file_is_refused_and_not_shown(tmp_path: Path, content: str) -> None:
    path = tmp_path / "signing.keys"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(SevenHuesError, match="is not a file of signing keys") as error:
        load_keys(path)
    assert "abab" not in str(error.value)
    assert path.read_text(encoding="utf-8") == content


@pytest.mark.slow
def test_invalid_key_file_keeps_the_server_from_starting(data: Path) -> None:
    data.mkdir()
    (data / "signing.keys").write_text("hello\n")
    done = sevenhues("serve", "--port", "0", "--data", str(data))
    assert "is not a file of signing keys" in error_message(done, 2)
