"""Home, consent and guidelines."""

from __future__ import annotations

import uuid as uuids

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from annotation import clock, membership, projects, randomness
from annotation.errors import NotFound
from annotation.worktime import fast_answers, today
from frontend import access
from frontend.markdown import as_html
from frontend.requests import AuthedRequest
from frontend.work import offers


@login_required
@never_cache
@require_GET
def index(request: AuthedRequest) -> HttpResponse:
    """Home: what the person can do now."""
    context = {
        "lost": offers.lost(request.user),
        "kept": offers.kept(request.user),
        "activities": offers.offers_for(request.user),
        "led": offers.led(request.user),
        "today": today.today_of(request.user, now=clock.now()),
    }
    return render(request, "home.html", context)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def consent(request: AuthedRequest, slug: str) -> HttpResponse:
    """Show the consent text; POST accepts it."""
    project = access.member_project(request.user, slug)
    if request.method == "POST":
        membership.accept_consent(user=request.user, project=project, now=clock.now())
        return redirect("home")
    text, _ = membership.consent_text()
    accepted = membership.has_consented(request.user, project)
    return render(request, "consent.html", {"project": project.title, "text": as_html(text), "accepted": accepted})


@login_required
@require_GET
def guidelines(request: AuthedRequest, slug: str) -> HttpResponse:
    """The current guidelines, or those in force when the assignment `of` was claimed, opened at its stage `at`."""
    project = access.member_project(request.user, slug)
    of, at = request.GET.get("of", ""), slugify(request.GET.get("at", ""))
    claimed = access.guidelines_of_work(request.user, project, of)
    version = claimed or projects.guidelines_of(project)
    if version is None:
        raise NotFound
    context = {"project": project.title, "number": version.number, "at": version.at, "text": as_html(version.text)}
    context |= {"fast_percent": round(100 * version.fast_share), "usual": fast_answers.USUAL}
    if claimed and at:
        context |= {"draft_url": reverse("draft", args=[uuids.UUID(of), at]), "client": randomness.handle()}
    return render(request, "guidelines.html", context)
