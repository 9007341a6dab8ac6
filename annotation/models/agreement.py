"""What is measured of the agreement in an activity: a cache."""

from __future__ import annotations

from django.db import models


class Agreement(models.Model):
    """What people said in one activity of a project, as arrays, and the numbers measured from them.

    A cache: rows may be deleted, and `manage.py measure_agreement` makes them again from the record.

    `table`: for each item the values of its annotations, by measure, person and time (`measuring.table.Table`).
    `numbers`: of all of it, as JSON (`measuring.numbers`); those by split, week and person are measured less often,
    `whole_at`, which took `seconds`. `up_to` and `responses_up_to`: the last event and response that surely are in it.
    `made_of`: the measures, so that other ones make it anew.
    """

    project = models.ForeignKey("annotation.Project", on_delete=models.CASCADE, related_name="agreement")
    activity = models.CharField(max_length=40)
    table = models.BinaryField()
    numbers = models.JSONField(default=dict)
    measured_at = models.DateTimeField()
    whole_at = models.DateTimeField(null=True)
    seconds = models.FloatField(default=0)
    up_to = models.BigIntegerField()
    responses_up_to = models.BigIntegerField()
    made_of = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "activity"], name="one_agreement_per_activity")]
