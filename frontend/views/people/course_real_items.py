"""Items of the work in the draft of a course: which answers are their references, written anew or taken from others."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation import clock
from annotation.errors import WrongMove
from frontend import access
from frontend.leads.courses import arranging, overview, real_pages
from frontend.leads.courses.real_pages import ItemPlace
from frontend.requests import AuthedRequest
from qualification import tries
from qualification.courses import editing, pieces
from qualification.courses.real_items import RealItem
from qualification.models import CourseVersion


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def references(
    request: AuthedRequest, slug: str, qualification: str, part: str, activity: str, item_id: int
) -> HttpResponse:
    """Choose the references of an item, and add it at the end of a part."""
    draft, item = access.led_draft(request.user, slug, qualification), access.led_item(request.user, slug, item_id)
    return real_item(request, real_pages.new_place(draft, part, item, activity))


@login_required
@require_POST
def use(request: AuthedRequest, slug: str, item_id: int) -> HttpResponse:
    """From the page of an item, with the answers that are ticked there, to that of its references in a draft."""
    item, (key, part) = (
        access.led_item(request.user, slug, item_id),
        real_pages.split_place(request.POST.get("where", "")),
    )
    qualification = access.led_qualification(request.user, slug, key)
    draft = editing.edit(qualification, by=request.user, now=clock.now())
    place = real_pages.new_place(draft, part, item, request.POST.get("activity", ""))
    return redirect(real_pages.with_answers(place.url, request.POST.getlist("answer")))


def real_item(request: AuthedRequest, place: ItemPlace) -> HttpResponse:
    """The page of an item of the work, new or in the draft, as it is asked for or sent."""
    if request.method == "GET":
        form = real_pages.real_form(place, real_pages.kept_sent(request, place.url), request.GET.getlist("answer"))
        return render(request, "people/course/real_item.html", real_pages.real_context(place, form))
    form = real_pages.real_form(place, request.POST)
    if request.POST.get("go") == "write":
        return _write(request, place)
    status = real_pages.save_real(place, form, by=request.user) if form.is_valid() else 422
    if not status:
        real_pages.forget_sent(request, place.url)
        messages.success(request, _("Saved in the draft."))
        return redirect(arranging.part_url(place.draft.qualification, place.part))
    context = real_pages.real_context(place, form) | {"refused": True}
    return render(request, "people/course/real_item.html", context, status=status)


def gone(request: AuthedRequest, draft: CourseVersion, part: str, real: RealItem) -> HttpResponse:
    """The page of an item of a draft whose item the project does not have."""
    context = overview.part_context(draft, part)
    [shown] = [each for each in context["items"] if each.item.key == real.key]
    return render(request, "people/course/real_item_gone.html", context | {"shown_item": shown})


def find_real(draft: CourseVersion, part: str, key: str) -> RealItem | None:
    """The item of the work with this key in a part of the draft."""
    row = pieces.pieces_of(editing.read(draft), part)
    return next((each for each in row if isinstance(each, RealItem) and each.key == key), None)


def _write(request: AuthedRequest, place: ItemPlace) -> HttpResponse:
    """To the work screen, to write a reference; what was typed is kept until one comes back."""
    try:
        held = tries.begin_trial(place.item, place.activity.key, by=request.user, now=clock.now())
    except WrongMove as refused:
        form = real_pages.real_form(place, request.POST)
        form.add_error(None, str(refused.message))
        context = real_pages.real_context(place, form) | {"refused": True}
        return render(request, "people/course/real_item.html", context, status=409)
    real_pages.keep_sent(request, held.uuid, place.url)
    return redirect("work", held.uuid)
