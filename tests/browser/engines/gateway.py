"""A way to a server for one page: an address of its own, a list of the page's errors, and a connection to cut.

Browsers keep cookies and storage by address, so pages at different addresses belong to different users, also in an
engine without separate contexts. Every document gets a script that reports errors to the gateway, because WebDriver
offers neither the console nor a script that runs before the page's own. Answers that refuse a request are errors too.
"""

import asyncio
from ipaddress import IPv4Address
from itertools import count
from pathlib import Path

from tests.server.proxy import ThreadedProxy, pump

REPORT_SCRIPT = Path(__file__).with_name("report_errors.js").read_bytes()
SCRIPT_PATH, REPORT_PATH = "/test-errors.js", "/test-errors"
SCRIPT_TAG = f'<script src="{SCRIPT_PATH}"></script>'.encode()
END_OF_HEAD = b"\r\n\r\n"
FIRST_ERROR_STATUS = 400
_addresses = (str(IPv4Address("127.0.0.1") + number) for number in count(1))


class Gateway(ThreadedProxy):
    """Forwards HTTP and websockets to a port of 127.0.0.1 while it is open."""

    def __init__(self, port: int) -> None:
        super().__init__(next(_addresses))
        self.errors: list[str] = []
        # Answered here. Firefox asks for an icon beside a document that names none, such as a picture.
        self.files = {SCRIPT_PATH: REPORT_SCRIPT, "/favicon.ico": b""}
        self._target = port
        self._is_cut = False
        self._clients: set[asyncio.StreamWriter] = set()

    def cut(self) -> None:
        """Reset every connection, and every new one until `mend`."""
        self._is_cut = True
        self._loop.call_soon_threadsafe(self._reset_all)

    def mend(self) -> None:
        self._is_cut = False

    def _reset_all(self) -> None:
        for client in self._clients:
            client.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._clients.add(writer)
        try:
            if self._is_cut:
                writer.transport.abort()
            else:
                await self._answer_request(reader, writer)
        finally:
            self._clients.discard(writer)

    async def _answer_request(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the one request of a connection."""
        request, headers = _parse(await reader.readuntil(END_OF_HEAD))
        path = request.split(" ")[1]
        if path in self.files:
            writer.write(_answer("200 OK", self.files[path]))
            await writer.drain()
        elif path == REPORT_PATH:
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            self.errors.append(body.decode())
            writer.write(_answer("200 OK", b""))
            await writer.drain()
        else:
            await self._forward(request, headers, reader, writer)

    async def _forward(
        self, request: str, headers: dict[str, str], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        is_document = request.startswith("GET ") and "text/html" in headers.get("accept", "")
        if "upgrade" not in headers:
            headers["connection"] = "close"
        if is_document:
            headers["accept-encoding"] = "identity"
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self._target)
        try:
            server_writer.write(_head(request, headers))
            if is_document:
                writer.write(_with_script(await server_reader.read()))
                await writer.drain()
                return
            up = asyncio.create_task(pump(reader, server_writer))
            down = asyncio.create_task(self._pass_answer(request, server_reader, writer))
            await asyncio.wait([up, down], return_when=asyncio.FIRST_COMPLETED)
            for task in (up, down):
                task.cancel()
            await asyncio.gather(up, down, return_exceptions=True)
        finally:
            server_writer.close()

    async def _pass_answer(
        self, request: str, server_reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Pass an answer on, and note it if it refuses the request."""
        head = await server_reader.readuntil(END_OF_HEAD)
        status = int(head.split(b" ", 2)[1])
        if status >= FIRST_ERROR_STATUS:
            self.errors.append(f"answered with {status}: {request}")
        writer.write(head)
        await pump(server_reader, writer)


def _parse(head: bytes) -> tuple[str, dict[str, str]]:
    request, *lines = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    pairs = (line.split(":", 1) for line in lines)
    return request, {name.lower(): value.strip() for name, value in pairs}


def _head(first: str, headers: dict[str, str]) -> bytes:
    lines = [first, *[f"{name}: {value}" for name, value in headers.items()]]
    return "\r\n".join(lines).encode("latin-1") + END_OF_HEAD


def _answer(status: str, body: bytes) -> bytes:
    headers = {"content-type": "text/javascript", "content-length": str(len(body)), "connection": "close"}
    return _head(f"HTTP/1.1 {status}", headers) + body


def _with_script(response: bytes) -> bytes:
    """Put the script first into the head of a document."""
    head, _, body = response.partition(END_OF_HEAD)
    status, headers = _parse(head + END_OF_HEAD)
    body = body.replace(b"<head>", b"<head>" + SCRIPT_TAG, 1)
    return _head(status, headers | {"content-length": str(len(body))}) + body
