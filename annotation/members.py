"""Choose what goes into a release, and freeze it: one line per item with its annotations and their pseudonyms."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db.models import Prefetch

from annotation import overlap, rows
from annotation import protocol as registry
from annotation.models import Annotation, Item, ItemDocument, Job, Project, Purpose, Response
from annotation.records import AnnotationRecord, ItemRecord

CHUNK = 500
"""Items read at a time."""


@dataclass
class Counts:
    """What was taken and left out, by split."""

    items: Counter[str] = field(default_factory=Counter)
    annotations: Counter[str] = field(default_factory=Counter)
    incomplete: Counter[str] = field(default_factory=Counter)
    by_person: Counter[str] = field(default_factory=Counter)


def choose(
    project: Project, *, recipe: dict[str, Any], release: str, counts: Counts, using: str
) -> Iterator[dict[str, Any]]:
    """The members in order: items by position, imported annotations by place, ours by completion, then uuid.

    Left out: unfinished, excluded, other purposes than the recipe's; items with fewer annotations than their split
    wants, unless `partial`; sequestered splits, unless named. Imported items always come out.
    """
    activity = registry.get(project.protocol).activities[0].key
    for item in _items(project, recipe=recipe, using=using):
        taken = sorted(
            (row for row in item.chosen if row.purpose in recipe["purposes"] and row.activity == activity),
            key=lambda row: (row.purpose != Purpose.IMPORT, row.position, row.completed_at, row.uuid),
        )
        imported = any(row.purpose == Purpose.IMPORT for row in taken)
        wanted = overlap.wanted(project, activity, split=item.split, item=item.external_id)
        if not taken or (len(taken) < wanted and not imported and not recipe["partial"]):
            counts.incomplete[item.split] += 1
            continue
        members = [_member(row, release) for row in taken]
        counts.items[item.split] += 1
        counts.annotations[item.split] += len(members)
        counts.by_person.update(member["worker"] for member in members)
        yield {"kind": item.kind, "external_id": item.external_id, "split": item.split, "annotations": members}


def records(
    project: Project, members: list[dict[str, Any]], *, using: str
) -> Iterator[tuple[ItemRecord, tuple[AnnotationRecord, ...]]]:
    """Frozen members back to records, from the immutable rows; later responses and exclusions change nothing."""
    for start in range(0, len(members), CHUNK):
        part = members[start : start + CHUNK]
        found = {(item.kind, item.external_id): item for item in _loaded(project, part, using=using)}
        for member in part:
            item = found[member["kind"], member["external_id"]]
            annotations = {str(row.uuid): row for row in item.chosen}
            documents = rows.item_record(item, item.documents)
            yield (
                documents,
                tuple(
                    _annotation_record(project, annotations[entry["uuid"]], entry) for entry in member["annotations"]
                ),
            )


def pseudonym(release: str, person: int | None) -> str:
    """A person's name in one release: 40 hex digits that tell nothing outside it ("" for nobody)."""
    return _digest("worker", release, str(person))[:40] if person is not None else ""


def _member(row: Annotation, release: str) -> dict[str, Any]:
    digest = _digest("annotation", str(row.uuid))
    return {
        "uuid": str(row.uuid),
        "responses": len(row.responses.all()),
        "external_id": row.external_id,
        "id64": int(digest[:16], 16),
        "id_hex": digest[:40],
        "worker": pseudonym(release, row.author_id),
        "imported": row.purpose == Purpose.IMPORT,
    }


def _digest(*parts: str) -> str:
    """A keyed hash: who lacks the site's secret key learns nothing from it."""
    return hmac.new(settings.SECRET_KEY.encode(), "\x1f".join(parts).encode(), hashlib.sha256).hexdigest()


def _items(project: Project, *, recipe: dict[str, Any], using: str) -> Iterator[Item]:
    items = Item.objects.using(using).filter(project=project, kind=recipe["kind"])
    items = items.exclude(job__isnull=False, job__state__in=[s for s in Job.State if s != Job.State.DONE])
    if recipe["splits"]:
        items = items.filter(split__in=recipe["splits"])
    else:
        items = items.exclude(split__in=project.config.get("sequestered", []))
    finished = Annotation.objects.using(using).filter(completed_at__isnull=False, excluded_at__isnull=True)
    with_responses = finished.prefetch_related(
        Prefetch("responses", Response.objects.using(using).only("annotation_id"))
    )
    items = items.prefetch_related(Prefetch("annotations", with_responses, to_attr="chosen"))
    # Sorted here and not by the database, whose collation is its own: the same release is the same file everywhere.
    for split in sorted(items.order_by().values_list("split", flat=True).distinct()):
        yield from items.filter(split=split).order_by("position", "pk").iterator(chunk_size=CHUNK)


def _loaded(project: Project, part: list[dict[str, Any]], *, using: str) -> Iterator[Item]:
    uuids = [entry["uuid"] for member in part for entry in member["annotations"]]
    annotations = Annotation.objects.using(using).filter(uuid__in=uuids)
    return (
        Item.objects.using(using)
        .filter(project=project, external_id__in=[member["external_id"] for member in part])
        .prefetch_related(
            Prefetch(
                "annotations",
                annotations.prefetch_related(Prefetch("responses", Response.objects.using(using).order_by("pk"))),
                to_attr="chosen",
            ),
            Prefetch(
                "item_documents",
                ItemDocument.objects.using(using).select_related("document").order_by("position"),
                to_attr="documents",
            ),
        )
    )


def _annotation_record(project: Project, row: Annotation, entry: dict[str, Any]) -> AnnotationRecord:
    activity = rows.activity_of(project.protocol, row.activity)
    return AnnotationRecord(
        activity=row.activity,
        said=rows.so_far(activity, list(row.responses.all())[: entry["responses"]]),
        external_id=entry["external_id"],
        id64=entry["id64"],
        id_hex=entry["id_hex"],
        worker=entry["worker"],
        imported=entry["imported"],
    )
