"""The long jobs of the site as its admins see them: imports, releases, rehearsals, of every project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from annotation.models import Job, User
from annotation.models.job import JOB_MOVES
from frontend.leads.event_lines import wait_in_words
from tasks.background import long_jobs

PER_PAGE = 50
KINDS: dict[str, Any] = {
    "file_import": _("Import of a file"),
    "import_items": _("Import by a command"),
    "import_release": _("Import of a release"),
    "build_release": _("Release"),
    "preview_release": _("Preview of a release"),
    "seal_round": _("Seal of a judging round"),
    "rehearsal": _("Rehearsal"),
    "decide_items": _("Decisions about items"),
}
S = Job.State
STATES: dict[str, tuple[Any, tuple[Job.State, ...]]] = {
    "": (_("All jobs"), tuple(S)),
    "open": (_("Waiting or running"), (S.QUEUED, S.RUNNING)),
    "failed": (_("Failed"), (S.FAILED,)),
}


@dataclass(frozen=True)
class ListedJob:
    """A job. `subject`: its file, split or size; `by`: the name of who asked for it, "" if nobody is known; `at`: when.

    `ahead`: how many jobs of its project it waits for, `waits_for`: what else; `can_cancel`: it has not ended, and
    would notice.
    """

    job: Job
    kind: str
    subject: str
    by: str
    at: datetime | None
    ahead: int
    waits_for: str
    can_cancel: bool


def jobs_page(state: str, *, page: str) -> Page[ListedJob]:
    """A page of the jobs in one of STATES, newest first."""
    rows = Job.objects.filter(state__in=STATES[state][1]).select_related("project").order_by("-pk")
    shown: Page[Any] = Paginator(rows, PER_PAGE).get_page(page)
    jobs = list(shown)
    people = User.objects.filter(pk__in={job.report.get("by") for job in jobs} - {None})
    names = dict(people.values_list("pk", "username"))
    shown.object_list = [_listed_job(job, names) for job in jobs]
    return shown


def state_of(query: Mapping[str, str]) -> str:
    """One of STATES; all jobs if the address asks for anything else."""
    return query.get("state", "") if query.get("state", "") in STATES else ""


def last_beat(*, now: datetime) -> tuple[datetime | None, bool]:
    """When jobs last ran on this site, and whether that is too long ago."""
    last = long_jobs.last_beat()
    return last, last is None or now - last > long_jobs.LONGEST_SILENCE


def _listed_job(job: Job, names: Mapping[int, str]) -> ListedJob:
    at, wait = job.report.get("at"), long_jobs.wait_of(job)
    return ListedJob(
        job=job,
        kind=str(KINDS.get(job.kind, job.kind)),
        subject=_subject(job),
        by=names.get(job.report.get("by", 0), ""),
        at=datetime.fromisoformat(at) if at else None,
        ahead=wait.ahead,
        waits_for=wait_in_words(wait) if wait.running else "",
        can_cancel=job.kind in long_jobs.KINDS and S.CANCELLED in JOB_MOVES[S(job.state)],
    )


def _subject(job: Job) -> str:
    """Of a rehearsal it is a number of items."""
    if job.kind == "rehearsal":
        return ngettext("%(n)s item", "%(n)s items", int(job.subject)) % {"n": job.subject}
    return job.subject
