"""Web Push: encryption, the server's key, the answers of push services, and the addresses that may be called."""

import asyncio
import socket
import stat
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from sevenhues.core.errors import SevenHuesError
from sevenhues.server.notifications import public_addresses, web_push
from sevenhues.server.notifications.public_addresses import NotAllowed, check_url, is_public, public_address
from sevenhues.server.notifications.web_push import Outcome, PushSender, VapidKey, load_key
from tests.server.push_service import CURVE, Browser, decode, decrypt, encode, raw, serving_pushes

pytestmark = pytest.mark.anyio
SUBJECT = "https://games.example.org:8443"


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> VapidKey:
    return load_key(tmp_path_factory.mktemp("keys") / "push.key")


async def send(key: VapidKey, browser: Browser, text: bytes = b"{}", to_loopback: bool = True) -> Outcome:
    sender = PushSender(key, SUBJECT, to_loopback)
    try:
        body = browser.body
        return await sender.send(browser.endpoint, body["p256dh"], body["auth"], text, "topic")
    finally:
        await sender.close()


def test_message_of_the_rfc_is_decrypted() -> None:
    # RFC 8291, appendix A. The service of the tests is checked by it, and the server by the service.
    private = int.from_bytes(decode("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), "big")
    body = decode(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3"
        "jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    plain = decrypt(body, ec.derive_private_key(private, CURVE), decode("BTBZMqHH6r4Tts7J_aSIgg"))
    assert plain == b"When I grow up, I want to be a watermelon"


@pytest.mark.parametrize("text", [b"x", "ü番".encode() * 500])
def test_encrypted_message_is_read_by_its_browser_alone(text: bytes) -> None:
    browser, other = Browser("https://push.example.org/a"), Browser("https://push.example.org/b")
    body = web_push.encrypt(text, browser.body["p256dh"], browser.body["auth"])
    assert decrypt(body, browser.key, browser.auth) == text
    assert web_push.encrypt(text, browser.body["p256dh"], browser.body["auth"]) != body
    with pytest.raises(Exception, match=r"^$"):  # InvalidTag
        decrypt(body, other.key, other.auth)


def test_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "data" / "push.key"
    with ThreadPoolExecutor(8) as pool:
        keys = {key.public for key in pool.map(lambda _: load_key(path), range(8))}
    assert len(keys) == 1
    assert load_key(path).public in keys
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["push.key"]


@pytest.mark.parametrize("text", ["", "secret", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
def test_file_that_is_not_a_key_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "push.key"
    path.write_text(text)
    with pytest.raises(SevenHuesError, match=r"push\.key is not the key of Web Push"):
        load_key(path)
    assert path.read_text() == text


async def test_message_is_delivered_and_signed(key: VapidKey) -> None:
    with serving_pushes() as service:
        browser = service.browser("ada")
        assert await send(key, browser, b'{"a": 1}') == Outcome("sent")
        (pushed,) = service.pushed(browser)
        assert pushed.message == {"a": 1}
        assert pushed.public_key == key.public
        assert pushed.claims["sub"] == SUBJECT


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (200, "sent"),
        (204, "sent"),
        (301, "refused"),
        (307, "refused"),
        (400, "refused"),
        (403, "refused"),
        (404, "gone"),
        (408, "retry"),
        (410, "gone"),
        (413, "refused"),
        (429, "retry"),
        (500, "retry"),
        (503, "retry"),
    ],
)
async def test_status_decides_what_becomes_of_a_message(key: VapidKey, status: int, kind: str) -> None:
    with serving_pushes() as service:
        browser = service.browser("ada")
        service.answer_with(browser, status)
        service.headers = {"location": f"{service.url}/push/elsewhere", "retry-after": "7"}
        outcome = await send(key, browser)
        assert (outcome.kind, outcome.retry_after) == (kind, 7 if kind == "retry" else 0)
        assert service.requests == ["/push/ada"], "a redirect is not followed"


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("", 0), ("12", 12), ("999999999999", 3600), ("-1", 0), ("soon", 0), ("Thu, 01 Jan 1970 00:02:00 GMT", 20)],
)
def test_time_to_wait_is_read(value: str, seconds: float) -> None:
    assert web_push._retry_after(value, lambda: 100.0) == seconds


async def test_push_service_that_does_not_answer_is_given_up(key: VapidKey, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_push, "SEND_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        browser = Browser(f"http://127.0.0.1:{silent.getsockname()[1]}/push/ada")
        began = time.monotonic()
        assert (await send(key, browser)).kind == "retry"
        assert time.monotonic() - began < 10


async def test_endless_answer_is_not_read(key: VapidKey) -> None:
    ended = threading.Event()

    def answer(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(65536)
            try:
                connection.sendall(b"HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n")
                while True:
                    connection.sendall(b"ffff\r\n" + b"x" * 0xFFFF + b"\r\n")
            except OSError:
                ended.set()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=answer, args=(listener,), daemon=True)
        thread.start()
        assert await send(key, Browser(f"http://127.0.0.1:{listener.getsockname()[1]}/push")) == Outcome("sent")
        assert await asyncio.to_thread(ended.wait, 60)
        thread.join()


PRIVATE = """
0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 127.1.2.3 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1
192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255
:: ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1
100::1 2001:db8::1 2002:7f00:1:: 2002:a00:1:: 2001:0:4136:e378:8000:63bf:f5ff:fffe fc00::1 fd12:3456::1 fe80::1
fe80::1%eth0 fec0::1 ff02::1 nonsense
"""
PUBLIC = """
1.1.1.1 8.8.8.8 142.250.185.74 172.15.0.1 172.32.0.1 2606:4700::1111 2a00:1450:4001::200a ::ffff:8.8.8.8
64:ff9b::808:808
"""


@pytest.mark.parametrize("address", PRIVATE.split())
def test_address_inside_a_network_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC.split())
def test_address_of_the_internet_is_public(address: str) -> None:
    assert is_public(address)


REFUSED_URLS = [
    "",
    "ada",
    "http://push.example.org/a",
    "ftp://push.example.org/a",
    "file:///etc/passwd",
    "https://",
    "https:///a",
    "https://push.example.org:8443/a",
    "https://push.example.org:99999/a",
    "https://push.example.org:x/a",
    "https://user@push.example.org/a",
    "https://user:secret@push.example.org/a",
    "https://push.example.org/a#b",
    "https://push.example.org\\@10.0.0.1/a",
    "https://push.example.org/a b",
    "https://push.example.org/a\r\nx: y",
    "https://püsh.example.org/a",
    "https://localhost/a",
    "https://push.example.org./a",
    "https://[::1]/a",
    "https://[::1/a",
    "http://127.0.0.1:80/a",
    "https://push.example.org/" + "a" * 1000,
]


@pytest.mark.parametrize("url", REFUSED_URLS)
def test_url_of_another_kind_is_refused(url: str) -> None:
    with pytest.raises(NotAllowed):
        check_url(url, to_loopback=False)


@pytest.mark.parametrize("url", ["https://push.example.org/a?b=c", "https://push.example.org:443/a"])
def test_url_of_a_push_service_is_accepted(url: str) -> None:
    assert check_url(url, to_loopback=False).hostname == "push.example.org"


@pytest.mark.parametrize("url", ["http://127.0.0.2:80/a", "http://localhost/a", "http://10.0.0.1/a", "https://[::1]/"])
def test_setting_for_tests_allows_one_address_alone(url: str) -> None:
    assert check_url("http://127.0.0.1:80/a", to_loopback=True).port == 80
    with pytest.raises(NotAllowed):
        check_url(url, to_loopback=True)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "0x7f000001", "2130706433", "017700000001", "localhost", "ip6-localhost"]
)
async def test_spelling_of_loopback_is_found_out(host: str) -> None:
    with pytest.raises((NotAllowed, OSError)):
        await public_address(host, 443)


