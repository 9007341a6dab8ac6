"""Archive a project that rests, and take an empty one away; both leave the record as it is."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import events
from annotation.errors import WrongMove
from annotation.models import Annotation, Item, Project, RoundState, User
from annotation.models.job import JOB_MOVES
from tasks.models import Lease
from tasks.models.states import QueueState
from tasks.webhooks import webhooks

ARCHIVED, BROUGHT_BACK, REMOVED = "project.archived", "project.brought_back", "project.removed"
SLUG_LENGTH = 60


def why_not_archive(project: Project) -> str:
    """A sentence for the lead, or "": nobody may lose work, and nobody may be given any while it rests."""
    if project.queues.filter(state=QueueState.OPEN).exists():
        return _("A queue is open. Pause or close it first.")
    if n := Lease.objects.filter(project=project, closed_at=None).values("annotator").distinct().count():
        words = ngettext("%(n)s person still holds work.", "%(n)s people still hold work.", n)
        return words % {"n": n}
    if project.judging_rounds.filter(state__in=(RoundState.SEALED, RoundState.MEETING)).exists():
        return _("A judging round is not over. Finish or stop it first.")
    return _("A job is running. Wait until it has ended.") if _has_jobs(project) else ""


def why_not_remove(project: Project) -> str:
    """A sentence for the lead, or "": only a project with nothing in it can be taken away."""
    if Item.with_set_aside.filter(project=project).exists():
        return _("It has items. Archive it instead.")
    worked = Annotation.objects.filter(item__project=project, job=None).exists()
    if worked or project.releases.exists():
        return _("People have worked in it. Archive it instead.")
    return _("A job is running. Wait until it has ended.") if _has_jobs(project) else ""


def _has_jobs(project: Project) -> bool:
    return project.jobs.filter(state__in=[state for state, moves in JOB_MOVES.items() if moves]).exists()


@transaction.atomic
def archive(project: Project, *, by: User | None, now: datetime) -> None:
    """Let a project rest: it is in no list of work or of projects, can be read by its leads, and opens no queue.

    Its webhooks end.
    """
    _refuse(why_not_archive(_lock(project)))
    webhooks.end_all(project, by=by, now=now)
    _set(project, ARCHIVED, archived_at=now, by=by, now=now)


@transaction.atomic
def bring_back(project: Project, *, by: User | None, now: datetime) -> None:
    """Bring an archived project back, with its queues as they were."""
    _lock(project)
    _set(project, BROUGHT_BACK, archived_at=None, by=by, now=now)


@transaction.atomic
def remove(project: Project, *, by: User | None, now: datetime) -> None:
    """Take an empty project away: nobody can reach it any more, and another one can have its slug."""
    _refuse(why_not_remove(_lock(project)))
    slug = f"{project.pk}~{project.slug}"[:SLUG_LENGTH]  # no address can have it
    _set(project, REMOVED, removed_at=now, slug=slug, by=by, now=now)


def check_in_use(project: Project) -> None:
    """WrongMove if the project is archived; the caller is in a transaction, for whose time this stays so."""
    if _lock(project).archived_at is not None:
        raise WrongMove(_("The project is archived. Bring it back first."), reason="archived")


def _lock(project: Project) -> Project:
    return Project.objects.select_for_update(no_key=True).get(pk=project.pk)


def _refuse(why: str) -> None:
    if why:
        raise WrongMove(why, reason="in_use")


def _set(project: Project, kind: str, *, by: User | None, now: datetime, **columns: object) -> None:
    was = project.slug
    Project.objects.filter(pk=project.pk).update(**columns)
    for name, value in columns.items():
        setattr(project, name, value)
    events.record(kind, project, by=by, now=now, slug=was)
