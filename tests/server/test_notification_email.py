"""E-mail: confirmed first, in the reader's language, stopped by one click; over a real SMTP server on loopback."""

import email
import email.policy
import re
import threading
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import httpx
import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from sevenhues.client import Client
from sevenhues.core.errors import SevenHuesError
from sevenhues.server.notifications.mail import SmtpServer, is_address, read_smtp_url
from sevenhues.server.notifications.messages import LANGUAGES, texts
from sevenhues.server.notifications.notices import KINDS
from tests.cli.command import error_message, sevenhues
from tests.server.notified_players import choose, join_and_start, players, take_turn, wait_for_settings
from tests.server.play import DEADLINE_SECONDS, wait_until
from tests.server.process import ServerProcess, port_of, reserve_port

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
PUBLIC_URL = "https://games.example.org"


class Mailbox:
    """Takes e-mail for all addresses but those that it refuses."""

    def __init__(self) -> None:
        self.emails: list[EmailMessage] = []
        self.refused: dict[str, str] = {}  # the answer for an address
        self._lock = threading.Lock()

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        content = envelope.content
        assert isinstance(content, bytes)
        with self._lock:
            self.emails.append(email.message_from_bytes(content, policy=email.policy.default))
        return "250 OK"

    def to(self, address: str, subject: str = "") -> list[EmailMessage]:
        return [one for one in list(self.emails) if one["To"] == address and subject in one["Subject"]]


@pytest.fixture(scope="module")
def mailbox() -> Iterator[tuple[Mailbox, int]]:
    handler = Mailbox()
    reserved = reserve_port()
    # With a name of its own it does not look for this machine's name in the network.
    controller = Controller(
        handler,
        hostname="127.0.0.1",
        port=port_of(reserved),
        ready_timeout=DEADLINE_SECONDS,
        server_hostname="localhost",
    )
    controller.start()
    yield handler, port_of(reserved)
    controller.stop()
    reserved.close()


