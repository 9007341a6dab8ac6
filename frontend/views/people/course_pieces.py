"""Blocks and items of the draft of a course: written, arranged, deleted, read in as a list, taken from the work."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import clock, events
from annotation.errors import WrongMove
from annotation.setup.schema import SetupRefused
from frontend import access
from frontend.courses.shown import by_sha256
from frontend.leads.courses import arranging, item_form, overview, real_pages
from frontend.leads.courses.forms import BlockForm, DraftForm, ManyItemsForm
from frontend.leads.courses.item_form import ItemForm
from frontend.leads.courses.real_pages import ItemPlace
from frontend.requests import AuthedRequest, action_view, file_view, form_view, page_view
from qualification import tries
from qualification.courses import editing, pictures, pieces
from qualification.courses.content import Course
from qualification.courses.real_items import RealItem
from qualification.models import CourseVersion


@form_view
def new_block(request: AuthedRequest, slug: str, qualification: str) -> HttpResponse:
    """Add a block at the end."""
    draft = access.led_draft(request.user, slug, qualification)
    return _block(request, draft, "")


@form_view
def change_block(request: AuthedRequest, slug: str, qualification: str, block: str) -> HttpResponse:
    """Change a block; one that was deleted meanwhile can be saved anew."""
    return _block(request, access.led_draft(request.user, slug, qualification), block)


@page_view
def part_items(request: AuthedRequest, slug: str, qualification: str, part: str) -> HttpResponse:
    """The items of the tutorial or of a pool."""
    draft = access.led_draft(request.user, slug, qualification)
    context = overview.part_context(draft, part) | {"work": real_pages.lists_for(draft.qualification, part)}
    return render(request, "people/course/part.html", context)


@form_view
def new_item(request: AuthedRequest, slug: str, qualification: str, part: str) -> HttpResponse:
    """Add an item at the end of a part."""
    return _item(request, access.led_draft(request.user, slug, qualification), part, "")


@form_view
def item(request: AuthedRequest, slug: str, qualification: str, part: str, piece: str) -> HttpResponse:
    """Change an item; one of multiple choice that was deleted meanwhile can be saved anew."""
    draft = access.led_draft(request.user, slug, qualification)
    real = find_real(draft, part, piece)
    if real is None:
        return _item(request, draft, part, piece)
    place = real_pages.place_of(draft, part, real)
    return real_item(request, place) if place else gone(request, draft, part, real)


@file_view
def picture(request: AuthedRequest, slug: str, qualification: str, sha256: str) -> HttpResponse:
    """A picture that the project has for its courses."""
    return by_sha256(access.led_qualification(request.user, slug, qualification).project, sha256)


@action_view
def arrange(request: AuthedRequest, slug: str, qualification: str, part: str) -> HttpResponse:
    """Move, copy or delete a piece of a part."""
    draft = access.led_draft(request.user, slug, qualification)
    how, key = arranging.act_of(request.POST)
    edits = arranging.edits_of(request.POST)
    done = arranging.arrange(draft, part, key, how, edits=edits, by=request.user)
    if done.event is not None:
        words = _("“%(title)s” is deleted.") % {"title": editing.title_of_piece(done.piece)}
        address = reverse("bring_back_piece", args=[slug, qualification, done.event.pk])
        messages.success(request, words, extra_tags=f"undo {address}")
        return redirect(arranging.part_url(draft.qualification, part))
    return redirect(arranging.part_url(draft.qualification, part, done.piece.key))


@form_view
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
                status = arranging.save(draft, form, arranging.adding(part, read), by=request.user, **about)
        except SetupRefused as refused:
            wrong, status = arranging.places_in_words(refused.wrong), 422
    if status is None:
        n = context["n"]
        undo = reverse("bring_back_piece", args=[slug, qualification, made[-1].pk])
        words = ngettext("%(n)s item is added.", "%(n)s items are added.", n) % {"n": n}
        messages.success(request, words, extra_tags=f"undo {undo}")
        return redirect(arranging.part_url(draft.qualification, part))
    return render(request, "people/course/many.html", context | {"form": form, "wrong": wrong}, status=status)


def _block(request: AuthedRequest, draft: CourseVersion, key: str) -> HttpResponse:
    before = arranging.found_piece(draft, pieces.BLOCKS, key, may_be_gone=request.method == "POST")
    asked = {"mark": request.GET["mark"]} if "mark" in request.GET else {}
    form: DraftForm = BlockForm(initial=BlockForm.values_of(before) | asked | {"edits": draft.edits})
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
    form: ItemForm = ItemForm(initial=ItemForm.values_of(before) | {"edits": draft.edits})
    context: dict[str, Any] = overview.part_context(draft, part) | {"key": key, "before": before}
    status: int | None = 200
    only_pictures = False
    if request.method == "POST":
        sent, go = (
            item_form.sent_item(request, draft.qualification.project, now=clock.now()),
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
                return redirect(again if go == "another" else arranging.part_url(draft.qualification, part))
    context |= {"form": form, "refused": status != 200 and not only_pictures}
    context |= item_form.pictures_in_form(draft.qualification, form)
    return render(request, "people/course/item.html", context, status=status)


def _where(draft: CourseVersion) -> tuple[str, str]:
    return draft.qualification.project.slug, draft.qualification.key


@form_view
def references(
    request: AuthedRequest, slug: str, qualification: str, part: str, activity: str, item_id: int
) -> HttpResponse:
    """Choose the references of an item, and add it at the end of a part."""
    draft, item = access.led_draft(request.user, slug, qualification), access.led_item(request.user, slug, item_id)
    return real_item(request, real_pages.new_place(draft, part, item, activity))


@action_view
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
