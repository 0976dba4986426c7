"""Names: they are visible, and do not imitate another player."""

from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from sevenhues.client import Client
from sevenhues.server.accounts.cookies import SigningKeys
from sevenhues.server.accounts.names import clean_name, distinct_name, skeleton
from sevenhues.server.app import make_app
from sevenhues.server.http.context import AppContext
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.ratings import contests, rating_model
from sevenhues.server.settings import Settings
from sevenhues.server.store.sqlite import SqliteStore
from tests.server.process import ServerProcess


@pytest.mark.parametrize(
    "name",
    [
        "Ada\u200b",  # zero-width space
        "Ada\u200d",  # zero-width joiner
        "A\u202eda",  # right-to-left override
        "A\u2066da",  # isolate
        "Ada\u00ad",  # soft hyphen
        "\u3164",  # Hangul filler
        "Ada\uffa0",  # half-width Hangul filler
        "\u2800\u2800",  # Braille blank
        "A\u034fda",  # combining grapheme joiner
        "Ada\U000e0101",  # variation selector
        "Z\u0301\u0302\u0303",  # many accents
        "\u0e01\u0e47\u0e47",  # a Thai vowel twice
        "\u05d0\u05b0\u05b1\u05b2\u05b3\u05b4",  # Hebrew points piled up
        "\ufdfa" * 5,  # longer than 40 characters when normalized
        "\uff22\uff4f\uff54\uff1amaster",  # full-width Bot:
        "b\u043et: master",  # Cyrillic o
        "B0T:x",
    ],
)
def test_name_with_hidden_parts_or_of_a_bot_is_refused(name: str) -> None:
    assert clean_name(name) is None


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("Ada", "Ada"),
        (" Ada\u3000\u00a0 B ", "Ada B"),
        ("\uff21\uff44\uff41", "Ada"),
        ("\u2764\ufe0f Ada", "\u2764 Ada"),
        ("Zo\u0065\u0308", "Zo\u00eb"),
        ("\u7530\u4e2d", "\u7530\u4e2d"),
        ("\u0410\u043d\u043d\u0430", "\u0410\u043d\u043d\u0430"),
        ("O'Brien-2 \U0001f308", "O'Brien-2 \U0001f308"),
        ("\u0e1b\u0e35\u0e48", "\u0e1b\u0e35\u0e48"),
        ("\u05e9\u05c1\u05b8", "\u05e9\u05b8\u05c1"),
        ("\u0928\u093f\u0930\u094d\u0935\u093e\u0923", "\u0928\u093f\u0930\u094d\u0935\u093e\u0923"),
    ],
)
def test_usable_name_is_normalized(name: str, clean: str) -> None:
    assert clean_name(name) == clean


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ada", "ADA"),
        ("Ada", "\u0410d\u0430"),  # Cyrillic
        ("Ada", "\u0391d\u03b1"),  # Greek
        ("HOPE", "\u041d\u041e\u0420\u0415"),
        ("Nina", "\u039d\u0399\u039dA"),
        ("Bob", "B0b"),
        ("Ally", "AI1y"),
        ("Zoe", "Zo\u00eb"),
        ("Ann Lee", "AnnLee"),
        ("Tom", "Torn"),
    ],
)
def test_names_that_look_alike_have_one_skeleton(name: str, other: str) -> None:
    assert skeleton(name) == skeleton(other)


def test_name_that_looks_like_another_gets_a_number() -> None:
    assert distinct_name("Ada", ["Ben"]) == "Ada"
    assert distinct_name("\u0410da", ["Ada"]) == "\u0410da 2"
    assert distinct_name("Ada", ["ada", "Ada 2"]) == "Ada 3"
    assert len(distinct_name("x" * 40, ["x" * 40])) <= 40


@pytest.mark.anyio
async def test_name_at_a_table_does_not_imitate_another(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "\u0410d\u0430") as thief:
        table = await ada.create_table("rainbow", ["me", "open"])
        assert [seat.name for seat in (await thief.join(table.id)).seats] == ["Ada", "\u0410d\u0430 2"]
        shared = await ada.create_table("rainbow", ["me", "me"])
        assert [seat.name for seat in shared.seats] == ["Ada", "Ada"], "seats of one user may have one name"


@pytest.mark.anyio
async def test_name_of_a_ranked_player_cannot_be_imitated(tmp_path: Path) -> None:
    settings = Settings(tmp_path)
    store = SqliteStore(settings.database)
    app = make_app(AppContext(LiveTables(settings, store), SigningKeys(["unused"])))
    transport = httpx.ASGITransport(cast(Any, app))
    async with app.lifespan(), httpx.AsyncClient(transport=transport, base_url="http://test") as http:
        user_id = (await http.get("/api/me")).json()["id"]
        await store.rename_user("ada", "Ada", 1)
        await store.rename_user("new", "Newcomer", 1)
        for other, games in (("ada", rating_model.MIN_GAMES), ("new", rating_model.MIN_GAMES - 1)):
            player = contests.player_of(other).id
            row = ("rainbow", player, other, 25.0, rating_model.MAX_SIGMA, games, rating_model.MIN_OPPONENTS)
            columns = "game, player, user_id, mu, sigma, games, opponents"
            sql = f"INSERT INTO ratings ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)"
            await store.execute((sql, row))
        for name, status in (("\u0410d\u0430", 400), ("ada", 400), ("Adam", 200), ("Newcomer", 200)):
            seats = [{"kind": "me", "name": name}, {"kind": "open"}]
            assert (await http.patch("/api/me", json={"name": name})).status_code == status, name
            answer = await http.post("/api/tables", json={"game": "rainbow", "seats": seats})
            assert answer.status_code == (201 if status == 200 else 400), name
        await store.rename_user(user_id, "Ada", 2)
        assert (await http.get("/api/me")).json()["name"] == "Ada", "a name chosen before is kept"
