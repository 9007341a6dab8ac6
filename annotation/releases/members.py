"""Select the members of a release and freeze them: one line per item with its annotations and their pseudonyms."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from django.db.models import Count, Max, Q, QuerySet

from annotation import loading, projects, pseudonyms, registry
from annotation.models import Annotation, Item, Job, Project, Purpose, Response
from annotation.protocol import Format
from annotation.releases import cases

CHUNK = 500
"""Items read at a time."""

ITEM = ("pk", "kind", "external_id", "split", "root_id", "job__kind", "made_from__author")
GROUPED = (*ITEM, "payload")
ANNOTATION = (
    "pk", "item_id", "uuid", "external_id", "purpose", "activity", "position", "completed_at", "author_id",
    "answers", "last_answer",
)  # fmt: skip
"""Columns that the selection needs. No texts are read, except the payloads of items of formats with groups."""

VISIBLE = Q(job__isnull=True) | Q(job__state=Job.State.DONE)


@dataclass
class Counts:
    """What was included and left out, by split; `root_annotations` belong to the roots of the counted items.

    `flagged`: answers in them that a lead found bad.
    """

    items: Counter[str] = field(default_factory=Counter)
    annotations: Counter[str] = field(default_factory=Counter)
    root_annotations: Counter[str] = field(default_factory=Counter)
    incomplete: Counter[str] = field(default_factory=Counter)
    flagged: Counter[str] = field(default_factory=Counter)
    by_person: Counter[str] = field(default_factory=Counter)


def choose(
    project: Project, found: Format, *, recipe: dict[str, Any], release: str, counts: Counts, using: str
) -> Iterator[dict[str, Any]]:
    """The members in order: items by position; imported annotations by position, ours by completion, then uuid.

    Left out: annotations that are unfinished, excluded or not of the recipe's purposes; items with fewer annotations
    than their split wants, unless `partial`; sequestered splits, unless named. Items imported from a published file
    are always included.
    """
    chooser = Chooser(project, found, recipe, release, counts, using)
    for item in _items(project, found, recipe=recipe, using=using):
        member = chooser.with_children(item) if found.child_kind else chooser.alone(item)
        if member is not None:
            yield member | ({"group": item.item.payload.get(found.group)} if found.group else {})


class Candidate(NamedTuple):
    """An item, its finished annotations, and its child items with theirs."""

    item: Any
    annotations: list[Any]
    children: Sequence[Candidate] = ()


@dataclass
class Chooser:
    """Selects the members of one release and counts them."""

    project: Project
    found: Format
    recipe: dict[str, Any]
    release: str
    counts: Counts
    using: str

    def __post_init__(self) -> None:
        self.wanted = projects.Wanted(self.project, self.found.activity)
        self.flagged = cases.flagged_steps(self.project, using=self.using)
        self.accepted = cases.accepted(self.project, using=self.using)

    def with_children(self, found: Candidate) -> dict[str, Any] | None:
        """An item with those of its children that are ready; None without any, unless it was published.

        All its own annotations are included: no number is required of a root here. If the format has items
        `without_children`, they are enough.
        """
        children = [member for child in found.children if (member := self.alone(child)) is not None]
        taken = self._taken(found.annotations, self.found.root_activities)
        if not children and not _published(found.item) and not (taken and self.found.without_children):
            return None
        members = self._members(taken, found.item.split)
        self.counts.root_annotations[found.item.split] += len(members)
        return _head(found.item) | {"annotations": members, "author": "", "children": children}

    def alone(self, found: Candidate) -> dict[str, Any] | None:
        """An item with its annotations, or None if it has too few of them."""
        item = found.item
        taken = self._taken(found.annotations, (self.found.activity,))
        wanted = self.wanted.of(split=item.split, item=item.external_id)
        enough = len(taken) >= wanted or (taken and self.recipe["partial"])
        if not enough and not _published(item):
            self.counts.incomplete[item.split] += 1
            return None
        members = self._members(taken, item.split)
        self.counts.items[item.split] += 1
        self.counts.annotations[item.split] += len(members)
        author = pseudonyms.pseudonym(self.release, item.made_from__author)
        return _head(item) | {"annotations": members, "author": author, "children": []}

    def _taken(self, rows: list[Any], activities: tuple[str, ...] | None) -> list[Any]:
        """The annotations of the recipe's purposes, in order; of every activity if `activities` is None."""
        return sorted(
            (
                row
                for row in rows
                if row.purpose in self.recipe["purposes"] and (activities is None or row.activity in activities)
            ),
            key=lambda row: (row.purpose != Purpose.IMPORT, row.position, row.completed_at, row.uuid),
        )

    def _members(self, taken: list[Any], split: str) -> list[dict[str, Any]]:
        members = [self._member(row) for row in taken]
        self.counts.flagged[split] += sum(len(member.get("flagged", ())) for member in members)
        self.counts.by_person.update(member["worker"] for member in members)
        return members

    def _member(self, row: Any) -> dict[str, Any]:
        uuid = str(row.uuid)
        name = pseudonyms.id_hex(uuid)
        return {
            "uuid": uuid,
            "responses": self._counting(row),
            "external_id": row.external_id,
            "id64": pseudonyms.id64(name),
            "id_hex": name,
            "worker": pseudonyms.pseudonym(self.release, row.author_id),
            **self._seats(row),
            **self._decided(row),
            "imported": row.purpose == Purpose.IMPORT,
        }

    def _seats(self, row: Any) -> dict[str, dict[str, str]]:
        """The pseudonyms of the people who made an annotation together, by seat; nothing for one person's work."""
        if row.author_id is not None or row.purpose == Purpose.IMPORT:
            return {}
        said = Response.objects.using(self.using).filter(annotation=row.pk).order_by("pk")
        people = said.values_list("seat", "author").distinct()
        return {"workers": {seat: pseudonyms.pseudonym(self.release, author) for seat, author in sorted(people)}}

    def _decided(self, row: Any) -> dict[str, Any]:
        """What leads have decided about the annotation; nothing for almost all of them."""
        flagged = {"flagged": self.flagged[row.pk]} if row.pk in self.flagged else {}
        return flagged | ({"accepted": True} if row.pk in self.accepted else {})

    def _counting(self, row: Any) -> int:
        """How many of its responses count; they need to be read only if one came after its completion."""
        if row.answers == 0 or row.last_answer <= row.completed_at:
            return row.answers
        every = list(Response.objects.using(self.using).filter(annotation=row.pk).order_by("pk"))
        protocol = registry.get(self.project.protocol)
        item = loading.item_record(Item.objects.using(self.using).get(pk=row.item_id))
        config = projects.project_config(self.project)
        return len(loading.whole(protocol, protocol.activity(row.activity), item, config, every))


