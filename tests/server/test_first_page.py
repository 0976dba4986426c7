"""The first page of the client."""

import json
import re

import pytest

from sevenhues import names, protocol
from sevenhues.server.http import static_files

PAGE = b"<html><head><title>Seven Hues</title></head><body></body></html>"


def games_in(page: bytes) -> list[dict[str, object]]:
    text = re.search(rb'<script type="application/json" id="games">([^<]*)</script></head>', page)
    assert text is not None
    games: list[dict[str, object]] = json.loads(text[1])
    return games


def test_first_page_lists_the_games() -> None:
    games = games_in(static_files.with_games(PAGE))
    assert {game["id"] for game in games} == set(names())
    assert all(game["levels"] for game in games)


def test_title_of_a_game_cannot_end_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    title = "</script><script>alert(1)</script>"
    game = protocol.GameInfo("toy", title, 1, 2, False, False, 1, [], [], False)
    monkeypatch.setattr(static_files, "game_infos", lambda: [game])
    assert games_in(static_files.with_games(PAGE))[0]["title"] == title
