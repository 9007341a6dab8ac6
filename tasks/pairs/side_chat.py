"""The side chat of shared work: people ask each other, or a lead, about the guidelines. It is no part of the data."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import datetime

from django.db.models import Exists, Max, OuterRef

from annotation import events
from annotation.errors import KeyReused, PayloadInvalid, Problem
from annotation.i18n import _
from annotation.models import Annotation, Event, Project, User
from tasks.engine import assignments, pokes, transitions
from tasks.engine.transactions import service
from tasks.models import Assignment, ChatMessage
from tasks.models.states import AssignmentState

MOST = 300
"""Messages in one chat; no two people need more."""
SETTLED = "chat.settled"
"""The kind of the event by which a lead settles what was asked without an answer."""


@service
def write(held: Assignment, *, by: User, text: str, to_lead: bool, key: uuid.UUID, now: datetime) -> ChatMessage:
    """Add a message of somebody who has a seat; with a known key, return what was stored under it.

    Raises AlreadyClosed once the work is over, KeyReused, or PayloadInvalid if the text is empty or too long, or the
    chat is full.
    """
    assignments.lock(held)
    known = _known(held.annotation, by=by, text=text, key=key)
    if known is not None:
        return known
    if held.state != AssignmentState.LEASED:
        raise assignments.why_closed(held)
    made = _add(held.annotation, by=by, seat=held.seat, text=text, to_lead=to_lead, key=key, now=now)
    events.record("chat.written", held, by=by, now=now, number=made.number, to_lead=to_lead)
    return made


@service
def answer(annotation: Annotation, *, by: User, text: str, key: uuid.UUID, now: datetime) -> ChatMessage:
    """Add a lead's message, which answers whatever was asked before. Raises what `write` raises, but for AlreadyClosed.

    Work that is over can be answered too: the answer is kept with the chat.
    """
    transitions.lock(list(annotation.assignments.values_list("task_id", flat=True)))
    known = _known(annotation, by=by, text=text, key=key)
    if known is not None:
        return known
    made = _add(annotation, by=by, seat="", text=text, to_lead=False, key=key, now=now)
    events.record("chat.answered", annotation, by=by, now=now, number=made.number)
    return made


@service
def settle(annotation: Annotation, *, by: User, now: datetime) -> None:
    """Take what was asked so far off the list of the leads, without an answer."""
    transitions.lock(list(annotation.assignments.values_list("task_id", flat=True)))
    events.record(SETTLED, annotation, by=by, now=now, number=latest(annotation))


def _known(annotation: Annotation, *, by: User, text: str, key: uuid.UUID) -> ChatMessage | None:
    """What was stored under this key; KeyReused if that was something else."""
    found = ChatMessage.objects.filter(author=by, key=key).first()
    if found is not None and (found.annotation_id, found.text) != (annotation.pk, text):
        raise KeyReused
    return found


def _add(
    annotation: Annotation, *, by: User, seat: str, text: str, to_lead: bool, key: uuid.UUID, now: datetime
) -> ChatMessage:
    """Write the next message; the caller holds the lock of the task."""
    if not 0 < len(text.strip()) <= len(text) <= ChatMessage.LONGEST:
        raise PayloadInvalid((Problem("text", "length", _("Write a message of at most 500 characters.")),))
    number = latest(annotation) + 1
    if number > MOST:
        raise PayloadInvalid((Problem("text", "full", _("This chat is full.")),))
    pokes.beside(annotation, by=by)
    return ChatMessage.objects.create(
        annotation=annotation, author=by, number=number, seat=seat, at=now, text=text, to_lead=to_lead, key=key
    )


def latest(annotation: Annotation) -> int:
    """The number of the last message, 0 if there is none."""
    return ChatMessage.objects.filter(annotation=annotation).aggregate(last=Max("number"))["last"] or 0


def under_way(annotations: Iterable[Annotation]) -> set[int]:
    """Those whose people are still at work, and read what is answered."""
    rows = Assignment.objects.filter(annotation__in=annotations, state=AssignmentState.LEASED).order_by()
    return set(rows.values_list("annotation", flat=True))


def messages(annotation: Annotation, *, after: int = 0) -> list[ChatMessage]:
    """The messages after that number, in order, with their authors."""
    rows = ChatMessage.objects.filter(annotation=annotation, number__gt=after)
    return list(rows.select_related("author").order_by("number"))


def asked(project: Project, *, annotations: Iterable[Annotation] | None = None) -> list[ChatMessage]:
    """What leads were asked (in these chats, if given) and have neither answered nor settled, newest first."""
    answered = ChatMessage.objects.filter(annotation=OuterRef("annotation"), number__gt=OuterRef("number"), seat="")
    rows = ChatMessage.objects.filter(~Exists(answered), to_lead=True)
    if annotations is not None:
        rows = rows.filter(annotation__in=annotations)
    # These few first: SQLite would look for them among all annotations of the project.
    unanswered = list(rows.values_list("pk", flat=True))
    if not unanswered:
        return []
    settled: dict[str, int] = {}
    for event in Event.objects.filter(project_id=project.pk, kind=SETTLED).order_by("pk"):
        settled[event.subject] = event.data["number"]
    rows = ChatMessage.objects.filter(pk__in=unanswered, annotation__item__project=project)
    found = rows.select_related("author", "annotation__item__project").order_by("-pk")
    return [row for row in found if row.number > settled.get(events.name(row.annotation), 0)]
