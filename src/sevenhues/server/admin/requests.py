"""Functions that the routes of operators share."""

import asyncio

from sevenhues.core.errors import shorten
from sevenhues.protocol import admin as protocol
from sevenhues.server.accounts import names, restrictions
from sevenhues.server.accounts.restrictions import Restriction
from sevenhues.server.admin.acts import Acts
from sevenhues.server.http.context import AnyRequest, AppContext, context_of
from sevenhues.server.operators import people
from sevenhues.server.operators.audit_log import Operator
from sevenhues.server.operators.people import Person
from sevenhues.server.query_steps import QuerySteps
from sevenhues.server.ratings.contests import player_of
from sevenhues.server.table.errors import Refused


def acts_of(request: AnyRequest) -> Acts:
    """Return the acts of the operator who sends a request."""
    operator: Operator = request.scope["state"]["operator"]
    return Acts(context_of(request), operator)


async def person_named(context: AppContext, user_id: str) -> Person:
    """Return a person by their id; raise Refused if the store knows nobody with it."""
    if not people.is_user_id(user_id) or not await context.store.read(people.is_known(user_id)):
        raise Refused("no-person", person=shorten(user_id))
    return (await context.store.read(people.find([user_id])))[0]


async def describe(context: AppContext, found: list[Person]) -> list[protocol.AdminPerson]:
    """Describe people with their restrictions, and with others whose names look alike."""
    groups = await asyncio.to_thread(people.lookalikes, await context.store.read(people.chosen_names()))
    now_ms = context.live_tables.now()
    restricted = await context.store.read(_restrictions_of([person.id for person in found], now_ms))
    described = []
    for person in found:
        similar = groups.get(names.skeleton(person.name), []) if person.name is not None else []
        described.append(
            protocol.AdminPerson(
                person.id,
                player_of(person.id).id,
                person.name or names.guest_name(person.id),
                person.name is not None,
                person.created,
                person.deleted,
                [restriction(one) for one in restricted[person.id]],
                [user_id for user_id, _ in similar if user_id != person.id],
            )
        )
    return described


def restriction(one: Restriction) -> protocol.AdminRestriction:
    return protocol.AdminRestriction(one.subject, one.kind, one.until, one.reason, one.created)


def _restrictions_of(user_ids: list[str], now_ms: int) -> QuerySteps[dict[str, list[Restriction]]]:
    found = {}
    for user_id in user_ids:
        found[user_id] = list((yield from restrictions.restrictions_of(user_id, now_ms)).values())
    return found
