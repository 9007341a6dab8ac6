"""The hosts that the site may call, for its admins."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation import clock
from annotation.errors import WrongMove
from annotation.outgoing import calling
from annotation.outgoing.addresses import CallRefused
from frontend import access
from frontend.requests import AuthedRequest, action_view, form_view, printable
from frontend.site import hosts as pages


@form_view
def index(request: AuthedRequest) -> HttpResponse:
    """The list; POST adds one."""
    access.site_admin(request.user)
    return _add(request) if request.method == "POST" else _page(request)


@action_view
def remove(request: AuthedRequest, host: int) -> HttpResponse:
    """Take one off the list."""
    found = access.site_host(request.user, host)
    try:
        calling.remove_host(found, by=request.user, now=clock.now())
    except WrongMove as refused:
        messages.info(request, _(refused.message))
    else:
        messages.success(request, _("Calls to %(host)s are refused from now on.") % {"host": found.name})
    return redirect("hosts")


def _add(request: AuthedRequest) -> HttpResponse:
    name, purpose = printable(request.POST.get("name", "")), printable(request.POST.get("purpose", ""))
    try:
        row = calling.allow_host(name, purpose=purpose, by=request.user, now=clock.now())
    except (CallRefused, WrongMove) as refused:
        return _page(request, name=name, purpose=purpose, error=_(refused.message), status=422)
    messages.success(request, _("The site may call %(host)s.") % {"host": row.name})
    return redirect("hosts")


def _page(request: AuthedRequest, *, status: int = 200, **entered: str) -> HttpResponse:
    context = {"entered": entered, "found": pages.listed(), "history": pages.history()}
    return render(request, "site/hosts.html", context, status=status)
