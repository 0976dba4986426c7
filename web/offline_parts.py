"""Build the parts of offline play into the client: Pyodide, its packages, and the files of sevenhues that it runs.

`make web` calls it after the client was built. The parts are src/sevenhues/web/offline/NAME-HASH.EXT, compressed with
Brotli and gzip, and parts.json lists them. Equal sources make equal parts. `make lock` calls it with `lock`, which pins
the packages again, to the versions in requirements/play.txt.
"""

import ast
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SRC = ROOT / "src"
CLIENT = SRC / "sevenhues/web"
PYODIDE = ROOT / "web/node_modules/pyodide"
CACHE = ROOT / "web/node_modules/.offline"  # wheels and compressed files of earlier builds
REQUIREMENTS = ROOT / "requirements/offline.txt"
LOCKED = ROOT / "requirements/play.txt"
PACKAGES = ("librt", "msgspec", "mypy-extensions")
# The interpreter of Pyodide, for pip: see `info` in pyodide-lock.json.
PLATFORM = ["--platform", "pyemscripten_2026_0_wasm32", "--platform", "any", "--implementation", "cp"]
PLATFORM += ["--python-version", "3.14", "--abi", "cp314", "--abi", "none"]
BUDGET = 9_000_000  # bytes that a browser downloads
HASH_LENGTH = 16

# The modules of sevenhues: these, and all that they import. Games, and the bots with networks, are imported by name.
STARTING_POINTS = ("offline/**/*.py", "bots/*.py", "games/*/*.py", "games/*/bots/*.py", "core/**/*.py")
# What they import only where it is installed, or for work that is not done offline.
NOT_OFFLINE = (
    "sevenhues/adapters/*",
    "sevenhues/batch/*",
    "sevenhues/training/*",
    "sevenhues/games/*/batch/*",
    "sevenhues/games/*/bots/fit_values.py",
)
DATA = ("games/*/RULES*.md", "games/*/lesson/*.json", "games/*/bots/*.json", "games/*/net.npz")

# Modules of Python's standard library that neither Pyodide nor sevenhues imports: tools, servers, mail.
UNUSED_LIBRARY = re.compile(
    "(_pyrepl|antigravity|bdb|cProfile|cmd|compileall|doctest|filecmp|fileinput|ftplib|imaplib|mailbox|modulefinder|"
    "netrc|nturl2path|pdb|pickletools|poplib|profile|pstats|pty|pyclbr|pydoc|rlcompleter|sched|shelve|smtplib|"
    "socketserver|sqlite3|tabnanny|this|timeit|trace|tty|unittest|wave|wsgiref|xml|xmlrpc|zipapp)[./]"
)
# Character sets that no file of ours is in.
UNUSED_ENCODINGS = re.compile(r"encodings/(?!(__init__|aliases|ascii|cp437|idna|latin_1|punycode|raw_|unicode_|utf_))")


class NotBuilt(Exception):
    """The parts cannot be built here; the text says why, and what to do."""


def main() -> None:
    try:
        if sys.argv[1:] == ["lock"]:
            lock()
        else:
            build(CLIENT / "offline")
    except NotBuilt as error:
        sys.exit(f"offline play: {error}")


def build(folder: Path) -> None:
    """Write the parts and their list into a folder, and delete what was there before."""
    contents = part_contents()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    parts = []
    for name, (brotli, zipped, content) in compress(contents).items():
        stem, _, extension = name.rpartition(".")
        file = f"{stem}-{digest(content)}.{extension}"
        (folder / f"{file}.br").write_bytes(brotli)
        (folder / f"{file}.gz").write_bytes(zipped)
        sizes = {"bytes": len(content), "transferred": len(brotli)}
        parts.append({"name": name, "path": f"/offline/{file}", **sizes})
    version = digest(json.dumps(parts).encode())
    (folder / "parts.json").write_text(json.dumps({"version": version, "parts": parts}, indent=1) + "\n")
    transferred, stored = (sum(int(str(part[key])) for part in parts) for key in ("transferred", "bytes"))
    text = f"{transferred / 1e6:.1f} MB to download, {stored / 1e6:.1f} MB stored"
    if transferred > BUDGET:
        shutil.rmtree(folder)
        raise NotBuilt(f"{text}; at most {BUDGET / 1e6:.0f} MB may be downloaded")
    print(f"offline play: {text}")


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:HASH_LENGTH]


