"""The long jobs of all projects, for admins of the site: how far each is, what went wrong, and cancelling one."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation import clock
from annotation.errors import WrongMove
from frontend import access
from frontend.requests import AuthedRequest, action_view, page_view
from frontend.site import jobs
from tasks.background import long_jobs


@page_view
def index(request: AuthedRequest) -> HttpResponse:
    """The jobs in the state that the address asks for."""
    access.site_admin(request.user)
    state = jobs.state_of(request.GET)
    last, is_silent = jobs.last_beat(now=clock.now())
    context = {
        "state": state,
        "states": [(key, title) for key, (title, _states) in jobs.STATES.items()],
        "found": jobs.jobs_page(state, page=request.GET.get("page", "1")),
        "last": last,
        "is_silent": is_silent,
    }
    return render(request, "site/jobs.html", context)


@action_view
def cancel(request: AuthedRequest, job: int) -> HttpResponse:
    """Cancel a job that has not ended."""
    found = access.site_job(request.user, job)
    try:
        long_jobs.cancel(found, by=request.user, now=clock.now())
    except WrongMove:
        messages.info(request, _("It had ended already."))
    else:
        messages.success(request, _("Cancelled. Nothing of it is kept."))
    return redirect("jobs")
