"""What is measured of the members of a release, for its data card: people, hours, overlap, guidelines, licences.

Hours are active and reading time, by the answers that count; also of who wrote the items here, and how long that took.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import accumulate, islice, pairwise
from typing import Any

from django.conf import settings
from django.db.models import Count, Q

from annotation import projects, pseudonyms, registry
from annotation.models import (
    Agreement,
    Annotation,
    GuidelineVersion,
    Item,
    ItemDocument,
    Project,
    Release,
    Response,
    TimeSpan,
    items_in_work,
)
from annotation.models.time import COUNTED
from annotation.releases import members, tables
from annotation.releases.measuring import counting
from annotation.releases.measuring.counting import CountedItem
from annotation.releases.members import FrozenAnnotation, FrozenMember
from annotation.statistics.estimates import Estimate
from annotation.values.measures import headline

CHUNK = 5000
"""Annotations or items in one query."""


def facts(
    release: Release, chosen: list[FrozenMember], counted: list[CountedItem], *, name: str, using: str
) -> dict[str, Any]:
    """All of it, as JSON, of what is in the files; the data card is written from this and the rest of the manifest."""
    project = release.project
    entries = list(counting.entries_in(chosen, counted).values())
    made = [entry for entry in entries if not entry["imported"]]
    worked = [sum(shares) for _uuid, shares in seconds_of_work(made, using=using)]
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
        **facts_written(project, counted, entries, people, release=name, using=using),
        "contents": _contents(project, counted),
        "guidelines": _guidelines(project, [entry["uuid"] for entry in made], using=using),
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
    """The guideline versions with the number of annotations made under each; imported ones were made under none."""
    used = Counter[int]()
    if not GuidelineVersion.objects.using(using).filter(project=project).exists():
        return []
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
    wanted: dict[str, set[str]] = defaultdict(set)
    for one in counted:
        wanted[one.kind].add(one.name)
    chosen = Q(pk__in=())
    for kind, names in wanted.items():
        chosen |= Q(item__kind=kind, item__external_id__any_of=names)
    rows = ItemDocument.objects.using(using).filter(items_in_work("item__"), chosen, item__project=project)
    texts = rows.exclude(document__media_type__startswith="image/").order_by()
    return dict(sorted(texts.values_list("licence").annotate(Count("document", distinct=True))))


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


Answer = tuple[int | None, datetime]
"""Who gave it, and when."""
Span = tuple[int, datetime, float]
"""Whose it is, when it began, and its seconds."""


def seconds_of_work(entries: Iterable[Mapping[str, Any]], *, using: str) -> Iterator[tuple[str, list[int]]]:
    """(uuid, whole seconds before each answer that counts) of frozen annotations whose time was measured, in order.

    An entry has `uuid` and `responses`, how many of its answers count (None: all).
    """
    for part in _chunks(entries):
        yield from _of_part({entry["uuid"]: entry["responses"] for entry in part}, using=using)


def _of_part(part: Mapping[str, int | None], *, using: str) -> Iterator[tuple[str, list[int]]]:
    rows = Annotation.objects.using(using).filter(uuid__any_of=set(part)).values_list("uuid", "pk")
    keys = {str(uuid): key for uuid, key in rows}
    spans: dict[int, list[Span]] = defaultdict(list)
    measured = TimeSpan.objects.using(using).filter(annotation__any_of=set(keys.values()), kind__in=COUNTED)
    for key, who, begun, length in measured.order_by("pk").values_list(
        "annotation", "annotator", "begun_at", "seconds"
    ):
        spans[key].append((who, begun, length))
    answers: dict[int, list[Answer]] = defaultdict(list)
    said = Response.objects.using(using).filter(annotation__any_of=set(spans)).order_by("pk")
    for key, author, at in said.values_list("annotation", "author", "created_at"):
        answers[key].append((author, at))
    for uuid, responses in part.items():
        if uuid in keys and (shares := shared(answers[keys[uuid]][:responses], spans[keys[uuid]])):
            yield uuid, shares


def shared(answers: Sequence[Answer], spans: Iterable[Span]) -> list[int]:
    """The seconds of the spans by the answers that they led to; [] if none did.

    A span belongs to the next answer of the same person; without one, to their last one; without any, to the next
    answer of anybody. What began after the last answer led to none of them. They are whole numbers with the rounded
    sum of the fractions.
    """
    times = [at for _who, at in answers]
    sums, any_of_them = [0] * len(answers), False
    for who, begun, length in spans:
        after = bisect_left(times, begun)
        if after == len(answers):
            continue
        mine = [place for place, (author, _at) in enumerate(answers) if author == who]
        following = [place for place in mine if place >= after]
        place = following[0] if following else mine[-1] if mine else after
        sums[place] += round(length * 1000)
        any_of_them = True
    ends = [round(end / 1000) for end in accumulate(sums)]
    return [end - before for before, end in pairwise([0, *ends])] if any_of_them else []


def facts_written(
    project: Project,
    counted: Iterable[CountedItem],
    entries: Iterable[FrozenAnnotation],
    people: set[str],
    *,
    release: str,
    using: str,
) -> dict[str, Any]:
    """`written`: {} or how many items of which kind were written here in annotations that are not in the files
    themselves, by how many people, in how many pieces of work, and the time of those that were measured (`timed`).

    `everybody`: how many people that are together with `people`, the pseudonyms of those who made `entries`.
    """
    inside = {entry["uuid"] for entry in entries}
    made: dict[str, int] = defaultdict(int)
    works: dict[str, str] = {}
    here = Item.objects.using(using).filter(project=project, made_from__author__isnull=False)
    named = ((one.kind, one.name) for one in counted if one.name) if here.exists() else ()
    for part in map(set, _chunks(named)):
        rows = here.filter(external_id__any_of={external_id for _kind, external_id in part})
        for kind, external_id, uuid, author in rows.values_list(
            "kind", "external_id", "made_from__uuid", "made_from__author"
        ):
            if (kind, external_id) in part and str(uuid) not in inside:
                made[kind] += 1
                works[str(uuid)] = pseudonyms.pseudonym(release, author)
    if not works:
        return {"written": {}, "everybody": len(people)}
    asked = [{"uuid": uuid, "responses": None} for uuid in works]
    worked = [sum(shares) for _uuid, shares in seconds_of_work(asked, using=using)]
    writers = set(works.values())
    written = {
        "items": dict(sorted(made.items())),
        "people": len(writers),
        "works": len(works),
        "seconds": sum(worked),
        "timed": len(worked),
    }
    return {"written": written, "everybody": len(people | writers)}
