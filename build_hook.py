"""Compiles the rules with mypyc while the wheel is built; without a C compiler the wheel is the same, uncompiled.

Nothing is written into src/ by the compiler, which works on a copy. The browser client belongs into src/sevenhues/web:
`make web` builds it there, and so does this hook where it is missing and npm is at hand. An sdist brings it along, so
that nobody needs Node to build a wheel from it.
"""

import os
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Everything in core, bots and games but packages themselves, TypedDicts, which lose their annotations, and JAX.
COMPILED = ("core/*.py", "render/*.py", "bots/*.py", "batch/contract.py", "games/*/*.py", "games/*/bots/*.py")
NEVER_COMPILED = ("__init__.py", "view_types.py")


class CompileRules(BuildHookInterface[Any]):
    """Add the compiled modules to the wheel."""

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
    """The browser client is not built, and cannot be built here."""


def build_client(root: Path) -> None:
    """See to it that the wheel gets the browser client, unless SEVENHUES_WITHOUT_CLIENT=1 says that it need not."""
    if (root / "src/sevenhues/web/index.html").exists() or os.environ.get("SEVENHUES_WITHOUT_CLIENT") == "1":
        return
    advice = (
        "The browser client is not built. Run `make web` first: it brings its own Node, and needs an npm registry. "
        "Or set SEVENHUES_WITHOUT_CLIENT=1 for a package without it."
    )
    npm = shutil.which("npm")
    if npm is None:
        raise ClientMissing(advice)
    for step in (["ci"], ["run", "build"]):
        if subprocess.run([npm, *step], cwd=root / "web").returncode:
            raise ClientMissing(f"npm {' '.join(step)} failed. {advice}")


class CompilerFailed(Exception):
    """The C compiler is missing, or could not build an extension."""


def modules(root: Path) -> list[str]:
    """List the modules to compile, as paths from `root`."""
    package = root / "sevenhues"
    found = {path for pattern in COMPILED for path in package.glob(pattern)}
    return sorted(str(path.relative_to(root)) for path in found if not any(map(path.match, NEVER_COMPILED)))


def compile_modules(work: Path) -> list[Path]:
    """Compile below `work`; return the extension modules, in work/lib.

    A file for each module, many at once, optimized as a whole when linked; where tools cannot do that, as one file.
    """
    from setuptools.errors import BaseError, CCompilerError

    before = Path.cwd()
    os.chdir(work)
    try:
        try_compiler()
        try:
            _build(work, apart=True)
        except (BaseError, CCompilerError):
            shutil.rmtree("lib", ignore_errors=True)
            _build(work, apart=False)
    except (BaseError, CCompilerError) as error:
        raise CompilerFailed(error) from None
    finally:
        os.chdir(before)
    return sorted(path for path in (work / "lib").rglob("*") if path.is_file())


def try_compiler() -> None:
    """Compile next to nothing, so that a missing compiler is found before mypy has worked for a minute."""
    from setuptools import Distribution, Extension

    Path("trial.c").write_text("#include <Python.h>\n")
    extension = Extension("trial", ["trial.c"])
    command = Distribution({"name": "trial", "ext_modules": [extension]}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = "trial", "tmp"
    command.ensure_finalized()
    command.run()


def _build(work: Path, apart: bool) -> None:
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    class ManyAtOnce(build_ext):
        """Compiles as many files at once as there are cores."""

        def build_extensions(self) -> None:
            one_by_one = self.compiler.compile

            def at_once(sources: list[str], **given: Any) -> list[str]:
                with ThreadPoolExecutor(os.cpu_count()) as pool:
                    built = list(pool.map(lambda source: one_by_one([source], **given), sources))
                return [path for paths in built for path in paths]

            self.compiler.compile = at_once
            super().build_extensions()

    sources = ["--strict", *modules(work)]
    target = "apart" if apart else "whole"
    extensions = mypycify(
        sources, opt_level="3", debug_level="0", group_name="sevenhues", multi_file=apart, target_dir=target
    )
    whole = ["-flto=auto"] if apart else []
    for extension in extensions if os.name == "posix" else []:
        # So that small functions are inlined.
        extension.extra_compile_args = [*extension.extra_compile_args, "-fno-semantic-interposition", *whole]
        extension.extra_link_args = [*extension.extra_link_args, *whole]
    command = ManyAtOnce(Distribution({"name": "sevenhues", "ext_modules": extensions}))
    command.build_lib, command.build_temp = "lib", "tmp"
    command.ensure_finalized()
    command.run()
