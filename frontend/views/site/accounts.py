"""Everybody's accounts, for admins of the site: found, closed, opened again, and signed out."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation import clock
from frontend import access
from frontend.accounts import own
from frontend.requests import AuthedRequest, action_view, page_view
from frontend.site import accounts as pages
from qualification import accounts


@page_view
def index(request: AuthedRequest) -> HttpResponse:
    """The accounts that the address asks for."""
    access.site_admin(request.user)
    wanted = pages.AccountsQuery.from_query(request.GET)
    found = pages.listed(wanted, page=request.GET.get("page", "1"))
    return render(request, "site/accounts.html", {"wanted": wanted, "found": found, "states": pages.STATES.items()})


@page_view
def show(request: AuthedRequest, code: str) -> HttpResponse:
    """One of them: its roles, sessions and history, and what can be decided about it."""
    user = access.site_account(request.user, code)
    current = request.session.session_key or ""
    context = {
        "account": pages.shown_of([user])[0],
        "is_self": user == request.user,
        "sign_ins": own.sign_ins_of(user, current=current, now=clock.now()),
        "history": pages.history(user),
    }
    return render(request, "site/account.html", context)


@action_view
def close(request: AuthedRequest, code: str) -> HttpResponse:
    """Close it, with a reason."""
    user = access.site_account(request.user, code)
    accounts.close(user, by=request.user, reason=request.POST.get("reason", ""), now=clock.now())
    messages.success(request, _("The account is closed, and its sessions have ended."))
    return redirect("account_of", code=code)


@action_view
def reopen(request: AuthedRequest, code: str) -> HttpResponse:
    """Open it again, with a reason."""
    user = access.site_account(request.user, code)
    accounts.reopen(user, by=request.user, reason=request.POST.get("reason", ""), now=clock.now())
    messages.success(request, _("The account is open again. The person signs in with the password they had."))
    return redirect("account_of", code=code)


@action_view
def sign_out(request: AuthedRequest, code: str) -> HttpResponse:
    """End all of its sessions, with a reason."""
    user = access.site_account(request.user, code)
    accounts.sign_out(user, by=request.user, reason=request.POST.get("reason", ""), now=clock.now())
    messages.success(request, _("All sessions of the account have ended."))
    return redirect("account_of", code=code)
