"""What is measured of the agreement in an activity, and the arrays that it is measured from: caches."""

from __future__ import annotations

from django.db import models


class Agreement(models.Model):
    """The numbers measured in one activity of a project.

    A cache: rows may be deleted, and `manage.py measure_agreement` makes them again from the record.

    `numbers`: as JSON (`measuring.numbers`); `seen` and `responses_seen`: the last event and response that surely are
    in them. Those by split, week and person are measured less often, `whole_at`, which took `seconds`. `up_to` and
    `responses_up_to`: what surely is in the stored table. `made_of`: the measures, so that other ones make it anew.
    `measured_by`: the pass that measured it, whose process may still have its table in memory.
    """

    project = models.ForeignKey("annotation.Project", on_delete=models.CASCADE, related_name="agreement")
    activity = models.CharField(max_length=40)
    numbers = models.JSONField(default=dict)
    measured_at = models.DateTimeField()
    whole_at = models.DateTimeField(null=True)
    seconds = models.FloatField(default=0)
    up_to = models.BigIntegerField()
    responses_up_to = models.BigIntegerField()
    seen = models.BigIntegerField()
    responses_seen = models.BigIntegerField()
    made_of = models.CharField(max_length=64)
    measured_by = models.UUIDField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "activity"], name="one_agreement_per_activity")]


class AgreementTable(models.Model):
    """For each item the values of its annotations, by measure, person and time (`measuring.table.Table`). A cache, too.

    A row of its own, since SQLite writes the whole of a row when one of its columns changes.
    """

    agreement = models.OneToOneField(Agreement, on_delete=models.CASCADE, related_name="table")
    data = models.BinaryField()
