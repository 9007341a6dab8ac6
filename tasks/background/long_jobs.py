"""Jobs that take long, such as building a release: rows that child processes of low priority work through in turn.

A busy thread would slow down every page of its process, so a child does the work. It holds a lease, which it renews
with each progress: a running job whose lease is free has been killed, and starts again, on this machine or another.
"""

from __future__ import annotations

import subprocess
import sys
import time
import traceback
import uuid
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from annotation import clock, events
from annotation.db import full_disk
from annotation.engine import job_leases, state_machine
from annotation.engine.job_leases import HeldLease, Lost, Taken
from annotation.errors import Refused, WrongMove
from annotation.models import Job, Project, User
from annotation.models.job import JOB_MOVES
from annotation.processes import children
from tasks.models.measurements import Heartbeat

LONGEST_SILENCE = timedelta(minutes=5)
"""For how long it may be silent: jobs that measure large projects can keep all workers busy for minutes."""


def beat(*, now: datetime) -> None:
    """Write that jobs run: a job that does nothing else does so, wherever it runs.

    That takes all of them: the beat that sends it, the broker, and a worker that is free.
    """
    Heartbeat.objects.update_or_create(pk=Heartbeat.ONLY, defaults={"at": now})


def last_beat() -> datetime | None:
    """When they last ran; None if they never have."""
    return Heartbeat.objects.filter(pk=Heartbeat.ONLY).values_list("at", flat=True).first()


KINDS = {
    "file_import": "annotation.imports.job.bring_in",
    "build_release": "annotation.releases.job.build",
    "preview_release": "annotation.releases.job.preview",
    "seal_round": "annotation.judging.rounds.seal_of_job",
}
"""Kind of job -> the path of the function that does it, which returns what `report["result"]` keeps."""
AT_ONCE, LONG_AT_ONCE = 3, 2
"""Jobs that run at the same time, and how many of them may be long, so that one place is always kept for short ones.
Those of one kind and project run one after another."""
SHORT = "short"
"""In the report of a job that takes seconds, such as the check of a small file: true."""
ATTEMPTS = 3
"""A job that is killed so often fails."""
EVERY = 0.5
"""Seconds between two updates of a row's progress."""
S = Job.State
_children: dict[int, subprocess.Popen[bytes]] = {}
"""The child processes that this process has started, by the key of their job."""


class Cancelled(Exception):
    """Somebody has cancelled the job that is being worked on."""


class Stopped(BaseException):
    """The process that does the job was asked to end, as its server ends."""


class JobFunction(Protocol):
    """What does a job: it calls `progress(done, total)` (total 0: unknown) often, which raises Cancelled."""

    def __call__(self, job: Job, *, by: User | None, progress: JobProgress) -> dict[str, Any]: ...


class JobProgress:
    """Stores how far a job is, twice a second at most."""

    def __init__(self, job: Job, lease: HeldLease) -> None:
        self._job, self._lease, self._next = job.pk, lease, 0.0

    def __call__(self, done: int, total: int) -> None:
        """Raises Cancelled once the job's row says so, and Lost if another process does it now."""
        if time.monotonic() < self._next:
            return
        running = Job.objects.filter(pk=self._job, state=S.RUNNING)
        if not running.update(done=done, total=total, heartbeat_at=clock.now()):
            raise Cancelled
        self._lease.renew()
        self._next = time.monotonic() + EVERY


@transaction.atomic
def ask(
    project: Project, kind: str, *, subject: str, asked: dict[str, Any], by: User, now: datetime, short: bool = False
) -> Job:
    """Put a job into the queue; `asked`: what it is to do, as JSON. One that is `short` waits for no long ones."""
    report = {"asked": asked, "by": by.pk, "at": now.isoformat()} | ({SHORT: True} if short else {})
    job = Job.objects.create(project=project, kind=kind, subject=subject, key=uuid.uuid4().hex, report=report)
    events.record("job.queued", job, by=by, now=now, job=kind, asked=asked)
    return job


def cancel(job: Job, *, by: User, now: datetime) -> None:
    """Cancel a job that has not ended; one that runs notices within a second. WrongMove if it has ended."""
    state_machine.move(job, S.CANCELLED, moves=JOB_MOVES, by=by, now=now, finished_at=now)


def run(key: int) -> None:
    """Do a job in this process. Nothing happens if it may not begin, or if another process does it."""
    job = Job.objects.select_related("project").get(pk=key)
    with suppress(Taken, Lost, WrongMove), job_leases.hold(lease_of(job.kind, job.project_id)) as lease:
        now = clock.now()
        state_machine.move(
            job, S.RUNNING, moves=JOB_MOVES, by=None, now=now, attempts=job.attempts + 1, heartbeat_at=now
        )
        _work(job, lease)


