"""What jobs have measured of a project (caches of the record), and that they run."""

from __future__ import annotations

import json
from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper


class OrderedJSONField(models.JSONField):
    """JSON whose keys come back in the order in which they were written, such as that of the marks of a rubric.

    PostgreSQL's `jsonb` would sort them by length. Its `json` keeps the text, but has no operator for equality, so
    rows with such a field can't be asked for by it, nor for distinct ones.
    """

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        return "json" if connection.vendor == "postgresql" else super().db_type(connection)

    def get_db_prep_value(self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:
        # Django would write '...'::jsonb, which sorts the keys before they are stored.
        if connection.vendor != "postgresql" or hasattr(value, "as_sql"):
            return super().get_db_prep_value(value, connection, prepared)
        return json.dumps(value, cls=self.encoder)

    def from_db_value(self, value: Any, expression: Any, connection: BaseDatabaseWrapper) -> Any:
        # psycopg2 reads `json` itself: Django tells it not to only for `jsonb`.
        return super().from_db_value(value, expression, connection) if isinstance(value, str) else value


class Measurement(models.Model):
    """Figures of a project as they were measured last. Derived: they can be measured anew from the record.

    `up_to`: the latest event before it. It took `seconds`.
    """

    values = OrderedJSONField()
    measured_at = models.DateTimeField()
    seconds = models.FloatField()
    up_to = models.BigIntegerField()

    class Meta:
        abstract = True


class Figures(Measurement):
    """Beside the published ones, as the protocol's report gives them; `figures.keep` measures them."""

    project = models.OneToOneField("annotation.Project", on_delete=models.CASCADE, related_name="figures")


class HumanFigures(Measurement):
    """The human upper bound by split, and what is not in it; `measures.human_bound.keep` measures them."""

    project = models.OneToOneField("annotation.Project", on_delete=models.CASCADE, related_name="human_figures")


class RoundFigures(Measurement):
    """The results of a judging round, of the raters who had locked; `measures.judging_rounds.keep` measures them."""

    round = models.OneToOneField("annotation.JudgingRound", on_delete=models.CASCADE, related_name="figures")


class ItemSimilarity(models.Model):
    """The mean similarity (0..1) of an item's annotations in an activity. Derived, by `tasks.engine.similarity`.

    `annotations`: how many were compared; `marker`: which, by the sum of their keys.
    """

    item = models.ForeignKey("annotation.Item", on_delete=models.CASCADE, related_name="similarities")
    activity = models.CharField(max_length=40)
    annotations = models.PositiveIntegerField()
    marker = models.BigIntegerField()
    value = models.FloatField()

    class Meta:
        db_table = "tasks_likeness"  # its name at first; old data folders and dumps have it
        constraints = [
            models.UniqueConstraint(fields=["item", "activity"], name="one_likeness_per_item_and_activity"),
        ]


class Heartbeat(models.Model):
    """When a background job last ran: one row for the whole site."""

    ONLY = 1
    """The key of the row."""

    at = models.DateTimeField()
