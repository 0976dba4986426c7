"""A release installs and serves the games on a machine without Node or a compiler."""

import tarfile
from pathlib import Path

import pytest

import sevenhues
from tests import release_checks


@pytest.mark.slow
def test_sdist_builds_a_wheel_that_serves_the_games_without_node_or_a_compiler(tmp_path: Path) -> None:
    dist, work = tmp_path / "dist", tmp_path / "work"
    dist.mkdir()
    work.mkdir()
    wheel = release_checks.check_plain(dist, work)
    assert wheel.name == f"sevenhues-{sevenhues.__version__}-py3-none-any.whl"


def test_changelog_describes_this_version() -> None:
    release_checks.check_notes()


def test_sdist_without_the_client_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "sevenhues-0.tar.gz"
    with tarfile.open(empty, "w:gz") as archive:
        archive.add(release_checks.ROOT / "README.md", "sevenhues-0/README.md")
    with pytest.raises(release_checks.NotFit, match=r"lacks .*sevenhues/web/index\.html"):
        release_checks.check_sdist(empty)
