"""What is measured of the members of a release, for its data card: people, hours, overlap, guidelines, licences."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from django.conf import settings
from django.db.models import Count, Sum

from annotation import registry
from annotation.agreement.estimates import Estimate
from annotation.agreement.measures import headline
from annotation.models import Agreement, Annotation, GuidelineVersion, ItemDocument, Project, Release, TimeSpan
from annotation.models.time import COUNTED
from annotation.releases import members, tables

LICENSED = ("item__kind", "item__external_id", "licence", "document")
CHUNK = 500
"""Annotations or items in one query."""
Member = dict[str, Any]


def facts(release: Release, chosen: list[Member], *, using: str) -> dict[str, Any]:
    """All of it, as JSON; the data card is written from this and the rest of the manifest."""
    project = release.project
    entries = [entry for member in _each(chosen) for entry in member["annotations"]]
    seconds, timed, guidelines = _of_annotations([entry["uuid"] for entry in entries], using=using)
    return {
        "title": project.title,
        "protocol": str(registry.get(project.protocol).title),
        "task": tables.table_of(project).task,
        "organisation": settings.GOLDFINCH_ORGANISATION,
        "frozen": release.at.date().isoformat(),
        "people": len({name for entry in entries if not entry["imported"] for name in members.people_of(entry)}),
        "annotations": len(entries),
        "imported": sum(entry["imported"] for entry in entries),
        "seconds": seconds,
        "timed": timed,
        "overlap": _overlap(chosen),
        "guidelines": _guidelines(project, guidelines, using=using),
        "licences": _licences(project, chosen, using=using),
        "agreement": list(_agreement(project, using=using)),
    }


def _each(members: Iterable[Member]) -> Iterator[Member]:
    for member in members:
        yield member
        yield from _each(member["children"])


def _chunks(values: Iterable[Any]) -> Iterator[list[Any]]:
    rest = iter(values)
    while part := list(islice(rest, CHUNK)):
        yield part


def _of_annotations(uuids: list[str], *, using: str) -> tuple[int, int, Counter[int]]:
    """Seconds of working time, the number of annotations that have any, and how many each guideline version has."""
    seconds, timed, guidelines = 0.0, 0, Counter[int]()
    for part in _chunks(uuids):
        rows = Annotation.objects.using(using).filter(uuid__any_of=set(part))
        found = dict(rows.values_list("pk", "guidelines__number"))
        guidelines.update(number for number in found.values() if number is not None)
        spans = TimeSpan.objects.using(using).filter(annotation__any_of=set(found), kind__in=COUNTED)
        sums = spans.aggregate(seconds=Sum("seconds"), timed=Count("annotation", distinct=True))
        seconds += round(sums["seconds"] or 0)
        timed += sums["timed"]
    return int(seconds), timed, guidelines


def _overlap(chosen: list[Member]) -> dict[str, dict[str, int]]:
    """By split, how many items have how many annotations; of items with others under them, those."""
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    for member in chosen:
        for one in member["children"] or (member,):
            counts[member["split"]][len(one["annotations"])] += 1
    return {split: {str(n): counts[split][n] for n in sorted(counts[split])} for split in sorted(counts)}


def _guidelines(project: Project, used: Counter[int], *, using: str) -> list[dict[str, Any]]:
    rows = GuidelineVersion.objects.using(using).filter(project=project, number__in=used).order_by("number")
    return [
        {"number": row.number, "kind": row.kind, "since": row.at.date().isoformat(), "annotations": used[row.number]}
        for row in rows
    ]


def _licences(project: Project, chosen: list[Member], *, using: str) -> dict[str, int]:
    """How many documents of the items have which licence; "" if none is stated. Several items may share a document."""
    found: dict[str, set[int]] = defaultdict(set)
    wanted = {(member["kind"], member["external_id"]) for member in _each(chosen)}
    for part in _chunks(sorted({name for _kind, name in wanted})):
        rows = ItemDocument.objects.using(using).filter(item__project=project, item__external_id__any_of=set(part))
        texts = rows.exclude(document__media_type__startswith="image/")
        for kind, name, licence, document in texts.values_list(*LICENSED):
            if (kind, name) in wanted:
                found[licence].add(document)
    return {licence: len(documents) for licence, documents in sorted(found.items())}


def _agreement(project: Project, *, using: str) -> Iterator[dict[str, Any]]:
    """The headline of each measure as last measured, of the whole project."""
    rows = {row.activity: row for row in Agreement.objects.using(using).filter(project=project)}
    for one in registry.get(project.protocol).measures:
        row = rows.get(one.activity)
        number = row.numbers.get("all", {}).get(one.key, {}).get(headline(one)) if row else None
        if row and number and number[0] is not None:
            yield {
                "measure": str(one.title),
                "statistic": headline(one),
                **Estimate.of(number)._asdict(),
                "measured": row.measured_at.date().isoformat(),
            }
