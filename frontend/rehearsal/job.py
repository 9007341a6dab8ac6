"""The job of a rehearsal: a copy in a folder of its own with a database of its own, which is deleted whatever happens.

Bots work on the copy in a process that knows of no other database, so they can't reach the project. docs/decisions.md.
The copy has the project's set-up and a sample of its items, as rows in a file. Neither people nor their work are
copied, nor items that people have made.
"""

from __future__ import annotations

import copy
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from django.conf import settings
from django.core import serializers
from django.db import transaction
from django.utils.translation import gettext as _

from annotation import randomness
from annotation.engine import job_leases
from annotation.engine.job_leases import Taken
from annotation.errors import Refused
from annotation.models import (
    Blob,
    ConsentText,
    Document,
    GuidelineVersion,
    Item,
    ItemDocument,
    Job,
    Project,
    SearchText,
    User,
)
from annotation.models.corpus import ItemText
from annotation.processes import children
from tasks.background import long_jobs
from tasks.background.long_jobs import JobProgress
from tasks.engine import queues as all_queues
from tasks.models import NO_DATA, Queue
from tasks.models.states import QueueState

ROWS = "rows.jsonl"
AT_A_TIME = 50
"""Documents and layouts that are read at a time: a page with its layout has some hundred kilobytes."""


def write_copy(project: Project, folder: Path, *, items: int, seed: str) -> int:
    """Write the rows of the copy; returns how many items at the top of their trees it has."""
    roots = _sample(project, items, seed)
    with (folder / ROWS).open("w", encoding="utf-8") as out:
        serializers.serialize("jsonl", _rows(project, roots), stream=out)
    return len(roots)


def _sample(project: Project, items: int, seed: str) -> list[int]:
    """Items at the top of their trees, from every split alike."""
    rows = Item.objects.filter(all_queues.visible(), project=project, root=None, made_from=None).order_by("pk")
    by_split: dict[str, list[int]] = {}
    for split, key in rows.values_list("split", "pk"):
        by_split.setdefault(split, []).append(key)
    rng = randomness.rng(seed, "rehearsal")
    for keys in by_split.values():
        rng.shuffle(keys)
    order = sorted((place, split, key) for split, keys in by_split.items() for place, key in enumerate(keys))
    return [key for _place, _split, key in order[:items]]


def _rows(project: Project, roots: list[int]) -> Iterator[Any]:
    items = list(Item.objects.filter(pk__in=roots).order_by("pk"))
    items += Item.objects.filter(root__in=roots, made_from=None, job__state=Job.State.DONE).order_by("pk")
    keys = [item.pk for item in items]
    described = list(ItemDocument.objects.filter(item__in=keys).order_by("pk"))
    documents = Document.objects.filter(pk__in={row.document_id for row in described})
    names = {row.sha256 for row in documents} | {row.layout for row in described}
    jobs = Job.objects.filter(pk__in={item.job_id for item in items if item.job_id})
    return chain(
        [_open_to_all(project)],
        ConsentText.objects.filter(project=project),
        _without_author(project.guidelines.order_by("pk")),
        jobs,
        Blob.objects.filter(pk__in=names).iterator(AT_A_TIME),
        documents,
        items,
        described,
        SearchText.objects.filter(item__in=keys),
        ItemText.objects.filter(item__in=keys),
        _opened(project.queues.exclude(activity__in=NO_DATA)),
    )


def _open_to_all(project: Project) -> Project:
    """The project as its copy has it: its work needs no qualification, since bots have none."""
    copied = copy.copy(project)
    activities = project.config.get("activities", {})
    without = {key: {**config, "requires": []} for key, config in activities.items()}
    copied.config = project.config | ({"activities": without} if activities else {})
    return copied


def _without_author(versions: Iterable[GuidelineVersion]) -> Iterator[GuidelineVersion]:
    for version in versions:
        version.by = None
        yield version


def _opened(queues: Iterable[Queue]) -> Iterator[Queue]:
    for queue in queues:
        queue.state, queue.filled_at = QueueState.OPEN, None
        yield queue


@transaction.atomic
def read_copy(folder: Path) -> Project:
    """Load the rows into the database of the copy; returns its project."""
    with (folder / ROWS).open(encoding="utf-8") as rows:
        for row in serializers.deserialize("jsonl", rows):
            if isinstance(row.object, ConsentText):
                row.object.by = None
            row.save()
    return Project.objects.get()


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
        if not write_copy(job.project, folder, items=asked["items"], seed=str(job.pk)):
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
