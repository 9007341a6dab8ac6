"""What a person and the leads of a project wrote to each other, as that person sees it. Leads are not named."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from annotation import randomness, registry
from annotation.models import Item, Message, Project, User
from tasks.models import Assignment
from tasks.people import messages


@dataclass(frozen=True)
class MessageLine:
    """A message: by a lead or by the person, about the item that they named, if any."""

    number: int
    from_lead: bool
    text: str
    at: datetime
    about: str


@dataclass(frozen=True)
class UnreadMessages:
    """What leads of a project wrote that the person has not read yet: the texts, and the last one's number."""

    project: str
    slug: str
    texts: list[str]
    at: datetime
    upto: int


def as_written(sent: str) -> str:
    """The text of a message as it is stored: with Unix line breaks, and no white space around it."""
    return sent.replace("\r\n", "\n").strip()


def thread(project: Project, person: User) -> dict[str, Any]:
    """Their messages, oldest first; `unread`: the number of the last one that they have not read, or 0."""
    rows, new = messages.messages_with(project, person), messages.unread_by(person, project).last()
    return {
        "lines": [MessageLine(row.number, row.from_lead, row.text, row.at, _caption(row.item)) for row in rows],
        "unread": new.number if new is not None else 0,
        "key": randomness.handle(),
        "longest": Message.LONGEST,
    }


def prompt(about: Assignment | None) -> str:
    """What the work is about, as the person sees it; "" for none."""
    return _caption(about.task.item) if about is not None else ""


def unread(user: User) -> list[UnreadMessages]:
    """What leads wrote to them, by project."""
    found: dict[str, UnreadMessages] = {}
    for row in messages.unread_by(user):
        project = row.thread.project
        before = found.get(project.slug)
        texts = [*(before.texts if before else []), row.text]
        found[project.slug] = UnreadMessages(project.title, project.slug, texts, row.at, row.number)
    return list(found.values())


def _caption(item: Item | None) -> str:
    return registry.get(item.project.protocol).caption(item.kind, item.payload) if item is not None else ""
