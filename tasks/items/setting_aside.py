"""Set items aside for an exam, and return them to the work: a root with all under it.

Nobody is given what is set aside, and it is in no figure and no release: `annotation.models.items_in_work` says so in
one place. What was finished on it stays in the record, is paid, and stays in its authors' own lists.
Who has seen an item at work never gets it in an exam.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import events
from annotation.engine import job_leases
from annotation.engine.exclusion import checked_reason
from annotation.errors import WrongMove
from annotation.imports import run
from annotation.models import RELEASED, Annotation, Event, Item, Project, Purpose, Response, User, under_roots
from annotation.releases import building, changes
from tasks.engine import queues, transitions
from tasks.engine.transactions import service
from tasks.items import reports
from tasks.models import NO_DATA, Assignment, ItemSimilarity, Task
from tasks.models.states import AssignmentState, TaskState

IN_EXAMS = (Purpose.QUIZ,)
"""What is made in an exam is no work; but what was shown in one never comes back into the work.

A lead's trial is not among them: it shows the item, and at its end the answers of others, so that who has tried an item
never gets it in an exam. It does not keep the item from the work either, as whoever leads or led is given none there.
"""


def people_who_worked_on(root: Item) -> QuerySet[User]:
    """Everybody who was ever given the root or anything under it, or has made something of it, finished or not.

    Skipped and returned work counts, and so do trials: they have seen it. Exams are no work. `root`: the root, or any
    item under it.
    """
    top = root.root_id or root.pk
    given = Assignment.objects.filter(task__item__in=under_roots([top]))
    made = Annotation.with_trials.filter(item__in=under_roots([top])).exclude(purpose__in=IN_EXAMS)
    said = Response.objects.filter(annotation__in=made)
    wrote = made.filter(author__isnull=False)
    return User.objects.filter(
        Q(pk__in=given.values("annotator"))
        | Q(pk__in=wrote.values("author"))
        | Q(pk__in=said.filter(author__isnull=False).values("author"))
    )


def roots_worked_on(person: User, project: Project) -> set[int]:
    """The keys of all roots of the project on which the person has worked so: what a draw for them leaves out."""
    given = Assignment.objects.filter(annotator=person, task__queue__project=project)
    made = Annotation.with_trials.filter(item__project=project).exclude(purpose__in=IN_EXAMS)
    mine = made.filter(Q(author=person) | Q(pk__in=Response.objects.filter(author=person).values("annotation")))
    return {
        *given.annotate(top=Coalesce("task__item__root", "task__item")).values_list("top", flat=True),
        *mine.annotate(top=Coalesce("item__root", "item")).values_list("top", flat=True),
    }


OPEN = (TaskState.OPEN, TaskState.FULL, TaskState.FROZEN)
"""Tasks that people are given, or would be."""
LEAVES = (*OPEN, TaskState.DISPUTED, TaskState.DONE)
"""Tasks that are cancelled; the event of each says in which state it was."""
WHY = "set_aside"
"""The `reason` in the events of these tasks."""
SET_ASIDE, RETURNED = LEFT_OR_CAME_BACK = "item.set_aside", "item.returned"
"""The kinds of the events of a root; each has its `reason`, and says how many `items` it was with those under it."""


@dataclass(frozen=True)
class LeavingWork:
    """What leaves the work with some items: they and all under them (`items`), `tasks` that are open, and `finished`
    annotations that count now. `why_not`: a sentence on what stands in the way, or "".
    """

    roots: int
    items: int
    tasks: int
    finished: int
    why_not: str


def leaving_work(item: Item) -> LeavingWork:
    """What would leave the work if the item's root were set aside now."""
    [root] = _roots([item])
    tasks, made = _tasks_under([root.pk]), _annotations_under([root.pk])
    return LeavingWork(
        roots=1,
        items=_under([root.pk]).count(),
        tasks=tasks.exclude(queue__activity__in=NO_DATA).filter(state__in=OPEN).count(),
        finished=made.filter(purpose__in=RELEASED, completed_at__isnull=False, excluded_at__isnull=True).count(),
        why_not=why_not_set_aside(root),
    )


def why_not_set_aside(root: Item) -> str:
    """A sentence for the lead on why the root can't be set aside, or ""."""
    if root.set_aside_at is not None:
        return _("It is set aside already.")
    leased = Assignment.objects.filter(task__in=_tasks_under([root.pk]), state=AssignmentState.LEASED)
    if n := leased.values("annotator").distinct().count():
        words = ngettext(
            "%(n)s person is working on it. Set it aside once they have finished or returned it.",
            "%(n)s people are working on it. Set it aside once they have finished or returned it.",
            n,
        )
        return words % {"n": n}
    if release := changes.release_with(root.project, _in_some_release(root)):
        words = _("Release %(version)s has it: whoever has that can look its answers up.")
        return words % {"version": release.version}
    return ""


def why_not_return(root: Item) -> str:
    """A sentence for the lead on why the root can't come back into the work, or ""."""
    if root.set_aside_at is None:
        return _("It is not set aside.")
    if _annotations_under([root.pk]).filter(purpose__in=IN_EXAMS).exists():
        return _("People have been shown it in an exam. In the work they would meet it a second time.")
    return ""


