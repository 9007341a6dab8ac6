"""Ask for more annotations of a disputed item instead of a decision; what was asked for can be undone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from annotation.errors import NotFound, WrongMove
from annotation.models import Project, User
from frontend import access
from frontend.leads.overview import prompt_of
from tasks import more_annotations
from tasks.disputes import deciding
from tasks.models import Task
from tasks.transactions import service

MORE = 2
"""How many annotations an expert asks for."""


@dataclass(frozen=True)
class Asked:
    """What was asked for: for which item, and of which task it can be undone."""

    task: int
    prompt: str


@service
def ask(task: Task, *, by: User, now: datetime) -> None:
    """Ask for more annotations; WrongMove for whoever may not decide the dispute either."""
    refused = deciding.why_not_decide(task, by)
    if refused:
        raise WrongMove(refused)
    more_annotations.ask_for_more(task, count=MORE, by=by, now=now)


def shown(user: User, project: Project, task: str) -> Asked | None:
    """What the address says was just asked for, if it can still be taken back."""
    if not task:
        return None
    try:
        found = access.asked_task(user, project.slug, access.key_of(task))
    except NotFound:
        return None
    return Asked(found.pk, prompt_of(found.item)) if more_annotations.may_take_back(found) else None
