"""The command that checks an installation of a server."""

import json
from pathlib import Path
from typing import Any

import click

from sevenhues.cli.extras import requires_play
from sevenhues.cli.help_format import Command
from sevenhues.cli.serve import ENVIRONMENT_PREFIX, serve
from sevenhues.server.settings import Settings

USED = (
    "host",
    "port",
    "data",
    "database_url",
    "redis_url",
    "key_file",
    "proxies",
    "origins",
    "public_url",
    "metrics_port",
    "metrics_host",
    "backup_dir",
    "backup_every",
    "backup_keep",
)
COLOURS = {"ok": "green", "skipped": None, "warning": "yellow", "error": "red"}


@click.command(
    cls=Command,
    short_help="Check the installation of a server.",
    context_settings={"auto_envvar_prefix": ENVIRONMENT_PREFIX, "show_default": True},
    params=[param for param in serve.params if param.name in USED],
    sections={
        "Output": ["as_json", "quiet"],
        "Network": ["host", "port", "origins", "proxies", "public_url"],
        "Storage": ["data", "key_file", "database_url", "redis_url"],
        "Backups": ["backup_dir", "backup_every", "backup_keep"],
        "Monitoring": ["metrics_port", "metrics_host"],
    },
    exit_statuses=(("0", "All is well."), ("1", "There are warnings."), ("2", "There are errors.")),
    examples=[
        ("sevenhues doctor --data /var/lib/sevenhues --public-url https://games.example.org", "Also check the proxy."),
        ("sevenhues doctor --quiet", "For a timer: print warnings and errors alone."),
    ],
)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.option("--quiet", is_flag=True, help="Print warnings and errors alone.")
@click.pass_context
def doctor(ctx: click.Context, /, as_json: bool, quiet: bool, **options: Any) -> None:
    """Check the installation of a running server, and say what to do. Change nothing.

    Give the options or environment variables of `serve`, and run the doctor as the same user. With --public-url it
    also checks requests through the proxy.
    """
    with requires_play("the doctor"):
        from sevenhues.server.doctor.examine import examine
        from sevenhues.server.doctor.findings import exit_status

    key_file: Path | None = options["key_file"]
    settings = Settings(
        options["data"],
        options["origins"],
        database_url=options["database_url"],
        redis_url=options["redis_url"],
        key_path=key_file,
        metrics_host=options["metrics_host"],
        metrics_port=options["metrics_port"],
        public_url=options["public_url"],
        backup_dir=options["backup_dir"],
        backup_every_seconds=options["backup_every"],
        backup_keep=options["backup_keep"],
    )
    findings = []
    for finding in examine(settings, options["host"], options["port"], options["proxies"]):
        findings.append(finding)
        if as_json or (quiet and finding.status in ("ok", "skipped")):
            continue
        status = click.style(f"{finding.status:<7}", fg=COLOURS[finding.status])
        click.echo(f"{status}  {finding.check:<14}  {finding.text}")
        if finding.advice:
            click.echo(f"{'':25}→ {finding.advice}")
    if as_json:
        click.echo(json.dumps([finding.as_json() for finding in findings], indent=1))
    ctx.exit(exit_status(findings))
