"""A protocol in a folder of its own, installed for one test."""

from __future__ import annotations

import sys
from pathlib import Path

from annotation import registry
from annotation.protocol import Protocol
from tests.protocols import examples


def installed(key: str, folder: Path, settings, monkeypatch) -> Protocol:
    """The protocol whose package is in that folder, with the example files below `tests/protocols` of it."""
    monkeypatch.syspath_prepend(folder)
    for name in ("_PROTOCOLS", "_FORMS"):
        monkeypatch.setattr(registry, name, dict(getattr(registry, name)))
    monkeypatch.setattr(examples, "EXAMPLES", folder / "tests" / "protocols")
    settings.INSTALLED_APPS = [*settings.INSTALLED_APPS, key]
    return registry.get(key)


def forget(key: str) -> None:
    """Let the next test import a package of this name anew."""
    for name in [name for name in sys.modules if name.partition(".")[0] == key]:
        del sys.modules[name]
