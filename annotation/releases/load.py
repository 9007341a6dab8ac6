"""Load the records of a release's frozen members from the immutable rows, a few hundred at a time.

Rows are read as tuples, not as models: an export reads ten of them per record, and instantiating models took more than
half of its time (docs/performance.md).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from annotation import pseudonyms
from annotation.engine import loading
from annotation.models import Annotation, Item, ItemDocument, Project, Response
from annotation.protocol import Activity
from annotation.releases.members import FrozenAnnotation, FrozenMember
from annotation.releases.selection import CHUNK
from annotation.storage.blobs import Series
from annotation.values.records import AnnotationRecord, DocumentRecord, ItemRecord, ReleaseRecord

ITEM = ("pk", "kind", "external_id", "split", "payload", "root_id")


def records(project: Project, members: list[FrozenMember], *, using: str) -> Iterator[ReleaseRecord]:
    """The records of frozen members, in order; later responses and exclusions change nothing."""
    for start in range(0, len(members), CHUNK):
        part = members[start : start + CHUNK]
        loaded = _Part(project, [*part, *(child for member in part for child in member["children"])], using=using)
        for member in part:
            yield loaded.record(member)


class _Part:
    """The rows of some members, read with a fixed number of queries."""

    def __init__(self, project: Project, members: list[FrozenMember], *, using: str) -> None:
        self._project, self._using = project, using
        self._activities: dict[str, Activity] = {}
        self._items = self._read_items([member["external_id"] for member in members])
        roots = self._read_roots({row.root_id for row in self._items.values() if row.root_id})
        rows = (self._items[member["kind"], member["external_id"]] for member in members)
        self._documents = self._read_documents([key for row in rows for key in (row.root_id, row.pk) if key])
        self._roots = {row.pk: self._item(row) for row in roots}
        uuids = [entry["uuid"] for member in members for entry in member["annotations"]]
        self._annotations = self._read_annotations(uuids)
        self._responses = self._read_responses([pk for pk, _activity in self._annotations.values()])

    def record(self, member: FrozenMember) -> ReleaseRecord:
        item = self._items[member["kind"], member["external_id"]]
        return ReleaseRecord(
            item=self._item(item, root=self._roots[item.root_id] if item.root_id else None),
            annotations=tuple(
                self._annotation(entry, has_children=bool(member["children"])) for entry in member["annotations"]
            ),
            children=tuple(self.record(child) for child in member["children"]),
            author=member["author"],
        )

    def _item(self, row: Any, root: ItemRecord | None = None) -> ItemRecord:
        return ItemRecord(
            kind=row.kind,
            external_id=row.external_id,
            split=row.split,
            payload=row.payload,
            documents=tuple(self._documents[row.pk]),
            root=root,
        )

    def _annotation(self, entry: FrozenAnnotation, *, has_children: bool) -> AnnotationRecord:
        pk, key = self._annotations[entry["uuid"]]
        if key not in self._activities:
            self._activities[key] = loading.activity_of(self._project.protocol, key)
        return AnnotationRecord(
            activity=key,
            answers=loading.said_of(
                self._activities[key],
                self._responses[pk][: entry["responses"]],
                authors=entry.get("workers", {"one": entry["worker"]}),
            ),
            external_id=entry["external_id"],
            id64=entry["id64"],
            id_hex=entry["id_hex"],
            inside=pseudonyms.id_hex(entry["uuid"]) if has_children else "",
            worker=entry["worker"],
            imported=entry["imported"],
            flagged=frozenset(entry.get("flagged", ())),
            accepted=entry.get("accepted", False),
        )

    def _read_items(self, names: list[str]) -> dict[tuple[str, str], Any]:
        found = Item.objects.using(self._using).filter(project=self._project, external_id__any_of=set(names))
        return {(row.kind, row.external_id): row for row in found.values_list(*ITEM, named=True)}

    def _read_roots(self, ids: set[int]) -> list[Any]:
        if not ids:
            return []
        return list(Item.objects.using(self._using).filter(pk__any_of=ids).values_list(*ITEM, named=True))

    def _read_documents(self, items: list[int]) -> dict[int, list[DocumentRecord]]:
        """`items` in the order in which they will be written, so that their documents are read in series."""
        places = {key: place for place, key in enumerate(dict.fromkeys(items))}
        found = ItemDocument.objects.using(self._using).filter(item__any_of=set(items)).order_by("position")
        rows = sorted(found.values_list("item", *loading.DOCUMENT), key=lambda row: places[row[0]])
        sources = Series((sha256 for _item, sha256, *_rest in rows), using=self._using)
        layouts = Series((layout for _item, _sha256, _type, layout, *_rest in rows), using=self._using)
        kept: dict[int, list[DocumentRecord]] = defaultdict(list)
        for item, *columns in rows:
            loaders: Any = {"load_source": sources.read, "load_layout": layouts.layout}
            kept[item].append(loading.document_record(*columns, **loaders))
        return kept

    def _read_annotations(self, uuids: list[str]) -> dict[str, tuple[int, str]]:
        found = (
            Annotation.objects.using(self._using).filter(uuid__any_of=set(uuids)).values_list("uuid", "pk", "activity")
        )
        return {str(uuid): (pk, activity) for uuid, pk, activity in found}

    def _read_responses(self, annotations: list[int]) -> dict[int, list[Any]]:
        found = Response.objects.using(self._using).filter(annotation__any_of=set(annotations)).order_by("pk")
        kept: dict[int, list[Any]] = defaultdict(list)
        columns = ("annotation_id", "stage", "turn", "revision", "seat", "schema", "payload")
        for row in found.values_list(*columns, named=True):
            kept[row.annotation_id].append(row)
        return kept
