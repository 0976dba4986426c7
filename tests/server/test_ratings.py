"""Ratings: which games are rated, how they change ratings, and who sees them."""

import asyncio
import random
from typing import Any

import pytest

from sevenhues.client import Client, Refused
from sevenhues.core import registry
from sevenhues.core.play import deal
from sevenhues.core.position import Outcome
from sevenhues.server.ratings import contests, rating_model
from sevenhues.server.ratings.contests import Contest, bot, player_of
from sevenhues.server.ratings.rating_model import Skill
from sevenhues.server.table import events
from sevenhues.server.table.events import ClockSettings, Entry
from sevenhues.server.table.state import Table
from tests.server.play import (
    DEADLINE_SECONDS,
    play_and_resign,
    play_on,
    seat_to_act,
    select_view,
    start_game,
    wait_until,
)
from tests.server.process import ServerProcess
from tests.server.rated_games import ADA, BEN

pytestmark = pytest.mark.anyio
LATE = 10**9  # long after the deal, in milliseconds


# -- Which games are rated, and how -------------------------------------------------------------------------------


def table_of(seats: list[tuple[str | None, str | None]], game: str = "rainbow", **config: Any) -> Table:
    """Return a table with users and bots."""
    created = events.Created(
        game, config.pop("options", {}), len(seats), ADA, True, ClockSettings(), False, False, "00" * 32
    )
    for name, value in config.items():
        setattr(created, name, value)
    table = Table("t", Entry(1, created))
    for seat, (by, level) in enumerate(seats):
        if by or level:
            table.apply(Entry(2, events.SeatTaken(seat, by, by, level)))
    return table


def test_unrated_tables_are_known_before_the_game() -> None:
    assert contests.unrated(table_of([(ADA, None), (BEN, None)])) is None
    assert contests.unrated(table_of([(ADA, None), (None, None)])) is None
    assert contests.unrated(table_of([(ADA, None), (None, "player")])) is None
    assert contests.unrated(table_of([(ADA, None), (BEN, None)], hints=True)) == "hints"
    assert contests.unrated(table_of([(ADA, None), (BEN, None)], options={"memory_aid": True})) == "helped"
    assert contests.unrated(table_of([(ADA, None), (ADA, None)])) == "shared"
    assert contests.unrated(table_of([(ADA, None), (BEN, None), (ADA, None)], "flip-and-slide")) == "shared"
    assert contests.unrated(table_of([(None, "player"), (None, "master")])) == "bots"
    assert contests.unrated(table_of([(ADA, None)], "flip-and-slide")) == "alone"
    # A game with an option that makes it no easier is rated.
    slides = table_of([(ADA, None), (BEN, None)], "flip-and-slide", options={"short_slides": True})
    assert contests.unrated(slides) is None


def test_memory_aid_is_the_only_option_that_helps() -> None:
    helping = {(name, one.name) for name in registry.names() for one in registry.load(name).options if one.helps}
    assert helping == {("rainbow", "memory_aid")}


def test_places_of_players_in_a_contest() -> None:
    table = table_of([(ADA, None), (None, "player"), (BEN, None)], "flip-and-slide")
    won = contests.contest(table, Outcome("rainbow", [1], [2, 1, 3]), None, LATE)
    assert won == Contest("flip-and-slide", (player_of(ADA), bot("player"), player_of(BEN)), (2, 1, 3))
    drawn = contests.contest(table, Outcome("stuck", [], [1, 2, 3]), None, LATE)
    assert drawn is not None
    assert drawn.places == (1, 1, 1), "without a winner there is no loser"
    # A bot took over from Ben and won: Ben has lost to both others, and the contest does not name the bot.
    table.apply(Entry(3, events.BotTookOver(2, "player")))
    left = contests.contest(table, Outcome("rainbow", [2], [3, 2, 1]), None, LATE)
    players = (player_of(ADA), bot("player"), player_of(BEN))
    assert left == Contest("flip-and-slide", players, (2, 1, 3), gave_up=(player_of(BEN),))