def _head(item: Any) -> dict[str, Any]:
    return {"kind": item.kind, "external_id": item.external_id, "split": item.split}


def _published(item: Any) -> bool:
    return item.job__kind == "import_release"


def has_root_annotations(found: Format) -> bool:
    """Whether the format has annotations of roots besides those of their children."""
    return bool(found.child_kind) and found.root_activities != ()


def has_flags(project: Project) -> bool:
    """Whether answers can be flagged in the project."""
    protocol = registry.get(project.protocol)
    return any(stage.flags for activity in protocol.activities for stage in activity.stages)


def excluded(project: Project, found: Format, *, recipe: dict[str, Any], using: str) -> dict[str, int]:
    """How many finished annotations of the format are left out because they were excluded, by split."""
    wanted = Q(activity=found.activity)
    if has_root_annotations(found):
        own = Q() if found.root_activities is None else Q(activity__in=found.root_activities)
        wanted |= Q(item__kind=found.kind) & own
    rows = Annotation.objects.using(using).filter(
        wanted,
        item__project=project,
        purpose__in=recipe["purposes"],
        completed_at__isnull=False,
        excluded_at__isnull=False,
    )
    return dict(rows.values_list("item__split").annotate(Count("pk")))


def splits(project: Project, found: Format) -> set[str]:
    """The splits of the items that people can see."""
    items = Item.objects.filter(VISIBLE, project=project, kind=found.kind)
    return set(items.order_by().values_list("split", flat=True).distinct())


def _items(project: Project, found: Format, *, recipe: dict[str, Any], using: str) -> Iterator[Candidate]:
    every = Item.objects.using(using).filter(VISIBLE, project=project)
    items = every.filter(kind=found.kind)
    if recipe["splits"]:
        items = items.filter(split__in=recipe["splits"])
    else:
        items = items.exclude(split__in=projects.project_config(project).sequestered)
    # Sorted in Python: collations differ between databases, and a release must be the same file everywhere.
    for split in sorted(items.order_by().values_list("split", flat=True).distinct()):
        columns = GROUPED if found.group else ITEM
        rows = items.filter(split=split).order_by("position", "pk").values_list(*columns, named=True)
        heads = rows.iterator(chunk_size=CHUNK)
        while part := list(islice(heads, CHUNK)):
            yield from _candidates(part, every, found)


def _candidates(heads: list[Any], every: QuerySet[Item], found: Format) -> Iterator[Candidate]:
    """Items with their children, and the finished annotations of all of them."""
    under: dict[int, list[Any]] = defaultdict(list)
    if found.child_kind:
        ids = {head.pk for head in heads}
        below = every.filter(kind=found.child_kind, root__any_of=ids).order_by("position", "pk")
        for row in below.values_list(*ITEM, named=True):
            under[row.root_id].append(row)
    wanted = {row.pk for row in (*heads, *(row for rows in under.values() for row in rows))}
    finished = Annotation.objects.using(every.db).filter(completed_at__isnull=False, excluded_at__isnull=True)
    counted = finished.annotate(answers=Count("responses"), last_answer=Max("responses__created_at"))
    chosen: dict[int, list[Any]] = defaultdict(list)
    for row in counted.filter(item__any_of=wanted).order_by().values_list(*ANNOTATION, named=True):
        chosen[row.item_id].append(row)
    for head in heads:
        children = [Candidate(row, chosen[row.pk]) for row in under[head.pk]]
        yield Candidate(head, chosen[head.pk], children)
