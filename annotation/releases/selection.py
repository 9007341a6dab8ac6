"""What a recipe selects: items by split and group, annotations by activity, purpose and time, without open cases; and
the candidates for members among them."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from annotation import registry
from annotation.models import (
    Annotation,
    Case,
    CaseKind,
    CaseState,
    Item,
    Job,
    Project,
    Purpose,
    Response,
    items_in_work,
)
from annotation.protocol import Format
from annotation.protocol_tools import Unnamed
from annotation.values.records import Step

CHUNK = 500
"""Items read at a time."""

ITEM = ("pk", "kind", "external_id", "split", "root_id", "job__kind", "made_from__author")
GROUPED = (*ITEM, "payload")
ANNOTATION = (
    "pk", "item_id", "uuid", "external_id", "purpose", "activity", "position", "completed_at", "author_id",
    "answers", "later_answers",
)  # fmt: skip
"""Columns that the selection needs. No texts are read, except the payloads of items of formats with groups."""


def visible_items(relation: str = "") -> Q:
    """The items of the work that people can see: made from finished work, or of an import that is done.

    None of an import that was undone, and none that were set aside. `relation`: the way to them, such as "item__".
    """
    return _come_in(relation) & items_in_work(relation)


def known_items(relation: str = "") -> Q:
    """Those and the items that were set aside for exams: all that a project's leads can see."""
    return _come_in(relation) & Q(**{f"{relation}undone_at__isnull": True})


def _come_in(relation: str) -> Q:
    return Q(**{f"{relation}job__isnull": True}) | Q(**{f"{relation}job__state": Job.State.DONE})


def is_sequestered(project: Project, split: str) -> bool:
    """Whether a split leaves only when it is named. Settings may spell it with a capital letter, which no split has."""
    return split.casefold() in {name.casefold() for name in project.config.get("sequestered", ())}


def in_splits(project: Project, recipe: Mapping[str, Any], relation: str = "", *, using: str) -> Q:
    """The items of the recipe's splits; if it names none, of all that are not sequestered."""
    if recipe["splits"]:
        return Q(**{f"{relation}split__in": recipe["splits"]})
    every = Item.objects.using(using).filter(project=project).order_by().values_list("split", flat=True).distinct()
    return ~Q(**{f"{relation}split__in": [split for split in every if is_sequestered(project, split)]})


def until_of(recipe: Mapping[str, Any]) -> datetime | None:
    """The recipe's cut-off: what was said later does not count."""
    return datetime.fromisoformat(recipe["until"]) if recipe.get("until") else None


def name_of(kind: str, external_id: str) -> str:
    """How a recipe names an item that it leaves out."""
    return f"{kind}/{external_id}"


def has_root_annotations(release_format: Format) -> bool:
    """Whether the format has annotations of roots besides those of their children."""
    return bool(release_format.child_kind) and release_format.root_activities != ()


def activities_of(release_format: Format) -> Q:
    """The annotations that a format is made of, of whatever purpose."""
    wanted = Q(activity=release_format.activity)
    if has_root_annotations(release_format):
        own = Q() if release_format.root_activities is None else Q(activity__in=release_format.root_activities)
        wanted |= Q(item__kind=release_format.kind) & own
    return wanted


def finished_until(rows: QuerySet[Annotation], until: datetime | None) -> QuerySet[Annotation]:
    """Those that were finished by the cut-off, if there is one."""
    return rows if until is None else rows.filter(completed_at__lte=until)


def excluded(project: Project, release_format: Format, *, recipe: dict[str, Any], using: str) -> dict[str, int]:
    """How many finished annotations of the format are left out because they were excluded, by split."""
    rows = Annotation.objects.using(using).filter(
        activities_of(release_format),
        items_in_work("item__"),
        item__project=project,
        purpose__in=recipe["purposes"],
        completed_at__isnull=False,
        excluded_at__isnull=False,
    )
    rows = finished_until(rows, until_of(recipe))
    return dict(rows.values_list("item__split").annotate(Count("pk")))


def splits(project: Project, release_format: Format) -> set[str]:
    """The splits of the items that people can see."""
    items = Item.objects.filter(visible_items(), project=project, kind=release_format.kind)
    return set(items.order_by().values_list("split", flat=True).distinct())


def flagged_steps(project: Project, *, using: str) -> dict[int, list[str]]:
    """Annotation key -> the addresses of its answers that were flagged, and a lead upheld it, in order.

    Only of answers that still count: a later revision was not flagged.
    """
    upheld = Case.objects.using(using).filter(
        kind=CaseKind.FLAG, state=CaseState.UPHELD, annotation__item__project=project
    )
    same_step = Response.objects.filter(
        annotation=OuterRef("annotation"), stage=OuterRef("response__stage"), turn=OuterRef("response__turn")
    )
    rows = upheld.exclude(Exists(same_step.filter(pk__gt=OuterRef("response")))).order_by("response")
    found: dict[int, list[str]] = defaultdict(list)
    for annotation, stage, turn in rows.values_list("annotation", "response__stage", "response__turn").distinct():
        found[annotation].append(Step(stage, turn).address)
    return dict(found)


