"""Pieces of work that bots do in memory, without a database: each step with the sheets of everybody, and its answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import orjson

from annotation.parsing.incoming import IncomingDocument, IncomingItem
from annotation.protocol import Activity, Protocol
from annotation.storage import blobs
from annotation.values.records import (
    AnnotationRecord,
    Context,
    DocumentRecord,
    GivenAnswer,
    ItemRecord,
    Step,
    Waiting,
)
from annotation.values.sheets import Sheet

MOST_STEPS = 500
"""After so many, work is taken to have no end."""


class Broken(Exception):
    """Work can't go on: the cause, in a sentence."""


@dataclass(frozen=True)
class PlayedStep:
    """A step with what was there before it, the sheet of each seat by its stage ("waiting SEAT"), and the answer."""

    context: Context
    step: Step
    sheets: dict[str, Sheet]
    payload: dict[str, Any]


def item_in_memory(incoming: IncomingItem, root: ItemRecord | None = None) -> ItemRecord:
    """The item of what a reader or a finished annotation yields, its JSON as read back from a database."""
    return ItemRecord(
        kind=incoming.kind,
        external_id=incoming.external_id,
        split=incoming.split,
        payload=orjson.loads(orjson.dumps(incoming.payload, option=orjson.OPT_SORT_KEYS)),
        documents=tuple(map(_document_in_memory, incoming.documents)),
        root=root,
    )


def _document_in_memory(document: IncomingDocument) -> DocumentRecord:
    layout = type(document.layout).from_bytes(document.layout.to_bytes())
    return DocumentRecord(
        sha256="",
        media_type=document.media_type,
        layout_sha256="",
        title=document.title,
        licence=document.licence,
        load_source=lambda sha256: document.source,
        load_layout=lambda sha256: layout,
        load_rendering=lambda sha256, layout_sha256, media_type, root: blobs.rendering_of(
            document.source, layout, media_type, root
        ),
    )


def steps_of(protocol: Protocol, activity: Activity, item: ItemRecord, rng: Random) -> Iterator[PlayedStep]:
    """Each step until the work is complete; raises Broken."""
    answers: tuple[GivenAnswer, ...] = ()
    config = protocol.config()
    for _number in range(MOST_STEPS):
        contexts = {seat: Context(item, activity.key, answers, seat, config, "seed") for seat in activity.seats}
        step = _current(protocol, contexts)
        if step is None:
            return
        sheets = _sheets(protocol, contexts, step)
        payload = _pretended(protocol, sheets[step.stage], step, rng)
        yield PlayedStep(contexts[step.seat], step, sheets, payload)
        answers = _with_answer(protocol, activity, contexts[step.seat], step, payload)
    raise Broken(f"after {MOST_STEPS} answers the work has not ended. Does next_step count them?")


def _current(protocol: Protocol, contexts: dict[str, Context]) -> Step | None:
    """The step that is next, for whichever seat; None when all say that the work is complete."""
    found = {seat: protocol.next_step(context) for seat, context in contexts.items()}
    steps = [one for one in found.values() if isinstance(one, Step)]
    if steps:
        return steps[0]
    waiting = [seat for seat, one in found.items() if isinstance(one, Waiting)]
    if waiting:
        raise Broken(f"{' and '.join(waiting)} wait, but nobody has a step: next_step never goes on from here.")
    return None


def _sheets(protocol: Protocol, contexts: dict[str, Context], step: Step) -> dict[str, Sheet]:
    found = {step.stage: protocol.sheet(contexts[step.seat], step)}
    for seat, context in contexts.items():
        following = protocol.next_step(context)
        if isinstance(following, Waiting):
            found[f"waiting {seat}"] = protocol.sheet(context, following)
    return found


def _pretended(protocol: Protocol, sheet: Sheet, step: Step, rng: Random) -> dict[str, Any]:
    assert protocol.bots is not None
    try:
        return protocol.bots.pretend(sheet, rng)
    except TypeError as error:
        raise Broken(f"{step.address}: the bot has no answer to a {type(sheet).__name__} ({error}).") from error


def _with_answer(
    protocol: Protocol, activity: Activity, context: Context, step: Step, payload: dict[str, Any]
) -> tuple[GivenAnswer, ...]:
    stage = activity.stage(step.stage)
    model = protocol.stored(context, step, stage.schema.validate_json(orjson.dumps(payload)))
    given = GivenAnswer(step.stage, model, stage.schema_name, step.turn, step.seat, step.seat)
    return tuple(sorted((*context.answers, given), key=activity.place))


def annotation_of(activity: Activity, steps: list[PlayedStep], protocol: Protocol) -> AnnotationRecord:
    """The annotation that these steps made."""
    last = steps[-1]
    answers = _with_answer(protocol, activity, last.context, last.step, last.payload)
    return AnnotationRecord(activity.key, answers, id64=1, id_hex=f"{1:032x}", inside=f"{1:032x}", worker="worker")
