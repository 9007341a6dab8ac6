"""Who may see everybody's answers to an item side by side, and who may decide a dispute about it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from annotation import membership
from annotation.errors import WrongMove
from annotation.i18n import _
from annotation.models import Item, Project, Role, User
from tasks.engine.transactions import service
from tasks.models import NO_DATA, Assignment
from tasks.models.states import AssignmentState


def sees_answers(user: User, project: Project) -> bool:
    """Whether the person sees everybody's answers: a lead, or an expert who has begun to."""
    roles = membership.roles_of(user, project)
    return Role.LEAD in roles or (Role.EXPERT in roles and membership.has_seen_answers(user, project))


def may_begin(user: User, project: Project) -> bool:
    """Whether the person is a lead or an expert, who may begin to see everybody's answers."""
    return bool(membership.roles_of(user, project) & {Role.LEAD, Role.EXPERT})


@service
def begin(user: User, project: Project, *, now: datetime) -> None:
    """From now on the expert sees everybody's answers, and is given no work in the project any more.

    WrongMove while they hold work there: its item is one that others have perhaps answered.
    """
    membership.lock_person(user, project)
    held = Assignment.objects.filter(annotator=user, task__queue__project=project, state=AssignmentState.LEASED)
    if held.filter(task__exhibit=None).exists():
        raise WrongMove(_("Finish or return the work that you have open in this project first."))
    membership.see_answers(user=user, project=project, now=now)


def visible_to(user: User, project: Project, rows: QuerySet[Item]) -> QuerySet[Item]:
    """Those of the items whose answers the person may see; an expert none of what they have worked on themselves."""
    if Role.LEAD in membership.roles_of(user, project):
        return rows
    return rows.annotate(top=Coalesce("root", "pk")).exclude(top__in=_worked_on(user, project))


def worked_on(user: User, item: Item) -> bool:
    """Whether the person was ever given work on the item, or on anything else under the same root."""
    return _worked_on(user, item.project).filter(top=item.root_id or item.pk).exists()


def _worked_on(user: User, project: Project) -> QuerySet[Any]:
    mine = Assignment.objects.filter(annotator=user, task__queue__project=project)
    mine = mine.exclude(task__queue__activity__in=NO_DATA)
    return mine.annotate(top=Coalesce("task__item__root", "task__item")).values("top")
