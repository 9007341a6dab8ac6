"""Judging rounds for leads: the list, the page of one, the seal."""

from __future__ import annotations

import uuid as uuids

import orjson
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation import clock, registry
from annotation.errors import NotFound, WrongMove
from annotation.judging import rounds
from frontend import access, downloads
from frontend.leads.judging import pages, results, sealing
from frontend.leads.judging.result_files import ResultFiles
from frontend.requests import AuthedRequest


@login_required
@never_cache
@require_GET
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """The rounds of a project."""
    project = access.led_project(request.user, slug)
    kinds = registry.get(project.protocol).exhibits
    return render(request, "judging/rounds.html", {"project": project, "rows": pages.list_of(project), "kinds": kinds})


@login_required
@never_cache
@require_GET
def show(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """A round: what would be sealed, who is how far, or the results."""
    row = access.led_round(request.user, slug, uuid)
    return render(request, "judging/led_round.html", pages.page_of(row, by=request.user))


@login_required
@never_cache
@require_GET
def results_csv(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """Every figure of the results at full precision."""
    found = _results(request, slug, uuid)
    return downloads.table_response(ResultFiles(found).table(), filename=f"{found.file_name}.csv")


@login_required
@never_cache
@require_GET
def results_json(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """What was sealed and what was found."""
    found = _results(request, slug, uuid)
    body = orjson.dumps(ResultFiles(found).as_json(), option=orjson.OPT_INDENT_2) + b"\n"
    return _file(body, f"{found.file_name}.json", "application/json")


@login_required
@never_cache
@require_GET
def results_svg(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """The picture of the shares."""
    found = _results(request, slug, uuid)
    body = render_to_string("project/plot.svg", {"plot": found.plot, "title": found.row.title})
    return _file(body, f"{found.file_name}.svg", "image/svg+xml")


def _results(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> results.KeptResults:
    found = results.of_page(access.led_results(request.user, slug, uuid))
    if found is None:
        raise NotFound
    return found


def _file(body: bytes | str, name: str, content_type: str) -> HttpResponse:
    disposition = f'attachment; filename="{name}"'
    return HttpResponse(body, content_type=content_type, headers={"Content-Disposition": disposition})


@login_required
@require_POST
def seal(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """Seal a draft."""
    row = access.led_round(request.user, slug, uuid)
    try:
        if sealing.seal(row, by=request.user, now=clock.now()):
            messages.success(request, _("Sealed. Its raters find it on their home pages."))
    except WrongMove as why:
        messages.error(request, _(why.message))
    return redirect("judging_round", slug, uuid)


@login_required
@require_POST
def discard(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """Remove a draft."""
    row = access.led_round(request.user, slug, uuid)
    try:
        rounds.discard(row, by=request.user, now=clock.now())
    except WrongMove as why:
        messages.error(request, _(why.message))
        return redirect("judging_round", slug, uuid)
    messages.success(request, _("The draft is removed."))
    return redirect("judging_rounds", slug)
