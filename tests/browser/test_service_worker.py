"""The service worker in a real browser: complete versions, updates that never mix them, and failed downloads."""

import gzip
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

import sevenhues
from sevenhues.core.play import deal
from tests.browser.conftest import SERVER_OPTIONS, require
from tests.browser.releases import MARK, Release
from tests.browser.user import PATIENCE, SECONDS

ROOT = Path(__file__).parents[2]
RELEASE = "document.querySelector('meta[name=release]')?.content ?? '1'"
STATE = "installation.state.kind"
CACHES = "caches.keys().then((names) => names.sort())"
STORED = """async () => {
    const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = (await Promise.all(caches_.map((cache) => cache.keys()))).flat();
    return requests.map((request) => new URL(request.url).pathname);
}"""
# Page.wait_for_function would need a looser Content-Security-Policy.
UNTIL = """async (deadline) => {{
    while (!(await ({condition}))) {{
        if (performance.now() > deadline) throw new Error("not reached: " + {text});
        await new Promise((resolve) => setTimeout(resolve, 10));
    }}
}}"""


@pytest.fixture(scope="session")
def installation_script(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Build the client's module of the installation as a script of its own."""
    node = Path(sys.executable).with_name("node")
    vite = ROOT / "web/node_modules/vite/bin/vite.js"
    require(node.exists() and vite.exists(), "the build tools of the client are not installed: run `make web`")
    folder = tmp_path_factory.mktemp("script")
    build = [str(node), str(vite), "build", "--logLevel", "error", "--config", "vite.installation-page.config.ts"]
    subprocess.run([*build, "--outDir", str(folder), "--emptyOutDir"], cwd=ROOT / "web", check=True)
    return (folder / "installation-page.js").read_text(encoding="utf-8")


@pytest.fixture
def release(client: None, tmp_path: Path) -> Iterator[Release]:
    with Release(tmp_path, *SERVER_OPTIONS) as running:
        yield running


@pytest.fixture
def context(browser: Browser, release: Release, installation_script: str) -> Iterator[BrowserContext]:
    """A browser in which every page has the installation as `window.installation`."""
    opened = browser.new_context(base_url=release.server.url)
    opened.add_init_script(installation_script)
    opened.set_default_timeout(PATIENCE * SECONDS)
    yield opened
    opened.close()


def open_page(context: BrowserContext, path: str = "/") -> Page:
    page = context.new_page()
    page.goto(path)
    page.evaluate("installation.opened")
    return page


def make_available(page: Page) -> Any:
    page.evaluate("installation.makeAvailable()")
    return page.evaluate("installation.state")


def wait_until(page: Page, condition: str) -> None:
    """Wait until an expression is true in a page."""
    now = page.evaluate("performance.now()")
    page.evaluate(UNTIL.format(condition=condition, text=json.dumps(condition)), now + PATIENCE * SECONDS)


def look_for_update(page: Page) -> None:
    page.evaluate("installation.lookForUpdate()")
    wait_until(page, "installation.updateReady || installation.updateFailure")


def test_client_is_complete_without_a_server(context: BrowserContext, release: Release) -> None:
    page = open_page(context)
    assert make_available(page) == {"kind": "ready"}
    stored = page.evaluate(STORED)
    assert {"/", "/offline/parts.json", release.part_path("one.zip"), release.part_path("two.zip")} <= set(stored)
    assert not [path for path in stored if path.startswith(("/api/", "/service-worker"))]
    files = {f"/assets/{file.name}" for file in (release.client / "assets").iterdir()}
    assert files <= set(stored)
    release.server.kill()
    for path in ("/", "/rules/nimble", "/t/offline-1"):
        page.goto(path)
        assert page.evaluate("JSON.parse(document.getElementById('games').textContent).length") == 4
        page.wait_for_selector("main")
    page.evaluate("installation.opened")
    assert page.evaluate(STATE) == "ready"
    fetched = page.evaluate("(paths) => Promise.all(paths.map(async (path) => (await fetch(path)).status))", stored)
    assert set(fetched) == {200}


def test_update_waits_and_other_tabs_keep_their_version(context: BrowserContext, release: Release) -> None:
    first, second = open_page(context), open_page(context)
    assert make_available(second) == {"kind": "ready"}
    first.reload()
    old_parts = first.evaluate("installation.parts()")
    kept, changed = release.part_path("one.zip"), release.part_path("two.zip")
    old_asset = next((release.client / "assets").glob("ReplayPage-*.js"))

    def next_version() -> None:
        release.mark()
        old_asset.unlink()
        release.set_parts({"one.zip": b"one", "two.zip": b"two, changed"})
        (release.client / f"{kept}.gz".lstrip("/")).unlink()  # so that it cannot be downloaded again

    for page in (first, second):
        page.evaluate("window.untouched = true")
    release.update(next_version)
    look_for_update(second)
    wait_until(first, "installation.updateReady")
    assert [page.evaluate("window.untouched") for page in (first, second)] == [True, True]
    assert second.evaluate(f"fetch('/').then((page) => page.text()).then((text) => text.includes('{MARK}'))") is False

    with second.expect_navigation():
        second.evaluate("void installation.applyUpdate()")
    assert second.evaluate(RELEASE) == "2"
    second.evaluate("installation.opened")
    assert second.evaluate(STATE) == "ready"
    assert second.evaluate("installation.updateReady") is False
    # The other tab was not reloaded, and gets the files of its version.
    assert first.evaluate("window.untouched") is True
    assert first.evaluate("installation.updateReady") is True
    assert first.evaluate("installation.parts()") == old_parts != second.evaluate("installation.parts()")
    fetch = "(path) => fetch(path).then((answer) => answer.status)"
    assert [first.evaluate(fetch, path) for path in (f"/assets/{old_asset.name}", kept, changed)] == [200] * 3
    assert first.evaluate(f"fetch('/').then((page) => page.text()).then((text) => text.includes('{MARK}'))") is False

    with first.expect_navigation():
        first.evaluate("void installation.applyUpdate()")
    assert first.evaluate(RELEASE) == "2"
    wait_until(first, f"{CACHES}.then((names) => names.filter((name) => name.includes('shell')).length === 1)")
    wait_until(first, f"({STORED})().then((paths) => !paths.includes('{changed}'))")
    stored = first.evaluate(STORED)
    assert {kept, release.part_path("two.zip")} <= set(stored)


def test_new_version_takes_over_when_no_page_is_open(context: BrowserContext, release: Release) -> None:
    page = open_page(context)
    make_available(page)
    release.update(release.mark)
    look_for_update(page)
    page.reload()
    assert page.evaluate(RELEASE) == "1"
    deadline = time.monotonic() + PATIENCE
    while page.evaluate(RELEASE) == "1":  # activation follows the last page at once, and takes a moment
        assert time.monotonic() < deadline
        page.goto("about:blank")
        page.goto("/")
    release.server.kill()
    page.reload()
    assert page.evaluate(RELEASE) == "2"


def test_failed_download_is_not_taken_for_complete(context: BrowserContext, release: Release) -> None:
    page = open_page(context)
    part = release.part_path("two.zip")
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url.removeprefix(release.server.url)))
    page.route(f"**{part}", lambda route: route.abort())
    assert make_available(page) == {"kind": "failed", "reason": "network"}
    assert page.evaluate("navigator.serviceWorker.getRegistration('/').then((found) => !!found)") is False
    page.reload()
    page.evaluate("installation.opened")
    assert page.evaluate(STATE) == "none"
    page.unroute(f"**{part}")

    file = release.client / f"{part}.gz".lstrip("/")
    sound = file.read_bytes()
    file.write_bytes(gzip.compress(b"twO"))
    assert make_available(page) == {"kind": "failed", "reason": "corrupted"}
    assert part not in page.evaluate(STORED)
    file.write_bytes(sound)
    requested.clear()
    assert make_available(page) == {"kind": "ready"}
    assert (part in requested, release.part_path("one.zip") in requested) == (True, False)

    page.evaluate("installation.remove()")
    assert page.evaluate(CACHES) == []
    page.reload()
    assert page.evaluate("navigator.serviceWorker.controller") is None
    assert make_available(page) == {"kind": "ready"}


