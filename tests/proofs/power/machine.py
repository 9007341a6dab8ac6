"""A machine whose disk can be cut from its power or filled: a site, its database server, and people at work."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests import servers
from tests.forking import ForkedSite
from tests.proofs.power.disks import Disk


@dataclass
class Machine:
    """What runs on a disk: a site and its database server (None: SQLite), and people who are signed in."""

    disk: Disk
    ledgers: Path
    on_postgresql: bool
    settings: str = "frontend.settings"
    database_settings: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    site: ForkedSite | None = None
    server: servers.Server | None = None

    def switch_on(self) -> ForkedSite:
        """Start the servers on the existing data."""
        place, wanted = self.disk.place, {"DJANGO_SETTINGS_MODULE": self.settings}
        if self.on_postgresql:
            self._start_database()
            assert self.server is not None
            wanted["DATABASE_URL"] = self.server.url
        self.site = ForkedSite(place, **wanted)
        return self.site

    def keep_database_up(self) -> None:
        """Start the database server again if it has stopped, as whoever supervises it would."""
        if self.server is not None and self.server.process is not None and self.server.process.poll() is not None:
            self._start_database()

    def _start_database(self) -> None:
        place = self.disk.place / "postgresql"
        place.mkdir(exist_ok=True)
        self.server = servers.postgresql(place, durable=True, settings=self.database_settings)

    def cut(self) -> None:
        """All processes die at once, and everything in the machine's memory is lost."""
        self.switch_off(at_once=True)
        self.disk = self.disk.cut()

    def switch_off(self, *, at_once: bool = False) -> None:
        """Stop the servers."""
        if self.site is not None:
            self.site.close()
        if self.server is not None:
            (self.server.crash if at_once else self.server.stop)()
        self.site = self.server = None
