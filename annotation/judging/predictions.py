"""Sets of predictions of a project: the answers of a model from a file, beside the items that they are about."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path

from django.db import IntegrityError, transaction

from annotation import events, registry
from annotation.errors import WrongMove
from annotation.i18n import _
from annotation.models import Item, Prediction, PredictionSet, Project, User
from annotation.values.predictions import PredictionLayout, ReadPrediction

MOST = 50_000
"""Answers of a file, at most."""
MOST_PLACES = 32_767
AT_ONCE = 500
"""Rows that are read or written together."""


@dataclass(frozen=True)
class AddedSet:
    """A new set: `kept` answers have an item, `left_out` have none in the project or the split."""

    row: PredictionSet
    kept: int
    left_out: int


def layouts_of(project: Project) -> list[PredictionLayout]:
    """The layouts of its protocol, and those for all projects."""
    own = registry.get(project.protocol).predictions
    others = (layout for each in registry.all_protocols() for layout in each.predictions if layout.for_all)
    return [*own, *(layout for layout in others if layout not in own)]


def add(
    project: Project, path: Path, layout: PredictionLayout, *, system: str, split: str, by: User, now: datetime
) -> AddedSet:
    """Keep the answers of a file to items of a split, "" for all.

    ScoreRefused for a file of another layout; WrongMove if it has too many answers, none of them is to an item, or the
    project has predictions of the system.
    """
    read = layout.read(path)
    if len(read) > MOST or any(one.place > MOST_PLACES for one in read):
        raise WrongMove(_("A file has %(most)s answers at most.") % {"most": MOST})
    items = _items(project, split, (one.external_id for one in read))
    kept = [one for one in read if one.external_id in items]
    if not kept:
        raise WrongMove(_("No answer of the file is to anything in the project."))
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    try:
        with transaction.atomic():
            row = PredictionSet.objects.create(
                project=project,
                system=system,
                format=layout.key,
                split=split,
                sha256=sha256,
                added_by=by,
                added_at=now,
            )
            Prediction.objects.bulk_create(_rows(row, items, kept), batch_size=AT_ONCE)
            events.record("predictions.added", row, by=by, now=now, system=system, answers=len(kept), sha256=sha256)
    except IntegrityError:
        raise WrongMove(_("There are predictions of a system with this name.")) from None
    return AddedSet(row, len(kept), len(read) - len(kept))


def _rows(row: PredictionSet, items: dict[str, int], some: Sequence[ReadPrediction]) -> Iterator[Prediction]:
    for one in some:
        yield Prediction(set=row, item_id=items[one.external_id], place=one.place, payload=one.payload)


def _items(project: Project, split: str, names: Iterable[str]) -> dict[str, int]:
    """The keys of the items that people answer to, by their external ids."""
    protocol = registry.get(project.protocol)
    rows = Item.objects.filter(project=project, kind=protocol.activity(protocol.exhibits[0].activity).kind)
    rows = rows.filter(split=split) if split else rows
    found: dict[str, int] = {}
    wanted = iter(dict.fromkeys(names))
    while some := list(islice(wanted, AT_ONCE)):
        found.update(rows.filter(external_id__in=some).values_list("external_id", "pk"))
    return found
