"""What experts decide about annotations that disagree. The annotations themselves stay as they are."""

from __future__ import annotations

from django.db import models
from django.db.models import Q, QuerySet

from annotation.models.corpus import Item


class Adjudication(models.Model):
    """A decision about an item's annotations in an activity and round: `annotation` is right, or the best of them.

    It is one of those that disagree, or a reference that an expert has written. `agreement`: theirs at that time. Only
    `taken_back_at` may change, once; a decision that was taken back doesn't count.
    """

    item = models.ForeignKey("annotation.Item", on_delete=models.PROTECT, related_name="adjudications")
    activity = models.CharField(max_length=40)
    round = models.PositiveSmallIntegerField()
    annotation = models.ForeignKey("annotation.Annotation", on_delete=models.PROTECT, related_name="adjudications")
    by = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="adjudications")
    reason = models.CharField(max_length=200)
    agreement = models.FloatField()
    at = models.DateTimeField()
    taken_back_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["item", "activity", "round"],
                condition=Q(taken_back_at__isnull=True),
                name="one_standing_adjudication",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="an_adjudication_has_a_reason"),
        ]

    @classmethod
    def of_item(cls, item: Item) -> QuerySet[Adjudication]:
        """The decisions about an item that count."""
        return cls.objects.filter(item=item, taken_back_at__isnull=True).select_related("by", "annotation")

    @classmethod
    def standing(cls, item: Item, activity: str, round: int) -> Adjudication | None:
        """The decision that counts, if there is one."""
        return cls.of_item(item).filter(activity=activity, round=round).first()
