"""The command `sevenhues admin`: operators' actions at a running server."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from sevenhues.cli.admin_api import Connection, Duration, Moment, admin_options, time_text
from sevenhues.cli.help_format import Command, Subcommands
from sevenhues.render.ansi import printable

PERSON = click.argument("person", help="A user id, the id of a public profile, or a name that only one person has.")
REASON = click.option("--reason", required=True, help="The reason, which the person sees, and the audit log keeps.")
TIMES = ("until", "starts", "ends")  # among the details of an act
RESTRICTIONS = ("banned", "muted", "flagged")


@click.group(
    cls=Subcommands,
    short_help="Act as the operator of a running server.",
    command_sections={
        "People": ["people", "person", "rename", "ban", "unban", "mute", "unmute", "flag", "unflag", "restrictions"],
        "Data of people": ["export", "delete"],
        "Addresses": ["ban-address", "unban-address"],
        "Tables": ["tables", "end-table"],
        "Maintenance": ["announce", "announcements", "withdraw"],
        "Server": ["link", "status", "log"],
    },
    environment=(
        ("SEVENHUES_ADMIN_TOKEN_FILE", "The file of the token, in place of --admin-token-file."),
        ("SEVENHUES_ADMIN_URL", "The address of the server, in place of --url."),
        ("SEVENHUES_OPERATOR", "Your name in the audit log, in place of --operator."),
    ),
    examples=[
        ("sevenhues admin link", "Open the admin page in a browser."),
        ("sevenhues admin people ada", "Search for people."),
        ("sevenhues admin announce --in 30m --for 1h", "Announce maintenance to everybody."),
    ],
)
def admin() -> None:
    """Act as the operator of a running server: people, tables, announcements, the audit log.

    The server must have been started with --admin-token-file, and the commands need the same file. Every act is added
    to the audit log.
    """


def _command(examples: list[tuple[str, str]], name: str | None = None) -> Callable[[Callable[..., Any]], click.Command]:
    return admin.command(name, cls=Command, examples=examples)


def _show(as_json: bool, answer: Any, *lines: str) -> None:
    """Print an answer as JSON, or lines that say it."""
    if as_json:
        click.echo(json.dumps(answer, indent=1, ensure_ascii=False))
        return
    for line in lines:
        click.echo(printable(line))


@_command([("sevenhues admin link", "Print a link that opens the admin page.")])
@admin_options
def link(url: str, token_file: Path, operator: str, as_json: bool) -> None:
    """Print a link that opens the admin page in your browser: once, within five minutes."""
    answer = Connection(url, token_file, operator).call("POST", "link")
    _show(as_json, answer, answer["url"])


@_command([("sevenhues admin people ada", "Search for people whose names contain or resemble ada.")])
@click.argument("search", default="", help="An id or a part of a name; by default the newest names are listed.")
@admin_options
def people(search: str, url: str, token_file: Path, operator: str, as_json: bool) -> None:
    """Search for people by id or name, also by a name that looks alike."""
    answer = Connection(url, token_file, operator).call("GET", "people", query={"q": search})
    lines = [_person_line(one) for one in answer["people"]] or ["Nobody."]
    _show(as_json, answer, *lines, *(["There are more: search for something longer."] if answer["more"] else []))


def _person_line(person: dict[str, Any]) -> str:
    marks = [one["kind"] for one in person["restrictions"]] + (["deleted"] if person["deleted"] else [])
    if person["lookalikes"]:
        marks.append(f"looks like {len(person['lookalikes'])} more")
    return f"{person['id']}  {person['player']}  {person['name']}" + (f"  ({', '.join(marks)})" if marks else "")


@_command([("sevenhues admin person Ada", "Show a person, their restrictions and their tables.")])
@PERSON
@admin_options
def person(person: str, url: str, token_file: Path, operator: str, as_json: bool) -> None:
    """Show a person with their restrictions, tables and addresses."""
    server = Connection(url, token_file, operator)
    answer = server.call("GET", f"people/{server.find(person)}")
    shown = answer["person"]
    lines = [f"{shown['name']}", f"  user id  {shown['id']}", f"  profile  {shown['player']}"]
    lines += [f"  name     looks like that of {other}" for other in shown["lookalikes"]]
    lines += [f"  {one['kind']}  {_until(one)}: {one['reason']}" for one in shown["restrictions"]]
    lines += [f"  from     {network}" for network in answer["networks"]]
    lines += [f"  table    {_table_line(table)}" for table in answer["tables"]]
    _show(as_json, answer, *lines)


def _until(restriction: dict[str, Any]) -> str:
    return "for good" if restriction["until"] is None else f"until {time_text(restriction['until'])}"


@_command([("sevenhues admin rename Ada 'Ada L'", "Give a person another name, also at their tables.")])
@PERSON
@click.argument("name", help="The new name.")
@admin_options
def rename(person: str, name: str, url: str, token_file: Path, operator: str, as_json: bool) -> None:
    """Give a person another name, also at their tables."""
    server = Connection(url, token_file, operator)
    answer = server.call("POST", f"people/{server.find(person)}/name", {"name": name})
    similar = [f"Take care: the name looks like that of {_person_line(one)}." for one in answer["lookalikes"]]
    _show(as_json, answer, f"The name is {answer['name']} now.", *similar)


def _restricting(act: str, what: str, example: str) -> click.Command:
    """Make the command that restricts a person."""

    @PERSON
    @REASON
    @click.option("--for", "seconds", type=Duration(), show_default="for good", help="How long: 24h, 7d, 2w.")
    @admin_options
    def restrict(
        person: str, reason: str, seconds: int | None, url: str, token_file: Path, operator: str, as_json: bool
    ) -> None:
        server = Connection(url, token_file, operator)
        answer = server.call("POST", f"people/{server.find(person)}/{act}", {"reason": reason, "seconds": seconds})
        _show(as_json, answer, "Done.")

    made: click.Command = admin.command(act, cls=Command, help=what, examples=[(example, what)])(restrict)
    return made


def _lifting(act: str, of: str, what: str) -> click.Command:
    """Make the command that lifts the restriction of a person."""

    @PERSON
    @admin_options
    def lift(person: str, url: str, token_file: Path, operator: str, as_json: bool) -> None:
        server = Connection(url, token_file, operator)
        _show(as_json, server.call("DELETE", f"people/{server.find(person)}/{of}"), "Done.")

    made: click.Command = admin.command(act, cls=Command, help=what, examples=[(f"sevenhues admin {act} Ada", what)])(
        lift
    )
    return made


_restricting(
    "ban",
    "Let a person only read, and close their connections.",
    "sevenhues admin ban Ada --reason 'insults at tables' --for 7d",
)
_lifting("unban", "ban", "Lift the ban of a person.")
_restricting(
    "mute", "Keep a person from sending phrases.", "sevenhues admin mute Ada --reason 'sends them on and on' --for 24h"
)
_lifting("unflag", "flag", "Remove the mark of a program.")
_lifting("unmute", "mute", "Let a muted person send phrases again.")


@_command([("sevenhues admin flag Ada --reason 'moves like a bot'", "Games of Ada do not count from now on.")])
@PERSON
@REASON
@admin_options
def flag(person: str, reason: str, url: str, token_file: Path, operator: str, as_json: bool) -> None:
    """Mark a person as a program: games from now on do not count."""
    server = Connection(url, token_file, operator)
    _show(as_json, server.call("POST", f"people/{server.find(person)}/flag", {"reason": reason}), "Done.")


@_command(
    [("sevenhues admin ban-address 192.0.2.7 --reason 'floods of guests' --for 24h", "Ban an address for a day.")],
    "ban-address",
)
@click.argument("address", help="An IP address; of an IPv6 address its /64 network is banned.")
@REASON
@click.option("--for", "seconds", type=Duration(), required=True, help="How long, at most 30d.")
@admin_options
def ban_address(
    address: str, reason: str, seconds: int, url: str, token_file: Path, operator: str, as_json: bool
) -> None:
    """Ban an address for a while: no guests, sign-ins, changes and connections."""
    body = {"address": address, "reason": reason, "seconds": seconds}
    _show(as_json, Connection(url, token_file, operator).call("POST", "addresses/ban", body), "Done.")


@_command([("sevenhues admin unban-address 192.0.2.7", "Lift the ban of an address.")], "unban-address")
@click.argument("address", help="The address.")
@admin_options
def unban_address(address: str, url: str, token_file: Path, operator: str, as_json: bool) -> None:
    """Lift the ban of an address."""
    answer = Connection(url, token_file, operator).call("POST", "addresses/unban", {"address": address})
    _show(as_json, answer, "Done.")


@_command([("sevenhues admin restrictions --kind muted", "List the people who are muted.")])
@click.option(
    "--kind", type=click.Choice(RESTRICTIONS), default="banned", show_default=True, help="Which restrictions to list."
)
@admin_options
def restrictions(kind: str, url: str, token_file: Path, operator: str, as_json: bool) -> None:
    """List the people and addresses with a restriction."""
    answer = Connection(url, token_file, operator).call("GET", "restrictions", query={"kind": kind})
    lines = [f"{one['subject']}  {_until(one)}: {one['reason']}" for one in answer["restrictions"]]
    _show(as_json, answer, *(lines or ["None."]))


@_command([("sevenhues admin delete Ada --yes", "Delete a person's data.")])
@PERSON
@click.option("--yes", is_flag=True, help="Do not ask.")
@admin_options
def delete(person: str, yes: bool, url: str, token_file: Path, operator: str, as_json: bool) -> None:
    """Delete a person's data, as the person could: it cannot be undone."""
    server = Connection(url, token_file, operator)
    user_id = server.find(person)
    if not yes:
        click.confirm(f"Delete all data of {person} ({user_id}) for good?", abort=True, err=True)
    _show(as_json, server.call("DELETE", f"people/{user_id}"), "Deleted.")


