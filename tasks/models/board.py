"""Daily counts of work, and what a board shows besides: caches, which `manage.py count_work` makes anew."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce

from tasks.models.measurements import Measurement
from tasks.models.states import AssignmentState


class WorkCount(models.Model):
    """How many pieces of a person's work in a queue and split ended in one way on a day (UTC). A cache.

    `outcome`: the state of their assignments, with the `reason` of skips, or BY_SCRIPT in its place if the person sent
    an answer of submitted work by script; or DONE, without a person: the tasks that
    were finished with the last piece of work of that day; or SET_ASIDE: submitted work on items that are set aside
    now, which counts for nothing but what people are PAID for.
    """

    DONE = "done"
    SET_ASIDE = "set_aside"
    BY_SCRIPT = "by_script"
    PAID = (AssignmentState.SUBMITTED, SET_ASIDE)

    project = models.ForeignKey("annotation.Project", on_delete=models.CASCADE, related_name="+", db_index=False)
    queue = models.ForeignKey("tasks.Queue", on_delete=models.CASCADE, related_name="+", db_index=False)
    split = models.CharField(max_length=40)
    person = models.ForeignKey("annotation.User", null=True, on_delete=models.CASCADE, related_name="+", db_index=False)
    day = models.DateField()
    outcome = models.CharField(max_length=20)
    reason = models.CharField(max_length=40, default="")
    n = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                F("day"), F("queue"), F("split"), Coalesce("person", 0), F("outcome"), F("reason"),
                name="one_work_count",
            ),
            models.CheckConstraint(condition=Q(n__gte=1), name="a_work_count_counts"),
        ]  # fmt: skip
        # All columns, so that a board adds up the index alone.
        indexes = [
            models.Index(
                fields=["project", "day", "outcome", "queue", "split", "person", "reason", "n"],
                name="work_counts_of_a_project",
            )
        ]


class WorkTime(models.Model):
    """A person's seconds in a queue and split on a day (UTC): those that count, idle ones, and waiting. A cache.

    `queue` is null, and `split` empty, for time that belongs to no piece of work.
    """

    project = models.ForeignKey("annotation.Project", on_delete=models.CASCADE, related_name="+", db_index=False)
    queue = models.ForeignKey("tasks.Queue", null=True, on_delete=models.CASCADE, related_name="+", db_index=False)
    split = models.CharField(max_length=40)
    person = models.ForeignKey("annotation.User", on_delete=models.CASCADE, related_name="+", db_index=False)
    day = models.DateField()
    counted = models.FloatField(default=0)
    idle = models.FloatField(default=0)
    waited = models.FloatField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                F("person"), F("day"), F("project"), Coalesce("queue", 0), F("split"), name="one_work_time"
            ),
        ]
        indexes = [
            models.Index(
                fields=["project", "day", "queue", "split", "person", "counted", "waited", "idle"],
                name="work_times_of_a_project",
            )
        ]


class CountMark(models.Model):
    """One row: up to which event and time span everything is surely counted, when that was, and what it took.

    `spans_seen` is the last span that there was at `seen_at`.
    """

    events = models.BigIntegerField()
    spans = models.BigIntegerField()
    spans_seen = models.BigIntegerField()
    seen_at = models.DateTimeField()
    counted_at = models.DateTimeField()
    seconds = models.FloatField()


class BoardFigures(Measurement):
    """What else a project's board shows: annotations wanted, and how long stages take."""

    project = models.OneToOneField("annotation.Project", on_delete=models.CASCADE, related_name="board_figures")
