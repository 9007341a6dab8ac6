"""Who may be given which task: the rules of a claim as one query, and why a person may not work at all."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast

from django.db.models import DateTimeField, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from annotation import projects, registry
from annotation.db.compiled import Param
from annotation.errors import NotEligible, NotQualified
from annotation.membership import has_consented, has_seen_answers, working_roles_of
from annotation.models import Annotation, Flag, Item, Project, Purpose, Response, Role, User
from annotation.protocol import Activity
from qualification import granting
from tasks.engine.queues import new_in
from tasks.models import Assignment, Queue, Task
from tasks.models.states import HOLDS_SLOT, LEAVES_ITEM_FREE, AssignmentState, TaskState

WORKERS = (Role.ANNOTATOR, Role.EXPERT)
SESSION = timedelta(hours=12)
"""A session is a day's work with its breaks: within it, nobody is given two items that are alike."""
COUNTED = 1000
"""How far free tasks are counted: counting 300,000 takes a second and is of no use to anybody."""


class CorrelatedExists(Exists):
    """EXISTS (... OFFSET 0): an optimisation fence, which keeps PostgreSQL from flattening the subquery into a join.

    A join would read all that the person has ever done; a correlated subquery runs only for the tasks that come up
    before LIMIT is reached. Each subquery reads one table by an index, so stale planner statistics do no harm.
    """

    template = "EXISTS(%(subquery)s OFFSET 0)"


@dataclass(frozen=True)
class Seeker:
    """One person looking for work in the open queues of an activity; `item`: only this one.

    `since`: the beginning of their session (SESSION ago); `start`: where in the order to begin (None: at the first).
    `by_file`: the order is that of the imported files (`projects.draws_as_imported`).
    """

    by: User
    project: Project
    queues: tuple[Queue, ...]
    activity: Activity
    protocol: str
    since: datetime
    start: int | None = None
    item: Item | None = None
    by_file: bool = False


def parameter_seeker(protocol: str, activity: str, queues: int, chosen: bool, by_file: bool) -> Seeker:
    """A Seeker with Params instead of values, for compiling a query; `values_of` a real one returns the values."""
    return Seeker(
        by=cast(User, Param("by")),
        project=cast(Project, Param("project")),
        queues=tuple(cast(Queue, Param(f"queue{number}")) for number in range(queues)),
        activity=registry.get(protocol).activity(activity),
        protocol=protocol,
        since=cast(datetime, Param("since", DateTimeField())),
        item=cast(Item, Param("item")) if chosen else None,
        by_file=by_file,
    )


def shape_of(seek: Seeker) -> tuple[str, str, int, bool, bool]:
    """What determines the SQL of a seeker's query: the arguments of `parameter_seeker`."""
    return seek.protocol, seek.activity.key, len(seek.queues), seek.item is not None, seek.by_file


def values_of(seek: Seeker) -> dict[str, Any]:
    """The values for the Params of that query."""
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
    sees: bool | None = None,
) -> str | None:
    """Why this person may not work in the project (or the activity) at all, or None.

    A lead can't: they see everybody's answers; nor can whoever was one, or an expert who has begun to see them. With
    separate pools, nobody works in two activities that exclude each other. `not_qualified` is about new work only: who
    holds some may finish it. `roles`, `consented` and whether they `see` others' answers are looked up if not given.
    """
    roles = working_roles_of(user, project) if roles is None else roles
    if Role.LEAD in roles:
        return "leads_cannot_claim"
    if not roles & set(WORKERS):
        return "not_a_member"
    if has_seen_answers(user, project) if sees is None else sees:
        return "sees_answers"
    if not (has_consented(user, project) if consented is None else consented):
        return "consent_missing"
    if activity is not None and lacks_qualification(user, project, activity):
        return "not_qualified"
    if activity is not None and _in_other_pool(user, project, activity):
        return "other_pool"
    return None


def refusal_for(reason: str) -> NotEligible:
    """The refusal with a reason of `why_not_claim`, to be raised."""
    return NotQualified() if reason == NotQualified.reason else NotEligible(reason=reason)


def lacks_qualification(user: User, project: Project, activity: str) -> bool:
    """Whether the activity needs a qualification that this person does not have; no query if it needs none."""
    return bool(granting.lacking(user, project, projects.requirements_of(project, activity)))


def barred(held: Assignment) -> bool:
    """Whether work that has lost its slot may not come back, because its author has since taken work that excludes it.

    The caller holds the person's lock if the activity excludes another.
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

    The rules (tests of 5 and 6 have modules of their own in tests/tasks, the others are in test_claim_rules.py):

    1. the task is open and in one of these queues;
    2. it has a free slot (which state `open` means; overdue leases are expired before anybody is turned away);
    3. they have not had its item in this activity before, unless that was returned, expired or revoked, and have no
       completed annotation of it there;
    4. they have done nothing under the same root in an activity that excludes this one;
    5. they have no open report about its item;
    6. they have claimed nothing alike in this session, except this item itself (returned, expired or revoked);
    7. nobody holds the item in the activity that may be done instead (`Activity.alone`, in both directions);
    8. they have not judged, or been given to judge, what somebody answered to its item;
    9. sorted by `order`; in that of the files, items of the same line come as they came in. Shuffled orders are unique:
       there a second key would only keep PostgreSQL from stopping at the first row.
    """
    rows = free_but_for_alike(seek).filter(not_alike(seek))
    return rows.order_by("order", "pk") if seek.by_file else rows.order_by("order")


