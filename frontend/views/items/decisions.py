"""A lead's decisions, each with a reason: exclude finished work, include it again, send it back, and about cases."""

from __future__ import annotations

import uuid as uuids
from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import clock, events
from annotation.engine import exclusion
from annotation.errors import NotFound
from annotation.models import CaseState, Item
from frontend import access
from frontend.leads.board.asked import after_deciding
from frontend.leads.items import undoing
from frontend.requests import AuthedRequest, action_view
from tasks import corrections
from tasks.corrections import more_annotations
from tasks.items import reports, setting_aside


@action_view
def exclude(request: AuthedRequest, slug: str, item_id: int, annotation: uuids.UUID) -> HttpResponse:
    """Exclude one annotation from later releases."""
    row = access.led_annotation(request.user, slug, item_id, annotation)
    act = partial(exclusion.exclude, row.item.project, uuids=[row.uuid])
    return _decided(request, row.item, act, _("Excluded. Frozen releases keep it; you can include it again."))


@action_view
def replace(request: AuthedRequest, slug: str, item_id: int, annotation: uuids.UUID) -> HttpResponse:
    """Exclude one annotation, and have somebody else do the item in its place."""
    row = access.led_annotation(request.user, slug, item_id, annotation)
    act = partial(more_annotations.replace, row)
    return _decided(request, row.item, act, _("Excluded. Somebody else will be given its place."))


@action_view
def restore(request: AuthedRequest, slug: str, item_id: int, annotation: uuids.UUID) -> HttpResponse:
    """Include one annotation again."""
    row = access.led_annotation(request.user, slug, item_id, annotation)
    act = partial(exclusion.restore, row.item.project, uuids=[row.uuid])
    return _decided(request, row.item, act, _("Included again. The next release can contain it."))


@action_view
def reopen(request: AuthedRequest, slug: str, item_id: int, annotation: uuids.UUID) -> HttpResponse:
    """Send finished work back to its author."""
    row = access.led_annotation(request.user, slug, item_id, annotation)
    act = partial(corrections.reopen, row.item.project, row.uuid)
    message = _("Sent back to %(who)s, who is offered it before anything else.")
    return _decided(request, row.item, act, lambda opened: message % {"who": opened.annotator.worker_code})


@action_view
def take_back_reopening(request: AuthedRequest, slug: str, item_id: int, annotation: uuids.UUID) -> HttpResponse:
    """Take work that was sent back away from its author again."""
    row = access.led_annotation(request.user, slug, item_id, annotation)
    act = partial(corrections.take_back_reopening, row.item.project, row.uuid)
    return _decided(request, row.item, act, _("It is finished as it was. You can send it back again."))


@action_view
def exclude_all(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """Exclude every finished annotation of an item from later releases."""
    item = access.led_item(request.user, slug, item_id)

    def message(rows: list[Any]) -> str:
        n = len(rows)
        return ngettext("%(n)s annotation is excluded.", "%(n)s annotations are excluded.", n) % {"n": n}

    return _decided(request, item, partial(exclusion.exclude, item.project, item=item), message)


@action_view
def restore_all(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """Include the excluded annotations of an item again."""
    item = access.led_item(request.user, slug, item_id)

    def message(rows: list[Any]) -> str:
        n = len(rows)
        return ngettext("%(n)s annotation is included again.", "%(n)s annotations are included again.", n) % {"n": n}

    return _decided(request, item, partial(exclusion.restore, item.project, item=item), message)


@action_view
def decide_case(request: AuthedRequest, slug: str, item_id: int, case: int, to: str) -> HttpResponse:
    """Uphold or dismiss a flag, accept short work or leave it out, or take that back."""
    row = access.led_case(request.user, slug, item_id, case)
    if to not in CaseState.values:
        raise NotFound
    message = _("Taken back. It waits for a decision again.") if to == CaseState.OPEN else _("Decided.")
    return _decided(request, row.annotation.item, partial(reports.decide, row, CaseState(to)), message)


@action_view
def bring_back(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """Take the withdrawal of an item back."""
    item = access.led_item(request.user, slug, item_id)
    message = _("Brought back. People are given it again.")
    return _decided(request, item, partial(reports.bring_back, item), message)


@action_view
def cancel(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """Withdraw the item and those under it; finished answers stay."""
    item = access.led_item(request.user, slug, item_id)
    return _decided(request, item, partial(reports.cancel, item), _("Withdrawn. No one will get it any more."))


@action_view
def set_aside(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """Set an item aside for an exam, with its root and all under that."""
    item = access.led_item(request.user, slug, item_id)
    message = _("Set aside. Nobody is given it to work on, and it counts in no figure.")
    return _decided(request, item, partial(setting_aside.set_aside, [item]), message)


@action_view
def return_to_work(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """Return it to the work."""
    item = access.led_item(request.user, slug, item_id)
    message = _("Returned. People are given it again.")
    return _decided(request, item, partial(setting_aside.return_to_work, [item]), message)


@action_view
def ask_for_more(request: AuthedRequest, slug: str, item_id: int, task: int) -> HttpResponse:
    """Ask for more annotations of an item than were wanted."""
    row, sent = access.led_task(request.user, slug, item_id, task), request.POST.get("count", "")
    count = int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 4 else 0
    with events.recorded() as decided:
        more_annotations.ask_for_more(row, count=count, by=request.user, now=clock.now())
    tag = undoing.tag_of(row.item.project, decided)
    message = ngettext("%(n)s more annotation is wanted.", "%(n)s more annotations are wanted.", count)
    messages.success(request, message % {"n": count}, extra_tags=tag)
    return redirect(after_deciding(request.POST, slug, item_id))


@action_view
def ask_for_no_more(request: AuthedRequest, slug: str, item_id: int, task: int) -> HttpResponse:
    """Take back what was asked for last, while nobody has begun it."""
    more_annotations.take_back(access.led_task(request.user, slug, item_id, task), by=request.user, now=clock.now())
    messages.success(request, _("Taken back. Nobody is given it for that any more."))
    return redirect(after_deciding(request.POST, slug, item_id))


def _decided(
    request: AuthedRequest, item: Item, act: Callable[..., Any], message: str | Callable[[Any], str]
) -> HttpResponse:
    """Carry the decision out with its reason; the message about it, said of the result, can undo it if anything can."""
    with events.recorded() as decided:
        result = act(by=request.user, reason=request.POST.get("reason", ""), now=clock.now())
    tag = undoing.tag_of(item.project, decided)
    messages.success(request, message if isinstance(message, str) else message(result), extra_tags=tag)
    return redirect(after_deciding(request.POST, item.project.slug, item.pk))


@action_view
def undo(request: AuthedRequest, slug: str, first: int, last: int) -> HttpResponse:
    """Undo what this person decided a moment ago."""
    project = access.led_project(request.user, slug)
    undoing.undo(project, first, last, by=request.user, now=clock.now())
    messages.success(request, _("Undone."))
    return redirect(_came_from(request) or reverse("items", args=[slug]))


def _came_from(request: AuthedRequest) -> str:
    """The path of the page with the button, if it is one of this site."""
    to = request.POST.get("to", "")
    return to if url_has_allowed_host_and_scheme(to, allowed_hosts=None) else ""
