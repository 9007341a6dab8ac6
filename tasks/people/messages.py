"""Messages between a person and the leads of a project. Each thread is one person's; no annotator sees another's."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Max, QuerySet

from annotation import events
from annotation.errors import KeyReused, PayloadInvalid, Problem
from annotation.i18n import _
from annotation.models import Item, Message, Project, Thread, User
from tasks.engine.transactions import service

MOST = 1000
"""Messages in one thread."""


@dataclass(frozen=True)
class ThreadSide:
    """Who of a thread writes or reads: its person, or a lead."""

    of_lead: bool

    @property
    def seen(self) -> str:
        """The column with the last number that this side has read."""
        return "seen_by_leads" if self.of_lead else "seen_by_person"


LEAD, PERSON = ThreadSide(of_lead=True), ThreadSide(of_lead=False)


@service
def write(
    project: Project,
    person: User,
    *,
    side: ThreadSide,
    by: User,
    text: str,
    key: uuid.UUID,
    now: datetime,
    item: Item | None = None,
) -> Message:
    """Add a message to the person's thread; with a known key, return what was stored under it.

    Whoever writes has read what was said before. Raises KeyReused, and PayloadInvalid for a text that is empty or too
    long, or a thread that is full.
    """
    thread = _locked(project, person)
    known = Message.objects.filter(author=by, key=key).first()
    if known is not None:
        if (known.thread_id, known.text) != (thread.pk, text):
            raise KeyReused
        return known
    _check(text)
    number = latest(thread) + 1
    if number > MOST:
        raise PayloadInvalid((Problem("text", "full", _("Nothing more can be written here.")),))
    made = Message.objects.create(
        thread=thread, author=by, number=number, from_lead=side.of_lead, at=now, text=text, item=item, key=key
    )
    _see(thread, number, side=side)
    events.record("message.written", thread, by=by, now=now, number=number, from_lead=side.of_lead)
    return made


@service
def mark_read(project: Project, person: User, *, side: ThreadSide, upto: int, by: User, now: datetime) -> None:
    """This side has read the messages up to that number; idempotent, and nothing becomes unread."""
    thread = _locked(project, person)
    number = min(upto, latest(thread))
    if number > getattr(thread, side.seen):
        _see(thread, number, side=side)
        events.record("message.read", thread, by=by, now=now, number=number, from_lead=side.of_lead)


def _check(text: str) -> None:
    if not 0 < len(text.strip()) <= len(text) <= Message.LONGEST:
        said = _("Write a message of at most 2,000 characters.")
        raise PayloadInvalid((Problem("text", "length", said),))


def _locked(project: Project, person: User) -> Thread:
    """The person's thread, locked, so that messages are numbered one after the other."""
    Thread.objects.get_or_create(project=project, person=person)
    return Thread.objects.select_for_update().get(project=project, person=person)


def _see(thread: Thread, number: int, *, side: ThreadSide) -> None:
    Thread.objects.filter(pk=thread.pk).update(**{side.seen: number})
    setattr(thread, side.seen, number)


def latest(thread: Thread) -> int:
    """The number of the last message, 0 if there is none."""
    return thread.messages.aggregate(last=Max("number"))["last"] or 0


def thread_of(project: Project, person: User) -> Thread | None:
    """The person's thread, if anything was ever written."""
    return Thread.objects.filter(project=project, person=person).first()


def messages_with(project: Project, person: User) -> list[Message]:
    """The messages of the person's thread, oldest first."""
    rows = Message.objects.filter(thread__project=project, thread__person=person)
    return list(rows.select_related("author", "item__project").order_by("number"))


def unread_by_leads(project: Project) -> QuerySet[Message]:
    """What people have written that no lead has read or answered, newest first."""
    rows = Message.objects.filter(thread__project=project, from_lead=False)
    rows = rows.filter(number__gt=F("thread__seen_by_leads")).order_by("-pk")
    return rows.select_related("thread__person", "item__project")


def unread_by(user: User, project: Project | None = None) -> QuerySet[Message]:
    """What leads have written to this person that they have not read yet, oldest first."""
    rows = Message.objects.filter(thread__person=user, from_lead=True, number__gt=F("thread__seen_by_person"))
    if project is not None:
        rows = rows.filter(thread__project=project)
    return rows.select_related("thread__project").order_by("pk")
