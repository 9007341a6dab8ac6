"""The same measurement on both databases, each in its own folder."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests import servers
from tests.site import Site


def on_both(measure: Callable[[Site], Any]) -> dict[str, Any]:
    """The result of `measure` on a new site that is not yet prepared, for each database."""
    with tempfile.TemporaryDirectory() as folder:
        figures = {"sqlite": measure(Site(Path(folder)))}
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        place = Path(folder) / "postgresql"
        place.mkdir()
        server = servers.postgresql(place)
        try:
            return figures | {"postgresql": measure(Site(Path(folder), DATABASE_URL=server.url))}
        finally:
            server.stop()
