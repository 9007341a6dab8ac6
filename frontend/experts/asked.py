"""Ask for more annotations of a disputed item instead of a decision; what was asked for can be undone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from annotation import membership
from annotation.errors import NotFound, WrongMove
from annotation.models import Project, Role, User
from frontend import access
from frontend.leads.items.overview import prompt_of
from tasks.corrections import more_annotations
from tasks.disputes import deciding
from tasks.engine import transitions
from tasks.engine.transactions import service
from tasks.models import Task

MORE = 2
"""How many annotations an expert asks for."""
LONGEST = 200
"""Characters of the sentence why, as of a decision's reason."""


@dataclass(frozen=True)
class AnnotationAskedFor:
    """What was asked for: for which item, by whom (for those who may read it) and when; whether it can be undone.

    `reason`: why, in their words; "" if they did not say.
    """

    task: int
    prompt: str
    count: int
    by: str
    at: datetime
    may_undo: bool
    reason: str


@service
def ask(task: Task, *, by: User, reason: str, now: datetime) -> None:
    """Ask for more annotations, with a sentence why or "".

    WrongMove for whoever may not decide the dispute either, and if somebody has asked meanwhile.
    """
    refused = deciding.why_not_decide(task, by)
    if refused:
        raise WrongMove(refused)
    transitions.lock_one(task)
    if more_annotations.is_awaiting(task):
        raise WrongMove(deciding.why_not_open(task))
    more_annotations.ask_for_more(task, count=MORE, by=by, now=now, reason=" ".join(reason.split())[:LONGEST])


def asked_of(user: User, project: Project, task: str) -> AnnotationAskedFor | None:
    """What the address says was asked for, while it is awaited; only leads read which other person asked."""
    if not task:
        return None
    try:
        found = access.asked_task(user, project.slug, access.key_of(task))
    except NotFound:
        return None
    last = more_annotations.last_asked(found)
    if last is None or not more_annotations.is_awaiting(found):
        return None
    reads_names = last.by == user.pk or Role.LEAD in membership.roles_of(user, project)
    names = User.objects.filter(pk__in=[last.by] if reads_names else []).values_list("username", flat=True)
    return AnnotationAskedFor(
        task=found.pk,
        prompt=prompt_of(found.item),
        count=last.data["count"],
        by=names.first() or "",
        at=last.at,
        may_undo=more_annotations.may_take_back(found),
        reason=last.data.get("reason", ""),
    )


def reasons_of(task: Task) -> list[str]:
    """Why more annotations of the task were asked for, as far as those who asked have said so, oldest first."""
    said = (each.data.get("reason", "") for each in more_annotations.all_asked(task))
    return [reason for reason in said if reason]
