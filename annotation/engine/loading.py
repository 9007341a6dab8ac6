"""Build the immutable records that protocols and exporters get from database rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from annotation import pseudonyms, registry
from annotation.documents.layout import Layout
from annotation.models import Annotation, Exhibit, Item, Response
from annotation.protocol import Activity, Protocol
from annotation.storage import blobs
from annotation.values.records import AnnotationRecord, Context, DocumentRecord, Documents, GivenAnswer, ItemRecord
from annotation.values.schemas import ProjectConfig

TAKEN_BACK = "taken-back/1"
"""The schema of a response by which its author has taken back the one before it; its payload is empty."""
DOCUMENT = ("document__sha256", "document__media_type", "layout", "title", "url", "licence")
"""The columns of ItemDocument that `document_record` takes."""


def item_record(item: Item) -> ItemRecord:
    """The item; its documents are loaded lazily, in one query."""

    def documents() -> Iterator[DocumentRecord]:
        rows = item.item_documents.order_by("position").values_list(*DOCUMENT)
        return (document_record(*columns) for columns in rows)

    return ItemRecord(
        kind=item.kind,
        external_id=item.external_id,
        split=item.split,
        payload=item.payload,
        documents=Documents(documents),
        root=item_record(item.root) if item.root is not None else None,
    )


def exhibit_record(exhibit: Exhibit, item: Item) -> ItemRecord:
    """What is judged, as an item of the protocol of judging: as it was sealed, with the item's documents."""
    material = item_record(item)
    return replace(
        material,
        kind="exhibit",
        external_id=f"{exhibit.place + 1}",
        payload={"shown": exhibit.shown, "rubric": exhibit.round.rubric},
    )


def document_record(
    sha256: str,
    media_type: str,
    layout: str,
    title: str,
    url: str,
    licence: str,
    *,
    load_source: Callable[[str], bytes] = blobs.read,
    load_layout: Callable[[str], Layout] = blobs.layout,
) -> DocumentRecord:
    """A document of an item, from the columns of `DOCUMENT`; its bytes are read lazily."""
    return DocumentRecord(
        sha256=sha256,
        media_type=media_type,
        layout_sha256=layout,
        title=title,
        url=url,
        licence=licence,
        load_source=load_source,
        load_layout=load_layout,
        load_rendering=blobs.rendering,
    )


def effective_responses(activity: Activity, responses: Iterable[Response]) -> list[Response]:
    """The responses that count now: the latest revision of each step, ordered by turn, then by stage.

    Revising a step, or taking it back, voids later stages of the same turn; other turns stay. `responses` must be
    sorted, oldest first.
    """
    place = {stage.key: index for index, stage in enumerate(activity.stages)}
    kept: dict[tuple[int, int], Response] = {}
    for response in responses:
        turn, stage = response.turn, place[response.stage]
        if response.revision > 1:
            kept = {key: row for key, row in kept.items() if key[0] != turn or key[1] <= stage}
        kept[turn, stage] = response
        if response.schema == TAKEN_BACK:
            del kept[turn, stage]
    return [row for _, row in sorted(kept.items(), key=lambda entry: entry[0])]


def said_of(
    activity: Activity, responses: Iterable[Response], *, authors: Mapping[str, str] | None = None
) -> tuple[GivenAnswer, ...]:
    """The responses that count now, as records. `authors` maps seats to names; without it, authors' keys are used."""
    return tuple(
        GivenAnswer(
            stage=row.stage,
            payload=parse(activity, row.stage, row.schema, row.payload),
            schema=row.schema,
            turn=row.turn,
            seat=row.seat,
            author=str(row.author_id or "") if authors is None else authors.get(row.seat, ""),
        )
        for row in effective_responses(activity, responses)
    )


def told(answers: Iterable[GivenAnswer]) -> bytes:
    """What an annotation says, to be compared with what another says: its answers and their places, nothing else."""
    return orjson.dumps([[one.address, one.payload.model_dump(mode="json")] for one in answers])


def whole(
    protocol: Protocol, activity: Activity, item: ItemRecord, config: ProjectConfig, responses: list[Response]
) -> list[Response]:
    """The responses up to the last complete state of the work: all, unless re-opened work was left half-way.

    Published answers are never re-opened, and lack what tells a protocol that work is complete.
    """
    if any(row.schema == activity.stage(row.stage).published_name for row in responses):
        return responses
    for end in range(len(responses), 0, -1):
        said = said_of(activity, responses[:end])
        context = Context(item, activity.key, said, seat=activity.seats[0], config=config)
        if protocol.next_step(context) is None:
            return responses[:end]
    return responses


def finished_records(annotations: Sequence[Annotation], item: Item) -> list[AnnotationRecord]:
    """Finished annotations of one item and activity as records; two queries, however many there are."""
    protocol, record = protocol_of(item), item_record(item)
    config = protocol.config.model_validate(item.project.config, strict=False)
    written = responses_of(annotations)
    records = []
    for row in annotations:
        activity = protocol.activity(row.activity)
        responses = whole(protocol, activity, record, config, written[row.pk])
        records.append(finished_record(row, activity, responses))
    return records


def responses_of(annotations: Iterable[Annotation]) -> dict[int, list[Response]]:
    """Every response to these annotations, oldest first, by the key of the annotation."""
    written: dict[int, list[Response]] = {row.pk: [] for row in annotations}
    for response in Response.objects.filter(annotation__in=list(written)).order_by("pk"):
        written[response.annotation_id].append(response)
    return written


def finished_record(row: Annotation, activity: Activity, responses: Sequence[Response]) -> AnnotationRecord:
    """A finished annotation as a record outside any release; its id is that inside the site."""
    id_hex = pseudonyms.id_hex(str(row.uuid))
    return AnnotationRecord(row.activity, said_of(activity, responses), external_id=row.external_id, id_hex=id_hex)


def parse(activity: Activity, stage: str, schema: str, payload: Any) -> Any:
    """A stored payload as its model; in lax mode, since JSON has lists where the model has tuples."""
    found = activity.stage(stage)
    adapter = found.published if schema == found.published_name and found.published else found.schema
    return adapter.validate_python(payload, strict=False)


def activity_of(protocol: str, activity: str) -> Activity:
    """The activity as its protocol describes it."""
    return registry.get(protocol).activity(activity)


def protocol_of(item: Item) -> Protocol:
    """The protocol under which an item is worked on."""
    return registry.get(item.project.protocol)
