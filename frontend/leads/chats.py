"""Side chats as leads see them: what they were asked, and on an item's page all of it, under codes and seats."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TypedDict
from uuid import UUID

from django.db.models import Prefetch
from django.urls import reverse
from django.utils.translation import gettext

from annotation import randomness, registry
from annotation.models import Annotation, Item, Project
from frontend.leads.items.overview import prompt_of
from tasks.models import ChatMessage
from tasks.pairs import side_chat


class MessageInChat(TypedDict):
    """A message: `who` by their code, and in which `seat`; `to_lead`: a lead was asked."""

    who: str
    seat: str
    at: datetime
    text: str
    to_lead: bool


class ChatAnswer(TypedDict):
    """Where an answer in a chat goes, and an idempotency key for it."""

    url: str
    key: UUID


class AskedInChat(MessageInChat, ChatAnswer):
    """What a lead was asked, about which item, in which chat."""

    item: int
    chat: UUID
    prompt: str


class ChatOfPair(ChatAnswer):
    """A chat; `asked`: a lead, who has not answered; `under_way`: the pair is still at work."""

    uuid: UUID
    lines: list[MessageInChat]
    asked: bool
    under_way: bool


def asked(project: Project, messages: Iterable[ChatMessage]) -> list[AskedInChat]:
    """What leads were asked with these messages of the project's chats, and where each answer goes."""
    return [
        {
            "item": row.annotation.item_id,
            "chat": row.annotation.uuid,
            "prompt": prompt_of(row.annotation.item),
            **_message_in_words(row, row.annotation, project),
            **_answer_to(row.annotation, project),
        }
        for row in messages
    ]


def chats_of(item: Item) -> list[ChatOfPair]:
    """The chats of the pairs who worked on the item, oldest first, each with what the lead may do about it."""
    lines = Prefetch("chat", ChatMessage.objects.select_related("author").order_by("number"))
    rows = item.annotations.filter(chat__isnull=False).distinct().order_by("opened_at", "pk")
    held = list(rows.prefetch_related(lines))
    if not held:
        return []
    waiting = {message.annotation_id for message in side_chat.asked(item.project, annotations=held)}
    under_way = side_chat.under_way(held)
    return [
        {
            "uuid": row.uuid,
            "lines": [_message_in_words(message, row, item.project) for message in row.chat.all()],
            "asked": row.pk in waiting,
            "under_way": row.pk in under_way,
            **_answer_to(row, item.project),
        }
        for row in held
    ]


def _answer_to(chat: Annotation, project: Project) -> ChatAnswer:
    return {"url": reverse("answer_chat", args=[project.slug, chat.item_id, chat.uuid]), "key": randomness.handle()}


def _message_in_words(message: ChatMessage, annotation: Annotation, project: Project) -> MessageInChat:
    activity = registry.get(project.protocol).activity(annotation.activity)
    return {
        "who": message.author.worker_code,
        "seat": gettext(activity.seat_title(message.seat)) if message.seat else gettext("A lead"),
        "at": message.at,
        "text": message.text,
        "to_lead": message.to_lead,
    }