def _work(job: Job, lease: HeldLease) -> None:
    by = User.objects.filter(pk=job.report.get("by")).first()
    work: JobFunction = import_string(KINDS[job.kind])
    try:
        result = work(job, by=by, progress=JobProgress(job, lease))
    except Cancelled:
        return
    except Stopped:
        # Not an attempt: what is stopped may be started any number of times.
        _move(job, S.QUEUED, lease, attempts=job.attempts - 1)
    except Refused as refused:
        _end(job, S.FAILED, lease, error=refused.message or refused.reason)
    except Exception as error:
        traceback.print_exc()
        _end(job, S.FAILED, lease, error=_why(error))
    else:
        _end(job, S.DONE, lease, report=job.report | {"result": result})


def _why(error: Exception) -> str:
    if full_disk.is_full(error):
        return _("The disk is full. An operator has to make room; then try again.")
    return _("It stopped because of a mistake in the program, which the server's log describes. Tell an operator.")


def _end(job: Job, to: Job.State, lease: HeldLease, **also: Any) -> None:
    _move(job, to, lease, finished_at=clock.now(), **also)


@transaction.atomic
def _move(job: Job, to: Job.State, lease: HeldLease, **also: Any) -> None:
    """Change the state of a job whose lease this process still holds. Raises Lost, and WrongMove."""
    lease.renew_now()
    state_machine.move(job, to, moves=JOB_MOVES, by=None, now=clock.now(), **also)


def start_due() -> int:
    """Start the child processes of jobs that may begin; returns how many. Jobs that were killed start again."""
    for key, child in list(_children.items()):
        if child.poll() is not None:
            del _children[key]
    for job in Job.objects.filter(kind__in=KINDS, state=S.RUNNING):
        _start_again_if_killed(job)
    busy = [*Job.objects.filter(Q(state=S.RUNNING) | Q(pk__in=_children), kind__in=KINDS)]
    started = 0
    for job in Job.objects.filter(kind__in=KINDS, state=S.QUEUED).exclude(pk__in=_children).order_by("pk"):
        if _has_a_place(job, busy):
            busy.append(job)
            with suppress(children.Ending):
                _children[job.pk] = _child(job)
                started += 1
    return started


def _is_short(job: Job) -> bool:
    return bool(job.report.get(SHORT))


def _has_a_place(job: Job, busy: list[Job]) -> bool:
    """Whether a job can begin beside those that run."""
    if any((job.project_id, job.kind) == (other.project_id, other.kind) for other in busy):
        return False
    long = sum(not _is_short(other) for other in busy)
    return len(busy) < AT_ONCE and (_is_short(job) or long < LONG_AT_ONCE)


@dataclass(frozen=True)
class JobWait:
    """What a job waits for. `ahead`: jobs of its kind and project; `running`: others that take every place that it
    could have, 0 if one is free; `before`: how many that wait, too, begin before it."""

    ahead: int = 0
    running: int = 0
    before: int = 0


def wait_of(job: Job) -> JobWait:
    """What a job waits for; nothing if it has begun."""
    if job.state != S.QUEUED:
        return JobWait()
    busy = list(Job.objects.filter(kind__in=KINDS, state=S.RUNNING))
    others = [other for other in busy if (job.project_id, job.kind) != (other.project_id, other.kind)]
    waiting = Job.objects.filter(kind__in=KINDS, state=S.QUEUED, pk__lt=job.pk)
    before = sum(_is_short(other) or not _is_short(job) for other in waiting)
    full = not _has_a_place(job, others)
    taken = [other for other in others if _is_short(job) or not _is_short(other)] if full else []
    return JobWait(ahead_of(job), len(taken), before)


def ahead_of(job: Job) -> int:
    """How many jobs of its kind and project come before a job that is waiting."""
    before = Job.objects.filter(project=job.project_id, kind=job.kind, pk__lt=job.pk)
    return before.filter(state__in=(S.QUEUED, S.RUNNING)).count()


def _start_again_if_killed(job: Job) -> None:
    with suppress(Taken, Lost, WrongMove), job_leases.hold(lease_of(job.kind, job.project_id)) as lease:
        if job.attempts < ATTEMPTS:
            _move(job, S.QUEUED, lease)
        else:
            _end(job, S.FAILED, lease, error=_("It was stopped several times before it could end. Tell an operator."))


def _child(job: Job) -> subprocess.Popen[bytes]:
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "run_job", str(job.pk)]
    return children.start(command, cwd=settings.BASE_DIR, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def lease_of(kind: str, project: int | str) -> str:
    """The name of the lease that a job of this kind and project holds while it runs."""
    return f"job/{kind}/{project}"