def accepted(project: Project, *, using: str) -> set[int]:
    """The keys of the annotations that count because a lead has accepted them."""
    rows = Case.objects.using(using).filter(kind=CaseKind.ACCEPTANCE, state=CaseState.UPHELD)
    return set(rows.filter(annotation__item__project=project).values_list("annotation", flat=True))


def grouped(rows: Iterable[Any], how: Unnamed) -> list[Any]:
    """The rows (with `pk` and `payload`), given in order: groups by their first row, each in the order of its files."""
    groups: dict[Any, list[Any]] = {}
    for row in rows:
        groups.setdefault(row.payload[how.group], []).append(row)
    return [row for found in groups.values() for row in _in_place(found, how.place)]


def _in_place(rows: list[Any], place: str) -> list[Any]:
    """The rows of a group, each put at its number when it came in: those that stood there then moved up by one.

    So a file that has grown comes out in its order, and rows that came in together stay as they are.
    """
    places: list[int] = []
    found: list[Any] = []
    for row in sorted(rows, key=lambda row: row.pk):
        number = row.payload[place]
        at = bisect_left(places, number)
        places[at:] = [number, *(each + 1 for each in places[at:])]
        found.insert(at, row)
    return found


class MemberCandidate(NamedTuple):
    """An item, its finished annotations, and its child items with theirs.

    `seats`: who sat where in annotations that several people made, by the key of the annotation.
    """

    item: Any
    annotations: list[Any]
    seats: Mapping[int, Mapping[str, int]]
    children: Sequence[MemberCandidate] = ()


def candidates(
    project: Project, release_format: Format, *, recipe: dict[str, Any], using: str
) -> Iterator[MemberCandidate]:
    """The items that may become members, in order, and their children, with the annotations finished by the cut-off."""
    every = Item.objects.using(using).filter(visible_items(), project=project)
    items = every.filter(in_splits(project, recipe, using=using), kind=release_format.kind)
    # Sorted in Python: collations differ between databases, and a release must be the same file everywhere.
    how = registry.get(project.protocol).unnamed.get(release_format.kind)
    for split in sorted(items.order_by().values_list("split", flat=True).distinct()):
        columns = GROUPED if release_format.group or (how and how.group) else ITEM
        rows = items.filter(split=split).order_by("position", "pk").values_list(*columns, named=True)
        heads = rows.iterator(chunk_size=CHUNK)
        if how and how.group:
            heads = iter(grouped(heads, how))
        while part := list(islice(heads, CHUNK)):
            yield from _candidates(part, every, release_format, until_of(recipe))


def _candidates(
    heads: list[Any], every: QuerySet[Item], release_format: Format, until: datetime | None
) -> Iterator[MemberCandidate]:
    """Items with their children, and the finished annotations of all of them."""
    under: dict[int, list[Any]] = defaultdict(list)
    if release_format.child_kind:
        ids = {head.pk for head in heads}
        below = every.filter(kind=release_format.child_kind, root__any_of=ids).order_by("position", "pk")
        for row in below.values_list(*ITEM, named=True):
            under[row.root_id].append(row)
    wanted = {row.pk for row in (*heads, *(row for rows in under.values() for row in rows))}
    finished = Annotation.objects.using(every.db).filter(completed_at__isnull=False, excluded_at__isnull=True)
    said = Q() if until is None else Q(responses__created_at__lte=until)
    after = Q(responses__created_at__gt=F("completed_at"))
    rows = finished_until(finished, until).filter(item__any_of=wanted).order_by().values(*ANNOTATION[:-2])
    counted = rows.annotate(
        answers=Count("responses", filter=said), later_answers=Count("responses", filter=said & after)
    )
    chosen: dict[int, list[Any]] = defaultdict(list)
    for row in counted.values_list(*ANNOTATION, named=True):
        chosen[row.item_id].append(row)
    seats = _seats([row for rows in chosen.values() for row in rows], using=every.db)
    for head in heads:
        children = [MemberCandidate(row, chosen[row.pk], seats) for row in under[head.pk]]
        yield MemberCandidate(head, chosen[head.pk], seats, children)


def _seats(rows: list[Any], *, using: str) -> dict[int, dict[str, int]]:
    """Who sat where in those that several people made, in one query."""
    found: dict[int, dict[str, int]] = {
        row.pk: {} for row in rows if row.author_id is None and row.purpose != Purpose.IMPORT
    }
    if found:
        said = Response.objects.using(using).filter(annotation__any_of=set(found)).order_by()
        for key, seat, person in sorted(said.values_list("annotation", "seat", "author").distinct()):
            found[key][seat] = person
    return found