@service
def set_aside(items: Iterable[Item], *, by: User, reason: str, now: datetime) -> list[Item]:
    """Set the roots of these items aside with all under them; returns the roots, in the order of their keys.

    Raises ReasonMissing, and WrongMove with the sentence of `why_not_set_aside`; then none of them is. The locks come
    in the order of docs/architecture.md, and then those of the items: creating a task, an item under them and a release
    wait for these.
    """
    said, roots = checked_reason(reason), _roots(items)
    for root, tasks in _locked(roots):
        if why := why_not_set_aside(root):
            raise WrongMove(why, reason="not_set_aside")
        for task in tasks:
            if task.state in LEAVES:
                transitions.task(task, TaskState.CANCELLED, by=by, now=now, reason=WHY, was=task.state)
        under = _under([root.pk])
        ItemSimilarity.objects.filter(item__in=under).delete()  # measured anew when they come back
        n = under.update(set_aside_at=now)
        root.set_aside_at = now
        events.record(SET_ASIDE, root, by=by, now=now, reason=said, items=n)
    return roots


@service
def return_to_work(items: Iterable[Item], *, by: User, reason: str, now: datetime) -> list[Item]:
    """Return the roots of these items to the work with all under them, each task to the state in which it was.

    Returns the roots. Tasks that a lead withdrew before stay withdrawn. Raises ReasonMissing, and WrongMove with the
    sentence of `why_not_return`; then none of them comes back.
    """
    said, roots = checked_reason(reason), _roots(items)
    for root, tasks in _locked(roots):
        if why := why_not_return(root):
            raise WrongMove(why, reason="not_returned")
        n = _under([root.pk]).update(set_aside_at=None)
        root.set_aside_at = None
        events.record(RETURNED, root, by=by, now=now, reason=said, items=n)
        before = _states_before(tasks)
        for task in tasks:
            if task.pk in before and task.state == TaskState.CANCELLED:
                _restore(task, before[task.pk], by=by, now=now)
        queues.look_again(root.project)
    return roots


def setting_aside_of(item: Item) -> Event | None:
    """The event by which the item's root was set aside, if it is set aside now."""
    if item.set_aside_at is None:
        return None
    name = f"item:{item.root_id or item.pk}"
    return Event.objects.filter(subject=name, kind=SET_ASIDE).order_by("pk").last()


def _restore(task: Task, state: str, *, by: User, now: datetime) -> None:
    if state not in OPEN:
        transitions.task(task, TaskState(state), by=by, now=now)
        return
    reports.open_again(task, by=by, now=now)


def _states_before(tasks: list[Task]) -> dict[int, str]:
    """By key, the state in which each task was that was cancelled when its item was set aside."""
    names = {events.name(task): task.pk for task in tasks}
    last: dict[str, Event] = {}
    for event in Event.objects.filter(subject__in=names, kind=f"task.{TaskState.CANCELLED}").order_by("pk"):
        last[event.subject] = event
    return {names[name]: event.data["was"] for name, event in last.items() if event.data.get("reason") == WHY}


def _locked(roots: list[Item]) -> Iterable[tuple[Item, list[Task]]]:
    """Each root with the tasks under it, once all of them are locked."""
    for project in sorted({root.project_id for root in roots}):
        _keep_still(Project.objects.select_for_update(no_key=True).get(pk=project))
    keys = [root.pk for root in roots]
    tasks = _locked_tasks(keys)
    fresh = {item.pk: item.set_aside_at for item in Item.with_set_aside.filter(pk__in=keys)}
    of_root: dict[int, list[Task]] = {key: [] for key in keys}
    for task in tasks:
        of_root[task.item.root_id or task.item_id].append(task)
    for root in roots:
        root.set_aside_at = fresh[root.pk]
        yield root, of_root[root.pk]


def _keep_still(project: Project) -> None:
    """Let no import and no release of the project begin until the transaction ends; WrongMove while there is one."""
    for lease, why in (
        (run.import_lease(project), _("A file is being imported. Wait until it is in.")),
        (building.release_lease(project), _("A release is being made. Wait until it is ready.")),
    ):
        try:
            job_leases.keep_free(lease)
        except job_leases.Taken:
            raise WrongMove(why, reason="busy") from None


def _locked_tasks(roots: list[int]) -> list[Task]:
    """The tasks under these roots, locked with their items, so that no other can be created; in the order of keys."""
    while True:
        found = set(_tasks_under(roots).values_list("pk", flat=True))
        with transaction.atomic():
            transitions.lock(sorted(found))
            list(_under(roots).select_for_update(of=("self",)).order_by("pk").values_list("pk"))
            rows = list(_tasks_under(roots).select_related("queue__project", "item__project").order_by("pk"))
            if {row.pk for row in rows} <= found:
                return rows
            transaction.set_rollback(True)  # one was created meanwhile: lock that too, in the order of keys


def _roots(items: Iterable[Item]) -> list[Item]:
    keys = {item.root_id or item.pk for item in items}
    return list(Item.with_set_aside.filter(pk__in=keys).select_related("project").order_by("pk"))


def items_under(roots: Collection[int], *, using: str = "default") -> list[int]:
    """The keys of these items and of all under them."""
    return list(_under(roots).using(using).order_by("pk").values_list("pk", flat=True))


def _under(roots: Collection[int]) -> QuerySet[Item]:
    return Item.with_set_aside.filter(Q(pk__in=roots) | Q(root__in=roots))


def _tasks_under(roots: Collection[int]) -> QuerySet[Task]:
    """Without those of judging rounds, which show what was sealed, whatever becomes of the item."""
    return Task.objects.filter(item__in=under_roots(roots), exhibit=None)


def _annotations_under(roots: Collection[int]) -> QuerySet[Annotation]:
    return Annotation.objects.filter(item__in=under_roots(roots))


def _in_some_release(root: Item) -> list[Item]:
    """The items under a root that a release can have: published ones, and those of which something is finished."""
    finished = _annotations_under([root.pk]).filter(completed_at__isnull=False).values("item")
    return list(_under([root.pk]).filter(Q(pk__in=finished) | Q(job__kind="import_release")))
