"""Judging rounds for leads: the list, the page of one, the seal, and the predictions that are judged."""

from __future__ import annotations

import uuid as uuids

import orjson
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation import clock, registry
from annotation.errors import NotFound
from annotation.judging import rounds
from annotation.judging.predictions import AddedSet
from frontend import access, downloads
from frontend.access.projects import or_not_found
from frontend.leads.judging import pages, results
from frontend.leads.judging.predictions import PredictionsForm, prediction_page
from frontend.leads.judging.result_files import ResultFiles
from frontend.requests import AuthedRequest, action_view, page_view
from frontend.views.telling import refusal_told


@page_view
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """The rounds of a project."""
    project = access.led_project(request.user, slug)
    kinds = registry.get(project.protocol).exhibits
    return render(request, "judging/rounds.html", {"project": project, "rows": pages.list_of(project), "kinds": kinds})


@page_view
def show(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """A round: what would be sealed, who is how far, or the results."""
    row = access.led_round(request.user, slug, uuid)
    return render(request, "judging/led_round.html", pages.page_of(row, by=request.user))


@page_view
def results_csv(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """Every figure of the results at full precision."""
    found = _results(request, slug, uuid)
    return downloads.table_response(ResultFiles(found).table(), filename=f"{found.file_name}.csv")


@page_view
def results_json(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """What was sealed and what was found."""
    found = _results(request, slug, uuid)
    body = orjson.dumps(ResultFiles(found).as_json(), option=orjson.OPT_INDENT_2) + b"\n"
    return _file(body, f"{found.file_name}.json", "application/json")


@page_view
def results_svg(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """The picture of the shares."""
    found = _results(request, slug, uuid)
    body = render_to_string("project/plot.svg", {"plot": found.plot, "title": found.row.title})
    return _file(body, f"{found.file_name}.svg", "image/svg+xml")


def _results(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> results.KeptResults:
    return or_not_found(results.of_page(access.led_results(request.user, slug, uuid)))


def _file(body: bytes | str, name: str, content_type: str) -> HttpResponse:
    disposition = f'attachment; filename="{name}"'
    return HttpResponse(body, content_type=content_type, headers={"Content-Disposition": disposition})


@action_view
def seal(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """Seal a draft."""
    row = access.led_round(request.user, slug, uuid)
    with refusal_told(request):
        if pages.seal(row, by=request.user, now=clock.now()):
            messages.success(request, _("Sealed. Its raters find it on their home pages."))
    return redirect("judging_round", slug, uuid)


@action_view
def discard(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """Remove a draft."""
    row = access.led_round(request.user, slug, uuid)
    following = redirect("judging_round", slug, uuid)
    with refusal_told(request):
        rounds.discard(row, by=request.user, now=clock.now())
        messages.success(request, _("The draft is removed."))
        following = redirect("judging_rounds", slug)
    return following


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def predictions(request: AuthedRequest, slug: str) -> HttpResponse:
    """The sets and the form; POST keeps the answers of a file."""
    project = access.led_project(request.user, slug)
    if not registry.get(project.protocol).exhibits:
        raise NotFound
    sent = request.method == "POST"
    form = PredictionsForm(project, *((request.POST, request.FILES) if sent else ()))
    added = form.add(by=request.user, now=clock.now()) if sent and form.is_valid() else None
    if added is None:
        return render(request, "judging/predictions.html", prediction_page(project, form), status=422 if sent else 200)
    messages.success(request, _said_of(added))
    return redirect("predictions", slug)


def _said_of(added: AddedSet) -> str:
    kept = ngettext("%(n)s answer is kept.", "%(n)s answers are kept.", added.kept) % {"n": added.kept}
    if not added.left_out:
        return kept
    left = _("%(n)s to items that are not there were left out.") % {"n": added.left_out}
    return f"{kept} {left}"
