"""What a judging round can be about, drawn by its seed: which exhibits, in which order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from django.db.models import QuerySet

from annotation import randomness, registry
from annotation.engine import loading
from annotation.judging.rubrics import Rubric
from annotation.judging.rules import Rules
from annotation.models import RELEASED, Annotation, Project, Response
from annotation.values.exhibits import ExhibitKind, ShownExhibit

AT_ONCE = 500
"""Annotations that are read together."""


@dataclass(frozen=True)
class DrawnExhibit:
    """An exhibit that could be drawn: an annotation as it is now, and a turn of it."""

    annotation: Annotation
    turn: int
    responses: int
    shown: ShownExhibit

    @property
    def name(self) -> str:
        """What the order of the draw and the hash of the round know it by; the same wherever the project is."""
        return f"{self.annotation.uuid}/{self.turn}"


def kind_of(project: Project, key: str) -> ExhibitKind:
    """The kind of exhibits with this key, or KeyError."""
    return {kind.key: kind for kind in registry.get(project.protocol).exhibits}[key]


def published_of(kind: ExhibitKind, rubric: Rubric) -> dict[str, float]:
    """The published shares of a kind, if the rubric has the marks of its preset; of others nothing is published."""
    same = {mark.key for mark in rubric.marks} == {mark.key for mark in kind.rubric().marks}
    return kind.published if same else {}


def drawn(project: Project, rules: Rules, *, seed: str) -> tuple[list[DrawnExhibit], int]:
    """The sample in its order, and how many there are to draw from."""
    found = list(population(project, rules, seed=seed))
    found.sort(key=lambda each: randomness.number(seed, "order", each.name))
    return found[: rules.sample], len(found)


def population(project: Project, rules: Rules, *, seed: str) -> Iterator[DrawnExhibit]:
    """All exhibits of the rules: of an item with several annotations the one that the seed chooses, or each."""
    chosen: dict[tuple[int, int], DrawnExhibit] = {}
    for each in _exhibits(project, rules):
        if rules.of_an_item == "all":
            yield each
            continue
        place = (each.annotation.item_id, each.turn)
        other = chosen.get(place)
        if other is None or _lot(seed, each) < _lot(seed, other):
            chosen[place] = each
    yield from chosen.values()


def _lot(seed: str, each: DrawnExhibit) -> int:
    return randomness.number(seed, "of an item", each.name)


def annotations_of(project: Project, rules: Rules) -> QuerySet[Annotation]:
    """The finished annotations that count and may have such exhibits."""
    rows = Annotation.objects.filter(item__project=project, activity=kind_of(project, rules.kind).activity)
    rows = rows.filter(completed_at__isnull=False, excluded_at=None, purpose__in=RELEASED)
    rows = rows.filter(item__split=rules.split) if rules.split else rows
    return rows.select_related("item__root", "item__project").order_by("pk")


def _exhibits(project: Project, rules: Rules) -> Iterator[DrawnExhibit]:
    protocol = registry.get(project.protocol)
    activity = protocol.activity(kind_of(project, rules.kind).activity)
    config = protocol.config.model_validate(project.config, strict=False)
    every = annotations_of(project, rules).iterator(AT_ONCE)
    while rows := list(islice(every, AT_ONCE)):
        written: dict[int, list[Response]] = {row.pk: [] for row in rows}
        for response in Response.objects.filter(annotation__in=list(written)).order_by("pk"):
            written[response.annotation_id].append(response)
        for row in rows:
            item = loading.item_record(row.item)
            responses = loading.whole(protocol, activity, item, config, written[row.pk])
            record = loading.finished_record(row, activity, responses)
            for turn, shown in protocol.exhibits_of(rules.kind, item, record):
                yield DrawnExhibit(row, turn, len(responses), shown)
