"""What a person has finished, to read: newest first, with the answers that count."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.core.paginator import Page, Paginator
from django.db.models import F, OuterRef
from django.utils.translation import gettext

from annotation import membership
from annotation.models import User
from frontend.work.conflicts import Version, answered_version
from tasks import assignments
from tasks.eligibility import WORKERS
from tasks.models import Assignment
from tasks.states import AssignmentState

PER_PAGE = 10


@dataclass(frozen=True)
class Finished:
    """One finished piece of work; `answers` are (title of the stage, answer)."""

    asked: str
    project: str
    activity: str
    at: datetime
    answers: tuple[tuple[str, Version], ...]


def finished_work(user: User, page: str) -> tuple[Page[Assignment], list[Finished]]:
    """A page of the person's submitted work in projects where they still work, and what it says."""
    here = membership.has_role(user, OuterRef("task__item__project"), roles=WORKERS)
    done = Assignment.objects.filter(here, annotator=user, state=AssignmentState.SUBMITTED)
    done = done.select_related("annotation", "lease", "task__queue", "task__item__project")
    shown = Paginator(done.order_by(F("annotation__completed_at").desc(nulls_last=True), "-pk"), PER_PAGE).get_page(
        page
    )
    return shown, [_finished(assignment) for assignment in shown.object_list]


def _finished(assignment: Assignment) -> Finished:
    work = assignments.work_of(assignment)
    return Finished(
        # From the sheet of a step that they answered: the item's caption may say what their seat was not shown.
        asked=work.sheet(work.own[0].address).prompt if work.own else "",
        project=work.item.project.title,
        activity=gettext(work.activity.title),
        at=assignment.annotation.completed_at or assignment.claimed_at,
        answers=tuple((gettext(work.stage(entry.address).title), answered_version(work, entry)) for entry in work.own),
    )