def started_table(*user_ids: str) -> Table:
    """Return a table of Rainbow that was dealt at time 0, with seat 0 to act."""
    game = registry.load("rainbow")
    position = next(dealt for seed in range(100) if (dealt := deal(game, str(seed).encode())).to_act() == [0])
    table = table_of([(user_id, None) if user_id in (ADA, BEN) else (None, user_id) for user_id in user_ids])
    table.apply(Entry(0, events.Started(game.setup(position), 0)))
    return table


def test_game_counts_from_the_deal() -> None:
    table = started_table(ADA, BEN)
    lost = Contest("rainbow", (player_of(ADA), player_of(BEN)), (2, 1), gave_up=(player_of(ADA),))
    assert contests.contest(table, None, 0, LATE) == lost, "resigned before the first move"
    # Within the grace the player may be excused, until both have moved.
    assert contests.contest(table, None, 0, contests.GRACE_MS) == lost._replace(left_early=player_of(ADA))
    for seat, text in ((0, "S1"), (0, "E"), (1, "S1")):
        assert contests.contest(table, None, 0, 1) == lost._replace(left_early=player_of(ADA))
        table.apply(Entry(1, events.MovePlayed(seat, text)))
    assert contests.contest(table, None, 0, 2) == lost


@pytest.mark.parametrize(("players", "places"), [((ADA, BEN), (2, 1)), ((ADA, "master"), (2, 1))])
def test_player_who_leaves_a_game_until_it_is_abandoned_has_lost(
    players: tuple[str, str], places: tuple[int, int]
) -> None:
    table = started_table(*players)
    table.apply(Entry(LATE, events.Abandoned()))
    abandoned = contests.finished_contest(table)
    assert abandoned is not None
    assert abandoned.places == places
    assert abandoned.left_early is None
    assert contests.unrated(table) is None


def test_game_that_nobody_is_to_blame_for_is_not_rated_when_abandoned() -> None:
    waits_for_a_bot = started_table("master", ADA)
    waits_for_a_bot.apply(Entry(LATE, events.Abandoned()))
    assert contests.finished_contest(waits_for_a_bot) is None
    assert contests.unrated(waits_for_a_bot) == "abandoned"


def test_winner_rises_loser_falls_and_draw_narrows_the_difference() -> None:
    ada, ben = player_of(ADA), player_of(BEN)
    after = rating_model.rate(Contest("g", (ada, ben), (1, 2)), {})
    assert after[ada.id].mu > Skill().mu > after[ben.id].mu
    assert rating_model.rating_points(Skill().mu) == 1500
    again = rating_model.rate(Contest("g", (ada, ben), (1, 1)), after)
    assert after[ada.id].mu > again[ada.id].mu > again[ben.id].mu > after[ben.id].mu
    # The rating of a bot in two seats changes by the mean of both.
    three = rating_model.rate(Contest("g", (ada, bot("x"), bot("x")), (1, 2, 3)), {})
    assert len(three) == 2
    assert three[ada.id].mu > Skill().mu > three["bot-x"].mu


def test_hundred_points_more_mean_64_wins_in_a_hundred_games() -> None:
    """docs/ratings.md says so of the scale: with that many wins a rating stays as it is."""
    strong, weak = player_of(ADA), player_of(BEN)
    before = {strong.id: Skill(25 + 100 / rating_model.POINTS_PER_UNIT, 0.3), weak.id: Skill(25, 0.3)}
    won, lost = [rating_model.rate(Contest("g", (strong, weak), places), before) for places in ((1, 2), (2, 1))]
    up, down = won[strong.id].mu - before[strong.id].mu, before[strong.id].mu - lost[strong.id].mu
    assert down / (up + down) == pytest.approx(0.64, abs=0.005)


def test_public_id_does_not_reveal_the_user_id() -> None:
    assert player_of(ADA).id != player_of(BEN).id
    assert player_of(ADA).id not in ADA
    assert len(player_of(ADA).id) == 16
    assert contests.level_of("bot-master") == "master"
    assert contests.level_of(player_of(ADA).id) is None


