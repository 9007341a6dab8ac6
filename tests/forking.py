"""A fork server: a process that has imported everything and forks a child per command, so that start-up is paid once.

`python -m tests.forking` reads one JSON order per line from standard input and answers each with a number: the child's
process id, or the exit code of a child it was told to wait for. It holds no connections or threads that a fork could
break, and kills its remaining children when it is told to or ends. A child can have another environment than the fork
server: its settings are read anew then, with another data folder, database or settings module.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module, reload
from pathlib import Path
from typing import IO, Any

import django
from django.apps import apps
from django.conf import settings
from django.core.management import get_commands
from django.db import connections

from tests.site import CHECKOUT, Site

LOADED = (
    "a2wsgi", "redis.asyncio", "httptools", "uvicorn.main", "uvloop",
    "annotation.imports.run", "annotation.releases", "django.test", "frontend.server.background",
    "frontend.server.gateway", "frontend.sockets.application", "frontend.management.commands.serve", "frontend.urls",
    "tests.proofs.rigs.served",
    "code", "django.core.management.commands.shell", "annotation.management.commands.create_project",
    "annotation.management.commands.import_items", "tasks.management.commands.open_queue", "tests.builders",
    "tests.people", "tests.signed_in", "tests.factories.people",
)  # fmt: skip
"""What the server, an import and an export would load besides the models, and what furnishes sites and asks them."""


class ForkServer:
    """The test's handle on the fork server.

    `of_children`: the environment of children, at first that which it was created with.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.environment = self.of_children = dict(environment)
        command = [sys.executable, "-m", __name__]
        self.process = subprocess.Popen(
            command, cwd=CHECKOUT, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def start(self, module: str, *arguments: str, out: Path, environment: Mapping[str, str] | None = None) -> Child:
        """Run `python -m module arguments` with stdout going to `out` and stderr to `out`.err."""
        given = dict(self.of_children if environment is None else environment)
        others = dict(given.items() - self.environment.items())
        return Child(self._told(module=module, arguments=arguments, out=str(out), environment=others), self, out)

    def _told(self, **order: Any) -> int:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def wait(self, pid: int) -> int:
        """Wait for that child to end; return its exit code, negative for a signal."""
        return self._told(wait=pid)

    def kill_children(self) -> None:
        """Kill the remaining children, and wait until they are gone."""
        self._told(kill=True)

    def stop(self) -> None:
        """Kill the remaining children and end."""
        self.process.communicate(timeout=60)

    def __enter__(self) -> ForkServer:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()


@dataclass
class Child:
    """A forked process and the file with its output."""

    pid: int
    fork_server: ForkServer
    out: Path

    def ended(self, *, code: int = 0) -> str:
        """Wait for it and return its output; fail with its stderr unless it ends with `code`."""
        found = self.fork_server.wait(self.pid)
        assert found == code, f"ended with {found}: {Path(f'{self.out}.err').read_text()[-2000:]}"
        return self.out.read_text()

    def kill(self) -> None:
        """Send SIGKILL and wait until it is gone."""
        os.kill(self.pid, signal.SIGKILL)
        self.fork_server.wait(self.pid)


class ForkedSite(Site):
    """A site whose commands and servers are forked; `close` ends them all.

    `forked_by`: a fork server that goes on afterwards; else it has one of its own.
    """

    fork_server: ForkServer | None = None
    forked_by: ForkServer | None = None
    child: Child | None = None
    answer: IO[str]

    @property
    def log(self) -> Path:
        return self.folder / "said.fifo.err"

    def close(self) -> None:
        """Stop everything that was started."""
        self.kill()
        if self.fork_server is not None and self.fork_server is not self.forked_by:
            self.fork_server.stop()
            self.fork_server = None

    def forked(self, module: str, *words: str, out: Path) -> Child:
        """Begin a module of this site in a process of its own, whose output goes to `out`."""
        if self.fork_server is None:
            self.fork_server = self.forked_by or ForkServer(self.environment)
        return self.fork_server.start(module, *words, out=out, environment=self.environment)

    def python(self, module: str, *words: str) -> str:
        return self.forked(module, *words, out=self.folder / "said.txt").ended()

    def run(self, *words: str, **options: Any) -> subprocess.CompletedProcess[str]:
        child = self.forked("manage", *words, out=self.folder / "said.txt")
        code = child.fork_server.wait(child.pid)
        said, errors = (Path(f"{child.out}{suffix}").read_text() for suffix in ("", ".err"))
        return subprocess.CompletedProcess(words, code, said, errors)

    def start(self, port: int = 0, *, command: str = "serve", options: Iterable[str] = ()) -> Site:
        said = self.folder / "said.fifo"
        if not said.exists():
            os.mkfifo(said)
        self.child = self.forked("manage", command, "--port", str(port), *options, out=said)
        # Open until it has stopped, which it says there.
        self.answer = said.open()
        self._arrived(self.answer, errors=self.log)
        return self

    def stop(self) -> int:
        if self.child is None:
            return 0
        os.kill(self.child.pid, signal.SIGTERM)
        child, self.child = self.child, None
        with self.answer:
            return child.fork_server.wait(child.pid)

    def kill(self) -> None:
        if self.child is not None:
            self.child.kill()
            self.answer.close()
        self.child = None


def settle(environment: Mapping[str, str]) -> None:
    """In the child: have the settings, and the databases that they name, as if it had begun with these variables too.

    Apps are those of the fork server.
    """
    os.environ.update(environment)
    for name in dict.fromkeys(("frontend.settings", os.environ["DJANGO_SETTINGS_MODULE"])):
        found = reload(import_module(name))
    for name in filter(str.isupper, dir(found)):
        setattr(settings, name, getattr(found, name))
    # It puts its loader, which finds parts of templates, into the settings.
    apps.get_app_config("template_partials").ready()
    for connection in connections.all(initialized_only=True):
        del connections[connection.alias]
    connections.settings = connections.configure_settings(settings.DATABASES)


def become(module: str, arguments: list[str], out: str, environment: Mapping[str, str]) -> int:
    """In the child: run the module as a program; return its exit code."""
    for place, way, number in ((os.devnull, os.O_RDONLY, 0), (out, os.O_WRONLY, 1), (f"{out}.err", os.O_WRONLY, 2)):
        os.dup2(os.open(place, way | (number and os.O_CREAT | os.O_TRUNC)), number)
    sys.argv = [module, *arguments]
    try:
        if environment:
            settle(environment)
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def main() -> None:
    """Answer orders until standard input ends."""
    django.setup()
    for name in LOADED:
        import_module(name)
    get_commands()
    # A child that looks through all this for garbage would copy it, page by page.
    gc.collect()
    gc.freeze()
    children = set[int]()
    for line in sys.stdin:
        order = json.loads(line)
        if "wait" in order:
            _pid, status = os.waitpid(order["wait"], 0)
            children.discard(order["wait"])
            print(os.waitstatus_to_exitcode(status), flush=True)
            continue
        if "kill" in order:
            kill(children)
            print(0, flush=True)
            continue
        pid = os.fork()
        if pid == 0:
            code = become(**order)
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        children.add(pid)
        print(pid, flush=True)
    kill(children)


def kill(children: set[int]) -> None:
    """Kill these and wait until they are gone."""
    for pid in children:
        os.kill(pid, signal.SIGKILL)
    while children:
        os.waitpid(children.pop(), 0)


if __name__ == "__main__":
    main()
