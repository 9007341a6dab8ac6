"""Who is in the meeting of a judging round, what leads bring to a round, and what is measured of it."""

from __future__ import annotations

from django.db import models

from annotation.models import JudgingRound, User
from tasks.models.measurements import Measurement


class MeetingSeat(models.Model):
    """A person in a meeting: `seen_at`, the last poll of their page; `left_at`: when they left, None if here."""

    round = models.ForeignKey("annotation.JudgingRound", on_delete=models.PROTECT, related_name="seats", db_index=False)
    person = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="meeting_seats")
    seen_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["round", "person"], name="one_seat_per_person_and_meeting")]


class MetricColumn(models.Model):
    """A metric of the exhibits of a round from a lead's file: `values` has the figure of each place, as texts.

    Another one with the same name takes its place.
    """

    LONGEST = 60
    """Characters of a name."""

    round = models.ForeignKey(JudgingRound, on_delete=models.CASCADE, related_name="metric_columns", db_index=False)
    name = models.CharField(max_length=LONGEST)
    values = models.JSONField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "name"], name="a_metric_once_in_a_round"),
        ]


class RoundMetrics(Measurement):
    """How metrics go together with the scores of a round; `measuring.answer_metrics.keep` measures it."""

    round = models.OneToOneField(JudgingRound, on_delete=models.CASCADE, related_name="metrics")
