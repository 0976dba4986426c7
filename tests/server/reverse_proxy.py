"""A reverse proxy with TLS before a server, which is set up rightly, or with one fault."""

import asyncio
import datetime
import ipaddress
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.server.proxy import ThreadedProxy, pump

Headers = list[tuple[str, str]]
SMALL_BODY = 16_000  # bytes
UNTRUSTED_ADDRESS = "127.0.0.2"


class ReverseProxy(ThreadedProxy):
    """Passes requests on, each over a connection of its own, with the headers that the server needs."""

    def __init__(self, port: int, tls: ssl.SSLContext) -> None:
        super().__init__(tls=tls)
        self.fault = ""
        self._port = port

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request, headers = await read_head(reader)
        if self.fault == "small bodies" and int(dict(headers).get("content-length", 0)) > SMALL_BODY:
            writer.write(b"HTTP/1.1 413 Request Entity Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
            return
        local = (UNTRUSTED_ADDRESS, 0) if self.fault == "not trusted" else None
        from_server, to_server = await asyncio.open_connection("127.0.0.1", self._port, local_addr=local)
        try:
            write_head(to_server, request, self._of_request(headers, writer.get_extra_info("peername")[0]))
            passing = asyncio.create_task(pump(reader, to_server))
            try:
                status, answered = await read_head(from_server)
                write_head(writer, status, self._of_answer(answered))
                await pump(from_server, writer)
            finally:
                passing.cancel()
        finally:
            to_server.close()

    def _of_request(self, headers: Headers, client: str) -> Headers:
        replaced = {"x-forwarded-proto", "connection"} | (
            {"x-forwarded-for"} if self.fault != "forged address" else set()
        )
        changed = [(name, value) for name, value in headers if name not in replaced]
        if self.fault not in ("forged address", "no address"):
            changed.append(("x-forwarded-for", client))
        if self.fault != "no scheme":
            changed.append(("x-forwarded-proto", "https"))
        if self.fault == "other host":
            changed = [(name, "127.0.0.1" if name == "host" else value) for name, value in changed]
        if self.fault == "no compression":
            changed = [(name, value) for name, value in changed if name != "accept-encoding"]
        if self.fault == "no upgrade":
            changed = [(name, value) for name, value in changed if name != "upgrade"]
        upgraded = any(name == "upgrade" for name, _ in changed)
        return [*changed, ("connection", "upgrade" if upgraded else "close")]

    def _of_answer(self, headers: Headers) -> Headers:
        removed = {"no hsts": "strict-transport-security", "no date": "date"}.get(self.fault)
        changed = [(name, value) for name, value in headers if name != removed]
        if self.fault == "insecure cookie":
            return [(name, value.replace("; Secure", "").replace("; secure", "")) for name, value in changed]
        if self.fault == "wrong date":
            return [(name, "Wed, 01 Jan 2020 00:00:00 GMT" if name == "date" else value) for name, value in changed]
        return changed


async def read_head(reader: asyncio.StreamReader) -> tuple[str, Headers]:
    """Read the first line of a message and its headers."""
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")[:-2]
    pairs = [line.partition(":") for line in lines]
    return first, [(name.lower(), value.strip()) for name, _, value in pairs]


def write_head(writer: asyncio.StreamWriter, first: str, headers: Headers) -> None:
    lines = [first, *[f"{name}: {value}" for name, value in headers]]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))


def make_certificate(path: Path, days: float) -> ssl.SSLContext:
    """Write a certificate of 127.0.0.1 that is valid for some days; return a server's context with it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    own_key = path.with_suffix(".key")
    own_key.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path, own_key)
    return context
