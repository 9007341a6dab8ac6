"""Open, append, complete, exclude: the only writer of Annotation, Response and cases, and of decisions about them."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import orjson
from django.db.models import DateTimeField, QuerySet
from pydantic import ValidationError

from annotation import events
from annotation.db.compiled import Param, PreparedUpdate
from annotation.engine import loading
from annotation.errors import PayloadInvalid, Problem
from annotation.models import Adjudication, Annotation, Case, CaseKind, Exhibit, Item, Job, Purpose, Response, User
from annotation.parsing.incoming import IncomingResponse
from annotation.protocol import Stage


def open_annotation(
    *,
    item_id: int,
    author: User | None,
    activity: str,
    round: int,
    guidelines_id: int | None,
    now: datetime,
    purpose: str = Purpose.WORK,
) -> Annotation:
    """Begin a piece of work on an item; `author` is None if several people make it together."""
    return Annotation.objects.create(
        item_id=item_id,
        author=author,
        activity=activity,
        round=round,
        purpose=purpose,
        guidelines_id=guidelines_id,
        opened_at=now,
    )


def open_judgements(
    exhibits: Sequence[tuple[Exhibit, int]], *, author: User, activity: str, now: datetime
) -> Sequence[Annotation]:
    """Begin a rater's judgement of each exhibit, in this order; 1 for their first one of it, 2 for their second."""
    return Annotation.objects.bulk_create(
        Annotation(
            item_id=exhibit.item_id,
            author=author,
            activity=activity,
            purpose=Purpose.JUDGEMENT,
            exhibit=exhibit,
            round=number,
            opened_at=now,
        )
        for exhibit, number in exhibits
    )


def validated(stage: Stage, payload: dict[str, Any]) -> Any:
    """The payload as the stage's model, or PayloadInvalid; strict mode takes lists for tuples only in JSON text."""
    try:
        return stage.schema.validate_json(orjson.dumps(payload))
    except (ValidationError, orjson.JSONEncodeError) as error:
        raise PayloadInvalid(_problems(error)) from None


def append(
    annotation: Annotation,
    *,
    author: User,
    stage: Stage,
    payload: Any,
    revision: int,
    now: datetime,
    turn: int = 0,
    seat: str = "one",
    seconds: float | None = None,
    submission_key: uuid.UUID | None = None,
    body_sha256: str = "",
) -> Response:
    """Insert one response; `payload` has passed `validated` and the protocol's `check`."""
    return Response.objects.create(
        annotation=annotation,
        author=author,
        stage=stage.key,
        turn=turn,
        seat=seat,
        revision=revision,
        schema=stage.schema_name,
        payload=payload.model_dump(mode="json"),
        guidelines_id=annotation.guidelines_id,
        seconds=seconds,
        submission_key=submission_key,
        body_sha256=body_sha256,
        created_at=now,
        by_script=events.by_script(),
    )


def take_back(annotation: Annotation, *, author: User, stage: Stage, turn: int, seat: str, now: datetime) -> Response:
    """Take back the answer to a step: a record of its own, after which the step is as if it had not been answered."""
    earlier = annotation.responses.filter(stage=stage.key, turn=turn).count()
    response = Response.objects.create(
        annotation=annotation,
        author=author,
        stage=stage.key,
        turn=turn,
        seat=seat,
        revision=1 + earlier,
        schema=loading.TAKEN_BACK,
        payload={},
        guidelines_id=annotation.guidelines_id,
        created_at=now,
        by_script=events.by_script(),
    )
    events.record("annotation.taken_back", annotation, by=author, now=now, stage=stage.key, turn=turn)
    return response


def complete(annotation: Annotation, *, now: datetime) -> None:
    """Mark the annotation as completed; only the first completion counts."""
    if annotation.completed_at is None:
        _completed(annotation=annotation.pk, now=now)
        annotation.completed_at = now


@PreparedUpdate
def _completed() -> tuple[QuerySet[Annotation], dict[str, Param]]:
    rows = Annotation.with_trials.filter(pk=Param("annotation"), completed_at__isnull=True)
    return rows, {"completed_at": Param("now", DateTimeField())}


def exclude(annotation: Annotation, *, by: User | None, reason: str, now: datetime) -> None:
    """Exclude this annotation from agreement and releases. It stays in the record."""
    Annotation.objects.filter(pk=annotation.pk).update(excluded_at=now, exclusion_reason=reason)
    annotation.excluded_at, annotation.exclusion_reason = now, reason
    events.record("annotation.excluded", annotation, by=by, now=now, reason=reason)


