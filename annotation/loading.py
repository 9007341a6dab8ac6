"""From rows to the frozen records that protocols and exporters get."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from annotation import document_store, pseudonyms
from annotation import protocol as registry
from annotation.models import Annotation, Item, Response
from annotation.protocol import Activity
from annotation.records import AnnotationRecord, Context, DocumentRecord, Documents, ItemRecord, Said
from annotation.schemas import ProjectConfig

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
        root=item_record(item.root) if item.root is not None else None,
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


def counting(activity: Activity, responses: Iterable[Response]) -> list[Response]:
    """The responses that count now, ordered by turn, then by stage: the latest revision of each step.

    Revising a step voids what was said at later stages of the same turn; other turns stay. `responses` come in the
    order in which they were written.
    """
    place = {stage.key: index for index, stage in enumerate(activity.stages)}
    kept: dict[tuple[int, int], Response] = {}
    for response in responses:
        turn, stage = response.turn, place[response.stage]
        if response.revision > 1:
            kept = {key: row for key, row in kept.items() if key[0] != turn or key[1] <= stage}
        kept[turn, stage] = response
    return [row for _, row in sorted(kept.items(), key=lambda entry: entry[0])]


def said_of(
    activity: Activity, responses: Iterable[Response], *, authors: Mapping[str, str] | None = None
) -> tuple[Said, ...]:
    """What counts now, as protocols get it. `authors` names people by seat; without it their keys tell them apart."""
    return tuple(
        Said(
            stage=row.stage,
            payload=parse(activity, row.stage, row.schema, row.payload),
            schema=row.schema,
            turn=row.turn,
            seat=row.seat,
            author=str(row.author_id or "") if authors is None else authors.get(row.seat, ""),
        )
        for row in counting(activity, responses)
    )


def whole(
    protocol: registry.Protocol, activity: Activity, item: ItemRecord, config: ProjectConfig, responses: list[Response]
) -> list[Response]:
    """The responses that count: all, or, where re-opened work was left half-way, those of its last whole state."""
    for end in range(len(responses), 0, -1):
        said = said_of(activity, responses[:end])
        context = Context(item, activity.key, said, seat=activity.seats[0], config=config)
        if protocol.next_step(context) is None:
            return responses[:end]
    return responses


def finished_records(annotations: Sequence[Annotation], item: Item) -> list[AnnotationRecord]:
    """Finished annotations of one item and activity as records, in two queries however many there are."""
    protocol, record = protocol_of(item), item_record(item)
    config = protocol.config.model_validate(item.project.config, strict=False)
    written: dict[int, list[Response]] = {row.pk: [] for row in annotations}
    for response in Response.objects.filter(annotation__in=list(written)).order_by("pk"):
        written[response.annotation_id].append(response)
    records = []
    for row in annotations:
        activity = protocol.activity(row.activity)
        responses = whole(protocol, activity, record, config, written[row.pk])
        records.append(finished_record(row, activity, responses))
    return records


def finished_record(row: Annotation, activity: Activity, responses: Sequence[Response]) -> AnnotationRecord:
    """A finished annotation as a record, outside of any release: its ids are those of every release."""
    id_hex = pseudonyms.id_hex(str(row.uuid))
    return AnnotationRecord(row.activity, said_of(activity, responses), external_id=row.external_id, id_hex=id_hex)


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
