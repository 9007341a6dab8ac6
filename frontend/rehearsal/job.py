"""The job of a rehearsal: a copy in a folder of its own with a database of its own, which is deleted whatever happens.

Bots work on the copy in a process that knows of no other database, so they can't reach the project. docs/decisions.md.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from annotation.engine import job_leases
from annotation.engine.job_leases import Taken
from annotation.errors import Refused
from annotation.models import Job, User
from annotation.processes import children
from frontend.rehearsal import copying
from tasks.background import long_jobs
from tasks.background.long_jobs import JobProgress

KIND = "rehearsal"
PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "PYTHONPATH", "VIRTUAL_ENV", "GOLDFINCH_PROTOCOLS")
"""Of the server's environment; nothing that names its database, hosts or mail."""
RESULT, ENDED = "RESULT ", ""


class RehearsalRefused(Refused):
    """There is nothing to rehearse with."""

    reason = "nothing_to_rehearse"


def rehearse(job: Job, *, by: User | None, progress: JobProgress) -> dict[str, Any]:
    """Let bots work on a copy of the job's project; returns what `played.play` found."""
    asked = job.report["asked"]
    with _folder(job) as folder:
        if not copying.write(job.project, folder, items=asked["items"], seed=str(job.pk)):
            raise RehearsalRefused(_("The project has no items that it could be rehearsed with."))
        return _played(folder, asked, progress)


@contextmanager
def _folder(job: Job) -> Iterator[Path]:
    """A new folder. Those of rehearsals that were killed are deleted first: nobody holds the leases of their jobs."""
    places = Path(settings.GOLDFINCH_DATA) / "rehearsals"
    place = places / str(job.project_id)
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for other in places.iterdir():
        with suppress(Taken), job_leases.hold(long_jobs.lease_of(KIND, other.name)):
            shutil.rmtree(other, ignore_errors=True)
    try:
        yield Path(tempfile.mkdtemp(dir=place))
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _played(folder: Path, asked: dict[str, Any], progress: JobProgress) -> dict[str, Any]:
    """Have the command play, and pass on how far it is. RuntimeError if it fails."""
    environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    environment |= {"GOLDFINCH_DATA": str(folder), "DJANGO_SETTINGS_MODULE": "frontend.settings", "REDIS_URL": ""}
    environment["DEBUG"] = "1"  # pages then need no collected static files, which bots don't fetch
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "rehearse", json.dumps(asked)]
    with (folder / "errors.log").open("w+") as errors:
        child = children.start(
            command,
            environment=environment,
            cwd=settings.BASE_DIR,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        try:
            found = _followed(child, progress)
        finally:
            child.kill()
            code = child.wait()
        if found is None:
            errors.seek(0)
            raise RuntimeError(f"The rehearsal ended with {code}: {errors.read()[-4000:]}")
        return found


def _followed(child: subprocess.Popen[str], progress: JobProgress) -> dict[str, Any] | None:
    """Read the child's lines: two numbers, or at last its result."""
    lines: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_read, args=(child, lines), daemon=True).start()
    done, total = 0, 0
    while True:
        with suppress(Empty):
            line = lines.get(timeout=long_jobs.EVERY)
            if line.startswith(RESULT):
                result: dict[str, Any] = json.loads(line.removeprefix(RESULT))
                return result
            if line == ENDED:
                return None
            first, _space, second = line.partition(" ")
            if first.isdigit():
                done, total = int(first), int(second)
        progress(done, total)  # also while the bots say nothing, or a rehearsal that was stopped would go on


def _read(child: subprocess.Popen[str], lines: SimpleQueue[str]) -> None:
    assert child.stdout is not None
    for line in child.stdout:
        lines.put(line)
    lines.put(ENDED)
