"""What differs between two releases of a project: items and annotations by their ids, and why some are gone.

The members of a release can be too many for memory, so those of the older one are kept in a temporary SQLite file.

And whether a frozen release has an item: whoever has the release knows what was said about it.
"""

from __future__ import annotations

import hashlib
import mmap
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any

import orjson
from django.core.cache import cache
from django.db.models import Q

from annotation.engine.exclusion import LATE
from annotation.errors import NotFound
from annotation.imports.spool import temporary_database
from annotation.models import Annotation, Item, Project, Release, items_in_work
from annotation.releases import building, contents, recipes, selection
from annotation.releases.members import FrozenMember, each

CHUNK = 500
ADDED, REMOVED, CHANGED = "added", "removed", "changed"


@dataclass(frozen=True)
class ReleaseChange:
    """An item, or an annotation of it, that was added, removed or changed, and why.

    `annotation` is its id in the newer release, or in the older one if it was removed: they may differ.
    `why`, of what was removed: `excluded`, `late`, `split`, `named`, finished `after` the cut-off, `incomplete`;
    `reason`: a lead's words.
    """

    what: str
    kind: str
    item: str
    split: str
    annotation: str = ""
    why: str = ""
    reason: str = ""


@dataclass
class ChangeCounts:
    """How many there are of each kind of change: of items and of annotations."""

    items: dict[str, int] = field(default_factory=dict)
    annotations: dict[str, int] = field(default_factory=dict)

    def add(self, change: ReleaseChange) -> None:
        """Count one."""
        counts = self.annotations if change.annotation else self.items
        counts[change.what] = counts.get(change.what, 0) + 1


def changes(older: Release, newer: Release) -> Iterator[ReleaseChange]:
    """What was added and changed, in the order of the newer release; then what was removed, in that of the older."""
    with closing(temporary_database(*TABLES)) as kept:
        _keep(kept, _lines(older))
        yield from _added_and_changed(kept, _lines(newer))
        yield from _removed(kept, newer)


def _lines(release: Release) -> Iterator[FrozenMember]:
    """Every member of a release, and those under it, one by one."""
    try:
        file = (building.folder_of(release) / contents.MEMBERS).open("rb")
    except FileNotFoundError:
        raise NotFound(f"The files of release {release.version} are gone.") from None
    with file:
        for line in file:
            yield from each([orjson.loads(line)])


TABLES = (
    "item (kind TEXT, name TEXT, split TEXT, seen INT, PRIMARY KEY (kind, name))",
    "annotation (uuid TEXT PRIMARY KEY, id TEXT, kind TEXT, name TEXT, split TEXT, said INT, seen INT)",
)


def _keep(kept: sqlite3.Connection, members: Iterator[FrozenMember]) -> None:
    for member in members:
        place = (member["kind"], member["external_id"], member["split"])
        kept.execute("INSERT OR IGNORE INTO item VALUES (?, ?, ?, 0)", place)
        rows = [(one["uuid"], one["id_hex"], *place, one["responses"]) for one in member["annotations"]]
        kept.executemany("INSERT OR IGNORE INTO annotation VALUES (?, ?, ?, ?, ?, ?, 0)", rows)


def _added_and_changed(kept: sqlite3.Connection, members: Iterator[FrozenMember]) -> Iterator[ReleaseChange]:
    for member in members:
        place = (member["kind"], member["external_id"])
        seen = kept.execute("UPDATE item SET seen = 1 WHERE kind = ? AND name = ?", place)
        if not seen.rowcount:
            yield ReleaseChange(ADDED, *place, member["split"])
        for one in member["annotations"]:
            found = kept.execute("SELECT said FROM annotation WHERE uuid = ?", (one["uuid"],)).fetchone()
            if found is None:
                yield ReleaseChange(ADDED, *place, member["split"], one["id_hex"])
                continue
            kept.execute("UPDATE annotation SET seen = 1 WHERE uuid = ?", (one["uuid"],))
            if found[0] != one["responses"]:
                yield ReleaseChange(CHANGED, *place, member["split"], one["id_hex"])


