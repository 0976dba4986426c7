"""A build hook of Hatchling that compiles the modules of a game.

[tool.hatch.build.targets.wheel.hooks.sevenhues]
modules = ["garland/position.py", "garland/game.py"]
"""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.plugin import hookimpl

import sevenhues
from sevenhues.compiling.compile_game import compile_game


class CompileGame(BuildHookInterface[Any]):
    """Adds compiled modules to the wheel."""

    PLUGIN_NAME = "sevenhues"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        if os.environ.get("SEVENHUES_PURE") == "1" or not sevenhues.COMPILED:
            self.app.display_warning("SEVENHUES_PURE=1, or Seven Hues is plain Python: nothing is compiled")
            return
        self.work = Path(tempfile.mkdtemp(prefix="sevenhues-game-"))
        source = Path(self.root, self.config.get("source", "."))
        built = compile_game(source, self.config.get("modules", []), self.work)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        lib = self.work / "lib"
        build_data["force_include"].update({str(path): str(path.relative_to(lib)) for path in built})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "work"):
            shutil.rmtree(self.work)


@hookimpl
def hatch_register_build_hook() -> type[CompileGame]:
    """Register the hook with Hatchling."""
    return CompileGame
