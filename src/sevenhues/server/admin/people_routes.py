"""Routes of the admin API about people and addresses."""

import asyncio
from typing import Literal

from litestar import delete, get, post
from litestar.params import FromPath, FromQuery, JSONBody

from sevenhues.protocol import admin as protocol
from sevenhues.server.accounts import names, restrictions
from sevenhues.server.accounts.restrictions import Kind
from sevenhues.server.admin.acts import address_subject
from sevenhues.server.admin.requests import acts_of, describe, person_named, restriction
from sevenhues.server.answers import tables as answers
from sevenhues.server.http.context import AnyRequest, AppContext, context_of
from sevenhues.server.operators import people

MAX_PEOPLE = 50  # of an answer
MAX_QUERY = 100  # characters
MAX_TABLES = 20
KINDS: dict[str, Kind] = {"ban": "banned", "mute": "muted", "flag": "flagged"}


@get("/api/admin/people", tags=["people"])
async def list_people(request: AnyRequest, q: FromQuery[str] = "") -> protocol.AdminPeople:
    """Search for people by a user id, the id of a public profile, or a part of a name, also one that looks like it.

    Without a search, list those who have chosen a name last.
    """
    context = context_of(request)
    text = " ".join(q[:MAX_QUERY].split())
    if not text:
        found = await context.store.read(people.newest(MAX_PEOPLE + 1))
    else:
        found = await context.store.read(people.find(await _ids_matching(context, text)))
    return protocol.AdminPeople(await describe(context, found[:MAX_PEOPLE]), len(found) > MAX_PEOPLE)


async def _ids_matching(context: AppContext, text: str) -> list[str]:
    if people.is_user_id(text) and await context.store.read(people.is_known(text)):
        return [text]
    if people.PLAYER_ID.fullmatch(text):
        user_ids = await context.store.read(people.ids())
        user_id = await asyncio.to_thread(people.with_player_id, user_ids, text)
        if user_id is not None:
            return [user_id]
    chosen = await context.store.read(people.chosen_names())
    return (await asyncio.to_thread(people.matching, chosen, text))[: MAX_PEOPLE + 1]


@get("/api/admin/people/{user:str}", tags=["people"])
async def show_person(request: AnyRequest, user: FromPath[str]) -> protocol.AdminPersonDetails:
    """Describe a person."""
    context = context_of(request)
    person = await person_named(context, user)
    page = await context.store.list_of_user(user, None, MAX_TABLES)
    listed = await answers.table_list(context.live_tables, page, None)
    viewers = [viewer for table in context.live_tables.tables.values() for viewer in table.viewers]
    networks = sorted({viewer.network for viewer in viewers if viewer.user_id == user})
    return protocol.AdminPersonDetails((await describe(context, [person]))[0], networks, listed.tables)


@post("/api/admin/people/{user:str}/name", tags=["people"], status_code=200)
async def rename_person(
    request: AnyRequest, user: FromPath[str], data: JSONBody[protocol.AdminRename]
) -> protocol.AdminRenamed:
    """Give a person another name, also at their tables; tell whose names look like it."""
    context = context_of(request)
    name = await acts_of(request).rename(user, data.name)
    groups = await asyncio.to_thread(people.lookalikes, await context.store.read(people.chosen_names()))
    others = [user_id for user_id, _ in groups.get(names.skeleton(name), []) if user_id != user]
    found = await context.store.read(people.find(others[:MAX_PEOPLE]))
    return protocol.AdminRenamed(name, await describe(context, found))


@post("/api/admin/people/{user:str}/{act:str}", tags=["people"], status_code=200)
async def restrict_person(
    request: AnyRequest,
    user: FromPath[str],
    act: FromPath[Literal["ban", "mute", "flag"]],
    data: JSONBody[protocol.AdminRestrict],
) -> protocol.AdminDone:
    """Ban or mute a person, for a number of seconds or for good; or flag a program that plays as a person, for good."""
    if act == "flag":
        await acts_of(request).flag(user, data.reason)
    else:
        await acts_of(request).restrict(user, KINDS[act], data.reason, data.seconds)
    return protocol.AdminDone()


@delete("/api/admin/people/{user:str}/{act:str}", tags=["people"], status_code=200)
async def lift_restriction(
    request: AnyRequest, user: FromPath[str], act: FromPath[Literal["ban", "mute", "flag"]]
) -> protocol.AdminDone:
    """Lift the ban of a person, let a muted person speak again, or remove the flag of a program."""
    await acts_of(request).lift(user, KINDS[act])
    return protocol.AdminDone()


@delete("/api/admin/people/{user:str}", tags=["people"], status_code=200)
async def delete_person(request: AnyRequest, user: FromPath[str]) -> protocol.AdminDone:
    """Delete a person's data, as the person could."""
    await acts_of(request).delete(user)
    return protocol.AdminDone()


@get("/api/admin/people/{user:str}/export", tags=["people"])
async def export_person(request: AnyRequest, user: FromPath[str]) -> protocol.AdminExport:
    """Return all data of a person."""
    return await acts_of(request).export(user)


@get("/api/admin/restrictions", tags=["people"])
async def list_restrictions(
    request: AnyRequest, kind: FromQuery[Literal["banned", "muted", "flagged"]] = "banned"
) -> protocol.AdminRestrictions:
    """List the people and addresses with a restriction, the newest first."""
    context = context_of(request)
    found = await context.store.read(restrictions.restricted(kind, context.live_tables.now()))
    return protocol.AdminRestrictions([restriction(one) for one in found])


@post("/api/admin/addresses/ban", tags=["people"], status_code=200)
async def ban_address(request: AnyRequest, data: JSONBody[protocol.AdminRestrictAddress]) -> protocol.AdminDone:
    """Ban an IP address, or the /64 network of an IPv6 address, for a while."""
    await acts_of(request).restrict(address_subject(data.address), "banned", data.reason, data.seconds)
    return protocol.AdminDone()


@post("/api/admin/addresses/unban", tags=["people"], status_code=200)
async def unban_address(request: AnyRequest, data: JSONBody[protocol.AdminAddress]) -> protocol.AdminDone:
    """Lift the ban of an address."""
    await acts_of(request).lift(address_subject(data.address), "banned")
    return protocol.AdminDone()


ROUTES = (
    list_people,
    show_person,
    rename_person,
    restrict_person,
    lift_restriction,
    delete_person,
    export_person,
    list_restrictions,
    ban_address,
    unban_address,
)