def test_failed_update_leaves_the_present_version(context: BrowserContext, release: Release) -> None:
    page = open_page(context)
    make_available(page)

    def broken_version() -> None:
        release.mark()
        release.set_parts({"one.zip": b"one", "two.zip": b"two, changed"})
        (release.client / f"{release.part_path('two.zip')}.gz".lstrip("/")).write_bytes(gzip.compress(b"broken"))

    release.update(broken_version)
    look_for_update(page)
    assert page.evaluate("[installation.updateReady, installation.updateFailure]") == [False, "corrupted"]
    wait_until(page, f"{STATE} === 'ready'")
    release.server.kill()
    page.reload()
    page.evaluate("installation.opened")
    assert page.evaluate(f"[{RELEASE}, {STATE}]") == ["1", "ready"]


def test_full_storage_is_reported(context: BrowserContext, release: Release) -> None:
    release.update(lambda: release.set_parts({"large.zip": b"0" * 4_000_000}))
    page = open_page(context)
    quota = {"origin": release.server.url, "quotaSize": 1_000_000}
    context.new_cdp_session(page).send("Storage.overrideQuotaForOrigin", quota)
    assert make_available(page) == {"kind": "failed", "reason": "storage-full"}
    assert release.part_path("large.zip") not in page.evaluate(STORED)


