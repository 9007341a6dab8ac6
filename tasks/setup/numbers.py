"""The numbers of a project's queues: places, leases, how work ended, how long it took, and whether it is large."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count, Exists, OuterRef, Q, Sum

from annotation import registry
from annotation.models import Project, items_in_work
from annotation.projects import WantedOverlap
from annotation.statistics.intervals import Share, wilson
from tasks.models import Assignment, Lease, Queue, Task, WorkCount
from tasks.models.states import HOLDS_SLOT, AssignmentState, TaskState
from tasks.setup.opening import NAME

LARGE = 20_000
"""Pieces of work that have ended. So many are counted in a few hundredths of a second; of more, pages show what a job
has counted some seconds ago (`tasks.board.counting`).
"""


def is_large(project: Project) -> bool:
    """Whether more than LARGE pieces of its work are counted."""
    rows = WorkCount.objects.filter(project=project, person__isnull=False)
    return (rows.aggregate(n=Sum("n"))["n"] or 0) > LARGE


WAITING = (TaskState.OPEN, TaskState.FULL)
"""Tasks whose free slots can still be held."""
HELD_BACK = (TaskState.FROZEN, TaskState.SETTLING, TaskState.DISPUTED)


@dataclass
class QueueNumbers:
    """One queue. A place is a slot, or as many slots as the activity has seats; `assignments` counts by state.

    `left_out`: its tasks that are done because nobody is to do them, in `left_out_in`, some splits. `people` hold work
    in it, the `oldest` since then.
    """

    queue: Queue
    seats: int
    tasks: Counter[str] = field(default_factory=Counter)
    assignments: Counter[str] = field(default_factory=Counter)
    waiting_slots: int = 0
    waiting_held: int = 0
    left_out: int = 0
    people: int = 0
    oldest: datetime | None = None
    left_out_in: tuple[str, ...] = ()

    @property
    def handed_out(self) -> int:
        """Tasks that were, are or will be somebody's."""
        return self.total - self.left_out

    @property
    def finished(self) -> int:
        """Of these, those on which nobody works any more."""
        return self.done - self.left_out

    @property
    def total(self) -> int:
        """Tasks that were not withdrawn."""
        return self.tasks.total() - self.tasks[TaskState.CANCELLED]

    @property
    def done(self) -> int:
        """Tasks on which nobody works any more."""
        return self.tasks[TaskState.DONE] + self.tasks[TaskState.DISPUTED]

    @property
    def held_back(self) -> int:
        """Tasks that are frozen or wait for a decision."""
        return sum(self.tasks[state] for state in HELD_BACK)

    @property
    def filled(self) -> int:
        """Places with finished work."""
        return self.assignments[AssignmentState.SUBMITTED] // self.seats

    @property
    def leased(self) -> int:
        """Places of work that somebody holds."""
        return -(-self.assignments[AssignmentState.LEASED] // self.seats)

    @property
    def free(self) -> int:
        """Places that nobody holds."""
        return max(0, self.waiting_slots - self.waiting_held) // self.seats

    @property
    def skipped(self) -> Share | None:
        """The share of ended work that was skipped."""
        return self._share_of_ended(self.assignments[AssignmentState.SKIPPED])

    @property
    def expired(self) -> Share | None:
        """The share of ended work whose lease had expired, sent late or not at all."""
        late = self.assignments[AssignmentState.EXPIRED] + self.assignments[AssignmentState.LATE]
        return self._share_of_ended(late)

    def _share_of_ended(self, part: int) -> Share | None:
        ended = self.assignments.total() - self.assignments[AssignmentState.LEASED]
        return wilson(part, ended) if ended else None


def _assignments(project: Project, queues: Collection[int], leases: Sequence[Lease]) -> Iterator[tuple[int, str, int]]:
    """(queue, state, how many); of a large project, what has ended is as the job has counted it."""
    rows = Assignment.objects.filter(items_in_work("task__item__"), task__queue__in=queues).order_by()
    if is_large(project):
        ended = WorkCount.objects.filter(project=project, queue__in=queues, outcome__in=AssignmentState.values)
        yield from ended.order_by().values_list("queue", "outcome").annotate(Sum("n"))
        if not leases:
            return
        rows = rows.filter(state=AssignmentState.LEASED, lease__any_of=[each.pk for each in leases])
    yield from rows.values_list("task__queue", "state").annotate(Count("pk"))


def _open_leases(project: Project, queues: Iterable[Queue]) -> list[Lease]:
    """Those of these queues. They are found by the activities: the index of open leases has these, not the queues."""
    named, wanted = {each.activity for each in queues}, {each.pk for each in queues}
    rows = Lease.objects.filter(project=project, activity__in=named, closed_at__isnull=True)
    return [row for row in rows.only("queue", "opened_at", "annotator") if row.queue_id in wanted]


def of_project(project: Project) -> dict[str, QueueNumbers]:
    """By activity, for each queue that was ever opened; the number of queries doesn't depend on how many there are."""
    protocol = registry.get(project.protocol)
    known = [(activity.key, len(activity.seats)) for activity in protocol.activities]
    rows = {row.activity: row for row in Queue.objects.filter(project=project, name=NAME).select_related("project")}
    found = {key: QueueNumbers(rows[key], seats) for key, seats in known if key in rows}
    by_queue = {numbers.queue.pk: numbers for numbers in found.values()}
    tasks = Task.objects.filter(queue__in=by_queue).values_list("queue", "state").annotate(Count("pk"), Sum("slots"))
    for queue, state, n, slots in tasks.order_by():
        by_queue[queue].tasks[state] += n
        by_queue[queue].waiting_slots += (slots or 0) if state in WAITING else 0
    leases = _open_leases(project, [each.queue for each in found.values()])
    for queue, state, n in _assignments(project, by_queue, leases):
        by_queue[queue].assignments[state] += n
    waiting = Assignment.objects.filter(task__queue__in=by_queue, task__state__in=WAITING, state__in=HOLDS_SLOT)
    for queue, n in waiting.values_list("task__queue").annotate(Count("pk")).order_by():
        by_queue[queue].waiting_held = n
    for numbers in found.values():
        held = [each for each in leases if each.queue_id == numbers.queue.pk]
        numbers.people = len({each.annotator_id for each in held})
        numbers.oldest = min((each.opened_at for each in held), default=None)
    _count_tasks_left_out(project, found)
    return found


def _count_tasks_left_out(project: Project, queues: dict[str, QueueNumbers]) -> None:
    """Fill in which tasks nobody is to do, in one query if the project has a split that an activity leaves out."""
    there = Q()
    for key, numbers in queues.items():
        if splits := WantedOverlap(project, key).left_out():
            there |= Q(queue=numbers.queue, item__split__in=splits)
    if not there:
        return
    by_queue = {numbers.queue.pk: numbers for numbers in queues.values()}
    untouched = Task.objects.filter(
        there, ~Exists(Assignment.objects.filter(task=OuterRef("pk"))), state=TaskState.DONE
    )
    for queue, split, n in untouched.order_by("item__split").values_list("queue", "item__split").annotate(Count("pk")):
        by_queue[queue].left_out += n
        by_queue[queue].left_out_in += (split,)
