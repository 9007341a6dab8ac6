"""Choose what goes into a release, and freeze it: one line per item with its annotations and their pseudonyms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, F, Max, Prefetch, Q

from annotation import naming, overlap, rows
from annotation.models import Annotation, Item, Job, Project, Purpose, Response
from annotation.protocol import Format

CHUNK = 500
"""Items read at a time."""

ITEM = ("kind", "external_id", "split", "position")
ANNOTATION = ("item", "uuid", "external_id", "purpose", "activity", "position", "completed_at", "author")
"""What the choice looks at: nobody's words."""


@dataclass
class Counts:
    """What was taken and left out, by split."""

    items: Counter[str] = field(default_factory=Counter)
    annotations: Counter[str] = field(default_factory=Counter)
    incomplete: Counter[str] = field(default_factory=Counter)
    by_person: Counter[str] = field(default_factory=Counter)


def choose(
    project: Project, found: Format, *, recipe: dict[str, Any], release: str, counts: Counts, using: str
) -> Iterator[dict[str, Any]]:
    """The members in order: items by position, imported annotations by place, ours by completion, then uuid.

    Left out: unfinished, excluded, other purposes than the recipe's; items with fewer annotations than their split
    wants, unless `partial`; sequestered splits, unless named. What came with a published file always comes out.
    """
    chooser = Chooser(project, found, recipe, release, counts)
    for item in _items(project, found, recipe=recipe, using=using):
        member = chooser.with_children(item) if found.child_kind else chooser.alone(item)
        if member is not None:
            yield member


@dataclass
class Chooser:
    """One choice of members, and the counts of it."""

    project: Project
    found: Format
    recipe: dict[str, Any]
    release: str
    counts: Counts

    def with_children(self, item: Item) -> dict[str, Any] | None:
        """An item with the items under it that are ready; without any only if it was published."""
        children = [member for child in item.under if (member := self.alone(child)) is not None]
        if not children and not _published(item):
            return None
        return _head(item) | {"annotations": [], "author": "", "children": children}

    def alone(self, item: Item) -> dict[str, Any] | None:
        """An item with its annotations, if there are enough of them."""
        activity = self.found.activity
        taken = sorted(
            (row for row in item.chosen if row.purpose in self.recipe["purposes"] and row.activity == activity),
            key=lambda row: (row.purpose != Purpose.IMPORT, row.position, row.completed_at, row.uuid),
        )
        wanted = overlap.wanted(self.project, activity, split=item.split, item=item.external_id)
        enough = len(taken) >= wanted or (taken and self.recipe["partial"])
        if not enough and not _published(item):
            self.counts.incomplete[item.split] += 1
            return None
        members = [_member(self.project, row, self.release) for row in taken]
        self.counts.items[item.split] += 1
        self.counts.annotations[item.split] += len(members)
        self.counts.by_person.update(member["worker"] for member in members)
        author = naming.pseudonym(self.release, item.made_by)
        return _head(item) | {"annotations": members, "author": author, "children": []}


def _head(item: Item) -> dict[str, Any]:
    return {"kind": item.kind, "external_id": item.external_id, "split": item.split}


def _published(item: Item) -> bool:
    return item.job_kind == "import_release"


def excluded(project: Project, found: Format, *, recipe: dict[str, Any], using: str) -> dict[str, int]:
    """How many finished annotations of the recipe's purposes stay out by exclusion, by split."""
    rows = Annotation.objects.using(using).filter(
        item__project=project,
        activity=found.activity,
        purpose__in=recipe["purposes"],
        completed_at__isnull=False,
        excluded_at__isnull=False,
    )
    return dict(rows.values_list("item__split").annotate(Count("pk")))


def _counting(project: Project, row: Annotation) -> int:
    """How many of its responses count; only what was revised after its completion needs a look."""
    if row.answers == 0 or row.last_answer <= row.completed_at:
        return row.answers
    every = list(Response.objects.using(row._state.db).filter(annotation=row).order_by("pk"))
    return len(rows.whole(project.protocol, rows.activity_of(project.protocol, row.activity), every))


def _member(project: Project, row: Annotation, release: str) -> dict[str, Any]:
    return {
        "uuid": str(row.uuid),
        "responses": _counting(project, row),
        "external_id": row.external_id,
        "id64": naming.id64(row),
        "id_hex": naming.id_hex(row),
        "worker": naming.pseudonym(release, row.author_id),
        "imported": row.purpose == Purpose.IMPORT,
    }


def _items(project: Project, found: Format, *, recipe: dict[str, Any], using: str) -> Iterator[Item]:
    visible = Q(job__isnull=True) | Q(job__state=Job.State.DONE)
    every = Item.objects.using(using).filter(visible, project=project).only(*ITEM, "root")
    every = every.annotate(job_kind=F("job__kind"), made_by=F("made_from__author"))
    finished = Annotation.objects.using(using).filter(completed_at__isnull=False, excluded_at__isnull=True)
    finished = finished.annotate(answers=Count("responses"), last_answer=Max("responses__created_at"))
    chosen = Prefetch("annotations", finished.only(*ANNOTATION), to_attr="chosen")
    items = every.filter(kind=found.kind).prefetch_related(chosen)
    if found.child_kind:
        under = every.filter(kind=found.child_kind).order_by("position", "pk").prefetch_related(chosen)
        items = items.prefetch_related(Prefetch("descendants", under, to_attr="under"))
    if recipe["splits"]:
        items = items.filter(split__in=recipe["splits"])
    else:
        items = items.exclude(split__in=project.config.get("sequestered", []))
    # Sorted here and not by the database, whose collation is its own: the same release is the same file everywhere.
    for split in sorted(items.order_by().values_list("split", flat=True).distinct()):
        yield from items.filter(split=split).order_by("position", "pk").iterator(chunk_size=CHUNK)
