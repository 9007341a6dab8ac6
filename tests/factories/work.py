"""Queues and tasks, who holds them, and shared work."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import factory

from annotation import randomness
from annotation.models import Project, User
from tasks.engine import leases, queues
from tasks.models import Assignment, ChatMessage, ItemSimilarity, Lease, Pause, Queue, Task, Ticket
from tasks.models.states import AssignmentState, QueueState, TaskState
from tests.factories.base import NOON, RowFactory


class QueueFactory(RowFactory):
    """The open queue of an activity of `project`, with its tasks; without tasks if it is inserted."""

    class Meta:
        model = Queue

    activity = "annotate"
    state = QueueState.OPEN
    lease_minutes = 20
    least_agreement = None
    filled_at = NOON

    @classmethod
    def _create(
        cls,
        model_class: type[Queue],
        *,
        project: Project,
        activity: str,
        least_agreement: float | None,
        filled_at: datetime,
        **_by_config: Any,
    ):
        made, _tasks = queues.open_queue(project, activity, by=None, now=filled_at, least_agreement=least_agreement)
        return made


class TaskFactory(RowFactory):
    """`item` in `queue`; opening a queue makes the tasks of all items."""

    class Meta:
        model = Task

    activity = factory.SelfAttribute("queue.activity")
    split = factory.SelfAttribute("item.split")
    slots = 1
    order = factory.SelfAttribute("item.position")
    state = TaskState.OPEN


class LeaseFactory(RowFactory):
    """A time limit of `annotator` in `queue`."""

    class Meta:
        model = Lease

    project = factory.SelfAttribute("queue.project")
    activity = factory.SelfAttribute("queue.activity")
    opened_at = NOON
    expires_at = factory.LazyAttribute(lambda row: row.opened_at + timedelta(minutes=20))

    @classmethod
    def _create(cls, model_class: type[Lease], *, annotator: User, queue: Queue, opened_at: datetime, **_by_queue: Any):
        return leases.open_lease(annotator=annotator, queue=queue, now=opened_at)


class AssignmentFactory(RowFactory):
    """A slot of `task` that is held under `lease` for `annotation`; people claim through `builders.Worker`."""

    class Meta:
        model = Assignment

    annotator = factory.SelfAttribute("lease.annotator")
    slot = 0
    state = AssignmentState.LEASED
    claimed_at = factory.SelfAttribute("lease.opened_at")
    closed_at = factory.SelfAttribute("lease.closed_at")


class ItemSimilarityFactory(RowFactory):
    """How alike the annotations of `item` are, as if it had been measured."""

    class Meta:
        model = ItemSimilarity

    activity = "annotate"
    annotations = 5
    marker = 0


class TicketFactory(RowFactory):
    """A visit of `annotator` to the lobby of `project`."""

    class Meta:
        model = Ticket

    activity = "talk"
    entered_at = NOON
    in_line_since = factory.SelfAttribute("entered_at")
    seen_at = factory.SelfAttribute("entered_at")


class PauseFactory(RowFactory):
    """A pause of `project`, or of all, from `began_at` until `ends_at`; a lead who begins one can't choose its end."""

    class Meta:
        model = Pause

    project = None


class ChatMessageFactory(RowFactory):
    """A message of `author` in the side chat of `annotation`."""

    class Meta:
        model = ChatMessage

    number = 1
    seat = "asker"
    at = NOON
    text = "So"
    to_lead = False
    key = factory.LazyFunction(randomness.handle)