@_command([("sevenhues admin export Ada > ada.json", "Save all data of a person.")])
@PERSON
@admin_options
def export(person: str, url: str, token_file: Path, operator: str, as_json: bool) -> None:
    """Print all data of a person as JSON."""
    server = Connection(url, token_file, operator)
    _show(True, server.call("GET", f"people/{server.find(person)}/export"))


@_command([("sevenhues admin tables --status playing", "List the games in play.")])
@click.argument("search", default="", help="A part of a table's id, or the user id of a player; by default all.")
@click.option("--status", type=click.Choice(["waiting", "playing", "finished"]), help="Only tables of this status.")
@admin_options
def tables(search: str, status: str | None, url: str, token_file: Path, operator: str, as_json: bool) -> None:
    """Search for tables; the latest come first."""
    query = {"q": search} | ({} if status is None else {"status": status})
    answer = Connection(url, token_file, operator).call("GET", "tables", query=query)
    _show(as_json, answer, *([_table_line(table) for table in answer["tables"]] or ["None."]))


def _table_line(table: dict[str, Any]) -> str:
    seats = [seat["name"] or f"bot:{seat['level']}" if seat["kind"] != "open" else "-" for seat in table["seats"]]
    names = ", ".join(seats)
    return f"{table['id']}  {table['game']}  {table['status']}  {time_text(table['updated'])}  {names}"


