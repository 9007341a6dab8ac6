"""Predictions of models, for leads: the sets of a project, and a new one."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation import clock, registry
from annotation.errors import NotFound
from annotation.judging.predictions import AddedSet
from frontend import access
from frontend.leads.judging.predictions import PredictionsForm, prediction_page
from frontend.requests import AuthedRequest


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def index(request: AuthedRequest, slug: str) -> HttpResponse:
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
