"""Structure of the code: allowed imports, and constructs that compiled code must avoid."""

import ast
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from build_hook import modules
from sevenhues import load, names
from sevenhues.core.resources import rules_text

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src"
PACKAGE = SRC / "sevenhues"
GAMES = {name: PACKAGE / "games" / name.replace("-", "_") for name in names()}
LIBRARIES = {"librt", "mypy_extensions"}  # what core, render and games may import besides the standard library
WEB = ROOT / "web"
ARROW = re.compile(r"^\| (`[^|]+`) \| ([^|]+) \| [^|]+ \|$", re.MULTILINE)
CODE = re.compile(r"`([^`]+)`")


def imports(path: Path) -> Iterator[str]:
    """Yield every module that a file imports, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            yield from (str(text.value) for text in node.args if isinstance(text, ast.Constant))


def arrows() -> dict[str, set[str]]:
    """Return what each package may import, from the table in ARCHITECTURE.md, in the order of that table."""
    allowed: dict[str, set[str]] = {}
    for row, imported in ARROW.findall((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")):
        above = set(allowed)
        below = set(CODE.findall(imported))
        if "server.*" in below:
            below |= {name for name in above if name.startswith("server.")}
        if "all" in imported:
            below = set(above)
        for name in CODE.findall(row):
            allowed[name] = below - {"server.*"}
    return {name: below for name, below in allowed.items() if exists(name)}


def exists(name: str) -> bool:
    """Tell whether a name of the table is a package or module, and not a file of a game, say."""
    path = PACKAGE / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").is_file()


def package_of(module: str, packages: Iterable[str]) -> str | None:
    """Return the package of the table that a module belongs to; None for the top of sevenhues."""
    fitting = [name for name in packages if f"{module}.".startswith(f"sevenhues.{name}.")]
    return max(fitting, key=len, default=None)


def module_name(path: Path) -> str:
    return path.relative_to(SRC).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")


def test_every_module_belongs_to_a_package_of_the_table() -> None:
    packages = arrows()
    outside = [path for path in PACKAGE.rglob("*.py") if package_of(module_name(path), packages) is None]
    assert sorted(module_name(path) for path in outside) == ["sevenhues", "sevenhues.server"]


def test_packages_import_only_what_the_table_allows() -> None:
    packages = arrows()
    forbidden = set()
    for path in PACKAGE.rglob("*.py"):
        package = package_of(module_name(path), packages)
        if package is None:
            continue
        for imported in imports(path):
            other = package_of(imported, packages)
            if other is not None and other != package and other not in packages[package]:
                forbidden.add(f"{module_name(path)} imports {imported}")
    assert not forbidden


def test_table_of_packages_has_no_cycle() -> None:
    packages = arrows()
    done: set[str] = set()
    while len(done) < len(packages):
        free = [name for name, below in packages.items() if name not in done and below <= done]
        assert free, f"a cycle among {sorted(set(packages) - done)}"
        done |= set(free)


WEB_IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*["'](\.[^"']+)["']""")
FINDS_GAMES = {"src/client/games.ts", "src/i18n/messages.svelte.ts"}