@_command(
    [("sevenhues admin end-table amber-fox-0abcdef --reason 'the game is stuck'", "End a game without a rating.")],
    "end-table",
)
@click.argument("table", help="The id of the table.")
@REASON
@admin_options
def end_table(table: str, reason: str, url: str, token_file: Path, operator: str, as_json: bool) -> None:
    """End the game of a table without a rating, or remove a table that has not started."""
    answer = Connection(url, token_file, operator).call("POST", f"tables/{table}/end", {"reason": reason})
    _show(as_json, answer, "Done.")


@_command(
    [
        ("sevenhues admin announce --in 30m --for 1h", "Announce an hour of maintenance, half an hour before."),
        ("sevenhues admin announce --starts 2026-12-24T22:00 --for 2h --note 'New games!'", "The same, with a note."),
    ]
)
@click.option("--starts", type=Moment(), help="When it starts, in UTC: 2026-12-24T22:00.")
@click.option("--in", "in_seconds", type=Duration(), help="In what time it starts, instead of --starts: 30m.")
@click.option("--for", "seconds", type=Duration(), required=True, help="How long it takes: 1h.")
@click.option("--note", default="", help="A sentence that is shown as it is.")
@admin_options
def announce(
    starts: int | None,
    in_seconds: int | None,
    seconds: int,
    note: str,
    url: str,
    token_file: Path,
    operator: str,
    as_json: bool,
) -> None:
    """Announce maintenance to everybody, also to those who connect later."""
    if (starts is None) == (in_seconds is None):
        raise click.UsageError("give either --starts or --in")
    begins = starts if starts is not None else int(time.time() * 1000) + (in_seconds or 0) * 1000
    body = {"starts": begins, "seconds": seconds, "note": note}
    answer = Connection(url, token_file, operator).call("POST", "announcements", body)
    _show(as_json, answer, _announcement_line(answer))


