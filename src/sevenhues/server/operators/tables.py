"""Searches for tables."""

from sevenhues.server.operators.people import USER_ID
from sevenhues.server.query_steps import QuerySteps, Row
from sevenhues.server.store import ListedTable


def find(text: str, status: str | None, limit: int) -> QuerySteps[list[ListedTable]]:
    """List the tables whose id contains a text, or those of a user by their id; the latest first."""
    conditions: list[str] = []
    values: Row = ()
    if USER_ID.fullmatch(text):
        conditions.append("id IN (SELECT table_id FROM seated_users WHERE user_id = ?)")
        values += (text,)
    elif text:
        conditions.append("id LIKE ? ESCAPE '!'")
        values += (f"%{text.replace('!', '!!').replace('%', '!%').replace('_', '!_')}%",)
    if status is not None:
        conditions.append("status = ?")
        values += (status,)
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    sql = f"SELECT id, updated FROM tables{where} ORDER BY updated DESC, id LIMIT ?"
    return [ListedTable(*row) for row in (yield sql, (*values, limit))]
