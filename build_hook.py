"""Build hook of the wheel: compiles the rules with mypyc and includes the browser client.

Without a C compiler the wheel has the same modules, uncompiled. The compiler works on a copy of src/. The browser
client, with the parts of offline play, is in src/sevenhues/web: `make web` builds it there, and this hook builds it if
it is missing and npm is installed. An sdist includes the client, so building a wheel from an sdist does not need Node.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Not compiled: packages (__init__.py), TypedDicts, which would lose their annotations, NumPy and JAX code.
COMPILED = (
    "core/*.py",
    "render/*.py",
    "bots/*.py",
    "batch/contract.py",
    "games/*/*.py",
    "games/*/bots/*.py",
    "adapters/joint_step.py",
    "adapters/rewards.py",
    "adapters/seat_game.py",
)
NEVER_COMPILED = ("__init__.py", "view_types.py", "bots/network_bots.py")


class CompileRules(BuildHookInterface[Any]):
    """Adds the browser client and the compiled modules to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        build_client(Path(self.root))
        if self.target_name == "sdist":
            return
        if os.environ.get("SEVENHUES_PURE") == "1":
            self.app.display_warning("sevenhues: SEVENHUES_PURE=1, so nothing is compiled")
            return
        work = Path(tempfile.mkdtemp(prefix="sevenhues-build-"))
        self.work = work
        shutil.copytree(Path(self.root, "src", "sevenhues"), work / "sevenhues")
        try:
            built = compile_modules(work)
        except CompilerFailed as error:
            self.app.display_warning(f"sevenhues: no working C compiler, so nothing is compiled ({str(error)[:120]})")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"].update({str(path): str(path.relative_to(work / "lib")) for path in built})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "work"):
            shutil.rmtree(self.work)


class ClientMissing(Exception):
    """The browser client has not been built, and cannot be built here."""


def build_client(root: Path) -> None:
    """Build the browser client if it is missing, unless SEVENHUES_WITHOUT_CLIENT=1 is set."""
    built = [root / "src/sevenhues/web" / name for name in ("index.html", "offline/parts.json")]
    if all(path.exists() for path in built) or os.environ.get("SEVENHUES_WITHOUT_CLIENT") == "1":
        return
    advice = (
        "The browser client has not been built. Run `make web` first: it installs Node, and needs an npm registry. "
        "Or set SEVENHUES_WITHOUT_CLIENT=1 to build a package without the client."
    )
    npm = shutil.which("npm")
    if npm is None:
        raise ClientMissing(advice)
    for step in ([npm, "ci"], [npm, "run", "build"], [sys.executable, "offline_parts.py"]):
        if subprocess.run(step, cwd=root / "web").returncode:
            raise ClientMissing(f"{' '.join(step)} failed. {advice}")


class CompilerFailed(Exception):
    """The C compiler is missing, or failed to build an extension."""


def modules(root: Path) -> list[str]:
    """Return the modules to compile, as paths relative to `root`."""
    package = root / "sevenhues"
    paths = {path for pattern in COMPILED for path in package.glob(pattern)}
    return sorted(str(path.relative_to(root)) for path in paths if not any(map(path.match, NEVER_COMPILED)))


def compile_modules(work: Path) -> list[Path]:
    """Compile the modules in `work` and return the extension modules in work/lib.

    Each module is one C file, compiled in parallel and optimized at link time. If that fails, all modules are compiled
    as a single C file.
    """
    from setuptools.errors import BaseError, CCompilerError

    before = Path.cwd()
    os.chdir(work)
    try:
        try_compiler()
        try:
            _build(work, separate=True)
        except (BaseError, CCompilerError):
            shutil.rmtree("lib", ignore_errors=True)
            _build(work, separate=False)
    except (BaseError, CCompilerError) as error:
        raise CompilerFailed(error) from None
    finally:
        os.chdir(before)
    built = sorted(path for path in (work / "lib").rglob("*") if path.is_file())
    check_complete(work, built)
    return built


class ModuleMissing(Exception):
    """The compiler has left out a module."""


def check_complete(work: Path, built: list[Path]) -> None:
    """Raise ModuleMissing unless every module to compile has an extension module."""
    compiled = {path.relative_to(work / "lib").as_posix().split(".")[0] for path in built}
    missing = [name for name in modules(work) if name.removesuffix(".py") not in compiled]
    if missing:
        raise ModuleMissing(f"not compiled: {', '.join(missing)}")


def try_compiler() -> None:
    """Compile a trivial extension, so that a missing compiler is reported before mypy has run for a minute."""
    from setuptools import Distribution, Extension

    Path("trial.c").write_text("#include <Python.h>\n")
    extension = Extension("trial", ["trial.c"])
    command = Distribution({"name": "trial", "ext_modules": [extension]}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = "trial", "tmp"
    command.ensure_finalized()
    command.run()


def _build(work: Path, separate: bool) -> None:
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    class ParallelBuild(build_ext):
        """Compiles as many files in parallel as there are cores."""

        def build_extensions(self) -> None:
            compile_serially = self.compiler.compile

            def compile_in_parallel(sources: list[str], **options: Any) -> list[str]:
                with ThreadPoolExecutor(os.cpu_count()) as pool:
                    objects = list(pool.map(lambda source: compile_serially([source], **options), sources))
                return [path for paths in objects for path in paths]

            self.compiler.compile = compile_in_parallel
            super().build_extensions()

    sources = ["--strict", *modules(work)]
    target = "separate" if separate else "single"
    extensions = mypycify(
        sources, opt_level="3", debug_level="0", group_name="sevenhues", multi_file=separate, target_dir=target
    )
    link_time_optimization = ["-flto=auto"] if separate else []
    for extension in extensions if os.name == "posix" else []:
        # Without semantic interposition small functions are inlined.
        compile_options = ["-fno-semantic-interposition", *link_time_optimization]
        extension.extra_compile_args = [*extension.extra_compile_args, *compile_options]
        extension.extra_link_args = [*extension.extra_link_args, *link_time_optimization]
    command = ParallelBuild(Distribution({"name": "sevenhues", "ext_modules": extensions}))
    command.build_lib, command.build_temp = "lib", "tmp"
    command.ensure_finalized()
    command.run()