def part_contents() -> dict[str, bytes]:
    """Return every part by name."""
    if not (PYODIDE / "pyodide.mjs").exists():
        raise NotBuilt("the npm package pyodide is not installed: run `make web`, which needs an npm registry")
    scripts = {name: (PYODIDE / name).read_bytes() for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")}
    index = json.loads((PYODIDE / "pyodide-lock.json").read_bytes())
    return {
        **scripts,
        "pyodide-lock.json": json.dumps(index | {"packages": {}}).encode(),  # packages.zip has all that is needed
        "python_stdlib.zip": pack(standard_library()),
        "packages.zip": pack(site_packages(fetch_wheels())),
        "sevenhues.zip": pack((path.relative_to(SRC).as_posix(), path.read_bytes()) for path in own_files()),
    }


def pack(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Make a zip file that depends on its contents alone; it is not compressed, so that Brotli finds more."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, content in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)
    return target.getvalue()


def unpack(archive: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(archive) as opened:
        yield from ((name, opened.read(name)) for name in opened.namelist() if not name.endswith("/"))


def standard_library() -> Iterator[tuple[str, bytes]]:
    """Yield the files of Python's standard library without what offline play does not import."""
    for name, content in unpack(PYODIDE / "python_stdlib.zip"):
        if not UNUSED_LIBRARY.match(name) and not UNUSED_ENCODINGS.match(name):
            yield name, content


def site_packages(wheels: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    for wheel in wheels:
        yield from ((name, content) for name, content in unpack(wheel) if not re.search(r"\.dist-info/|\.pyi$", name))


# -- The modules of sevenhues


def own_files() -> list[Path]:
    """Return the files of sevenhues that offline play needs: modules, rules, lessons, value tables and networks."""
    package = SRC / "sevenhues"
    found: set[Path] = set()
    waiting = [path for pattern in STARTING_POINTS for path in package.glob(pattern)]
    while waiting:
        path = waiting.pop()
        if path in found or any(fnmatch(path.relative_to(SRC).as_posix(), pattern) for pattern in NOT_OFFLINE):
            continue
        found.add(path)
        waiting += imported_files(path)
    return sorted(found | {path for pattern in DATA for path in package.glob(pattern)})


def imported_files(path: Path) -> Iterator[Path]:
    """Yield the files of sevenhues that a module imports, with the packages they are in."""
    names = [path.relative_to(SRC).with_suffix("").as_posix().replace("/", ".")]
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    for name in names:
        words = name.split(".") if name.startswith("sevenhues") else []
        for length in range(1, len(words) + 1):
            stem = SRC.joinpath(*words[:length])
            yield from (file for file in (stem.with_suffix(".py"), stem / "__init__.py") if file.exists())


# -- Packages


def fetch_wheels() -> list[Path]:
    """Download the packages with pip, unless an earlier build did."""
    check_versions()
    folder = CACHE / "wheels" / digest(REQUIREMENTS.read_bytes())
    if not folder.exists():
        partial = folder.with_name(f"{folder.name}.partial")
        shutil.rmtree(partial, ignore_errors=True)
        pip_download(partial, "--require-hashes", "-r", str(REQUIREMENTS))
        partial.rename(folder)
    return sorted(folder.glob("*.whl"))


def pip_download(folder: Path, *what: str) -> None:
    command = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps"]
    done = subprocess.run([*command, "--only-binary", ":all:", *PLATFORM, "-d", str(folder), *what])
    if done.returncode:
        raise NotBuilt(
            "pip could not download the packages in requirements/offline.txt. Check the network, or the package index "
            "that is configured for pip; or set SEVENHUES_WITHOUT_CLIENT=1 to build a package without the client."
        )


def pinned(file: Path) -> dict[str, str]:
    return dict(re.findall(r"^([\w-]+)==([\w.]+)", file.read_text(), re.MULTILINE))


def check_versions() -> None:
    """Refuse other versions than those of the server: both read and write the same records."""
    wanted, present = pinned(LOCKED), pinned(REQUIREMENTS)
    wrong = [name for name in PACKAGES if present.get(name) != wanted.get(name)]
    if wrong:
        raise NotBuilt(f"{', '.join(wrong)}: other versions in requirements/offline.txt than in play.txt: `make lock`")


def lock() -> None:
    """Pin the packages to the versions in requirements/play.txt, with the hashes of their wheels."""
    folder, versions = CACHE / "lock", pinned(LOCKED)
    shutil.rmtree(folder, ignore_errors=True)
    pip_download(folder, *(f"{name}=={versions[name]}" for name in PACKAGES))
    lines = ["# The packages that Pyodide runs, written by `make lock`: see web/offline_parts.py."]
    for name in PACKAGES:
        (wheel,) = folder.glob(f"{name.replace('-', '_')}-*.whl")
        lines.append(f"{name}=={versions[name]} --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}")
    REQUIREMENTS.write_text("\n".join(lines) + "\n")


# -- Compression


def compress(contents: dict[str, bytes]) -> dict[str, tuple[bytes, bytes, bytes]]:
    """Return each part compressed with Brotli, with gzip, and as it is."""
    files = {name: CACHE / "compressed" / hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    new = {file: contents[name] for name, file in files.items() if not file.with_suffix(".br").exists()}
    (CACHE / "compressed").mkdir(parents=True, exist_ok=True)
    for file, content in new.items():
        file.write_bytes(content)
        file.with_suffix(".gz").write_bytes(gzip.compress(content, 9, mtime=0))
    beside_python = str(Path(sys.executable).parent)  # where the environments of the Makefile have Node
    node = shutil.which("node", path=os.pathsep.join((beside_python, os.environ.get("PATH", os.defpath))))
    if node is None:
        raise NotBuilt("Node is needed: run `make web`, which installs it")
    if new:
        subprocess.run([node, str(ROOT / "web/compress.mjs"), *map(str, new)], check=True)
    for file in new:
        file.unlink()
    for file in (CACHE / "compressed").iterdir():
        if file.with_suffix("") not in files.values():
            file.unlink()
    return {
        name: (file.with_suffix(".br").read_bytes(), file.with_suffix(".gz").read_bytes(), contents[name])
        for name, file in files.items()
    }


if __name__ == "__main__":
    main()
