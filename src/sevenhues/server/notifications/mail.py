"""Sending e-mail by the operator's SMTP server, in the language of its reader, as plain text and HTML."""

import asyncio
import re
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from hashlib import sha256
from html import escape
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import aiosmtplib

from sevenhues.core.errors import SevenHuesError
from sevenhues.server.notifications.messages import Notification, texts
from sevenhues.server.notifications.web_push import Outcome

SEND_SECONDS = 10.0
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z0-9-]{2,63}")
MAX_ADDRESS = 254  # characters
PORTS = {"smtp": 587, "smtps": 465}
NO_MAILBOX = (550, 551, 553)  # the server will never take e-mail for this address


class SmtpServer(NamedTuple):
    """The SMTP server of an operator."""

    host: str
    port: int
    tls: bool  # from the first byte; otherwise by STARTTLS if the server offers it
    user: str | None
    password: str | None


def read_smtp_url(url: str) -> SmtpServer:
    """Read smtp://user:password@host:587 or smtps://host:465; raise SevenHuesError if it is neither."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in PORTS or not parts.hostname or parts.path.strip("/") or parts.query:
        raise SevenHuesError("--smtp-url must be smtp://user:password@host:587 or smtps://user:password@host:465")
    user = unquote(parts.username) if parts.username else None
    password = unquote(parts.password) if parts.password else None
    return SmtpServer(parts.hostname, port or PORTS[parts.scheme], parts.scheme == "smtps", user, password)


def is_address(text: str) -> bool:
    """Tell whether a text is an e-mail address."""
    return len(text) <= MAX_ADDRESS and ADDRESS.fullmatch(text) is not None and ".." not in text


class Mailer:
    """Writes and sends e-mail. Links lead to the server's public address."""

    def __init__(self, server: SmtpServer, sender: str, public_url: str) -> None:
        self._server = server
        self._sender = sender
        self._public_url = public_url.rstrip("/")

    def write(self, to: str, language: str, token: str, notification: Notification, number: int) -> EmailMessage:
        """Write the e-mail of a message about a table. Sent again after a crash, it has the same id."""
        words = texts(language)
        link = self._public_url + notification.link
        stop_page = f"{self._public_url}/unsubscribe#{token}"
        email = self._email(to, language, f"{notification.title}: {notification.text}")
        digest = sha256(f"{token} {notification.table} {notification.kind} {number}".encode()).hexdigest()[:32]
        email["Message-ID"] = f"<{digest}@{self._domain}>"
        # RFC 8058: the reader's e-mail program stops these e-mails by itself, without a page and without signing in.
        email["List-Unsubscribe"] = f"<{self._public_url}/api/notifications/unsubscribe/{token}>"
        email["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        email.set_content(
            f"{notification.title}\n{notification.text}\n\n{words['open']}: {link}\n\n"
            f"-- \n{words['stop.about']}\n{words['stop']}: {stop_page}\n"
        )
        email.add_alternative(
            _page(
                language,
                notification.title,
                notification.text,
                (words["open"], link),
                f'{escape(words["stop.about"])} <a href="{escape(stop_page)}">{escape(words["stop"])}</a>',
            ),
            subtype="html",
        )
        return email

    def write_confirmation(self, to: str, language: str, token: str) -> EmailMessage:
        """Write the e-mail that asks the owner of an address to confirm it."""
        words = texts(language)
        link = f"{self._public_url}/confirm-email#{token}"
        email = self._email(to, language, words["confirm"])
        email["Message-ID"] = make_msgid(domain=self._domain)
        email.set_content(f"{words['confirm.about']}\n\n{words['confirm.go']}: {link}\n")
        page = _page(language, words["confirm"], words["confirm.about"], (words["confirm.go"], link), "")
        email.add_alternative(page, subtype="html")
        return email

    async def send(self, email: EmailMessage) -> Outcome:
        """Send an e-mail."""
        server = self._server
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await aiosmtplib.send(
                    email,
                    hostname=server.host,
                    port=server.port,
                    username=server.user,
                    password=server.password,
                    use_tls=server.tls,
                    # A password is never sent in clear text.
                    start_tls=None if server.user is None or server.tls else True,
                    timeout=SEND_SECONDS,
                )
        except aiosmtplib.SMTPRecipientsRefused as error:
            codes = [one.code for one in error.recipients]
            if any(code in NO_MAILBOX for code in codes):
                return Outcome("gone", f"SMTP {codes}")
            return Outcome("retry", f"SMTP {codes}")
        except aiosmtplib.SMTPResponseException as error:
            refused = 500 <= error.code < 600 and not isinstance(error, aiosmtplib.SMTPAuthenticationError)
            return Outcome("refused" if refused else "retry", f"SMTP {error.code}")
        except (aiosmtplib.SMTPException, OSError, TimeoutError, ValueError) as error:
            return Outcome("retry", type(error).__name__)
        return Outcome("sent")

    def _email(self, to: str, language: str, subject: str) -> EmailMessage:
        email = EmailMessage()
        email["From"] = self._sender
        email["To"] = to
        email["Subject"] = " ".join(subject.split())
        email["Date"] = formatdate()
        email["Content-Language"] = language
        email["Auto-Submitted"] = "auto-generated"
        return email

    @property
    def _domain(self) -> str:
        return urlsplit(self._public_url).hostname or "localhost"


def _page(language: str, title: str, text: str, button: tuple[str, str], footer: str) -> str:
    words, link = button
    return (
        f'<!doctype html><html lang="{escape(language)}"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '</head><body style="font-family: sans-serif; line-height: 1.5; max-width: 32em">'
        f'<h1 style="font-size: 1.25em">{escape(title)}</h1><p>{escape(text)}</p>'
        f'<p><a href="{escape(link)}">{escape(words)}</a></p>'
        + (f'<p style="font-size: 0.85em">{footer}</p>' if footer else "")
        + "</body></html>"
    )
