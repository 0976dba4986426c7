"""A desktop that shows notifications: a D-Bus session of its own, whose notification service is the test's."""

import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from jeepney import DBusAddress, HeaderFields, MessageType, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection
from playwright.sync_api import Page

from tests.browser.user import PATIENCE

SERVICE = "org.freedesktop.Notifications"
CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={path}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


def wait_until(page: Page, reached: Callable[[], object]) -> None:
    """Wait until a condition holds, while the browser goes on."""
    deadline = time.monotonic() + PATIENCE
    while not reached():
        assert time.monotonic() < deadline, "the state is not reached"
        page.wait_for_timeout(20)


class Shown(NamedTuple):
    """A notification on the desktop."""

    id: int
    title: str
    body: str


class Desktop:
    """Notes what is shown and closed, and clicks on notifications as a person does."""

    def __init__(self, folder: Path) -> None:
        self.shown: list[Shown] = []
        self.closed: list[int] = []
        self._folder = folder
        self._sending = threading.Lock()
        self.address = f"unix:path={folder / 'bus'}"

    def __enter__(self) -> Self:
        configuration = self._folder / "session.conf"
        configuration.write_text(CONFIGURATION.format(path=self._folder / "bus"))
        command = ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--print-address=1"]
        self._bus = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert self._bus.stdout is not None
        self._bus.stdout.readline()  # it listens now
        self._connection = open_dbus_connection(self.address)
        self._connection.send_and_get_reply(message_bus.RequestName(SERVICE))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self._bus.terminate()
        self._bus.wait()
        assert self._bus.stdout is not None
        self._bus.stdout.close()
        self._thread.join()
        self._connection.close()

    def wait_for(self, page: Page, count: int) -> Shown:
        """Wait until so many notifications were shown in all, and return the last one."""
        wait_until(page, lambda: len(self.shown) >= count)
        return self.shown[count - 1]

    def click(self, shown: Shown) -> None:
        address = DBusAddress("/org/freedesktop/Notifications", SERVICE, SERVICE)
        self._send(new_signal(address, "ActionInvoked", "us", (shown.id, "default")))

    def _serve(self) -> None:
        while True:
            try:
                message = self._connection.receive()
            except (OSError, EOFError):
                return
            if message.header.message_type == MessageType.method_call:
                self._answer(message)

    def _send(self, message: Any) -> None:
        with self._sending:
            self._connection.send(message)

    def _answer(self, message: Any) -> None:
        match message.header.fields[HeaderFields.member]:
            case "GetCapabilities":
                self._send(new_method_return(message, "as", (["actions", "body"],)))
            case "GetServerInformation":
                self._send(new_method_return(message, "ssss", ("desktop", "tests", "1", "1.2")))
            case "Notify":
                _, replaced, _, title, body, *_ = message.body
                shown = Shown(replaced or len(self.shown) + 1, title, body)
                self._send(new_method_return(message, "u", (shown.id,)))
                self.shown.append(shown)  # only now: Chromium ignores a click before it knows the id
            case "CloseNotification":
                self.closed.append(message.body[0])
                self._send(new_method_return(message))
            case _:
                self._send(new_method_return(message))