def web_arrows() -> dict[str, set[str]]:
    """Return what each folder of web/src may import, from the table in ARCHITECTURE.md."""
    table = ARROW.findall((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"))
    return {row.strip("`"): set(CODE.findall(imported)) for row, imported in table if row.startswith("`src/")}


def web_sources() -> Iterator[tuple[str, str]]:
    """Yield the path, from web/ on, and the text of every source file of the client."""
    for path in sorted((WEB / "src").rglob("*")):
        if path.suffix in (".ts", ".svelte"):
            yield path.relative_to(WEB).as_posix(), path.read_text(encoding="utf-8")


def folder_of(path: str) -> str:
    return "/".join(path.split("/")[:2])


def web_imports(path: str, text: str) -> Iterator[str]:
    """Yield the paths, from web/ on, that a file of the client imports from other files."""
    for imported in WEB_IMPORT.findall(text):
        yield os.path.normpath(f"{os.path.dirname(path)}/{imported}")


def test_every_folder_of_the_client_is_in_the_table() -> None:
    folders = {folder_of(path) for path, _ in web_sources() if path.count("/") > 1}
    assert folders == set(web_arrows())


def test_folders_of_the_client_import_only_what_the_table_allows() -> None:
    allowed = web_arrows()
    forbidden = [
        f"{path} imports {imported}"
        for path, text in web_sources()
        for imported in web_imports(path, text)
        if (folder := folder_of(path)) in allowed
        and (other := folder_of(imported)) != folder
        and other not in allowed[folder]
    ]
    assert not forbidden


def test_board_of_a_game_imports_no_other_game() -> None:
    others = [
        f"{path} imports {imported}"
        for path, text in web_sources()
        for imported in web_imports(path, text)
        if imported.startswith("src/games/") and path.split("/")[:3] != imported.split("/")[:3]
    ]
    assert not others


def test_only_the_lists_of_games_and_messages_find_games_by_their_folders() -> None:
    finding = {path for path, text in web_sources() if re.search(r"import\.meta\.glob[^(]*\([^)]*games/", text)}
    assert finding == FINDS_GAMES


@pytest.mark.parametrize(
    ("text", "imported"),
    [
        ('import type { Say } from "../i18n/messages.svelte";', "src/i18n/messages.svelte"),
        ('import { a,\n    b } from "./faces";', "src/board/faces"),
        ('import "../styles/base.css";', "src/styles/base.css"),
        ('const load = () => import("../games/nimble/Board.svelte");', "src/games/nimble/Board.svelte"),
        ('export { play } from "../client/sound";', "src/client/sound"),
    ],
)
def test_imports_of_the_client_are_found(text: str, imported: str) -> None:
    assert list(web_imports("src/board/contract.ts", text)) == [imported]


@pytest.mark.parametrize("name", GAMES)
def test_game_imports_no_other_game(name: str) -> None:
    own = f"sevenhues.games.{GAMES[name].name}"
    for path in GAMES[name].rglob("*.py"):
        others = [one for one in imports(path) if one.startswith("sevenhues.games.") and not one.startswith(own)]
        assert not others, path


def test_rules_need_no_library() -> None:
    """Only batch folders import JAX and NumPy, and nothing imports them before a batch is asked for."""
    for package in ("core", "render", "games"):
        for path in (PACKAGE / package).rglob("*.py"):
            allowed = sys.stdlib_module_names | LIBRARIES | {"sevenhues"}
            if path.parent.name == "batch":
                allowed |= {"jax", "numpy"}
            assert {one.split(".")[0] for one in imports(path)} <= allowed, path


def test_nobody_imports_types_alone() -> None:
    """An import under TYPE_CHECKING hides a cycle."""
    hidden = [path for path in PACKAGE.rglob("*.py") if "TYPE_CHECKING" in path.read_text(encoding="utf-8")]
    assert not hidden


# Words that were replaced by conventional ones: see "Names" in CONTRIBUTING.md.
RETIRED = re.compile(
    "botseat|carry|census|chronicle|entrants?|eyes?|glimpse|guarded|guide|heir|house|ink|insight|joined|judge|keeping|"
    "laid|lanes|ledger|lens|lore|meadow|peeking|recall|sight|sitting|sketch|slip|storyteller|tilt|told|tongues|twin|"
    "undeal|unsound|wish|worlds|worth|yardsticks?"
)


def words(name: str) -> list[str]:
    """Split snake_case and CamelCase."""
    return [word.lower() for part in name.split("_") for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", part)]


def defined_names(path: Path) -> Iterator[str]:
    """Yield the names of a file's module, classes and tests."""
    yield path.stem
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef) or (
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
        ):
            yield node.name


def test_no_module_class_or_test_has_a_retired_name() -> None:
    retired = {
        f"{path.relative_to(ROOT)}: {name}"
        for folder in (PACKAGE, ROOT / "tests", ROOT / "bench", ROOT / "docs", ROOT / "examples")
        for path in folder.rglob("*.py")
        for name in defined_names(path)
        if any(map(RETIRED.fullmatch, words(name)))
    }
    assert not retired


def test_no_module_outside_games_names_a_game() -> None:
    titles = "|".join(re.escape(load(name).title) for name in GAMES)
    ids = "|".join(re.escape(name) for name in GAMES) + "|" + "|".join(folder.name for folder in GAMES.values())
    named = re.compile(rf"^({ids}|{titles})$|sevenhues\.games\.\w")
    for path in PACKAGE.rglob("*.py"):
        if PACKAGE / "games" in path.parents:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docs = {ast.get_docstring(n, clean=False) for n in ast.walk(tree) if isinstance(n, DOCUMENTED)}
        texts = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        wrong = [text for text in [*texts, *imports(path)] if text not in docs and named.search(text)]
        assert not wrong, f"{path.relative_to(ROOT)} names a game"


DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@pytest.mark.parametrize("path", modules(SRC))
def test_compiled_code_shifts_no_literal(path: str) -> None:
    """mypyc makes a shifted literal or constant 32 bits wide: see core/bits.py."""
    for node in ast.walk(ast.parse((SRC / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.LShift):
            fixed = isinstance(node.left, ast.Constant) or (isinstance(node.left, ast.Name) and node.left.id.isupper())
            variable = not isinstance(node.right, ast.Constant)
            assert not (fixed and variable), f"{path}:{node.lineno}: use bits.bit or bits.shift"


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_has_a_test_named_after_it(name: str) -> None:
    rules = re.findall(r"\*\*([A-Z]+)-(\d+)", rules_text(load(name)))
    assert rules
    folder = ROOT / "tests" / "games" / GAMES[name].name
    tests = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("test_*.py"))
    missing = [f"{p}-{n}" for p, n in rules if not re.search(rf"def test_{p.lower()}{n}_", tests)]
    assert not missing, "rules of RULES.md that no test names"


@pytest.mark.parametrize("name", GAMES)
def test_every_refusal_cites_a_rule_of_its_game(name: str) -> None:
    game = load(name)
    rules = set(re.findall(r"\*\*([A-Z]+-\d+)", rules_text(game)))
    assert {refusal.rule for refusal in game.refusals.values()} <= rules


def test_every_module_has_a_docstring_and_at_most_600_lines() -> None:
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert ast.get_docstring(ast.parse(text)), f"{path}: no word on what it is for"
        assert text.count("\n") <= 600, f"{path} is too long"


# Helpers that poll a condition with a deadline, and tools that are no tests.
POLLING_HELPERS = {
    "tests/browser/desktop_notifications.py",
    "tests/browser/engines/page.py",
    "tests/browser/engines/webdriver.py",
    "tests/browser/finished_games.py",
    "tests/browser/screen_reader.py",
    "tests/browser/user.py",
    "tests/cli/command.py",
    "tests/release_checks.py",
    "tests/server/attack_figures.py",
    "tests/server/fork_server.py",
    "tests/server/process.py",
    "tests/server/services.py",
}


def fixed_waits(folder: Path) -> list[str]:
    """List the places in which tests wait for a fixed time instead of a condition."""
    waits = re.compile(r"\btime\.sleep\(|\bwait_for_timeout\(")
    return [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sorted(folder.rglob("*.py"))
        if path.relative_to(ROOT).as_posix() not in POLLING_HELPERS and path != Path(__file__)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if waits.search(line)
    ]


def test_tests_wait_for_conditions_and_not_for_fixed_times() -> None:
    assert fixed_waits(ROOT / "tests") == []
