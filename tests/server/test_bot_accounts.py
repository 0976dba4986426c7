"""Bot accounts: their tokens and what they may do, challenges, marks, and their leaderboard."""

import asyncio
from typing import Any

import httpx
import msgspec
import pytest

from sevenhues import protocol
from sevenhues.client import Client, Disconnected, Refused
from sevenhues.core import record, registry
from sevenhues.core.play import play_text
from sevenhues.server.accounts.bot_accounts import token_digest
from tests.server.bot_accounts import listening, wait_for_challenge
from tests.server.play import play_one_turn_each, seat_to_act, start_game, wait_until
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio
BODIES: dict[tuple[str, str], Any] = {  # of the requests that a person may send, and a bot account may not
    ("GET", "/api/bots"): None,
    ("POST", "/api/bots"): {"name": "Another"},
    ("POST", "/api/bots/{player}/token"): None,
    ("DELETE", "/api/bots/{player}/token"): None,
    ("PATCH", "/api/bots/{player}"): {"name": "Another"},
    ("DELETE", "/api/bots/{player}"): None,
    ("PATCH", "/api/me"): {"name": "Another"},
    ("DELETE", "/api/me"): None,
    ("POST", "/api/me/transfer-code"): None,
    ("POST", "/api/me/transfer"): {"code": "x"},
    ("GET", "/api/me/passkeys"): None,
    ("POST", "/api/me/passkeys/challenge"): None,
    ("POST", "/api/me/sign-in/challenge"): {},
    ("POST", "/api/me/recovery-code"): None,
    ("POST", "/api/me/recover"): {"code": "x"},
    ("POST", "/api/me/sign-out"): None,
    ("GET", "/api/me/vacation"): None,
    ("POST", "/api/me/vacation"): {"days": 1},
    ("DELETE", "/api/me/vacation"): None,
    ("GET", "/api/me/notifications"): None,
    ("PUT", "/api/me/notifications"): {"kinds": []},
    ("DELETE", "/api/me/notifications"): None,
    ("POST", "/api/me/notifications/push"): {
        "endpoint": "https://push.example.org/x",
        "p256dh": "x" * 87,
        "auth": "x" * 22,
        "language": "en",
    },
    ("POST", "/api/me/notifications/email"): {"address": "a@example.org"},
    ("POST", "/api/records"): {},
    ("POST", "/api/tables/{table}/branch"): {"ply": 0, "seat": 0},
    ("POST", "/api/tables/{table}/analysis"): None,
    ("POST", "/api/tables/{table}/seats/0/hint"): None,
}


# -- Tokens -------------------------------------------------------------------------------------------------------


async def test_token_is_sent_once_and_only_its_digest_is_stored(each_server: ServerProcess) -> None:
    async with Client(each_server.url, "Ada") as ada:
        new = await ada.create_bot("Deep Hue", ["rainbow"])
        assert new.token.startswith("shbot_")
        listed = await ada._http.get("/api/bots")
        assert new.token not in listed.text
        assert (await ada.bots()) == [new.bot]
        assert str(token_digest(new.token)) not in listed.text
    files = [path.read_bytes() for path in each_server.data.rglob("*") if path.is_file()]
    assert not any(new.token.encode() in content for content in files)