@pytest.fixture(scope="module")
def mailing(mailbox: tuple[Mailbox, int], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    options = ["--smtp-url", f"smtp://127.0.0.1:{mailbox[1]}", "--mail-from", "Seven Hues <games@example.org>"]
    options += ["--public-url", PUBLIC_URL, "--mail-delay", "0", "--no-limits"]
    with ServerProcess(tmp_path_factory.mktemp("mailing"), *options) as running:
        yield running.url
        assert '"level": "error"' not in running.logged()


def client(url: str) -> httpx.AsyncClient:
    """Return a client without an account."""
    return httpx.AsyncClient(base_url=url, timeout=DEADLINE_SECONDS)


def part(message: EmailMessage, kind: str) -> str:
    body = message.get_body((kind,))
    assert body is not None
    text: str = body.get_content()
    return text


async def add_email(user: Client, address: str, language: str = "en") -> dict[str, Any]:
    body = {"address": address, "language": language}
    answer = await user._http.post("/api/me/notifications/email", json=body)
    assert answer.status_code == 200, answer.text
    settings: dict[str, Any] = answer.json()
    return settings


async def confirm(url: str, mailbox: Mailbox, address: str) -> str:
    """Confirm an address by the link in its e-mail, without an account; return the token of the link."""
    await wait_until(lambda: mailbox.to(address))
    link = re.search(rf"{PUBLIC_URL}/confirm-email#(\S+)", part(mailbox.to(address)[-1], "plain"))
    assert link
    async with client(url) as anybody:
        answer = await anybody.post("/api/notifications/confirm", json={"token": link[1]})
    assert answer.status_code == 200
    return link[1]


async def test_email_is_sent_after_confirmation_alone(mailing: str, mailbox: tuple[Mailbox, int]) -> None:
    box, address = mailbox[0], "ben@example.org"
    async with players(mailing, "Ada", "Ben <b>&") as (ada, ben):
        settings = await add_email(ben, address)
        assert (settings["email_offered"], settings["email"]) == (True, {"address": address, "confirmed": False})
        await wait_until(lambda: box.to(address, "Confirm"))
        table = await join_and_start(ada, ben)
        await take_turn(ada, table)
        assert len(box.to(address)) == 1
        token = await confirm(mailing, box, address)
        assert (await ben._http.get("/api/me/notifications")).json()["email"]["confirmed"]
        await take_turn(ben, table)
        await take_turn(ada, table)
        await wait_until(lambda: len(box.to(address)) == 2)
        message = box.to(address)[-1]
        assert message["Subject"] == "Your turn: Rainbow with Ada"
        assert message["From"] == "Seven Hues <games@example.org>"
        assert message["List-Unsubscribe"] == f"<{PUBLIC_URL}/api/notifications/unsubscribe/{token}>"
        assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        for kind in ("plain", "html"):
            assert f"{PUBLIC_URL}/t/{table}" in part(message, kind)
            assert f"{PUBLIC_URL}/unsubscribe#{token}" in part(message, kind)


async def test_one_click_stops_email_without_signing_in(mailing: str, mailbox: tuple[Mailbox, int]) -> None:
    box, address = mailbox[0], "kim@example.org"
    async with players(mailing, "Ada", "Kim") as (ada, kim):
        await add_email(kim, address)
        token = await confirm(mailing, box, address)
        path = f"/api/notifications/unsubscribe/{token}"
        async with client(mailing) as anybody:
            looked = await anybody.get(path)
            assert (looked.status_code, looked.headers["location"]) == (302, f"/unsubscribe#{token}")
            assert (await kim._http.get("/api/me/notifications")).json()["email"] is not None, "looking changes nothing"
            for _ in range(2):
                answer = await anybody.post(path, data={"List-Unsubscribe": "One-Click"})
                assert answer.status_code == 200
        assert (await kim._http.get("/api/me/notifications")).json()["email"] is None
        table = await join_and_start(ada, kim)
        await take_turn(ada, table)
        await add_email(ada, "end@example.org")  # is sent after what was due before
        await wait_until(lambda: box.to("end@example.org"))
        assert len(box.to(address)) == 1


@pytest.mark.parametrize("language", LANGUAGES)
async def test_email_is_in_the_language_of_its_reader(
    mailing: str, mailbox: tuple[Mailbox, int], language: str
) -> None:
    box, address = mailbox[0], f"{language}@example.org"
    async with players(mailing, "Ada", "Ben") as (ada, ben):
        table = await join_and_start(ada, ben)
        await choose(ben, kinds=["turn"])
        await add_email(ben, address, language)
        await confirm(mailing, box, address)
        assert box.to(address)[0]["Subject"] == texts(language)["confirm"]
        await take_turn(ada, table)
        await wait_until(lambda: len(box.to(address)) == 2)
        message = box.to(address)[-1]
        assert message["Subject"].startswith(texts(language)["turn"])
        assert f'<html lang="{language}">' in part(message, "html")
        assert texts(language)["stop"] in part(message, "plain")


async def test_mailbox_that_does_not_exist_is_forgotten(mailing: str, mailbox: tuple[Mailbox, int]) -> None:
    box, address = mailbox[0], "nobody@example.org"
    box.refused[address] = "550 No such mailbox"
    async with players(mailing, "Ada") as (ada,):
        await add_email(ada, address)
        await wait_for_settings(ada, lambda settings: settings["email"] is None)


@pytest.mark.parametrize("token", ["", "x", "ü", "a" * 64, "'; --", "a" * 65])
async def test_wrong_link_is_refused(mailing: str, token: str) -> None:
    async with client(mailing) as anybody:
        answer = await anybody.post("/api/notifications/confirm", json={"token": token})
        assert 400 <= answer.status_code < 500
        assert (await anybody.post(f"/api/notifications/unsubscribe/{token or 'x'}")).status_code in (200, 404)


BAD_ADDRESSES = [
    "",
    "ada",
    "ada@",
    "@example.org",
    "ada@example",
    "a b@example.org",
    "ada@example.org\r\nBcc: kim@example.org",
    "ada@example.org,kim@example.org",
    "Ada <ada@example.org>",
    "ada@exa..mple.org",
    "a" * 65 + "@example.org",
]


@pytest.mark.parametrize("address", BAD_ADDRESSES)
async def test_text_that_is_not_an_address_is_refused(mailing: str, address: str) -> None:
    assert not is_address(address)
    async with Client(mailing) as ada:
        answer = await ada._http.post("/api/me/notifications/email", json={"address": address})
        assert answer.status_code == 400


def test_languages_have_the_same_sentences() -> None:
    english = texts("en")
    assert set(KINDS) <= set(english)
    for language in LANGUAGES:
        words = texts(language)
        assert list(words) == list(english)
        for key, text in words.items():
            assert set(re.findall(r"{(\w+)}", text)) == set(re.findall(r"{(\w+)}", english[key])), (language, key)


def test_url_of_an_smtp_server_is_read() -> None:
    assert read_smtp_url("smtp://mail.example.org") == SmtpServer("mail.example.org", 587, False, None, None)
    full = SmtpServer("mail.example.org", 465, True, "ada@example.org", "p:w@d")
    assert read_smtp_url("smtps://ada%40example.org:p%3Aw%40d@mail.example.org") == full


@pytest.mark.parametrize("url", ["", "mail.example.org", "http://a.org", "smtp://", "smtp://a.org:x", "smtp://a.org/b"])
def test_other_urls_are_refused_without_repeating_them(url: str) -> None:
    with pytest.raises(SevenHuesError, match=r"^--smtp-url must be smtp://user:password@host:587 or smtps://"):
        read_smtp_url(url)


@pytest.mark.parametrize("more", [[], ["--mail-from", "a@example.org"], ["--public-url", PUBLIC_URL]])
def test_email_needs_a_sender_and_a_public_address(data: Path, more: list[str]) -> None:
    options = ["serve", "--data", str(data), "--smtp-url", "smtp://127.0.0.1:9", *more]
    error = error_message(sevenhues(*options), 2)
    assert error == "--smtp-url needs --mail-from and, for the links in e-mail, --public-url"
