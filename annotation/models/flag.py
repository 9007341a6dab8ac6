"""People's reports about items: broken, offensive, showing personal data, in the wrong language."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class FlagReason(models.TextChoices):
    """What is wrong with an item."""

    BROKEN = "broken", _("It is broken or does not display")
    OFFENSIVE = "offensive", _("It is offensive")
    PERSONAL = "personal", _("It shows personal data")
    LANGUAGE = "language", _("It is in the wrong language")
    OTHER = "other", _("Something else")


class Flag(models.Model):
    """One person's report about an item; open until a lead has looked at it.

    `stage`: the last one of the activity that the person had reached; "" if that was not recorded.
    """

    item = models.ForeignKey("annotation.Item", on_delete=models.PROTECT, related_name="flags")
    author = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="flags")
    activity = models.CharField(max_length=40)
    stage = models.CharField(max_length=40, default="")
    reason = models.CharField(max_length=20, choices=FlagReason)
    text = models.TextField(blank=True)
    at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["item", "author"], condition=Q(settled_at__isnull=True), name="one_open_flag_per_person"
            ),
        ]
