"""The parts of offline play: what is in them, how they are built and served, and the app's manifest."""

import gzip
import hashlib
import io
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import httpx
import pytest
from PIL import Image

import sevenhues
from sevenhues.server.http import static_files
from tests.server.process import DEADLINE_SECONDS, ServerProcess
from web import offline_parts

ROOT = Path(__file__).parents[1]
CLIENT = Path(sevenhues.__file__).parent / "web"
PUBLIC = ROOT / "web/public"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (CLIENT / "offline/parts.json").exists(), reason="not built: run `make web`"),
]
# Imports every game from a folder, where of other packages only those that are parts exist.
IMPORT = """
import sys
sys.path.insert(0, sys.argv[1])
class Refuse:
    def find_spec(self, name, path=None, target=None):
        root = name.split(".")[0]
        if root not in sys.stdlib_module_names | {"sevenhues", "librt", "msgspec", "mypy_extensions"}:
            raise ImportError(f"{name} is not a part")
sys.meta_path.insert(0, Refuse())
import sevenhues
from sevenhues.core.resources import rules_text
assert sevenhues.__file__.startswith(sys.argv[1])
for name in sevenhues.names():
    print(name, len(rules_text(sevenhues.load(name))) > 1000)
"""


@pytest.fixture(scope="module")
def contents() -> dict[str, bytes]:
    return offline_parts.part_contents()


def names_in(content: bytes) -> list[str]:
    return zipfile.ZipFile(io.BytesIO(content)).namelist()


def files_of(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def test_parts_hold_the_games_and_nothing_unneeded(contents: dict[str, bytes]) -> None:
    own = names_in(contents["sevenhues.zip"])
    assert not [name for name in own if re.search(r"/tests?[/_]|\.pyc$|\.so$|/batch/|/http/|/training/", name)]
    assert len([name for name in own if re.search(r"/RULES(\.\w\w)?\.md$", name)]) == 4 * len(sevenhues.names())
    assert len([name for name in own if name.endswith("/lesson/steps.json")]) == len(sevenhues.names())
    packages = {name.split("/")[0] for name in names_in(contents["packages.zip"])}
    assert {"librt", "msgspec", "mypy_extensions.py"} <= packages
    assert not [name for name in names_in(contents["python_stdlib.zip"]) if name.startswith(("unittest/", "pydoc"))]


def test_games_of_the_parts_need_no_other_package(contents: dict[str, bytes], tmp_path: Path) -> None:
    zipfile.ZipFile(io.BytesIO(contents["sevenhues.zip"])).extractall(tmp_path)
    done = subprocess.run([sys.executable, "-c", IMPORT, str(tmp_path)], capture_output=True, text=True)
    assert done.stdout.split() == [word for name in sevenhues.names() for word in (name, "True")], done.stderr


def test_two_builds_are_equal_and_match_their_hashes(tmp_path: Path) -> None:
    offline_parts.build(tmp_path / "one")
    offline_parts.build(tmp_path / "two")
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")
    listed = json.loads((tmp_path / "one/parts.json").read_text())
    assert 5_000_000 < sum(part["transferred"] for part in listed["parts"]) <= offline_parts.BUDGET
    for part in listed["parts"]:
        file = tmp_path / "one" / part["path"].removeprefix("/offline/")
        content = gzip.decompress(Path(f"{file}.gz").read_bytes())
        assert part["bytes"] == len(content)
        assert part["path"].rpartition(".")[0].endswith(f"-{hashlib.sha256(content).hexdigest()[:16]}")
        assert part["transferred"] == Path(f"{file}.br").stat().st_size


def test_build_above_the_budget_fails_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offline_parts, "BUDGET", 1_000_000)
    with pytest.raises(offline_parts.NotBuilt, match="at most 1 MB may be downloaded"):
        offline_parts.build(tmp_path / "parts")
    assert not (tmp_path / "parts").exists()


def test_missing_sources_have_clear_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    requirements = tmp_path / "offline.txt"
    monkeypatch.setattr(offline_parts, "REQUIREMENTS", requirements)
    requirements.write_text("librt==0.0.1\nmsgspec==0.0.1\n")
    with pytest.raises(offline_parts.NotBuilt, match=r"librt, msgspec, mypy-extensions: other versions.*make lock"):
        offline_parts.check_versions()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(offline_parts.NotBuilt, match="Check the network, or the package index"):
        offline_parts.pip_download(tmp_path / "wheels", "msgspec==0.22.0")
    monkeypatch.setattr(offline_parts, "PYODIDE", tmp_path)
    with pytest.raises(offline_parts.NotBuilt, match="needs an npm registry"):
        offline_parts.part_contents()


def test_parts_are_served_compressed_and_for_ever(tmp_path: Path) -> None:
    listed = json.loads((CLIENT / "offline/parts.json").read_text())["parts"]
    part = next(part for part in listed if part["name"] == "pyodide.asm.mjs")
    with ServerProcess(tmp_path) as server, httpx.Client(base_url=server.url, timeout=DEADLINE_SECONDS) as client:
        for accepted, encoding in {"gzip, br": "br", "gzip": "gzip", "identity": None}.items():
            with client.stream("GET", part["path"], headers={"accept-encoding": accepted}) as response:
                raw = b"".join(response.iter_raw())
            assert response.headers.get("content-encoding") == encoding
            assert response.headers["cache-control"] == static_files.IMMUTABLE
            assert response.headers["content-type"].split(";")[0] in ("text/javascript", "application/javascript")
            if encoding == "br":
                assert len(raw) == part["transferred"]
            else:
                content = gzip.decompress(raw) if encoding else raw
                assert hashlib.sha256(content).hexdigest()[:16] in part["path"]
        for path in ("/offline/parts.json", "/service-worker.js"):
            assert client.get(path).headers["cache-control"] == "no-cache"
        for path in ("/offline/nothing.zip", "/offline/parts.json.br", "/offline/..%2findex.html"):
            assert client.get(path).status_code == 404
        for path in ("/", "/service-worker.js", part["path"]):
            (policy,) = client.get(path).headers.get_list("content-security-policy")
            assert "unsafe" not in policy


def test_manifest_names_every_game_and_its_pictures_have_their_sizes() -> None:
    manifest = json.loads((PUBLIC / "manifest.webmanifest").read_text(encoding="utf-8"))
    shortcuts = {shortcut["url"]: shortcut["name"] for shortcut in manifest["shortcuts"]}
    assert shortcuts == {f"/new/{name}": sevenhues.load(name).title for name in sevenhues.names()}
    pictures = [*manifest["icons"], *manifest["screenshots"]]
    for picture in pictures:
        if picture["type"] == "image/png":
            with Image.open(PUBLIC / picture["src"].lstrip("/")) as image:
                assert picture["sizes"] == f"{image.width}x{image.height}"
    assert {"192x192", "512x512"} <= {one["sizes"] for one in pictures if one.get("purpose") == "maskable"}
    assert {"wide", "narrow"} == {one.get("form_factor") for one in manifest["screenshots"]}
