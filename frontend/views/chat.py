"""The side chat of a pair: its script fetches what is new, and posts messages; a lead answers from the item's page."""

from __future__ import annotations

import uuid as uuids

from django.http import HttpResponse
from django.shortcuts import redirect

from annotation import clock
from frontend import access
from frontend.leads.board.asked import after_deciding
from frontend.requests import AuthedRequest, action_view, form_view
from frontend.work import chat
from frontend.work.forms import tokens


@form_view
def messages(request: AuthedRequest, uuid: uuids.UUID) -> HttpResponse:
    """GET the messages after the number in the query; POST one, and get those after the number in the form."""
    assignment = access.own_shared_assignment(request.user, uuid)
    if request.method == "POST":
        after = tokens.number_of(request, "after")
        return chat.write(request, assignment, after=after, now=clock.now())
    return chat.fragment(request, assignment, after=tokens.whole_number(request.GET.get("after", "")))


@action_view
def answer(request: AuthedRequest, slug: str, item_id: int, annotation: uuids.UUID) -> HttpResponse:
    """A lead answers what was asked, or settles it without an answer."""
    row = access.led_chat(request.user, slug, item_id, annotation)
    chat.answer(request, row, now=clock.now())
    return redirect(after_deciding(request.POST, slug, item_id, place=f"#chat-{row.uuid}"))
