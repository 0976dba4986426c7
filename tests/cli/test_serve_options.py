"""Options of `serve`: times, and passwords that are in files."""

from pathlib import Path

import click
import pytest

from sevenhues.cli.serve import serve

URL = "postgresql://ada:secret@db/hues"


@pytest.mark.parametrize(("text", "seconds"), [("90s", 90), ("1.5m", 90), ("24h", 86_400), ("7d", 604_800)])
def test_time_between_backups_has_a_unit(text: str, seconds: float) -> None:
    assert serve.make_context("serve", ["--backup-every", text]).params["backup_every"] == seconds


@pytest.mark.parametrize("text", ["", "24", "1 day", "-1h", "0s", "0.5s", "1h30m", "\uff11h", "9999999999h"])
def test_other_time_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter, match="not a time of a second or more, such as 90s, 30m, 24h or 7d"):
        serve.make_context("serve", ["--backup-every", text])


def test_url_with_a_password_is_read_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "database-url").write_text(f"{URL}\n")
    monkeypatch.setenv("SEVENHUES_DATABASE_URL_FILE", str(tmp_path / "database-url"))
    assert serve.make_context("serve", []).params["database_url"] == URL
    assert serve.make_context("serve", ["--database-url", "postgresql://x"]).params["database_url"] == "postgresql://x"


def test_file_of_a_url_that_cannot_be_read_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEVENHUES_REDIS_URL_FILE", str(tmp_path / "missing"))
    with pytest.raises(click.BadParameter, match="SEVENHUES_REDIS_URL_FILE cannot be read: No such file"):
        serve.make_context("serve", [])
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    monkeypatch.setenv("SEVENHUES_REDIS_URL_FILE", str(tmp_path / "binary"))
    with pytest.raises(click.BadParameter, match="it is not text"):
        serve.make_context("serve", [])
