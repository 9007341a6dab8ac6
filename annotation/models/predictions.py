"""Answers of models to a project's items, uploaded in an official layout: judged beside people's, never their data."""

from __future__ import annotations

from django.db import models

from annotation import randomness
from annotation.triggers.append_only import ImmutableModel


class PredictionSet(ImmutableModel):
    """The predictions of one system, from one file.

    `format`: the key of the layout it was read by; `sha256`: of the file. Raters never see `system`.
    """

    LONGEST = 80
    """Characters of the name of a system."""

    uuid = models.UUIDField(unique=True, default=randomness.handle, editable=False)
    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="prediction_sets")
    system = models.CharField(max_length=LONGEST)
    format = models.CharField(max_length=40)
    split = models.CharField(max_length=40, blank=True)
    sha256 = models.CharField(max_length=64)
    added_by = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="+")
    added_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "system"], name="a_system_once_in_a_project"),
        ]


class Prediction(ImmutableModel):
    """What a system answered to an item. `place`: 0, 1, 2 ... of its answers, or the turn of a conversation.

    `payload`: as the reader of the set's format leaves it.
    """

    set = models.ForeignKey(PredictionSet, on_delete=models.PROTECT, related_name="predictions", db_index=False)
    item = models.ForeignKey("annotation.Item", on_delete=models.PROTECT, related_name="predictions")
    place = models.PositiveSmallIntegerField(default=0)
    payload = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["set", "item", "place"], name="predicted_once_by_a_system"),
        ]
