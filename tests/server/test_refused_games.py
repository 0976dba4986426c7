"""Games that do not count: flagged programs and gifts, live and when ratings are rebuilt."""

import asyncio
import random
import sqlite3
from itertools import permutations
from pathlib import Path
from typing import NamedTuple, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sevenhues.core.play import TimedMove
from sevenhues.core.position import Outcome
from sevenhues.server.accounts import links
from sevenhues.server.accounts.links import Link
from sevenhues.server.query_steps import Bulk, Counted, QuerySteps, Rows, Statement, run
from sevenhues.server.ratings import contests, flags, queries
from sevenhues.server.ratings.contests import Contest, Player, bot, player_of
from sevenhues.server.ratings.rating_model import DAY_MS
from sevenhues.server.store.migrations import upgrade
from sevenhues.server.store.sqlite import SqliteStore
from sevenhues.server.table import events
from sevenhues.server.table.events import Entry
from tests.cli.command import error_message, invoke
from tests.server.rated_games import ADA, BEN, ZOE, all_rating_rows
from tests.server.rated_games import Rows as RatingRows
from tests.server.test_ratings import table_of
from tests.server.test_stored_ratings import create_table, end_game

T = TypeVar("T")
USERS = (ADA, BEN, ZOE)
MEMORY = Path(":memory:")


# -- Who gave up early -----------------------------------------------------------------------------------------------


def gave_up(game: str, own_moves: int, seconds: float) -> bool:
    """Tell whether a player who resigns after so many moves and seconds has given up early."""
    table = table_of([(ADA, None), (BEN, None)], game)
    table.moves = [TimedMove(seat, "S1", None) for seat in (0, 1) for _ in range(own_moves if seat == 0 else 99)]
    contest = contests.contest(table, None, 0, int(seconds * 1000))
    assert contest is not None
    return contest.gave_up == (player_of(ADA),)


def test_player_gives_up_early_before_five_moves_or_within_a_minute() -> None:
    assert gave_up("rainbow", 4, 3600)
    assert not gave_up("rainbow", 5, 60)
    assert gave_up("rainbow", 99, 59.9)


def test_player_gives_up_a_race_early_within_twenty_seconds() -> None:
    assert gave_up("nimble", 4, 60)
    assert not gave_up("nimble", 5, 20)
    assert gave_up("nimble", 99, 19.9)


def test_player_whose_seat_a_bot_took_over_has_given_up_early() -> None:
    table = table_of([(ADA, None), (BEN, None), (ZOE, None)], "flip-and-slide")
    table.apply(Entry(1, events.BotTookOver(1, "player")))
    table.moves.extend([TimedMove(1, "S1", None)] * 99)  # of the bot
    contest = contests.contest(table, Outcome("rainbow", [0], [1, 2, 3]), None, 10**9)
    assert contest is not None
    assert contest.gave_up == (player_of(BEN),)


# -- Sequences of games ----------------------------------------------------------------------------------------------


class Game(NamedTuple):
    """A game of some players: their places, who left within the grace and who gave up early, by seat."""

    players: tuple[Player, ...]
    places: tuple[int, ...]
    left_early: int | None
    gave_up: tuple[int, ...]

    @property
    def contest(self) -> Contest:
        users = [seat for seat in self.gave_up if self.players[seat].user_id is not None]
        left = self.players[self.left_early] if self.left_early in users else None
        gave_up = tuple(self.players[seat] for seat in users)
        return Contest("rainbow", self.players, self.places, left, gave_up)


class Linked(NamedTuple):
    """Users who are seen with one browser."""

    device: str
    user_ids: tuple[str, ...]


class Forgotten(NamedTuple):
    """A browser whose links have expired."""

    device: str


class Deleted(NamedTuple):
    user_id: str


Act = Game | Linked | Forgotten | Deleted


TABLES = (*permutations([*map(player_of, USERS), bot("master")], 2), tuple(map(player_of, USERS)))
DEVICES = ("one", "two")


def random_game(rng: random.Random) -> Game:
    players = rng.choice(TABLES)
    places = tuple(rng.sample(range(1, len(players) + 1), len(players)))
    left_early = rng.choice([None, None, None, 0, 1])
    return Game(players, places, left_early, rng.choice([(), (0,), (1,), (0, 1)]))


def random_act(rng: random.Random) -> Act:
    match rng.randrange(20):
        case 0:
            return Linked(rng.choice(DEVICES), tuple(rng.sample(USERS, 2)))
        case 1 | 2:
            return Forgotten(rng.choice(DEVICES))
        case 3 if rng.random() < 0.3:
            return Deleted(rng.choice(USERS))
        case _:
            return random_game(rng)


@st.composite
def histories(draw: st.DrawFn) -> "History":
    """Return up to 30 acts, each with the time that passed before it."""
    rng = draw(st.randoms(use_true_random=False))
    return [(rng.randrange(2, 2 * DAY_MS), random_act(rng)) for _ in range(draw(st.integers(10, 30)))]


History = list[tuple[int, Act]]


