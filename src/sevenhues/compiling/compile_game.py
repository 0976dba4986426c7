"""Compile modules of a package that has a game, against the compiled Seven Hues that is installed."""

import os
import re
import shutil
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import sevenhues
from sevenhues.compiling.contract import MYPY, ROOT, contract_files, fingerprint

LIBRARY: Final = "__mypyc"  # mypyc's suffix of libraries
BRIDGE: Final = Path(__file__).with_name("bridge.c")
NEEDED: Final = f'pip install "mypy[mypyc]=={MYPY}" "setuptools>=77"'


class CannotCompile(Exception):
    """The modules cannot be compiled here; the message says why."""


def compile_game(source: Path, modules: Iterable[str], work: Path) -> list[Path]:
    """Compile modules, paths relative to `source` such as "garland/position.py"; return the files in work/lib.

    Import them from there, or add them to the wheel: they belong beside the package's own folder. `work` is an empty
    folder.
    """
    names = _check(source, list(modules))
    package = names[0].split("/")[0]
    for name in names:
        (work / name).parent.mkdir(parents=True, exist_ok=True)
    for folder in {source / name.split("/")[0] for name in names}:
        shutil.copytree(folder, work / folder.name, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.so"))
    shutil.copytree(ROOT, work / "sevenhues", ignore=shutil.ignore_patterns("*.so", "web", "*.c"))
    before = Path.cwd(), os.environ.get("MYPYPATH")
    os.chdir(work)
    os.environ["MYPYPATH"] = str(work)
    try:
        _build(package, names)
    finally:
        os.chdir(before[0])
        del os.environ["MYPYPATH"]
        if before[1] is not None:
            os.environ["MYPYPATH"] = before[1]
    return sorted(path for path in (work / "lib").rglob("*") if path.is_file())


def _check(source: Path, names: list[str]) -> list[str]:
    """Return the names of the modules, or say why they cannot be compiled."""
    if not sevenhues.COMPILED:
        raise CannotCompile("the installed Seven Hues is plain Python, so games are not compiled against it")
    if os.name != "posix":
        raise CannotCompile("games of other packages can only be compiled on Linux")
    try:
        installed = version("mypy")
    except PackageNotFoundError:
        installed = "none"
    if installed != MYPY:
        raise CannotCompile(f"mypy {MYPY} is needed, which compiled Seven Hues, not {installed}: {NEEDED}")
    if not names:
        raise CannotCompile("no modules are given: list the modules to compile, such as garland/position.py")
    for name in names:
        if not (source / name).is_file() or "/" not in name or not name.endswith(".py"):
            raise CannotCompile(f"there is no module {name} in a package in {source}")
        if name.endswith("__init__.py"):
            raise CannotCompile(f"{name} cannot be compiled: list the modules of the package, not the package")
    if len({name.split("/")[0] for name in names}) > 1:
        raise CannotCompile("the modules must be of one package")
    return names


def _build(package: str, names: list[str]) -> None:
    """Compile in the current folder, which holds the package and ours."""
    try:
        from mypyc.build import mypycify
        from setuptools import Distribution
        from setuptools.command.build_ext import build_ext
        from setuptools.errors import BaseError, CCompilerError
    except ImportError as error:
        raise CannotCompile(f"{error}: {NEEDED}") from None

    group = f"{package}_sevenhues"
    ours = [f"sevenhues/{name}" for name in contract_files()]
    try:
        extensions = mypycify(
            ["--explicit-package-bases", *ours, *names],
            separate=[(ours, group), (names, package)],
            opt_level="3",
            debug_level="0",
            target_dir="c",
        )
    except SystemExit:  # mypyc has printed the errors
        raise CannotCompile(f"mypy refuses the modules of {package}; its messages are above") from None
    libraries = {extension.name: extension for extension in extensions}
    own = libraries[package + LIBRARY]
    bridge = libraries[group + LIBRARY]
    used = [*own.sources, f"c/__native_{package}.h", f"c/__native_internal_{package}.h"]
    bridge.sources = [_write_bridge(package, group, _read(used), _read(bridge.sources))]
    # Without semantic interposition small functions are inlined.
    own.extra_compile_args = [*own.extra_compile_args, "-fno-semantic-interposition"]
    kept = [own, bridge, *(each for each in extensions if each.name.startswith(f"{package}."))]
    command: Any = build_ext(Distribution({"name": package, "ext_modules": kept}))
    command.build_lib, command.build_temp = "lib", "tmp"
    command.ensure_finalized()
    try:
        command.run()
    except (BaseError, CCompilerError) as error:
        raise CannotCompile(f"the C compiler failed: {error}") from None


def _read(paths: Iterable[str | os.PathLike[str]]) -> str:
    return "".join([Path(path).read_text(encoding="utf-8") for path in paths])


def _write_bridge(package: str, group: str, code: str, our_code: str) -> str:
    """Write the C code of the module that links a package with ours, from the C code of both; return its path."""
    sizes = {name: size for size, name in re.findall(r"\.tp_basicsize = (sizeof\((\w+)Object\)[^,]*),", our_code)}
    used = sorted(set(re.findall(rf"exports_{group}\.(\w+)", code)))
    names = _library_names()
    symbols, classes, modules = [], [], set()
    for name in used:
        kind, rest = name.split("_", 1)
        prefix = max((each for each in names if rest.startswith(each)), key=len)
        module, short = names[prefix]
        modules.add(module)
        symbols.append(f'    {{"{kind}_{short}{rest.removeprefix(prefix)}", (void **)&exports.{name}}},')
        if kind == "CPyType" and rest in sizes and _has_fixed_layout(group, rest):
            classes.append(f"    {{&exports.{name}, {sizes[rest]}}},")
    values = {
        "PACKAGE": package,
        "GROUP": group,
        "LIBRARY": group + LIBRARY,
        "FINGERPRINT": fingerprint(),
        "MODULES": " ".join(sorted(modules)),
        "SYMBOLS": "\n".join(symbols),
        "CLASSES": "\n".join(classes),
    }
    text = BRIDGE.read_text(encoding="utf-8")
    for key, value in values.items():
        text = text.replace(f"@{key}@", value)
    path = Path("c") / f"{group}_bridge.c"
    path.write_text(text, encoding="utf-8")
    return str(path)


def _library_names() -> dict[str, tuple[str, str]]:
    """Return how mypyc's full name of each module of the contract begins, with the module and its name in our library.

    In a library of many modules mypyc shortens their names.
    """
    from mypyc.namegen import exported_name, make_module_translation_map

    libraries = [path.relative_to(ROOT.parent) for path in ROOT.rglob("*.so")]
    compiled = sorted(".".join(path.with_name(path.name.split(".")[0]).parts) for path in libraries)
    shortened = make_module_translation_map(compiled)
    ours = [f"sevenhues.{name.removesuffix('.py').replace('/', '.')}" for name in contract_files()]
    return {exported_name(f"{name}."): (name, exported_name(shortened[name])) for name in ours}


def _has_fixed_layout(group: str, name: str) -> bool:
    """Return whether the size of a class can be compared.

    A class with machine integers has a bitmap of those that are set, unless mypyc sees all code. Such classes of ours
    are final, and nobody else reads their attributes.
    """
    header = Path("c", f"__native_{group}.h").read_text(encoding="utf-8")
    found = re.search(rf"typedef struct {{([^}}]*)}} {name}Object;", header)
    return found is not None and "bitmap" not in found[1]
