"""Annotations as JSON objects, step by step: a layout for protocols that no published dataset prescribes one.

An annotation is {"id", "people": {seat: name}, "steps": [{"stage", "turn", "said"}, ...]}; `turn` is 0 where a stage
comes only once, and `said` is the payload.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from annotation.documents.spans import MarkedSpan, moved
from annotation.errors import ReleaseRefused
from annotation.parsing import fields
from annotation.parsing.fields import LineRefused
from annotation.parsing.incoming import IncomingAnnotation, IncomingResponse
from annotation.protocol import Activity
from annotation.values.records import AnnotationRecord, GivenAnswer


def annotation_from_steps(record: Any, activity: Activity, seats: dict[str, str], where: str) -> IncomingAnnotation:
    """The annotation of an activity in a file, whose steps are each at the seat of their stage in `seats`.

    `where`: the place in the line, for the LineRefused of what is missing or can't be read.
    """
    given = fields.typed(record, dict, where)
    steps = [fields.typed(one, dict, where) for one in fields.need(given, "steps", list, where)]
    people = fields.need(given, "people", dict, where)
    return IncomingAnnotation(
        external_id=fields.need(given, "id", str, where),
        activity=activity.key,
        responses=tuple(_response(one, activity, seats, where) for one in steps),
        worker=fields.need(people, activity.seats[0], str, where),
    )


def _response(record: dict[str, Any], activity: Activity, seats: dict[str, str], where: str) -> IncomingResponse:
    key, turn = fields.need(record, "stage", str, where), fields.need(record, "turn", int, where)
    try:
        stage = activity.stage(key)
        payload = stage.schema.validate_python(fields.need(record, "said", dict, where))
    except (KeyError, ValidationError) as error:
        reason = error.errors()[0]["msg"] if isinstance(error, ValidationError) else "there is no such stage"
        raise LineRefused(f"{where}.{key}-{turn}", str(reason)) from None
    seat = seats.get(key, activity.seats[0])
    return IncomingResponse(key, stage.schema_name, payload.model_dump(mode="json"), turn=turn, seat=seat)


def annotation_as_steps(annotation: AnnotationRecord, passages: Sequence[str]) -> dict[str, Any]:
    """The annotation as JSON; ReleaseRefused if words that it marks are not in the passages."""
    for entry in annotation.answers:
        _compare(entry, passages)
    people = {entry.seat: entry.author or annotation.worker for entry in annotation.answers}
    return {
        "id": annotation.external_id or annotation.id_hex,
        "people": people,
        "steps": [
            {"stage": entry.stage, "turn": entry.turn, "said": entry.payload.model_dump(mode="json")}
            for entry in annotation.answers
        ],
    }


def _compare(entry: GivenAnswer, passages: Sequence[str]) -> None:
    values = (getattr(entry.payload, name) for name in type(entry.payload).model_fields)
    for span in (value for value in values if isinstance(value, MarkedSpan)):
        if moved(span, passages):
            raise ReleaseRefused(f"{entry.address}: the words “{span.quote}” are not where they were marked.")