class Ratings:
    """A database in memory, in which games are rated one after the other."""

    def __init__(self, history: History, left_out: frozenset[str] = frozenset()) -> None:
        self._db = sqlite3.connect(":memory:", isolation_level=None)
        upgrade(self._db, MEMORY)
        self._contests: dict[str, tuple[int, Contest]] = {}
        now = 0
        for number, (passed, act) in enumerate(history):
            now += passed
            if not (isinstance(act, Game) and left_out & {player.user_id or "" for player in act.players}):
                self._carry_out(f"table-{number}", now, act)

    def run(self, steps: QuerySteps[T]) -> T:
        return run(steps, self._execute)

    def rows(self) -> RatingRows:
        return self.run(all_rating_rows())

    def rebuild(self) -> RatingRows:
        self.run(queries.rebuild(self._contests))
        return self.rows()

    def close(self) -> None:
        self._db.close()

    def _carry_out(self, table: str, now: int, act: Act) -> None:
        match act:
            case Game():
                self._contests[table] = now, act.contest
                self.run(queries.rate_game(table, now, act.contest))
            case Linked():
                for user_id in act.user_ids:
                    self.run(links.add([Link("device", act.device)], user_id, now))
            case Forgotten():
                self._execute(("DELETE FROM user_links WHERE link = ?", (act.device,)))
            case Deleted():
                deleted = self.run(queries.delete_user(act.user_id, now))
                self.run(links.delete_user(act.user_id))
                sql = "INSERT INTO users (id, created, deleted) VALUES (?, 1, ?) ON CONFLICT (id) DO NOTHING"
                self._execute((sql, (act.user_id, deleted)))

    def _execute(self, statement: Statement) -> Rows:
        if isinstance(statement, Bulk):
            self._db.executemany(statement.sql, statement.rows)
            return []
        cursor = self._db.execute(*statement)
        return [(cursor.rowcount,)] if isinstance(statement, Counted) else cursor.fetchall()


@settings(max_examples=20, deadline=None)
@given(histories())
def test_rebuilding_ratings_gives_those_of_the_games_one_by_one(history: History) -> None:
    ratings = Ratings(history)
    rows = ratings.rows()
    assert ratings.rebuild() == rows
    ratings.close()


@settings(max_examples=20, deadline=None)
@given(histories(), st.frozensets(st.sampled_from(USERS), min_size=1, max_size=2))
def test_games_of_flagged_users_are_taken_back_by_a_rebuild(history: History, flagged: frozenset[str]) -> None:
    ratings, without = Ratings(history), Ratings(history, flagged)
    before = ratings.rows()
    for user_id in flagged:
        ratings.run(flags.flag(user_id, "", 1))
    rebuilt, expected = ratings.rebuild(), without.rows()
    for name in ("ratings", "rating_changes", "quick_losses"):
        assert rebuilt[name] == expected[name], name
    for user_id in flagged:
        ratings.run(flags.lift(user_id))
    assert ratings.rebuild() == before
    for one in (ratings, without):
        one.close()


@pytest.mark.anyio
async def test_rebuild_keeps_that_a_game_in_play_will_not_count(tmp_path: Path) -> None:
    """A player was deleted during it, with the links to another one."""
    store = SqliteStore(tmp_path / "sevenhues.db")
    await store.open()
    await store.change_ratings(refused_game_in_play())
    before = await store.read(all_rating_rows())
    await store.change_ratings(queries.rebuild({}))
    assert await store.read(all_rating_rows()) == before
    await store.close()


def refused_game_in_play() -> QuerySteps[None]:
    yield "INSERT INTO rated_games (table_id, game, at, refused) VALUES ('a', 'rainbow', 7, 'same-person')", ()


# -- The command ------------------------------------------------------------------------------------------------------


async def rating_rows(path: Path) -> RatingRows:
    store = SqliteStore(path)
    await store.open()
    rows = await store.read(all_rating_rows())
    await store.close()
    return rows


async def store_games(path: Path, games: int) -> None:
    """Store games that Ada won, of Ben and of Zoe in turn."""
    store = SqliteStore(path)
    await store.open()
    for number in range(games):
        loser = (BEN, ZOE)[number % 2]
        await create_table(store, f"table-{number}", ADA, loser)
        await end_game(store, f"table-{number}", 10 + number, 1, ADA, loser)
    await store.close()


@pytest.mark.anyio
async def test_command_takes_back_what_a_flagged_player_moved_and_gives_it_back(tmp_path: Path) -> None:
    path = tmp_path / "sevenhues.db"
    await store_games(path, 4)
    before, command = await rating_rows(path), ("--data", str(tmp_path))
    done = await asyncio.to_thread(invoke, "flag", player_of(BEN).id, "--rebuild", *command)
    assert "is marked as a program.\nRated 4 of 4 finished games." in done.stdout
    rows = await rating_rows(path)
    assert {row[2] for row in rows["ratings"]} == {ADA, ZOE}
    assert [row[4] for row in rows["rated_games"]] == ["flagged", None, "flagged", None]
    done = await asyncio.to_thread(invoke, "flag", player_of(BEN).id, "--lift", "--rebuild", *command)
    assert "is not marked any more.\n" in done.stdout
    assert await rating_rows(path) == before
    done = await asyncio.to_thread(invoke, "flag", BEN, "--lift", *command)
    assert "was not marked." in done.stdout


@pytest.mark.anyio
async def test_command_refuses_unknown_players_and_folders_without_a_database(tmp_path: Path) -> None:
    await store_games(tmp_path / "sevenhues.db", 1)
    for player in ("f" * 16, "Ben", "bot-master", "x" * 500):
        done = await asyncio.to_thread(invoke, "flag", player, "--data", str(tmp_path))
        assert "there is no player" in error_message(done, 2)
    done = await asyncio.to_thread(invoke, "flag", BEN, "--data", str(tmp_path / "missing"))
    assert "there is no database at" in error_message(done, 2)
    assert not (tmp_path / "missing").exists()
