"""The append-only history (audit log): when, who, what, about what."""

from __future__ import annotations

from django.db import models

from annotation.triggers.append_only import ImmutableModel


class Event(ImmutableModel):
    """One line of history. No foreign keys: it outlives its subject. `subject` looks like `annotation:<uuid>`."""

    at = models.DateTimeField()
    by = models.BigIntegerField(null=True)
    kind = models.CharField(max_length=60)
    subject = models.CharField(max_length=80)
    project_id = models.BigIntegerField(null=True, db_index=True)
    data = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["subject"], name="events_of_a_subject")]
