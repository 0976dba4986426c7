"""All checks of an installation."""

from collections.abc import Iterator

from sevenhues.server.doctor import installation, public_address, running_server, services
from sevenhues.server.doctor.findings import Finding
from sevenhues.server.settings import Settings


def examine(settings: Settings, host: str, port: int, proxies: tuple[str, ...]) -> Iterator[Finding]:
    """Check the installation of a server with these settings; change nothing."""
    keys = running_server.keys_of(settings)
    yield from installation.check_data(settings)
    yield from installation.check_disk(settings)
    yield from services.check_store(settings)
    yield from services.check_bus(settings)
    findings, diagnosis = running_server.check_server(settings, running_server.local_url(host, port), keys)
    yield from findings
    yield from installation.check_backups(settings, diagnosis)
    yield from installation.check_machine(diagnosis)
    yield from running_server.check_metrics(settings)
    yield from public_address.check_public_url(settings, proxies, keys)
