"""Queues, tasks, leases, assignments, lobby tickets, pauses; partial unique indexes rule out a slot given twice."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.db.models import F, Q

from annotation import randomness
from annotation.triggers.append_only import ImmutableModel
from tasks.states import HOLDS_SLOT, IN_LOBBY, AssignmentState, QueueState, TaskState, TicketState

ADJUDICATE = "adjudicate"
"""The activity of the queues in which experts write references; the name of such a queue is the disputed activity."""


class Queue(models.Model):
    """A project's stream of tasks for one activity. Overlap and draw are in the project's config."""

    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="queues")
    activity = models.CharField(max_length=40)
    name = models.CharField(max_length=40, default="main")
    state = models.CharField(max_length=20, choices=QueueState, default=QueueState.DRAFT)
    lease_minutes = models.PositiveIntegerField()
    least_agreement = models.FloatField(null=True)
    filled_at = models.DateTimeField(null=True)

    # Annotated by `tasks.resuming.queues_of`, for one person: the key of their open lease, whether they have recently
    # left work unfinished, the key of the guidelines in force.
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


class Task(models.Model):
    """An item in a queue. `slots`: how many people can hold it (null for gold: no limit). `order` is seeded."""

    queue = models.ForeignKey(Queue, on_delete=models.PROTECT, related_name="tasks")
    item = models.ForeignKey("annotation.Item", on_delete=models.PROTECT, related_name="tasks")
    activity = models.CharField(max_length=40)
    split = models.CharField(max_length=40)
    round = models.PositiveSmallIntegerField(default=1)
    slots = models.PositiveSmallIntegerField(null=True)
    train_only = models.BooleanField(default=False)
    order = models.BigIntegerField()
    state = models.CharField(max_length=20, choices=TaskState, default=TaskState.OPEN)

    begun: int | None
    """Annotated by `tasks.claiming`: the key of the annotation that the person has begun on it."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["queue", "item", "round"], name="one_task_per_item_and_round"),
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
    the person last was, {"client", "stage", "view", "at"}, see `tasks.tabs.Place`. In shared work, `seen_at`:
    the last poll of their page, `active_at`: their last input, `signing_in_at`: the last time that it said that its
    sign-in has ended.
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


class Ticket(models.Model):
    """One visit of one person to the lobby of an activity, from entering to being seated, leaving or being removed.

    `in_line_since` is the place in line: `entered_at`, until a missed offer sends the person to the end. `seen_at`: the
    last poll of their page; `active_at`: their last input on it. `offer`: shared by the people who were found for each
    other, with `offered_at`, and `confirmed_at` once this person has said that they are here. `ended_at` of somebody
    who went away is when they were last seen. `reason`: why they left or were sent away, see `tasks.pairs.lobby`.
    `prefers`: the seat that they would rather have, "" for either.
    """

    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="tickets")
    activity = models.CharField(max_length=40)
    annotator = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="tickets")
    state = models.CharField(max_length=20, choices=TicketState, default=TicketState.WAITING)
    reason = models.CharField(max_length=20, default="")
    entered_at = models.DateTimeField()
    in_line_since = models.DateTimeField()
    seen_at = models.DateTimeField()
    active_at = models.DateTimeField(null=True)
    misses = models.PositiveSmallIntegerField(default=0)
    prefers = models.CharField(max_length=20, default="")
    offer = models.UUIDField(null=True)
    offered_at = models.DateTimeField(null=True)
    confirmed_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    assignment = models.OneToOneField(Assignment, on_delete=models.PROTECT, null=True, related_name="ticket")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["annotator"], condition=Q(state__in=IN_LOBBY), name="one_open_ticket_per_person"
            ),
            models.CheckConstraint(
                condition=Q(state=TicketState.OFFERED, offer__isnull=False, offered_at__isnull=False)
                | Q(~Q(state=TicketState.OFFERED), offer=None, offered_at=None, confirmed_at=None),
                name="an_offer_is_complete",
            ),
            models.CheckConstraint(
                condition=Q(state__in=IN_LOBBY, ended_at=None) | Q(~Q(state__in=IN_LOBBY), ended_at__isnull=False),
                name="a_ticket_ends_once",
            ),
            models.CheckConstraint(
                condition=Q(assignment=None) | Q(state=TicketState.SEATED), name="only_the_seated_have_work"
            ),
        ]
        indexes = [
            models.Index(
                fields=["project", "activity", "in_line_since"], condition=Q(state__in=IN_LOBBY), name="people_in_line"
            ),
            models.Index(
                fields=["project", "activity", "ended_at"],
                condition=Q(state=TicketState.SEATED),
                name="waits_of_seated",
            ),
        ]

    def waited(self, now: datetime) -> timedelta:
        """How long the person has been in the lobby, or was until they were seated or went away."""
        return max((self.ended_at or now) - self.entered_at, timedelta())


class Pause(models.Model):
    """A time in which no clock of shared work runs: a lead pauses a project, or the server was down (`project`: null).

    `ends_at` is in the future while it lasts, and set to the present when a lead ends it early.
    """

    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, null=True, related_name="pauses")
    began_at = models.DateTimeField()
    ends_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(ends_at__gte=F("began_at")), name="a_pause_ends_after_it_begins"),
        ]
        indexes = [
            models.Index(fields=["ends_at"], name="pauses_by_end"),
        ]


class ChatMessage(ImmutableModel):
    """A message in the side chat of shared work: about the guidelines, and never a part of the data.

    `number`: 1, 2, 3 in each chat. `seat`: the author's, "" for a lead. `to_lead`: a lead is asked for an answer.
    `key`: the page's idempotency key.
    """

    LONGEST = 500
    """Characters of a text."""

    # No indexes of their own: the unique ones below begin with these columns.
    annotation = models.ForeignKey(
        "annotation.Annotation", on_delete=models.PROTECT, related_name="chat", db_index=False
    )
    author = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="+", db_index=False)
    number = models.PositiveIntegerField()
    seat = models.CharField(max_length=20, blank=True)
    at = models.DateTimeField()
    text = models.CharField(max_length=LONGEST)
    to_lead = models.BooleanField()
    key = models.UUIDField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["annotation", "number"], name="chat_messages_are_numbered"),
            models.UniqueConstraint(fields=["author", "key"], name="a_chat_message_is_stored_once"),
            models.CheckConstraint(condition=~Q(text=""), name="chat_messages_have_a_text"),
        ]
        indexes = [
            models.Index(fields=["annotation"], condition=Q(to_lead=True), name="messages_to_leads"),
        ]


class Likeness(models.Model):
    """The mean likeness (0..1) of an item's annotations in an activity. Derived: `tasks.disputes.likeness` measures it.

    `annotations`: how many were compared; `marker`: which, by the sum of their keys.
    """

    item = models.ForeignKey("annotation.Item", on_delete=models.CASCADE, related_name="likenesses")
    activity = models.CharField(max_length=40)
    annotations = models.PositiveIntegerField()
    marker = models.BigIntegerField()
    value = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "activity"], name="one_likeness_per_item_and_activity"),
        ]


from tasks.background.models import Heartbeat  # noqa: E402, F401 (a table of this app)
from tasks.board.models import BoardFigures, CountMark, WorkCount, WorkTime  # noqa: E402, F401 (tables of this app)
from tasks.measures.models import Figures, HumanFigures  # noqa: E402, F401 (tables of this app)
