"""Failed imports: which of them still need a lead. What came in later, or was dismissed, needs nobody."""

from __future__ import annotations

import re
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from annotation import events
from annotation.errors import WrongMove
from annotation.imports.run import Mode
from annotation.models import Job, Project, User

ENDING = re.compile(r"(\.(gz|zip|jsonl|json|csv|tsv|txt))+$", re.IGNORECASE)
OF_MENDED = "refused-"
"""The beginning of the name under which refused lines are downloaded, to be mended."""


def unsettled(project: Project, *, since: datetime, at_most: int) -> list[Job]:
    """The failed imports since then, newest first, that no lead has dismissed and whose records have not come in."""
    imports = project.jobs.filter(kind__contains="import")
    failed = imports.filter(state=Job.State.FAILED, dismissed_at=None, finished_at__gte=since).order_by("-pk")
    brings = ~Q(report__asked__mode=Mode.CHECK) | Q(report__asked__mode__isnull=True)  # commands don't say a mode
    came_in = list(imports.filter(brings, state=Job.State.DONE, undone_at=None, finished_at__gte=since))
    return [job for job in failed if not any(_same(job, later) for later in came_in)][:at_most]


def _same(failed: Job, later: Job) -> bool:
    """Whether the later import was of the same upload, or of a file with the same name but for how it is packed."""
    if later.pk < failed.pk:
        return False
    uploads = {job.report.get("asked", {}).get("file") for job in (failed, later)}
    return (len(uploads) == 1 and None not in uploads) or _stem(failed.subject) == _stem(later.subject)


def _stem(name: str) -> str:
    return ENDING.sub("", name.casefold().removeprefix(OF_MENDED))


@transaction.atomic
def dismiss(job: Job, *, by: User, now: datetime) -> None:
    """Say that a failed import needs nobody any more; twice is once. WrongMove if it has not failed."""
    if job.state != Job.State.FAILED:
        raise WrongMove
    if Job.objects.filter(pk=job.pk, dismissed_at=None).update(dismissed_at=now):
        events.record("job.dismissed", job, by=by, now=now)


@transaction.atomic
def take_up(job: Job, *, by: User, now: datetime) -> None:
    """Take a dismissal back."""
    if Job.objects.filter(pk=job.pk, dismissed_at__isnull=False).update(dismissed_at=None):
        events.record("job.taken_up", job, by=by, now=now)
