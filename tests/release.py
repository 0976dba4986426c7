"""`make release`: build an sdist, a plain wheel and the compiled one, and fail if one of them is not fit."""

import shutil
import sys
import tempfile
from pathlib import Path

from tests import release_checks


def main(dist: Path, compiled: Path) -> None:
    release_checks.check_notes()
    shutil.rmtree(dist, ignore_errors=True)
    dist.mkdir()
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        print("==> An sdist, and from it, without Node or a compiler, a plain wheel that serves the games")
        release_checks.check_plain(dist, work)
        print("==> The compiled wheel")
        wheel = release_checks.tag_for_many(compiled, dist)
        release_checks.check_wheel(wheel, compiled=True)
        release_checks.check_use(release_checks.empty_environment(wheel, work / "compiled", "play"), True, work)
        release_checks.check_light_use(release_checks.empty_environment(wheel, work / "learner", "gymnasium"), work)
    print("==> What an index will say")
    print(release_checks.run(release_checks.tool("twine"), "check", "--strict", *sorted(dist.iterdir())).strip())
    for file in sorted(dist.iterdir()):
        print(f"{file.stat().st_size / 1e6:6.1f} MB  {dist}/{file.name}")


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]), Path(sys.argv[2]))
    except release_checks.NotFit as error:
        sys.exit(f"Not fit to be released: {error}")
