"""From rows to the frozen records that protocols and exporters get."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from annotation import document_store
from annotation import protocol as registry
from annotation.models import Item, Response
from annotation.protocol import Activity
from annotation.records import DocumentRecord, Documents, ItemRecord, Said

DOCUMENT = ("document__sha256", "document__media_type", "layout", "title", "url", "licence")
"""What a document's record is made of, as columns of ItemDocument."""


def item_record(item: Item) -> ItemRecord:
    """The item with its documents, in one query when they are first asked for."""
    documents = item.item_documents.order_by("position").values_list(*DOCUMENT)
    return ItemRecord(
        kind=item.kind,
        external_id=item.external_id,
        split=item.split,
        payload=item.payload,
        documents=Documents(lambda: (document_record(*columns) for columns in documents)),
        root=item_record(item.root) if item.root_id else None,
    )


def document_record(sha256: str, media_type: str, layout: str, title: str, url: str, licence: str) -> DocumentRecord:
    """A document as its item has it, of the columns of `DOCUMENT`; files are read when first asked for."""
    return DocumentRecord(
        sha256=sha256,
        media_type=media_type,
        layout_sha256=layout,
        title=title,
        url=url,
        licence=licence,
        load_source=document_store.source,
        load_layout=document_store.layout,
        load_rendering=document_store.rendering,
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
