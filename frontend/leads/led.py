"""The projects that a person leads, for their home page: how far each is, what waits for a lead; their open trials."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.translation import gettext

from annotation import registry
from annotation.documents.words import alphabetical
from annotation.models import Membership, Project, Role, User
from frontend.leads import cases
from frontend.leads.items import reports
from frontend.leads.items.overview import prompt_of
from qualification import tries
from tasks.board.tallies import ENDED
from tasks.models import NO_DATA, Task
from tasks.models.states import TaskState
from tasks.pairs import side_chat
from tasks.people import messages
from tasks.setup import remaining


@dataclass(frozen=True)
class Led:
    """A project: its tasks but for cancelled ones, those that have ended, those of them that are disputed, its items
    that are reported or can't be shown, the messages that ask a lead (side chats included), and the cases that wait for
    a decision. `before`: what it will take, until a queue is opened.
    """

    title: str
    slug: str
    total: int
    done: int
    disputed: int
    reported: int
    asked: int
    cases: int
    before: remaining.BeforeQueues | None

    @property
    def needs(self) -> int:
        """How much there is to see to."""
        return self.disputed + self.reported + self.asked + self.cases


def led_by(user: User) -> list[Led]:
    """The projects that the person leads now, by title, each with its numbers; not those that are archived."""
    return [_led(project) for project in led_projects(user) if project.archived_at is None]


def archived_by(user: User) -> list[Project]:
    """The archived projects that the person leads."""
    return [project for project in led_projects(user) if project.archived_at is not None]


def led_projects(user: User) -> list[Project]:
    """The same without numbers."""
    memberships = Membership.objects.filter(user=user, role=Role.LEAD, ended_at__isnull=True)
    return sorted(Project.objects.filter(memberships__in=memberships), key=lambda project: alphabetical(project.title))


def _led(project: Project) -> Led:
    substitutes = registry.get(project.protocol).substitutes
    tasks = (
        Task.objects.filter(queue__project=project)
        .exclude(queue__activity__in=NO_DATA)
        .exclude(activity__in=substitutes)
        .exclude(state=TaskState.CANCELLED)
        .aggregate(
            total=Count("pk"),
            done=Count("pk", filter=Q(state__in=ENDED)),
            disputed=Count("pk", filter=Q(state=TaskState.DISPUTED)),
        )
    )
    reported = reports.count(project)
    open_cases = cases.of_project(project).count()
    asked = len(side_chat.asked(project)) + messages.unread_by_leads(project).count()
    counts = (tasks["total"], tasks["done"], tasks["disputed"], reported, asked, open_cases)
    return Led(project.title, project.slug, *counts, remaining.before_queues(project))


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
