"""Structure of the code: allowed imports, and constructs that compiled code must avoid."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from build_hook import modules
from sevenhues import load, names

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src"
PACKAGE = SRC / "sevenhues"
GAMES = {name: PACKAGE / "games" / name.replace("-", "_") for name in names()}
ALLOWED_OUTSIDE = {"librt", "mypy_extensions"}  # what core and games may use besides the standard library
BATCHED = re.compile(r"sevenhues/games/\w+/batch/")  # what also uses JAX; only imported if one asks for a batch


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def foreign(path: Path, allowed: tuple[str, ...]) -> list[str]:
    """List what a file imports from sevenhues or elsewhere that it should not."""
    import sys

    outside = sys.stdlib_module_names | ALLOWED_OUTSIDE | ({"jax", "numpy"} if BATCHED.search(path.as_posix()) else set())
    return [name for name in imports(path) if not name.startswith(allowed) and name.split(".")[0] not in outside]


def test_only_batch_modules_import_jax() -> None:
    for path in [*(PACKAGE / "core").glob("*.py"), *(PACKAGE / "games").rglob("*.py")]:
        if not BATCHED.search(path.as_posix()):
            assert not [name for name in imports(path) if re.search(r"\.games\.\w+\.batch|jax", name)]


def test_core_imports_nothing_above_it() -> None:
    allowed = ("sevenhues.core", "sevenhues.render")
    forbidden = {path.name: foreign(path, allowed) for path in (PACKAGE / "core").glob("*.py")}
    assert not {name: wrong for name, wrong in forbidden.items() if wrong}


@pytest.mark.parametrize("name", GAMES)
def test_every_game_imports_only_core_and_itself(name: str) -> None:
    folder = GAMES[name]
    allowed = ("sevenhues.core", "sevenhues.render", "sevenhues.batch", f"sevenhues.games.{folder.name}")
    forbidden = {path.name: foreign(path, allowed) for path in folder.rglob("*.py")}
    assert not {file: wrong for file, wrong in forbidden.items() if wrong}


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
    rules = re.findall(r"\*\*([A-Z]+)-(\d+)", load(name).rules())
    assert rules
    folder = ROOT / "tests" / "games" / GAMES[name].name
    tests = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("test_*.py"))
    missing = [f"{p}-{n}" for p, n in rules if not re.search(rf"def test_{p.lower()}{n}_", tests)]
    assert not missing, "rules of RULES.md that no test names"


@pytest.mark.parametrize("name", GAMES)
def test_every_refusal_cites_a_rule_of_its_game(name: str) -> None:
    game = load(name)
    rules = set(re.findall(r"\*\*([A-Z]+-\d+)", game.rules()))
    assert {refusal.rule for refusal in game.refusals.values()} <= rules


def test_every_module_has_a_docstring_and_at_most_600_lines() -> None:
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert ast.get_docstring(ast.parse(text)), f"{path}: no word on what it is for"
        assert text.count("\n") <= 600, f"{path} is too long"


# Helpers that poll a condition with a deadline, and tools that are no tests.
POLLING_HELPERS = {
    "tests/browser/finished_games.py",
    "tests/browser/screen_reader.py",
    "tests/browser/user.py",
    "tests/cli/command.py",
    "tests/release_checks.py",
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