# -- Over the API --------------------------------------------------------------------------------------------------


async def test_game_changes_the_ratings_of_both_players(each_server: ServerProcess) -> None:
    async with (
        Client(each_server.url, "Ada") as ada,
        Client(each_server.url, "Ben") as ben,
        Client(each_server.url) as zoe,
    ):
        for ask in (zoe.profile, zoe.rated_games):
            with pytest.raises(Refused) as refused:
                await ask(ada.me.player)
            assert refused.value.key == "no-player"
        own = await ada.profile(ada.me.player)
        assert (own.name, own.me, own.ratings) == ("Ada", True, [])
        assert (await ada.rated_games(ada.me.player)).games == []
        table = await play_and_resign(ada, ben, public=True)
        assert (await ada.table(table)).unrated is None
        assert [seat.player for seat in (await zoe.table(table)).seats] == [ada.me.player, ben.me.player]
        won, lost = (await zoe.rating_changes(table)).seats
        assert won is not None
        assert lost is not None
        assert won.before == lost.before == 1500
        assert won.after > 1500 > lost.after
        assert won.after - 1500 == 1500 - lost.after
        profile = await zoe.profile(ada.me.player)
        assert (profile.name, profile.level, profile.me) == ("Ada", None, False)
        (rated,) = profile.ratings
        assert (rated.game, rated.rating, rated.games, rated.provisional) == ("rainbow", won.after, 1, True)
        assert [point.rating for point in rated.curve] == [won.after]
        assert (await ada.profile(ada.me.player)).me
        (game,) = (await zoe.rated_games(ben.me.player)).games
        assert (game.table, game.result, game.place) == (table, "lost", 2)
        assert (game.before, game.after) == (1500, lost.after)
        assert [(other.name, other.player, other.place) for other in game.others] == [("Ada", ada.me.player, 1)]
        board = await zoe.leaderboard("rainbow")
        listed = [one for one in board.players if one.player in (ada.me.player, ben.me.player)]
        assert [(one.name, one.rank, one.provisional) for one in listed] == [("Ada", None, True), ("Ben", None, True)]
        with pytest.raises(Refused) as refused:
            await zoe.leaderboard("chess")
        assert refused.value.key == "no-game"


async def test_bots_are_rated_by_level_and_have_profiles(each_server: ServerProcess) -> None:
    async with Client(each_server.url, "Ada") as ada:
        table = await ada.create_table("rainbow", ["me", "bot:seedling"])
        async with ada.live(table.id) as live:
            await play_on(live, random.Random(3))
        changes = (await ada.rating_changes(table.id)).seats
        assert all(change is not None and change.before != change.after for change in changes)
        bot = await ada.profile("bot-seedling")
        assert (bot.name, bot.level, bot.me) == (None, "seedling", False)
        (game,) = (await ada.rated_games(ada.me.player)).games
        assert [(other.player, other.level) for other in game.others] == [("bot-seedling", "seedling")]
        board = await ada.leaderboard("rainbow")
        assert [one.level for one in board.players if one.player == "bot-seedling"] == ["seedling"]


async def test_private_table_is_named_to_its_players_alone(each_server: ServerProcess) -> None:
    async with (
        Client(each_server.url, "Ada") as ada,
        Client(each_server.url, "Ben") as ben,
        Client(each_server.url) as zoe,
    ):
        hidden = await play_and_resign(ada, ben)
        for who in (ada, ben):
            assert [one.table for one in (await who.rated_games(ada.me.player)).games] == [hidden]
        strangers = await zoe._http.get(f"/api/players/{ada.me.player}/games")
        assert strangers.json()["games"][0]["table"] is None
        texts = strangers.text + (await zoe._http.get(f"/api/players/{ada.me.player}")).text
        texts += (await zoe._http.get("/api/ratings/rainbow")).text + (
            await zoe._http.get(f"/api/tables/{hidden}")
        ).text
        for secret in (ada.me.id, ben.me.id):
            assert secret not in texts
        assert hidden not in strangers.text


