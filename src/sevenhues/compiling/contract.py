"""What compiled games of other packages know about our compiled modules, and the check of it when they are loaded."""

from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Final

import sevenhues
from sevenhues.core.native_classes import register_linked

ROOT: Final = Path(sevenhues.__file__).parent
# The modules whose classes compiled games of other packages may inherit from and call without Python in between.
CONTRACT: Final = ("core/*.py", "render/*.py")
MYPY: Final = "2.4.1"  # compiles our wheels: another version lays classes out differently


def contract_files(root: Path = ROOT) -> list[str]:
    """Return the modules of the contract, as paths relative to the package."""
    paths = {path for pattern in CONTRACT for path in root.glob(pattern) if path.name != "__init__.py"}
    return sorted(path.relative_to(root).as_posix() for path in paths)


def fingerprint(root: Path = ROOT) -> str:
    """Return a hash of the modules of the contract: equal hashes, equal layouts of the compiled classes."""
    content = sha256(MYPY.encode())
    for name in contract_files(root):
        content.update(name.encode() + b"\0" + (root / name).read_bytes())
    return content.hexdigest()


def link(package: str, compiled_for: str, modules: str) -> str:
    """Check that a compiled package fits this build, and import the modules that it uses; return our library's path.

    Every package that was compiled by `compile_game` calls it when it is imported.
    """
    if not sevenhues.COMPILED:
        raise ImportError(f"{package} was compiled, but this Seven Hues is plain Python: build {package} again with it")
    if compiled_for != fingerprint():
        raise ImportError(f"{package} was compiled for another version of Seven Hues: build {package} again")
    for name in modules.split():
        import_module(name)
    register_linked(package)
    return str(import_module("sevenhues__mypyc").__file__)
