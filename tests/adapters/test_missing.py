"""An adapter without its framework, and the client without its packages, say what to install."""

import sys
from importlib import import_module

import pytest


@pytest.mark.parametrize(
    ("name", "framework"), [("pettingzoo",) * 2, ("gymnasium",) * 2, ("openspiel", "pyspiel"), ("pgx",) * 2]
)
def test_adapter_without_its_framework_says_what_to_install(
    name: str, framework: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, framework, None)
    monkeypatch.delitem(sys.modules, f"sevenhues.adapters.{name}", raising=False)
    with pytest.raises(ImportError, match=rf'pip install "sevenhues\[{name}\]"'):
        import_module(f"sevenhues.adapters.{name}")


@pytest.mark.parametrize("package", ["httpx", "websockets"])
def test_client_without_its_packages_says_what_to_install(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, "sevenhues.client", raising=False)
    with pytest.raises(ImportError, match=r'needs httpx and websockets: pip install "sevenhues\[client\]"'):
        import_module("sevenhues.client")