def _announcement_line(one: dict[str, Any]) -> str:
    return f"{one['id']}  {time_text(one['starts'])} to {time_text(one['ends'])}" + f"  {one['note']}".rstrip()


@_command([("sevenhues admin announcements", "List what is announced.")])
@admin_options
def announcements(url: str, token_file: Path, operator: str, as_json: bool) -> None:
    """List the announcements that have not ended."""
    answer = Connection(url, token_file, operator).call("GET", "announcements")
    _show(as_json, answer, *([_announcement_line(one) for one in answer["announcements"]] or ["None."]))


@_command([("sevenhues admin withdraw 0a1b2c3d", "Withdraw an announcement.")])
@click.argument("announcement", help="The id of the announcement.")
@admin_options
def withdraw(announcement: str, url: str, token_file: Path, operator: str, as_json: bool) -> None:
    """Withdraw an announcement."""
    _show(as_json, Connection(url, token_file, operator).call("DELETE", f"announcements/{announcement}"), "Done.")


@_command([("sevenhues admin log --target Ada", "Show what operators did to a person.")])
@click.option("--target", help="Only acts on a person, an address, a table or an announcement.")
@click.option("--before", type=int, help="Only acts before the one with this number.")
@admin_options
def log(target: str | None, before: int | None, url: str, token_file: Path, operator: str, as_json: bool) -> None:
    """Show the audit log, the newest acts first."""
    server = Connection(url, token_file, operator)
    query = {} if before is None else {"before": str(before)}
    answer = server.call("GET", "log", query=query | ({} if target is None else {"target": target}))
    if target is not None and not answer["entries"]:
        answer = server.call("GET", "log", query=query | {"target": server.find(target)})
    lines = [_log_line(entry) for entry in answer["entries"]] or ["Nothing."]
    more = [] if answer["more"] is None else [f"There are older acts: --before {answer['more']}"]
    _show(as_json, answer, *lines, *more)


def _log_line(entry: dict[str, Any]) -> str:
    details = ", ".join(
        f"{name}: {time_text(value) if name in TIMES else value}" for name, value in entry["details"].items()
    )
    who = f"{entry['operator']} ({entry['way']})"
    return f"{entry['number']}  {time_text(entry['at'])}  {who}  {entry['act']}  {entry['target']}  {details}".rstrip()


@_command([("sevenhues admin status", "Show the load and the latest errors of every process.")])
@admin_options
def status(url: str, token_file: Path, operator: str, as_json: bool) -> None:
    """Show the load of every process, and its latest warnings and errors."""
    answer = Connection(url, token_file, operator).call("GET", "status")
    lines: list[str] = []
    for one in answer["processes"]:
        lines.append(f"{one['host']} {one['pid']}, version {one['version']}, since {time_text(one['started'])}")
        lines.append(
            f"  {one['connections']} connections, {one['tables']} tables, {one['searches']} searches,"
            f" event loop {one['loop_delay_ms']} ms, store {one['store_ms']} ms, memory {one['memory_mb']} MiB"
        )
        lines += [f"  {time_text(each['at'])}  {each['level']}  {each['text']}" for each in one["problems"]]
    _show(as_json, answer, *lines)
