"""Work that is held without a queue, a task, a lease or an assignment: lead's trials, and items of courses."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation import randomness


class Try(models.Model):
    """One person's hold on an annotation of their own that no queue has given them.

    `uuid` is what its addresses name; whose it is and since when are those of its annotation. `attempt` and
    `form_place`: the place of the form of an exam that it answers. `enrolment` and `course_item`: the item of a
    tutorial (its key) that it answers. Without either it is a lead's trial of an item. `client` and `place` as those
    of an assignment: the page load that may write, and where on the page they last were.
    `put_away_at`: since when its holder does not want to see it among their open ones.
    """

    uuid = models.UUIDField(unique=True, default=randomness.handle, editable=False)
    annotation = models.OneToOneField("annotation.Annotation", on_delete=models.PROTECT, related_name="held_try")
    attempt = models.ForeignKey("qualification.Attempt", null=True, on_delete=models.PROTECT, related_name="tries")
    form_place = models.PositiveSmallIntegerField(null=True)
    enrolment = models.ForeignKey("qualification.Enrolment", null=True, on_delete=models.PROTECT, related_name="tries")
    course_item = models.CharField(max_length=60, blank=True)
    client = models.UUIDField(null=True)
    place = models.JSONField(null=True)
    put_away_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["attempt", "form_place"], condition=Q(attempt__isnull=False), name="one_try_at_a_place"
            ),
        ]