@pytest.mark.parametrize(
    ("game", "seats", "more", "why"),
    [
        ("rainbow", ["me", "open"], {"hints": True}, "hints"),
        ("rainbow", ["me", "bot:random"], {"options": {"memory_aid": True}}, "helped"),
        ("rainbow", ["me", "me:Zoe"], {}, "shared"),
        ("rainbow", ["bot:random", "bot:random"], {}, "bots"),
        ("flip-and-slide", ["me"], {}, "alone"),
    ],
)
async def test_unrated_table_says_why_from_the_start(
    each_server: ServerProcess, game: str, seats: list[str], more: dict[str, Any], why: str
) -> None:
    async with Client(each_server.url, "Ada") as ada:
        assert (await ada.create_table(game, seats, **more)).unrated == why


async def test_unrated_game_changes_no_rating(each_server: ServerProcess) -> None:
    async with Client(each_server.url, "Ada") as ada, Client(each_server.url, "Ben") as ben:
        for more in ({"hints": True}, {"options": {"memory_aid": True}}):
            table = await play_and_resign(ada, ben, **more)
            assert (await ada.rating_changes(table)).seats == []
        shared_device = await ada.create_table("rainbow", ["me", "me:Zoe"])
        assert [seat.player for seat in shared_device.seats] == [None, None]
        async with ada.live(shared_device.id) as live:
            await start_game(live)
            seat = seat_to_act(live)
            await select_view(live, seat)
            await live.move(live.seat_view().legal[0], seat)
            await live.resign(seat)
        assert (await ada.rating_changes(shared_device.id)).seats == []
        assert (await ben.profile(ben.me.player)).ratings == []


async def test_imported_and_branched_games_are_not_rated(each_server: ServerProcess) -> None:
    async with Client(each_server.url, "Ada") as ada, Client(each_server.url, "Ben") as ben:
        table = await play_and_resign(ada, ben)
        assert (await ada.upload(await ada.record(table))).unrated == "elsewhere"
        branch = await ada.branch(table, 1, 0, "random")
        assert branch.unrated == "elsewhere"
        async with ada.live(branch.id) as live:
            await wait_until(lambda: live.update is not None)
            await live.resign(0)
        assert (await ada.rating_changes(branch.id)).seats == []
        assert (await ada.profile(ada.me.player)).ratings[0].games == 1


async def test_player_whose_seat_a_bot_took_over_has_lost(each_server: ServerProcess) -> None:
    async with Client(each_server.url, "Ada") as ada, Client(each_server.url, "Ben") as ben:
        table = await ada.create_table("flip-and-slide", ["me", "open", "bot:random"])
        await ben.join(table.id)
        async with ada.live(table.id) as first, ben.live(table.id) as second:
            await start_game(first, second)
            await second.resign(1)
            async with asyncio.timeout(2 * DEADLINE_SECONDS):
                await play_on(first, random.Random(5))
        (game,) = (await ben.rated_games(ben.me.player)).games
        assert (game.result, game.place) == ("lost", 3)
        assert game.after < 1500


async def test_deleted_user_is_on_no_list(each_server: ServerProcess) -> None:
    async with Client(each_server.url, "Ada") as ada, Client(each_server.url, "Ben") as ben:
        table = await play_and_resign(ada, ben, public=True)
        rating_before = (await ben.profile(ben.me.player)).ratings[0].rating
        player = ada.me.player
        await ada.delete()
        with pytest.raises(Refused):
            await ben.profile(player)
        assert player not in [one.player for one in (await ben.leaderboard("rainbow")).players]
        assert (await ben.profile(ben.me.player)).ratings[0].rating == rating_before
        (game,) = (await ben.rated_games(ben.me.player)).games
        assert [(one.player, one.name, one.place) for one in game.others] == [(None, None, 1)]
        assert (await ben.rating_changes(table)).seats[0] is None
        assert (await ben.table(table)).seats[0].player is None