async def test_bearer_token_authenticates_without_origin_and_cookies_are_ignored(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        new = await ada.create_bot("Deep Hue")
        headers = {"authorization": f"bearer {new.token}", "cookie": f"sevenhues={ada.cookie}"}
        async with httpx.AsyncClient(base_url=server.url, timeout=60, headers=headers) as http:
            answer = await http.get("/api/me")
            assert answer.json()["name"] == "Deep Hue"
            assert answer.json()["bot_account"] is True
            assert "set-cookie" not in answer.headers
            mine = await http.get("/api/bots")
            assert (mine.status_code, mine.json()["key"]) == (403, "not-for-bots"), "a bot is not its owner"


@pytest.mark.parametrize("token", ["", "x", "shbot_" + "A" * 43, "shbot_" + "ä" * 43, "shbot_ " + "A" * 43])
async def test_invalid_token_is_refused_and_replaced_by_no_cookie(server: ServerProcess, token: str) -> None:
    async with Client(server.url, "Ada") as ada:
        headers = [
            (b"authorization", f"Bearer {token}".strip().encode()),
            (b"cookie", f"sevenhues={ada.cookie}".encode()),
        ]
        async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
            for method, path in (("GET", "/api/me"), ("GET", "/api/tables?which=mine"), ("DELETE", "/api/me")):
                answer = await http.request(method, path, headers=headers)
                assert (answer.status_code, answer.json()["key"]) == (401, "bad-token")
                assert "set-cookie" not in answer.headers
        assert (await ada._request("GET", "/api/me", protocol.Me)).name == "Ada"


async def test_replaced_token_is_revoked(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        old = await ada.create_bot("Deep Hue")
        new = await ada.replace_bot_token(old.bot.player)
        with pytest.raises(Refused, match="not valid"):
            await Client(server.url, token=old.token).__aenter__()
        async with Client(server.url, token=new.token) as bot:
            assert bot.me.player == old.bot.player


async def test_token_revoked_in_play_closes_the_connections_and_refuses_requests(each_server: ServerProcess) -> None:
    async with Client(each_server.url, "Ada") as ada:
        new = await ada.create_bot("Deep Hue")
        table = await ada.create_table("rainbow", ["me", "open"], bots_welcome=True)
        async with Client(each_server.url, token=new.token) as bot, listening(bot) as listener:
            await bot.join(table.id)
            async with ada.live(table.id) as own, bot.live(table.id) as live:
                await start_game(own, live)
                await ada.revoke_bot_token(new.bot.player)
                await wait_until(lambda: live._closed is not None and listener.ended is not None)
                assert "revoked" in str(live._closed)
                assert "revoked" in str(listener.ended)
                with pytest.raises(Refused) as refused:
                    await bot.sample(table.id, 1)
                assert refused.value.key == "bad-token"
                await wait_until(lambda: own.table is not None and not own.table.seats[1].connected)
            with pytest.raises(Disconnected, match="bad-token"):
                await bot.live(table.id).__aenter__()


async def test_tokens_appear_in_no_log_and_in_no_answer(server: ServerProcess) -> None:
    begin, answers = server.log_size, []

    async def keep(answer: httpx.Response) -> None:
        answers.append(f"{answer.url} {answer.headers} {(await answer.aread()).decode()}")

    async with Client(server.url, "Ada") as ada:
        new = await ada.create_bot("Deep Hue", ["rainbow"])
        hooks = {"response": [keep]}
        ada._http.event_hooks = hooks
        headers = {"authorization": f"Bearer {new.token}"}
        async with httpx.AsyncClient(base_url=server.url, timeout=60, headers=headers, event_hooks=hooks) as http:
            for path in ("/api/me", "/api/bots", "/api/nothing", "/api/tables/no-such-table", "/api/ratings/rainbow"):
                await http.get(path)
            await http.post("/api/tables", json={"game": "nimble", "seats": [{"kind": "me"}]})
            await http.post("/api/tables", content=new.token.encode(), headers={"content-type": "text/plain"})
            await http.get("/api/me", headers={"authorization": f"Bearer {new.token}x"})
        async with Client(server.url, token=new.token) as bot, listening(bot):
            await ada.bots()
            await ada.revoke_bot_token(new.bot.player)
            await ada.delete_bot(new.bot.player)
    secret = new.token.removeprefix("shbot_")
    assert len(answers) >= 10
    assert not [answer for answer in answers if secret in answer]
    assert secret not in server.logged(begin)
    assert str(token_digest(new.token)) not in server.logged(begin)


# -- What a bot account may do ------------------------------------------------------------------------------------


async def test_routes_of_people_refuse_bot_accounts(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        new, table = await ada.create_bot("Deep Hue"), await ada.create_table("rainbow", ["bot:random", "bot:random"])
        await finished(ada, table.id)
        async with Client(server.url, token=new.token) as bot:
            for (method, path), body in BODIES.items():
                address = path.format(player=new.bot.player, table=table.id)
                answer = await bot._http.request(method, address, json=body)
                assert (answer.status_code, answer.json()["key"]) == (403, "not-for-bots"), (method, path)
        assert [one.name for one in await ada.bots()] == ["Deep Hue"]


async def finished(client: Client, table_id: str) -> None:
    """Wait until the built-in bots have finished a game."""
    async with client.live(table_id) as live:
        await live.ready()
        await wait_until(lambda: live.update is not None and live.update.result is not None)


async def test_bot_account_plays_the_games_of_its_scope_alone(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        new = await ada.create_bot("Deep Hue", ["nimble"])
        table = await ada.create_table("rainbow", ["me", "open"], bots_welcome=True)
        async with Client(server.url, token=new.token) as bot:
            assert await key_of(bot.join(table.id)) == "bot-may-not-play"
            await ada.change_bot(new.bot.player, "Deep Hue", ["rainbow", "nimble"])
            assert (await bot.join(table.id)).your_seats == [1]


async def test_bot_account_creates_tables_only_if_it_may(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        new = await ada.create_bot("Deep Hue")
        async with Client(server.url, token=new.token) as bot:
            assert await key_of(bot.create_table("rainbow", ["me", "open"])) == "bot-may-not-create"
            await ada.change_bot(new.bot.player, "Deep Hue", may_create=True)
            table = await bot.create_table("rainbow", ["me", "open"])
            assert (table.by_bot, table.seats[0].bot_account) == (True, True)
            assert (await ada.table(table.id)).by_bot
            assert await key_of(bot.create_table("rainbow", ["me:Ada", "open"])) == "not-for-bots"


async def test_bot_account_takes_no_seat_where_bots_are_not_welcome(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        new = await ada.create_bot("Deep Hue")
        closed = await ada.create_table("rainbow", ["me", "open"])
        welcoming = await ada.create_table("rainbow", ["me", "open"], bots_welcome=True)
        async with Client(server.url, token=new.token) as bot:
            for seat in (None, 1):
                assert await key_of(bot.join(closed.id, seat)) == "bots-not-welcome"
            joined = await bot.join(welcoming.id)
            assert (joined.bots_welcome, joined.seats[1].bot_account) == (True, True)
            assert not (await ben.join(closed.id)).seats[1].bot_account


async def test_person_has_at_most_five_bots(each_server: ServerProcess) -> None:
    async with Client(each_server.url, "Ada") as ada:
        created = await asyncio.gather(*(key_of(ada.create_bot(f"Bot {i}")) for i in range(7)))
        assert sorted(map(str, created)) == ["None"] * 5 + ["too-many-bots"] * 2
        player = (await ada.bots())[0].player
        await ada.delete_bot(player)
        assert await key_of(ada.create_bot("Another")) is None
        assert await key_of(ada.delete_bot(player)) == "no-bot-account"


async def test_bot_of_another_person_cannot_be_changed(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        player = (await ada.create_bot("Deep Hue")).bot.player
        for change in (
            ben.replace_bot_token(player),
            ben.revoke_bot_token(player),
            ben.delete_bot(player),
            ben.change_bot(player, "Shallow Hue"),
        ):
            assert await key_of(change) == "no-bot-account"
        assert [(one.name, one.has_token) for one in await ada.bots()] == [("Deep Hue", True)]


async def key_of(request: Any) -> str | None:
    """Return the key with which a request is refused; None if it is not."""
    try:
        await request
    except Refused as error:
        return error.key
    return None


# -- Challenges ---------------------------------------------------------------------------------------------------


async def test_challenged_bot_hears_of_it_and_joins(each_server: ServerProcess) -> None:
    async with Client(each_server.url, "Ada") as ada, Client(each_server.url, "Ben") as ben:
        new = await ada.create_bot("Deep Hue")
        seats = ["me", f"challenge:{new.bot.player}"]
        assert await key_of(ben.create_table("rainbow", seats)) == "bot-not-online"
        async with Client(each_server.url, token=new.token) as bot, listening(bot) as listener:
            assert new.bot.player in [one.player for one in await ben.online_bots("rainbow")]
            table = await ben.create_table("rainbow", seats)
            assert (table.seats[1].kind, table.seats[1].challenged) == ("open", "Deep Hue")
            assert await key_of(ada.join(table.id)) == "table-full", "the seat is reserved"
            challenge = await wait_for_challenge(listener, table.id)
            assert challenge.seat == 1
            joined = await bot.join(table.id)
            assert (joined.seats[1].name, joined.seats[1].bot_account) == ("Deep Hue", True)
            await wait_until(lambda: any(isinstance(one, protocol.BotGame) for one in listener.events))


async def test_declined_challenge_opens_the_seat_and_shows_the_reason(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        new = await ada.create_bot("Deep Hue")
        async with Client(server.url, token=new.token) as bot, listening(bot) as listener:
            table = await ben.create_table("rainbow", ["me", f"challenge:{new.bot.player}"])
            await wait_for_challenge(listener, table.id)
            assert (await bot.decline(table.id, "busy")).seats[1].declined == "busy"
            assert (await ben.table(table.id)).seats[1].declined == "busy"
            assert await key_of(bot.decline(table.id)) == "no-challenge"
            assert await key_of(bot.join(table.id)) == "bots-not-welcome"
            assert (await ada.join(table.id)).your_seats == [1]


async def test_withdrawn_challenge_cannot_be_accepted(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        new = await ada.create_bot("Deep Hue")
        async with Client(server.url, token=new.token) as bot, listening(bot) as listener:
            table = await ada.create_table("rainbow", ["me", f"challenge:{new.bot.player}"])
            await wait_for_challenge(listener, table.id)
            assert (await ada.leave(table.id, 1)).seats[1].challenged is None
            assert await key_of(bot.join(table.id)) == "bots-not-welcome"


@pytest.mark.parametrize("game", registry.names())
async def test_sample_shows_the_seat_what_it_has_seen(server: ServerProcess, game: str) -> None:
    async with Client(server.url, "Ada") as ada:
        new = await ada.create_bot("Deep Hue")
        table = await ada.create_table(game, ["me", "open"], bots_welcome=True)
        async with Client(server.url, token=new.token) as bot:
            await bot.join(table.id)
            async with ada.live(table.id) as own, bot.live(table.id) as live:
                await start_game(own, live)
                if not registry.load(game).simultaneous:
                    mover = own if seat_to_act(own) == 0 else live
                    await mover.move(mover.seat_view().legal[0])
                    await wait_until(lambda: live.update is not None and live.update.ply == 1)
                sample = await bot.sample(table.id, 1)
                position = registry.load(game).start(sample.setup, 2, table.options)
                for move in sample.moves:
                    play_text(registry.load(game), position, move.seat, move.text)
                view = msgspec.json.decode(msgspec.json.encode(registry.load(game).view(position, 1)))
                assert view == live.view()
            assert await key_of(bot.sample(table.id, 0)) == "not-your-seat"
            assert await key_of(ada.sample(table.id, 0)) == "bots-only"


# -- Marks --------------------------------------------------------------------------------------------------------


async def test_bot_account_is_marked_for_ever_and_deleted_with_its_name(each_server: ServerProcess) -> None:
    async with Client(each_server.url, "Ada") as ada, Client(each_server.url, "Ben") as ben:
        new = await ada.create_bot("Deep Hue")
        table = await ben.create_table("rainbow", ["me", "open"], bots_welcome=True)
        async with Client(each_server.url, token=new.token) as bot:
            await bot.join(table.id)
            async with ben.live(table.id) as own, bot.live(table.id) as live:
                await start_game(own, live)
                await play_one_turn_each(own, live)
                await own.resign(0)
                await wait_until(lambda: live.update is not None and live.update.result is not None)
        played = await ben.rated_games(ben.me.player)
        assert [(seat.name, seat.bot_account) for seat in played.games[0].others] == [("Deep Hue", True)]
        assert (await ben.profile(new.bot.player)).bot is not None
        await ada.delete()  # a person's bots are deleted with the person
        seats = (await ben.table(table.id)).seats
        assert [(seat.name, seat.bot_account) for seat in seats] == [("Ben", False), ("Somebody", True)]
        text = await ben.record(table.id)
        assert "Deep Hue" not in text
        assert record.read(text).extra[record.BOT_ACCOUNTS] == [1]
        uploaded = await ben.upload(text)
        assert [seat.bot_account for seat in uploaded.seats] == [False, True]
        assert await key_of(ben.profile(new.bot.player)) == "no-player"
        assert await key_of(Client(each_server.url, token=new.token).__aenter__()) == "bad-token"


async def test_leaderboards_of_people_and_of_bots_are_separate(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        new = await ada.create_bot("Deep Hue")
        table = await ben.create_table("rainbow", ["me", "open"], bots_welcome=True)
        async with Client(server.url, token=new.token) as bot:
            await bot.join(table.id)
            async with ben.live(table.id) as own, bot.live(table.id) as live:
                await start_game(own, live)
                await play_one_turn_each(own, live)
                await live.resign(1)
                await wait_until(lambda: own.update is not None and own.update.result is not None)
        people, bots = await everybody(ben, "people"), await everybody(ben, "bots")
        assert ben.me.player in people
        assert ben.me.player not in bots
        assert new.bot.player in bots
        assert new.bot.player not in people
        assert await key_of(ben.leaderboard("rainbow", players="all")) == "bad-request"


async def everybody(client: Client, players: str) -> set[str]:
    """Return all players of Rainbow's leaderboard."""
    after: int | None = 0
    found: set[str] = set()
    while after is not None:
        page = await client.leaderboard("rainbow", after, players)
        found |= {one.player for one in page.players}
        after = page.more
    return found


async def test_rematch_keeps_the_mark_and_begins_with_the_person(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        new = await ada.create_bot("Deep Hue")
        table = await ben.create_table("rainbow", ["me", "open"], bots_welcome=True)
        async with Client(server.url, token=new.token) as bot:
            await bot.join(table.id)
            async with ben.live(table.id) as own, bot.live(table.id) as live:
                await start_game(own, live)
                await own.resign(0)
                await wait_until(lambda: live.update is not None and live.update.result is not None)
                assert await key_of(live.rematch()) == "bot-may-not-create"
                await own.rematch()
                await wait_until(lambda: live.table is not None and live.table.seats[0].rematch)
                await live.rematch()
                await wait_until(lambda: own.table is not None and own.table.next is not None)
                assert own.table is not None
                rematch = await ben.table(str(own.table.next))
                assert sorted((seat.name, seat.bot_account) for seat in rematch.seats) == [
                    ("Ben", False),
                    ("Deep Hue", True),
                ]


async def test_deleted_bot_resigns_its_games_and_answers_its_challenges(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        new = await ada.create_bot("Deep Hue")
        async with Client(server.url, token=new.token) as bot, listening(bot):
            challenge = await ben.create_table("rainbow", ["me", f"challenge:{new.bot.player}"])
            table = await ben.create_table("rainbow", ["me", "open"], bots_welcome=True)
            await bot.join(table.id)
            async with ben.live(table.id) as own, bot.live(table.id) as live:
                await start_game(own, live)
                await ada.delete_bot(new.bot.player)
                await wait_until(lambda: own.update is not None and own.update.result is not None)
            declined = (await ben.table(challenge.id)).seats[1]
            assert (declined.challenged, declined.declined) == ("Somebody", "gone")
