"""Queues, tasks, leases, assignments; partial unique indexes rule out a slot given twice."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce

from annotation import randomness
from tasks.models.states import HOLDS_SLOT, AssignmentState, QueueState, TaskState

ADJUDICATE = "adjudicate"
"""The activity of the queues in which experts write references; the name of such a queue is the disputed activity."""
ASSESS = "assess"
"""The activity of the queues of judging rounds; the name of such a queue is the key of its round."""
NO_DATA = (ADJUDICATE, ASSESS)
"""The activities of queues in which no data is collected: no claim hands out their tasks, and no board counts them."""


class Queue(models.Model):
    """A project's stream of tasks for one activity. Overlap and draw are in the project's config."""

    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="queues")
    activity = models.CharField(max_length=40)
    name = models.CharField(max_length=40, default="main")
    state = models.CharField(max_length=20, choices=QueueState, default=QueueState.DRAFT)
    lease_minutes = models.PositiveIntegerField()
    least_agreement = models.FloatField(null=True)
    filled_at = models.DateTimeField(null=True)

    # Annotated by `tasks.engine.resuming.queues_of`, for one person: the key of their open lease, whether they have
    # recently left work unfinished, the key of the guidelines in force.
    open_lease: int | None
    left_unfinished: bool
    guidelines: int | None

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "activity", "name"], name="one_queue_per_name"),
        ]

    @property
    def answered(self) -> str:
        """The protocol's activity in which its tasks are answered."""
        return self.name if self.activity == ADJUDICATE else self.activity

    @property
    def leased_as(self) -> str:
        """The activity that its leases name; those of a judging round are open beside each other."""
        return f"{ASSESS}-{self.name}" if self.activity == ASSESS else self.activity


class Task(models.Model):
    """An item in a queue. `slots`: how many people can hold it (null for gold: no limit).

    `order`: of the file, or shuffled by the project's seed (`tasks.engine.queues`). `exhibit`: what a judging
    round asks about.
    """

    queue = models.ForeignKey(Queue, on_delete=models.PROTECT, related_name="tasks")
    item = models.ForeignKey("annotation.Item", on_delete=models.PROTECT, related_name="tasks")
    activity = models.CharField(max_length=40)
    split = models.CharField(max_length=40)
    round = models.PositiveSmallIntegerField(default=1)
    slots = models.PositiveSmallIntegerField(null=True)
    train_only = models.BooleanField(default=False)
    order = models.BigIntegerField()
    state = models.CharField(max_length=20, choices=TaskState, default=TaskState.OPEN)
    exhibit = models.ForeignKey(
        "annotation.Exhibit", null=True, on_delete=models.PROTECT, related_name="tasks", db_index=False
    )

    begun: int | None
    """Annotated by `tasks.engine.claiming`: the key of the annotation that the person has begun on it."""

    class Meta:
        constraints = [
            models.UniqueConstraint(
                F("queue"), F("item"), F("round"), Coalesce("exhibit", 0), name="one_task_per_item_and_round"
            ),
            models.UniqueConstraint(
                fields=["queue", "exhibit", "round"],
                condition=Q(exhibit__isnull=False),
                name="one_task_per_exhibit_and_repeat",
            ),
            models.CheckConstraint(condition=Q(train_only=False) | Q(split="train"), name="train_only_is_train"),
            models.CheckConstraint(condition=Q(slots__isnull=True) | Q(slots__gte=1), name="slots_at_least_one"),
        ]
        indexes = [
            models.Index(fields=["queue", "order"], condition=Q(state=TaskState.OPEN), name="open_tasks_in_order"),
            models.Index(fields=["queue", "state", "split"], name="tasks_by_state"),
        ]


class Lease(models.Model):
    """The time limit of one person's work in one activity. A person has at most one open lease per activity."""

    annotator = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="leases")
    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="leases")
    activity = models.CharField(max_length=40)
    queue = models.ForeignKey(Queue, on_delete=models.PROTECT, related_name="leases")
    opened_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["annotator", "project", "activity"],
                condition=Q(closed_at__isnull=True),
                name="one_open_lease_per_activity",
            ),
            models.CheckConstraint(condition=Q(expires_at__gte=F("opened_at")), name="lease_ends_after_it_opens"),
        ]
        indexes = [
            models.Index(
                fields=["project", "activity", "expires_at"],
                condition=Q(closed_at__isnull=True),
                name="open_leases_by_end",
            ),
        ]


class Assignment(models.Model):
    """One person holding one slot of one task under a lease. Its uuid is a fencing token: a new claim is a new row.

    `client`: the page load (tab, device) that may write; null until one has taken the work. `place`: where on the page
    the person last was, {"client", "stage", "view", "at"}, see `tasks.engine.tabs.PagePlace`. In shared work,
    `seen_at`: the last poll of their page, `active_at`: their last input, `signing_in_at`: the last time that it said
    that its sign-in has ended.
    """

    uuid = models.UUIDField(unique=True, default=randomness.handle, editable=False)
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="assignments")
    lease = models.ForeignKey(Lease, on_delete=models.PROTECT, related_name="assignments")
    # db_index=False as in annotation.models.Annotation.author.
    annotator = models.ForeignKey(
        "annotation.User", on_delete=models.PROTECT, related_name="assignments", db_index=False
    )
    slot = models.PositiveSmallIntegerField()
    seat = models.CharField(max_length=20, default="one")
    state = models.CharField(max_length=20, choices=AssignmentState, default=AssignmentState.LEASED)
    annotation = models.ForeignKey("annotation.Annotation", on_delete=models.PROTECT, related_name="assignments")
    client = models.UUIDField(null=True)
    place = models.JSONField(null=True)
    seen_at = models.DateTimeField(null=True)
    active_at = models.DateTimeField(null=True)
    signing_in_at = models.DateTimeField(null=True)
    claimed_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["task", "slot"], condition=Q(state__in=HOLDS_SLOT), name="one_holder_per_slot"
            ),
            models.UniqueConstraint(
                fields=["task", "annotator"], condition=Q(state__in=HOLDS_SLOT), name="one_slot_per_annotator"
            ),
        ]
        indexes = [
            models.Index(fields=["annotator", "task"], name="assignments_of_a_person"),
            models.Index(fields=["closed_at"], name="assignments_by_end"),
            models.Index(fields=["task"], condition=Q(state=AssignmentState.SKIPPED), name="skipped_assignments"),
        ]
