"""The same measurement on both databases, each in its own folder; and the servers of a production site."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests import prepared, servers
from tests.bench.yardstick import beside_yardstick
from tests.site import Site


def on_both(measure: Callable[[Site], dict[str, Any]]) -> dict[str, Any]:
    """The result of `measure` on a new site that is not yet prepared, with the yardstick, for each database.

    PostgreSQL runs with its default settings, as in production: the tests' own have no autovacuum, so that the planner
    knows nothing of the tables.
    """
    with tempfile.TemporaryDirectory() as folder:
        figures = {"sqlite": beside_yardstick(lambda: measure(Site(Path(folder))))}
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        place = Path(folder) / "postgresql"
        place.mkdir()
        server = servers.postgresql(place, durable=True)
        try:
            site = Site(Path(folder), DATABASE_URL=server.url)
            return figures | {"postgresql": beside_yardstick(lambda: measure(site))}
        finally:
            server.stop()


@contextmanager
def production_servers(*, migrated: bool = False) -> Iterator[tuple[Path, dict[str, str]]]:
    """A folder in which a durable PostgreSQL and a Redis run, and their addresses as settings of a site.

    `migrated`: the database has all tables already.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        places = [folder / server for server in ("postgresql", "redis")]
        for place in places:
            place.mkdir()
        if migrated and "TEST_DATABASE_URL" not in os.environ:
            prepared.postgresql_data(places[0] / "pgdata")
        database = servers.postgresql(places[0], durable=True)
        url = database.url
        try:
            if migrated:
                prepared.postgresql_database(url, folder.name)
                url = prepared.database_url(url, folder.name)
            broker = servers.redis_server(places[1])
            try:
                yield folder, {"DATABASE_URL": url, "REDIS_URL": broker.url}
            finally:
                broker.stop()
                if migrated:
                    prepared.drop_postgresql_database(database.url, folder.name)
        finally:
            database.stop()
