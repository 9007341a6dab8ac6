"""Select the members of a release and freeze them: one line per item with its annotations and their pseudonyms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NotRequired, TypedDict

from django.db.models import QuerySet

from annotation import projects, pseudonyms, registry
from annotation.engine import loading
from annotation.models import Item, Project, Purpose, Response
from annotation.protocol import Format
from annotation.releases import recipes, selection


class FrozenAnnotation(TypedDict):
    """An annotation of a member. `responses`: how many of its responses count. `id64` and `id_hex`: its ids in the
    release. `worker`: a pseudonym; `workers`: those of several people, by seat. `flagged`: steps whose answers a lead
    found bad. `seconds`: the working time before each answer; without it, none was measured.
    """

    uuid: str
    responses: int
    external_id: str
    id64: int
    id_hex: str
    worker: str
    workers: NotRequired[dict[str, str]]
    flagged: NotRequired[list[str]]
    accepted: NotRequired[bool]
    imported: bool
    seconds: NotRequired[list[int]]


class FrozenMember(TypedDict):
    """A line of members.jsonl: an item, its annotations, and the members under it. `author`: who made it, if named."""

    kind: str
    external_id: str
    split: str
    annotations: list[FrozenAnnotation]
    author: str
    children: list[FrozenMember]
    group: NotRequired[Any]


@dataclass
class Counts:
    """What was included and left out, by split; `root_annotations` belong to the roots of the counted items.

    `flagged`: answers in them that a lead found bad. `unwritten`: annotations that were selected, but the format has no
    place for them. `named`: items left out because the recipe names them.
    `by_person`: annotations by the pseudonyms of those who made them, alone or together. `people`: the same pseudonyms,
    without those who are known only from imports.
    """

    items: Counter[str] = field(default_factory=Counter)
    annotations: Counter[str] = field(default_factory=Counter)
    root_annotations: Counter[str] = field(default_factory=Counter)
    incomplete: Counter[str] = field(default_factory=Counter)
    named: Counter[str] = field(default_factory=Counter)
    unwritten: Counter[str] = field(default_factory=Counter)
    flagged: Counter[str] = field(default_factory=Counter)
    by_person: Counter[str] = field(default_factory=Counter)
    people: set[str] = field(default_factory=set)

    def add_people(self, entry: FrozenAnnotation) -> None:
        """Count a frozen annotation for everybody who made it."""
        people = set(people_of(entry))
        for name in people:
            self.by_person[name] += 1
        if not entry["imported"]:
            self.people |= people


def choose(
    project: Project,
    release_format: Format,
    *,
    recipe: dict[str, Any],
    release: str,
    counts: Counts,
    using: str,
    looked_at: Callable[[int], None] = lambda number: None,
) -> Iterator[FrozenMember]:
    """The members in order: items by position, those of a group together if several imports have brought them (see
    `grouping`); imported annotations by position, ours by completion, then uuid.

    Left out: annotations that are unfinished, excluded, not of the recipe's purposes or finished after `until`; items
    with fewer annotations than their split wants, unless `partial`, and those that the recipe names (`without`);
    sequestered splits, unless named. Items imported from a published file are included unless named.
    `looked_at` is told after each item how many there were so far.
    """
    chooser = MemberChooser(project, release_format, recipe, release, counts, using)
    for number, item in enumerate(selection.candidates(project, release_format, recipe=recipe, using=using), start=1):
        member = chooser.with_children(item) if release_format.child_kind else chooser.alone(item)
        looked_at(number)
        if member is not None:
            if release_format.group:
                member["group"] = item.item.payload.get(release_format.group)
            yield member


@dataclass
class MemberChooser:
    """Selects the members of one release and counts them."""

    project: Project
    release_format: Format
    recipe: dict[str, Any]
    release: str
    counts: Counts
    using: str

    def __post_init__(self) -> None:
        self.wanted = projects.WantedOverlap(self.project, self.release_format.activity)
        self.without = frozenset(self.recipe.get("without", ()))
        self.until = selection.until_of(self.recipe)
        self.names_writers = recipes.names_writers(self.recipe)
        self.flagged = selection.flagged_steps(self.project, using=self.using)
        self.accepted = selection.accepted(self.project, using=self.using)

    def with_children(self, candidate: selection.MemberCandidate) -> FrozenMember | None:
        """An item with those of its children that are ready; None without any, unless it was published.

        All its own annotations are included: no number is required of a root here. If the format has items
        `without_children`, they are enough.
        """
        if self._is_named(candidate.item):
            return None
        children = [member for child in candidate.children if (member := self.alone(child)) is not None]
        taken = self._taken(candidate.annotations, self.release_format.root_activities)
        if not children and not _published(candidate.item) and not (taken and self.release_format.without_children):
            return None
        members = self._members(taken, candidate.seats, candidate.item.split)
        self.counts.root_annotations[candidate.item.split] += len(members)
        return _member_of(candidate.item, members, children=children)

    def alone(self, candidate: selection.MemberCandidate) -> FrozenMember | None:
        """An item with its annotations, or None if it has too few of them."""
        item = candidate.item
        if self._is_named(item):
            return None
        taken = self._taken(candidate.annotations, (self.release_format.activity,))
        wanted = self.wanted.overlap_of(split=item.split, item=item.external_id)
        enough = len(taken) >= wanted or (taken and self.recipe["partial"])
        if not enough and not _published(item):
            self.counts.incomplete[item.split] += 1
            return None
        members = self._members(taken, candidate.seats, item.split)
        self.counts.items[item.split] += 1
        self.counts.annotations[item.split] += len(members)
        author = pseudonyms.pseudonym(self.release, item.made_from__author) if self.names_writers else ""
        return _member_of(item, members, author=author)

    def _is_named(self, item: Any) -> bool:
        """Whether the recipe leaves this item out by name; then it is counted."""
        named = selection.name_of(item.kind, item.external_id) in self.without
        self.counts.named[item.split] += named
        return named

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

    def _members(self, taken: list[Any], seats: Mapping[int, Mapping[str, int]], split: str) -> list[FrozenAnnotation]:
        members = [self._member(row, seats.get(row.pk)) for row in taken]
        self.counts.flagged[split] += sum(len(member.get("flagged", ())) for member in members)
        for member in members:
            self.counts.add_people(member)
        return members

    def _member(self, row: Any, seats: Mapping[str, int] | None) -> FrozenAnnotation:
        uuid = str(row.uuid)
        name = recipes.id_in(self.recipe, self.release, uuid)
        frozen: FrozenAnnotation = {
            "uuid": uuid,
            "responses": self._counting(row),
            "external_id": row.external_id,
            "id64": pseudonyms.id64(name),
            "id_hex": name,
            "worker": pseudonyms.pseudonym(self.release, row.author_id),
            "imported": row.purpose == Purpose.IMPORT,
        }
        if seats is not None:
            frozen["workers"] = {seat: pseudonyms.pseudonym(self.release, person) for seat, person in seats.items()}
        if row.pk in self.flagged:
            frozen["flagged"] = self.flagged[row.pk]
        if row.pk in self.accepted:
            frozen["accepted"] = True
        return frozen

    def _counting(self, row: Any) -> int:
        """How many of its responses count; they need to be read only if one came after its completion."""
        if not row.later_answers:
            return int(row.answers)
        rows = Response.objects.using(self.using).filter(annotation=row.pk)
        every = list(_said_until(rows, self.until).order_by("pk"))
        protocol = registry.get(self.project.protocol)
        item = loading.item_record(Item.objects.using(self.using).get(pk=row.item_id))
        config = projects.project_config(self.project)
        return len(loading.whole(protocol, protocol.activity(row.activity), item, config, every))


def _said_until(rows: QuerySet[Response], until: datetime | None) -> QuerySet[Response]:
    return rows if until is None else rows.filter(created_at__lte=until)


def _member_of(
    item: Any, annotations: list[FrozenAnnotation], *, author: str = "", children: Sequence[FrozenMember] = ()
) -> FrozenMember:
    return {
        "kind": item.kind,
        "external_id": item.external_id,
        "split": item.split,
        "annotations": annotations,
        "author": author,
        "children": list(children),
    }


def _published(item: Any) -> bool:
    return bool(item.job__kind == "import_release")


def people_of(entry: FrozenAnnotation) -> list[str]:
    """The pseudonyms of everybody who made a frozen annotation; of nobody known, none."""
    return [name for name in (entry.get("workers") or {"": entry["worker"]}).values() if name]


def each(chosen: Iterable[FrozenMember]) -> Iterator[FrozenMember]:
    """Members and those under them."""
    for member in chosen:
        yield member
        if member["children"]:
            yield from each(member["children"])


def has_flags(project: Project) -> bool:
    """Whether answers can be flagged in the project."""
    protocol = registry.get(project.protocol)
    return any(stage.flags for activity in protocol.activities for stage in activity.stages)