def restore(annotation: Annotation, *, by: User | None, reason: str, now: datetime) -> None:
    """Undo the exclusion of an annotation."""
    Annotation.objects.filter(pk=annotation.pk).update(excluded_at=None, exclusion_reason="")
    annotation.excluded_at, annotation.exclusion_reason = None, ""
    events.record("annotation.restored", annotation, by=by, now=now, reason=reason)


def open_case(annotation: Annotation, *, now: datetime) -> Case:
    """Leave it to a lead whether this finished annotation counts."""
    case = Case.objects.create(kind=CaseKind.ACCEPTANCE, annotation=annotation, at=now)
    events.record("case.opened", case, by=None, now=now)
    return case


def open_case_of_leaves(annotation: Annotation, *, about: User, now: datetime) -> Case:
    """Leave it to a lead what to make of somebody who left partners without a reason, this annotation's the last."""
    case = Case.objects.create(kind=CaseKind.LEAVES, annotation=annotation, about=about, at=now)
    events.record("case.opened", case, by=None, now=now)
    return case


def adjudicate(
    annotation: Annotation, *, round: int, agreement: float, by: User, reason: str, now: datetime
) -> Adjudication:
    """An expert's decision for this annotation; the database refuses a second one that counts."""
    row = Adjudication.objects.create(
        item_id=annotation.item_id,
        activity=annotation.activity,
        round=round,
        annotation=annotation,
        by=by,
        reason=reason,
        agreement=agreement,
        at=now,
    )
    events.record("adjudication.decided", row, by=by, now=now, annotation=str(annotation.uuid), reason=reason)
    return row


def take_back_decision(row: Adjudication, *, by: User, reason: str, now: datetime) -> None:
    """The decision no longer counts; it stays in the record."""
    row.taken_back_at = now
    row.save(update_fields=["taken_back_at"])
    events.record("adjudication.taken_back", row, by=by, now=now, reason=reason)


def flag(response: Response, *, author: User, reason: str, text: str, ends: bool, now: datetime) -> Case:
    """Leave it to a lead whether somebody else's answer is as bad as this; one case for each author and answer.

    A second flag changes nothing, unless it is the first that `ends` the work.
    """
    said = {"annotation": response.annotation, "reason": reason, "text": text, "ends": ends, "at": now}
    case, new = Case.objects.get_or_create(kind=CaseKind.FLAG, response=response, author=author, defaults=said)
    if new:
        events.record("case.opened", case, by=author, now=now, reason=reason, ends=ends)
    elif ends and not case.ends:
        case.ends = True
        case.save(update_fields=["ends"])
        events.record("case.ended", case, by=author, now=now, reason=reason)
    return case


def take_in(*, rows: Sequence[tuple[Item, Sequence[dict[str, Any]]]], job: Job, now: datetime) -> None:
    """Insert imported annotations in order: {external_id, author_id, activity, responses (of IncomingResponse)}."""
    annotations, bodies = [], []
    for item, found in rows:
        for position, entry in enumerate(found):
            annotations.append(
                Annotation(
                    item=item,
                    author_id=entry["author_id"],
                    activity=entry["activity"],
                    purpose=Purpose.IMPORT,
                    external_id=entry["external_id"],
                    position=position,
                    job=job,
                    opened_at=now,
                    completed_at=now,
                )
            )
            bodies.append(entry)
    made = Annotation.objects.bulk_create(annotations)
    Response.objects.bulk_create(
        Response(
            annotation=annotation,
            author_id=entry["author_id"],
            stage=found.stage,
            turn=found.turn,
            seat=found.seat,
            schema=found.schema,
            payload=found.payload,
            created_at=now,
        )
        for annotation, entry in zip(made, bodies, strict=True)
        for found in (IncomingResponse(*response) for response in entry["responses"])
    )


def _problems(error: Exception) -> tuple[Problem, ...]:
    if not isinstance(error, ValidationError):
        return (Problem(field="", code="json", message=str(error)),)
    return tuple(
        Problem(field=".".join(map(str, found["loc"])), code=found["type"], message=found["msg"])
        for found in error.errors(include_url=False, include_context=False, include_input=False)
    )
