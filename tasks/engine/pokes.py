"""Pokes: tell subscribers that shared work or a place in a lobby has changed, once the change is committed.

A poke says what has changed and whom it concerns, and nothing of what was said. Whoever is poked reads for themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.db import transaction

from annotation.models import Annotation, User
from tasks.models import Assignment, Ticket

ALONE = "one"
"""The seat of work that one person does: nobody else has it open."""


@dataclass(frozen=True)
class Poke:
    """`topic`: what has changed (see below); only for the person with the key `to`, or for all but `but`.

    `beside`: nothing of the work itself has changed, but what stands beside it (the chat, a wish for more time, or
    whether there is a pause).
    """

    topic: str
    to: int | None = None
    but: int | None = None
    beside: bool = False


Subscriber = Callable[[Poke], None]
_subscribers: list[Subscriber] = []


def subscribe(subscriber: Subscriber) -> None:
    """Have every poke of this process passed on, in the thread that committed; the subscriber must not wait."""
    _subscribers.append(subscriber)


def unsubscribe(subscriber: Subscriber) -> None:
    """Undo `subscribe`."""
    _subscribers.remove(subscriber)


def topic_of_work(annotation: int) -> str:
    """The topic of an annotation (its key) that several people make."""
    return f"work.{annotation}"


def topic_of_lobby(project: int, activity: str) -> str:
    """The topic of the lobby of an activity of a project (its key)."""
    return f"lobby.{project}.{activity}"


def topic_of_room(row: int) -> str:
    """The topic of the meeting of a judging round (its key)."""
    return f"room.{row}"


def partners(row: Assignment, *, by: User) -> None:
    """This person has said or changed something in shared work: poke whoever else is at it.

    Their own page is left alone, since it shows the answer to what it sent.
    """
    if row.seat != ALONE:
        _after_commit(Poke(topic_of_work(row.annotation_id), but=by.pk))


def beside(annotation: Annotation, *, by: User) -> None:
    """This person has written in the chat of shared work, asked for more time or begun a step: poke whoever else is
    at it.
    """
    _after_commit(Poke(topic_of_work(annotation.pk), but=by.pk, beside=True))


def holder(row: Assignment, *, by: User | None) -> None:
    """An assignment has moved to another state: poke whoever holds it, unless they did it themselves."""
    if row.seat != ALONE and (by is None or by.pk != row.annotator_id):
        _after_commit(Poke(topic_of_work(row.annotation_id), to=row.annotator_id))


def visitor(ticket: Ticket) -> None:
    """A ticket has moved to another state: poke its person."""
    _after_commit(Poke(topic_of_lobby(ticket.project_id, ticket.activity), to=ticket.annotator_id))


def everybody_at(annotation: int) -> None:
    """Something beside shared work (the key of its annotation) has changed for all who are at it: poke them."""
    _after_commit(Poke(topic_of_work(annotation), beside=True))


def everybody_in(project: int, activity: str) -> None:
    """A lobby has changed for all who are in it: poke them."""
    _after_commit(Poke(topic_of_lobby(project, activity)))


def room(row: int, *, by: User) -> None:
    """Something has changed in the meeting of a judging round (its key): poke everybody else who is there."""
    _after_commit(Poke(topic_of_room(row), but=by.pk))


def _after_commit(poke: Poke) -> None:
    for subscriber in _subscribers:
        transaction.on_commit(partial(subscriber, poke), robust=True)
