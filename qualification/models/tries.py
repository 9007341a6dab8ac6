"""Work that is held without a queue, a task, a lease or an assignment: tries at an item, which count nowhere."""

from __future__ import annotations

from django.db import models

from annotation import randomness


class Try(models.Model):
    """One person's hold on an annotation of their own that no queue has given them, as in a lead's trial.

    `uuid` is what its addresses name; whose it is, since when, and whether it has ended are those of its annotation.
    `client` and `place` as those of an assignment: the page load that may write, and where on the page they last were.
    `put_away_at`: since when its holder does not want to see it among their open ones.
    """

    uuid = models.UUIDField(unique=True, default=randomness.handle, editable=False)
    annotation = models.OneToOneField("annotation.Annotation", on_delete=models.PROTECT, related_name="held_try")
    client = models.UUIDField(null=True)
    place = models.JSONField(null=True)
    put_away_at = models.DateTimeField(null=True)
