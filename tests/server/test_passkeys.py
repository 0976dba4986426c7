"""Passkeys and recovery codes: adding them, signing in, and everything that is refused."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from sevenhues.server.accounts import passkey_queries, passkeys
from sevenhues.server.accounts.cookies import SigningKeys
from sevenhues.server.app import make_app
from sevenhues.server.http import rate_limits
from sevenhues.server.http.context import AppContext
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.settings import Settings
from sevenhues.server.store.sqlite import SqliteStore
from tests.server.authenticator import Authenticator
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio
FUZZED = 300


class Browser:
    """A browser at an origin of a server, with the cookie that the server gave it."""

    def __init__(self, server: ServerProcess, host: str = "localhost") -> None:
        self.origin = f"http://{host}:{server.port}"
        headers = {"host": f"{host}:{server.port}", "origin": self.origin}
        self.http = httpx.AsyncClient(base_url=server.url, headers=headers, timeout=60)
        self.me: dict[str, Any] = {}

    async def __aenter__(self) -> "Browser":
        self.me = (await self.http.get("/api/me")).json()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def post(self, path: str, body: Any = None) -> Any:
        """Send a request that must be carried out; return its answer."""
        answer = await self.http.post(path, json=body)
        assert answer.status_code in (200, 201), answer.text
        return answer.json() if answer.content else None

    async def refusal(self, path: str, body: Any = None) -> str:
        """Send a request that must be refused; return the key of the reason."""
        answer = await self.http.post(path, json=body)
        assert 400 <= answer.status_code < 500, answer.text
        assert answer.json()["text"]
        return str(answer.json()["key"])

    async def add(self, authenticator: Authenticator) -> Any:
        options = await self.post("/api/me/passkeys/challenge")
        return await self.post("/api/me/passkeys", authenticator.create(options))

    async def challenge(self, leave: bool = False) -> Any:
        return await self.post("/api/me/sign-in/challenge", {"leave": leave})

    async def sign_in(self, authenticator: Authenticator, leave: bool = False) -> Any:
        return await self.post("/api/me/sign-in", authenticator.sign(await self.challenge(leave)))

    async def passkeys(self) -> Any:
        return (await self.http.get("/api/me/passkeys")).json()

    async def name(self) -> str:
        return str((await self.http.get("/api/me")).json()["name"])

    async def id(self) -> str:
        return str((await self.http.get("/api/me")).json()["id"])

    async def create_table(self) -> str:
        body = {"game": "rainbow", "seats": [{"kind": "me"}, {"kind": "open"}]}
        return str((await self.post("/api/tables", body))["id"])


async def test_passkey_signs_in_on_another_device(each_server: ServerProcess) -> None:
    async with Browser(each_server) as ada, Browser(each_server) as phone:
        await ada.http.patch("/api/me", json={"name": "Ada"})
        table = await ada.create_table()
        key = Authenticator(ada.origin, counter=0)
        added = await ada.add(key)
        assert (added["name"], added["used"]) == ("Key", None)
        assert (await phone.sign_in(key))["id"] == ada.me["id"]
        assert await phone.name() == "Ada"
        assert (await phone.http.get(f"/api/tables/{table}")).json()["your_seats"] == [0]
        (listed,) = (await phone.passkeys())["passkeys"]
        assert listed["used"] >= listed["created"]


async def test_passkeys_are_renamed_and_removed_by_their_user_alone(each_server: ServerProcess) -> None:
    async with Browser(each_server) as ada, Browser(each_server) as zoe:
        first, second = Authenticator(ada.origin), Authenticator(ada.origin)
        for key in (first, second):
            await ada.add(key)
        path = f"/api/me/passkeys/{first.id}"
        assert (await zoe.http.patch(path, json={"name": "Mine"})).status_code == 404
        assert (await zoe.http.delete(path)).status_code == 404
        assert (await ada.http.patch(path, json={"name": "  Blue  key "})).status_code == 200
        assert (await ada.http.patch(path, json={"name": "\u202e"})).status_code == 400
        assert [one["name"] for one in (await ada.passkeys())["passkeys"]] == ["Blue key", "Key"]
        assert (await ada.http.delete(path)).status_code == 200
        assert [one["id"] for one in (await ada.passkeys())["passkeys"]] == [second.id]
        challenge = await zoe.challenge()
        assert await zoe.refusal("/api/me/sign-in", first.sign(challenge)) == "no-passkey"
        assert (await zoe.sign_in(second))["id"] == ada.me["id"]


async def test_answer_is_accepted_once(each_server: ServerProcess) -> None:
    async with Browser(each_server) as ada, Browser(each_server) as phone, Browser(each_server) as thief:
        key = Authenticator(ada.origin)
        options = await ada.post("/api/me/passkeys/challenge")
        registration = key.create(options)
        await ada.post("/api/me/passkeys", registration)
        assert await ada.refusal("/api/me/passkeys", registration) == "passkey-expired"
        answer = key.sign(await phone.challenge())
        # The challenge of one browser is not one of another's.
        assert await thief.refusal("/api/me/sign-in", answer) == "passkey-expired"
        await thief.challenge()
        assert await thief.refusal("/api/me/sign-in", answer) == "bad-passkey"
        await phone.post("/api/me/sign-in", answer)
        assert await phone.refusal("/api/me/sign-in", answer) == "passkey-expired"
        assert [await one.id() for one in (phone, thief)] == [ada.me["id"], thief.me["id"]]
        # A challenge is for one purpose.
        options = await phone.post("/api/me/passkeys/challenge")
        assert await phone.refusal("/api/me/sign-in", key.sign(options)) == "passkey-expired"


async def test_same_answer_sent_many_times_at_once_signs_in_once(each_server: ServerProcess) -> None:
    async with Browser(each_server) as ada, Browser(each_server) as phone:
        key = Authenticator(ada.origin)
        await ada.add(key)
        answer = key.sign(await phone.challenge())
        answers = await asyncio.gather(*[phone.http.post("/api/me/sign-in", json=answer) for _ in range(8)])
        assert sorted(one.status_code for one in answers) == [200, *[409] * 7]


async def test_passkey_is_refused_at_another_origin(each_server: ServerProcess) -> None:
    async with (
        Browser(each_server) as ada,
        Browser(each_server, "games.example.org") as other,
        Browser(each_server) as same,
    ):
        key = Authenticator(ada.origin)
        await ada.add(key)
        # Signed on a page of another origin, which then sends it with its own Host.
        key.origin = other.origin
        assert await other.refusal("/api/me/sign-in", key.sign(await other.challenge())) == "bad-passkey"
        # Signed there, and sent from the right origin.
        assert await same.refusal("/api/me/sign-in", key.sign(await same.challenge())) == "bad-passkey"
        # Signed by a page at another port of the same host, whose host name is the same.
        elsewhere = "http://localhost:1"
        key.origin = elsewhere
        headers = {"origin": elsewhere, "host": "localhost:1"}
        options = (await same.http.post("/api/me/sign-in/challenge", json={}, headers=headers)).json()
        answer = await same.http.post("/api/me/sign-in", json=key.sign(options), headers=headers)
        assert answer.json()["key"] == "bad-passkey"
        # A page of another site may not even ask.
        refused = await same.http.post("/api/me/sign-in/challenge", json={}, headers={"origin": "http://evil.org"})
        assert refused.json()["key"] == "cross-origin"
        key.origin = ada.origin
        assert (await same.sign_in(key))["id"] == ada.me["id"]


async def test_page_without_a_host_name_has_no_passkeys(each_server: ServerProcess) -> None:
    async with Browser(each_server, "127.0.0.1") as ada:
        assert await ada.refusal("/api/me/passkeys/challenge") == "no-host-name"
        assert await ada.refusal("/api/me/sign-in/challenge", {}) == "no-host-name"


async def test_passkey_must_verify_its_user(each_server: ServerProcess) -> None:
    async with Browser(each_server) as ada, Browser(each_server) as phone:
        key = Authenticator(ada.origin)
        key.verifies_user = False
        options = await ada.post("/api/me/passkeys/challenge")
        assert await ada.refusal("/api/me/passkeys", key.create(options)) == "bad-passkey"
        key.verifies_user = True
        await ada.add(key)
        key.verifies_user = False
        assert await phone.refusal("/api/me/sign-in", key.sign(await phone.challenge())) == "bad-passkey"


async def test_counter_must_grow_unless_there_is_none(each_server: ServerProcess) -> None:
    async with Browser(each_server) as ada, Browser(each_server) as phone:
        counting, plain = Authenticator(ada.origin, counter=5), Authenticator(ada.origin)
        for key in (counting, plain):
            await ada.add(key)
        for _ in range(2):
            await phone.sign_in(plain)
            await phone.sign_in(counting)
        assert counting.counter == 7
        counting.counter = 6  # a copy that was made before
        assert await phone.refusal("/api/me/sign-in", counting.sign(await phone.challenge())) == "copied-passkey"
        counting.counter = None
        assert await phone.refusal("/api/me/sign-in", counting.sign(await phone.challenge())) == "copied-passkey"
        counting.counter = 7
        await phone.sign_in(counting)


async def test_passkey_of_another_user_is_refused(each_server: ServerProcess) -> None:
    async with Browser(each_server) as ada, Browser(each_server) as zoe, Browser(each_server) as phone:
        key, other = Authenticator(ada.origin), Authenticator(ada.origin)
        await ada.add(key)
        await zoe.add(other)
        # The same id is not added again, also not by another user.
        stolen = Authenticator(ada.origin)
        stolen.id = key.id
        options = await zoe.post("/api/me/passkeys/challenge")
        assert await zoe.refusal("/api/me/passkeys", stolen.create(options)) == "passkey-exists"
        # Another key signs with Ada's id; and Zoe's own key with Ada's user.
        assert await phone.refusal("/api/me/sign-in", stolen.sign(await phone.challenge())) == "bad-passkey"
        forged = {**other.sign(await phone.challenge()), "user": key.sign(await phone.challenge())["user"]}
        assert await phone.refusal("/api/me/sign-in", forged) == "bad-passkey"


async def test_recovery_code_signs_in_once(each_server: ServerProcess) -> None:
    async with Browser(each_server) as ada, Browser(each_server) as phone, Browser(each_server) as thief:
        older = (await ada.post("/api/me/recovery-code"))["code"]
        newer = (await ada.post("/api/me/recovery-code"))["code"]
        assert (await ada.passkeys())["recovery_code"] > 0
        assert await phone.refusal("/api/me/recover", {"code": older}) == "no-recovery-code"
        typed = f" {newer.lower().replace('-', ' ').replace('1', 'l').replace('0', 'o')}"
        assert (await phone.post("/api/me/recover", {"code": typed}))["id"] == ada.me["id"]
        assert await thief.refusal("/api/me/recover", {"code": newer}) == "no-recovery-code"
        assert (await phone.passkeys())["recovery_code"] is None


async def test_guest_who_leaves_something_behind_must_agree(each_server: ServerProcess) -> None:
    async with Browser(each_server) as ada, Browser(each_server) as guest:
        key = Authenticator(ada.origin)
        await ada.add(key)
        code = (await ada.post("/api/me/recovery-code"))["code"]
        table = await guest.create_table()
        for path, body in (("sign-in/challenge", {}), ("recover", {"code": code})):
            answer = await guest.http.post(f"/api/me/{path}", json=body)
            assert (answer.status_code, answer.json()["key"]) == (409, "leaves-games")
            assert answer.json()["parameters"] == {"name": guest.me["name"], "count": 1}
        assert await guest.refusal("/api/me/sign-out") == "no-way-back"
        # With a way back there is nothing to lose, and the way leads back.
        own = (await guest.post("/api/me/recovery-code"))["code"]
        assert (await guest.sign_in(key))["id"] == ada.me["id"]
        assert (await guest.http.get(f"/api/tables/{table}")).json()["your_seats"] == []
        await guest.post("/api/me/recover", {"code": own})
        assert (await guest.http.get(f"/api/tables/{table}")).json()["your_seats"] == [0]
        # The code is used up: the guest must agree again, and then may leave.
        assert await guest.refusal("/api/me/sign-in/challenge", {}) == "leaves-games"
        assert (await guest.sign_in(key, leave=True))["id"] == ada.me["id"]
        await guest.post("/api/me/sign-out")
        assert await guest.id() not in (ada.me["id"], guest.me["id"])


async def test_deleted_user_has_no_passkeys_and_codes(each_server: ServerProcess) -> None:
    async with Browser(each_server) as ada, Browser(each_server) as phone:
        key = Authenticator(ada.origin)
        await ada.add(key)
        code = (await ada.post("/api/me/recovery-code"))["code"]
        assert (await ada.http.delete("/api/me")).status_code == 200
        assert await phone.refusal("/api/me/sign-in", key.sign(await phone.challenge())) == "no-passkey"
        assert await phone.refusal("/api/me/recover", {"code": code}) == "no-recovery-code"


async def test_user_has_a_bounded_number_of_passkeys(each_server: ServerProcess) -> None:
    async with Browser(each_server) as ada:
        spare = Authenticator(ada.origin)
        for _ in range(passkeys.MAX_PASSKEYS - 1):
            await ada.add(Authenticator(ada.origin))
        last = spare.create(await ada.post("/api/me/passkeys/challenge"))
        await ada.post("/api/me/passkeys", last)
        assert await ada.refusal("/api/me/passkeys/challenge") == "too-many-passkeys"


def mutated(rng: random.Random, body: dict[str, Any]) -> dict[str, Any]:
    """Return a body with one field missing, replaced, shortened or with some characters changed."""
    name = rng.choice(list(body))
    text = body[name]
    assert isinstance(text, str)
    place = rng.randrange(len(text))
    letters = "AZaz09_-"
    choices: list[Any] = [None, 7, [], {}, "", "=", "\u202e", "A" * 20_000, text[:place], text + text]
    choices += [text[:place] + rng.choice(letters) + text[place + 1 :] for _ in range(3)]
    choices += ["".join(rng.choices(letters, k=rng.randrange(1, 300))) for _ in range(2)]
    fields = body | {name: rng.choice(choices)}
    return fields if rng.random() < 0.9 else {key: value for key, value in fields.items() if key != name}


async def test_mutated_bodies_are_refused_with_a_text(each_server: ServerProcess) -> None:
    rng = random.Random(17)
    begin = each_server.log_size
    async with Browser(each_server) as ada, Browser(each_server) as phone:
        key = Authenticator(ada.origin)
        await ada.add(key)
        for number in range(FUZZED):
            if number % 2:
                signed = key.sign(await phone.challenge())
                body = mutated(rng, signed)
                answer = await phone.http.post("/api/me/sign-in", json=body)
                if answer.status_code == 200:  # other letters that stand for the same bytes
                    assert {name: passkeys.decode(text) for name, text in body.items()} == {
                        name: passkeys.decode(text) for name, text in signed.items()
                    }
                    continue
            else:
                new = Authenticator(ada.origin)
                body = mutated(rng, new.create(await ada.post("/api/me/passkeys/challenge")))
                answer = await ada.http.post("/api/me/passkeys", json=body)
                if answer.status_code == 201:  # another name, or another public key of the same length
                    assert (await ada.http.delete(f"/api/me/passkeys/{new.id}")).status_code == 200
                    continue
            assert 400 <= answer.status_code < 500, (body, answer.text)
            assert answer.json()["text"]
    assert "Traceback" not in each_server.logged(begin)


@asynccontextmanager
async def local_application(data: Path, now: Callable[[], int]) -> AsyncIterator[httpx.AsyncClient]:
    """Serve an application in this process, at a time of the test's choice, to a new guest."""
    settings = Settings(data, bot_workers=1)
    live_tables = LiveTables(settings, SqliteStore(settings.database), now=now)
    await live_tables.open()
    app: Any = make_app(AppContext(live_tables, SigningKeys(["unused"])))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
        await http.get("/api/me")
        yield http
    await live_tables.close()