async def test_name_with_one_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    addresses = ["8.8.8.8", "10.0.0.1"]

    async def resolve(*_: Any, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)) for address in addresses]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolve)
    with pytest.raises(NotAllowed):
        await public_address("push.example.org", 443)
    addresses.pop()
    assert await public_address("push.example.org", 443) == "8.8.8.8"


async def test_name_is_resolved_once_and_connected_to_where_it_was_checked(
    key: VapidKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that is public when it is checked and private when it is called (DNS rebinding) gains nothing."""
    answers, connected = [["8.8.8.8"], ["127.0.0.1"]], []

    async def resolve(*_: Any, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)) for address in answers.pop(0)]

    async def connect(_: Any, host: str, port: int, **__: Any) -> Any:
        connected.append((host, port))
        raise OSError("there is no network")

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolve)
    monkeypatch.setattr("httpcore._backends.auto.AutoBackend.connect_tcp", connect)
    outcome = await send(key, Browser("https://push.example.org/a"), to_loopback=False)
    assert outcome.kind == "retry"
    assert connected == [("8.8.8.8", 443)]
    assert answers == [["127.0.0.1"]]


async def test_private_address_is_forgotten_and_never_connected_to(
    key: VapidKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def resolve(*_: Any, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("169.254.169.254", 443))]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolve)
    outcome = await send(key, Browser("https://push.example.org/a"), to_loopback=False)
    assert outcome == Outcome("gone", "its host is not a machine of the public internet")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("p256dh", ""),
        ("p256dh", "AAAA"),
        ("p256dh", encode(b"\x04" + b"\x01" * 64)),  # not on the curve
        ("p256dh", "ü" * 20),
        ("auth", encode(b"short")),
        ("auth", encode(b"x" * 17)),
        ("auth", "!!!!"),
    ],
)
def test_subscription_with_unusable_keys_is_refused(name: str, value: str) -> None:
    body = Browser("https://push.example.org/a").body | {name: value}
    with pytest.raises(NotAllowed):
        web_push.check_subscription(body["endpoint"], body["p256dh"], body["auth"], False)


def test_usable_subscription_is_accepted() -> None:
    browser = Browser("https://push.example.org/a")
    body = browser.body
    web_push.check_subscription(body["endpoint"], body["p256dh"], body["auth"], False)
    assert len(raw(browser.key.public_key())) == 65
    assert public_addresses.MAX_URL == 1000