def count_doable(seek: Seeker) -> int:
    """How many free tasks they can do in this session, one of each group that is alike; at most COUNTED + 1."""
    rows = free_tasks(seek).order_by().values_list("item__alike", flat=True)
    at_most = COUNTED + 1
    while True:
        keys = list(rows[:at_most])
        found = keys.count("") + len(set(keys) - {""})
        if found > COUNTED or len(keys) < at_most:
            return min(found, COUNTED + 1)
        at_most *= 4


def count_new(seek: Seeker) -> int:
    """How many items without a task yet they can do, at most COUNTED + 1: a claim creates the tasks and gives them.

    For whoever finds no free task. Of the rules only 4 is asked, which is about work in other activities.
    """
    found, at_most = 0, COUNTED + 1
    for queue in seek.queues:
        for rows in new_in(queue):
            mine = _without_conflicts(rows.annotate(top=Coalesce("root", "pk")), seek)
            found += mine.values("pk")[:at_most].count()
    return min(found, at_most)


def not_alike(seek: Seeker) -> Q:
    """Rule 6."""
    if not registry.get(seek.protocol).finds_alike:
        return Q()
    mine = Assignment.objects.filter(annotator=seek.by, claimed_at__gt=seek.since)
    same = Item.with_set_aside.filter(project=seek.project, alike=OuterRef("item__alike"))
    asked = CorrelatedExists(same.filter(_had(mine, item=OuterRef("pk"), activity=seek.activity.key)))
    return Q(item__alike="") | ~asked | _had(mine, item=OuterRef("item"), activity=seek.activity.key)


def free_but_for_alike(seek: Seeker) -> QuerySet[Task]:
    """The tasks that rules 1 to 5, 7 and 8 allow, now or after this session; unordered."""
    unfinished = Q(state__in=LEAVES_ITEM_FREE, annotation__completed_at__isnull=True)
    kept = Assignment.objects.filter(annotator=seek.by).exclude(unfinished)
    reported = Flag.objects.filter(author=seek.by, item=OuterRef("item"), settled_at=None)
    in_one_of_these = Q(*(Q(queue=queue) for queue in seek.queues), _connector=Q.OR)
    rows = Task.objects.filter(in_one_of_these, state=TaskState.OPEN).filter(
        ~_had(kept, item=OuterRef("item"), activity=seek.activity.key),
        ~CorrelatedExists(reported),
        ~CorrelatedExists(_judgements(seek.by, item=OuterRef("item"))),
    )
    if seek.item is not None:
        rows = rows.filter(item=seek.item)
    if instead := _instead(seek.protocol, seek.activity):
        rows = rows.filter(~_had(_held_by_anybody(), item=OuterRef("item"), activity=instead))
    if seek.activity.excludes:
        rows = _without_conflicts(rows.annotate(top=Coalesce("item__root", "item")), seek)
    return rows


def _without_conflicts(rows: QuerySet[Any], seek: Seeker) -> QuerySet[Any]:
    """Rule 4, for rows with the key of the root at the `top` of their item."""
    if not seek.activity.excludes:
        return rows
    against = _conflicts(seek.by, seek.project, seek.protocol, seek.activity)
    under = Item.with_set_aside.filter(root=OuterRef("top"))
    return rows.filter(
        ~_had(against, item=OuterRef("top")),
        ~CorrelatedExists(under.filter(_had(against, item=OuterRef("pk")))),
    )


def still_free(task: Task, protocol: str, activity: Activity) -> bool:
    """Rule 7 again, once the task is locked: of two people who take an item in both activities at once, one gets it.

    The lock of the item is the last that a claim takes, and others only refer to items, which it does not stop.
    """
    instead = _instead(protocol, activity)
    if not instead:
        return True
    Item.objects.select_for_update(no_key=True).get(pk=task.item_id)
    return not _held_by_anybody().filter(task__item=task.item_id, task__activity=instead).exists()


def _judgements(by: Any, **which: Any) -> QuerySet[Annotation]:
    """What the person was given to judge in rounds: they have seen answers of others."""
    return Annotation.with_trials.filter(author=by, purpose=Purpose.JUDGEMENT, **which)


def _instead(protocol: str, activity: Activity) -> str:
    """The key of the activity that one person does alone instead of this one, or instead of which this is done."""
    every = registry.get(protocol).activities
    return activity.alone or next((each.key for each in every if each.alone == activity.key), "")


def _held_by_anybody() -> QuerySet[Assignment]:
    return Assignment.objects.filter(state__in=HOLDS_SLOT)


def _had(mine: QuerySet[Assignment], **which: Any) -> Exists:
    """A subquery: one of these assignments is of a task with these values."""
    return CorrelatedExists(Task.objects.filter(**which).filter(CorrelatedExists(mine.filter(task=OuterRef("pk")))))


def _in_other_pool(user: User, project: Project, activity: str) -> bool:
    found = registry.get(project.protocol).activity(activity)
    if not found.excludes or not projects.project_config(project).separate_pools:
        return False
    return _conflicts(user, project, project.protocol, found).exists()


def _conflicts(user: Any, project: Any, protocol: str, activity: Activity) -> QuerySet[Assignment]:
    """The person's work in activities that exclude this one.

    If the claim alone shows what this activity must not know, every claim counts; else only what is held or answered.
    """
    others = [each for each in registry.get(protocol).activities if each.key in activity.excludes]
    shown = [each.key for each in others if each.shows_at_claim]
    answered = Exists(Response.objects.filter(annotation=OuterRef("annotation")))
    counts = Q(task__activity__in=shown) | Q(state__in=(*HOLDS_SLOT, AssignmentState.LATE)) | answered
    mine = Assignment.objects.filter(annotator=user, task__queue__project=project)
    return mine.filter(task__activity__in=[each.key for each in others]).filter(counts)