async def test_challenge_expires(data: Path) -> None:
    now = [1_000_000]
    async with local_application(data, lambda: now[0]) as http:
        key = Authenticator("http://localhost")
        for late_ms, status in ((1, 409), (0, 201)):
            options = (await http.post("/api/me/passkeys/challenge")).json()
            now[0] += passkeys.CHALLENGE_MS + late_ms
            assert (await http.post("/api/me/passkeys", json=key.create(options))).status_code == status


async def test_sign_ins_and_changes_are_limited(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "monotonic", lambda: 100.0)
    async with local_application(data, lambda: 1) as http:
        codes = [(await http.post("/api/me/recover", json={"code": str(number)})).status_code for number in range(21)]
        assert codes == [404] * 20 + [429]
        made = [(await http.post("/api/me/recovery-code")).status_code for _ in range(61)]
        assert made == [201] * 60 + [429]


async def test_counter_that_another_process_has_stored_is_not_stored_again(data: Path) -> None:
    store = SqliteStore(data / "s.db")
    await store.open()
    key = passkey_queries.Passkey("id", "ab" * 16, "Key", "http://localhost", b"", 3, 1)
    assert await store.write(passkey_queries.add_passkey(key, 1))
    assert not await store.write(passkey_queries.add_passkey(key._replace(id="other"), 1))
    assert await store.write(passkey_queries.use_passkey(key, 4, 2))
    assert not await store.write(passkey_queries.use_passkey(key, 4, 2))
    assert await store.read(passkey_queries.passkey("id")) == key._replace(sign_count=4, used=2)
    await store.close()


def test_recovery_codes_have_125_bits_and_are_read_as_typed() -> None:
    code = passkeys.new_recovery_code()
    assert [len(group) for group in code.split("-")] == [5] * 5
    assert code != passkeys.new_recovery_code()
    assert passkeys.recovery_code_digest(f"{code} \n".lower()) == passkeys.recovery_code_digest(code)
    assert passkeys.recovery_code_digest("OIL") == passkeys.recovery_code_digest("011")
    assert passkeys.recovery_code_digest("A") != passkeys.recovery_code_digest("B")
