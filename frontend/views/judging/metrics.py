"""How metrics go with the scores of a round, for leads: the page, its files, and a file of further metrics."""

from __future__ import annotations

import uuid as uuids

import orjson
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation import clock
from annotation.errors import NotFound, WrongMove
from annotation.models import JudgingRound
from frontend import access, downloads
from frontend.access.projects import or_not_found
from frontend.leads.judging import metrics
from frontend.requests import AuthedRequest, action_view, page_view
from tasks.measuring import answer_metrics


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """The correlations, tests and weights; POST takes a file of further metrics."""
    row = _round(request, slug, uuid)
    faults: tuple[str, ...] = ()
    if request.method == "POST":
        faults = _taken(request, row)
        if not faults:
            return redirect("answer_metrics", slug, uuid)
    page = {"project": row.project, "round": row, "found": metrics.of_page(row), "waits": metrics.waits(row)}
    return render(request, "judging/metrics.html", page | {"faults": faults}, status=422 if faults else 200)


def _taken(request: AuthedRequest, row: JudgingRound) -> tuple[str, ...]:
    """Keep the metrics of the file that was sent; what is wrong with it, in sentences."""
    file = request.FILES.get("file")
    if file is None or file.size is None:
        return (_("Choose a file."),)
    if file.size > metrics.LARGEST:
        return (_("The file is larger than 4 MB."),)
    read = metrics.read_columns(row, file.read())
    if read.faults:
        return tuple(read.faults)
    try:
        answer_metrics.keep_uploaded(row, read.columns, by=request.user, now=clock.now())
    except WrongMove as why:
        return (_(why.message),)
    messages.success(request, _("The metrics are there. A job compares them with the scores."))
    return ()


@action_view
def remove(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """Remove an uploaded metric."""
    row = _round(request, slug, uuid)
    answer_metrics.remove_uploaded(row, request.POST.get("name", ""), by=request.user, now=clock.now())
    return redirect("answer_metrics", slug, uuid)


@page_view
def template_csv(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """The exhibits with their places: the file to which a metric is added."""
    row = _round(request, slug, uuid)
    right = downloads.right_to(request.user, row.project)
    return downloads.table_response(metrics.template_table(row), filename="exhibits.csv", right=right)


@page_view
def figures_csv(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """Every figure of the page at full precision."""
    return downloads.table_response(_kept(request, slug, uuid).table(), filename="metrics.csv")


@page_view
def figures_json(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> HttpResponse:
    """The same with what was sealed."""
    body = orjson.dumps(_kept(request, slug, uuid).as_json(), option=orjson.OPT_INDENT_2) + b"\n"
    headers = {"Content-Disposition": 'attachment; filename="metrics.json"'}
    return HttpResponse(body, content_type="application/json", headers=headers)


def _round(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> JudgingRound:
    row = access.led_results(request.user, slug, uuid)
    if row.sealed_at is None or not answer_metrics.has_scores(row):
        raise NotFound
    return row


def _kept(request: AuthedRequest, slug: str, uuid: uuids.UUID) -> metrics.KeptMetrics:
    return or_not_found(metrics.of_page(_round(request, slug, uuid)))
