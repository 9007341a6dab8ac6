"""The side chat as the people of a pair see it: who said what is told by seats, never by name."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from annotation.errors import NotFound, PayloadInvalid, Problem
from annotation.models import Annotation, User
from frontend.errors import translated
from frontend.requests import AuthedRequest
from tasks.models import Assignment, ChatMessage
from tasks.models.states import AssignmentState
from tasks.pairs import side_chat

NEWEST = "X-Chat"
"""The response header with the number of the last message, by which the script knows whether to fetch any."""
FULL = _("Write a message of at most 500 characters.")


class MessageField(forms.CharField):
    """A text whose line breaks count as one character each, as in the browser."""

    def to_python(self, value: Any) -> Any:
        """The text with Unix line breaks, without white space around it."""
        return super().to_python(value.replace("\r\n", "\n") if value else value)


class MessageForm(forms.Form):
    """What the page of a pair, or of a lead, posts."""

    text = MessageField(max_length=ChatMessage.LONGEST, error_messages={"required": FULL, "max_length": FULL})
    key = forms.UUIDField()
    to_lead = forms.BooleanField(required=False)

    @property
    def why_not(self) -> str:
        """What is wrong with it, in a sentence."""
        return " ".join(str(line) for lines in self.errors.values() for line in lines)


@dataclass(frozen=True)
class ChatLine:
    """A message as shown. `who`: `me`, `partner` or `lead`; `key`: of one's own, by which the script knows it again."""

    number: int
    who: str
    at: datetime
    text: str
    to_lead: bool
    key: uuid.UUID | None


def lines_after(assignment: Assignment, *, reader: User, after: int) -> list[ChatLine]:
    """The messages after that number, in order; NotFound once the work is over."""
    if assignment.state != AssignmentState.LEASED:
        raise NotFound
    return [_line(message, reader=reader) for message in side_chat.messages(assignment.annotation, after=after)]


def fragment(request: AuthedRequest, assignment: Assignment, *, after: int) -> HttpResponse:
    """The same for the script of a page."""
    lines = lines_after(assignment, reader=request.user, after=after)
    response = render(request, "work/_chat_lines.html", {"lines": lines})
    response[NEWEST] = str(lines[-1].number if lines else after)
    return response


def write(request: AuthedRequest, assignment: Assignment, *, after: int, now: datetime) -> HttpResponse:
    """Store a message and show what is new; 422 with a sentence if it can't be stored as it is."""
    try:
        keep(assignment, request.POST, by=request.user, now=now)
    except PayloadInvalid as why:
        sentence = " ".join(str(problem.message) for problem in translated(why))
        return HttpResponse(sentence, status=422, content_type="text/plain; charset=utf-8")
    return fragment(request, assignment, after=after)


def keep(assignment: Assignment, sent: Mapping[str, Any], *, by: User, now: datetime) -> None:
    """Store a message with the fields of the form; raises what `side_chat.write` raises."""
    side_chat.write(assignment, by=by, now=now, **_checked(sent))


def _checked(sent: Mapping[str, Any]) -> dict[str, Any]:
    form = MessageForm(sent)
    if not form.is_valid():
        raise PayloadInvalid((Problem("text", "length", form.why_not),))
    return form.cleaned_data


def answer(request: AuthedRequest, annotation: Annotation, *, now: datetime) -> None:
    """Store a lead's answer, or that none is needed; PayloadInvalid if there is no text or too much."""
    if "settle" in request.POST:
        side_chat.settle(annotation, by=request.user, now=now)
        return
    said = _checked(request.POST)
    side_chat.answer(annotation, by=request.user, text=said["text"], key=said["key"], now=now)


def _line(message: ChatMessage, *, reader: User) -> ChatLine:
    mine = message.author_id == reader.pk
    return ChatLine(
        number=message.number,
        who="me" if mine else "partner" if message.seat else "lead",
        at=message.at,
        text=message.text,
        to_lead=message.to_lead,
        key=message.key if mine else None,
    )
