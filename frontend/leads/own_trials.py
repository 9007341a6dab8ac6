"""A lead's trials that are not finished, as home lists them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext

from annotation.models import Project, User
from frontend.leads.items.overview import prompt_of
from qualification import tries


@dataclass(frozen=True)
class OpenTrial:
    """One trial: what is tried (its activity, or an exam), the item's caption or the qualification, its project,
    since when, until when if its time ends, and the address at which it goes on.
    """

    uuid: UUID
    what: str
    title: str
    project: str
    since: datetime
    until: datetime | None
    url: str


def trials_of_lead(user: User, led: Sequence[Project], *, now: datetime) -> list[OpenTrial]:
    """Those in the projects that the person leads, the latest first; no statement for somebody who leads none."""
    if not led:
        return []
    of_tasks = [
        OpenTrial(
            uuid=each.uuid,
            what=gettext(tries.activity_of_try(each).title),
            title=prompt_of(each.annotation.item),
            project=each.annotation.item.project.title,
            since=each.annotation.opened_at,
            until=None,
            url=reverse("work", args=[each.uuid]),
        )
        for each in tries.open_tries(user, led)
    ]
    of_exams = [
        OpenTrial(
            uuid=each.uuid,
            what=gettext("Exam"),
            title=each.qualification.title,
            project=each.qualification.project.title,
            since=each.issued_at,
            until=each.ends_at,
            url=reverse("exam", args=[each.uuid]),
        )
        for each in tries.open_exam_trials(user, led, now=now)
    ]
    return sorted([*of_tasks, *of_exams], key=lambda each: each.since, reverse=True)