def _removed(kept: sqlite3.Connection, newer: Release) -> Iterator[ReleaseChange]:
    items = kept.execute("SELECT kind, name, split FROM item WHERE NOT seen ORDER BY rowid")
    gone = _Gone(newer)
    while part := items.fetchmany(CHUNK):
        after = gone.items_after([name for _kind, name, _split in part])
        for kind, name, split in part:
            yield ReleaseChange(
                REMOVED, kind, name, split, why=gone.why(kind, name, split, after=(kind, name) in after)
            )
    rows = kept.execute("SELECT uuid, id, kind, name, split FROM annotation WHERE NOT seen ORDER BY rowid")
    while annotations := rows.fetchmany(CHUNK):
        uuids = [uuid for uuid, *_place in annotations]
        excluded, finished_after = gone.excluded(uuids), gone.after(uuids)
        for uuid, id_hex, kind, name, split in annotations:
            reason = excluded.get(uuid, "")
            why = gone.why(kind, name, split, after=uuid in finished_after)
            why = ("late" if reason == LATE else "excluded") if reason else why
            words = "" if reason == LATE else reason
            yield ReleaseChange(REMOVED, kind, name, split, id_hex, why=why, reason=words)


class _Gone:
    """Why something is not in a release."""

    def __init__(self, release: Release) -> None:
        self._project: Project = release.project
        self._recipe: Mapping[str, Any] = release.recipe
        self._named = frozenset(self._recipe.get("without", ()))
        self._after = Annotation.objects.none()
        if (until := selection.until_of(release.recipe)) is not None:
            # Earlier versions may have had formats that are gone.
            key = self._recipe["format"]
            known = [one for one in recipes.formats_of(self._project) if key in (one.key, *one.former)]
            of_format = selection.activities_of(known[0]) if known else Q()
            finished = Annotation.objects.filter(
                of_format, items_in_work("item__"), item__project=self._project, excluded_at=None
            )
            self._after = finished.filter(completed_at__gt=until)

    def why(self, kind: str, name: str, split: str, *, after: bool) -> str:
        """Its split or its name was left out, it was finished `after` the cut-off, or else it lacks annotations now."""
        chosen = self._recipe["splits"]
        if (chosen and split not in chosen) or (not chosen and selection.is_sequestered(self._project, split)):
            return "split"
        if selection.name_of(kind, name) in self._named:
            return "named"
        return "after" if after else "incomplete"

    def after(self, uuids: list[str]) -> set[str]:
        """Those of these annotations that were finished after the cut-off."""
        return {str(uuid) for uuid in self._after.filter(uuid__any_of=set(uuids)).values_list("uuid", flat=True)}

    def items_after(self, names: list[str]) -> set[tuple[str, str]]:
        """The items with these names, by kind, of which an annotation was finished after the cut-off."""
        rows = self._after.filter(item__external_id__any_of=set(names))
        return set(rows.values_list("item__kind", "item__external_id").distinct())

    def excluded(self, uuids: list[str]) -> dict[str, str]:
        """The reasons of those that are excluded now."""
        rows = Annotation.objects.filter(uuid__any_of=set(uuids), excluded_at__isnull=False)
        return {str(uuid): reason for uuid, reason in rows.values_list("uuid", "exclusion_reason")}


def items_by_name(project: Project, changes: list[ReleaseChange]) -> dict[tuple[str, str], int]:
    """The keys of the items of these changes, for links."""
    rows = Item.objects.filter(project=project, external_id__any_of={one.item for one in changes})
    return {(kind, name): key for key, kind, name in rows.values_list("pk", "kind", "external_id")}


def counted(older: Release, newer: Release, *, at_most: int) -> tuple[ChangeCounts, list[ReleaseChange]]:
    """How many changes there are, and the first of them."""
    counts = ChangeCounts()
    first: list[ReleaseChange] = []
    for change in changes(older, newer):
        counts.add(change)
        if len(first) < at_most:
            first.append(change)
    return counts, first


FROZEN = (Release.State.READY, Release.State.RETRACTED)
"""A retracted release stays with those who have it."""


def release_with(project: Project, items: Iterable[Item]) -> Release | None:
    """The latest frozen release that has one of these items, or whose files are gone, so that nobody can tell."""
    names = sorted(map(_as_written, items))
    for release in project.releases.filter(state__in=FROZEN).order_by("-version") if names else ():
        if _has_one(release, names):
            return release
    return None


def _as_written(item: Item) -> bytes:
    """How the item stands in the members of a release, which are written with sorted keys."""
    return orjson.dumps({"external_id": item.external_id, "kind": item.kind}, option=orjson.OPT_SORT_KEYS)[1:-1]


def _has_one(release: Release, names: list[bytes]) -> bool:
    """What a release has never changes, so it is looked up once."""
    asked = hashlib.sha256(b"\n".join([release.members_sha256.encode(), *names])).hexdigest()
    known: bool | None = cache.get(f"release-has-{asked}")
    if known is not None:
        return known
    with suppress(FileNotFoundError), (building.folder_of(release) / contents.MEMBERS).open("rb") as file:
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as members:
            found = any(members.find(name) >= 0 for name in names)
        cache.set(f"release-has-{asked}", found, None)
        return found
    return True
