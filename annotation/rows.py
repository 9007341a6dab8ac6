"""From rows to the frozen records that protocols and exporters get."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from annotation import files
from annotation import protocol as registry
from annotation.models import Item, ItemDocument, Response
from annotation.protocol import Activity
from annotation.records import DocumentRecord, Documents, ItemRecord, Said


def item_record(item: Item, documents: Iterable[ItemDocument] | None = None) -> ItemRecord:
    """The item with its documents (one query when first asked for, unless they are given with their `document`)."""
    if documents is None:
        documents = item.item_documents.select_related("document").order_by("position")
        found: Sequence[DocumentRecord] = Documents(lambda: map(document_record, documents))
    else:
        found = tuple(map(document_record, documents))
    return ItemRecord(
        kind=item.kind,
        external_id=item.external_id,
        split=item.split,
        payload=item.payload,
        documents=found,
        root=item_record(item.root) if item.root_id else None,
    )


def document_record(row: ItemDocument) -> DocumentRecord:
    """A document as its item has it; files are read when first asked for."""
    return DocumentRecord(
        sha256=row.document.sha256,
        media_type=row.document.media_type,
        layout_sha256=row.layout,
        title=row.title,
        url=row.url,
        licence=row.licence,
        load_source=files.source,
        load_layout=files.layout,
        load_rendering=files.rendering,
    )


def so_far(activity: Activity, responses: Iterable[Response]) -> tuple[Said, ...]:
    """What counts now: the latest revision of each stage; revising a stage voids what was said at later ones.

    `responses` come in the order in which they were written.
    """
    place = {stage.key: index for index, stage in enumerate(activity.stages)}
    kept: dict[tuple[int, int], Response] = {}
    for response in responses:
        at = (place[response.stage], response.turn)
        if response.revision > 1:
            kept = {key: row for key, row in kept.items() if key[0] <= at[0]}
        kept[at] = response
    return tuple(
        Said(
            stage=row.stage,
            payload=parse(activity, row.stage, row.schema, row.payload),
            schema=row.schema,
            turn=row.turn,
        )
        for _, row in sorted(kept.items(), key=lambda entry: entry[0])
    )


def whole(protocol: str, activity: Activity, responses: list[Response]) -> list[Response]:
    """The responses that count: all, or, where re-opened work was left half-way, those of its last whole state."""
    following = registry.get(protocol).next_stage
    for end in range(len(responses), 0, -1):
        if following(activity.key, so_far(activity, responses[:end])) is None:
            return responses[:end]
    return responses


def parse(activity: Activity, stage: str, schema: str, payload: Any) -> Any:
    """A stored payload as its model. Stored JSON is read in lax mode: lists stand for tuples there."""
    found = activity.stage(stage)
    adapter = found.published if schema == found.published_name and found.published else found.schema
    return adapter.validate_python(payload, strict=False)


def activity_of(protocol: str, activity: str) -> Activity:
    """The activity as its protocol describes it."""
    return registry.get(protocol).activity(activity)


def protocol_of(item: Item) -> registry.Protocol:
    """The protocol under which an item is worked on."""
    return registry.get(item.project.protocol)
