"""Blocks and items of the draft of a course: written, arranged, copied, deleted, and read in as a list."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation import clock, events
from annotation.setup.schema import SetupRefused
from frontend import access
from frontend.courses.shown import by_sha256
from frontend.leads.courses import arranging, choosing, item_pictures, overview, real_pages, saving
from frontend.leads.courses.forms import BlockForm, DraftForm, ManyItemsForm
from frontend.leads.courses.item_form import ItemForm
from frontend.requests import AuthedRequest
from frontend.views.people import course_real_items as real_items
from qualification.courses import editing, pictures, pieces
from qualification.courses.content import Course
from qualification.models import CourseVersion


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def new_block(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """Add a block at the end."""
    draft = access.led_draft(request.user, slug, qualification)
    return _block(request, draft, "")


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def change_block(request: AuthedRequest, slug: str, qualification: str, block: str) -> HttpResponse:
    """Change a block; one that was deleted meanwhile can be saved anew."""
    return _block(request, access.led_draft(request.user, slug, qualification), block)


@login_required
@never_cache
@require_GET
def part_items(request: AuthedRequest, slug: str, qualification: str, part: str) -> HttpResponse:
    """The items of the tutorial or of a pool."""
    draft = access.led_draft(request.user, slug, qualification)
    context = overview.part_context(draft, part) | {"work": choosing.lists_for(draft.qualification, part)}
    return render(request, "people/course/part.html", context)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def new_item(request: AuthedRequest, slug: str, qualification: str, part: str) -> HttpResponse:
    """Add an item at the end of a part."""
    return _item(request, access.led_draft(request.user, slug, qualification), part, "")


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def item(request: AuthedRequest, slug: str, qualification: str, part: str, piece: str) -> HttpResponse:
    """Change an item; one of multiple choice that was deleted meanwhile can be saved anew."""
    draft = access.led_draft(request.user, slug, qualification)
    real = real_items.find_real(draft, part, piece)
    if real is None:
        return _item(request, draft, part, piece)
    place = real_pages.place_of(draft, part, real)
    return real_items.real_item(request, place) if place else real_items.gone(request, draft, part, real)


@login_required
@require_GET
def picture(request: AuthedRequest, slug: str, qualification: str, sha256: str) -> HttpResponse:
    """A picture that the project has for its courses."""
    return by_sha256(access.led_qualification(request.user, slug, qualification).project, sha256)


@login_required
@require_POST
def arrange(request: AuthedRequest, slug: str, qualification: str, part: str) -> HttpResponse:
    """Move, copy or delete a piece of a part."""
    draft = access.led_draft(request.user, slug, qualification)
    how, key = arranging.act_of(request.POST)
    edits = saving.edits_of(request.POST)
    done = arranging.arrange(draft, part, key, how, edits=edits, by=request.user)
    if done.event is not None:
        words = _("“%(title)s” is deleted.") % {"title": editing.title_of_piece(done.piece)}
        address = reverse("bring_back_piece", args=[slug, qualification, done.event.pk])
        messages.success(request, words, extra_tags=f"undo {address}")
        return redirect(saving.part_url(draft.qualification, part))
    return redirect(saving.part_url(draft.qualification, part, done.piece.key))


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def many(request: AuthedRequest, slug: str, qualification: str, part: str) -> HttpResponse:
    """Add the items of a list in YAML, pasted or as a file, at the end of a part."""
    draft = access.led_draft(request.user, slug, qualification)
    context = overview.part_context(draft, part)
    if request.method == "GET":
        context |= {"form": ManyItemsForm(initial={"edits": draft.edits})}
        return render(request, "people/course/many.html", context)
    form = ManyItemsForm(request.POST, request.FILES)
    wrong, status = [], None if form.is_valid() else 422
    if status is None:
        try:
            read = pieces.read_items(form.data_sent(), editing.read(draft))
            context |= {"n": len(read)}
            about = {"what": "items", "n": len(read), "added": editing.added_in(part, read)}
            pictures.take_over(
                draft.qualification.project, Course(tutorial=tuple(read)), by=request.user, now=clock.now()
            )
            with events.recorded() as made:
                status = saving.save(draft, form, arranging.adding(part, read), by=request.user, **about)
        except SetupRefused as refused:
            wrong, status = arranging.places_in_words(refused.wrong), 422
    if status is None:
        n = context["n"]
        undo = reverse("bring_back_piece", args=[slug, qualification, made[-1].pk])
        words = ngettext("%(n)s item is added.", "%(n)s items are added.", n) % {"n": n}
        messages.success(request, words, extra_tags=f"undo {undo}")
        return redirect(saving.part_url(draft.qualification, part))
    return render(request, "people/course/many.html", context | {"form": form, "wrong": wrong}, status=status)


def _block(request: AuthedRequest, draft: CourseVersion, key: str) -> HttpResponse:
    before = arranging.found_piece(draft, pieces.BLOCKS, key, may_be_gone=request.method == "POST")
    asked = {"mark": request.GET["mark"]} if "mark" in request.GET else {}
    form: DraftForm = BlockForm(initial=arranging.block_values(before) | asked | {"edits": draft.edits})
    status: int | None = 200
    if request.method == "POST":
        form = sent = BlockForm(request.POST)
        status = 422 if not sent.is_valid() else arranging.save_block(draft, sent, key, by=request.user)
        if not status:
            messages.success(request, _("Saved in the draft."))
            return redirect("course_draft", draft.qualification.project.slug, draft.qualification.key)
    context = overview.draft_context(draft) | {"form": form, "before": before, "key": key, "refused": status != 200}
    return render(request, "people/course/block.html", context, status=status)


def _item(request: AuthedRequest, draft: CourseVersion, part: str, key: str) -> HttpResponse:
    before = arranging.found_piece(draft, part, key, may_be_gone=request.method == "POST")
    form: ItemForm = ItemForm(initial=arranging.item_values(before) | {"edits": draft.edits})
    context: dict[str, Any] = overview.part_context(draft, part) | {"key": key, "before": before}
    status: int | None = 200
    only_pictures = False
    if request.method == "POST":
        sent, go = (
            item_pictures.sent_item(request, draft.qualification.project, now=clock.now()),
            request.POST.get("go"),
        )
        form, only_pictures = ItemForm(sent.fields), sent.only_pictures
        status = 200 if not sent.refused and (only_pictures or form.is_valid()) else 422
        context |= {"picture_refused": sent.refused}
        if status == 200 and go == "preview":
            context |= {"previewed": form.item("preview")}
        elif status == 200 and not only_pictures:
            status = arranging.save_item(draft, form, part, key, by=request.user)
            if not status:
                messages.success(request, _("Saved in the draft."))
                again = reverse("new_course_item", args=[*_where(draft), part])
                return redirect(again if go == "another" else saving.part_url(draft.qualification, part))
    context |= {"form": form, "refused": status != 200 and not only_pictures}
    context |= item_pictures.in_form(draft.qualification, form)
    return render(request, "people/course/item.html", context, status=status)


def _where(draft: CourseVersion) -> tuple[str, str]:
    return draft.qualification.project.slug, draft.qualification.key
