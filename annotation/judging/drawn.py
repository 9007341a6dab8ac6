"""What can be drawn for a judging round: exhibits, and units of them that are drawn as one.

Rounds over predictions draw from the items that all chosen systems answer, with all these answers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby
from typing import NamedTuple

from django.db.models import Count, QuerySet

from annotation import registry
from annotation.engine import loading
from annotation.judging.rules import Rules
from annotation.models import RELEASED, Annotation, ExhibitUse, Item, Prediction, Project
from annotation.values.exhibits import ShownExhibit
from annotation.values.predictions import ReadPrediction
from annotation.values.records import AnnotationRecord

Progress = Callable[[int, int], None]
AT_ONCE = 500
"""Annotations or predictions that are read together."""


@dataclass(frozen=True)
class DrawnExhibit:
    """An exhibit that could be drawn. `type`: of its item, "" if none.

    Of a person's answer the `annotation` as it is now, with its first `responses` responses, and a turn of it; of a
    system's the `prediction`, whose place is the turn.
    """

    shown: ShownExhibit
    type: str
    turn: int
    annotation: Annotation | None = None
    responses: int = 0
    prediction: Prediction | None = None
    use: str = ExhibitUse.DRAWN

    @property
    def item(self) -> Item:
        """What it answers."""
        about = self.annotation or self.prediction
        assert about is not None, "an exhibit is of a person or a system"
        return about.item

    @property
    def item_id(self) -> int:
        """The key of what it answers."""
        return self.item.pk

    @property
    def name(self) -> str:
        """What the order of the draw and the hash of the round know it by; the same wherever the project is."""
        if self.prediction:
            return f"{self.prediction.set.uuid}/{self.turn}/{self.item.external_id}"
        return f"{self.annotation and self.annotation.uuid}/{self.turn}"


class DrawnUnit(NamedTuple):
    """What is drawn as one: an exhibit; or all answers to an item, where systems are judged or raters see these
    together."""

    name: str
    exhibits: tuple[DrawnExhibit, ...]
    type: str


def predictions_of(project: Project, rules: Rules) -> QuerySet[Prediction]:
    """The answers of these systems to items that can be judged."""
    rows = Prediction.objects.filter(set__project=project, set__uuid__in=rules.systems)
    rows = rows.filter(item__undone_at=None, item__set_aside_at=None)
    return rows.filter(item__split=rules.split) if rules.split else rows


def items_of_predictions(project: Project, rules: Rules) -> QuerySet[Prediction, int]:
    """The keys of the items that all these systems say something of."""
    rows = predictions_of(project, rules).order_by().values("item").annotate(systems=Count("set", distinct=True))
    return rows.filter(systems=len(rules.systems)).values_list("item", flat=True)


def units_of_predictions(
    project: Project, rules: Rules, items: Collection[int] | None = None, progress: Progress | None = None
) -> Iterator[DrawnUnit]:
    """The answers to each item that every system answers with something to judge, of these items or of all.

    `progress` is told how many answers were read, and how many there are.
    """
    rows = predictions_of(project, rules)
    rows = rows.filter(item__in=items_of_predictions(project, rules) if items is None else items)
    rows = rows.select_related("set", "item__root", "item__project").order_by("item_id", "set_id", "place")
    done, total = 0, rows.count() if progress else 0
    for _key, of_item in groupby(rows.iterator(AT_ONCE), key=lambda each: each.item_id):
        predictions = list(of_item)
        unit = _unit(rules, predictions)
        done += len(predictions)
        if progress and (done == total or done % AT_ONCE < len(predictions)):
            progress(done, total)
        if len({each.prediction.set_id for each in unit.exhibits if each.prediction}) == len(rules.systems):
            yield unit


def named_predictions(project: Project, rules: Rules, names: Iterable[str]) -> Iterator[DrawnUnit]:
    """The units of these exhibits."""
    ids = {name.split("/", 2)[2] for name in names if name.count("/") > 1}
    items = predictions_of(project, rules).filter(item__external_id__in=ids).order_by().values("item")
    return units_of_predictions(project, rules, set(items.values_list("item", flat=True)))


def _unit(rules: Rules, predictions: list[Prediction]) -> DrawnUnit:
    row = predictions[0].item
    protocol = registry.get(row.project.protocol)
    item, given = loading.item_record(row), cache(partial(_given, row, rules))  # once for all systems
    found = []
    for each in predictions:
        said = ReadPrediction(row.external_id, each.place, each.payload)
        shown = protocol.predicted_exhibit(rules.kind, item, said, given)
        if shown is not None:
            found.append(DrawnExhibit(shown, protocol.type_of(row.payload), each.place, prediction=each))
    return DrawnUnit(row.external_id, tuple(found), protocol.type_of(row.payload))


def _given(row: Item, rules: Rules) -> tuple[AnnotationRecord, ...]:
    """What people have answered to the item, of what counts: a prediction may be about a part of it."""
    protocol = registry.get(row.project.protocol)
    activity = {kind.key: kind for kind in protocol.exhibits}[rules.kind].activity
    rows = Annotation.objects.filter(item=row, activity=activity, completed_at__isnull=False, excluded_at=None)
    return tuple(loading.finished_records(list(rows.filter(purpose__in=RELEASED).order_by("pk")), row))
