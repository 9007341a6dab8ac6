"""Who is in the meeting of a judging round."""

from __future__ import annotations

from django.db import models


class MeetingSeat(models.Model):
    """A person in a meeting: `seen_at`, the last poll of their page; `left_at`: when they left, None if here."""

    round = models.ForeignKey("annotation.JudgingRound", on_delete=models.PROTECT, related_name="seats", db_index=False)
    person = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="meeting_seats")
    seen_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["round", "person"], name="one_seat_per_person_and_meeting")]
