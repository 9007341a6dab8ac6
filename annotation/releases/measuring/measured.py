"""What is measured of the members of a release, for its data card: people, hours, overlap, guidelines, licences."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from django.conf import settings

from annotation import projects, registry
from annotation.models import Agreement, Annotation, GuidelineVersion, ItemDocument, Project, Release, items_in_work
from annotation.releases import members, tables
from annotation.releases.measuring import counting, working, written_here
from annotation.releases.measuring.counting import CountedItem
from annotation.releases.members import FrozenMember
from annotation.statistics.estimates import Estimate
from annotation.values.measures import headline

LICENSED = ("item__kind", "item__external_id", "licence", "document")
CHUNK = 500
"""Annotations or items in one query."""


def facts(
    release: Release, chosen: list[FrozenMember], counted: list[CountedItem], *, name: str, using: str
) -> dict[str, Any]:
    """All of it, as JSON, of what is in the files; the data card is written from this and the rest of the manifest."""
    project = release.project
    entries = list(counting.entries_in(chosen, counted).values())
    made = [entry for entry in entries if not entry["imported"]]
    worked = [sum(shares) for _uuid, shares in working.seconds(made, using=using)]
    people = {name for entry in made for name in members.people_of(entry)}
    return {
        "title": project.title,
        "protocol": str(registry.get(project.protocol).title),
        "task": tables.table_of(project).task,
        "texts": projects.project_config(project).card.model_dump(exclude_defaults=True),
        "organisation": settings.GOLDFINCH_ORGANISATION,
        "frozen": release.at.date().isoformat(),
        "people": len(people),
        "annotations": len(entries),
        "imported": len(entries) - len(made),
        "seconds": sum(worked),
        "timed": len(worked),
        **written_here.facts(project, counted, entries, people, release=name, using=using),
        "contents": _contents(project, counted),
        "guidelines": _guidelines(project, [entry["uuid"] for entry in entries], using=using),
        "licences": _licences(project, counted, using=using),
        "agreement": list(_agreement(project, using=using)),
    }


def _chunks(values: Iterable[Any]) -> Iterator[list[Any]]:
    rest = iter(values)
    while part := list(islice(rest, CHUNK)):
        yield part


def _contents(project: Project, counted: list[CountedItem]) -> dict[str, list[dict[str, Any]]]:
    """By split and kind of item, how many there are, their annotations, and how many items have how many of these."""
    found: dict[str, dict[str, Counter[int]]] = {}
    for one in counted:
        found.setdefault(one.split, {}).setdefault(one.kind, Counter())[len(one.annotations)] += 1
    return {
        split: [_of_kind(project, kind, numbers) for kind, numbers in kinds.items()]
        for split, kinds in sorted(found.items())
    }


def _of_kind(project: Project, kind: str, numbers: Counter[int]) -> dict[str, Any]:
    noun = registry.get(project.protocol).noun_of(kind)
    return {
        "kind": kind,
        "one": str(noun.one),
        "many": str(noun.many),
        "items": numbers.total(),
        "annotations": sum(number * items for number, items in numbers.items()),
        "overlap": {str(number): numbers[number] for number in sorted(numbers)},
    }


def _guidelines(project: Project, uuids: list[str], *, using: str) -> list[dict[str, Any]]:
    """The guideline versions with the number of annotations made under each."""
    used = Counter[int]()
    for part in _chunks(uuids):
        found = Annotation.objects.using(using).filter(uuid__any_of=set(part), guidelines__isnull=False)
        used.update(found.values_list("guidelines__number", flat=True))
    rows = GuidelineVersion.objects.using(using).filter(project=project, number__in=used).order_by("number")
    return [
        {"number": row.number, "kind": row.kind, "since": row.at.date().isoformat(), "annotations": used[row.number]}
        for row in rows
    ]


def _licences(project: Project, counted: list[CountedItem], *, using: str) -> dict[str, int]:
    """How many documents of the items have which licence; "" if none is stated. Several items may share a document."""
    found: dict[str, set[int]] = defaultdict(set)
    wanted = {(one.kind, one.name) for one in counted}
    for part in _chunks(sorted({name for _kind, name in wanted})):
        rows = ItemDocument.objects.using(using).filter(
            items_in_work("item__"), item__project=project, item__external_id__any_of=set(part)
        )
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
                **Estimate.from_list(number)._asdict(),
                "measured": row.measured_at.date().isoformat(),
            }
