"""The files of `deploy/` name metrics, options and files that exist."""

import json
import re
from pathlib import Path

import pytest
from prometheus_client import generate_latest

from sevenhues.cli.serve import ENVIRONMENT_PREFIX, read_secret, serve
from sevenhues.server.prometheus_metrics import PrometheusMetrics
from tests.test_structure import ROOT

DEPLOY = ROOT / "deploy"
MONITORING = [DEPLOY / "monitoring/alerts.yaml", DEPLOY / "monitoring/dashboard.json"]
CONFIGURED = [
    *[path for path in DEPLOY.iterdir() if path.is_file()],
    *(DEPLOY / "systemd").iterdir(),
    ROOT / "docs/deploying.md",
]
VARIABLE = re.compile(rf"\b{ENVIRONMENT_PREFIX}_[A-Z_]+\b")
OF_COMPOSE = {"SEVENHUES_IMAGE"}  # not of the server


def metrics() -> dict[str, set[str]]:
    """Return the labels of every series that a server publishes."""
    published = PrometheusMetrics()
    published.count_request("/", 500)
    published.count_backup("failed")
    published.count_refusal("store-failed")
    published.count_dropped_connection("slow")
    published.count_notification("push", "retry")
    text = generate_latest(published.registry).decode()
    names = re.findall(r"^# TYPE (\w+)", text, re.MULTILINE)
    series: dict[str, set[str]] = {f"{name}_bucket": {"le"} for name in names} | {name: set() for name in names}
    for name, labels in re.findall(r"^(\w+)\{([^}]*)\}", text, re.MULTILINE):
        series.setdefault(name, set()).update(re.findall(r"(\w+)=", labels))
    return series


@pytest.mark.parametrize("path", MONITORING, ids=lambda path: str(path.name))
def test_monitoring_uses_metrics_and_labels_that_a_server_publishes(path: Path) -> None:
    text, published = path.read_text(encoding="utf-8").replace('\\"', '"'), metrics()
    used = set(re.findall(r"\bsevenhues_\w+", text))
    assert len(used) > 5
    assert used - set(published) == set()
    filtered = re.findall(r"\b(sevenhues_\w+)\{(\w+)[=~]", text)
    assert [(name, label) for name, label in filtered if label not in published[name]] == []


def test_dashboard_shows_every_metric() -> None:
    board = json.loads(MONITORING[1].read_text(encoding="utf-8"))
    shown = " ".join(target["expr"] for panel in board["panels"] for target in panel["targets"])
    names = {name.removesuffix("_bucket") for name in metrics()}
    assert [name for name in names if name.endswith(("_total", "_seconds")) and name not in shown] == []


def test_deployment_sets_options_that_the_server_has() -> None:
    known = set(OF_COMPOSE)
    for param in serve.params:
        names = [param.envvar] if isinstance(param.envvar, str) else [f"{ENVIRONMENT_PREFIX}_{param.name}".upper()]
        known.update(names)
        if param.callback is read_secret:
            known.update(f"{name}_FILE" for name in names)
    unknown = {
        f"{path.name}: {name}"
        for path in CONFIGURED
        for name in VARIABLE.findall(path.read_text(encoding="utf-8"))
        if name not in known
    }
    assert unknown == set()


def test_image_is_built_from_files_that_exist() -> None:
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    copied = [
        source for line in re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE) for source in line.split()[:-1]
    ]
    assert copied
    assert [source for source in copied if not (ROOT / source).exists()] == []
    assert "requirements/server.txt" in text
    assert (ROOT / "requirements/server.txt").exists()


@pytest.mark.parametrize("path", sorted((DEPLOY / "systemd").glob("*.service")), ids=lambda path: str(path.name))
def test_units_take_privileges_away_and_wait_for_the_drain(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    settings = dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))
    assert settings["ProtectSystem"] == "strict"
    assert settings["NoNewPrivileges"] == "yes"
    assert settings["CapabilityBoundingSet"] == ""
    environment = (DEPLOY / "systemd/sevenhues.env").read_text(encoding="utf-8")
    drain = re.search(r"SEVENHUES_DRAIN_SECONDS=(\d+)", environment)
    assert drain
    assert int(settings["TimeoutStopSec"]) > int(drain[1]) + 20


@pytest.mark.parametrize("name", ["Containerfile", "compose.yaml", "Caddyfile"])
def test_health_is_checked_where_the_server_answers(name: str) -> None:
    assert "/healthz" in (DEPLOY / name).read_text(encoding="utf-8")
