"""Interaction traces: what a person did on a screen, sent by its script in batches of lines and kept as events.

A batch is {"n": number, "at": ms, "lines": [[ms, kind, data, method], ...]}. `at` (optional): when its screen opened,
by the browser's clock, in milliseconds since 1970. Each line has the milliseconds since then, a kind, data of the
protocol's script, and the method: mouse, touch, keyboard, paste, or "".
"""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Any, Literal

import orjson
from django.db import models, transaction
from django.db.models import QuerySet
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from annotation import events
from annotation.db.compiled import Param, Prepared
from annotation.models import Event, User
from annotation.parsing.strict_json import JsonRefused, strict_loads
from annotation.worktime import spans

ENTERED = "stage_entered"
"""The first line of a screen; the event of its batch also records the sign-in and the build of the pages."""
TRACED = "screen.traced"
"""The kind of the events; each holds one batch."""
LONGEST = 60_000
"""Characters of all batches in one request (browsers send at most 64 KB when leaving a page)."""
MOST_BATCHES = 2_000
"""Batches stored for one piece of work; no person sends more."""

Word = Annotated[str, Field(max_length=200)]
Value = Word | int | float | bool | None | Annotated[list[Word | int], Field(max_length=200)]
Line = tuple[
    Annotated[int, Field(ge=0, lt=2**53)],
    Annotated[str, Field(pattern="^[a-z][a-z_]{0,39}$")],
    Annotated[dict[Annotated[str, Field(max_length=40)], Value], Field(max_length=20)],
    Literal["mouse", "touch", "keyboard", "paste", ""],
]


class Batch(BaseModel):
    """What a screen sends at once. `n` is unique within a page load: an idempotency key for batches sent again."""

    model_config = ConfigDict(extra="forbid")

    n: int = Field(ge=1, lt=2**31)
    at: int | None = Field(default=None, ge=0, lt=2**53)
    lines: list[Line] = Field(min_length=1, max_length=300)


BATCHES = TypeAdapter(Annotated[list[Batch], Field(max_length=50)])


def keep(
    subject: models.Model,
    text: str,
    *,
    by: User,
    client: uuid.UUID,
    now: datetime,
    sent: int | None = None,
    place: spans.BookedWork | None = None,
    **data: Any,
) -> int:
    """Store the new batches in `text` about this piece of work, and the time they report; returns how many were new.

    `client`: the page load; `sent`: the browser's clock when it sent them (milliseconds since 1970); `place`: what to
    book the time on, if anything. Malformed or overlong input is dropped silently: traces must never hold up an answer.
    """
    found = _batches(text)
    if not found:
        return 0
    if sent is not None:
        data["offset"] = sent - round(now.timestamp() * 1000)
    with transaction.atomic():
        # The same batch may arrive with a save and a commit at once, and two tabs may report the same minute.
        spans.lock_spans(by)
        there = _earlier(subject=events.name(subject))
        known = {n for page, n in there if page == str(client)}
        room = MOST_BATCHES - len(there)
        fresh = [batch for batch in found if batch["n"] not in known][: max(0, room)]
        for batch in fresh:
            _record(subject, batch, by=by, now=now, client=str(client), **data)
        if fresh and place is not None:
            lines = [line for batch in fresh for line in batch["lines"]]
            spans.write(place, *spans.measured(lines), by=by, now=now)
    return len(fresh)


@Prepared
def _earlier() -> QuerySet[Event, tuple[Any, ...]]:
    """(page load, number) of each batch stored earlier."""
    return Event.objects.filter(subject=Param("subject", models.CharField()), kind=TRACED).values_list(
        "data__client", "data__n"
    )


def _record(subject: models.Model, batch: dict[str, Any], *, by: User, now: datetime, **data: Any) -> None:
    at, lines = batch["at"], batch["lines"]
    clock = {} if at is None else {"client_at": at}
    origin = events.origin() if any(line[1] == ENTERED for line in lines) else {}
    events.record(TRACED, subject, by=by, now=now, **data, **clock, **origin, n=batch["n"], lines=lines)


def _batches(text: str) -> list[dict[str, Any]]:
    if not text or len(text) > LONGEST:
        return []
    try:
        found = BATCHES.validate_json(orjson.dumps(strict_loads(text)), strict=True)
    except (JsonRefused, ValidationError, orjson.JSONEncodeError):
        return []
    return [batch.model_dump(mode="json") for batch in {batch.n: batch for batch in found}.values()]
