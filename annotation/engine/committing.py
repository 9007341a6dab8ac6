"""Commit an answer to a step: idempotency key, optimistic lock, sealed stages, validation, append, draft; and create
the items that finished work leads to: one annotation, or all annotations of an item together.

The caller (`tasks.engine.submitting`, an exam) holds the lock under which the work is read, and manages leases and
slots.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NotRequired, TypedDict

import orjson
from django.db.models import Q, QuerySet, UUIDField

from annotation import registry, search
from annotation.db.compiled import Param, Prepared
from annotation.engine import drafts, loading, recording
from annotation.engine.drafts import PageLoad
from annotation.engine.work import Hold, Work
from annotation.errors import AlreadyClosed, KeyReused, PayloadInvalid, Refused, StageLocked, StalePage
from annotation.imports import spool
from annotation.models import RELEASED, Annotation, Item, Response
from annotation.parsing.incoming import IncomingItem
from annotation.protocol import Protocol
from annotation.values.records import Step


class AnswerSent(TypedDict):
    """How an answer came, as `commit` takes it: the idempotency key, what the page knew, when, and from which page."""

    key: uuid.UUID
    seen: int
    now: datetime
    tab: NotRequired[PageLoad | None]


@dataclass(frozen=True)
class Committed:
    """The work after a commit; `repeated`: the same answer was already stored under the same key."""

    work: Work
    repeated: bool = False


def commit(
    work: Work,
    address: str,
    payload: dict[str, Any],
    *,
    hold: Hold,
    key: uuid.UUID,
    seen: int,
    now: datetime,
    tab: PageLoad | None = None,
    refused: Refused | None = None,
    drafted: bool = True,
) -> Committed:
    """Append the answer to a step; if this raises, nothing was written.

    `key`: idempotency key; `seen`: optimistic lock, the number of responses that the page knew; `tab`: the page load
    that sends. `refused`: raised instead of writing, but a replay of a stored answer still succeeds. `drafted`: False
    if the caller knows that there is no draft. Raises KeyReused, `refused`, TakenOver, AlreadyClosed, StalePage,
    StageLocked, NotFound or PayloadInvalid.
    """
    work, earlier = _read(work, key=key)
    body = body_hash(address, payload)
    if earlier is not None:
        if (earlier.annotation_id, earlier.body_sha256) != (work.annotation.pk, body):
            raise KeyReused
        return Committed(work, repeated=True)
    if refused is not None:
        raise refused
    drafts.check_tab(hold.client, tab)
    step = _fresh(work, address, seen)
    if drafted:
        drafts.drop_draft(work, step, tab)
    response = recording.append(
        work.annotation,
        author=hold.person,
        stage=work.activity.stage(step.stage),
        turn=step.turn,
        seat=step.seat,
        payload=checked(work, step, payload),
        revision=1 + sum((row.stage, row.turn) == (step.stage, step.turn) for row in work.responses),
        now=now,
        seconds=_seconds(work, hold, now=now),
        submission_key=key,
        body_sha256=body,
    )
    return Committed(replace(work, known=[*work.responses, response]))


def body_hash(address: str, payload: dict[str, Any]) -> str:
    """The hash of a step and its answer, which an idempotency key stands for."""
    return hashlib.sha256(orjson.dumps([address, payload], option=orjson.OPT_SORT_KEYS)).hexdigest()


def checked(work: Work, step: Step, payload: dict[str, Any]) -> Any:
    """The payload as the stage's model, as it is stored; PayloadInvalid with what the schema or protocol refuses."""
    answer, context = recording.validated(work.activity.stage(step.stage), payload), work.context(before=step)
    problems = work.protocol.check(context, step, answer)
    if problems:
        raise PayloadInvalid(tuple(problems))
    return work.protocol.stored(context, step, answer)


def finish(work: Work, *, now: datetime) -> None:
    """Mark the work as complete and create its follow-up items, or a case if a lead must accept it; idempotent.

    Nothing follows from what is not part of the data: from a reference, a trial, an answer in an exam.
    """
    if work.annotation.completed_at is not None:
        return
    recording.complete(work.annotation, now=now)
    if work.annotation.purpose not in RELEASED:
        return
    record = loading.finished_record(work.annotation, work.activity, work.responses)
    if work.protocol.needs_acceptance(work.record, record, work.config):
        recording.open_case(work.annotation, now=now)
    make_items(work.annotation, work.protocol.follow_ups(work.record, record))


def _read(work: Work, *, key: uuid.UUID) -> tuple[Work, Response | None]:
    """The work with its current responses, and the response already stored under this key, on whichever annotation."""
    found = list(_answers(annotation=work.annotation.pk, author=work.person, key=key))
    mine = [row for row in found if row.annotation_id == work.annotation.pk]
    earlier = next((row for row in found if (row.author_id, row.submission_key) == (work.person, key)), None)
    return replace(work, known=mine), earlier


@Prepared
def _answers() -> QuerySet[Response]:
    same_key = Q(author=Param("author"), submission_key=Param("key", UUIDField()))
    return Response.objects.filter(Q(annotation=Param("annotation")) | same_key).order_by("pk")


def _fresh(work: Work, address: str, seen: int) -> Step:
    """The step, if the page is up to date and the step may be answered (again)."""
    if work.closed:
        raise AlreadyClosed
    known = work.seen_at(address)
    if seen != known and not work.reached(address):
        raise StalePage  # a revision from another page may have removed the step
    step = work.step(address)
    if work.locked(address):
        raise StageLocked
    if seen != known:
        raise StalePage
    return step


def _seconds(work: Work, hold: Hold, *, now: datetime) -> float:
    """Server time since the last answer (by anybody) or the claim, at most the length of a hold."""
    since = max([hold.since, *(response.created_at for response in work.responses)])
    return min((now - since).total_seconds(), hold.longest)


def make_items_on_settled(item: Item, finished: Callable[[], Sequence[Annotation]]) -> list[Item]:
    """Create the items that all annotations of a settled item lead to together; idempotent. Returns those it made.

    `finished` loads the annotations in order of completion; the items are recorded as made from the last one.
    """
    protocol = registry.get(item.project.protocol)
    if type(protocol).on_settled is Protocol.on_settled:
        return []
    annotations = finished()
    found = protocol.on_settled(loading.item_record(item), loading.finished_records(annotations, item))
    ids = [each.external_id for each in found]
    there = Item.with_set_aside.filter(project=item.project_id, external_id__in=ids).values_list("kind", "external_id")
    made = set(there)
    last = annotations[-1]
    last.item = item
    return make_items(last, [each for each in found if (each.kind, each.external_id) not in made])


def make_items(annotation: Annotation, incoming: Iterable[IncomingItem]) -> list[Item]:
    """Insert items made from an annotation, under the same root and with the same position as its item.

    The caller holds the lock of the item's task, or the item is set aside: then so is what is made from it.
    """
    item = annotation.item
    alike = registry.get(item.project.protocol).alike
    made = [
        Item.objects.create(
            project_id=item.project_id,
            kind=found.kind,
            external_id=found.external_id,
            split=found.split,
            payload=found.payload,
            content_sha256=spool.hash_without_documents(found),
            alike=alike(found.kind, found.payload),
            made_from=annotation,
            root_id=item.root_id or item.pk,
            position=item.position,
            set_aside_at=item.set_aside_at,
        )
        for found in incoming
    ]
    search.index_captions(made, protocol=item.project.protocol)
    return made
