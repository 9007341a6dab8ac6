"""The items about which a job decides, and how far it is with each."""

from __future__ import annotations

from django.db import models


class DecidedItem(models.Model):
    """An item of a job that decides about many; a job that starts again goes on with those that aren't decided about.

    The record is in the events: `events` has the keys of those that can be undone, in their order. `done`: for how many
    of the item's annotations, or 1 for the item itself; `refused`: reason -> for how many not. `undone`: how many of
    the events were undone, None until that was tried.
    """

    job = models.ForeignKey("annotation.Job", on_delete=models.CASCADE, related_name="decided_items")
    item = models.ForeignKey("annotation.Item", on_delete=models.CASCADE, related_name="+")
    decided_at = models.DateTimeField(null=True)
    done = models.PositiveIntegerField(default=0)
    refused = models.JSONField(default=dict)
    events = models.JSONField(default=list)
    undone = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["job", "item"], name="a_job_decides_once_about_an_item"),
        ]
