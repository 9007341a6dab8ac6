"""A complete Goldfinch in its own processes, as `make run` starts it: temporary data, a free port, the real server."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from tests import prepared
from tests.ports import reserved_port
from tests.prepared import CHECKOUT


class Site:
    """`manage` runs commands on its data, `start` serves it at `url`, `stop` and `kill` end the server.

    `checkout`: this one, or another, which has a `.venv` of its own.
    """

    program: tuple[str, ...] = ("manage.py",)
    """What the interpreter is told to serve with."""

    def __init__(self, folder: Path, *, checkout: Path = CHECKOUT, **environment: str) -> None:
        self.folder, self.checkout = folder, checkout
        self.interpreter = sys.executable if checkout == CHECKOUT else str(checkout / ".venv/bin/python")
        self.environment = {
            **{
                name: value for name, value in os.environ.items() if not name.startswith(("DJANGO_", "PYTEST_", "COV_"))
            },
            "DJANGO_SETTINGS_MODULE": "frontend.settings",
            "GOLDFINCH_DATA": str(folder),
            "DATABASE_URL": f"sqlite:///{folder / 'goldfinch.sqlite3'}",
            "REDIS_URL": "",
            "PYTHONUNBUFFERED": "1",
            **environment,
        }
        self.server: subprocess.Popen[str] | None = None
        self.url = ""

    @property
    def log(self) -> Path:
        """What the server writes to standard error."""
        return self.folder / "server.log"

    def run(self, *words: str, **options) -> subprocess.CompletedProcess[str]:
        """Run a management command; return its exit code and output."""
        return subprocess.run(
            [self.interpreter, "manage.py", *words],
            cwd=self.checkout,
            env=self.environment,
            capture_output=True,
            text=True,
            **options,
        )

    def manage(self, *words: str, **options) -> str:
        """Run a management command that must succeed; return its output."""
        result = self.run(*words, **options)
        if result.returncode:
            raise RuntimeError(f"manage.py {' '.join(words)}: {result.stdout}{result.stderr}")
        return result.stdout

    def python(self, module: str, *words: str) -> str:
        """Run a module in this site's environment, which must succeed; return its output."""
        command = [self.interpreter, "-m", module, *words]
        return subprocess.run(
            command, cwd=self.checkout, env=self.environment, stdout=subprocess.PIPE, text=True, check=True
        ).stdout

    def prepare(self) -> Site:
        """Copy migrated tables and static files; on data or a server that is there already, migrate and collect."""
        file = self.folder / "goldfinch.sqlite3"
        ours = self.checkout == CHECKOUT and self.environment["DATABASE_URL"] == f"sqlite:///{file}"
        if ours and not file.exists() and not (self.folder / "static").exists():
            prepared.sqlite(file)
            prepared.static(self.folder / "static")
            return self
        self.manage("migrate", "--verbosity", "0")
        self.manage("collectstatic", "--noinput", "--verbosity", "0")
        return self

    def start(self, port: int = 0, *, command: str = "serve", options: Iterable[str] = ()) -> Site:
        """Serve on this port or a free one; return once it is listening."""
        self.server = subprocess.Popen(
            [self.interpreter, *self.program, command, "--port", str(port or reserved_port()), *options],
            cwd=self.checkout,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=self.log.open("w"),
            text=True,
        )
        self._arrived(self.server.stdout, errors=self.log)
        return self

    def _arrived(self, said: Iterable[str], *, errors: Path) -> None:
        """Read the server's output until it prints its URL."""
        line = next((line for line in said if "http://" in line), None)
        if line is None:
            raise RuntimeError(f"the server has ended: {errors.read_text()}")
        self.url = line[line.index("http://") :].split()[0]

    def stop(self) -> int:
        """Terminate the server and return its exit code."""
        if self.server is None:
            return 0
        self.server.terminate()
        self.server.communicate(timeout=60)
        return self.server.returncode

    def kill(self) -> None:
        """SIGKILL the server."""
        if self.server is not None:
            self.server.kill()
            self.server.communicate(timeout=60)
