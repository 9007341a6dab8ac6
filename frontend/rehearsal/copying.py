"""The copy of a project that bots work on: its set-up and a sample of its items, as rows in a file.

Neither people nor their work are copied, nor items that people have made.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from django.core import serializers
from django.db import transaction

from annotation import randomness
from annotation.models import (
    Blob,
    ConsentText,
    Document,
    GuidelineVersion,
    Item,
    ItemDocument,
    Job,
    Project,
    SearchText,
)
from annotation.models.corpus import ItemText
from tasks.engine import queues as all_queues
from tasks.models import NO_DATA, Queue
from tasks.models.states import QueueState

ROWS = "rows.jsonl"
AT_A_TIME = 50
"""Documents and layouts that are read at a time: a page with its layout has some hundred kilobytes."""


def write(project: Project, folder: Path, *, items: int, seed: str) -> int:
    """Write the rows of the copy; returns how many items at the top of their trees it has."""
    roots = _sample(project, items, seed)
    with (folder / ROWS).open("w", encoding="utf-8") as out:
        serializers.serialize("jsonl", _rows(project, roots), stream=out)
    return len(roots)


def _sample(project: Project, items: int, seed: str) -> list[int]:
    """Items at the top of their trees, from every split alike."""
    rows = Item.objects.filter(all_queues.visible(), project=project, root=None, made_from=None).order_by("pk")
    by_split: dict[str, list[int]] = {}
    for split, key in rows.values_list("split", "pk"):
        by_split.setdefault(split, []).append(key)
    rng = randomness.rng(seed, "rehearsal")
    for keys in by_split.values():
        rng.shuffle(keys)
    turns = sorted((place, split, key) for split, keys in by_split.items() for place, key in enumerate(keys))
    return [key for _place, _split, key in turns[:items]]


def _rows(project: Project, roots: list[int]) -> Iterator[Any]:
    items = list(Item.objects.filter(pk__in=roots).order_by("pk"))
    items += Item.objects.filter(root__in=roots, made_from=None, job__state=Job.State.DONE).order_by("pk")
    keys = [item.pk for item in items]
    described = list(ItemDocument.objects.filter(item__in=keys).order_by("pk"))
    documents = Document.objects.filter(pk__in={row.document_id for row in described})
    names = {row.sha256 for row in documents} | {row.layout for row in described}
    jobs = Job.objects.filter(pk__in={item.job_id for item in items if item.job_id})
    return chain(
        [_open_to_all(project)],
        ConsentText.objects.filter(project=project),
        _without_author(project.guidelines.order_by("pk")),
        jobs,
        Blob.objects.filter(pk__in=names).iterator(AT_A_TIME),
        documents,
        items,
        described,
        SearchText.objects.filter(item__in=keys),
        ItemText.objects.filter(item__in=keys),
        _opened(project.queues.exclude(activity__in=NO_DATA)),
    )


def _open_to_all(project: Project) -> Project:
    """The project as its copy has it: its work needs no qualification, since bots have none."""
    copied = copy.copy(project)
    activities = project.config.get("activities", {})
    without = {key: {**config, "requires": []} for key, config in activities.items()}
    copied.config = project.config | ({"activities": without} if activities else {})
    return copied


def _without_author(versions: Iterable[GuidelineVersion]) -> Iterator[GuidelineVersion]:
    for version in versions:
        version.by = None
        yield version


def _opened(queues: Iterable[Queue]) -> Iterator[Queue]:
    for queue in queues:
        queue.state, queue.filled_at = QueueState.OPEN, None
        yield queue


@transaction.atomic
def read(folder: Path) -> Project:
    """Load the rows into the database of the copy; returns its project."""
    with (folder / ROWS).open(encoding="utf-8") as rows:
        for row in serializers.deserialize("jsonl", rows):
            if isinstance(row.object, ConsentText):
                row.object.by = None
            row.save()
    return Project.objects.get()