def test_visitor_who_does_not_ask_gets_no_service_worker(browser: Browser, release: Release) -> None:
    context = browser.new_context(base_url=release.server.url)
    page = context.new_page()
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.goto("/")
    page.wait_for_selector("main article")
    page.wait_for_load_state("networkidle")
    registrations = page.evaluate("navigator.serviceWorker.getRegistrations().then((found) => found.length)")
    assert (registrations, page.evaluate(CACHES)) == (0, [])
    assert not [url for url in requested if "/offline" in url or "service-worker" in url]
    context.close()


WORKER = """
const { parts } = await (await fetch("/offline/parts.json")).json();
const path = (name) => parts.find((part) => part.name === name).path;
const load = (name) => fetch(path(name)).then((answer) => answer.arrayBuffer());
const own = fetch;
self.fetch = (address, options) => own(`${address}`.endsWith(".wasm") ? path("pyodide.asm.wasm") : address, options);
try {
    const { loadPyodide } = await import(path("pyodide.mjs"));
    const python = await loadPyodide({
        indexURL: "/offline/",
        createPyodideModule: (await import(path("pyodide.asm.mjs"))).default,
        stdLibURL: path("python_stdlib.zip"),
        lockFileContents: await (await fetch(path("pyodide-lock.json"))).json(),
    });
    for (const name of ["packages.zip", "sevenhues.zip"])
        python.unpackArchive(await load(name), "zip", { extractDir: "/parts" });
    postMessage(python.runPython(`
import sys
sys.path.append("/parts")
import librt.vecs, msgspec, sevenhues
from sevenhues.core.play import deal
" ".join(str(deal(sevenhues.load(name), b"a").to_act()) for name in sevenhues.names())
`));
} catch (error) {
    postMessage(`${error}`);
}
"""
COMPILE = """
WebAssembly.instantiate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))
    .then(() => postMessage("compiled"), (error) => postMessage(`${error}`));
"""
START = """(path) => new Promise((resolve) => {
    const worker = new Worker(path, { type: "module" });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => resolve(`failed: ${event.message}`);
    setTimeout(() => resolve("no answer"), 240000); // reached on failure only
})"""


def test_parts_run_in_the_worker_that_may_compile_webassembly(context: BrowserContext, release: Release) -> None:
    def real_parts() -> None:
        release.use_real_parts()
        for name, script in {"offline-worker-1.js": WORKER, "other-worker-1.js": COMPILE}.items():
            (release.client / "assets" / name).write_text(script, encoding="utf-8")

    release.update(real_parts)
    page = open_page(context)
    dealt = " ".join(str(deal(sevenhues.load(name), b"a").to_act()) for name in sevenhues.names())
    assert page.evaluate(START, "/assets/offline-worker-1.js") == dealt
    assert "Content Security Policy" in page.evaluate(START, "/assets/other-worker-1.js")
