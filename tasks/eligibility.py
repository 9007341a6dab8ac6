"""Who may be given what: the rules of a claim, as one query, and what is said of a person's own standing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast

from django.db.models import DateTimeField, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from annotation import projects
from annotation import protocol as registry
from annotation.db.compiled import Param
from annotation.membership import has_consented, roles_of
from annotation.models import Flag, Item, Project, Response, Role, User
from annotation.protocol import Activity
from tasks.models import Assignment, Queue, Task
from tasks.states import HOLDS_SLOT, LEAVES_ITEM_FREE, AssignmentState, TaskState

WORKERS = (Role.ANNOTATOR, Role.EXPERT)
SESSION = timedelta(hours=12)
"""How long what a person claimed keeps what is alike from them: the sitting of a day, with its breaks."""
COUNTED = 1000
"""How far free tasks are counted: to count 300,000 takes a second, and tells nobody more."""


class CorrelatedExists(Exists):
    """An EXISTS that PostgreSQL asks of each task that comes up, until there are as many free ones as are wanted.

    A plain one may be turned into a join with all that the person has ever done; OFFSET keeps it from that. Each looks
    into one table, by an index, so that what the database believes of how much there is makes no difference.
    """

    template = "EXISTS(%(subquery)s OFFSET 0)"


@dataclass(frozen=True)
class Seeker:
    """One person looking for work in the open queues of an activity; `item`: this one and no other.

    `since`: when the session began in which they are not given what is alike (SESSION ago).
    """

    by: User
    project: Project
    queues: tuple[Queue, ...]
    activity: Activity
    protocol: str
    since: datetime
    start: int | None = None
    item: Item | None = None


def places(protocol: str, activity: str, queues: int, chosen: bool) -> Seeker:
    """A seeker of whom only this is known, for a query that is prepared; `values_of` one fills its places."""
    return Seeker(
        by=cast(User, Param("by")),
        project=cast(Project, Param("project")),
        queues=tuple(cast(Queue, Param(f"queue{number}")) for number in range(queues)),
        activity=registry.get(protocol).activity(activity),
        protocol=protocol,
        since=cast(datetime, Param("since", DateTimeField())),
        item=cast(Item, Param("item")) if chosen else None,
    )


def shape_of(seek: Seeker) -> tuple[str, str, int, bool]:
    """What of a seeker changes the query that looks for their tasks."""
    return seek.protocol, seek.activity.key, len(seek.queues), seek.item is not None


def values_of(seek: Seeker) -> dict[str, Any]:
    """What of a seeker fills the places of that query."""
    queues = {f"queue{number}": queue.pk for number, queue in enumerate(seek.queues)}
    item = {"item": seek.item.pk} if seek.item is not None else {}
    return {"by": seek.by.pk, "project": seek.project.pk, "since": seek.since, **queues, **item}


def why_not_claim(
    user: User,
    project: Project,
    activity: str | None = None,
    *,
    roles: frozenset[str] | None = None,
    consented: bool | None = None,
) -> str | None:
    """Why this person may not work in the project (or the activity) at all, or None.

    A lead can't: they see everybody's answers. Where pools are separate, who asks never answers, nor the other way.
    `roles` and `consented` are looked up where the caller does not know them.
    """
    roles = roles_of(user, project) if roles is None else roles
    if Role.LEAD in roles:
        return "leads_cannot_claim"
    if not roles & set(WORKERS):
        return "not_a_member"
    if not (has_consented(user, project) if consented is None else consented):
        return "consent_missing"
    if activity is not None and _in_other_pool(user, project, activity):
        return "other_pool"
    return None


def barred(held: Assignment) -> bool:
    """Whether work that held no slot for a while may not come back: meanwhile its holder took what excludes it.

    The caller holds the person's lock where the activity excludes another.
    """
    project, activity = (
        held.task.item.project,
        registry.get(held.task.item.project.protocol).activity(held.task.activity),
    )
    if not activity.excludes:
        return False
    against = _conflicts(held.annotator, project, project.protocol, activity)
    if not projects.project_config(project).separate_pools:
        root = held.task.item.root_id or held.task.item_id
        against = against.filter(Q(task__item=root) | Q(task__item__root=root))
    return against.exists()


def free_tasks(seek: Seeker) -> QuerySet[Task]:
    """The tasks that this person may be given now.

    The rules, each with its test in tests/tasks: those of 5 and 6 in modules of their own, the others in
    test_claim_rules.py:

    1. the task is open and in one of these queues;
    2. it has a free slot (state `open` says so; overdue leases are expired before anybody is sent away);
    3. its item was not given to them in this activity before, unless that was returned, expired or revoked,
       and they have no completed annotation of it there;
    4. nothing under the same root was done by them in an activity that excludes this one;
    5. they have no report about its item that no lead has looked at yet;
    6. they claimed nothing in this session that asks the same, save this item itself (returned, expired or revoked);
    7. by `order`.
    """
    return free_but_for_alike(seek).filter(not_alike(seek)).order_by("order")


def how_many(seek: Seeker) -> int:
    """How many of these tasks they can do in this session, of those that ask the same one; COUNTED + 1 for all more."""
    rows = free_tasks(seek).order_by().values_list("item__alike", flat=True)
    at_most = COUNTED + 1
    while True:
        keys = list(rows[:at_most])
        found = keys.count("") + len(set(keys) - {""})
        if found > COUNTED or len(keys) < at_most:
            return min(found, COUNTED + 1)
        at_most *= 4


def not_alike(seek: Seeker) -> Q:
    """Rule 6."""
    if not registry.get(seek.protocol).finds_alike:
        return Q()
    mine = Assignment.objects.filter(annotator=seek.by, claimed_at__gt=seek.since)
    same = Item.objects.filter(project=seek.project, alike=OuterRef("item__alike"))
    asked = CorrelatedExists(same.filter(_had(mine, item=OuterRef("pk"), activity=seek.activity.key)))
    return Q(item__alike="") | ~asked | _had(mine, item=OuterRef("item"), activity=seek.activity.key)


def free_but_for_alike(seek: Seeker) -> QuerySet[Task]:
    """The tasks that this person may be given by the rules 1 to 5, now or after this session; in no order."""
    unfinished = Q(state__in=LEAVES_ITEM_FREE, annotation__completed_at__isnull=True)
    kept = Assignment.objects.filter(annotator=seek.by).exclude(unfinished)
    reported = Flag.objects.filter(author=seek.by, item=OuterRef("item"), settled_at=None)
    in_one_of_these = Q(*(Q(queue=queue) for queue in seek.queues), _connector=Q.OR)
    rows = Task.objects.filter(in_one_of_these, state=TaskState.OPEN).filter(
        ~_had(kept, item=OuterRef("item"), activity=seek.activity.key),
        ~CorrelatedExists(reported),
    )
    if seek.item is not None:
        rows = rows.filter(item=seek.item)
    if seek.activity.excludes:
        against = _conflicts(seek.by, seek.project, seek.protocol, seek.activity)
        under = Item.objects.filter(root=OuterRef("root"))
        rows = rows.annotate(root=Coalesce("item__root", "item")).filter(
            ~_had(against, item=OuterRef("root")),
            ~CorrelatedExists(under.filter(_had(against, item=OuterRef("pk")))),
        )
    return rows


def _had(mine: QuerySet[Assignment], **which: Any) -> Exists:
    """Whether one of these assignments is of such a task."""
    return CorrelatedExists(Task.objects.filter(**which).filter(CorrelatedExists(mine.filter(task=OuterRef("pk")))))


def _in_other_pool(user: User, project: Project, activity: str) -> bool:
    found = registry.get(project.protocol).activity(activity)
    if not found.excludes or not projects.project_config(project).separate_pools:
        return False
    return _conflicts(user, project, project.protocol, found).exists()


def _conflicts(user: Any, project: Any, protocol: str, activity: Activity) -> QuerySet[Assignment]:
    """The person's work in activities that exclude this one.

    Where the claim alone shows what this activity must not know, every claim counts; else what is held or was answered.
    """
    others = [each for each in registry.get(protocol).activities if each.key in activity.excludes]
    shown = [each.key for each in others if each.shows_at_claim]
    answered = Exists(Response.objects.filter(annotation=OuterRef("annotation")))
    counts = Q(task__activity__in=shown) | Q(state__in=(*HOLDS_SLOT, AssignmentState.LATE)) | answered
    mine = Assignment.objects.filter(annotator=user, task__queue__project=project)
    return mine.filter(task__activity__in=[each.key for each in others]).filter(counts)
