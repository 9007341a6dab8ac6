"""What a lead chooses for a judging round before its seal: a new one, another choice, the definitions."""

from __future__ import annotations

import uuid as uuids

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation import clock, registry
from annotation.engine import loading
from annotation.errors import NotFound
from annotation.judging import rounds
from annotation.models import JudgingRound, Project, RoundState
from frontend import access
from frontend.leads.judging import exhibits, pages, rubric_rows
from frontend.leads.judging.forms import RoundForm, choices_of, first_choices, kind_cards, usual_choices
from frontend.leads.judging.rubric_rows import RubricRows
from frontend.requests import AuthedRequest, answer_view, page_view
from frontend.views.telling import refusal_told
from frontend.work import frames
from frontend.work.csp import allow_frame

USUAL, SAVE = "usual", "save"
"""What a button asks for in place of a page of its own."""


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: AuthedRequest, slug: str) -> HttpResponse:
    """The choices of a new round; POST makes a draft of it."""
    project = access.led_project(request.user, slug)
    if not registry.get(project.protocol).exhibits:
        raise NotFound
    form = _form(request, project, first_choices(project, request.GET.get("kind", "")))
    if not form.is_bound or not form.is_valid():
        return _choices(request, project, form)
    row = pages.make(project, form, by=request.user, now=clock.now())
    return redirect("judging_round", slug, row.uuid)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def change(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """The choices of a draft; POST changes them."""
    row = _draft(request, slug, uuid)
    form = _form(request, row.project, choices_of(row), row=row)
    if not form.is_bound or not form.is_valid():
        return _choices(request, row.project, form)
    with refusal_told(request):
        pages.change(row, form, by=request.user, now=clock.now())
    return redirect("judging_round", slug, uuid)


def _draft(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> JudgingRound:
    """A draft of a project that the person leads, or NotFound: what is sealed has no form."""
    row = access.led_round(request.user, slug, uuid)
    if row.state != RoundState.DRAFT:
        raise NotFound
    return row


def _form(
    request: AuthedRequest, project: Project, first: dict[str, object], row: JudgingRound | None = None
) -> RoundForm:
    """The form as it was sent; as it is at first; or with what is usual for the kind, if that was asked for."""
    if request.method != "POST":
        return RoundForm(project, initial=first, row=row)
    form = RoundForm(project, request.POST, row=row)
    if request.POST.get("go") == USUAL:
        return RoundForm(project, initial=usual_choices(project, form), row=row)
    return form


def _choices(request: AuthedRequest, project: Project, form: RoundForm) -> HttpResponse:
    cards = kind_cards(project, form["kind"].value())
    page = {
        "project": project,
        "form": form,
        "round": form.row,
        "cards": cards,
        "refused": form.is_bound,
        "estimate": form.estimate,
    }
    return render(request, "judging/new.html", page, status=422 if form.is_bound else 200)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def rubric(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """The definitions of a draft as rows; POST adds or moves one, or keeps them all."""
    row = _draft(request, slug, uuid)
    before = rounds.rubric_of(row)
    if request.method != "POST":
        return _rubric(request, row, rubric_rows.begun_from(row.project, request.GET.get("from", ""), before))
    rows = rubric_rows.rows_sent(request.POST)
    if (go := request.POST.get("go", SAVE)) != SAVE:
        rows.arrange(go)
        return _rubric(request, row, rows)
    made = rows.rubric(before)
    if made is None:
        return _rubric(request, row, rows)
    with refusal_told(request):
        rounds.change(row, by=request.user, now=clock.now(), rubric=made)
    return redirect("judging_round", slug, uuid)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def preview(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """Three exhibits as raters will see them; POST draws others."""
    row = _draft(request, slug, uuid)
    if request.method == "POST":
        with refusal_told(request):
            exhibits.draw_others(row, by=request.user, now=clock.now())
        return redirect("judging_preview", slug, uuid)
    return allow_frame(request, render(request, "judging/preview.html", exhibits.preview_page(row)))


@page_view
def preview_frame(request: AuthedRequest, slug: str, uuid: uuids.UUID, place: int) -> HttpResponse:
    """The sandboxed document with the box of a previewed exhibit."""
    found = exhibits.previewed_at(_draft(request, slug, uuid), place)
    if found is None or found.shown.box is None:
        raise NotFound
    box = found.shown.box
    rendering = loading.item_record(found.item).documents[box.document].rendering(box.candidate)
    return frames.read_document(request, rendering, box.words, {}, source="")


@answer_view
def estimate(request: AuthedRequest, slug: str) -> HttpResponse:
    """What the choices of a form would draw: asked again while they are made."""
    project = access.led_project(request.user, slug)
    if not registry.get(project.protocol).exhibits:
        raise NotFound
    form = RoundForm(project, request.POST)
    return render(request, "judging/_estimated.html", {"estimate": form.estimate})


def _rubric(request: AuthedRequest, row: JudgingRound, rows: RubricRows) -> HttpResponse:
    kinds = registry.get(row.project.protocol).exhibits
    page = {"project": row.project, "round": row, "rows": rows, "kinds": kinds, "longest": rubric_rows}
    return render(request, "judging/rubric.html", page, status=422 if rows.is_refused else 200)
